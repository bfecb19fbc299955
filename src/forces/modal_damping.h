// Damping that couples two modes of a flexible body: each gets -d times the rate of the other.
#pragma once

#include "gyrostat/forces/element.h"

namespace gyrostat {

struct ModalDampingStructure : ElementStructure {
  std::uint32_t first = 0, second = 0;  // modal speeds

  [[nodiscard]] auto tie() const { return std::tie(source, first, second); }
};

template <class C>
struct ModalDamping : ModalDampingStructure {
  using Structure = ModalDampingStructure;
  C damping{};  // [1/s]

  template <class T>
  void apply(const Instant<T, C>& instant, const Values<T>&, Forces<T>& forces) const {
    forces.tau[first] = forces.tau[first] - T(damping) * instant.u[second];
    forces.tau[second] = forces.tau[second] - T(damping) * instant.u[first];
  }

  template <class T>
  [[nodiscard]] T power(const Instant<T, C>& instant, const Values<T>&) const {
    return T(-2.0) * T(damping) * instant.u[first] * instant.u[second];
  }

  template <class Visit>
  static void for_numbers(Visit visit, auto&... e) {
    visit(e.damping...);
  }
};

}  // namespace gyrostat
