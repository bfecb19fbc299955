// y' = (u - y)/lag, between the largest rates down and up.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

inline std::vector<double> initial_states(const RateLimitBlock& b) { return {b.initial}; }

inline std::vector<Slot> compile_outputs(const RateLimitBlock&, BlockContext& c) { return {c.state(0)}; }

inline void compile_rates(const RateLimitBlock& b, BlockContext& c) {
  const Slot wanted = c.compiler.scaled(1 / b.lag, c.compiler.difference(c.compiler.add(b.input), c.state(0)));
  const double fall = b.fall > 0 ? b.fall : b.rise;
  c.set_rate(0, c.compiler.builder().clamp(wanted, c.compiler.number(-fall), c.compiler.number(b.rise), "rate_limit"));
}

}  // namespace gyrostat
