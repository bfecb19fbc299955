// Motions given as functions of time.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/format/problem.h"
#include "gyrostat/model/names.h"
#include "gyrostat/model/system.h"

namespace gyrostat {

/// A prescribed position of a joint, or a prescribed speed of a wheel.
struct PrescribedTarget {
  std::string path;  // "joints.pan.prescribed.position"
  const Expression* expression = nullptr;
  std::uint32_t q = 0, u = 0;  // of the coordinate and its speed in the state
  bool speed = false;          // it is the rate of a wheel that is given
  bool constraint = false;     // it is a value of a constraint that is given
  std::uint32_t equal = 0;     // of a constraint: which of Forces::equals
};

/// Or is it the same at all times?
bool changes_with_time(const Expression& expression, const Names& names);

std::vector<PrescribedTarget> prescribed_targets(const Description& description, const Names& names,
                                                 const System& system);

/// Puts the values at t = 0 of prescribed positions, their rates and prescribed wheel speeds into the initial state.
/// What is not finite there is reported.
void set_prescribed_state(const Description& description, const Names& names, System& system, Problems& problems);

}  // namespace gyrostat
