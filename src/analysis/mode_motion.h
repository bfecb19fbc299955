// How bodies, flexible deformations and wheels move in a mode, about the operating point.
#pragma once

#include "gyrostat/analysis/linear_model.h"

namespace gyrostat {

/// Small displacements from the operating point. Of a mode they are complex: at time t the real part of what is here
/// times exp(lambda t).
struct ModeMotion {
  std::vector<Eigen::Vector3cd> translation;  // by body and the world: of its frame's origin, world axes [m]
  std::vector<Eigen::Vector3cd> rotation;     // by body and the world: rotation vector, world axes [rad]
  Eigen::VectorXcd coordinates;               // by speed of the system: what its coordinate changes by
};

class ModeMotions {
 public:
  /// Throws AnalysisError where the linear model is of a system with other coordinates.
  ModeMotions(const System& system, const LinearModel& linear);

  /// Of the first states of the linear model, which are its coordinates.
  [[nodiscard]] ModeMotion of(const Eigen::VectorXcd& coordinates) const;

 private:
  Eigen::MatrixXd basis_;          // by speed of the system and coordinate of the linear model
  Eigen::MatrixXd by_coordinate_;  // six rows for each body and the world: rotation, translation
};

}  // namespace gyrostat
