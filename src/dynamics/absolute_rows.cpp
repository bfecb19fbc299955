#include "gyrostat/dynamics/absolute_rows.h"

namespace gyrostat {

AbsoluteConstraints::AbsoluteConstraints(const System& system) {
  for (std::uint32_t k = 0; k < system.constraints.size(); ++k) {
    const Constraint& one = system.constraints[k];
    if (const auto* coupling = std::get_if<Coupling>(&one.kind)) {
      AbsoluteCoupling made{{}, k, one.first_equal};
      for (const Coupling::Term& term : coupling->terms) made.terms.push_back({term.u, term.coefficient});
      couplings.push_back(made);
      continue;
    }
    AbsoluteClosure made;
    made.constraint = k;
    made.first_equal = one.first_equal;
    made.first_row = closure_rows;
    const auto attach = [&](std::uint32_t node_P, std::uint32_t node_C) {
      const Node &P = system.nodes[node_P], &C = system.nodes[node_C];
      made.joint.P = P.body;
      made.joint.C = C.body;
      made.joint.p_P = P.p - system.bodies[P.body].mass_properties.com;
      made.joint.p_C = C.p - system.bodies[C.body].mass_properties.com;
    };
    if (const auto* cut = std::get_if<CutJoint>(&one.kind)) {
      made.joint = make_absolute_joint(system, cut->joint, cut->joint.motion != Motion::free, cut->position.data());
    } else if (const auto* distance = std::get_if<Distance>(&one.kind)) {
      made.kind = AbsoluteClosure::Kind::distance;
      attach(distance->parent_node, distance->child_node);
    } else if (const auto* point = std::get_if<PointOnFrame>(&one.kind)) {
      made.kind = AbsoluteClosure::Kind::point;
      attach(point->frame_node, point->point_node);
      for (const Vector3& n : point->directions) made.joint.n[made.joint.locked_translations++] = n;
    }
    closure_rows += made.rows();
    closures.push_back(made);
  }
}

namespace {

/// Two bodies that touch at C's joint point, at s_P and s_C from their coms.
struct Contact {
  const AbsoluteMotion &P, &C;
  Vector3 s_P, s_C;
  Vector3 bias;  // (10) of the point of C relative to P without h'

  /// A force f at the point, fixed in P where its row is to hold for more than an instant.
  void push(const Vector3& f, AbsoluteRow& row) const {
    row.on[0] << -f, -(P.A.transpose() * s_P.cross(f));  // (10)
    row.on[1] << f, C.A.transpose() * s_C.cross(f);
    row.gamma = -f.dot(bias);
  }
  /// A torque t whose row has the derivative `rate` without h'.
  void twist(const Vector3& t, double rate, AbsoluteRow& row) const {
    row.on[0] << Vector3::Zero(), -(P.A.transpose() * t);  // (11)
    row.on[1] << Vector3::Zero(), C.A.transpose() * t;
    row.gamma = -rate;
  }
  /// The product of x fixed in P and y fixed in C, world axes, is constant.
  void keep(const Vector3& x, const Vector3& y, AbsoluteRow& row) const {
    const Vector3 t = y.cross(x), t_rate = C.w.cross(y).cross(x) + y.cross(P.w.cross(x));  // (11)
    twist(t, (C.w - P.w).dot(t_rate), row);
  }
};

/// `slide` is the velocity of C's point as P sees it.
Contact make_contact(const AbsoluteMotion& P, const AbsoluteMotion& C, const Vector3& s_P, const Vector3& s_C,
                     const Vector3& slide) {
  return {P, C, s_P, s_C, C.w.cross(C.w.cross(s_C)) - P.w.cross(P.w.cross(s_P)) - 2 * P.w.cross(slide)};
}

/// The directions that a joint locks.
void lock(const AbsoluteJoint& joint, const Contact& contact, AbsoluteRow* row) {
  for (std::size_t k = 0; k < joint.locked_translations; ++k) contact.push(contact.P.A * joint.n[k], *row++);
  for (std::size_t k = 0; k < joint.locked_rotations; ++k) {
    contact.keep(contact.P.A * joint.x[k], contact.C.A * joint.y[k], *row++);
  }
}

/// Nodes of flexible bodies have accelerations of their own without h'.
void take_nodes(const AbsoluteModel& model, const AbsoluteState& state, const AbsoluteJoint& joint, std::uint32_t count,
                AbsoluteRow* rows) {
  for (const std::uint32_t side : {0U, 1U}) {
    const std::uint32_t node = model.bodies[side == 0 ? joint.P : joint.C].node;
    if (node == AbsoluteBody::none) continue;
    for (std::uint32_t k = 0; k < count; ++k) rows[k].gamma -= rows[k].on[side].dot(state.nodes[node].b);  // (26)
  }
}

}  // namespace

void find_rows(const AbsoluteModel& model, const AbsoluteState& state, std::uint32_t i, AbsoluteRow* rows) {
  if (model.bodies[i].node != AbsoluteBody::none) return;
  const AbsoluteJoint& joint = model.joints[i];
  const AbsoluteJointMotion& motion = state.joints[i];
  const AbsoluteMotion &P = state.bodies[joint.P], &C = state.bodies[joint.C];
  const Contact contact = make_contact(P, C, P.A * joint.p_P + motion.zeta, C.A * joint.p_C, motion.zeta_rate);
  for (std::uint32_t k = 0; k < joint.rotations; ++k) {
    const Vector3& t = motion.dual[joint.first_rotation + k];
    contact.twist(t, -t.dot(motion.w_PC_rate), rows[joint.first_rotation + k]);  // (12)
  }
  for (std::uint32_t k = 0; k < joint.translations; ++k) {
    contact.push(motion.dual[joint.first_translation + k], rows[joint.first_translation + k]);  // (12)
  }
  lock(joint, contact, rows + joint.speeds());
  take_nodes(model, state, joint, 6, rows);
}

AbsoluteNodes find_nodes(const AbsoluteModel& model, const AbsoluteState& state, const AbsoluteClosure& closure) {
  const AbsoluteJoint& joint = closure.joint;
  const AbsoluteMotion &P = state.bodies[joint.P], &C = state.bodies[joint.C];
  AbsoluteNodes nodes;
  nodes.s_P = P.A * joint.p_P;
  nodes.s_C = C.A * joint.p_C;
  nodes.zeta = state.between(model, joint.P, joint.C) + nodes.s_C - nodes.s_P;
  nodes.rate = state.rate_between(model, joint.P, joint.C) + C.w.cross(nodes.s_C) - P.w.cross(nodes.s_P);
  return nodes;
}

void find_rows(const AbsoluteModel& model, const AbsoluteState& state, const AbsoluteClosure& closure,
               AbsoluteRow* rows) {
  const AbsoluteJoint& joint = closure.joint;
  const AbsoluteMotion &P = state.bodies[joint.P], &C = state.bodies[joint.C];
  const AbsoluteNodes nodes = find_nodes(model, state, closure);
  if (closure.kind != AbsoluteClosure::Kind::distance) {
    const Vector3 slide = nodes.rate - P.w.cross(nodes.zeta);
    lock(joint, make_contact(P, C, nodes.s_P + nodes.zeta, nodes.s_C, slide), rows);
    take_nodes(model, state, joint, closure.rows(), rows);
    return;
  }
  const double length = nodes.zeta.norm();
  const Vector3 n = nodes.zeta / length;
  Contact contact = make_contact(P, C, nodes.s_P, nodes.s_C, Vector3::Zero());
  const double along = n.dot(nodes.rate);
  contact.bias += (nodes.rate.squaredNorm() - along * along) / length * n;  // (13)
  contact.push(n, *rows);
  take_nodes(model, state, joint, 1, rows);
}

namespace {

/// The modes that move a node, for a force and a torque on it, the torque in its axes.
double add_modes(const AbsoluteModel& model, const AbsoluteState& state, std::uint32_t node, const Vector3& force,
                 const Vector3& torque, double* column) {
  const AbsoluteFlexible& flexible = model.flexible[model.nodes[node].flexible];
  double square = 0;
  for (std::uint32_t a = 0; a < flexible.modes(); ++a) {
    const auto by_mode = state.nodes[node].B.col(6 + a);
    column[flexible.u + a] += by_mode.head<3>().dot(force) + by_mode.tail<3>().dot(torque);  // (27)
    square +=
        by_mode.head<3>().squaredNorm() * force.squaredNorm() + by_mode.tail<3>().squaredNorm() * torque.squaredNorm();
  }
  return square;
}

/// The joints from `body` inward to, and without, the one of `end`. Returns the square of the size.
double add_path(const AbsoluteModel& model, const AbsoluteState& state, std::uint32_t body, std::uint32_t end,
                const Vector3& at, const Vector3& force, const Vector3& torque, double* column) {
  double square = 0;
  for (std::uint32_t i = body; i != end; i = model.bodies[i].parent) {
    const AbsoluteJoint& joint = model.joints[i];
    const AbsoluteJointMotion& motion = state.joints[i];
    const double sign = joint.reversed ? -1 : 1;
    const Vector3 lever = at - motion.point, about = lever.cross(force) + torque;
    // Of its terms: where the lever lies along the force, `about` is rounding, and no measure of what is left of it.
    const double turning = lever.norm() * force.norm() + torque.norm();
    if (const std::uint32_t node = model.bodies[i].node; node != AbsoluteBody::none) {
      square += add_modes(model, state, node, force, state.bodies[i].A.transpose() * about, column);
      continue;
    }
    for (std::uint32_t k = 0; k < joint.speeds(); ++k) {
      const bool turns = k - joint.first_rotation < joint.rotations;
      column[joint.u + k] += sign * motion.column[k].dot(turns ? about : force);  // (18)
      square += turns ? turning * turning : force.squaredNorm();
    }
  }
  return square;
}

}  // namespace

double add_by_speeds(const AbsoluteModel& model, const AbsoluteState& state, const AbsoluteClosure& closure,
                     const AbsoluteRow& row, double* column) {
  const AbsoluteJoint& joint = closure.joint;
  const AbsoluteMotion &P = state.bodies[joint.P], &C = state.bodies[joint.C];
  const AbsoluteNodes nodes = find_nodes(model, state, closure);
  const Vector3 force = row.on[1].head<3>(), torque = C.A * row.on[1].tail<3>() - nodes.s_C.cross(force);
  std::uint32_t a = joint.P, b = joint.C;
  while (a != b) (a > b ? a : b) = model.bodies[a > b ? a : b].parent;  // to their nearest common ancestor
  return add_path(model, state, joint.C, a, C.r + nodes.s_C, force, torque, column) +
         add_path(model, state, joint.P, a, P.r + nodes.s_P + nodes.zeta, -force, -torque, column);
}

}  // namespace gyrostat
