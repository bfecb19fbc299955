// y = u at the last multiple of a period.
#pragma once

#include "gyrostat/signals/blocks/periodic.h"

namespace gyrostat {

struct Sample : Periodic {
  explicit Sample(const SampleBlock& b) : Periodic{b.period} {}

  std::optional<std::string_view> update(const HeldCall& call) const {
    if (!is_due_at(call)) return std::nullopt;
    call.outputs[0] = call.inputs[0];
    ++call.memory.next;
    return "";
  }
};

}  // namespace gyrostat
