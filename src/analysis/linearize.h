// The exact first-order model of a closed loop about an operating point, by dual numbers through the plant. Numbers in
// comments are the equations of docs/theory/linear_model.md.
#pragma once

#include <map>

#include "gyrostat/analysis/linear_model.h"
#include "gyrostat/analysis/operating_point.h"

namespace gyrostat {

struct LinearizeSettings {
  std::vector<std::string> inputs, outputs;  // names, as find_input and find_output take them
  std::vector<std::string> open;             // signals at which loops are opened: inputs, and outputs of the same name
  bool keep_idle_states = false;             // of signals that nothing follows
  std::map<std::string, double> gains;       // by signal: what stands for its block
  std::map<std::string, double> amplitudes;  // by signal of a switching amplifier: of its input, for the describing
                                             // function that stands for it
};

/// Throws AnalysisError: for names that do not exist, for switches that have no derivative, for a singular operating
/// point.
LinearModel linearize(const Model& model, const OperatingPoint& point, const LinearizeSettings& settings);

}  // namespace gyrostat
