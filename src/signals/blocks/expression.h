// y = an expression.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

inline std::vector<Slot> compile_outputs(const Expression& e, BlockContext& c) { return {c.compiler.add(e)}; }

}  // namespace gyrostat
