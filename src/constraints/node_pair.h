// Two nodes and how one moves relative to the other. Positions and velocities are summed along the tree's path between
// their bodies, not from the world's origin: a spacecraft far from it loses no digits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gyrostat/constraints/state_at.h"

namespace gyrostat {

/// A node in its body's frame in the Mechanism.
template <class C>
struct AttachedNode {
  std::uint32_t body = 0;
  Vec3<C> lever;  // from the body's base point [m]
  Mat3<C> R;      // from the node's axes
};

/// Nodes a and b. The path is a part of a list that pairs share: bodies from that of b inwards, then from that of a
/// inwards, both up to their nearest common ancestor, which is left out.
template <class C>
struct NodePair {
  AttachedNode<C> a, b;
  std::uint32_t path = 0, turn = 0, end = 0;  // where b's part, a's part, and what follows begin

  template <class Act>
  void for_numbers(Act& act) {
    for (AttachedNode<C>* node : {&a, &b}) for_vector(act, node->lever), for_matrix(act, node->R);
  }

  /// The same with its numbers as constants of D.
  template <class D>
  [[nodiscard]] NodePair<D> as() const {
    return {{a.body, cast<D>(a.lever), cast<D>(a.R)}, {b.body, cast<D>(b.lever), cast<D>(b.R)}, path, turn, end};
  }
};

/// b relative to a, world axes.
template <class T>
struct RelativeMotion {
  Mat3<T> R_a, R_b;            // from the nodes' axes
  Vec3<T> lever_a, lever_b;    // from the bodies' base points to the nodes [m]
  Vec3<T> p, v, acceleration;  // of node b, less that of node a [m, m/s, m/s^2]
  Vec3<T> w_a, w_b;            // angular velocities [rad/s]
  Vec3<T> alpha_a, alpha_b;    // angular accelerations [rad/s^2]
};

/// The pair of two nodes of the system; its path is added to `paths`.
NodePair<double> make_pair(const Mechanism& mechanism, std::uint32_t node_a, std::uint32_t node_b,
                           std::vector<std::uint32_t>& paths);

inline namespace GYROSTAT_PROCESSOR {

template <class T, class C, class M>
RelativeMotion<T> relative_motion(const NodePair<C>& pair, const StateAt<T, M>& at) {
  const Kinematics<T>& kinematics = at.kinematics;
  const BodyMotion<T>&A = kinematics.bodies[pair.a.body], &B = kinematics.bodies[pair.b.body];
  RelativeMotion<T> x;
  x.R_a = A.R_NM * cast<T>(pair.a.R);
  x.R_b = B.R_NM * cast<T>(pair.b.R);
  x.lever_a = A.R_NM * cast<T>(pair.a.lever);
  x.lever_b = B.R_NM * cast<T>(pair.b.lever);
  x.w_a = A.w;
  x.w_b = B.w;
  x.alpha_a = A.alpha;
  x.alpha_b = B.alpha;
  x.p = x.lever_b - x.lever_a;
  x.v = cross(x.w_b, x.lever_b) - cross(x.w_a, x.lever_a);
  x.acceleration = B.a + B.W * x.lever_b - A.a - A.W * x.lever_a;
  const auto step = [&](std::uint32_t i, Vec3<T>& p, Vec3<T>& v) {  // from the base point of i's parent to its own
    const auto& link = at.mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    p += body.r;
    v += cross(kinematics.bodies[link.parent].w, body.r);
    Twist<T> only;
    const Twist<T>* S = subspace_of(link, kinematics, body, only);
    for (std::size_t k = 0; k < link.nu; ++k) v += at.u[link.u + k] * S[k].v;
  };
  Vec3<T> p_a{}, v_a{};
  for (std::uint32_t k = pair.path; k < pair.turn; ++k) step(at.paths[k], x.p, x.v);
  for (std::uint32_t k = pair.turn; k < pair.end; ++k) step(at.paths[k], p_a, v_a);
  x.p -= p_a;
  x.v -= v_a;
  return x;
}

/// A force f on node b and its opposite on a at the same point, which is at r from node a; and torques +-t.
template <class T>
void exert(const RelativeMotion<T>& x, const Vec3<T>& f, const Vec3<T>& r, const Vec3<T>& t, ConstraintRow<T>& row) {
  row.on_bodies[1].force = f;
  row.on_bodies[1].torque = cross(x.lever_b + (r - x.p), f) + t;
  row.on_bodies[0].force = -f;
  row.on_bodies[0].torque = -(cross(x.lever_a + r, f) + t);
}

/// The component of p along a direction n fixed in node a, world axes. The Jacobian is that of a point of a at r from
/// its node: at p.
template <class T>
void follow_direction(const RelativeMotion<T>& x, const Vec3<T>& n, const Vec3<T>& r, ConstraintRow<T>& row) {
  const Vec3<T> n_rate = cross(x.w_a, n);
  row.residual = dot(n, x.p);
  row.rate = dot(n, x.v) + dot(n_rate, x.p);
  row.acceleration =
      dot(n, x.acceleration) + T(2.0) * dot(n_rate, x.v) + dot(cross(x.alpha_a, n) + cross(x.w_a, n_rate), x.p);
  exert(x, n, r, {}, row);
  row.on_bodies[1].torque = cross(x.lever_b, n);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
