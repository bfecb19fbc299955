// Motions given as functions of time: where they begin.
#pragma once

#include "gyrostat/model/names.h"
#include "gyrostat/model/problem.h"
#include "gyrostat/model/system.h"

namespace gyrostat {

/// Puts the values at t = 0 of prescribed positions, their rates (by exact differentiation) and prescribed wheel speeds
/// into the initial state. What is not finite there is reported. Precondition: the description is valid.
void set_prescribed_state(const Description& description, const Names& names, const Topology& topology, System& system,
                          Problems& problems);

}  // namespace gyrostat
