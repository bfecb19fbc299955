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
    for_bodies(
        instant,
        [&](std::uint32_t i, const Wrench<T>& wrench) {
          forces.wrench[i].force += wrench.force;
          forces.wrench[i].torque += wrench.torque;
        },
        [&](std::uint32_t u, const T& force) { forces.tau[u] = forces.tau[u] + force; });
  }

  template <class T>
  [[nodiscard]] T power(const Instant<T, C>& instant, const Values<T>&) const {
    T power(0.0);
    for_bodies(
        instant,
        [&](std::uint32_t i, const Wrench<T>& wrench) {
          power = power + dot(wrench.force, instant.base_points[i].v) + dot(wrench.torque, instant.angular_velocity(i));
        },
        [&](std::uint32_t u, const T& force) { power = power + force * instant.u[u]; });
    return power;
  }

  template <class Visit>
  static void for_numbers(Visit visit, auto&... e) {
    visit(e.orbit...);
  }

 private:
  /// Wrenches on bodies, and forces on modal speeds.
  template <class T, class OnBody, class OnMode>
  void for_bodies(const Instant<T, C>& instant, OnBody on_body, OnMode on_mode) const {
    const OrbitPoint<T> at = orbit_at(orbit, instant.t);
    const T k = at.mu / (at.radius * at.radius * at.radius);
    const Vec3<T> n = (T(1.0) / at.radius) * at.position;
    const auto gradient = [&](const Vec3<T>& x) { return k * (T(3.0) * dot(n, x) * n - x); };  // (1)
    const Vec3<T> com = mass_centre(instant);
    for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
      const BodyMass<T> body = mass_of(instant, i);
      const Moments<T>& m = body.at;
      const Vec3<T> s = instant.base_points[i].p - com;
      on_body(i, Wrench<T>{cross(m.mc, gradient(s)) + cross((T(3.0) * k) * (m.E * n), n),  // (3)
                           gradient(body.mass * s + m.mc)});                               // (2)
      for_modes(instant, i, n, [&](std::uint32_t u, const ModalMass<T>& mode) {
        on_mode(u, T(dot(mode.mc, gradient(s)) + T(0.5) * k * (T(3.0) * mode.along_n - mode.trace)));  // (7)
      });
    }
  }
};

}  // namespace gyrostat
