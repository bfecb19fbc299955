#include "gyrostat/format/checks.h"

#include <fmt/format.h>

namespace gyrostat {

std::string shown(double value) { return fmt::format("{}", value); }

}  // namespace gyrostat
