// x' = A x + B u, y = C x + D u.
#pragma once

#include <algorithm>

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

inline std::vector<double> initial_states(const StateSpaceBlock& b) {
  std::vector<double> x = b.initial;
  x.resize(b.a.size(), 0.0);
  return x;
}

/// The sum of row `row` of one matrix times states and of another times inputs.
inline Slot state_space_row(const std::vector<std::vector<double>>& of_states,
                            const std::vector<std::vector<double>>& of_inputs, std::size_t row,
                            const std::vector<Slot>& inputs, BlockContext& c) {
  std::optional<Slot> total;
  for (std::size_t k = 0; row < of_states.size() && k < of_states[row].size(); ++k) {
    c.compiler.accumulate(total, of_states[row][k], c.state(k));
  }
  for (std::size_t k = 0; !inputs.empty() && row < of_inputs.size() && k < of_inputs[row].size(); ++k) {
    c.compiler.accumulate(total, of_inputs[row][k], inputs[k]);
  }
  return total.value_or(c.compiler.zero());
}

inline std::vector<Slot> compile_outputs(const StateSpaceBlock& b, BlockContext& c) {
  std::vector<Slot> inputs, outputs;
  if (feeds_through(b)) {
    for (const Expression& input : b.inputs) inputs.push_back(c.compiler.add(input));
  }
  for (std::size_t row = 0; row < std::max(b.c.size(), b.d.size()); ++row) {
    outputs.push_back(state_space_row(b.c, b.d, row, inputs, c));
  }
  return outputs;
}

inline void compile_rates(const StateSpaceBlock& b, BlockContext& c) {
  std::vector<Slot> inputs;
  for (const Expression& input : b.inputs) inputs.push_back(c.compiler.add(input));
  for (std::size_t row = 0; row < b.a.size(); ++row) c.set_rate(row, state_space_row(b.a, b.b, row, inputs, c));
}

}  // namespace gyrostat
