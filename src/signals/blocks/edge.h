// y = 1 for a time after u became positive, else 0. Whether it is, is held too.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

struct Edge {
  static constexpr std::uint32_t held_values = 2;  // whether u is positive, the output
  double duration = 0;

  explicit Edge(const EdgeBlock& b) : duration(b.duration) {}

  [[nodiscard]] std::vector<double> numbers() const { return {duration}; }
  [[nodiscard]] double next_time(const HeldMemory& memory, double) const {
    return memory.since == -never ? never : memory.since + duration;
  }

  [[nodiscard]] static bool crossed(double, const HeldMemory&, const HeldInputs& u, double positive) {
    return (u[0] > 0) != (positive != 0);
  }
  [[nodiscard]] static double event_function(double, const HeldMemory&, const HeldInputs& u, double positive) {
    return positive != 0 ? u[0] : -u[0];
  }

  std::optional<std::string_view> update(const HeldCall& call) const {
    double &positive = call.outputs[0], &output = call.outputs[1];
    const bool rises = call.inputs[0] > 0 && positive == 0, changes = (call.inputs[0] > 0) != (positive != 0);
    const bool ends = output != 0 && is_due(next_time(call.memory, 0), call.t) && !rises;
    if (!changes && !ends) return std::nullopt;
    positive = call.inputs[0] > 0 ? 1 : 0;
    if (rises) call.memory.since = call.t;
    if (ends) call.memory.since = -never;
    const double before = output;
    if (rises || ends) output = rises ? 1 : 0;
    return output == before ? "" : rises ? "begins" : "ends";
  }
};

inline std::vector<Slot> compile_outputs(const EdgeBlock&, BlockContext& c) { return {c.outputs[1]}; }

}  // namespace gyrostat
