// Loops of a linear model that are closed again.
#pragma once

#include "gyrostat/analysis/linear_model.h"

namespace gyrostat {

/// The model with the loops at these signals, which are among `opened`, closed: what computes a signal is what reads
/// it. Inputs and outputs of these signals are no longer there; the second-order form is not kept. Throws AnalysisError
/// where the loops are algebraic and have no solution.
LinearModel close_loops(const LinearModel& model, const std::vector<std::string>& signals);

}  // namespace gyrostat
