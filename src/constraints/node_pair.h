// Two nodes and how one moves relative to the other. Positions and velocities are summed along the tree's path between
// their bodies, not from the world's origin: a spacecraft far from it loses no digits.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gyrostat/constraints/state_at.h"

namespace gyrostat {

/// The origin of a node, in its body's frame in the Mechanism.
template <class C>
struct AttachedNode {
  std::uint32_t body = 0;
  Vec3<C> lever;  // from the body's base point [m]
};

/// Nodes a and b. The path is a part of a list that pairs share: bodies from that of b inwards, then from that of a
/// inwards, both up to their nearest common ancestor, which is left out.
template <class C>
struct NodePair {
  AttachedNode<C> a, b;
  std::uint32_t path = 0, turn = 0, end = 0;  // where b's part, a's part, and what follows begin

  template <class Act>
  void for_numbers(Act& act) {
    for (AttachedNode<C>* node : {&a, &b}) for_vector(act, node->lever);
  }

  /// The same with its numbers as constants of D.
  template <class D>
  [[nodiscard]] NodePair<D> as() const {
    return {{a.body, cast<D>(a.lever)}, {b.body, cast<D>(b.lever)}, path, turn, end};
  }
};

/// b relative to a, world axes.
template <class T>
struct RelativeMotion {
  const BodyMotion<T>&a, &b;   // of the nodes' bodies
  Vec3<T> lever_a, lever_b;    // from their base points to the nodes [m]
  Vec3<T> p, v, acceleration;  // of node b, less that of node a [m, m/s, m/s^2]
};

/// The pair of two nodes of the system; its path is added to `paths`.
NodePair<double> make_pair(const Mechanism& mechanism, std::uint32_t node_a, std::uint32_t node_b,
                           std::vector<std::uint32_t>& paths);

/// From a node's axes to its body's in the Mechanism.
Matrix3 axes_of(const Mechanism& mechanism, std::uint32_t node);

inline namespace GYROSTAT_PROCESSOR {

template <class T, class C, class M>
RelativeMotion<T> relative_motion(const NodePair<C>& pair, const StateAt<T, M>& at) {
  const Kinematics<T>& kinematics = at.kinematics;
  const BodyMotion<T>&A = kinematics.bodies[pair.a.body], &B = kinematics.bodies[pair.b.body];
  RelativeMotion<T> x{A, B, A.R_NM * cast<T>(pair.a.lever), B.R_NM * cast<T>(pair.b.lever), {}, {}, {}};
  x.p = x.lever_b - x.lever_a;
  x.v = cross(B.w, x.lever_b) - cross(A.w, x.lever_a);
  x.acceleration = B.a + B.W * x.lever_b - A.a - A.W * x.lever_a;
  const auto step = [&](std::uint32_t i, Vec3<T>& p, Vec3<T>& v) {  // from the base point of i's parent to its own
    const auto& link = at.mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    p += body.r;
    v += cross(kinematics.bodies[link.parent].w, body.r);
    if (link.motion == JointMotion::revolute) return;
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

/// A force f on node b, and its opposite on body a at the point that is at r from node a.
template <class T>
void exert(const RelativeMotion<T>& x, const Vec3<T>& f, const Vec3<T>& r, ConstraintRow<T>& row) {
  row.on_bodies = {Wrench<T>{-cross(x.lever_a + r, f), -f}, Wrench<T>{cross(x.lever_b, f), f}};
}

/// How node b moves relative to body a, seen from it; world axes.
template <class T>
struct SeenFromBody {
  Vec3<T> v, acceleration;  // of p [m/s, m/s^2]
};

template <class T>
SeenFromBody<T> seen_from_a(const RelativeMotion<T>& x) {
  const Vec3<T> carried = cross(x.a.w, x.p);
  return {x.v - carried, x.acceleration - T(2.0) * cross(x.a.w, x.v) - cross(x.a.alpha, x.p) + cross(x.a.w, carried)};
}

/// The component of p along a direction n fixed in body a, world axes. The Jacobian is that of a point of a at r from
/// its node: at p.
template <class T>
void follow_direction(const RelativeMotion<T>& x, const SeenFromBody<T>& seen, const Vec3<T>& n, const Vec3<T>& r,
                      ConstraintRow<T>& row) {
  row.residual = dot(n, x.p);
  row.rate = dot(n, seen.v);
  row.acceleration = dot(n, seen.acceleration);
  exert(x, n, r, row);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
