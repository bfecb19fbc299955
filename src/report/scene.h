// What the picture of a report shows of a run.
#pragma once

#include <filesystem>

#include "gyrostat/report/frames.h"
#include "gyrostat/report/payload.h"

namespace gyrostat::report {

/// Nothing if the motion cannot be shown; a warning says why. Meshes are in files relative to that of the model.
std::optional<Scene> scene_of(const Model& model, RecordedColumns& columns, Blocks& blocks,
                              std::vector<std::string>& warnings);

/// The same of one instant, with coordinates q; nothing is recorded. Meshes are in files relative to `folder`.
std::optional<Scene> still_scene(const Model& model, double t, const Eigen::VectorXd& q,
                                 const std::filesystem::path& folder, Blocks& blocks,
                                 std::vector<std::string>& warnings);

}  // namespace gyrostat::report
