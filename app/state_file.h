// A state in a JSON file, as `gyrostat accel --state` takes it and `gyrostat assemble -o` writes it.
#pragma once

#include <string>
#include <variant>

#include "gyrostat/model/load.h"

namespace gyrostat::app {

/// The initial state with the file's entries in place of its own, or what is wrong with the file.
/// What the model prescribes as a function of time is not for the file to say.
std::variant<State, std::string> read_state(const std::string& path, const Model& model);

/// Writes all of the state that a file may say. Throws results::WriteError.
void write_state(const std::string& path, const Model& model, const State& state);

}  // namespace gyrostat::app
