"""Gyrostat: attitude dynamics of spacecraft made of many bodies.

    import gyrostat

    model = gyrostat.Model.load("five_body.yaml", parameters={"deadband": "4 mrad"})
    results = model.simulate(until=60)
    results["bus.omega_x"], results.time, results.units["bus.omega_x"]

All numbers are in SI units. What is wrong with a model is a ModelError, with file, line and column.
"""

from ._errors import (
    AnalysisError,
    GyrostatError,
    ModelError,
    Problem,
    ReportError,
    ResultsError,
    SettingsError,
    SimulationError,
)
from ._gyrostat import Simulation, __version__, formulations, methods
from ._linear import LinearModel
from ._model import Batch, Check, Entry, Model
from ._results import Column, Event, Ledger, LedgerLine, Results, View, open, resume

__all__ = [
    "AnalysisError",
    "Batch",
    "Check",
    "Column",
    "Entry",
    "Event",
    "GyrostatError",
    "Ledger",
    "LedgerLine",
    "LinearModel",
    "Model",
    "ModelError",
    "Problem",
    "ReportError",
    "Results",
    "ResultsError",
    "SettingsError",
    "Simulation",
    "SimulationError",
    "View",
    "__version__",
    "formulations",
    "methods",
    "open",
    "resume",
]
