// What a run of a model would meet, beside what is wrong with its text.
#pragma once

#include "gyrostat/model/load.h"

namespace gyrostat {

/// Adds to the problems: flexible bodies that are beyond the range of their equations in the initial state, and why the
/// model cannot be run with its own settings, which is an error; then there is no model any more.
void check_model(Loaded& loaded);

}  // namespace gyrostat
