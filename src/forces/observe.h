// What names in expressions are worth at an instant.
#pragma once

#include "gyrostat/forces/actions.h"
#include "gyrostat/forces/numbers.h"
#include "gyrostat/model/names.h"

namespace gyrostat {

/// A name with its numbers in the system in place of those in the description.
struct Observable {
  Quantity quantity = Quantity::time;
  std::uint32_t object = 0;         // body
  std::uint32_t index = 0;          // in q or u, for joints and wheels
  Vector3 point = Vector3::Zero();  // of the body
  std::uint32_t component = 0;
  Vector3 direction = Vector3::Zero();  // to the sun
};

/// Of everything but parameters and signals.
Observable observable(const Reference& reference, const Description& description, const System& system,
                      const Numbers& numbers);

/// What many observables of an instant share, computed once for all of them where any is asked for.
template <class T>
struct Shared {
  std::optional<Conserved<T>> conserved;
  std::optional<T> potential;  // energy
  std::optional<OrbitState> orbit;

  const Conserved<T>& whole(const Instant<T>& instant) {
    if (!conserved) {
      conserved = gyrostat::conserved(instant.mechanism, instant.kinematics, instant.u, instant.base_points);
    }
    return *conserved;
  }
  const T& potential_of(const Actions& actions, const Instant<T>& instant, std::span<const T> values) {
    if (!potential) potential = potential_energy<T>(actions, instant, values);
    return *potential;
  }
};

/// For double and Dual<8>. `values` are those that the actions point into: the energy needs thermal rests.
template <class T>
T observe(const Observable& observable, const Instant<T>& instant, const Actions& actions, std::span<const T> values,
          Shared<T>& shared);

}  // namespace gyrostat
