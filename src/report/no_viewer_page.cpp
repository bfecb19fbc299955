#include "gyrostat/report/viewer_page.h"

namespace gyrostat::report {

std::string_view viewer_page() { return {}; }

}  // namespace gyrostat::report
