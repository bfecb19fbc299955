// Which version of a source that is compiled for several processors is in use.
#pragma once

#include <initializer_list>
#include <string_view>

#include "gyrostat/dynamics/kernels.h"

namespace gyrostat {

/// That of the same processor as the recursions in use.
template <class Version>
const Version& in_use(const Version& baseline, std::initializer_list<const Version*> special) {
  for (const Version* version : special) {
    if (std::string_view(version->processor) == kernels().processor) return *version;
  }
  return baseline;
}

}  // namespace gyrostat
