// Kane's equations, written to be read: partial velocities of every body, the dynamic matrix as a sum over bodies,
// Gaussian elimination. Numbers in comments are the equations of docs/theory/kane.md.
#pragma once

#include <Eigen/Core>

#include "gyrostat/dynamics/closures.h"
#include "gyrostat/dynamics/kinematics.h"

namespace gyrostat {

/// The formulation has no constants beside the mechanism. Which speeds are free is asked in every evaluation.
struct Kane {};

struct KaneData {
  using Partials = Eigen::Matrix<double, 3, Eigen::Dynamic>;  // a column for each speed
  std::vector<Partials> omega, v;                             // by body: of its angular velocity, of its base point
  Partials at_com, times_inertia;                             // of the mass centre of the body at hand; J omega
  Eigen::MatrixXd matrix;                                     // of all speeds
  Eigen::VectorXd right;                                      // of all speeds
  std::vector<std::uint32_t> free;                            // speeds that the equations of motion decide
  Eigen::MatrixXd free_matrix;  // of as many of its rows and columns as there are free speeds
  Eigen::VectorXd free_right;
  Eigen::MatrixXd J;  // of the rows that are kept, by speed

  explicit KaneData(const Mechanism& mechanism);
};

/// Derivatives of all speeds. `kinematics` holds the outward pass at this state without given derivatives.
void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, KaneData& workspace, double* udot);

/// The same under constraints.
void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, Closures<double>& closures, KaneData& workspace, double* udot);

}  // namespace gyrostat
