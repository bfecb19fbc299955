// Flexible bodies of random nodes: whatever the shapes are, the equations of motion follow from them.
#pragma once

#include <Eigen/Cholesky>

#include "gyrostat/flexible/modal_integrals.h"

namespace gyrostat::testing {

/// Named nodes n0 (of the frame, where all shapes vanish), n1, n2, and nodes with mass between. Unit modal mass.
/// With mass points, nodes have no inertia.
template <class Random>
FlexibleData random_flexible(Random& random, std::size_t modes, bool second_order = true, bool mass_points = false) {
  FlexibleData data;
  const auto m = static_cast<Eigen::Index>(modes), pairs = static_cast<Eigen::Index>(pair_count(modes));
  const auto columns = [&](Eigen::Index count, double size) {
    Eigen::Matrix3Xd list(3, count);
    for (Eigen::Index k = 0; k < count; ++k) list.col(k) = random.vector(size);
    return list;
  };
  for (std::size_t k = 0; k < 6 + 2 * modes; ++k) {
    FlexibleNode node;
    const bool frame = k == 0, named = k < 3;
    if (named) node.name = "n" + std::to_string(k);
    node.position = frame ? Vector3(Vector3::Zero()) : random.vector();
    if (!named || random.chance(0.3)) {
      node.mass = random.uniform(0.1, 0.6);
      const Vector3 part(random.uniform(0.02, 0.1), random.uniform(0.02, 0.1), random.uniform(0.02, 0.1));
      const Matrix3 R = random.rotation();
      node.inertia = R * Vector3(part.sum() * Vector3::Ones() - part).asDiagonal() * R.transpose();
      node.inertia = (node.inertia + node.inertia.transpose().eval()) / 2;
      if (mass_points) node.inertia.setZero();
    }
    const double size = frame ? 0 : 1;
    node.shape = {columns(m, size), columns(m, size), columns(second_order ? pairs : 0, size),
                  columns(second_order ? pairs : 0, size)};
    data.nodes.push_back(std::move(node));
  }
  data.frame_node = 0;
  data.second_order = second_order;
  data.mass = data.damping = Eigen::MatrixXd::Zero(m, m);
  data.stiffness = Eigen::VectorXd::LinSpaced(m, 10, 50).asDiagonal();
  const Eigen::MatrixXd Me = modal_integrals(data, Vector3::Zero(), FlexibleTerms::linear).Me;
  const Eigen::MatrixXd T = Me.llt().matrixU().solve(Eigen::MatrixXd::Identity(m, m));  // T' Me T = 1
  for (FlexibleNode& node : data.nodes) {
    node.shape.translation = node.shape.translation * T;
    node.shape.rotation = node.shape.rotation * T;
  }
  data.mass.setIdentity();
  return data;
}

}  // namespace gyrostat::testing
