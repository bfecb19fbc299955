// The world's origin attracts every body, to the second order in the body's size: for orbits that are integrated along.
// Numbers in comments are the equations of docs/theory/gravity_gradient.md.
#pragma once

#include "gyrostat/forces/element.h"

namespace gyrostat {

template <class C>
struct CentralAttraction : ElementStructure {
  using Structure = ElementStructure;
  C mu{};  // [m^3/s^2]

  template <class T>
  void apply(const Instant<T, C>& instant, const Values<T>&, Forces<T>& forces) const {
    for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
      const Seen<T> s = seen(instant, i);
      const T per_square = T(mu) / (s.distance * s.distance);
      const Vec3<T> En = s.E * s.n;
      const T second = T(1.5) / (s.distance * s.distance);
      const Vec3<T> force = -((per_square * s.mass) * s.n) +
                            (per_square * second) * (T(2.0) * En + (s.trace - T(5.0) * dot(s.n, En)) * s.n);  // (5)
      forces.wrench[i].force += force;
      forces.wrench[i].torque += (T(3.0) * per_square / s.distance) * cross(En, s.n) + cross(s.c, force);  // (6)
      // A mode moves the mass centre, by mc / m, and changes the second moments about it.       (8)
      for_modes(instant, i, s.n, [&](std::uint32_t u, const ModalMass<T>& mode) {
        const T along_n = mode.along_n - T(2.0) * dot(s.n, mode.mc) * dot(s.n, s.c);
        const T trace = mode.trace - T(2.0) * dot(mode.mc, s.c);
        forces.tau[u] = forces.tau[u] + dot(force, mode.mc) / s.mass +
                        T(0.5) * (per_square / s.distance) * (T(3.0) * along_n - trace);
      });
    }
  }

  template <class T>
  [[nodiscard]] T power(const Instant<T, C>&, const Values<T>&) const {
    return T(0.0);
  }

  template <class T>
  [[nodiscard]] T potential(const Instant<T, C>& instant, const Values<T>&, std::span<const Table>) const {
    T energy(0.0);
    for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
      const Seen<T> s = seen(instant, i);
      energy =
          energy - T(mu) * s.mass / s.distance -
          T(0.5) * T(mu) / (s.distance * s.distance * s.distance) * (T(3.0) * dot(s.n, s.E * s.n) - s.trace);  // (4)
    }
    return energy;
  }

  template <class Visit>
  static void for_numbers(Visit visit, auto&... e) {
    visit(e.mu...);
  }

 private:
  /// A body as the centre sees it; one without mass as a body of no size at its base point.
  template <class T>
  struct Seen {
    T mass;
    Vec3<T> c;   // mass centre from the base point [m]
    Sym3<T> E;   // second moments about the mass centre, world axes [kg m^2]
    T trace;     // of E
    T distance;  // of the mass centre [m]
    Vec3<T> n;   // direction to it
  };
  template <class T>
  static Seen<T> seen(const Instant<T, C>& instant, std::uint32_t body) {
    using std::sqrt;
    const auto [mass, m] = mass_of(instant, body);
    const Vec3<T> c = select(mass > 0.0, T(1.0) / mass, T(0.0)) * m.mc;
    const Sym3<T> E = {m.E.xx - m.mc.x * c.x, m.E.yy - m.mc.y * c.y, m.E.zz - m.mc.z * c.z,
                       m.E.xy - m.mc.x * c.y, m.E.xz - m.mc.x * c.z, m.E.yz - m.mc.y * c.z};
    const Vec3<T> r = instant.base_points[body].p + c;
    const T distance = sqrt(dot(r, r));
    return {mass, c, E, E.xx + E.yy + E.zz, distance, (T(1.0) / distance) * r};
  }
};

}  // namespace gyrostat
