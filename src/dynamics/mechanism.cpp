#include "gyrostat/dynamics/mechanism.h"

#include <algorithm>
#include <cmath>

namespace gyrostat {

namespace {

/// A rotation whose z column is `axis`; the identity where that is z.
Matrix3 frame_with_z(const Vector3& axis) {
  Matrix3 Q = Matrix3::Identity();
  if (axis == Vector3::UnitZ()) return Q;
  int smallest = 0;
  axis.cwiseAbs().minCoeff(&smallest);
  Q.col(2) = axis;
  Q.col(0) = axis.cross(Vector3::Unit(smallest)).normalized();
  Q.col(1) = axis.cross(Q.col(0));
  return Q;
}

/// Rotation about z that makes the xy element of R^T E R vanish.
Matrix3 diagonalising_turn(const Matrix3& E) {
  if (E(0, 1) == 0) return Matrix3::Identity();
  const double angle = 0.5 * std::atan2(2 * E(0, 1), E(0, 0) - E(1, 1));
  return rotation_about(Vector3::UnitZ(), angle);
}

Subspaces subspace_of(const Joint& joint, bool from_world) {
  if (joint.type == JointType::free && from_world && !joint.reversed && joint.motion == Motion::free) {
    return Subspaces::floating;
  }
  if (joint.nu != 1) return Subspaces::columns;
  return joint.rotations == 1 ? Subspaces::turn : Subspaces::slide;
}

/// Integral of x x^T dm about the base point, user's axes.
Matrix3 second_moments(const MassProperties& body, const Vector3& base) {
  const Vector3 c = body.com - base;
  return 0.5 * body.inertia.trace() * Matrix3::Identity() - body.inertia + body.mass * c * c.transpose();
}

}  // namespace

Mechanism::Mechanism(const System& of) : Mechanism(of, DynamicsSettings(of)) {}

Mechanism::Mechanism(const System& of, const DynamicsSettings& settings)
    : system(&of),
      links(of.bodies.size()),
      R_UB(of.bodies.size(), Matrix3::Identity()),
      wheel_of(of.bodies.size() + 1, 0),
      nq(static_cast<std::size_t>(of.initial.q.size())),
      nu(static_cast<std::size_t>(of.initial.u.size())) {
  for (std::uint32_t i = 1; i < links.size(); ++i) {
    const Joint& joint = of.joints[i];
    const std::uint32_t parent = of.parent[i];
    const Vector3 base = base_point(joint);
    const Vector3 parent_base = parent == 0 ? Vector3(Vector3::Zero()) : base_point(of.joints[parent]);
    Link& link = links[i];
    link.parent = parent;
    link.q = joint.q;
    link.u = joint.u;
    link.nu = joint.nu;
    link.motion = joint.motion;
    link.subspace = subspace_of(joint, parent == 0);
    link.gyroscopic = settings.gyroscopic[i];

    // The joint's axes F at zero coordinates in the inboard user's axes, and the body's own axes at F.
    Matrix3 R_inboard_F = Matrix3::Identity();
    if (link.subspace == Subspaces::turn || link.subspace == Subspaces::slide) {
      const Vector3& axis = joint.rotations == 1 ? joint.a[0] : joint.d[0];
      const Matrix3 Q = frame_with_z(joint.reversed ? Vector3(-axis) : axis);
      R_inboard_F = joint.reversed ? Matrix3(joint.R_0.transpose() * Q) : Q;
      R_UB[i] = joint.reversed ? Q : Matrix3(joint.R_0.transpose() * Q);
    }
    const MassProperties& body = of.bodies[i].mass_properties;
    const Matrix3 E_U = second_moments(body, base);
    const Matrix3 turn = diagonalising_turn(R_UB[i].transpose() * E_U * R_UB[i]);
    R_UB[i] = R_UB[i] * turn;
    link.R_PF = cast<double>(Matrix3(R_UB[parent].transpose() * R_inboard_F * turn));
    const Vector3& inboard_point = joint.reversed ? joint.child_point : joint.parent_point;
    link.p_PF = cast<double>(Vector3(R_UB[parent].transpose() * (inboard_point - parent_base)));

    link.mass = body.mass;
    link.mc = cast<double>(Vector3(body.mass * (R_UB[i].transpose() * (body.com - base))));
    const Matrix3 E = R_UB[i].transpose() * E_U * R_UB[i];
    link.e0 = E(1, 1);
    link.e1 = E(0, 0) - E(1, 1);
    link.e = {E(0, 2), E(1, 2), (E(2, 2) - E(1, 1)) / 2};
    if (link.subspace == Subspaces::turn) turning.push_back(i);
    if (link.subspace == Subspaces::floating) {
      link.floats = static_cast<std::uint32_t>(floating.size());
      floating.push_back(i);
    }
  }
  for (const Wheel& wheel : of.wheels) {
    wheels.push_back({wheel.body, wheel.u, cast<double>(Vector3(R_UB[wheel.body].transpose() * wheel.axis)),
                      wheel.inertia, wheel.speed_prescribed});
    links[wheel.body].wheels = true;
    ++wheel_of[wheel.body + 1];
  }
  for (std::size_t i = 1; i < wheel_of.size(); ++i) wheel_of[i] += wheel_of[i - 1];

  end.resize(links.size());
  for (std::uint32_t i = 0; i < links.size(); ++i) end[i] = i + 1;
  for (auto i = static_cast<std::uint32_t>(links.size()) - 1; i > 0; --i) {
    end[links[i].parent] = std::max(end[links[i].parent], end[i]);
  }

  // The first child of body i is i + 1; others hand over what they gathered through memory.
  for (std::uint32_t i = static_cast<std::uint32_t>(links.size()) - 1; i > 0; --i) {
    Link& parent = links[links[i].parent];
    if (links[i].parent == i - 1) continue;
    if (parent.gather == 0) {
      parent.gather = static_cast<std::uint32_t>(gathers++);
      links[i].starts_gather = true;
    }
  }
}

}  // namespace gyrostat
