// Force and torque on the system as a whole: what changes its momentum.
#pragma once

#include "gyrostat/forces/instant.h"

namespace gyrostat {

/// Force on the system from outside, and its torque about the mass centre, world axes: of force elements, and of the
/// joints that hold it to the world. `transmitted` is what joints transmit, by body, about base points in world axes;
/// it is read for joints to the world other than free ones.
struct External {
  Vec3<double> force, torque;
};
External find_external(const Instant<double, double>& instant, const Forces<double>& forces,
                       std::span<const Wrench<double>> transmitted);

/// Is `transmitted` read at all? `free` is that of Forces.
bool held_by_world(const Mechanism& mechanism, std::span<const Condition<double>> free);

}  // namespace gyrostat
