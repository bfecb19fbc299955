// Output +1, 0 or -1: on beyond the deadband, off again below deadband - hysteresis, with least times on and off.
#pragma once

#include <cmath>

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

struct SwitchingAmplifier {
  double deadband = 0, hysteresis = 0;
  double min_on_time = 0, min_off_time = 0;  // [s]

  explicit SwitchingAmplifier(const SwitchingAmplifierBlock& b)
      : deadband(b.deadband), hysteresis(b.hysteresis), min_on_time(b.min_on_time), min_off_time(b.min_off_time) {}

  [[nodiscard]] std::vector<double> numbers() const { return {deadband, hysteresis, min_on_time, min_off_time}; }

  [[nodiscard]] double next_time(const HeldMemory& memory, double output) const {
    return memory.since + (output != 0 ? min_on_time : min_off_time);
  }

  /// The output that the input asks for, if it may change.
  [[nodiscard]] double wanted(double input, double output) const {
    if (output != 0) return output * input < deadband - hysteresis ? 0 : output;
    return input > deadband ? 1 : input < -deadband ? -1 : 0;
  }

  [[nodiscard]] bool crossed(double t, const HeldMemory& memory, const HeldInputs& u, double output) const {
    return t >= next_time(memory, output) && wanted(u[0], output) != output;
  }

  [[nodiscard]] double event_function(double t, const HeldMemory& memory, const HeldInputs& u, double output) const {
    if (t < next_time(memory, output)) return never;
    return output != 0 ? output * u[0] - (deadband - hysteresis) : deadband - std::abs(u[0]);
  }

  /// What changed, in words; nothing if it did not.
  std::optional<std::string_view> update(const HeldCall& call) const {
    double& output = call.outputs[0];
    const double next = wanted(call.inputs[0], output);
    if (next == output || !is_due(next_time(call.memory, output), call.t)) return std::nullopt;
    output = next;
    call.memory.since = call.t;
    return output > 0 ? "on +" : output < 0 ? "on -" : "off";
  }
};

}  // namespace gyrostat
