// What is outboard of the joints that vary moves with them, and as one: no joint in it changes. Numbers in comments are
// the equations of docs/theory/derivatives.md.
#pragma once

#include <algorithm>

#include "gyrostat/dynamics/directions.h"
#include "gyrostat/dynamics/outward.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// W of a body whose angular acceleration grows by w.
template <class T>
GYROSTAT_INLINE Mat3<T> incremented(const Mat3<T>& W, const Vec3<T>& w) {
  return {{W.x.x, W.x.y + w.z, W.x.z - w.y}, {W.y.x - w.z, W.y.y, W.y.z + w.x}, {W.z.x + w.y, W.z.y - w.x, W.z.z}};
}

/// A change of motion as the composites outboard see it, at a base point.       (7)
struct ChangeOfMotion {
  using P = SomeDirections;
  Twist<P> inertial;  // what inertia alone resists
  Vec3<P> w;          // change of the angular velocity, seen from the body
  Vec3<P> turn;       // of the body: a small rotation
};

/// The wrench of vectors that turn, by y, where they stand.
GYROSTAT_INLINE Wrench<SomeDirections> turned(const VectorMoments& of, const Vec3<SomeDirections>& y) {
  using P = SomeDirections;
  const Mat3<P> m = cast<P>(of.moment);
  return {(m.x.x + m.y.y + m.z.z) * y - transpose_times(m, y), cross(y, cast<P>(of.sum))};
}
/// Its product with a column, by y.
GYROSTAT_INLINE Vec3<double> product_by_turn(const VectorMoments& of, const Twist<double>& S) {
  const Mat3<double>& m = of.moment;
  return (m.x.x + m.y.y + m.z.z) * S.w - m * S.w + cross(of.sum, S.v);
}

/// Takes them to the parent's base point, which is at -r from theirs, and adds them.
GYROSTAT_INLINE void add_moved(const VectorMoments& from, const Vec3<double>& r, VectorMoments& to) {
  to.sum += from.sum;
  to.moment +=
      Mat3<double>{from.moment.x + from.sum.x * r, from.moment.y + from.sum.y * r, from.moment.z + from.sum.z * r};
}

/// Takes a composite to its parent's base point and adds it to that of the parent.
GYROSTAT_INLINE void add_to_parent(const Composite& c, const Vec3<double>& r, Composite& parent) {
  const Inertia<double> inertia = moved(c.inertia, r);
  const Vec3<double> mc = {inertia.H.y.z, inertia.H.z.x, inertia.H.x.y}, &v = c.velocity;
  parent.inertia += inertia;
  add_moved(c.momentum, r, parent.momentum);
  parent.momentum.sum += inertia.M.xx * v;
  parent.momentum.moment += Mat3<double>{v.x * mc, v.y * mc, v.z * mc};
  add_moved(c.force, r, parent.force);
  parent.torque += c.torque;
  parent.transmitted += moved(c.transmitted, r);
}

/// A body by itself, added to what its children have handed over.
GYROSTAT_INLINE void add_body(const Link& link, const BodyMotion<double>& body, const Twist<double>& increment,
                              const Wrench<double>& applied, Composite& c) {
  const Moments<double> m = moments(link, body.R_NM);
  const Vec3<double>& w = body.w;
  add_inertia(link, m, c.inertia);
  c.momentum.sum += cross(w, m.mc);
  c.momentum.moment += Mat3<double>{m.E * Vec3<double>{0, -w.z, w.y}, m.E * Vec3<double>{w.z, 0, -w.x},
                                    m.E * Vec3<double>{-w.y, w.x, 0}};  // integral of x (w x x)^T dm
  c.force.sum += applied.force;
  c.torque += applied.torque;
  const Wrench<double> needed = required_wrench(link.mass, m, incremented(body.W, increment.w), body.a + increment.v);
  c.transmitted.torque += needed.torque - applied.torque;
  c.transmitted.force += needed.force - applied.force;
}

/// From the tips: composites, and the forces along their joints.       (6), (8)
GYROSTAT_INLINE void compose_outboard(const Differentiated& at, const double* u, const Forces<double>& forces,
                                      Composites& composites) {
  const Mechanism& mechanism = at.mechanism;
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  for (std::uint32_t i = composites.first; i < count; ++i) composites.bodies[i] = {};
  for (std::uint32_t i = count; i-- > composites.first;) {
    const Link& link = mechanism.links[i];
    const BodyMotion<double>& body = at.kinematics.bodies[i];
    Composite& c = composites.bodies[i];
    add_body(link, body, at.articulated.increment[i], forces.wrench[i], c);
    c.velocity = cross(at.kinematics.bodies[link.parent].w, body.r);
    Twist<double> only;
    const Twist<double>* S = subspace_of(link, at.kinematics, body, only);
    for (std::uint32_t k = 0; k < link.nu; ++k) {
      c.velocity += u[link.u + k] * S[k].v;
      composites.rows[link.u + k] = {c.inertia * S[k], 2.0 * product_by_turn(c.momentum, S[k]),
                                     product_by_turn(c.force, S[k]) + cross(c.torque, S[k].w)};
    }
    if (link.parent >= composites.first) add_to_parent(c, body.r, composites.bodies[link.parent]);
  }
}

/// The change of a varied body's motion, as the composites outboard of it see it.       (7)
GYROSTAT_INLINE ChangeOfMotion change_of_motion(const BodyMotion<Directional>& body,
                                                const Twist<Directional>& increment, std::size_t from) {
  using P = SomeDirections;
  ChangeOfMotion y;
  const Mat3<Directional>& R = body.R_NM;
  y.turn =
      P(0.5) * (cross(cast<P>(value(R.x)), derivative(R.x, from)) + cross(cast<P>(value(R.y)), derivative(R.y, from)) +
                cross(cast<P>(value(R.z)), derivative(R.z, from)));
  const auto seen = [&](const Vec3<double>& x, const Vec3<P>& dx) { return dx - cross(y.turn, cast<P>(x)); };
  const Vec3<double> w = value(body.w);
  y.w = seen(w, derivative(body.w, from));
  y.inertial.w =
      seen(value(body.alpha) + value(increment.w), derivative(body.alpha, from) + derivative(increment.w, from)) +
      cross(cast<P>(w), y.w);
  y.inertial.v = seen(value(body.a) + value(increment.v), derivative(body.a, from) + derivative(increment.v, from));
  return y;
}

/// What a composite hands over to a varied parent: its change is that of a wrench that turns with the parent, and what
/// the change of motion needs.       (9)
GYROSTAT_INLINE void hand_over(const Composite& c, const Vec3<double>& r, const ChangeOfMotion& y, std::size_t from,
                               Wrench<Directional>& parent) {
  using P = SomeDirections;
  Wrench<P> change = Inertia<P>{cast<P>(c.inertia.I), cast<P>(c.inertia.H), cast<P>(c.inertia.M)} * y.inertial;
  change += turned(c.momentum, P(2.0) * y.w);
  change += turned(c.force, y.turn);
  change.torque += cross(y.turn, cast<P>(c.torque));
  change = moved(change, cast<P>(r));
  const Wrench<double> F = moved(c.transmitted, r);
  const auto add = [&](const Vec3<double>& x, const Vec3<P>& dx, Vec3<Directional>& sum) {
    if (from == 0) sum.x.value += x.x, sum.y.value += x.y, sum.z.value += x.z;
    store(derivative(sum, from) + cross(y.turn, cast<P>(x)) + dx, from, sum);
  };
  add(F.torque, change.torque, parent.torque);
  add(F.force, change.force, parent.force);
}

GYROSTAT_INLINE ChangeOfMotion loaded_motion(const std::array<Eight, 12>& x, std::size_t from) {
  const auto three = [&](std::size_t k) -> Vec3<SomeDirections> {
    return {loaded(x[k], from), loaded(x[k + 1], from), loaded(x[k + 2], from)};
  };
  return {{three(0), three(3)}, three(6), three(9)};
}
GYROSTAT_INLINE void store_motion(const ChangeOfMotion& y, std::size_t from, std::array<Eight, 12>& x) {
  std::size_t k = 0;
  for (const Vec3<SomeDirections>* part : {&y.inertial.w, &y.inertial.v, &y.w, &y.turn}) {
    store(part->x, from, x[k++]), store(part->y, from, x[k++]), store(part->z, from, x[k++]);
  }
}

/// Outwards from the varied bodies: what is left of right-hand sides when motions change, and what composites hand over
/// to varied parents.
GYROSTAT_INLINE void move_outboard(const Differentiated& at, const BodyRange& varied,
                                   const Kinematics<Directional>& kinematics, std::size_t from, DerivativesData& w) {
  using P = SomeDirections;
  const Mechanism& mechanism = at.mechanism;
  std::uint32_t end = varied.last;
  for (std::uint32_t i = varied.first; i < varied.last; ++i) end = std::max(end, mechanism.end[i]);
  ChangeOfMotion y;  // of the body before: the parent, along a chain
  for (std::uint32_t i = varied.last; i < end; ++i) {
    const Link& link = mechanism.links[i];
    const Composite& c = at.composites->bodies[i];
    const bool parent_varies = link.parent < varied.last;
    if (parent_varies) {
      y = change_of_motion(kinematics.bodies[link.parent], w.increment[link.parent], from);
    } else if (link.parent != i - 1) {
      y = loaded_motion(w.motion[link.parent], from);
    }
    const Vec3<double>& r = at.kinematics.bodies[i].r;
    y.inertial.v += cross(y.inertial.w, cast<P>(r)) + cross(y.w, cast<P>(2.0 * c.velocity));
    if (parent_varies) hand_over(c, r, y, from, w.transmitted[link.parent]);
    for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) {
      const CompositeRow& row = at.composites->rows[k];
      const Wrench<P> F = {cast<P>(row.by_acceleration.torque), cast<P>(row.by_acceleration.force)};
      const P force =
          product(y.inertial, F) + dot(cast<P>(row.by_angular_velocity), y.w) + dot(cast<P>(row.by_turn), y.turn);
      store(loaded(w.right[k], from) - force, from, w.right[k]);
    }
    if (link.branch_sum != 0) store_motion(y, from, w.motion[i]);
  }
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
