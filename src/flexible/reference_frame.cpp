#include "gyrostat/flexible/reference_frame.h"

#include <stdexcept>

#include <Eigen/Cholesky>
#include <Eigen/Geometry>
#include <fmt/format.h>

#include "gyrostat/flexible/normal_modes.h"

namespace gyrostat {

namespace {

/// With d = c - c0 and delta = translation - translation0, of r' = c0 + R0' (r - r0) and R' = R0' R, R0 = exp(theta0):
///   translation' = delta - psi0 x d,   rotation' = psi - psi0,
///   G'_ab = G - G0 - psi0_a x delta_b - psi0_b x delta_a + 1/2 (psi0_a x (psi0_b x d) + psi0_b x (psi0_a x d)) - H0 x
///   d, H'_ab = H - H0 - 1/2 (psi0_a x psi_b + psi0_b x psi_a).
NodeShape seen_from(const FlexibleNode& origin, const FlexibleNode& node, bool second_order) {
  const NodeShape &from = origin.shape, &shape = node.shape;
  const Vector3 d = node.position - origin.position;
  const Eigen::Matrix3Xd delta = shape.translation - from.translation;
  NodeShape seen;
  seen.translation = delta + skew(d) * from.rotation;
  seen.rotation = shape.rotation - from.rotation;
  if (!second_order) return seen;
  seen.translation2 = shape.translation2 - from.translation2 + skew(d) * from.rotation2;
  seen.rotation2 = shape.rotation2 - from.rotation2;
  for (Eigen::Index a = 0; a < delta.cols(); ++a) {
    const Vector3 psi_a = from.rotation.col(a), delta_a = delta.col(a), rotation_a = shape.rotation.col(a);
    for (Eigen::Index b = 0; b <= a; ++b) {
      const Vector3 psi_b = from.rotation.col(b), delta_b = delta.col(b), rotation_b = shape.rotation.col(b);
      const auto pair = static_cast<Eigen::Index>(pair_index(static_cast<std::size_t>(a), static_cast<std::size_t>(b)));
      seen.translation2.col(pair) += 0.5 * (psi_a.cross(psi_b.cross(d)) + psi_b.cross(psi_a.cross(d))) -
                                     psi_a.cross(delta_b) - psi_b.cross(delta_a);
      seen.rotation2.col(pair) -= 0.5 * (psi_a.cross(rotation_b) + psi_b.cross(rotation_a));
    }
  }
  return seen;
}

/// Second derivatives by other modal coordinates.
Eigen::Matrix3Xd combined_pairs(const Eigen::Matrix3Xd& pairs, const Eigen::MatrixXd& combination) {
  const Eigen::Index modes = combination.rows(), count = combination.cols();
  const auto place = [](Eigen::Index a, Eigen::Index b) {
    return static_cast<Eigen::Index>(pair_index(static_cast<std::size_t>(a), static_cast<std::size_t>(b)));
  };
  Eigen::Matrix3Xd result(3, place(count - 1, count - 1) + 1);
  for (Eigen::Index component = 0; component < 3; ++component) {
    Eigen::MatrixXd G(modes, modes);
    for (Eigen::Index a = 0; a < modes; ++a) {
      for (Eigen::Index b = 0; b < modes; ++b) G(a, b) = pairs(component, place(a, b));
    }
    const Eigen::MatrixXd by_new = combination.transpose() * G * combination;
    for (Eigen::Index a = 0; a < count; ++a) {
      for (Eigen::Index b = 0; b <= a; ++b) result(component, place(a, b)) = by_new(a, b);
    }
  }
  return result;
}

MassIntegrals combined_integrals(const MassIntegrals& given, const Eigen::MatrixXd& combination) {
  const Eigen::Index modes = combination.rows(), count = combination.cols();
  MassIntegrals result{given.momentum * combination, given.angular_momentum * combination, {}, {}};
  std::vector<Matrix3> half(static_cast<std::size_t>(modes * count), Matrix3::Zero());  // by a count + new b
  for (Eigen::Index b = 0; b < count; ++b) {
    Matrix3 first = Matrix3::Zero();
    for (Eigen::Index k = 0; k < modes; ++k) {
      first += combination(k, b) * given.first[static_cast<std::size_t>(k)];
      for (Eigen::Index a = 0; a < modes; ++a) {
        half[static_cast<std::size_t>(a * count + b)] +=
            combination(k, b) * given.second[static_cast<std::size_t>(a * modes + k)];
      }
    }
    result.first.push_back(first);
  }
  for (Eigen::Index a = 0; a < count; ++a) {
    for (Eigen::Index b = 0; b < count; ++b) {
      Matrix3 second = Matrix3::Zero();
      for (Eigen::Index k = 0; k < modes; ++k) {
        second += combination(k, a) * half[static_cast<std::size_t>(k * count + b)];
      }
      result.second.push_back(second);
    }
  }
  return result;
}

}  // namespace

Eigen::MatrixXd node_modal_mass(const FlexibleData& data) {
  const auto modes = static_cast<Eigen::Index>(data.modes());
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(modes, modes);
  for (const FlexibleNode& node : data.nodes) {
    const NodeShape& shape = node.shape;
    mass += node.mass * shape.translation.transpose() * shape.translation +
            shape.rotation.transpose() * node.inertia * shape.rotation;
  }
  return mass;
}

FlexibleData combined_modes(const FlexibleData& data, const Eigen::MatrixXd& combination) {
  FlexibleData result = data;
  result.mass = combination.transpose() * data.mass * combination;
  result.stiffness = combination.transpose() * data.stiffness * combination;
  result.damping = combination.transpose() * data.damping * combination;
  for (FlexibleNode& node : result.nodes) {
    NodeShape& shape = node.shape;
    shape.translation = (shape.translation * combination).eval();
    shape.rotation = (shape.rotation * combination).eval();
    if (!data.second_order) continue;
    shape.translation2 = combined_pairs(shape.translation2, combination);
    shape.rotation2 = combined_pairs(shape.rotation2, combination);
  }
  if (result.unit_loads) {
    const auto combine = [&](auto& list) {
      for (Eigen::MatrixXd& K : list) K = (combination.transpose() * K * combination).eval();
    };
    combine(result.unit_loads->acceleration);
    combine(result.unit_loads->angular_acceleration);
    combine(result.unit_loads->spin);
  }
  if (result.integrals) result.integrals = combined_integrals(*data.integrals, combination);
  return result;
}

Orthonormal orthonormal_modes(const FlexibleData& data) {
  const Eigen::LLT<Eigen::MatrixXd> root(data.stiffness);
  if (root.info() != Eigen::Success) {
    throw std::invalid_argument("the stiffness of a flexible body is not positive definite");
  }
  const Eigen::MatrixXd E = root.matrixU();
  const NormalModes modes = normal_modes_by_set(E, data.mass, E.diagonal());
  if (modes.massless > 0) return {{}, modes.massless};
  Orthonormal made{combined_modes(data, modes.shapes), 0};
  made.data.mass.setIdentity();
  made.data.stiffness = modes.stiffness.asDiagonal();
  return made;
}

FlexibleData referenced_to(const FlexibleData& data, std::size_t node) {
  if (node >= data.nodes.size()) {
    throw std::invalid_argument(
        fmt::format("node {} of a flexible body is wanted, it has {}", node, data.nodes.size()));
  }
  if (data.unit_loads) {
    throw std::invalid_argument(
        fmt::format("geometric stiffness by unit loads belongs to the frame in which it was computed; it is not known "
                    "in one at node '{}'",
                    data.nodes[node].name));
  }
  if (data.integrals) {
    throw std::invalid_argument(
        fmt::format("modal integrals without masses at nodes belong to the frame in which they were computed; they are "
                    "not known in one at node '{}'",
                    data.nodes[node].name));
  }
  FlexibleData seen = data;
  for (FlexibleNode& other : seen.nodes) other.shape = seen_from(data.nodes[node], other, data.second_order);
  seen.frame_node = node;
  seen.mass = node_modal_mass(seen);
  if (Eigen::LLT<Eigen::MatrixXd>(seen.stiffness).info() != Eigen::Success) {
    throw std::invalid_argument(
        "a flexible body is wanted in another frame, but its stiffness is not positive definite");
  }
  const Orthonormal made = orthonormal_modes(seen);
  if (made.massless > 0) {
    throw std::invalid_argument(
        fmt::format("{} of {} modes of a flexible body move no mass when they are seen from node '{}'", made.massless,
                    data.modes(), data.nodes[node].name));
  }
  return made.data;
}

}  // namespace gyrostat
