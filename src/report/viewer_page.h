// The page that shows results, without any: HTML with the line `<!-- gyrostat:data -->` where they belong.
#pragma once

#include <string_view>

namespace gyrostat::report {

/// Empty: this build has none.
std::string_view viewer_page();

}  // namespace gyrostat::report
