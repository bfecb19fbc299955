"""Gyrostat: attitude dynamics of spacecraft made of many bodies.

    import gyrostat

    model = gyrostat.Model.load("five_body.yaml", parameters={"deadband": "4 mrad"})
    results = model.simulate(until=60)
    results["bus.omega_x"], results.time, results.units["bus.omega_x"]

All numbers are in SI units. What is wrong with a model is a ModelError, with file, line and column.
"""

from ._campaign import Campaign, Flight, Measure, Progress
from ._campaign_results import (
    Combination,
    CampaignResults,
    Failure,
    MeasureStatistics,
    Percentile,
    Requirement,
    Sensitivity,
    open_campaign,
)
from ._errors import (
    AnalysisError,
    CampaignError,
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
    "Campaign",
    "CampaignError",
    "CampaignResults",
    "Check",
    "Column",
    "Combination",
    "Entry",
    "Event",
    "Failure",
    "Flight",
    "GyrostatError",
    "Ledger",
    "LedgerLine",
    "LinearModel",
    "Measure",
    "MeasureStatistics",
    "Model",
    "ModelError",
    "Percentile",
    "Problem",
    "Progress",
    "ReportError",
    "Requirement",
    "Results",
    "ResultsError",
    "Sensitivity",
    "SettingsError",
    "Simulation",
    "SimulationError",
    "View",
    "__version__",
    "formulations",
    "methods",
    "open",
    "open_campaign",
    "resume",
]
