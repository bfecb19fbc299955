"""What goes wrong, as exceptions: with the text and the places that the command line prints."""

from __future__ import annotations

import dataclasses
import typing


@dataclasses.dataclass(frozen=True)
class Problem:
    """Something that is wrong with a model, or may be.

    Line and column count from 1, and are 0 where they are not known.
    """

    severity: str  #: "error" or "warning"
    file: str
    line: int
    column: int
    path: str  #: "joints.pan.axis"
    message: str
    instance: str  #: of a template, which the text belongs to; or empty
    text: str  #: as the command line prints it, with the line and a caret

    def __str__(self) -> str:
        return self.text.rstrip("\n")


class GyrostatError(Exception):
    """The base of all exceptions of this package."""


class _WithProblems(GyrostatError, ValueError):
    problems: list[Problem]

    def __init__(self, text: str, problems: typing.Iterable[typing.Any] = ()) -> None:
        super().__init__(text)
        self.problems = [p if isinstance(p, Problem) else Problem(*p) for p in problems]

    def __str__(self) -> str:
        return str(self.args[0]).rstrip("\n")

    def __reduce__(self) -> typing.Any:
        return (type(self), (self.args[0], self.problems))


class ModelError(_WithProblems):
    """A model is wrong. Its text is what ``gyrostat check`` prints; ``problems`` has the same as data."""


class CampaignError(_WithProblems):
    """A campaign is wrong, or cannot be flown. Its text is what ``gyrostat campaign`` prints; ``problems`` as of models."""


class SimulationError(GyrostatError, RuntimeError):
    """A run could not go on: at which time, and why. ``results`` has what was recorded until then, or is None."""

    time: float
    reason: str
    results: typing.Any

    def __init__(self, text: str, time: float = 0.0, reason: str = "", results: typing.Any = None) -> None:
        super().__init__(text)
        self.time, self.reason, self.results = time, reason, results

    def __reduce__(self) -> typing.Any:
        return (type(self), (self.args[0], self.time, self.reason))


class SettingsError(GyrostatError, ValueError):
    """A run was asked for in a way that is not possible."""


class ResultsError(GyrostatError, OSError):
    """A results file cannot be read or written."""


class ReportError(GyrostatError, OSError):
    """A report cannot be made."""


class AnalysisError(GyrostatError, ValueError):
    """A linear model, or what was asked of it, does not exist."""
