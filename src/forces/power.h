// The work that loads do: what the ledger of a run adds up.
#pragma once

#include "gyrostat/forces/actions.h"

namespace gyrostat {

/// Power that enters the system from each source [W], the forces of springs and of uniform gravity left out: they
/// change kinetic into potential energy. `powers` has an entry for each of actions.sources, and one more for the
/// gradient of gravity along a given orbit. `thermal_rates` are those of the rests of thermal springs; `scratch` is
/// overwritten.
void find_powers(const Actions& actions, const Instant<double>& instant, std::span<const double> values,
                 std::span<const double> thermal_rates, Forces<double>& scratch, std::span<double> powers);

/// Force on the system from outside, and its torque about the mass centre, world axes: of loads and gravity, and of the
/// joints that hold it to the world. `through` is what joints transmit, by body, about base points in world axes; it
/// is read for joints to the world other than free ones.
struct External {
  Vec3<double> force, torque;
};
External find_external(const Instant<double>& instant, const Forces<double>& forces,
                       std::span<const Wrench<double>> through);

/// Is `through` read at all?
bool held_by_world(const Mechanism& mechanism);

}  // namespace gyrostat
