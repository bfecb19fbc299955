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
      const LinkOf<C>& link = instant.mechanism.links[i];
      forces.wrench[i].force += T(link.mass) * cast<T>(g);
      forces.wrench[i].torque += cross(instant.from_M(i, cast<T>(link.mc)), cast<T>(g));
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
      const LinkOf<C>& link = instant.mechanism.links[i];
      const Vec3<T> moment = T(link.mass) * instant.base_points[i].p + instant.from_M(i, cast<T>(link.mc));
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
