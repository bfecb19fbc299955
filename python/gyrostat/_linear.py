"""Linear models of a closed loop about an operating point."""

from __future__ import annotations

import dataclasses
import typing

import numpy as np

from ._optional import needed
from ._results import Column


@dataclasses.dataclass(frozen=True)
class LinearModel:
    """x' = A x + B v, y = C x + D v; with a period, x(k+1) = A x(k) + B v(k). All are perturbations."""

    A: np.ndarray
    B: np.ndarray
    C: np.ndarray
    D: np.ndarray
    states: list[Column]
    inputs: list[Column]
    outputs: list[Column]
    period: float  #: [s]; 0: continuous time
    time: float  #: of the operating point [s]
    q: np.ndarray  #: coordinates there
    u: np.ndarray  #: speeds there
    notes: list[str]

    @property
    def state_names(self) -> list[str]:
        """The names of the states."""
        return [x.name for x in self.states]

    @property
    def input_names(self) -> list[str]:
        """The names of the inputs."""
        return [v.name for v in self.inputs]

    @property
    def output_names(self) -> list[str]:
        """The names of the outputs."""
        return [y.name for y in self.outputs]

    def eigenvalues(self) -> np.ndarray:
        """Those of A, in the order of their frequencies."""
        values = np.linalg.eigvals(self.A)
        return values[np.lexsort((values.imag, values.real, np.abs(values)))]

    def to_scipy(self) -> typing.Any:
        """The same as scipy.signal.StateSpace."""
        signal = needed("scipy.signal", "to_scipy")
        time = {"dt": self.period} if self.period else {}
        return signal.StateSpace(self.A, self.B, self.C, self.D, **time)

    def to_control(self) -> typing.Any:
        """The same as control.StateSpace of python-control, with names."""
        control = needed("control", "to_control")
        names = {"states": self.state_names, "inputs": self.input_names, "outputs": self.output_names}
        arguments = [self.A, self.B, self.C, self.D] + ([self.period] if self.period else [])
        return control.ss(*arguments, **names)


def linear_of(fields: dict[str, typing.Any]) -> LinearModel:
    """A linear model from the fields that the compiled part tells."""
    lists = {key: [Column(*v) for v in fields[key]] for key in ("states", "inputs", "outputs")}
    return LinearModel(**{**fields, **lists})
