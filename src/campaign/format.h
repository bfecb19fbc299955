// The campaign file's format as data: the reader refuses what is not listed here.
#pragma once

#include "gyrostat/format/format.h"

namespace gyrostat::campaign::format {

inline constexpr std::string_view version_field = "gyrostat_campaign";

extern const ObjectFormat campaign, varied, samples, measure, requirement, record, worst;

}  // namespace gyrostat::campaign::format
