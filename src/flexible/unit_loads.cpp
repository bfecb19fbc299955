#include "gyrostat/flexible/unit_loads.h"

#include <stdexcept>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace gyrostat {

namespace {

bool square_of_size(const Eigen::MatrixXd& matrix, std::size_t modes) {
  return matrix.rows() == static_cast<Eigen::Index>(modes) && matrix.cols() == matrix.rows();
}

template <std::size_t N>
void check_sizes(const std::array<Eigen::MatrixXd, N>& list, std::size_t modes, std::string_view what) {
  for (const Eigen::MatrixXd& matrix : list) {
    if (square_of_size(matrix, modes)) continue;
    throw std::invalid_argument(fmt::format("geometric stiffness for {} is {} x {}, the body has {} modes", what,
                                            matrix.rows(), matrix.cols(), modes));
  }
}

/// Second derivative of w x (w x c) by w_i and w_j; half of it for i = j, so that it belongs to the product w_i w_j.
Vector3 centripetal(const Vector3& c, Eigen::Index i, Eigen::Index j) {
  const Vector3 e = Vector3::Unit(i), f = Vector3::Unit(j);
  const Vector3 once = e.cross(f.cross(c));
  return i == j ? once : Vector3(once + f.cross(e.cross(c)));
}

/// The same of w x I w.
Vector3 gyroscopic(const Matrix3& I, Eigen::Index i, Eigen::Index j) {
  const Vector3 e = Vector3::Unit(i), f = Vector3::Unit(j);
  const Vector3 once = e.cross(I * f);
  return i == j ? once : Vector3(once + f.cross(I * e));
}

}  // namespace

std::array<Eigen::MatrixXd, 3> squares_of(const Eigen::Matrix3Xd& pairs, std::size_t modes) {
  const auto m = static_cast<Eigen::Index>(modes);
  std::array<Eigen::MatrixXd, 3> squares;
  for (std::size_t k = 0; k < 3; ++k) {
    squares[k].resize(m, m);
    for (std::size_t a = 0; a < modes; ++a) {
      for (std::size_t b = 0; b < modes; ++b) {
        squares[k](static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) =
            pairs(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(pair_index(a, b)));
      }
    }
  }
  return squares;
}

Eigen::Matrix3Xd pairs_of(const std::array<Eigen::MatrixXd, 3>& squares) {
  const Eigen::Index modes = squares[0].rows();
  Eigen::Matrix3Xd pairs(3, modes * (modes + 1) / 2);
  for (std::size_t k = 0; k < 3; ++k) {
    Eigen::Index pair = 0;
    for (Eigen::Index a = 0; a < modes; ++a) {
      for (Eigen::Index b = 0; b <= a; ++b) {
        pairs(static_cast<Eigen::Index>(k), pair++) = 0.5 * (squares[k](a, b) + squares[k](b, a));
      }
    }
  }
  return pairs;
}

FlexibleData with_unit_loads(const FlexibleData& data, const UnitLoads& loads,
                             const std::vector<ForceStiffness>& forces) {
  if (data.second_order) {
    throw std::invalid_argument(
        "the data have second-order shapes already; geometric stiffness by unit loads would count it twice");
  }
  if (forces.size() != data.nodes.size()) {
    throw std::invalid_argument(
        fmt::format("geometric stiffness for forces at {} nodes, the body has {}", forces.size(), data.nodes.size()));
  }
  const std::size_t modes = data.modes();
  check_sizes(loads.acceleration, modes, "accelerations");
  check_sizes(loads.angular_acceleration, modes, "angular accelerations");
  check_sizes(loads.spin, modes, "products of angular velocity");
  FlexibleData result = data;
  for (std::size_t i = 0; i < forces.size(); ++i) {
    check_sizes(forces[i], modes, fmt::format("forces at node {}", i));
    NodeShape& shape = result.nodes[i].shape;
    shape.translation2 = -pairs_of(forces[i]);
    shape.rotation2.setZero(3, static_cast<Eigen::Index>(pair_count(modes)));
  }
  result.unit_loads = loads;
  result.second_order = true;
  return result;
}

UnitLoads unit_loads_of(const FlexibleData& data) {
  if (data.unit_loads || !data.second_order) return data.unit_loads.value_or(UnitLoads());
  const auto pairs = static_cast<Eigen::Index>(pair_count(data.modes()));
  Eigen::Matrix3Xd acceleration = Eigen::Matrix3Xd::Zero(3, pairs), angular = acceleration;
  std::array<Eigen::Matrix3Xd, 2> spin = {acceleration, acceleration};
  for (const FlexibleNode& node : data.nodes) {
    const Vector3& c = node.position;
    const Eigen::Matrix3Xd &G = node.shape.translation2, &H = node.shape.rotation2;
    acceleration += node.mass * G;
    angular += node.mass * skew(c) * G + node.inertia * H;
    for (std::size_t k = 0; k < 6; ++k) {
      const auto [i, j] = UnitLoads::products[k];
      spin[k / 3].row(static_cast<Eigen::Index>(k % 3)) +=
          node.mass * centripetal(c, i, j).transpose() * G + gyroscopic(node.inertia, i, j).transpose() * H;
    }
  }
  UnitLoads loads;
  loads.acceleration = squares_of(acceleration, data.modes());
  loads.angular_acceleration = squares_of(angular, data.modes());
  for (std::size_t k = 0; k < 6; ++k) loads.spin[k] = squares_of(spin[k / 3], data.modes())[k % 3];
  return loads;
}

ForceStiffness force_stiffness(const FlexibleNode& node) {
  return squares_of(-node.shape.translation2, static_cast<std::size_t>(node.shape.translation.cols()));
}

}  // namespace gyrostat
