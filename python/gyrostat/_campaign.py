"""Campaigns: a model flown many times with other parameters, and what holds of its flights."""

from __future__ import annotations

import difflib
import json
import os
import shutil
import typing

import numpy as np

from . import _gyrostat, _results
from ._campaign_results import CampaignResults
from ._errors import CampaignError, Problem
from ._model import Check, Model, _plain
from ._results import Column, Path, Results


class Measure(typing.NamedTuple):
    """One number of every flight."""

    name: str
    unit: str
    expression: str  #: or what is computed, in words
    computed: bool  #: by a function in Python


class Progress(typing.NamedTuple):
    """How far a campaign has come."""

    flights: int  #: in all
    ended: int  #: so far, with those that failed
    failed: int
    ended_before: int  #: of these, in an earlier session
    seconds: float  #: since this one began


class Flight:
    """A flight that has just ended, as functions for measures see it.

    ``flight["bus.omega_x"]`` is a column and ``flight.time`` its times, as of the Results of a replay.
    """

    def __init__(
        self,
        number: int,
        inputs: dict[str, float],
        measures: dict[str, float],
        names: list[str],
        time: np.ndarray,
        rows: np.ndarray,
    ) -> None:
        self.number = number  #: of the flight, from 0 on
        self.inputs = inputs  #: what was drawn for it
        self.measures = measures  #: those of its measures that are expressions
        self.names = names  #: of the columns
        self.time = time  #: of the records [s]
        self._rows = rows
        self._places = {name: place for place, name in enumerate(names)}

    def __getitem__(self, name: str) -> np.ndarray:
        """The values of a column, one for each time."""
        if name not in self._places:
            raise KeyError(_results.no_column(name, self._places))
        return self._rows[:, self._places[name]]

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __len__(self) -> int:
        """How many records there are."""
        return len(self.time)

    def __repr__(self) -> str:
        return f"<gyrostat.Flight {self.number}: {len(self)} records of {len(self.names)} quantities>"


#: A measure as a function: from a flight to a number.
MeasureFunction = typing.Callable[[typing.Any], float]


def _in_words(function: typing.Any) -> str:
    """What a function says of itself, in a line."""
    text = (getattr(function, "__doc__", None) or "").strip().split("\n")[0]
    return text or getattr(function, "__name__", type(function).__name__)


def _without_functions(
    measures: typing.Mapping[str, typing.Any],
) -> tuple[dict[str, typing.Any], dict[str, MeasureFunction]]:
    """The measures of a dict as a file says them, and their functions."""
    said: dict[str, typing.Any] = {}
    functions: dict[str, MeasureFunction] = {}
    for name, measure in measures.items():
        if callable(measure):
            functions[name], said[name] = measure, {"computed": _in_words(measure)}
        elif isinstance(measure, typing.Mapping) and callable(measure.get("computed")):
            functions[name] = measure["computed"]
            said[name] = {**measure, "computed": _in_words(measure["computed"])}
        else:
            said[name] = measure
    return said, functions


class Campaign:
    """A model flown many times. Never changes; threads may share it."""

    def __init__(self, handle: _gyrostat.Campaign, functions: typing.Mapping[str, MeasureFunction] | None = None) -> None:
        self._handle = handle
        self._functions = dict(functions or {})
        self._inputs = [Column(*i) for i in handle.inputs]
        self._measures = [Measure(*m) for m in handle.measures]
        computed = [m.name for m in self._measures if m.computed]
        for name, function in self._functions.items():
            if name not in computed:
                near = difflib.get_close_matches(name, computed, 1)
                raise CampaignError(
                    f"{self.file}: there is no computed measure '{name}'"
                    + (f"; did you mean '{near[0]}'?" if near else f"; write measure: {{{name}: {{computed: what it is}}}}")
                )
            if not callable(function):
                raise TypeError(f"measure '{name}': a function is needed, and not a {type(function).__name__}")

    # --- making one --------------------------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: Path, measures: typing.Mapping[str, MeasureFunction] | None = None) -> Campaign:
        """Reads a campaign file. `measures` are the functions of those that it says are `computed`.

        Raises CampaignError, or ModelError where the model is wrong.
        """
        return cls(_gyrostat.load_campaign(os.fspath(path)), measures)

    @classmethod
    def from_text(
        cls,
        text: str,
        file: str = "campaign.yaml",
        model: Model | None = None,
        measures: typing.Mapping[str, MeasureFunction] | None = None,
    ) -> Campaign:
        """Reads the text of a campaign file; of the model that it names, or of another."""
        if model is not None and not isinstance(model, Model):
            raise TypeError(f"model: a gyrostat.Model is needed, and not a {type(model).__name__}")
        if model is not None and model._handle.overrides:
            name, value = model._handle.overrides[0]
            raise CampaignError(
                f"{file}: the model was loaded with another value of '{name}', which its text does not have; "
                f"say it in the campaign: vary: {{{name}: {{values: [{value}]}}}}"
            )
        return cls(_gyrostat.load_campaign_text(file, text, None if model is None else model._handle), measures)

    @classmethod
    def from_dict(cls, description: typing.Mapping[str, typing.Any], file: str = "campaign.yaml") -> Campaign:
        """A campaign built in code: a dict of the same structure as a campaign file.

        `model` may be a Model, and a measure a function from a Flight to a number, or ``{"computed": function, "unit":
        "rad"}``. `gyrostat_campaign: 1` may be left out. Places of problems are those in
        ``json.dumps(description, indent=2)``.
        """
        whole = {"gyrostat_campaign": 1, **description}
        model = whole.get("model")
        functions: dict[str, MeasureFunction] = {}
        if isinstance(model, Model):
            whole["model"] = model.file
        if isinstance(whole.get("measure"), typing.Mapping):
            whole["measure"], functions = _without_functions(whole["measure"])
        text = json.dumps(whole, indent=2, ensure_ascii=False, default=_plain) + "\n"
        return cls.from_text(text, file, model if isinstance(model, Model) else None, functions)

    @classmethod
    def of_results(cls, path: Path, measures: typing.Mapping[str, MeasureFunction] | None = None) -> Campaign:
        """The campaign that a file is of, with the model that is stored in it: to resume it, or to replay flights."""
        return cls(_gyrostat.load_stored_campaign(os.fspath(path)), measures)

    # --- what is in it -----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What it calls itself."""
        return self._handle.name

    @property
    def file(self) -> str:
        """The name of its file."""
        return self._handle.file

    @property
    def text(self) -> str:
        """The text of its file."""
        return self._handle.text

    @property
    def model(self) -> Model:
        """Its model, with the parameters of the file."""
        return Model(self._handle.model)

    @property
    def inputs(self) -> list[Column]:
        """What is varied, with units."""
        return list(self._inputs)

    @property
    def measures(self) -> list[Measure]:
        """The numbers of a flight."""
        return list(self._measures)

    @property
    def not_packed(self) -> str:
        """Why flights are flown one by one and not in the lanes of the processor, or empty."""
        return self._handle.not_packed

    def __len__(self) -> int:
        """How many flights there are."""
        return self._handle.flights

    def check(self) -> Check:
        """Warnings about the campaign. What is wrong with it is raised when it is made."""
        problems, text = self._handle.problems
        return Check(True, [Problem(*p) for p in problems], text)

    def samples(self, first: int = 0, count: int | None = None) -> dict[str, np.ndarray]:
        """What is drawn for flights, by input: for all, or for `count` from `first` on. Nothing is flown."""
        rows = self._handle.samples(first, len(self) - first if count is None else count)
        return {column.name: rows[:, k] for k, column in enumerate(self.inputs)}

    # --- flights -----------------------------------------------------------------------------------------------------

    def run(
        self,
        output: Path | None = None,
        *,
        threads: int | None = None,
        resume: bool = False,
        force: bool = False,
        allow_plugins: bool = False,
        progress: typing.Callable[[Progress], typing.Any] | None = None,
    ) -> CampaignResults:
        """Flies all flights, and returns their results.

        They are in the file `output`, or in one that is removed with them. With `resume`, a file that is there is gone
        on with. `progress` is called several times a second; where it returns False the campaign ends, and can be
        resumed. So it does, with what has ended in the file, at Ctrl-C and where a function raises. The numbers are the
        same for any number of threads (by default, one for each core), and after any interruption. The interpreter's
        lock is released meanwhile. `allow_plugins` lets the libraries that the model names run.

        Functions for measures are called in this thread, one flight after the other in the order of their numbers.
        """
        if threads is not None and (isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= 4096):
            raise ValueError(f"threads={threads!r}: a whole number from 1 on is needed")
        if progress is not None and not callable(progress):
            raise TypeError(f"progress: a function is needed, and not a {type(progress).__name__}")
        computed = [m.name for m in self.measures if m.computed]
        for name in computed:
            if name not in self._functions:
                raise CampaignError(f"{self.file}: measure '{name}' is computed; give its function: measures={{'{name}': ..}}")
        if resume and output is None:
            raise ValueError("resume: say which file, by output")
        if output is None and _gyrostat.processes_started() > 1:
            raise CampaignError("several processes fly this campaign, and the first one has the results: say where, by output")
        settings = {"threads": threads or 0, "resume": resume, "force": force, "command": "Campaign.run in Python", "allow_plugins": allow_plugins}
        told = None if progress is None else lambda *now: progress(Progress(*now))  # noqa: E731
        path = _results.temporary_path() if output is None else os.fspath(output)
        try:
            self._handle.fly(path, settings, told, self._compute if computed else None)
            return CampaignResults(path) if output is not None else _results.temporary(CampaignResults, path)
        except BaseException:
            if output is None:
                shutil.rmtree(os.path.dirname(path), True)
            raise

    def _compute(
        self, number: int, inputs: np.ndarray, measures: np.ndarray, names: list[str], time: np.ndarray, rows: np.ndarray
    ) -> list[float]:
        """The computed measures of a flight, in their order."""
        drawn = {column.name: float(value) for column, value in zip(self._inputs, inputs)}
        known = {m.name: float(value) for m, value in zip(self._measures, measures) if not m.computed}
        flight = Flight(number, drawn, known, names, time, rows)
        return [self._value(m.name, flight) for m in self._measures if m.computed]

    def _value(self, name: str, flight: Flight) -> float:
        try:
            value = self._functions[name](flight)
        except Exception as error:
            raise CampaignError(f"measure '{name}' of flight {flight.number}: {type(error).__name__}: {error}") from error
        try:
            return float(value)
        except (TypeError, ValueError) as error:
            raise CampaignError(
                f"measure '{name}' of flight {flight.number}: its function must return a number, and not {value!r:.200}"
            ) from error

    def replay(self, flight: int, output: Path | None = None, force: bool = False, allow_plugins: bool = False) -> Results:
        """One flight again, with the same bits, recorded like any run. Raises SimulationError where it fails, with results.

        `allow_plugins` lets the libraries that the model names run.
        """
        if isinstance(flight, bool) or not isinstance(flight, (int, np.integer)):
            raise TypeError(f"flight: the number of one is needed, and not {flight!r}")
        if not 0 <= flight < len(self):
            raise IndexError(f"there is no flight {flight}; the campaign has {len(self)}, from 0 on")
        settings = {"command": f"Campaign.replay({flight}) in Python", "force": force, "allow_plugins": allow_plugins}
        return _results.run_into(
            output, lambda path: self._handle.replay(int(flight), path, settings), f"{self.file}: flight {flight}"
        )

    def __repr__(self) -> str:
        return f"<gyrostat.Campaign {self.file!r}: {len(self)} flights, {len(self.inputs)} inputs, {len(self.measures)} measures>"

    def __reduce__(self) -> typing.NoReturn:
        raise TypeError("a gyrostat.Campaign cannot be pickled: pass its file or text, and load it there")
