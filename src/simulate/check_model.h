// What a run of a model would meet, beside what is wrong with its text.
#pragma once

#include "gyrostat/model/load.h"

namespace gyrostat {

/// Adds to the problems: flexible bodies that are beyond the range of their equations in the initial state, constraints
/// that cannot be satisfied from there, and why the model cannot be run at all or with its own settings, which is an
/// error; then there is no model any more.
void check_model(Loaded& loaded);

/// An error that is found after a model has been loaded, with its place in the model's file.
Problem error_at(const Source& source, std::string path, std::string message);

}  // namespace gyrostat
