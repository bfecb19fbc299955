// Checks of a beam's description.
#pragma once

namespace gyrostat {

struct BeamDescription;

/// Throws std::invalid_argument with what is wrong and what would be right.
void check_beam(const BeamDescription& beam);

}  // namespace gyrostat
