// y = high once u > on, low once u < off.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

struct Relay {
  double on = 0, off = 0, high = 1, low = 0;
  bool starts_on = false;

  explicit Relay(const RelayBlock& b) : on(b.on), off(b.off), high(b.high), low(b.low), starts_on(b.start != 0) {}

  [[nodiscard]] std::vector<double> numbers() const { return {on, off, high, low, starts_on ? 1.0 : 0.0}; }
  void start(std::span<double> outputs) const { outputs[0] = starts_on ? high : low; }

  [[nodiscard]] static double next_time(const HeldMemory&, double) { return never; }

  [[nodiscard]] double wanted(double u, double output) const { return u > on ? high : u < off ? low : output; }
  [[nodiscard]] bool crossed(double, const HeldMemory&, const HeldInputs& u, double output) const {
    return wanted(u[0], output) != output;
  }
  [[nodiscard]] double event_function(double, const HeldMemory&, const HeldInputs& u, double output) const {
    return output == high ? u[0] - off : on - u[0];
  }

  std::optional<std::string_view> update(const HeldCall& call) const {
    double& output = call.outputs[0];
    const double next = wanted(call.inputs[0], output);
    if (next == output) return std::nullopt;
    output = next;
    return output == high ? "on" : "off";
  }
};

}  // namespace gyrostat
