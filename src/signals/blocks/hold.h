// y = u, or what u was when the condition became positive, as long as it is. Two values are held: whether it holds, and
// what.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

struct Hold {
  static constexpr std::uint32_t held_values = 2;

  explicit Hold(const HoldBlock&) {}

  [[nodiscard]] static std::vector<double> numbers() { return {}; }

  [[nodiscard]] static double next_time(const HeldMemory&, double) { return never; }

  [[nodiscard]] static bool crossed(double, const HeldMemory&, const HeldInputs& u, double holds) {
    return (u[1] > 0) != (holds != 0);
  }
  [[nodiscard]] static double event_function(double, const HeldMemory&, const HeldInputs& u, double holds) {
    return holds != 0 ? u[1] : -u[1];
  }

  static std::optional<std::string_view> update(const HeldCall& call) {
    double& holds = call.outputs[0];
    const bool wanted = call.inputs[1] > 0;
    if (wanted == (holds != 0)) return std::nullopt;
    holds = wanted ? 1 : 0;
    if (wanted) call.outputs[1] = call.inputs[0];
    return wanted ? "hold" : "follow";
  }
};

/// The choice follows what is held, so that input and held value are the same where it changes to holding.
inline std::vector<Slot> compile_outputs(const HoldBlock& b, BlockContext& c) {
  const Slot holds = c.outputs[0], value = c.outputs[1];
  return {c.compiler.builder().where_positive(holds, value, c.compiler.add(b.input), "")};
}

}  // namespace gyrostat
