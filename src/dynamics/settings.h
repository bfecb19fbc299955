// What a user may choose about the equations of motion beside their formulation.
#pragma once

#include <vector>

#include "gyrostat/model/load.h"

namespace gyrostat {

/// Whose axes vectors are computed in: the world's, or those of the first body of each tree.
enum class ComputingFrame { inertial, body };

struct DynamicsSettings {
  std::vector<bool> gyroscopic;           // by body; false: its torque w x (J w + h) about the mass centre is left out
  Eigen::VectorXd about;                  // coordinates q that linearised formulations are small about
  std::vector<std::uint32_t> linearized;  // joints held small by linear_partial, ascending
  ComputingFrame computing_frame = ComputingFrame::inertial;  // of nested_body

  /// All terms kept, small about the initial configuration, nothing held small, world axes.
  explicit DynamicsSettings(const System& system);

  /// As the model's `simulation` section says.
  explicit DynamicsSettings(const Model& model);
};

}  // namespace gyrostat
