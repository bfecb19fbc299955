// y = u between two limits.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

inline std::vector<Slot> compile_outputs(const SaturateBlock& b, BlockContext& c) {
  return {c.compiler.builder().clamp(c.compiler.add(b.input), c.compiler.number(b.low), c.compiler.number(b.high),
                                     "saturate")};
}

}  // namespace gyrostat
