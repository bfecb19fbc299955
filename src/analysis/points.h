// The names of inputs and outputs.
#pragma once

#include <span>

#include "gyrostat/analysis/linear_model.h"
#include "gyrostat/plant/plant.h"

namespace gyrostat {

/// An input or output, by its name.
struct NamedInput {
  InputPoint point;
  LinearVariable variable;
};
struct NamedOutput {
  Expression expression;
  LinearVariable variable;
};

/// A signal, or a force or torque: "command", "block.output", "pan.torque", "bus.rw1.torque", "bus.torque_x",
/// "bus.force_y" at the mass centre, "bus.antenna.force_z"; all of bodies in body axes. Throws AnalysisError.
NamedInput find_input(const Plant& plant, const std::string& name);

/// Any expression of the model file. Throws AnalysisError.
NamedOutput find_output(const Plant& plant, const std::string& text);

}  // namespace gyrostat
