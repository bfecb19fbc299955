// The sweeps of the derivatives; compiled by kernels.cpp.
//
// The equations of motion say that inverse dynamics at the accelerations found gives the forces that act. Along any
// direction their change is zero:  M d(udot) = - d(inverse dynamics) with udot kept. The right-hand side comes from one
// outward and one inward sweep of tangents, M^-1 from the articulated bodies that are there already.
#pragma once

#include "gyrostat/dynamics/articulated_body_sweeps.h"
#include "gyrostat/dynamics/coordinate_rates.h"
#include "gyrostat/dynamics/derivatives.h"
#include "gyrostat/dynamics/inverse_dynamics_sweeps.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat::inline GYROSTAT_PROCESSOR {

/// Eight directions: the speeds `first` .. `first` + 7.
struct Directions {
  std::uint32_t first = 0;
  const std::array<Pack, Pack::lanes + 1>& units;

  /// One in the lane of speed k, or zero.
  [[nodiscard]] const Pack& unit(std::uint32_t k) const {
    return units[std::min<std::uint32_t>(k - first, Pack::lanes)];  // below `first` the difference is huge
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

/// The change of a body that the joint turns about z or slides along z.       (3)-(7)
template <bool by_position>
[[gnu::always_inline]] inline void tangent_of_axis(const Link& link, const BodyMotion<double>& inboard,
                                                   const BodyMotion<double>& body, double speed, double udot,
                                                   const Pack& unit, const BodyTangent& parent, BodyTangent& d) {
  const Vec3<Pack> z = wide(body.R.z), w_P = wide(inboard.w), r = wide(body.r);
  const Pack u(speed);
  Vec3<Pack> dz{};
  d.theta = parent.theta;
  d.r = {};
  if constexpr (by_position) {
    dz = cross(parent.theta, z);
    d.r = cross(parent.theta, r);
    if (link.subspace == Subspaces::turn) {
      d.theta += unit * z;
    } else {
      d.r += unit * z;
    }
  }
  d.w = parent.w;
  d.alpha = parent.alpha;
  d.a = parent.a + parent.W * r;
  if constexpr (by_position) d.a += wide(inboard.W) * d.r;
  if (link.subspace == Subspaces::turn) {
    Vec3<Pack> slip = cross(parent.w, u * z);
    if constexpr (by_position) {
      const Vec3<Pack> dw = u * dz;
      d.w += dw;
      slip += cross(w_P, dw);
      d.alpha += Pack(udot) * dz;
    } else {
      const Vec3<Pack> dw = unit * z;
      d.w += dw;
      slip += cross(w_P, dw);
    }
    d.alpha += slip;
  } else {
    const Pack two(2.0);
    d.a += (two * u) * cross(parent.w, z);
    if constexpr (by_position) {
      d.a += (two * u) * cross(w_P, dz) + Pack(udot) * dz;
    } else {
      d.a += (two * unit) * cross(w_P, z);
    }
  }
}

/// The same for any joint, by dual numbers through the general kinematics.
template <bool by_position>
[[gnu::noinline]] void tangent_of_columns(const Mechanism& mechanism, std::uint32_t i, const double* q, const double* u,
                                          const double* udot, const Directions& directions,
                                          const BodyMotion<double>& inboard, const BodyTangent& parent, BodyTangent& d,
                                          Column<Pack>* dcolumns) {
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
  const auto turned = [&](const Vec3<double>& axis) { return vector(axis, cross(parent.theta, wide(axis))); };
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
  from.R = {turned(inboard.R.x), turned(inboard.R.y), turned(inboard.R.z)};
  from.w = vector(inboard.w, parent.w);
  from.alpha = vector(inboard.alpha, parent.alpha);
  from.W = acceleration_gradient(from.alpha, from.w);
  from.a = vector(inboard.a, parent.a);
  std::array<D, 7> qs;
  std::array<D, 6> us;
  for (std::size_t k = 0; k < joint.nq; ++k) qs[k] = D(q[joint.q + k]);
  for (std::uint32_t k = 0; k < joint.nu; ++k) {
    const Pack unit = directions.unit(joint.u + k);
    us[k] = D(u[joint.u + k]);
    if constexpr (by_position) {
      // A unit of this speed moves the coordinates; quaternions as coordinate_rates has it.
      if (has_quaternion(joint.type) && k < 3) {
        const std::size_t e = joint.type == JointType::free ? 3 : 0;
        const double* p = q + joint.q + e;
        const std::array<std::array<double, 4>, 3> rates = {
            {{-p[1], p[0], p[3], -p[2]}, {-p[2], -p[3], p[0], p[1]}, {-p[3], p[2], -p[1], p[0]}}};
        for (std::size_t c = 0; c < 4; ++c) qs[e + c] = qs[e + c] + dual(0, Pack(0.5 * rates[k][c]) * unit);
      } else {
        const std::size_t c = has_quaternion(joint.type) ? k - 3 : k;
        qs[c] = qs[c] + dual(0, unit);
      }
    } else {
      us[k] = us[k] + dual(0, unit);
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
  // The turn of the body from that of its axes: half the sum of axis x change.
  const auto half = Pack(0.5);
  const auto axis = [&](const Vec3<D>& x) {
    return cross(wide(Vec3<double>{x.x.value, x.y.value, x.z.value}), change(x));
  };
  d.theta = half * (axis(to.R.x) + axis(to.R.y) + axis(to.R.z));
  d.r = change(to.r);
  d.w = change(to.w);
  d.alpha = change(to.alpha);
  d.a = change(to.a);
}

/// Change of the wrench that a body needs: of m a + W mc, and of mc x a + the integral of x x W x dm.       (8), (9)
template <bool by_position>
[[gnu::always_inline]] inline Wrench<Pack> needed_change(const Link& link, const Moments<double>& m,
                                                         const BodyMotion<double>& body, const BodyTangent& d) {
  const Vec3<Pack> mc = wide(m.mc);
  Wrench<Pack> change = required_wrench(Pack(link.mass), Moments<Pack>{mc, cast<Pack>(m.E)}, d.W, d.a);
  if constexpr (by_position) {
    const Vec3<Pack>& t = d.theta;
    const Vec3<Pack> dmc = cross(t, mc);
    const Sym3<double>& E = m.E;
    const Vec3<Pack> x = cross(t, wide(Vec3<double>{E.xx, E.xy, E.xz})),
                     y = cross(t, wide(Vec3<double>{E.xy, E.yy, E.yz})),
                     z = cross(t, wide(Vec3<double>{E.xz, E.yz, E.zz}));
    const Moments<Pack> turned = {dmc, {x.x + x.x, y.y + y.y, z.z + z.z, x.y + y.x, x.z + z.x, y.z + z.y}};
    const Wrench<Pack> by_turn = required_wrench(Pack(), turned, wide(body.W), wide(body.a));
    change.torque += by_turn.torque;
    change.force += by_turn.force;
  }
  return change;
}

/// Wheels: what they add to the change, and the change of their own force.       (10)
template <bool by_position>
[[gnu::noinline]] void needed_change_of_wheels(const Mechanism& mechanism, std::uint32_t i,
                                               const BodyMotion<double>& body, const BodyTangent& d, const double* u,
                                               const double* udot, const Directions& directions, Wrench<Pack>& change,
                                               Pack* drive) {
  const bool gyroscopic = mechanism.links[i].gyroscopic;
  const Vec3<Pack> w = wide(body.w);
  if (!gyroscopic) {
    const Matrix3& R_UB = mechanism.R_UB[i];
    const Matrix3 R = to_eigen(body.R) * R_UB.transpose();
    const Matrix3 J_N = R * mechanism.system->bodies[i].mass_properties.inertia * R.transpose();
    const Sym3<Pack> J = cast<Pack>(symmetric(J_N));
    // d(J w) = theta x J w + J (dw - theta x w)
    const Vec3<Pack> h = J * w, dh = cross(d.theta, h) + J * (d.w - cross(d.theta, w));
    change.torque -= cross(d.w, h) + cross(w, dh);
  }
  for (std::uint32_t k = mechanism.wheel_of[i]; k < mechanism.wheel_of[i + 1]; ++k) {
    const WheelLink& wheel = mechanism.wheels[k];
    const Vec3<Pack> b = wide(body.R * wheel.axis), db = cross(d.theta, b);
    const Pack inertia(wheel.inertia), rate(u[wheel.u]), acceleration(udot[wheel.u]);
    Vec3<Pack> dh = rate * db;
    if constexpr (!by_position) dh += directions.unit(wheel.u) * b;
    if (gyroscopic) change.torque += inertia * (cross(d.w, rate * b) + cross(w, dh));
    change.torque += (inertia * acceleration) * db;
    drive[wheel.u] = -(inertia * (dot(db, wide(body.alpha)) + dot(b, d.alpha)));
  }
}

/// Outward: tangents of all bodies that the directions move; inward: what their joints would have to change.
template <bool by_position>
[[gnu::always_inline]] inline void tangent_sweeps(const Mechanism& mechanism, const double* q, const double* u,
                                                  const Directions& directions, Derivatives& w) {
  const std::vector<BodyMotion<double>>& bodies = w.motion.kinematics.bodies;
  const auto last = static_cast<std::uint32_t>(std::min<std::size_t>(directions.first + Pack::lanes, mechanism.nu)) - 1;
  std::uint32_t begin = static_cast<std::uint32_t>(mechanism.links.size()), end = 0;
  for (std::uint32_t k = directions.first; k <= last; ++k) {
    begin = std::min(begin, w.body_of[k]);
    end = std::max(end, mechanism.end[w.body_of[k]]);
  }
  for (std::uint32_t i = begin; i < end; ++i) {
    const Link& link = mechanism.links[i];
    const BodyTangent& parent = link.parent < begin ? w.still : w.tangents[link.parent];
    BodyTangent& d = w.tangents[i];
    if (link.subspace == Subspaces::turn || link.subspace == Subspaces::slide) {
      tangent_of_axis<by_position>(link, bodies[link.parent], bodies[i], u[link.u], w.udot[link.u],
                                   directions.unit(link.u), parent, d);
    } else {
      tangent_of_columns<by_position>(mechanism, i, q, u, w.udot.data(), directions, bodies[link.parent], parent, d,
                                      w.columns.data() + link.u);
    }
    d.W = gradient_change(d, wide(bodies[i].w));
    w.through[i] = needed_change<by_position>(link, w.moments[i], bodies[i], d);
    if (link.wheels || !link.gyroscopic) {
      needed_change_of_wheels<by_position>(mechanism, i, bodies[i], d, u, w.udot.data(), directions, w.through[i],
                                           w.drive.data());
    }
  }
  for (std::uint32_t i = 1; i < begin; ++i) w.through[i] = {};
  for (std::uint32_t i = end; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) w.drive[k] = Pack();
  }

  for (std::uint32_t i = end - 1; i > 0; --i) {
    const Link& link = mechanism.links[i];
    const BodyMotion<double>& body = bodies[i];
    const Wrench<Pack>& change = w.through[i];
    const Wrench<double>& through = w.motion.through[i];
    const bool moved_body = i >= begin;
    const Vec3<Pack> z = wide(body.R.z);
    if (link.subspace == Subspaces::turn) {
      Pack drive = dot(z, change.torque);
      if (by_position && moved_body) drive = drive + dot(cross(w.tangents[i].theta, z), wide(through.torque));
      w.drive[link.u] = -drive;
    } else if (link.subspace == Subspaces::slide) {
      Pack drive = dot(z, change.force);
      if (by_position && moved_body) drive = drive + dot(cross(w.tangents[i].theta, z), wide(through.force));
      w.drive[link.u] = -drive;
    } else {
      const Wrench<Pack> kept = {wide(through.torque), wide(through.force)};
      for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) {
        const Column<double>& column = w.motion.kinematics.columns[k];
        Pack drive = product(Column<Pack>{wide(column.w), wide(column.v)}, change);
        if (moved_body) drive = drive + product(w.columns[k], kept);
        w.drive[k] = -drive;
      }
    }
    if (link.parent == 0) continue;
    Wrench<Pack>& parent = w.through[link.parent];
    parent.torque += change.torque + cross(wide(body.r), change.force);
    if (by_position && moved_body) parent.torque += cross(w.tangents[i].r, wide(through.force));
    parent.force += change.force;
  }
  for (const WheelLink& wheel : mechanism.wheels) {
    if (wheel.body < begin || wheel.body >= end) w.drive[wheel.u] = Pack();
  }
}

/// M^-1 times the drives, by the articulated bodies; the drives become accelerations.       (11)
[[gnu::always_inline]] inline void respond_to_drives(const Mechanism& mechanism, Derivatives& w) {
  const std::vector<BodyMotion<double>>& bodies = w.motion.kinematics.bodies;
  for (Wrench<Pack>& pull : w.pull) pull = {};
  for (const WheelLink& wheel : mechanism.wheels) {
    if (!wheel.prescribed) w.pull[wheel.body].torque += w.drive[wheel.u] * wide(bodies[wheel.body].R * wheel.axis);
  }
  const auto wide_column = [](const Column<double>& c) { return Column<Pack>{wide(c.w), wide(c.v)}; };
  for (auto i = static_cast<std::uint32_t>(mechanism.links.size()) - 1; i > 0; --i) {
    const Link& link = mechanism.links[i];
    Wrench<Pack> pull = w.pull[i];
    if (link.subspace == Subspaces::floating) {
      for (std::uint32_t k = link.u; k < link.u + 6; ++k) {
        const Column<Pack> column = wide_column(w.motion.kinematics.columns[k]);
        pull.torque -= w.drive[k] * column.w;
        pull.force -= w.drive[k] * column.v;
      }
      const Inertia<double>& A = w.articulated.floating[link.floats];
      w.rise[i] = solved(Inertia<Pack>{cast<Pack>(A.I), wide(A.H), cast<Pack>(A.M)}, {-pull.torque, -pull.force});
      continue;
    }
    if (link.motion == Motion::free) {
      Column<double> only;
      const Column<double>* columns = columns_of(link, w.motion.kinematics, bodies[i], only);
      for (std::uint32_t k = link.nu; k-- > 0;) {
        const ArticulatedColumn<double>& c = w.articulated.columns[link.u + k];
        Pack& drive = w.drive[link.u + k];
        drive = (drive - product(wide_column(columns[k]), pull)) * Pack(c.per_D);
        pull.torque += drive * wide(c.U.torque);
        pull.force += drive * wide(c.U.force);
      }
    }
    if (link.parent == 0) continue;
    w.pull[link.parent].torque += pull.torque + cross(wide(bodies[i].r), pull.force);
    w.pull[link.parent].force += pull.force;
  }
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    if (link.subspace == Subspaces::floating) {
      for (std::uint32_t k = link.u; k < link.u + 3; ++k) {
        w.drive[k] = dot(wide(w.motion.kinematics.columns[k].w), w.rise[i].w);
      }
      w.drive[link.u + 3] = w.rise[i].v.x;
      w.drive[link.u + 4] = w.rise[i].v.y;
      w.drive[link.u + 5] = w.rise[i].v.z;
      continue;
    }
    const Column<Pack>& inboard = w.rise[link.parent];
    Column<Pack> at = {inboard.w, inboard.v + cross(inboard.w, wide(bodies[i].r))};
    Column<double> only;
    const Column<double>* columns = columns_of(link, w.motion.kinematics, bodies[i], only);
    for (std::uint32_t k = 0; k < link.nu; ++k) {
      const ArticulatedColumn<double>& c = w.articulated.columns[link.u + k];
      Pack& drive = w.drive[link.u + k];
      if (link.motion != Motion::free) {
        drive = Pack();
        continue;
      }
      drive = drive - Pack(c.per_D) * product(at, Wrench<Pack>{wide(c.U.torque), wide(c.U.force)});
      const Column<Pack> column = wide_column(columns[k]);
      at.w += drive * column.w;
      at.v += drive * column.v;
    }
    w.rise[i] = at;
  }
  for (const WheelLink& wheel : mechanism.wheels) {
    Pack& drive = w.drive[wheel.u];
    const Vec3<Pack> b = wide(bodies[wheel.body].R * wheel.axis);
    drive = wheel.prescribed ? Pack() : drive * Pack(1 / wheel.inertia) - dot(b, w.rise[wheel.body].w);
  }
}

template <bool by_position>
[[gnu::always_inline]] inline void fill(const Mechanism& mechanism, const double* q, const double* u, Derivatives& w,
                                        JacobianRows& jacobian) {
  for (std::size_t block = 0; block < jacobian.blocks; ++block) {
    const Directions directions{static_cast<std::uint32_t>(block * Pack::lanes), w.units};
    tangent_sweeps<by_position>(mechanism, q, u, directions, w);
    respond_to_drives(mechanism, w);
    for (std::size_t k = 0; k < jacobian.rows; ++k) jacobian.entries[k * jacobian.blocks + block] = w.drive[k];
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
  fill<true>(mechanism, q, u, w, w.by_q);
  fill<false>(mechanism, q, u, w, w.by_u);
}

}  // namespace gyrostat::inline GYROSTAT_PROCESSOR
