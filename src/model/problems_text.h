// Everything that is wrong with a model, as text.
#pragma once

#include "gyrostat/model/load.h"

namespace gyrostat {

/// The way compilers do it, with a count at the end; empty without problems.
std::string problems_text(const Loaded& loaded, bool colour);

/// "1 body", "2 bodies"
std::string counted(std::size_t count, std::string_view one, std::string_view several);

}  // namespace gyrostat
