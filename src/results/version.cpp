#include "gyrostat/results/version.h"

namespace gyrostat {

std::string_view version() { return GYROSTAT_VERSION; }

}  // namespace gyrostat
