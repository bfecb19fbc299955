// The modes of a flexible body as a table for readers.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/flexible/flexible_data.h"
#include "gyrostat/math/spatial.h"

namespace gyrostat {

struct ModeLine {
  double frequency = 0;                 // [Hz]
  double damping_ratio = 0;             // from the diagonal of the damping
  Vector6 effective = Vector6::Zero();  // mass along x, y, z [kg], inertia about x, y, z [kg m^2]
  std::string words;                    // "second bending along y, largest at tip"
};

struct ModeTable {
  std::vector<ModeLine> modes;
  Vector6 total = Vector6::Zero();  // what the effective masses of all modes of the body tend to
  /// The fraction that no mode of the table has, by direction; directions without any total have none.
  [[nodiscard]] Vector6 left_out() const;
};

/// Of data with orthonormal modes. Rotations are about the frame's node, or the origin of a floating frame.
ModeTable mode_table(const FlexibleData& data);

}  // namespace gyrostat
