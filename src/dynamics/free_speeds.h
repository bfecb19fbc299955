// Which speeds the equations of motion decide, and which are given.
#pragma once

#include "gyrostat/dynamics/mechanism.h"

namespace gyrostat {

/// Numbers of the speeds of joints and wheels that are neither locked nor prescribed, ascending.
std::vector<std::uint32_t> free_speeds(const Mechanism& mechanism);

/// Writes the derivatives of the given ones into `udot` and zero into the others.
void set_given(const Mechanism& mechanism, const Forces<double>& forces, double* udot);

}  // namespace gyrostat
