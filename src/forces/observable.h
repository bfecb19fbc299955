// Quantities of the motion that expressions name and force elements read.
#pragma once

#include <compare>
#include <optional>

#include "gyrostat/expression/program.h"
#include "gyrostat/model/names.h"
#include "gyrostat/model/system.h"

namespace gyrostat {

/// The slot of a value that is not given and counts as zero.
inline constexpr expression::Slot no_slot = static_cast<expression::Slot>(-1);

/// A quantity of the motion, by its numbers in the system.
struct Observable {
  enum class Kind : std::uint8_t {
    time,
    coordinate,
    speed,
    omega,             // of a body, body axes
    position,          // of a node, world axes
    velocity,          // the same
    quaternion,        // of a body
    attitude_angle,    // of a body: roll, pitch, yaw
    direction_cosine,  // of a body: component 3 (i - 1) + j - 1 of C = R_BN
    com,
    momentum,  // angular, about the mass centre, world axes
    energy,
    orbit_radius,
    orbit_true_anomaly,
    orbit_nadir,
    distance,  // between two nodes
    distance_rate,
    torsion_sine,  // of the angle of a torsion spring, times the length of the second line across the axis
    torsion_cosine,
    torsion_rate,  // of the second body relative to the first, about the axis
  };
  Kind kind = Kind::time;
  std::uint32_t index = 0;  // coordinate, speed, body, node, or torsion spring
  std::uint32_t other = 0;  // the second node
  std::uint32_t component = 0;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang 14 takes its 0 for a pointer
  auto operator<=>(const Observable&) const = default;
};

/// What a name refers to; nothing for parameters, signals and the direction of the sun, which are no quantities of the
/// motion.
std::optional<Observable> observable(const Reference& reference, const Description& description, const System& system);

}  // namespace gyrostat
