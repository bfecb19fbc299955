// What names in expressions are worth at an instant.
#pragma once

#include "gyrostat/loads/actions.h"
#include "gyrostat/loads/numbers.h"
#include "gyrostat/model/names.h"

namespace gyrostat {

/// A name with its numbers in the system in place of those in the description.
struct Observable {
  Quantity quantity = Quantity::time;
  std::uint32_t object = 0;         // body
  std::uint32_t index = 0;          // in q or u, for joints and wheels
  Vector3 point = Vector3::Zero();  // of the body
  std::uint32_t component = 0;
};

/// Of everything but parameters, signals and what concerns an orbit.
Observable observable(const Reference& reference, const Description& description, const System& system,
                      const Numbers& numbers);

double observe(const Observable& observable, const Instant& instant, const Description& description,
               const Actions& actions);

}  // namespace gyrostat
