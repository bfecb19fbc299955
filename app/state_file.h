// A state from a JSON file, as `gyrostat accel --state` takes it.
#pragma once

#include <string>
#include <variant>

#include "gyrostat/model/system.h"

namespace gyrostat::app {

/// The initial state with the file's entries in place of its own, or what is wrong with the file.
std::variant<State, std::string> read_state(const std::string& path, const System& system);

}  // namespace gyrostat::app
