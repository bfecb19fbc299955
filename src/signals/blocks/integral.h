// x' = u, y = x.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

inline std::vector<double> initial_states(const IntegralBlock& b) { return {b.initial}; }

inline std::vector<Slot> compile_outputs(const IntegralBlock&, BlockContext& c) { return {c.state(0)}; }

inline void compile_rates(const IntegralBlock& b, BlockContext& c) { c.set_rate(0, c.compiler.add(b.input)); }

}  // namespace gyrostat
