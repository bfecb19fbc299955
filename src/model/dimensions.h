// What signals and expressions measure, as far as it follows from what is named in them.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/expression/dimensions.h"
#include "gyrostat/format/description.h"
#include "gyrostat/format/problem.h"
#include "gyrostat/model/names.h"

namespace gyrostat {

/// By signal. A bare number in an expression may be in any unit, so little is known of 5*bus.omega_x, and much of
/// K*bus.omega_x where K is 5 N*m*s/rad. A signal with several outputs has no known dimension.
std::vector<expression::KnownDimension> dimensions_of_signals(const Description& description, const Names& names);

/// Reports sums of unlike dimensions and expressions that are not of the dimension their place asks for.
void validate_dimensions(const Description& description, const Names& names, Problems& problems);

/// The unit of each signal for results and plots, or empty where it is not known.
std::vector<std::string> units_of_signals(const Description& description, const Names& names);

}  // namespace gyrostat
