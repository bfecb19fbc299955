"""Models: read from a file, a text or a dict, and what is asked of them."""

from __future__ import annotations

import dataclasses
import json
import os
import typing

import numpy as np

from . import _gyrostat, _results
from ._errors import Problem
from ._linear import LinearModel, linear_of
from ._results import Column, Path, Results

#: A state: None for the initial one, entries by name in its place, or coordinates and speeds.
StateLike = typing.Union[None, typing.Mapping[str, float], typing.Tuple[typing.Any, typing.Any]]

#: Values of parameters: numbers in SI units, vectors of three, or texts as in a model file, "3 deg".
Parameters = typing.Mapping[str, typing.Union[float, str, typing.Sequence[float], np.ndarray]]


class Entry(typing.NamedTuple):
    """An entry of q or u."""

    name: str
    unit: str
    motion: str  #: "free", "locked" or "prescribed"


@dataclasses.dataclass(frozen=True)
class Check:
    """What `gyrostat check` says of a model. It is true if the model can be run."""

    ok: bool
    problems: list[Problem]
    text: str  #: as the command line prints it

    @property
    def warnings(self) -> list[Problem]:
        """Those problems that are no errors."""
        return [p for p in self.problems if p.severity == "warning"]

    def __bool__(self) -> bool:
        return self.ok


def _text_of(name: str, value: typing.Any) -> str:
    if isinstance(value, str):
        return value
    try:
        if np.ndim(value) == 1:
            return f"[{', '.join(repr(float(x)) for x in value)}]"
        return repr(float(value))
    except (TypeError, ValueError) as error:
        raise TypeError(f"parameter '{name}': a number, three, or a text is needed, and not {value!r:.60}") from error


def _pairs(parameters: Parameters | None) -> list[tuple[str, str]]:
    if parameters is not None and not isinstance(parameters, typing.Mapping):
        raise TypeError(f"parameters: a dict of names and values is needed, and not {parameters!r:.60}")
    return [(name, _text_of(name, value)) for name, value in (parameters or {}).items()]


def _names(given: typing.Union[str, typing.Sequence[str]]) -> typing.Any:
    """Names as a list; one may stand alone. Whether they are names is for the compiled part to say."""
    return [given] if isinstance(given, str) else list(given) if isinstance(given, typing.Iterable) else given


def _dict(given: typing.Any) -> typing.Any:
    return dict(given) if isinstance(given, typing.Mapping) else given


def _plain(value: typing.Any) -> typing.Any:
    """What a model file can say, of numpy's types."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise TypeError(f"a model has no place for a {type(value).__name__}")


class Model:
    """A spacecraft: bodies, joints, loads and control. Never changes; threads may share it."""

    def __init__(self, handle: _gyrostat.Model) -> None:
        self._handle = handle

    # --- making one --------------------------------------------------------------------------------------------------

    @classmethod
    def load(cls, path: Path, parameters: Parameters | None = None) -> Model:
        """Reads a model file, with parameters in the place of those in the file. Raises ModelError."""
        return cls(_gyrostat.load_file(os.fspath(path), _pairs(parameters)))

    @classmethod
    def from_text(cls, text: str, file: str = "model.yaml", parameters: Parameters | None = None) -> Model:
        """Reads the text of a model file. Problems say that it is in `file`, and files it names are looked for there."""
        return cls(_gyrostat.load_text(file, text, _pairs(parameters)))

    @classmethod
    def from_dict(
        cls, description: typing.Mapping[str, typing.Any], file: str = "model.yaml", parameters: Parameters | None = None
    ) -> Model:
        """A model built in code: a dict of the same structure as a model file. `gyrostat: 1` may be left out.

        Places of problems are those in ``json.dumps(description, indent=2)``; the path says where it is in the dict.
        """
        whole = dict(description) if "gyrostat" in description else {"gyrostat": 1, **description}
        text = json.dumps(whole, indent=2, ensure_ascii=False, default=_plain) + "\n"
        return cls.from_text(text, file, parameters)

    def with_parameters(self, parameters: Parameters | None = None, **more: float | str) -> Model:
        """The same model with other parameters: ``model.with_parameters(gain=3)``."""
        return Model(self._handle.with_parameters(_pairs({**(parameters or {}), **more})))

    # --- what is in it -----------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """What the model calls itself."""
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
    def expanded(self) -> str:
        """The model as one text, without templates and included files."""
        return self._handle.whole_text

    @property
    def warnings(self) -> list[Problem]:
        """What was noticed when it was read."""
        return [Problem(*p) for p in self._handle.problems]

    @property
    def parameters(self) -> dict[str, float]:
        """Values by name, in SI units."""
        return self._handle.parameters

    @property
    def bodies(self) -> list[str]:
        """The names of the bodies, without the world."""
        return self._handle.bodies

    @property
    def joints(self) -> list[str]:
        """The names of the joints; joint i moves body i. Those that close loops are among the constraints."""
        return self._handle.joints

    @property
    def constraints(self) -> list[str]:
        """The names of the constraints, and of joints that close loops."""
        return self._handle.constraints

    @property
    def signals(self) -> list[str]:
        """The names of the signals."""
        return self._handle.signals

    @property
    def coordinates(self) -> list[Entry]:
        """What the entries of q are."""
        return [Entry(*e) for e in self._handle.coordinates]

    @property
    def speeds(self) -> list[Entry]:
        """What the entries of u are."""
        return [Entry(*e) for e in self._handle.speeds]

    @property
    def columns(self) -> list[Column]:
        """What a run records."""
        return [Column(*c) for c in _gyrostat.columns(self._handle)]

    def quantities(self, pattern: str = "*") -> list[str]:
        """The names of all quantities that expressions know and that match a pattern with * and ?."""
        return self._handle.quantities(pattern)

    def state(self, given: StateLike = None) -> tuple[np.ndarray, np.ndarray]:
        """(q, u) of the initial state, or of that with other entries: ``model.state({"pan.angle": 0.1})``."""
        return self._handle.state(given)

    def check(self) -> Check:
        """What ``gyrostat check`` says: all problems, also those that a run would have."""
        problems, text, ok = self._handle.check()
        return Check(ok, [Problem(*p) for p in problems], text)

    # --- runs --------------------------------------------------------------------------------------------------------

    def simulate(
        self,
        until: float | None = None,
        *,
        tolerance: float | None = None,
        method: str | None = None,
        step: float | None = None,
        interval: float | None = None,
        formulation: str | None = None,
        initial: StateLike = None,
        output: Path | None = None,
        csv: Path | None = None,
        checkpoint: float | None = None,
        allow_plugins: bool = False,
        force: bool = False,
    ) -> Results:
        """Flies the model, and returns the results.

        What is not given is as the model file says. `interval` is the time between records, `step` that of rk4. The
        results are in the file `output`, or in one that is removed with them; `checkpoint` keeps checkpoints beside it.
        A file that is not a results file is replaced only with `force`. Raises SimulationError where the run cannot go
        on, with what was recorded until then. The interpreter's lock is released meanwhile; Ctrl-C ends the run.
        """
        settings = {
            "until": until,
            "tolerance": tolerance,
            "method": method,
            "step": step,
            "interval": interval,
            "formulation": formulation,
            "initial": initial,
            "csv": None if csv is None else os.fspath(csv),
            "checkpoint": checkpoint,
            "allow_plugins": allow_plugins,
            "force": force,
            "command": "Model.simulate in Python",
        }
        return _results.run_into(output, lambda path: _gyrostat.run(self._handle, settings, path), self.file)

    def simulation(
        self,
        inputs: typing.Union[str, typing.Sequence[str], typing.Mapping[str, float | None], None] = None,
        *,
        until: float | None = None,
        tolerance: float | None = None,
        method: str | None = None,
        step: float | None = None,
        interval: float | None = None,
        formulation: str | None = None,
        initial: StateLike = None,
        record: bool = False,
        allow_plugins: bool = False,
    ) -> _gyrostat.Simulation:
        """A run to be taken step by step, at t = 0.

        `inputs` are what is set between steps, with first values if it is a dict: a signal, whose computed value is then
        replaced, or a force or torque that acts beside all others ("bus.torque_x", "pan.torque", "bus.rw1.torque",
        "bus.antenna.force_z", body axes). The run ends at `until`, by default the model's duration. With `record`,
        records are kept for ``results()``.
        """
        settings = {
            "until": until,
            "tolerance": tolerance,
            "method": method,
            "step": step,
            "interval": interval,
            "formulation": formulation,
            "initial": initial,
            "record": record,
            "allow_plugins": allow_plugins,
        }
        return _gyrostat.Simulation(self._handle, settings, inputs)

    # --- the equations of motion -------------------------------------------------------------------------------------

    def accelerations(self, q: typing.Any = None, u: typing.Any = None, formulation: str | None = None) -> np.ndarray:
        """The derivatives of all speeds at a state and t = 0, with the model's loads and control.

        Without q and u, at the initial state. What the model prescribes is as given. ``gyrostat accel`` prints the same.
        """
        return self._handle.accelerations(self._given(q, u), formulation or "")

    def mass_matrix(self, q: typing.Any = None) -> np.ndarray:
        """The symmetric matrix that maps derivatives of all speeds to the forces conjugate to them."""
        return self._handle.mass_matrix(None if q is None else (q, self.state()[1]))

    def inverse_dynamics(self, udot: typing.Any, q: typing.Any = None, u: typing.Any = None) -> np.ndarray:
        """The force conjugate to each speed, of joints and motors together, that makes the speeds change at rates udot.

        The model's loads on bodies act meanwhile; its joint torques, springs and motors do not: they are in the answer.
        """
        return self._handle.inverse_dynamics(self._given(q, u), udot)

    def _given(self, q: typing.Any, u: typing.Any) -> StateLike:
        if q is None and u is None:
            return None
        if u is None and isinstance(q, (dict, tuple)):
            return q
        initial = self.state()
        return (initial[0] if q is None else q, initial[1] if u is None else u)

    def linearize(
        self,
        inputs: typing.Union[str, typing.Sequence[str]] = (),
        outputs: typing.Union[str, typing.Sequence[str]] = (),
        *,
        open: typing.Sequence[str] = (),
        at: float | None = None,
        state: StateLike = None,
        trim: str | None = None,
        hold: typing.Sequence[str] = (),
        gains: typing.Mapping[str, float] | None = None,
        amplitudes: typing.Mapping[str, float] | None = None,
        pade: int = 3,
        discrete: bool = False,
    ) -> LinearModel:
        """The exact linear model of the closed loop about an operating point.

        The point is the initial state, another `state`, or where the model is after `at` seconds; with `trim`, "rest",
        "orbit" or "spin", the steady motion near it. Inputs and outputs are named as for ``gyrostat linearize``; at
        signals in `open` loops are opened. Raises AnalysisError.
        """
        options = {
            "inputs": _names(inputs),
            "outputs": _names(outputs),
            "open": _names(open),
            "at": at,
            "state": state,
            "trim": trim,
            "hold": _names(hold),
            "gains": _dict(gains),
            "amplitudes": _dict(amplitudes),
            "pade": pade,
            "discrete": discrete,
        }
        return linear_of(self._handle.linearize(options))

    def batch(self, n: int, inputs: typing.Union[str, typing.Sequence[str]] = ()) -> Batch:
        """For n states at once. Inputs are named as for ``simulation``."""
        return Batch(self, n, inputs)

    def __repr__(self) -> str:
        return f"<gyrostat.Model {self.file!r}: {len(self.bodies)} bodies, {len(self.speeds)} speeds>"

    def __reduce__(self) -> typing.NoReturn:
        raise TypeError("a gyrostat.Model cannot be pickled: pass its file or text, and load it there")


class Batch:
    """Many states of one model, evaluated at once: in the lanes of the processor, without the interpreter's lock.

    Where a model has switches, memories, constraints or prescribed motions, states are evaluated one by one, and
    `not_packed` says why. One thread at a time may use a batch.
    """

    def __init__(self, model: Model, n: int, inputs: typing.Union[str, typing.Sequence[str]] = ()) -> None:
        self.model = model
        self._handle = _gyrostat.Batch(model._handle, n, _names(inputs))

    @property
    def n(self) -> int:
        """How many states there are."""
        return self._handle.count

    @property
    def lanes(self) -> int:
        """How many are evaluated at once."""
        return self._handle.lanes

    @property
    def not_packed(self) -> str:
        """Why states are evaluated one by one, or empty."""
        return self._handle.not_packed

    @property
    def inputs(self) -> list[Column]:
        """The inputs, in the order of their columns."""
        return [Column(*i) for i in self._handle.inputs]

    @property
    def layout(self) -> list[str]:
        """What the columns of y are: coordinates, speeds, and states of signal blocks."""
        return self._handle.layout

    def accelerations(self, q: typing.Any, u: typing.Any, inputs: typing.Any = None) -> np.ndarray:
        """The derivatives of all speeds, (n, speeds), at (n, coordinates) and (n, speeds); t = 0."""
        return self._handle.accelerations(q, u, inputs)

    def derivative(self, y: typing.Any, t: typing.Any = 0.0, inputs: typing.Any = None) -> np.ndarray:
        """y' of every row of y, at one time or at one for each."""
        return self._handle.derivative(y, t, inputs)

    def __reduce__(self) -> typing.NoReturn:
        raise TypeError("a gyrostat.Batch cannot be pickled: make one in the other process")
