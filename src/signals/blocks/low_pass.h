// T y' = u - y.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

inline std::vector<double> initial_states(const LowPassBlock& b) { return {b.initial}; }

inline std::vector<Slot> compile_outputs(const LowPassBlock&, BlockContext& c) { return {c.state(0)}; }

inline void compile_rates(const LowPassBlock& b, BlockContext& c) {
  c.set_rate(0, c.compiler.scaled(1 / b.time_constant, c.compiler.difference(c.compiler.add(b.input), c.state(0))));
}

}  // namespace gyrostat
