// The same acceleration on every mass.
#pragma once

#include "gyrostat/forces/element.h"

namespace gyrostat {

template <class C>
struct UniformGravity : ElementStructure {
  using Structure = ElementStructure;
  Vec3<C> g;  // world axes [m/s^2]

  template <class T>
  void apply(const Instant<T, C>& instant, const Values<T>&, Forces<T>& forces) const {
    for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
      const BodyMass<T> body = mass_of(instant, i);
      forces.wrench[i].force += body.mass * cast<T>(g);
      forces.wrench[i].torque += cross(body.at.mc, cast<T>(g));
      for_modes(instant, i, {}, [&](std::uint32_t u, const ModalMass<T>& mode) {
        forces.tau[u] = forces.tau[u] + dot(mode.mc, cast<T>(g));
      });
    }
  }

  template <class T>
  [[nodiscard]] T power(const Instant<T, C>&, const Values<T>&) const {
    return T(0.0);
  }

  /// Zero where a mass is at the world's origin.
  template <class T>
  [[nodiscard]] T potential(const Instant<T, C>& instant, const Values<T>&, std::span<const Table>) const {
    T energy(0.0);
    for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
      const BodyMass<T> body = mass_of(instant, i);
      const Vec3<T> moment = body.mass * instant.base_points[i].p + body.at.mc;
      energy = energy - dot(cast<T>(g), moment);
    }
    return energy;
  }

  template <class Visit>
  static void for_numbers(Visit visit, auto&... e) {
    visit(e.g.x...), visit(e.g.y...), visit(e.g.z...);
  }
};

}  // namespace gyrostat
