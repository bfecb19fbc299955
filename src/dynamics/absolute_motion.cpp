#include "gyrostat/dynamics/absolute_motion.h"

#include <cmath>

#include "gyrostat/dynamics/forces.h"

namespace gyrostat {

namespace {

Eigen::Vector4d euler_parameters(const Vector3& axis, double angle) {
  Eigen::Vector4d e;
  e << std::cos(angle / 2), std::sin(angle / 2) * axis;  // (1)
  return e;
}

Eigen::Vector4d euler_parameters(const Matrix3& R) {
  const Quaternion e = to_quaternion(R);
  return {e.w, e.x, e.y, e.z};
}

/// Vectors in the span of those given, whose products with them are one or zero.
void find_duals(const Vector3* given, std::size_t count, Vector3* dual) {
  if (count == 1) {
    dual[0] = given[0] / given[0].squaredNorm();
  } else if (count == 2) {
    const Vector3 normal = given[0].cross(given[1]);
    const double square = normal.squaredNorm();
    dual[0] = given[1].cross(normal) / square;
    dual[1] = normal.cross(given[0]) / square;
  } else if (count == 3) {
    const Vector3 normal = given[0].cross(given[1]);
    const double volume = normal.dot(given[2]);
    dual[0] = given[1].cross(given[2]) / volume;
    dual[1] = given[2].cross(given[0]) / volume;
    dual[2] = normal / volume;
  }
}

/// Unit vectors orthogonal to the `count` given and to each other; how many.
std::uint8_t find_orthogonal(const Vector3* given, std::size_t count, Vector3* orthogonal) {
  if (count == 0) {
    for (int k = 0; k < 3; ++k) orthogonal[k] = Vector3::Unit(k);
  } else if (count == 1) {
    Eigen::Index smallest = 0;
    given[0].cwiseAbs().minCoeff(&smallest);
    orthogonal[0] = given[0].cross(Vector3::Unit(smallest)).normalized();
    orthogonal[1] = orthogonal[0].cross(given[0]).normalized();
  } else if (count == 2) {
    orthogonal[0] = given[0].cross(given[1]).normalized();
  }
  return static_cast<std::uint8_t>(3 - count);
}

/// Pairs x, y whose products are constant for the rotations that the joint lacks. `R` is R_PC at a configuration that
/// it may have, up to rotations about its axes.
void lock_rotations(AbsoluteJoint& made, const Matrix3& R) {
  const auto add = [&](const Vector3& x, const Vector3& y_P) {
    made.x[made.locked_rotations] = x;
    made.y[made.locked_rotations++] = R.transpose() * y_P;
  };
  if (made.rotations == 0) {
    for (int k = 0; k < 3; ++k) add(Vector3::Unit((k + 1) % 3), Vector3::Unit((k + 2) % 3));
  } else if (made.rotations == 1) {
    std::array<Vector3, 3> across;
    find_orthogonal(made.a.data(), 1, across.data());
    for (int k = 0; k < 2; ++k) add(across[static_cast<std::size_t>(k)], made.a[0]);
  } else if (made.rotations == 2) {
    add(made.a[0] / made.a[0].cross(made.a[1]).norm(), made.a[1]);
  }
}

void place_speeds(AbsoluteJoint& made, const Joint& joint) {
  const bool rotation_first = joint.rotation_first || made.ball;
  made.first_rotation = rotation_first ? 0 : made.translations;
  made.first_translation = rotation_first ? made.rotations : 0;
  if (made.ball) {  // position before attitude, but velocity after angular velocity
    made.q_translation = joint.q;
    made.q_rotation = joint.q + made.translations;
  } else {
    made.q_translation = joint.q + made.first_translation;
    made.q_rotation = joint.q + made.first_rotation;
  }
}

}  // namespace

AbsoluteJoint make_absolute_joint(const System& system, const Joint& joint, bool held, const double* position) {
  AbsoluteJoint made;
  made.P = system.nodes[joint.parent_node].body;
  made.C = system.nodes[joint.child_node].body;
  made.reversed = joint.reversed;
  made.ball = has_quaternion(joint.type);
  made.q = joint.q;
  made.u = joint.u;
  made.p_P = joint.parent_point - system.bodies[made.P].mass_properties.com;
  made.p_C = joint.child_point - system.bodies[made.C].mass_properties.com;
  made.e_0 = euler_parameters(joint.R_0);
  made.d = joint.d;
  made.a = joint.a;
  Matrix3 R = joint.R_0;
  if (held) {
    made.ball = false;
    R = joint_pose(joint, position).R;
  } else {
    made.translations = joint.type == JointType::free ? 3 : joint.translations;
    made.rotations = made.ball ? 3 : joint.rotations;
    if (joint.type == JointType::free) made.d = {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()};
  }
  place_speeds(made, joint);
  find_duals(made.d.data(), made.translations, made.d_dual.data());
  made.locked_translations = find_orthogonal(made.d.data(), made.translations, made.n.data());
  lock_rotations(made, R);
  return made;
}

AbsoluteModel::AbsoluteModel(const System& system, const DynamicsSettings& settings)
    : bodies(system.bodies.size()),
      joints(system.bodies.size()),
      wheels(system.wheels),
      speeds(static_cast<std::uint32_t>(system.initial.u.size())) {
  for (std::uint32_t i = 1; i < bodies.size(); ++i) {
    const MassProperties& given = system.bodies[i].mass_properties;
    AbsoluteBody& body = bodies[i];
    body.parent = system.parent[i];
    body.root = body.parent == 0 ? i : bodies[body.parent].root;
    body.mass = given.mass;
    body.com = given.com;
    body.inertia = given.inertia;
    body.base = base_point(system.joints[i]) - given.com;
    body.gyroscopic = settings.gyroscopic[i];
    body.flexible = system.bodies[i].flexible;
    if (system.bodies[i].node != Body::none) {
      body.node = static_cast<std::uint32_t>(nodes.size());
      body.own = 0;
      nodes.push_back(make_absolute_node(system, i, bodies[body.parent].flexible));
      joints[i].P = body.parent;
      joints[i].C = i;
      continue;
    }
    joints[i] = make_absolute_joint(system, system.joints[i], false, nullptr);
    if (body.flexible == AbsoluteBody::none) continue;
    flexible.push_back(make_absolute_flexible(system.flexible[body.flexible], given.com));
    body.own = 6 + flexible.back().modes();
  }
  for (std::uint32_t k = static_cast<std::uint32_t>(wheels.size()); k-- > 0;) {
    AbsoluteBody& body = bodies[wheels[k].body];
    body.wheel = k;
    ++body.wheels;
    body.inertia -= wheels[k].inertia * wheels[k].axis * wheels[k].axis.transpose();  // (8)
  }
}

AbsoluteState::AbsoluteState(const AbsoluteModel& model)
    : bodies(model.bodies.size()),
      joints(model.bodies.size()),
      origin(model.bodies.size(), Vector3::Zero()),
      origin_rate(origin) {
  for (const AbsoluteFlexible& body : model.flexible) {
    const Eigen::Index size = 6 + body.modes();
    flexible.push_back({Eigen::MatrixXd::Zero(size, size), Eigen::VectorXd::Zero(size)});
  }
  for (const AbsoluteNode& node : model.nodes) {
    nodes.emplace_back().B.setZero(6, 6 + model.flexible[node.flexible].modes());
  }
}

namespace {

/// Axes of the rotations as those before them have turned them, and what follows from them. Returns the Euler
/// parameters of C relative to P.
Eigen::Vector4d follow_rotations(const AbsoluteJoint& joint, const Matrix3& A_P, const Vector3& w_P, const double* q,
                                 const double* u, AbsoluteJointMotion& motion) {
  Eigen::Vector4d e = {1, 0, 0, 0};
  motion.w_PC.setZero();
  motion.w_PC_rate.setZero();
  for (std::uint32_t k = 0; k < joint.rotations; ++k) {
    Vector3& axis = motion.column[joint.first_rotation + k];
    const double rate = u[joint.u + joint.first_rotation + k];
    axis = A_P * (rotation_of(e) * joint.a[k]);
    e = turned_by(e, euler_parameters(joint.a[k], q[joint.q_rotation + k]));  // (3)
    motion.w_PC_rate += rate * (w_P + motion.w_PC).cross(axis);               // (6)
    motion.w_PC += rate * axis;
  }
  find_duals(&motion.column[joint.first_rotation], joint.rotations, &motion.dual[joint.first_rotation]);
  return turned_by(e, joint.e_0);
}

/// Translation axes are fixed in P.
void follow_translations(const AbsoluteJoint& joint, const Matrix3& A_P, const double* q, const double* u,
                         AbsoluteJointMotion& motion) {
  motion.zeta.setZero();
  motion.zeta_rate.setZero();
  for (std::uint32_t k = 0; k < joint.translations; ++k) {
    const std::uint32_t speed = joint.first_translation + k;
    motion.column[speed] = A_P * joint.d[k];
    motion.dual[speed] = A_P * joint.d_dual[k];
    motion.zeta += q[joint.q_translation + k] * motion.column[speed];
    motion.zeta_rate += u[joint.u + speed] * motion.column[speed];
  }
}

Eigen::Vector4d conjugate(const Eigen::Vector4d& e) { return {e[0], -e[1], -e[2], -e[3]}; }

/// Attitudes and angular velocities of both bodies of joint i, of which the inboard one is known.
void follow_attitude(const AbsoluteJoint& joint, const double* q, const double* u, AbsoluteMotion& P, AbsoluteMotion& C,
                     AbsoluteJointMotion& motion) {
  if (joint.ball) {
    const double* e = q + joint.q_rotation;
    const Eigen::Vector4d e_PC = {e[0], e[1], e[2], e[3]};
    if (joint.reversed) {
      P.e = turned_by(C.e, conjugate(e_PC));  // (3)
      P.A = rotation_of(P.e);
    } else {
      C.e = turned_by(P.e, e_PC);  // (3)
      C.A = rotation_of(C.e);
    }
    const double* omega = u + joint.u + joint.first_rotation;
    motion.w_PC = C.A * Vector3(omega[0], omega[1], omega[2]);
    (joint.reversed ? P.w : C.w) = joint.reversed ? Vector3(C.w - motion.w_PC) : Vector3(P.w + motion.w_PC);
    for (std::size_t k = 0; k < 3; ++k) {  // fixed in C
      motion.column[joint.first_rotation + k] = motion.dual[joint.first_rotation + k] = C.A.col(static_cast<int>(k));
    }
    motion.w_PC_rate = C.w.cross(motion.w_PC);  // (6)
    return;
  }
  if (!joint.reversed) {
    C.e = turned_by(P.e, follow_rotations(joint, P.A, P.w, q, u, motion));  // (3)
    C.A = rotation_of(C.e);
    C.w = P.w + motion.w_PC;  // (4)
    return;
  }
  // The axes of the joint are known in P, which is outboard: first P relative to C as if P were at rest.
  AbsoluteJointMotion as_seen;
  const Eigen::Vector4d e_PC = follow_rotations(joint, Matrix3::Identity(), Vector3::Zero(), q, u, as_seen);
  P.e = turned_by(C.e, conjugate(e_PC));  // (3)
  P.A = rotation_of(P.e);
  P.w = C.w - P.A * as_seen.w_PC;  // (4)
  follow_rotations(joint, P.A, P.w, q, u, motion);
}

/// Body i, a node of a flexible body whose motion is known.
void follow_node(const AbsoluteModel& model, std::uint32_t i, const double* q, const double* u, AbsoluteState& state) {
  const AbsoluteNode& node = model.nodes[model.bodies[i].node];
  const AbsoluteFlexible& flexible = model.flexible[node.flexible];
  const AbsoluteMotion& P = state.bodies[flexible.body];
  AbsoluteMotion& body = state.bodies[i];
  AbsoluteNodeMotion& motion = state.nodes[model.bodies[i].node];
  const Vector3 w = P.A.transpose() * P.w;
  body.e = turned_by(P.e, find_node_motion(flexible, node, P.A, w, q + flexible.q, u + flexible.u, motion));  // (3)
  body.A = P.A * motion.R;
  body.r = P.r + P.A * motion.r;
  const Eigen::Map<const Eigen::VectorXd> rates(u + flexible.u, flexible.modes());
  Vector6 h = motion.B.rightCols(flexible.modes()) * rates;  // (24)
  h += motion.B.middleCols<3>(3) * w;
  body.v = P.v + h.head<3>();
  body.w = body.A * h.tail<3>();
  state.joints[i].point = body.r;
}

}  // namespace

void find_motion(const AbsoluteModel& model, const double* q, const double* u, AbsoluteState& state) {
  for (std::uint32_t i = 1; i < model.bodies.size(); ++i) {
    if (model.bodies[i].node != AbsoluteBody::none) {
      follow_node(model, i, q, u, state);
      continue;
    }
    const AbsoluteJoint& joint = model.joints[i];
    AbsoluteMotion &P = state.bodies[joint.P], &C = state.bodies[joint.C], &body = state.bodies[i];
    AbsoluteJointMotion& motion = state.joints[i];
    follow_attitude(joint, q, u, P, C, motion);
    follow_translations(joint, P.A, q, u, motion);
    const Vector3 s_P = P.A * joint.p_P + motion.zeta, s_C = C.A * joint.p_C;
    const Vector3 r_PC = s_P - s_C;                                           // (5) from the com of P to that of C
    const Vector3 v_PC = P.w.cross(s_P) + motion.zeta_rate - C.w.cross(s_C);  // (5)
    const AbsoluteMotion& inboard = state.bodies[model.bodies[i].parent];
    const double sign = joint.reversed ? -1 : 1;
    body.r = inboard.r + sign * r_PC;
    body.v = inboard.v + sign * v_PC;
    if (model.bodies[i].root == i) {
      state.origin[i] = body.r;
      state.origin_rate[i] = body.v;
      body.r.setZero();
      body.v.setZero();
    }
    motion.point = body.r + (joint.reversed ? s_P : s_C);
    if (const std::uint32_t k = model.bodies[i].flexible; k != AbsoluteBody::none) {
      const AbsoluteFlexible& flexible = model.flexible[k];
      find_deformation(flexible, body.A, body.A.transpose() * body.w, q + flexible.q, u + flexible.u,
                       state.flexible[k]);
    }
  }
}

}  // namespace gyrostat
