// y = a table at x.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

inline std::vector<Slot> compile_outputs(const TableBlock& b, BlockContext& c) {
  return {c.compiler.look_up(c.compiler.table(b.table), c.compiler.add(b.x))};
}

}  // namespace gyrostat
