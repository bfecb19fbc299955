// y = u + what makes up for its jumps: at an event, a jump by more than half a period counts as whole periods.
#pragma once

#include <cmath>

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

struct Unwrap {
  double period = 0;

  explicit Unwrap(const UnwrapBlock& b) : period(b.period) {}

  [[nodiscard]] std::vector<double> numbers() const { return {period}; }

  [[nodiscard]] static double next_time(const HeldMemory&, double) { return never; }

  /// What is to be added from now on, because the input jumped.
  [[nodiscard]] double jump(double before, double after) const {
    const double periods = std::round((before - after) / period);
    return std::isfinite(periods) ? periods * period : 0;
  }
};

inline std::vector<Slot> compile_outputs(const UnwrapBlock& b, BlockContext& c) {
  return {c.compiler.sum(c.compiler.add(b.input), c.outputs[0])};
}

}  // namespace gyrostat
