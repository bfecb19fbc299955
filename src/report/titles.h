// What a plot is called by the names of its columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gyrostat::report {

/// A name without the component or number at its end: "rate_error_" of rate_error_x, "jet" of jet12. A name that has
/// neither is its own stem.
std::string_view stem_of(std::string_view name);

/// Few words for names that belong together: "rate_error_x, _y, _z", "jet1 .. jet8", "h1.angle1 .. h4.angle2", "pan,
/// tilt" for pan.angle and tilt.angle, "a, b and 5 more".
std::string listed(std::vector<std::string> names);

}  // namespace gyrostat::report
