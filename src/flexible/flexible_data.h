// The data of a flexible body: nodes with mass and mode shapes, and its modal matrices. All in the body's axes, SI.
//
// A node's displacement and rotation vector are polynomials of the modal coordinates eta, of second order:
//   r = position + translation eta + 1/2 eta' translation2 eta,    R = exp([theta]x),
//   theta = rotation eta + 1/2 eta' rotation2 eta.
// Where strains are linear in eta, the second-order terms are what loads stiffen or soften the body by.
#pragma once

#include <limits>
#include <string>
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

struct FlexibleData {
  static constexpr std::size_t floating = std::numeric_limits<std::size_t>::max();

  std::vector<FlexibleNode> nodes;
  Eigen::MatrixXd mass, stiffness, damping;  // modal; of a finished body mass is the unit matrix
  std::size_t frame_node = floating;         // the node at which all shapes vanish; floating: there is none
  bool second_order = false;                 // nodes have second-order shapes

  [[nodiscard]] std::size_t modes() const { return static_cast<std::size_t>(stiffness.rows()); }
};

}  // namespace gyrostat
