// y = step floor(u/step + 1/2).
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

inline std::vector<Slot> compile_outputs(const QuantizeBlock& b, BlockContext& c) {
  const Slot steps = c.compiler.scaled(1 / b.step, c.compiler.add(b.input));
  return {c.compiler.scaled(b.step, c.compiler.builder().floor_of(c.compiler.sum(steps, c.compiler.number(0.5))))};
}

}  // namespace gyrostat
