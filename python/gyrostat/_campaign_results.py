"""What came of the flights of a campaign: numbers that are read from its file when they are asked for."""

from __future__ import annotations

import collections.abc
import dataclasses
import os
import typing

import numpy as np

from . import _gyrostat
from ._optional import needed
from ._results import Column, Path, Results, ResultsFileUser, no_column

if typing.TYPE_CHECKING:
    from ._campaign import Campaign, MeasureFunction


class Failure(typing.NamedTuple):
    """A flight that failed."""

    flight: int
    time: float  #: how far it came [s]
    reason: str


class Percentile(typing.NamedTuple):
    """A quantile of a measure, and an interval that holds that of the distribution with 90 % confidence or more."""

    fraction: float  #: 0.5 for the median
    value: float
    low: float  #: infinite where there are too few flights
    high: float
    coverage: float  #: the probability that the interval holds it


class Sensitivity(typing.NamedTuple):
    """What an input has to do with a measure. Sobol indices are NaN but in campaigns with `sensitivity: true`."""

    correlation: float  #: of the ranks, -1 to 1
    chance: float  #: that independent numbers are as far from 0
    first: float  #: share of the variance that is of the input alone
    first_error: float  #: its standard error
    total: float  #: the same with all that it interacts with
    total_error: float


@dataclasses.dataclass(frozen=True)
class MeasureStatistics:
    """How a measure is distributed over the flights that have a number."""

    unit: str
    mean: float
    std: float
    min: float
    max: float
    min_flight: int
    max_flight: int
    failed: int  #: flights without a number
    percentiles: list[Percentile]
    sensitivity: dict[str, Sensitivity]  #: by input

    def percentile(self, fraction: float) -> Percentile:
        """One of the percentiles: ``percentile(0.5)`` is the median."""
        for one in self.percentiles:
            if abs(one.fraction - fraction) < 1e-12:
                return one
        raise KeyError(f"no percentile {fraction}; there are {', '.join(str(p.fraction) for p in self.percentiles)}")


class Requirement(typing.NamedTuple):
    """A requirement and its verdict: over all flights, or where the campaign has factors with some of their values."""

    measure: str
    unit: str
    below: float | None
    above: float | None
    fraction: float  #: of flights, that is asked for
    confidence: float  #: with which that is to be shown
    flights: int
    fulfilled: int
    found: float  #: fulfilled / flights
    low: float  #: bounds of the fraction, each by itself with the confidence
    high: float
    verdict: str  #: "met", "not met" or "undecided"; undecided too while flights are missing that could change it
    missing: int  #: flights that have not ended
    values: dict[str, float]  #: of the factors; of several combinations that of the worst

    def __bool__(self) -> bool:
        return self.verdict == "met"


@dataclasses.dataclass(frozen=True)
class Combination:
    """The flights with one of the values of each factor: they differ in what was sampled alone."""

    values: dict[str, float]  #: by factor; empty where there are none
    flights: int  #: in all
    ended: int
    failed: int
    statistics: dict[str, MeasureStatistics]  #: by measure
    requirements: list[Requirement]


class Columns(collections.abc.Mapping):  # type: ignore[type-arg]
    """Arrays by name, with a number for each flight that has ended. They are read when they are asked for."""

    def __init__(self, results: CampaignResults, group: str, names: typing.Sequence[str]) -> None:
        self._results, self._group, self._names = results, group, list(names)

    def __getitem__(self, name: str) -> np.ndarray:
        """The numbers of one, in the order of the flights."""
        if name not in self._names:
            raise KeyError(no_column(name, self._names, self._group[:-1]))
        return self._results._column(f"{self._group}/{name}")

    def __iter__(self) -> typing.Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def __repr__(self) -> str:
        return f"<{self._group}: {', '.join(self._names)}>"


class CampaignResults(ResultsFileUser):
    """The results of a campaign, in a file. Arrays have a number for each flight that has ended, in their order.

    A flight that failed has NaN for its measures: it is counted, it is in no mean, and it fulfils no requirement.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        if not self._file.is_campaign:
            self.close()
            raise _not_of_this_kind(path)
        self._flights = self._file.time.astype(np.int64)
        self._order = np.argsort(self._flights, kind="stable")
        self._answers: dict[str, typing.Any] | None = None

    def _column(self, name: str) -> np.ndarray:
        if name not in self._read:
            values = self._open_file.column(name)[self._order]
            values.setflags(write=False)
            self._read[name] = values
        return self._read[name]

    def _group(self, group: str) -> list[str]:
        return [name[len(group) + 1 :] for name in self._columns if name.startswith(group + "/")]

    # --- by flight ---------------------------------------------------------------------------------------------------

    @property
    def flights(self) -> np.ndarray:
        """The numbers of the flights that have ended."""
        return self._flights[self._order]

    @property
    def inputs(self) -> Columns:
        """What was drawn for the flights, by name."""
        return Columns(self, "inputs", self._group("inputs"))

    @property
    def measures(self) -> Columns:
        """Their measures, by name."""
        return Columns(self, "measures", self._group("measures"))

    @property
    def units(self) -> dict[str, str]:
        """Units by column: "inputs/mass", "measures/error"."""
        return {column.name: column.unit for column in self._columns.values()}

    @property
    def failed(self) -> np.ndarray:
        """Which flights failed."""
        return self._column("outcome") != 0

    @property
    def end_time(self) -> np.ndarray:
        """How far the flights came [s]."""
        return self._column("end_time")

    @property
    def steps(self) -> np.ndarray:
        """Steps of the integrator."""
        return self._column("steps")

    @property
    def failures(self) -> list[Failure]:
        """The flights that failed, when and why."""
        ends = dict(zip(self.flights.tolist(), self.end_time.tolist()))
        # Of a flight that is being written the reason comes before the numbers.
        told = [Failure(int(e.time), ends[int(e.time)], e.what) for e in self._open_file.events if int(e.time) in ends]
        return sorted(told)

    # --- of all ------------------------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        """How many flights the campaign has in all."""
        return self._answered()["flights"]

    @property
    def finished(self) -> bool:
        """Have all flights ended? If not, ``Campaign.run(.., resume=True)`` goes on."""
        return self.status == "finished"

    @property
    def combinations(self) -> list[Combination]:
        """What holds with each combination of the values of factors; without factors, of all flights."""
        return [_combination_of(fields) for fields in self._answered()["combinations"]]

    @property
    def statistics(self) -> dict[str, MeasureStatistics]:
        """How the measures are distributed. Not of a campaign with factors: `combinations` has each by itself."""
        combinations = self.combinations
        if combinations[0].values:
            raise ValueError(
                f"the campaign has factors ({', '.join(combinations[0].values)}), whose flights are no sample of one "
                "distribution; combinations[k].statistics has each by itself"
            )
        return combinations[0].statistics

    @property
    def requirements(self) -> list[Requirement]:
        """The requirements with their verdicts; with factors, that of the worst combination."""
        return [Requirement(*fields) for fields in self._answered()["requirements"]]

    @property
    def sensitivity(self) -> dict[str, dict[str, Sensitivity]]:
        """What matters: of every measure, by input; of a campaign with factors, by factor: of the same samples with its values."""
        if self._answered()["combinations"][0]["values"]:
            factors = self._answered()["factors"]
            return {name: {k: Sensitivity(*s) for k, s in of.items()} for name, of in factors.items()}
        return {name: measure.sensitivity for name, measure in self.statistics.items()}

    @property
    def not_packed(self) -> str:
        """Why the flights were flown one by one, or empty."""
        return self._answered()["not_packed"]

    def worst(self, measure: str) -> list[int]:
        """The flights that are worst by a measure, as its requirement says; without one, those with the largest numbers."""
        return self._answered()["worst"][measure]

    def _answered(self) -> dict[str, typing.Any]:
        if self._answers is None:
            self._answers = _gyrostat.campaign_answers(self._open_file.path)
        return self._answers

    # --- again -------------------------------------------------------------------------------------------------------

    def campaign(self, measures: typing.Mapping[str, MeasureFunction] | None = None) -> Campaign:
        """The campaign, with the model that is stored in the file; `measures` are the functions of computed ones."""
        from ._campaign import Campaign

        return Campaign.of_results(self.path, measures)

    def replay(self, flight: int, output: Path | None = None, force: bool = False, allow_plugins: bool = False) -> Results:
        """One flight again, with the same bits, recorded like any run."""
        return self.campaign().replay(flight, output, force, allow_plugins)

    # --- in other forms ----------------------------------------------------------------------------------------------

    def to_pandas(self) -> typing.Any:
        """A pandas.DataFrame with a row for each flight: inputs, measures, failed, end_time, steps."""
        pandas = needed("pandas", "to_pandas")
        columns = {f"{group}/{name}": numbers for group, of in (("inputs", self.inputs), ("measures", self.measures)) for name, numbers in of.items()}
        more = {"failed": self.failed, "end_time": self.end_time, "steps": self.steps}
        return pandas.DataFrame({**columns, **more}, index=pandas.Index(self.flights, name="flight"))

    def plot(self, measure: str, against: str | None = None, ax: typing.Any = None, bins: int = 40) -> typing.Any:
        """Draws a measure by matplotlib: its histogram, or points over an input; returns the axes."""
        values, unit = self.measures[measure], self.units[f"measures/{measure}"]
        over = None if against is None else self.inputs[against]
        if ax is None:
            ax = needed("matplotlib.pyplot", "plot").figure().add_subplot()
        label = f"{measure} [{unit}]" if unit else measure
        if over is None:
            ax.hist(values[np.isfinite(values)], bins=bins)
            ax.set_xlabel(label)
            ax.set_ylabel("flights")
        else:
            of = self.units[f"inputs/{against}"]
            ax.scatter(over, values, s=4)
            ax.set_xlabel(f"{against} [{of}]" if of else str(against))
            ax.set_ylabel(label)
        return ax

    def __len__(self) -> int:
        """How many flights have ended."""
        return len(self._order)

    def __repr__(self) -> str:
        if self._file is None:
            return "<gyrostat.CampaignResults, closed>"
        return (
            f"<gyrostat.CampaignResults: {len(self)} of {self.count} flights, {int(self.failed.sum())} failed, "
            f"{self.status}>"
        )

    def __reduce__(self) -> typing.NoReturn:
        raise TypeError("gyrostat.CampaignResults cannot be pickled: pass its path, and call gyrostat.open_campaign there")


def _statistics_of(fields: dict[str, typing.Any]) -> MeasureStatistics:
    percentiles = [Percentile(*p) for p in fields["percentiles"]]
    sensitivity = {name: Sensitivity(*s) for name, s in fields["sensitivity"].items()}
    return MeasureStatistics(**{**fields, "percentiles": percentiles, "sensitivity": sensitivity})


def _combination_of(fields: dict[str, typing.Any]) -> Combination:
    statistics = {name: _statistics_of(of) for name, of in fields["statistics"].items()}
    requirements = [Requirement(*r) for r in fields["requirements"]]
    return Combination(**{**fields, "statistics": statistics, "requirements": requirements})


def _not_of_this_kind(path: Path) -> Exception:
    from ._errors import ResultsError

    return ResultsError(f"{os.fspath(path)}: has the results of a run, not of a campaign; open it by gyrostat.open")


def open_campaign(path: Path) -> CampaignResults:
    """Opens the file of a campaign, also of one that still goes on. Numbers are read when they are asked for."""
    return CampaignResults(path)
