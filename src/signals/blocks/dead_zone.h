// y = u less what lies between the two limits.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

inline std::vector<Slot> compile_outputs(const DeadZoneBlock& b, BlockContext& c) {
  const Slot u = c.compiler.add(b.input);
  return {c.compiler.difference(
      u, c.compiler.builder().clamp(u, c.compiler.number(b.low), c.compiler.number(b.high), "dead_zone"))};
}

}  // namespace gyrostat
