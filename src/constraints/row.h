// One scalar equation of a constraint.
#pragma once

#include <array>

#include "gyrostat/dynamics/forces.h"

namespace gyrostat {

/// Where a row acts: on two bodies, on two speeds, or both. The same for all evaluations.
struct RowPlaces {
  std::array<std::uint32_t, 2> bodies = {0, 0};  // the user's parent first; 0: the world, or none
  std::array<std::uint32_t, 2> speeds = {0, 0};  // in u; read where `on_speeds` of the row is not zero
};

/// The row s(q) = 0 at a state. With V_i = [w; v at the base point] of body i, world axes,
///   ds/dt = rate = on_bodies[0].V_a + on_bodies[1].V_b + on_speeds[0] u_a + on_speeds[1] u_b           (J u)
///   d2s/dt2 = acceleration                                                                            (J udot + bias)
/// A multiplier lambda exerts lambda times on_bodies and on_speeds.
template <class T>
struct ConstraintRow {
  T residual{};                        // [m or rad]
  T rate{};                            // [m/s or rad/s]
  T acceleration{};                    // at the speeds' derivatives of the outward pass; where they are zero, the bias
  std::array<Wrench<T>, 2> on_bodies;  // torque about the base point and force, world axes
  std::array<T, 2> on_speeds{};
};

}  // namespace gyrostat
