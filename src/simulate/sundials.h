// What the integrators of SUNDIALS have in common.
#pragma once

#include "gyrostat/simulate/ode.h"

namespace gyrostat {

/// What one of them has counted since its last restart.
struct SundialsCounts {
  long steps = 0, evaluations = 0, failures = 0, more_failures = 0, jacobians = 0;

  /// Beyond what was counted before; restarts stay as they were.
  [[nodiscard]] IntegratorStatistics after(IntegratorStatistics before) const {
    before.steps += static_cast<std::uint64_t>(steps);
    before.evaluations += static_cast<std::uint64_t>(evaluations);
    before.rejected += static_cast<std::uint64_t>(failures + more_failures);
    before.jacobians += static_cast<std::uint64_t>(jacobians);
    return before;
  }
};

/// Calls solve(t), which makes one step and returns a flag, until t is after `from`: the first steps may be shorter
/// than the distance of two instants. Why it could not be made, or nothing; t is then that of the step's end.
template <class Solve, class Reason>
std::string step_from(double from, double& t, Solve solve, Reason reason) {
  constexpr int most_attempts = 1000;
  int flag = 0;
  t = from;
  for (int attempt = 0; attempt < most_attempts && flag >= 0 && !(t > from); ++attempt) flag = solve(t);
  if (flag < 0) return reason(flag);
  return t > from ? "" : "no step is short enough to be accurate";
}

}  // namespace gyrostat
