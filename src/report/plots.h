// The plots that a page shows at first.
#pragma once

#include <span>
#include <vector>

#include "gyrostat/model/load.h"
#include "gyrostat/report/payload.h"

namespace gyrostat::report {

/// Columns of one kind and one unit make a group; plots.cpp says how they are chosen and split. Without a model, names
/// and units have to do.
std::vector<PlotGroup> default_plots(std::span<const PageColumn> columns, const Model* model);

}  // namespace gyrostat::report
