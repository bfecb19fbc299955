// Which speeds the equations of motion decide, and which are given.
#pragma once

#include "gyrostat/dynamics/forces.h"

namespace gyrostat {

/// Numbers of the free speeds, ascending. No allocation where `list` has room for all speeds.
void list_free_speeds(const Forces<double>& forces, std::vector<std::uint32_t>& list);

/// Writes the accelerations of the given ones into `udot` and zero into the others.
void set_given(const Forces<double>& forces, double* udot);

}  // namespace gyrostat
