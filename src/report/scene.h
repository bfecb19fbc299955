// What there is to see of a run.
#pragma once

#include "gyrostat/report/frames.h"
#include "gyrostat/report/payload.h"

namespace gyrostat::report {

/// Nothing if there is nothing to see; a warning says why. Meshes are in files relative to that of the model.
std::optional<Scene> scene_of(const Model& model, const results::ResultsReader& results, Blocks& blocks,
                              std::vector<std::string>& warnings);

}  // namespace gyrostat::report
