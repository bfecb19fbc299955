// Some of the modes of flexible data.
#pragma once

#include "gyrostat/flexible/component_modes.h"
#include "gyrostat/flexible/flexible_data.h"

namespace gyrostat {

/// The modes that are selected, of data with orthonormal modes. EffectiveMassFraction is of the effective mass of all
/// modes of the data, rotations about `point`, which is given in the body's frame. Throws std::invalid_argument if the
/// selection cannot be made.
FlexibleData selected_modes(const FlexibleData& data, const ModeSelection& selection, const Vector3& point);

}  // namespace gyrostat
