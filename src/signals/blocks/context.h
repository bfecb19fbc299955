// What a block is compiled with. A kind of block is a file of this folder and a line in blocks.h. One whose output
// follows continuously has
//   initial_states(block)      of its states
//   compile_outputs(block, c)  slots of its outputs
//   compile_rates(block, c)    c.set_rate for each of its states
// and one whose output is held between events is a struct with a constructor from its description and
//   next_time(memory, output)  the first instant at which it may change
//   update(..)                 what happens then
//   numbers()                  that describe it
//   start(outputs)             its values at the beginning, where they are not zero
//   start(memory)              what it remembers at the beginning, where that is more than HeldMemory says
//   held_values                how many values it holds, where they are not its outputs; then compile_outputs finds
//                              them in c.outputs; value_count() where that depends on the block
// and, where it may change at an instant that is not known beforehand,
//   crossed(..)                should it change now?
//   event_function(..)         negative beyond the threshold; or append_event_functions(..), always as many
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gyrostat/model/compiler.h"
#include "gyrostat/model/expressions.h"
#include "gyrostat/signals/discrete_state.h"

namespace gyrostat {

/// A state that starts with the value of a slot.
struct StartsAt {
  std::size_t state = 0;
  Slot slot = 0;
};

struct BlockContext {
  ExpressionCompiler& compiler;
  std::size_t first_state = 0;         // of the block
  std::span<const Slot> outputs = {};  // of the block, once they are compiled
  std::vector<StartsAt>& starts_at;

  [[nodiscard]] Slot state(std::size_t k) const { return compiler.states[first_state + k].slot; }
  void set_rate(std::size_t k, Slot slot) { compiler.states[first_state + k].rate = slot; }
};

/// The inputs of a held block among the values of a program.
class HeldInputs {
 public:
  HeldInputs(const double* values, std::span<const Slot> slots) : values_(values), slots_(slots) {}
  double operator[](std::size_t k) const { return values_[slots_[k]]; }
  [[nodiscard]] std::size_t size() const { return slots_.size(); }

 private:
  const double* values_;
  std::span<const Slot> slots_;
};

/// What a held block sets beside its own values.
struct Assignments {
  std::vector<std::pair<std::uint32_t, double>> states = {};   // of blocks
  std::vector<std::pair<std::uint32_t, double>> latches = {};  // among the held blocks
};

/// A held block at an event.
struct HeldCall {
  double t = 0;  // [s]
  HeldMemory& memory;
  const std::string& name;
  HeldInputs inputs;
  std::span<double> outputs;
  bool calls_plugins = true;
  std::uint64_t noise_stream = 0;
  std::string& failure;
  Assignments& assignments;
};

}  // namespace gyrostat
