// y(t) = u(t - time). Its history is cut into smooth pieces where the input jumps or bends.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

struct Delay {
  double time = 0;  // [s]

  explicit Delay(const DelayBlock& b) : time(b.time) {}

  [[nodiscard]] std::vector<double> numbers() const { return {time}; }

  [[nodiscard]] double next_time(const HeldMemory& memory, double) const { return memory.history.next_piece() + time; }

  /// Moves to the piece that begins now; is there one?
  [[nodiscard]] bool move_on(HeldMemory& memory, double t) const {
    bool moved = false;
    while (is_due(next_time(memory, 0), t)) {
      memory.history.move_on();
      moved = true;
    }
    memory.history.forget_before(t - time);
    return moved;
  }
};

}  // namespace gyrostat
