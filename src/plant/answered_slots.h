// Which values of a program a batch is asked for, lane by lane.
#pragma once

#include <cstddef>
#include <memory>

#include "gyrostat/signals/compile.h"

namespace gyrostat {

struct AnsweredSlots {
  std::unique_ptr<const Slot[]> slots;
  std::size_t count = 0;
};

/// The outputs of signals, the guards of switches and the inputs of held blocks: all that thresholds, measures and the
/// search for what is not finite read. Not in batch_kernel.cpp, for containers of plain numbers are not to be compiled
/// for special processors.
AnsweredSlots answered_slots(const SignalProgram& signals);

}  // namespace gyrostat
