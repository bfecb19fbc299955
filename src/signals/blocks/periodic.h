// Blocks that act at whole multiples of a period.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

struct Periodic {
  double period = 0;  // [s]

  [[nodiscard]] std::vector<double> numbers() const { return {period}; }

  [[nodiscard]] double next_time(const HeldMemory& memory, double) const {
    return static_cast<double>(memory.next) * period;
  }
  [[nodiscard]] bool is_due_at(const HeldCall& call) const { return is_due(next_time(call.memory, 0), call.t); }
};

}  // namespace gyrostat
