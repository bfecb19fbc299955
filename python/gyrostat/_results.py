"""Results of runs: numbers that are read from a file when they are asked for."""

from __future__ import annotations

import dataclasses
import difflib
import html
import os
import pathlib
import shutil
import tempfile
import typing
import weakref

import numpy as np

from . import _gyrostat

if typing.TYPE_CHECKING:
    from ._model import Model

Path = typing.Union[str, "os.PathLike[str]"]


class Column(typing.NamedTuple):
    """A recorded quantity."""

    name: str
    unit: str
    description: str


class Event(typing.NamedTuple):
    """Something that switched, jumped or bent."""

    time: float
    name: str
    what: str


@dataclasses.dataclass(frozen=True)
class LedgerLine:
    """A conservation law over a run."""

    name: str
    unit: str
    residual: float  #: the largest that was left unexplained
    scale: float  #: what it is compared with
    relative: float  #: 0 where the residual is rounding


@dataclasses.dataclass(frozen=True)
class Ledger:
    """The balance that every run keeps: energy with work, momentum with impulse, and cross-checks."""

    lines: list[LedgerLine]
    attitude: float  #: largest distance of an attitude from unit length
    accelerations: float  #: largest difference from those of another formulation, over the largest one
    other_formulation: str
    constraint_position: float  #: largest violation of a constraint [m or rad]
    constraint_speed: float  #: the same of its rate
    exempt: str  #: why the laws are not expected to hold, or empty
    notes: list[str]
    warnings: list[str]  #: residuals that the tolerance does not explain

    def __getitem__(self, name: str) -> LedgerLine:
        for line in self.lines:
            if line.name == name:
                return line
        raise KeyError(name)


def ledger_of(fields: dict[str, typing.Any]) -> Ledger:
    """A ledger from the fields that the compiled part tells."""
    return Ledger(**{**fields, "lines": [LedgerLine(*line) for line in fields["lines"]]})


class View:
    """A report in a notebook: the page in a frame."""

    def __init__(self, page: str, height: int) -> None:
        self.page, self.height = page, height

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.page)}" width="100%" height="{self.height}" '
            'style="border:1px solid #ccc" sandbox="allow-scripts"></iframe>'
        )


class Results:
    """The results of a run, in a file. Numbers are read when they are asked for.

    ``results["bus.omega_x"]`` is a column, ``results.time`` are its times.
    """

    def __init__(self, path: Path) -> None:
        self._file = _gyrostat.ResultsFile(os.fspath(path))
        self._read: dict[str, np.ndarray] = {}
        self._time: np.ndarray | None = None
        self._columns = {name: Column(name, unit, text) for name, unit, text in self._file.columns}

    @property
    def path(self) -> pathlib.Path:
        """The results file."""
        return pathlib.Path(self._file.path)

    @property
    def time(self) -> np.ndarray:
        """The times of the records [s]."""
        if self._time is None:
            self._time = self._file.time
            self._time.setflags(write=False)
        return self._time

    @property
    def columns(self) -> list[Column]:
        """What was recorded: names, units and descriptions."""
        return list(self._columns.values())

    @property
    def names(self) -> list[str]:
        """The names of the columns."""
        return list(self._columns)

    @property
    def units(self) -> dict[str, str]:
        """The units of the columns, by name."""
        return {column.name: column.unit for column in self._columns.values()}

    @property
    def events(self) -> list[Event]:
        """What switched, jumped or bent, in order."""
        return self._file.events

    @property
    def ledger(self) -> Ledger:
        """The balance of energy and momentum."""
        return self._file.ledger

    @property
    def status(self) -> str:
        """How the run ended: "finished", "interrupted at t = 3 s", "stopped at t = 3 s: ..."."""
        return self._file.status

    @property
    def statistics(self) -> dict[str, float]:
        """Numbers about the run, by name."""
        return self._file.statistics

    @property
    def header(self) -> dict[str, str]:
        """Where the results come from: model, version, formulation, integrator."""
        return self._file.header

    @property
    def model(self) -> Model:
        """The model as it was when the results were made. Raises ModelError if it is not valid any more."""
        from ._model import Model

        header = self.header
        return Model.from_text(header["model_text"], file=header["model_file"], parameters=dict(self._file.parameters))

    def __getitem__(self, name: str) -> np.ndarray:
        """The values of a column, one for each time. They are read once, and cannot be written to."""
        if name not in self._read:
            if name not in self._columns:
                near = difflib.get_close_matches(name, self._columns, 1)
                raise KeyError(f"no column '{name}'" + (f"; did you mean '{near[0]}'?" if near else ""))
            values = self._file.column(name)
            values.setflags(write=False)
            self._read[name] = values
        return self._read[name]

    def __contains__(self, name: object) -> bool:
        return name in self._columns

    def __iter__(self) -> typing.Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        """How many records there are."""
        return len(self.time)

    def at(self, name: str, times: typing.Any) -> np.ndarray:
        """A column between its records, on straight lines."""
        return np.interp(times, self.time, self[name])

    def save(self, path: Path, force: bool = False) -> Results:
        """Copies the file, and returns the results in the copy."""
        if not force and os.path.exists(path):
            raise FileExistsError(f"{os.fspath(path)} exists; force=True replaces it")
        shutil.copyfile(self.path, path)
        return Results(path)

    def to_pandas(self, names: typing.Sequence[str] | None = None) -> typing.Any:
        """A pandas.DataFrame of the columns, or of some of them, with the time [s] as its index."""
        import pandas

        index = pandas.Index(self.time, name="time")
        return pandas.DataFrame({name: self[name] for name in (self.names if names is None else names)}, index=index)

    def plot(self, *names: str, ax: typing.Any = None) -> typing.Any:
        """Draws columns over time by matplotlib; returns the axes."""
        import matplotlib.pyplot as plt

        if not names:
            raise ValueError("name the columns to draw")
        if ax is None:
            ax = plt.figure().add_subplot()
        for name in names:
            unit = self._columns[name].unit if name in self._columns else ""
            ax.plot(self.time, self[name], label=f"{name} [{unit}]" if unit else name)
        ax.set_xlabel("time [s]")
        ax.legend()
        return ax

    def report(self, path: Path, equations: bool = False, force: bool = False) -> pathlib.Path:
        """Writes the report, one page for a browser, and returns its path. An older report is replaced."""
        _gyrostat.write_report([str(self.path)], os.fspath(path), equations, force)
        return pathlib.Path(path)

    def view(self, height: int = 640) -> View:
        """The report in a notebook."""
        with tempfile.TemporaryDirectory() as folder:
            return View(self.report(os.path.join(folder, "report.html")).read_text(encoding="utf-8"), height)

    def __repr__(self) -> str:
        return f"<gyrostat.Results: {len(self)} records of {len(self._columns)} quantities, {self.status}>"

    def __reduce__(self) -> typing.NoReturn:
        raise TypeError("gyrostat.Results cannot be pickled: pass its path, and call gyrostat.open there")


def open(path: Path) -> Results:
    """Opens a results file, also one of a run that still goes on. Numbers are read when they are asked for."""
    return Results(path)


def temporary_path() -> str:
    """A name for results that are kept only as long as they are used."""
    return os.path.join(tempfile.mkdtemp(prefix="gyrostat-"), "results.h5")


def temporary_results(path: str) -> Results:
    """Results whose file, and the folder it is in, is removed with them."""
    results = Results(path)
    weakref.finalize(results, shutil.rmtree, os.path.dirname(path), True)
    return results


def of_simulation(simulation: typing.Any, path: Path | None, force: bool) -> Results:
    """What a simulation has recorded so far."""
    command = "Simulation.results in Python"
    if path is not None:
        simulation.write(os.fspath(path), command, force)
        return Results(path)
    kept = temporary_path()
    try:
        simulation.write(kept, command, force)
    except BaseException:
        shutil.rmtree(os.path.dirname(kept), True)
        raise
    return temporary_results(kept)


def resume(path: Path, until: float | None = None, allow_plugins: bool = False) -> Results:
    """Goes on with a run that was interrupted, or with a finished one to a later end, and returns its results."""
    from ._errors import SimulationError

    status, time, failure, _ = _gyrostat.resume(os.fspath(path), until, allow_plugins)
    if failure:
        raise SimulationError(f"{os.fspath(path)}: {status}", time, failure, Results(path))
    return Results(path)
