// How flexible bodies are drawn deformed: their nodes, shapes of modes at them, and modal coordinates by frame.
#pragma once

#include <vector>

#include "gyrostat/report/frames.h"
#include "gyrostat/report/payload.h"

namespace gyrostat::report {

/// Of those flexible bodies that have nodes at different places. `shapes` are those of all bodies without the world;
/// one that has none becomes a tube. `whole` is the radius of the scene [m].
std::vector<SceneFlexible> flexible_of(const System& system, const Frames& frames,
                                       const std::vector<std::vector<SceneShape>>& shapes, double whole,
                                       Blocks& blocks);

}  // namespace gyrostat::report
