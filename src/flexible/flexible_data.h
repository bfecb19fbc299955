// The data of a flexible body: nodes with mass and mode shapes, and its modal matrices. All in the body's axes, SI.
//
// A node's displacement and rotation vector are polynomials of the modal coordinates eta, of second order:
//   r = position + translation eta + 1/2 eta' translation2 eta,    R = exp([theta]x),
//   theta = rotation eta + 1/2 eta' rotation2 eta.
// Where strains are linear in eta, the second-order terms are what loads stiffen or soften the body by.
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Core>

#include "gyrostat/math/rotation.h"

namespace gyrostat {

/// Place of the pair (a, b) among (0,0) (1,0) (1,1) (2,0) ...
constexpr std::size_t pair_index(std::size_t a, std::size_t b) {
  return a < b ? b * (b + 1) / 2 + a : a * (a + 1) / 2 + b;
}
constexpr std::size_t pair_count(std::size_t modes) { return modes * (modes + 1) / 2; }

struct NodeShape {
  Eigen::Matrix3Xd translation, rotation;    // one column for each mode [m, rad per unit of eta]
  Eigen::Matrix3Xd translation2, rotation2;  // one column for each pair of modes (pair_index), or none
};

struct FlexibleNode {
  std::string name;                    // empty: nothing attaches to it
  Vector3 position = Vector3::Zero();  // undeformed, from the body's origin [m]
  double mass = 0;                     // [kg]
  Matrix3 inertia = Matrix3::Zero();   // about the node [kg m^2]
  NodeShape shape;
};

/// Geometric stiffness for unit loads of the frame: symmetric m x m matrices. What they mean is in unit_loads.h.
struct UnitLoads {
  /// The products of angular velocity that `spin` belongs to.
  static constexpr std::array<std::pair<int, int>, 6> products = {{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}};

  std::array<Eigen::MatrixXd, 3> acceleration, angular_acceleration;  // K_t, K_r: along, about x, y, z
  std::array<Eigen::MatrixXd, 6> spin;                                // K_w: xx, yy, zz, xy, xz, yz
};

/// Integrals over mass that is not at nodes, with displacements phi = sum_a phi_a eta_a of points c from the body's
/// origin, body axes; as 42's files give them. The undeformed mass itself is that of the nodes.
struct MassIntegrals {
  Eigen::Matrix3Xd momentum, angular_momentum;  // of phi_a, of c x phi_a; by mode
  std::vector<Matrix3> first;                   // of c phi_a'; by mode
  std::vector<Matrix3> second;                  // of phi_a phi_b'; by a m + b
};

struct FlexibleData {
  static constexpr std::size_t floating = std::numeric_limits<std::size_t>::max();

  std::vector<FlexibleNode> nodes;
  Eigen::MatrixXd mass, stiffness, damping;  // modal; of a finished body mass is the unit matrix
  std::size_t frame_node = floating;         // the node at which all shapes vanish; floating: there is none
  bool second_order = false;                 // nodes have second-order shapes
  /// If present, sums over the nodes' second-order shapes are not taken but follow from these; the shapes then say what
  /// forces at nodes do.
  std::optional<UnitLoads> unit_loads;
  std::optional<MassIntegrals> integrals;  // in addition to the sums over nodes

  [[nodiscard]] std::size_t modes() const { return static_cast<std::size_t>(stiffness.rows()); }
};

}  // namespace gyrostat
