// What the first entry of equations in JSON says.
#pragma once

namespace gyrostat::derive {

inline constexpr const char* json_format = "gyrostat derive vector 1";

}  // namespace gyrostat::derive
