// The model that a results file was made from.
#pragma once

#include "gyrostat/model/load.h"
#include "gyrostat/results/results.h"

namespace gyrostat::report {

/// An entry of Header::more, or nothing.
std::optional<std::string> attribute(const results::Header& header, std::string_view name);

/// What --set said when the results were made. What is no NAME=VALUE is a name without a value, which no model
/// takes.
std::vector<Override> stored_overrides(const results::Header& header);

/// The model as it was then, with the values that --set gave.
Loaded stored_model(const results::Header& header);

}  // namespace gyrostat::report
