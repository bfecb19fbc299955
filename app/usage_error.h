// What to say about a word of the command line that is not understood.
#pragma once

#include <string>

#include "outline.h"

namespace gyrostat::app {

/// After a parse that failed: the message about the first unknown command, option or argument, with the nearest name
/// that exists. Empty if there is none and the error was another.
std::string unknown_word(const Program& program);

}  // namespace gyrostat::app
