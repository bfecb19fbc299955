// The manual page, gyrostat(1), from the same description as --help.
#pragma once

#include <string>

#include "outline.h"

namespace gyrostat::app {

/// As roff, with the macros of man(7).
std::string man_page(const Outline& outline);

}  // namespace gyrostat::app
