// A constraint in words.
#pragma once

#include <string>

#include "gyrostat/model/system.h"

namespace gyrostat {

/// "revolute between top and right", "coupling of left.angle, right.angle".
std::string describe(const System& system, const Constraint& constraint);

}  // namespace gyrostat
