// Energy and momentum, and where the mass centre is, over any scalar. Numbers in comments are the equations of
// docs/theory/conserved.md.
#pragma once

#include "gyrostat/dynamics/inertia.h"

namespace gyrostat {

/// Where a body's base point is and how it moves, world axes.
template <class T>
struct BasePoint {
  Vec3<T> p, v;  // [m], [m/s]
};

/// Base points of all bodies, outwards; the recursions do without them.
template <class T, class C>
void find_base_points(const MechanismOf<C>& mechanism, const Kinematics<T>& kinematics, const T* u,
                      std::vector<BasePoint<T>>& points) {
  points.resize(mechanism.links.size());
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const LinkOf<C>& link = mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    const BasePoint<T>& inboard = points[link.parent];
    points[i].p = inboard.p + body.r;
    points[i].v = inboard.v + cross(kinematics.bodies[link.parent].w, body.r);
    Twist<T> only;
    const Twist<T>* S = subspace_of(link, kinematics, body, only);
    for (std::size_t k = 0; k < link.nu; ++k) points[i].v += u[link.u + k] * S[k].v;
  }
}

template <class T>
struct Conserved {
  T kinetic{};             // [J]
  Vec3<T> linear;          // [kg m/s]
  Vec3<T> angular_origin;  // about the world's origin [kg m^2/s]
  Vec3<T> angular_com;     // about the mass centre of the whole
  Vec3<T> com;             // [m]; zero without mass
  Vec3<T> com_velocity;    // [m/s]
  T mass{};                // [kg]
};

/// Places and velocities are taken relative to the first body's, so that a spacecraft far from the origin loses no
/// digits.
template <class T, class C>
Conserved<T> conserved(const MechanismOf<C>& mechanism, const Kinematics<T>& kinematics, const T* u,
                       const std::vector<BasePoint<T>>& points) {
  Conserved<T> sum;
  if (points.size() < 2) return sum;
  const BasePoint<T> first = points[1];
  Vec3<T> first_moment{}, linear{}, angular{};  // relative
  const T half(0.5);
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const LinkOf<C>& link = mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    const Vec3<T>& v = points[i].v;
    const Vec3<T>& w = body.w;
    const Moments<T> m = moments(link, body.R_NM);
    const T mass(link.mass);
    Vec3<T> h = (m.E.xx + m.E.yy + m.E.zz) * w - m.E * w;                                        // about the base point
    sum.kinetic = sum.kinetic + half * (mass * dot(v, v) + dot(w, h)) + dot(v, cross(w, m.mc));  // (1)
    for (std::uint32_t k = mechanism.wheel_of[i]; k < mechanism.wheel_of[i + 1]; ++k) {
      const WheelOf<C>& wheel = mechanism.wheels[k];
      const T momentum = T(wheel.inertia) * u[wheel.u];
      const Vec3<T> h_wheel = momentum * (body.R_NM * wheel.axis);
      sum.kinetic = sum.kinetic + dot(w, h_wheel) + half * momentum * u[wheel.u];  // (2)
      h += h_wheel;
    }
    const Vec3<T> p = points[i].p - first.p, dv = v - first.v;
    if (link.flexible != LinkStructure::none) {
      const FlexibleOf<C>& f = mechanism.flexible[link.flexible];
      const Deformation<T>& d = kinematics.deformations[link.flexible];
      const Vec3<T> Jw = d.J * w;
      T modal = dot(w, d.momentum.torque) + dot(v, d.momentum.force);
      for (std::uint32_t a = 0; a < f.modes; ++a) modal = modal + half * u[f.u + a] * u[f.u + a];
      sum.kinetic = sum.kinetic + half * (f.mass * dot(v, v) + dot(w, Jw)) + dot(v, cross(w, d.mc)) + modal;
      h += Jw + d.momentum.torque;
      const Vec3<T> of_body = f.mass * dv + cross(w, d.mc) + d.momentum.force;
      linear += of_body;
      angular += cross(d.mc, dv) + cross(p, of_body);
      first_moment += d.mc + f.mass * p;
      sum.mass = sum.mass + f.mass;
    }
    const Vec3<T> own = mass * dv + cross(w, m.mc);
    linear += own;
    angular += h + cross(m.mc, dv) + cross(p, own);  // (3)
    first_moment += m.mc + mass * p;
    sum.mass = sum.mass + mass;
  }
  const auto has_mass = sum.mass > 0.0;
  const T per_mass = select(has_mass, T(1.0) / sum.mass, T(0.0));
  const Vec3<T> com = per_mass * first_moment;
  sum.linear = linear + sum.mass * first.v;
  sum.angular_com = angular - cross(com, linear);  // (4)
  sum.com = choose<T>(has_mass, first.p + com, {});
  sum.com_velocity = choose<T>(has_mass, first.v + per_mass * linear, {});
  sum.angular_origin = sum.angular_com + cross(sum.com, sum.linear);
  return sum;
}

}  // namespace gyrostat
