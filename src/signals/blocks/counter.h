// y grows by one when u becomes positive. Whether it is, is held too.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

struct Counter {
  static constexpr std::uint32_t held_values = 2;  // whether u is positive, the count

  explicit Counter(const CounterBlock&) {}

  [[nodiscard]] static std::vector<double> numbers() { return {}; }
  [[nodiscard]] static double next_time(const HeldMemory&, double) { return never; }

  // One value says what was seen last: 1 if u is positive, 2 more if `reset` is.
  [[nodiscard]] static double seen(const HeldInputs& u) { return (u[0] > 0 ? 1.0 : 0.0) + (u[1] > 0 ? 2.0 : 0.0); }
  [[nodiscard]] static bool crossed(double, const HeldMemory&, const HeldInputs& u, double last) {
    return seen(u) != last;
  }
  [[nodiscard]] static double event_function(double, const HeldMemory&, const HeldInputs& u, double last) {
    const bool input = last == 1 || last == 3, reset = last >= 2;
    return std::min(input ? u[0] : -u[0], reset ? u[1] : -u[1]);
  }

  static std::optional<std::string_view> update(const HeldCall& call) {
    const double last = call.outputs[0], now = seen(call.inputs);
    if (now == last) return std::nullopt;
    call.outputs[0] = now;
    double& count = call.outputs[1];
    const bool was = last == 1 || last == 3, is = now == 1 || now == 3;
    const double before = count;
    if (now >= 2) {
      count = 0;
    } else if (is && !was) {
      ++count;
    }
    return count == before ? "" : now >= 2 ? "reset" : "count";
  }
};

inline std::vector<Slot> compile_outputs(const CounterBlock&, BlockContext& c) { return {c.outputs[1]}; }

}  // namespace gyrostat
