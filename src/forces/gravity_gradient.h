// Gravity that varies over the spacecraft, over any scalar. Numbers in comments are the equations of
// docs/theory/gravity_gradient.md.
#pragma once

#include <cmath>

#include "gyrostat/forces/instant.h"
#include "gyrostat/forces/orbit.h"

namespace gyrostat {

/// A body's mass centre and second moments about it, world axes.
template <class T>
struct CentredMoments {
  Vec3<T> c;  // mass centre from the base point [m]
  Sym3<T> E;  // integral of x x^T dm about the mass centre [kg m^2]
};

template <class T>
CentredMoments<T> centred_moments(const Link& link, const Mat3<T>& R) {
  const Moments<T> m = moments(link, R);
  const Vec3<T> c = T(1 / link.mass) * m.mc;
  return {c,
          {m.E.xx - m.mc.x * c.x, m.E.yy - m.mc.y * c.y, m.E.zz - m.mc.z * c.z, m.E.xy - m.mc.x * c.y,
           m.E.xz - m.mc.x * c.z, m.E.yz - m.mc.y * c.z}};
}

/// From the world's origin [m].
template <class T>
Vec3<T> mass_centre(const Instant<T>& instant) {
  Vec3<T> moment{};
  double mass = 0;
  const Vec3<T> first = instant.base_points.size() > 1 ? instant.base_points[1].p : Vec3<T>{};
  for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
    const Link& link = instant.mechanism.links[i];
    moment += instant.kinematics.bodies[i].R_NM * cast<T>(link.mc) + T(link.mass) * (instant.base_points[i].p - first);
    mass += link.mass;
  }
  return mass > 0 ? first + T(1 / mass) * moment : first;
}

/// The orbit is given, the world's axes travel along it: what is left of gravity is its gradient, about the mass centre
/// of the whole.
template <class T>
void apply_gradient(const Orbit& orbit, const Instant<T>& instant, Forces<T>& forces) {
  const OrbitState at = orbit.at(instant.t);
  const T k(orbit.mu() / (at.radius * at.radius * at.radius));
  const Vec3<T> n = cast<T>(Vector3(at.position / at.radius));
  const auto gradient = [&](const Vec3<T>& x) { return k * (T(3.0) * dot(n, x) * n - x); };  // (1)
  const Vec3<T> com = mass_centre(instant);
  for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
    const Link& link = instant.mechanism.links[i];
    const Moments<T> m = moments(link, instant.kinematics.bodies[i].R_NM);
    const Vec3<T> s = instant.base_points[i].p - com;
    forces.wrench[i].force += gradient(T(link.mass) * s + m.mc);                               // (2)
    forces.wrench[i].torque += cross(m.mc, gradient(s)) + cross((T(3.0) * k) * (m.E * n), n);  // (3)
  }
}

/// A body with mass as the centre of attraction, the world's origin, sees it.
template <class T>
struct SeenFromCentre {
  CentredMoments<T> m;
  T distance;  // of the mass centre [m]
  Vec3<T> n;   // direction to it
  T trace;     // of m.E
};

template <class T>
SeenFromCentre<T> seen_from_centre(const Instant<T>& instant, std::uint32_t body) {
  using std::sqrt;
  const CentredMoments<T> m = centred_moments(instant.mechanism.links[body], instant.kinematics.bodies[body].R_NM);
  const Vec3<T> r = instant.base_points[body].p + m.c;
  const T distance = sqrt(dot(r, r));
  return {m, distance, (T(1.0) / distance) * r, m.E.xx + m.E.yy + m.E.zz};
}

/// The world's origin attracts every body, to the second order in the body's size.
template <class T>
void apply_attraction(double mu, const Instant<T>& instant, Forces<T>& forces) {
  for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
    const Link& link = instant.mechanism.links[i];
    if (link.mass == 0) continue;
    const auto [m, distance, n, trace] = seen_from_centre(instant, i);
    const T per_square = T(mu) / (distance * distance);
    const Vec3<T> En = m.E * n;
    const T second = T(1.5) / (distance * distance);
    const Vec3<T> force = -((per_square * T(link.mass)) * n) +
                          (per_square * second) * (T(2.0) * En + (trace - T(5.0) * dot(n, En)) * n);  // (5)
    const Vec3<T> torque = (T(3.0) * per_square / distance) * cross(En, n);                           // (6)
    forces.wrench[i].force += force;
    forces.wrench[i].torque += torque + cross(m.c, force);
  }
}

template <class T>
T potential_of_attraction(double mu, const Instant<T>& instant) {
  T energy(0.0);
  for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
    const Link& link = instant.mechanism.links[i];
    if (link.mass == 0) continue;
    const auto [m, distance, n, trace] = seen_from_centre(instant, i);
    energy = energy - T(mu * link.mass) / distance -
             T(mu / 2) / (distance * distance * distance) * (T(3.0) * dot(n, m.E * n) - trace);  // (4)
  }
  return energy;
}

}  // namespace gyrostat
