// Flexible bodies seen from a frame at another of their nodes.
#pragma once

#include "gyrostat/flexible/flexible_data.h"

namespace gyrostat {

/// The same deformations seen from a frame that follows a node: the frame is the body's frame at zero deformation and
/// moves rigidly with the node. Exact up to second order in the modal coordinates if the data have second-order shapes.
/// The modal mass is that of the nodes, and the modes are combined so that it is the unit matrix and the stiffness
/// diagonal and ascending; of the old modes in a new one the stiffest part is positive.
///
/// Throws std::invalid_argument if there is no such node, if the stiffness is not positive definite, or if modes move
/// no mass when they are seen from this node.
FlexibleData referenced_to(const FlexibleData& data, std::size_t node);

/// The data in other modal coordinates: eta = combination * new eta.
FlexibleData combined_modes(const FlexibleData& data, const Eigen::MatrixXd& combination);

}  // namespace gyrostat
