// Gravity along a given orbit: the world's axes travel with it, and what is left of gravity is its gradient about the
// mass centre of the whole. Numbers in comments are the equations of docs/theory/gravity_gradient.md.
#pragma once

#include "gyrostat/forces/element.h"
#include "gyrostat/forces/orbit.h"

namespace gyrostat {

template <class C>
struct GravityGradientForce : ElementStructure {
  using Structure = ElementStructure;
  ByLane<C, Orbit> orbit;

  template <class T>
  void apply(const Instant<T, C>& instant, const Values<T>&, Forces<T>& forces) const {
    for_bodies(instant, [&](std::uint32_t i, const Wrench<T>& wrench) {
      forces.wrench[i].force += wrench.force;
      forces.wrench[i].torque += wrench.torque;
    });
  }

  template <class T>
  [[nodiscard]] T power(const Instant<T, C>& instant, const Values<T>&) const {
    T power(0.0);
    for_bodies(instant, [&](std::uint32_t i, const Wrench<T>& wrench) {
      power = power + dot(wrench.force, instant.base_points[i].v) + dot(wrench.torque, instant.angular_velocity(i));
    });
    return power;
  }

  template <class Visit>
  static void for_numbers(Visit visit, auto&... e) {
    visit(e.orbit...);
  }

 private:
  template <class T, class Act>
  void for_bodies(const Instant<T, C>& instant, Act act) const {
    const OrbitPoint<T> at = orbit_at(orbit, instant.t);
    const T k = at.mu / (at.radius * at.radius * at.radius);
    const Vec3<T> n = (T(1.0) / at.radius) * at.position;
    const auto gradient = [&](const Vec3<T>& x) { return k * (T(3.0) * dot(n, x) * n - x); };  // (1)
    const Vec3<T> com = mass_centre(instant);
    for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
      const LinkOf<C>& link = instant.mechanism.links[i];
      const Moments<T> m = moments(link, instant.kinematics.bodies[i].R_NM);
      const Vec3<T> s = instant.base_points[i].p - com;
      act(i, Wrench<T>{cross(m.mc, gradient(s)) + cross((T(3.0) * k) * (m.E * n), n),  // (3)
                       gradient(T(link.mass) * s + m.mc)});                            // (2)
    }
  }
};

}  // namespace gyrostat
