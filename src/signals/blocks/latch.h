// y = 1 once `set` is positive, 0 once `reset` is; where both are, 0.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

struct Latch {
  double initial = 0;

  explicit Latch(const LatchBlock& b) : initial(b.initial) {}

  [[nodiscard]] std::vector<double> numbers() const { return {initial}; }

  void start(std::span<double> outputs) const { outputs[0] = initial; }

  [[nodiscard]] static double next_time(const HeldMemory&, double) { return never; }

  [[nodiscard]] static double wanted(const HeldInputs& u, double output) {
    return u[1] > 0 ? 0 : u[0] > 0 ? 1 : output;
  }
  [[nodiscard]] static bool crossed(double, const HeldMemory&, const HeldInputs& u, double output) {
    return wanted(u, output) != output;
  }
  [[nodiscard]] static double event_function(double, const HeldMemory&, const HeldInputs& u, double output) {
    return output != 0 ? -u[1] : std::max(-u[0], u[1]);
  }

  static std::optional<std::string_view> update(const HeldCall& call) {
    double& output = call.outputs[0];
    const double next = wanted(call.inputs, output);
    if (next == output) return std::nullopt;
    output = next;
    return output != 0 ? "set" : "reset";
  }
};

}  // namespace gyrostat
