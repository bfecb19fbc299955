// Positions and speeds that satisfy the constraints, near those that were given.
#pragma once

#include "gyrostat/constraints/closed_system.h"

namespace gyrostat {

/// Residuals up to this count as none [m or rad, m/s or rad/s].
inline constexpr double assembled_residual = 1e-10;

struct Assembly {
  State state;
  double position_before = 0, speed_before = 0;  // the largest residual and rate of the rows, as it was given
  double position = 0, speed = 0;                // and as they are now
  std::uint32_t worst_row = 0;  // with the largest residual that is left; where positions are closed, rate
  [[nodiscard]] bool closed() const { return position <= assembled_residual && speed <= assembled_residual; }
};

/// The least change, with a turn by one radian counting as a move by the length of the system; `movable` tells which
/// speeds' coordinates may change. `equals` are the values that constraints are given.
Assembly assemble(const Mechanism& mechanism, const Constraints& constraints, State start,
                  const std::vector<Truth>& movable, const std::vector<GivenValue<double>>& equals);

}  // namespace gyrostat
