// How a system moves, from the model alone: poses of the format written out again (reference.h), the joints' subspaces,
// and differences. Nothing of the dynamics is used.
#pragma once

#include <cmath>
#include <vector>

#include "gyrostat/model/system.h"

#include "support/reference.h"

namespace gyrostat::testing {

/// Coordinates after a time t at constant speeds.
inline Eigen::VectorXd coordinates_after(const System& system, Eigen::VectorXd q, const Eigen::VectorXd& u, double t) {
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (!has_quaternion(joint.type)) {
      q.segment(joint.q, joint.nq) += t * u.segment(joint.u, joint.nu);
      continue;
    }
    const bool free = joint.type == JointType::free;
    if (free) q.segment<3>(joint.q) += t * u.segment<3>(joint.u + 3);
    const Vector3 turn = t * u.segment<3>(joint.u);  // in the child's axes: it stands on the right
    const double angle = turn.norm();
    Eigen::Vector4d step(std::cos(angle / 2), 0, 0, 0);
    if (angle > 0) step.tail<3>() = std::sin(angle / 2) / angle * turn;
    const std::uint32_t at = joint.q + (free ? 3U : 0U);
    q.segment<4>(at) = quaternion_product(q.segment<4>(at), step);
  }
  for (const Wheel& wheel : system.wheels) q[wheel.q] += t * u[wheel.u];
  return q;
}

/// X_NB of every body by the format's own words. `description` is that of the system.
inline std::vector<Pose> reference_poses(const System& system, const Description& description,
                                         const Eigen::VectorXd& q) {
  Coordinates coordinates;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    coordinates[joint.name].assign(q.data() + joint.q, q.data() + joint.q + joint.nq);
  }
  const auto named = reference_poses(description, coordinates);
  std::vector<Pose> list;
  for (const Body& body : system.bodies) list.push_back(named.at(body.name));
  return list;
}

/// The derivative at zero of a smooth function of time, to the fourth order of the step.
template <class Function>
auto rate_of(Function f, double h = 1e-3) {
  using Value = decltype(f(h));
  const Value near = f(h) - f(-h), far = f(2 * h) - f(-2 * h);
  return Value((8 * near - far) / (12 * h));
}

/// Angular velocity of a body, and velocity of its frame's origin, world axes.
struct Velocity {
  Vector3 w = Vector3::Zero(), v = Vector3::Zero();
};

/// Of every body, from the joints' motion subspaces.
inline std::vector<Velocity> velocities(const System& system, const Eigen::VectorXd& q, const Eigen::VectorXd& u) {
  const std::vector<Pose> X_N = body_poses(system, q);
  std::vector<Velocity> list(system.bodies.size());
  for (std::size_t i = 1; i < list.size(); ++i) {
    const Joint& joint = system.joints[i];
    const Velocity& inboard = list[system.parent[i]];
    const Vector6 V = tree_subspace(joint, q.data() + joint.q) * u.segment(joint.u, joint.nu);
    list[i].w = inboard.w + X_N[i].R * V.head<3>();
    list[i].v = inboard.v + inboard.w.cross(X_N[i].p - X_N[system.parent[i]].p) + X_N[i].R * V.tail<3>();
  }
  return list;
}

/// The vector of a skew-symmetric matrix.
inline Vector3 vector_of_skew(const Matrix3& W) {
  return Vector3(W(2, 1) - W(1, 2), W(0, 2) - W(2, 0), W(1, 0) - W(0, 1)) / 2;
}

}  // namespace gyrostat::testing
