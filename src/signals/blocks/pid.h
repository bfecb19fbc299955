// y = kp e + ki x_1 + kd (e - x_2)/filter, with limits; x_1' = e, x_2' = (e - x_2)/filter.
//
// At a limit the integral is led back (Astrom and Hagglund's tracking, with the time constant kp/ki), so that it tends
// to the value which reaches the limit alone; a mere integral stops there.
#pragma once

#include <cmath>

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

inline std::vector<double> initial_states(const PidBlock& b) { return {b.initial, 0}; }

inline Slot unlimited_pid(const PidBlock& b, BlockContext& c) {
  std::optional<Slot> total;
  if (feeds_through(b)) {
    const Slot e = c.compiler.add(b.input);
    c.compiler.accumulate(total, b.kp, e);
    if (b.kd != 0) c.compiler.accumulate(total, b.kd / b.filter, c.compiler.difference(e, c.state(1)));
  }
  c.compiler.accumulate(total, b.ki, c.state(0));
  return total.value_or(c.compiler.zero());
}

inline std::vector<Slot> compile_outputs(const PidBlock& b, BlockContext& c) {
  const Slot raw = unlimited_pid(b, c);
  if (!b.low && !b.high) return {raw};
  constexpr double far = 1e300;
  return {c.compiler.builder().clamp(raw, c.compiler.number(b.low.value_or(-far)),
                                     c.compiler.number(b.high.value_or(far)), "pid")};
}

inline void compile_rates(const PidBlock& b, BlockContext& c) {
  ExpressionCompiler& compiler = c.compiler;
  const Slot e = compiler.add(b.input), raw = unlimited_pid(b, c), zero = compiler.zero();
  Slot rate = e;
  const bool limited = b.ki != 0 && (b.low || b.high);
  if (limited && b.kp != 0) {
    const double per_excess = (b.ki > 0 ? 1 : -1) / std::abs(b.kp);
    rate = compiler.sum(e, compiler.scaled(per_excess, compiler.difference(c.outputs[0], raw)));
  } else if (limited) {
    const auto stop = [&](Slot beyond, Slot outward, Slot otherwise) {
      expression::ProgramBuilder& builder = compiler.builder();
      return builder.where_positive(beyond, builder.where_positive(outward, zero, e, "pid"), otherwise, "pid");
    };
    if (b.high) rate = stop(compiler.difference(raw, compiler.number(*b.high)), compiler.scaled(b.ki, e), rate);
    if (b.low) rate = stop(compiler.difference(compiler.number(*b.low), raw), compiler.scaled(-b.ki, e), rate);
  }
  c.set_rate(0, rate);
  if (b.kd == 0) {
    c.set_rate(1, zero);
    return;
  }
  c.set_rate(1, compiler.scaled(1 / b.filter, compiler.difference(e, c.state(1))));
  c.starts_at.push_back({c.first_state + 1, e});  // no derivative before there was a change
}

}  // namespace gyrostat
