// The state about which a model is linearised, with what its signals remember there.
#pragma once

#include "gyrostat/simulate/simulation.h"

namespace gyrostat {

struct OperatingPoint {
  double t = 0;  // [s]
  Eigen::VectorXd y;
  DiscreteState discrete;
};

/// At t = 0: the model's initial state, or another. Throws AnalysisError where signals or accelerations are not finite.
OperatingPoint initial_point(const Model& model, const std::optional<State>& state = std::nullopt);

/// Evaluates the signals with this discrete state, but every switch where its guard or the clock says.
void set_by_guards(PlantRun& run, double t, const double* y, DiscreteState& discrete);

/// Delays and samples give what they take, as in a motion that has been steady for long; signals are evaluated so.
void set_channels_steady(PlantRun& run, double t, const double* y);

/// Where the model is at t, simulated as its file says. Throws AnalysisError if the run does not come so far.
OperatingPoint point_at(const Model& model, double t);

}  // namespace gyrostat
