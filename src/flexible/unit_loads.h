// Geometric stiffness by unit load cases, as Wallrapp's Standard Input Data have it, in place of second-order shapes.
//
// With the acceleration a of the body's origin, the angular acceleration al and the angular velocity w of its frame,
// and forces F at nodes, all in body axes, the modal force is
//   -(sum_j a_j K_t,j + sum_j al_j K_r,j + sum_k W_k K_w,k + sum_j F_j K_F,j) eta,
//   W = (wx^2, wy^2, wz^2, wx wy, wx wz, wy wz).
// Each product of W occurs once: K_w of wx wy is the whole coefficient of wx wy, not half of it. Gravity g acts as the
// acceleration -g. Stretching loads have K that are positive semidefinite times the load.
#pragma once

#include <array>
#include <vector>

#include "gyrostat/flexible/flexible_data.h"

namespace gyrostat {

/// K_F of a node: for forces along x, y, z; symmetric, m x m.
using ForceStiffness = std::array<Eigen::MatrixXd, 3>;

/// The data with this geometric stiffness. `forces` has K_F of each node; the second-order displacement of nodes
/// becomes -K_F, their second-order rotation zero: torques at nodes stiffen nothing.
///
/// Throws std::invalid_argument if the data have second-order shapes already (either is enough, both together would
/// count it twice), or if sizes differ.
FlexibleData with_unit_loads(const FlexibleData& data, const UnitLoads& loads,
                             const std::vector<ForceStiffness>& forces);

/// The load cases of a body that has second-order shapes: the inertia forces of unit accelerations and products of
/// angular velocity, applied to its nodes.
UnitLoads unit_loads_of(const FlexibleData& data);

/// K_F of a node that has second-order shapes.
ForceStiffness force_stiffness(const FlexibleNode& node);

/// Symmetric m x m matrices of the three components of pairs, and pairs of them (of the mean of elements a b and b a).
std::array<Eigen::MatrixXd, 3> squares_of(const Eigen::Matrix3Xd& pairs, std::size_t modes);
Eigen::Matrix3Xd pairs_of(const std::array<Eigen::MatrixXd, 3>& squares);

}  // namespace gyrostat
