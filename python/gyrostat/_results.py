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
from ._errors import ResultsError, SimulationError
from ._optional import needed

if typing.TYPE_CHECKING:
    from ._model import Model

Path = typing.Union[str, "os.PathLike[str]"]


def no_column(name: typing.Any, names: typing.Iterable[str], what: str = "column") -> str:
    """What is said of a name that does not exist."""
    near = difflib.get_close_matches(str(name), list(names), 1)
    return f"no {what} '{name}'" + (f"; did you mean '{near[0]}'?" if near else "")


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


class ResultsFileUser:
    """Has a results file open, until it is closed or goes out of use; also in a ``with`` statement."""

    def __init__(self, path: Path) -> None:
        self._file: _gyrostat.ResultsFile | None = _gyrostat.ResultsFile(os.fspath(path))
        self._path = pathlib.Path(self._file.path)
        self._read: dict[str, np.ndarray] = {}
        self._columns = {name: Column(name, unit, text) for name, unit, text in self._file.columns}
        self._remove: weakref.finalize[typing.Any, typing.Any] | None = None

    @property
    def _open_file(self) -> _gyrostat.ResultsFile:
        if self._file is None:
            raise ValueError(f"these results are closed: {self._path}")
        return self._file

    def close(self) -> None:
        """Closes the file; one that is kept only as long as it is used is removed. Arrays that were read remain."""
        self._file = None
        if self._remove is not None:
            self._remove()

    def __enter__(self: _User) -> _User:
        self._open_file  # noqa: B018: raises where it is closed
        return self

    def __exit__(self, *_: typing.Any) -> None:
        self.close()

    @property
    def path(self) -> pathlib.Path:
        """The results file."""
        return self._path

    @property
    def columns(self) -> list[Column]:
        """What was recorded: names, units and descriptions."""
        return list(self._columns.values())

    @property
    def status(self) -> str:
        """How it ended: "finished", "interrupted at t = 3 s", "stopped at t = 3 s: ..."."""
        return self._open_file.status

    @property
    def header(self) -> dict[str, str]:
        """Where the results come from: model, version, formulation, integrator."""
        return self._open_file.header

    def report(self, path: Path, equations: bool = False, force: bool = False) -> pathlib.Path:
        """Writes the report, one page for a browser, and returns its path. An older report is replaced."""
        _gyrostat.write_report([self._open_file.path], os.fspath(path), equations, force)
        return pathlib.Path(path)

    def view(self, height: int = 640) -> View:
        """The report in a notebook."""
        with tempfile.TemporaryDirectory() as folder:
            return View(self.report(os.path.join(folder, "report.html")).read_text(encoding="utf-8"), height)


_User = typing.TypeVar("_User", bound=ResultsFileUser)


class Results(ResultsFileUser):
    """The results of a run, in a file. Numbers are read when they are asked for.

    ``results["bus.omega_x"]`` is a column, ``results.time`` are its times.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._time: np.ndarray | None = None
        if self._open_file.is_campaign:
            self.close()
            raise ResultsError(f"{os.fspath(path)}: has the results of a campaign; open it by gyrostat.open_campaign")

    @property
    def time(self) -> np.ndarray:
        """The times of the records [s]."""
        if self._time is None:
            self._time = self._open_file.time
            self._time.setflags(write=False)
        return self._time

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
        return self._open_file.events

    @property
    def ledger(self) -> Ledger:
        """The balance of energy and momentum."""
        return self._open_file.ledger

    @property
    def statistics(self) -> dict[str, float]:
        """Numbers about the run, by name."""
        return self._open_file.statistics

    @property
    def model(self) -> Model:
        """The model as it was when the results were made. Raises ModelError if it is not valid any more."""
        from ._model import Model

        header = self.header
        return Model.from_text(header["model_text"], file=header["model_file"], parameters=dict(self._open_file.parameters))

    def __getitem__(self, name: str) -> np.ndarray:
        """The values of a column, one for each time. They are read once, and cannot be written to."""
        if name not in self._read:
            if name not in self._columns:
                raise KeyError(no_column(name, self._columns))
            values = self._open_file.column(name)
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
        pandas = needed("pandas", "to_pandas")
        index = pandas.Index(self.time, name="time")
        return pandas.DataFrame({name: self[name] for name in (self.names if names is None else names)}, index=index)

    def plot(self, *names: str, ax: typing.Any = None) -> typing.Any:
        """Draws columns over time by matplotlib; returns the axes."""
        if not names:
            raise ValueError("name the columns to draw")
        columns = {name: self[name] for name in names}
        if ax is None:
            ax = needed("matplotlib.pyplot", "plot").figure().add_subplot()
        for name, values in columns.items():
            unit = self._columns[name].unit
            ax.plot(self.time, values, label=f"{name} [{unit}]" if unit else name)
        ax.set_xlabel("time [s]")
        ax.legend()
        return ax

    def __repr__(self) -> str:
        if self._file is None:
            return "<gyrostat.Results, closed>"
        return f"<gyrostat.Results: {len(self)} records of {len(self._columns)} quantities, {self.status}>"

    def __reduce__(self) -> typing.NoReturn:
        raise TypeError("gyrostat.Results cannot be pickled: pass its path, and call gyrostat.open there")


def open(path: Path) -> Results:
    """Opens a results file, also one of a run that still goes on. Numbers are read when they are asked for."""
    return Results(path)


def temporary_path() -> str:
    """A name for results that are kept only as long as they are used."""
    return os.path.join(tempfile.mkdtemp(prefix="gyrostat-"), "results.h5")


def temporary(kind: type[_User], path: str) -> _User:
    """Results whose file, and the folder it is in, is removed with them."""
    results = kind(path)
    results._remove = weakref.finalize(results, shutil.rmtree, os.path.dirname(path), True)
    return results


#: What the compiled part tells of a run: status, time, failure, is anything recorded.
Outcome = typing.Tuple[str, float, str, bool]


def run_into(output: Path | None, run: typing.Callable[[str], Outcome], what: str) -> Results:
    """The results of a run into a file, or into one that is kept only as long as it is used."""
    path = temporary_path() if output is None else os.fspath(output)
    results: Results | None = None
    try:
        status, time, failure, recorded = run(path)
        if recorded:
            results = Results(path) if output is not None else temporary(Results, path)
    finally:
        if output is None and results is None:
            shutil.rmtree(os.path.dirname(path), True)
    if failure or results is None:
        raise SimulationError(f"{what}: {status}", time, failure, results)
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
    return temporary(Results, kept)


def resume(path: Path, until: float | None = None, allow_plugins: bool = False) -> Results:
    """Goes on with a run that was interrupted, or with a finished one to a later end, and returns its results."""
    status, time, failure, _ = _gyrostat.resume(os.fspath(path), until, allow_plugins)
    if failure:
        raise SimulationError(f"{os.fspath(path)}: {status}", time, failure, Results(path))
    return Results(path)
