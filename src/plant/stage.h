// What has been computed for a state, in the order in which each needs those before it.
#pragma once

#include <cstdint>

namespace gyrostat {

enum class Stage : std::uint8_t {
  none,
  state,         // time, coordinates, speeds, states of blocks; prescribed motions
  velocity,      // positions and velocities of all bodies
  signals,       // sensors and signals
  forces,        // what acts on the bodies
  acceleration,  // derivatives of the speeds
};

}  // namespace gyrostat
