// The version of Gyrostat.
#pragma once

#include <string_view>

namespace gyrostat {

/// "0.1.0"
std::string_view version();

}  // namespace gyrostat
