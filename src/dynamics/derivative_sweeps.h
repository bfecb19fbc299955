// The sweeps of the derivatives; compiled by kernels.cpp.
//
// The equations of motion say that inverse dynamics at the accelerations found gives the forces that act. Along any
// direction their change is zero:  M d(udot) = - d(inverse dynamics) with udot kept. The right-hand side comes from one
// outward and one inward sweep of changes, M^-1 from the articulated bodies that are there already.
//
// A coordinate moves all that is outboard of its joint as one rigid body. Seen from that body nothing has moved but
// what is inboard: so outboard of the joint only velocities and accelerations change, never positions, and the change
// by a coordinate costs no more than that by a speed.
#pragma once

#include "gyrostat/dynamics/articulated_body_sweeps.h"
#include "gyrostat/dynamics/coordinate_rates.h"
#include "gyrostat/dynamics/derivatives.h"
#include "gyrostat/dynamics/inverse_dynamics_sweeps.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// Eight directions: the speeds `first` .. `first` + 7.
struct Directions {
  std::uint32_t first = 0;
  const std::array<Pack, Pack::lanes + 1>& units;

  /// One in the lane of speed k, or zero.
  [[nodiscard]] const Pack& unit(std::uint32_t k) const {
    return units[std::min<std::uint32_t>(k - first, Pack::lanes)];  // below `first` the difference is huge
  }
  /// Is one of the `count` speeds from k on among them?
  [[nodiscard]] bool begin_at(std::uint32_t k, std::uint32_t count) const {
    return k + count > first && k < first + Pack::lanes;
  }
};

// clang-format off
[[gnu::always_inline]] inline Vec3<Pack> wide(const Vec3<double>& a) { return cast<Pack>(a); }
[[gnu::always_inline]] inline Mat3<Pack> wide(const Mat3<double>& m) { return cast<Pack>(m); }
// clang-format on

/// Change of [alpha] + [w][w].
[[gnu::always_inline]] inline Mat3<Pack> gradient_change(const BodyTangent& d, const Vec3<Pack>& w) {
  const Pack two(2.0);
  const Pack xx = two * w.x * d.w.x, yy = two * w.y * d.w.y, zz = two * w.z * d.w.z;
  const Pack xy = w.x * d.w.y + w.y * d.w.x, xz = w.x * d.w.z + w.z * d.w.x, yz = w.y * d.w.z + w.z * d.w.y;
  return {{-yy - zz, xy + d.alpha.z, xz - d.alpha.y},
          {xy - d.alpha.z, -xx - zz, yz + d.alpha.x},
          {xz + d.alpha.y, yz - d.alpha.x, -xx - yy}};
}

/// The change of a body that the joint turns about z or slides along z, seen from the body.       (3)-(6)
template <bool by_position>
[[gnu::always_inline]] inline void change_at_axis(const Link& link, const BodyMotion<double>& inboard,
                                                  const BodyMotion<double>& body, double speed, bool begins,
                                                  const Pack& unit, const BodyTangent& parent, BodyTangent& d) {
  const Vec3<Pack> z = wide(body.R.z);
  const Pack u(speed);
  const bool turns = link.subspace == Subspaces::turn;
  d.w = parent.w;
  d.alpha = parent.alpha;
  d.a = parent.a + parent.W * wide(body.r);
  if (turns) {
    d.alpha += u * cross(parent.w, z);
  } else {
    d.a += (u + u) * cross(parent.w, z);
  }
  if (!begins) return;
  const Vec3<Pack> w_P = wide(inboard.w);
  if (by_position && turns) {  // what is inboard turns back
    const Vec3<Pack> back = unit * cross(w_P, z);
    d.w += back;
    d.alpha += unit * cross(wide(inboard.alpha), z) + u * cross(back, z);
    d.a += unit * cross(wide(body.a), z);
    d.theta = unit * z;
    d.r = {};
  } else if (by_position) {  // and slides back
    d.a += unit * (wide(inboard.W) * z);
    d.theta = {};
    d.r = unit * z;
  } else if (turns) {
    d.w += unit * z;
    d.alpha += unit * cross(w_P, z);
    d.theta = d.r = {};
  } else {
    d.a += (unit + unit) * cross(w_P, z);
    d.theta = d.r = {};
  }
}

/// The same for any joint, by dual numbers through the general kinematics.
template <bool by_position>
[[gnu::noinline, GYROSTAT_WHOLE]] void change_at_columns(const Mechanism& mechanism, std::uint32_t i, const double* q,
                                                         const double* u, const double* udot,
                                                         const Directions& directions,
                                                         const BodyMotion<double>& inboard, const BodyTangent& parent,
                                                         BodyTangent& d, Column<Pack>* dcolumns) {
  using D = Dual<Pack::lanes>;
  const Link& link = mechanism.links[i];
  const Joint& joint = mechanism.system->joints[i];
  const auto dual = [](double value, const Pack& change) {
    D x(value);
    for (std::size_t l = 0; l < Pack::lanes; ++l) x.d[l] = change[l];
    return x;
  };
  const auto vector = [&](const Vec3<double>& value, const Vec3<Pack>& change) {
    return Vec3<D>{dual(value.x, change.x), dual(value.y, change.y), dual(value.z, change.z)};
  };
  const auto value = [](const Vec3<D>& x) { return wide(Vec3<double>{x.x.value, x.y.value, x.z.value}); };
  const auto change = [](const Vec3<D>& x) {
    Vec3<Pack> c;
    for (std::size_t l = 0; l < Pack::lanes; ++l) {
      c.x[l] = x.x.d[l];
      c.y[l] = x.y.d[l];
      c.z[l] = x.z.d[l];
    }
    return c;
  };

  BodyMotion<D> from, to;
  from.R = cast<D>(inboard.R);
  from.w = vector(inboard.w, parent.w);
  from.alpha = vector(inboard.alpha, parent.alpha);
  from.W = acceleration_gradient(from.alpha, from.w);
  from.a = vector(inboard.a, parent.a);
  std::array<D, 7> qs;
  std::array<D, 6> us;
  for (std::size_t k = 0; k < joint.nq; ++k) qs[k] = D(q[joint.q + k]);
  for (std::uint32_t k = 0; k < joint.nu; ++k) {
    const Pack& unit = directions.unit(joint.u + k);
    us[k] = dual(u[joint.u + k], by_position ? Pack() : unit);
    if (!by_position) continue;
    if (has_quaternion(joint.type) && k < 3) {  // as coordinate_rates has it
      const std::size_t e = joint.type == JointType::free ? 3 : 0;
      const double* p = q + joint.q + e;
      const std::array<std::array<double, 4>, 3> rates = {
          {{-p[1], p[0], p[3], -p[2]}, {-p[2], -p[3], p[0], p[1]}, {-p[3], p[2], -p[1], p[0]}}};
      for (std::size_t c = 0; c < 4; ++c) qs[e + c] = qs[e + c] + dual(0, Pack(0.5 * rates[k][c]) * unit);
    } else {
      const std::size_t c = has_quaternion(joint.type) ? k - 3 : k;
      qs[c] = qs[c] + dual(0, unit);
    }
  }
  std::array<Column<D>, 6> columns;
  move_outboard(mechanism, i, qs.data(), us.data(), from, to, columns.data());
  for (std::size_t k = 0; k < link.nu; ++k) {
    const D rate(udot[link.u + k]);
    to.alpha += rate * columns[k].w;
    to.a += rate * columns[k].v;
    dcolumns[k] = {change(columns[k].w), change(columns[k].v)};
  }
  // The turn of the body is half the sum of axis x change of axis; what is seen from the body has it taken off.
  const auto turn = [&](const Vec3<D>& axis) { return cross(value(axis), change(axis)); };
  d.theta = Pack(0.5) * (turn(to.R.x) + turn(to.R.y) + turn(to.R.z));
  d.r = change(to.r);
  d.w = change(to.w) - cross(d.theta, value(to.w));
  d.alpha = change(to.alpha) - cross(d.theta, value(to.alpha));
  d.a = change(to.a) - cross(d.theta, value(to.a));
}

/// Wheels, and what is left out on request: what they add to the change, and the change of their own force.       (8)
template <bool by_position>
[[gnu::noinline, GYROSTAT_WHOLE]] void change_at_wheels(const Mechanism& mechanism, std::uint32_t i,
                                                        const BodyMotion<double>& body, const BodyTangent& d,
                                                        const double* u, const Directions& directions,
                                                        Wrench<Pack>& change, Pack* drive) {
  const bool gyroscopic = mechanism.links[i].gyroscopic;
  const Vec3<Pack> w = wide(body.w);
  if (!gyroscopic) {
    const Matrix3 R = to_eigen(body.R) * mechanism.R_UB[i].transpose();
    const Matrix3 inertia = R * mechanism.system->bodies[i].mass_properties.inertia * R.transpose();
    const Sym3<Pack> J = cast<Pack>(symmetric(inertia));
    change.torque -= cross(d.w, J * w) + cross(w, J * d.w);
  }
  for (std::uint32_t k = mechanism.wheel_of[i]; k < mechanism.wheel_of[i + 1]; ++k) {
    const WheelLink& wheel = mechanism.wheels[k];
    const Vec3<Pack> b = wide(body.R * wheel.axis);
    const Pack inertia(wheel.inertia);
    if (gyroscopic) {
      change.torque += (inertia * Pack(u[wheel.u])) * cross(d.w, b);
      if (!by_position) change.torque += (inertia * directions.unit(wheel.u)) * cross(w, b);
    }
    drive[wheel.u] = -(inertia * dot(b, d.alpha));
  }
}

/// Which bodies the directions move.
struct Span {
  std::uint32_t begin, end;
};
inline Span span_of(const Mechanism& mechanism, const Directions& directions, const Derivatives& w) {
  const std::size_t last = std::min<std::size_t>(directions.first + Pack::lanes, mechanism.nu);
  Span span{static_cast<std::uint32_t>(mechanism.links.size()), 0};
  for (std::size_t k = directions.first; k < last; ++k) {
    span.begin = std::min(span.begin, w.body_of[k]);
    span.end = std::max(span.end, mechanism.end[w.body_of[k]]);
  }
  return span;
}

/// Outward: change of the motion of body i, and of the wrench it needs.
template <bool by_position>
[[gnu::always_inline]] inline void change_outward(const Mechanism& mechanism, std::uint32_t i, const double* q,
                                                  const double* u, const Forces<double>& forces,
                                                  const Directions& directions, const Span& span, const Derivatives& w,
                                                  Directional& along) {
  const std::vector<BodyMotion<double>>& bodies = w.motion.kinematics.bodies;
  const Link& link = mechanism.links[i];
  const BodyTangent& parent = link.parent < span.begin ? w.still : along.tangents[link.parent];
  BodyTangent& d = along.tangents[i];
  Wrench<Pack>& through = along.through[i];
  if (link.subspace == Subspaces::turn || link.subspace == Subspaces::slide) {
    change_at_axis<by_position>(link, bodies[link.parent], bodies[i], u[link.u], directions.begin_at(link.u, 1),
                                directions.unit(link.u), parent, d);
  } else {
    change_at_columns<by_position>(mechanism, i, q, u, w.udot.data(), directions, bodies[link.parent], parent, d,
                                   along.columns.data() + link.u);
  }
  d.W = gradient_change(d, wide(bodies[i].w));
  const Moments<double>& m = w.moments[i];
  through = required_wrench(Pack(link.mass), Moments<Pack>{wide(m.mc), cast<Pack>(m.E)}, d.W, d.a);  // (7)
  if constexpr (by_position) {
    d.turned = parent.turned;
    if (directions.begin_at(link.u, link.nu)) d.turned += d.theta;
    through.torque += cross(d.turned, wide(forces.wrench[i].torque));
    through.force += cross(d.turned, wide(forces.wrench[i].force));
  }
  if (link.wheels || !link.gyroscopic) {
    change_at_wheels<by_position>(mechanism, i, bodies[i], d, u, directions, through, along.drive.data());
  }
}

/// Inward: what joint i would have to change, with the sign of a drive.       (9), (10)
[[gnu::always_inline]] inline void change_inward(const Mechanism& mechanism, std::uint32_t i,
                                                 const Directions& directions, const Span& span, const Derivatives& w,
                                                 Directional& along) {
  const Link& link = mechanism.links[i];
  const BodyMotion<double>& body = w.motion.kinematics.bodies[i];
  Wrench<Pack>& change = along.through[i];
  const bool begins = i >= span.begin && directions.begin_at(link.u, link.nu);
  const Vec3<Pack> torque = wide(w.motion.through[i].torque), force = wide(w.motion.through[i].force);
  if (begins) {  // seen from outside again
    change.torque += cross(along.tangents[i].theta, torque);
    change.force += cross(along.tangents[i].theta, force);
  }
  if (link.subspace == Subspaces::turn) {
    along.drive[link.u] = -dot(wide(body.R.z), change.torque);
  } else if (link.subspace == Subspaces::slide) {
    along.drive[link.u] = -dot(wide(body.R.z), change.force);
  } else {
    for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) {
      const Column<double>& column = w.motion.kinematics.columns[k];
      Pack drive = product(Column<Pack>{wide(column.w), wide(column.v)}, change);
      if (begins) drive = drive + product(along.columns[k], Wrench<Pack>{torque, force});
      along.drive[k] = -drive;
    }
  }
  if (link.parent == 0) return;
  Wrench<Pack>& parent = along.through[link.parent];
  parent.torque += change.torque + cross(wide(body.r), change.force);
  if (begins) parent.torque += cross(along.tangents[i].r, force);
  parent.force += change.force;
}

inline Column<Pack> wide(const Column<double>& c) { return {wide(c.w), wide(c.v)}; }
inline Wrench<Pack> wide(const Wrench<double>& F) { return {wide(F.torque), wide(F.force)}; }

/// M^-1 times the drives, by the articulated bodies, inwards.       (11)
[[gnu::always_inline]] inline void respond_inward(const Mechanism& mechanism, std::uint32_t i, const Derivatives& w,
                                                  Directional& along) {
  const BodyMotion<double>& body = w.motion.kinematics.bodies[i];
  const Link& link = mechanism.links[i];
  Wrench<Pack> pull = along.pull[i];
  if (link.subspace == Subspaces::floating) {
    for (std::uint32_t k = link.u; k < link.u + 6; ++k) {
      const Column<Pack> column = wide(w.motion.kinematics.columns[k]);
      pull.torque -= along.drive[k] * column.w;
      pull.force -= along.drive[k] * column.v;
    }
    const Inertia<double>& A = w.articulated.floating[link.floats];
    along.rise[i] = solved(Inertia<Pack>{cast<Pack>(A.I), wide(A.H), cast<Pack>(A.M)}, {-pull.torque, -pull.force});
    return;
  }
  if (link.motion == Motion::free) {
    Column<double> only;
    const Column<double>* columns = columns_of(link, w.motion.kinematics, body, only);
    for (std::uint32_t k = link.nu; k-- > 0;) {
      const ArticulatedColumn<double>& c = w.articulated.columns[link.u + k];
      Pack& drive = along.drive[link.u + k];
      drive = (drive - product(wide(columns[k]), pull)) * Pack(c.per_D);
      pull.torque += drive * wide(c.U.torque);
      pull.force += drive * wide(c.U.force);
    }
  }
  if (link.parent == 0) return;
  along.pull[link.parent].torque += pull.torque + cross(wide(body.r), pull.force);
  along.pull[link.parent].force += pull.force;
}

/// And outwards: the drives become accelerations.
[[gnu::always_inline]] inline void respond_outward(const Mechanism& mechanism, std::uint32_t i, const Derivatives& w,
                                                   Directional& along) {
  const Link& link = mechanism.links[i];
  if (link.subspace == Subspaces::floating) {
    for (std::uint32_t k = link.u; k < link.u + 3; ++k) {
      along.drive[k] = dot(wide(w.motion.kinematics.columns[k].w), along.rise[i].w);
    }
    along.drive[link.u + 3] = along.rise[i].v.x;
    along.drive[link.u + 4] = along.rise[i].v.y;
    along.drive[link.u + 5] = along.rise[i].v.z;
    return;
  }
  const BodyMotion<double>& body = w.motion.kinematics.bodies[i];
  const Column<Pack>& inboard = along.rise[link.parent];
  Column<Pack> at = {inboard.w, inboard.v + cross(inboard.w, wide(body.r))};
  Column<double> only;
  const Column<double>* columns = columns_of(link, w.motion.kinematics, body, only);
  for (std::uint32_t k = 0; k < link.nu; ++k) {
    const ArticulatedColumn<double>& c = w.articulated.columns[link.u + k];
    Pack& drive = along.drive[link.u + k];
    if (link.motion != Motion::free) {
      drive = Pack();
      continue;
    }
    drive = drive - Pack(c.per_D) * product(at, wide(c.U));
    const Column<Pack> column = wide(columns[k]);
    at.w += drive * column.w;
    at.v += drive * column.v;
  }
  along.rise[i] = at;
}

/// Before and after the sweeps: what no direction moves, and wheels.
inline void clear_outside(const Mechanism& mechanism, const Span& span, Directional& along) {
  for (std::uint32_t i = 1; i < span.begin; ++i) along.through[i] = {};
  for (std::uint32_t i = span.end; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) along.drive[k] = Pack();
  }
  for (const WheelLink& wheel : mechanism.wheels) {
    if (wheel.body < span.begin || wheel.body >= span.end) along.drive[wheel.u] = Pack();
  }
  for (Wrench<Pack>& pull : along.pull) pull = {};
}

inline void pull_by_wheels(const Mechanism& mechanism, const Derivatives& w, Directional& along) {
  for (const WheelLink& wheel : mechanism.wheels) {
    if (wheel.prescribed) continue;
    along.pull[wheel.body].torque += along.drive[wheel.u] * wide(w.motion.kinematics.bodies[wheel.body].R * wheel.axis);
  }
}

inline void respond_at_wheels(const Mechanism& mechanism, const Derivatives& w, Directional& along) {
  for (const WheelLink& wheel : mechanism.wheels) {
    Pack& drive = along.drive[wheel.u];
    const Vec3<Pack> b = wide(w.motion.kinematics.bodies[wheel.body].R * wheel.axis);
    drive = wheel.prescribed ? Pack() : drive * Pack(1 / wheel.inertia) - dot(b, along.rise[wheel.body].w);
  }
}

/// Eight columns of both matrices. By coordinates and by speeds take turns at every body: neither has to wait for
/// itself.
[[gnu::always_inline]] inline void fill_block(const Mechanism& mechanism, const double* q, const double* u,
                                              const Forces<double>& forces, std::size_t block, Derivatives& w) {
  const Directions directions{static_cast<std::uint32_t>(block * Pack::lanes), w.units};
  const Span span = span_of(mechanism, directions, w);
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  for (Directional* along : {&w.along_q, &w.along_u}) clear_outside(mechanism, span, *along);
  for (std::uint32_t i = span.begin; i < span.end; ++i) {
    change_outward<true>(mechanism, i, q, u, forces, directions, span, w, w.along_q);
    change_outward<false>(mechanism, i, q, u, forces, directions, span, w, w.along_u);
  }
  for (std::uint32_t i = span.end - 1; i > 0; --i) {
    change_inward(mechanism, i, directions, span, w, w.along_q);
    change_inward(mechanism, i, directions, span, w, w.along_u);
  }
  for (Directional* along : {&w.along_q, &w.along_u}) pull_by_wheels(mechanism, w, *along);
  for (std::uint32_t i = count - 1; i > 0; --i) {
    respond_inward(mechanism, i, w, w.along_q);
    respond_inward(mechanism, i, w, w.along_u);
  }
  for (std::uint32_t i = 1; i < count; ++i) {
    respond_outward(mechanism, i, w, w.along_q);
    respond_outward(mechanism, i, w, w.along_u);
  }
  for (Directional* along : {&w.along_q, &w.along_u}) respond_at_wheels(mechanism, w, *along);
  for (std::size_t k = 0; k < w.by_q.rows; ++k) {
    w.by_q.entries[k * w.by_q.blocks + block] = w.along_q.drive[k];
    w.by_u.entries[k * w.by_u.blocks + block] = w.along_u.drive[k];
  }
}

[[gnu::always_inline]] inline void derivative_sweeps(const Mechanism& mechanism, const double* q, const double* u,
                                                     const Forces<double>& forces, Derivatives& w) {
  outward<double, false>(mechanism, q, u, nullptr, w.kinematics);
  gather(mechanism, w.kinematics, u, forces, w.articulated);
  scatter(mechanism, w.kinematics, forces, w.articulated, w.udot.data());
  inverse_dynamics_sweeps(mechanism, q, u, w.udot.data(), forces, w.motion, w.tau.data());
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    w.moments[i] = moments(mechanism.links[i], w.motion.kinematics.bodies[i].R);
  }
  for (std::size_t block = 0; block < w.by_q.blocks; ++block) fill_block(mechanism, q, u, forces, block, w);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
