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
/// no mass when they are seen from this node, or if the data have geometric stiffness by unit loads or
/// modal integrals of mass that is not at nodes.
FlexibleData referenced_to(const FlexibleData& data, std::size_t node);

/// The modes combined so that the modal mass is the unit matrix and the stiffness diagonal and ascending.
struct Orthonormal {
  FlexibleData data;         // if no mode is massless
  std::size_t massless = 0;  // combinations of modes for which `data.mass` is zero to rounding
};

/// Throws std::invalid_argument if the stiffness is not positive definite.
Orthonormal orthonormal_modes(const FlexibleData& data);

/// The modal mass that masses and inertias at nodes give.
Eigen::MatrixXd node_modal_mass(const FlexibleData& data);

/// The data in other modal coordinates: eta = combination * new eta.
FlexibleData combined_modes(const FlexibleData& data, const Eigen::MatrixXd& combination);

}  // namespace gyrostat
