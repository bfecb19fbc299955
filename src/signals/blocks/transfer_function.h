// y = b(s)/a(s) u in observer form, a monic of degree n: x_k' = x_{k+1} - a_k y + b_k u, y = x_1 + b_0 u.
#pragma once

#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

/// b(s)/a(s) with a monic: the coefficients of powers n, n - 1, ... 0 of both.
struct MonicFraction {
  std::vector<double> b, a;

  explicit MonicFraction(const TransferFunctionBlock& block) {
    const auto n = static_cast<std::size_t>(degree(block.denominator));
    b.assign(n + 1, 0.0);
    a.assign(n + 1, 0.0);
    const double lead = block.denominator[block.denominator.size() - 1 - n];
    for (std::size_t k = 0; k <= n; ++k) {
      a[n - k] = block.denominator[block.denominator.size() - 1 - k] / lead;
      if (k < block.numerator.size()) b[n - k] = block.numerator[block.numerator.size() - 1 - k] / lead;
    }
  }
};

/// The output is at rest at `initial` without an input.
inline std::vector<double> initial_states(const TransferFunctionBlock& block) {
  const MonicFraction f(block);
  std::vector<double> x(f.a.size() - 1, block.initial);
  for (std::size_t k = 1; k < x.size(); ++k) x[k] = f.a[k] * block.initial;
  return x;
}

inline std::vector<Slot> compile_outputs(const TransferFunctionBlock& block, BlockContext& c) {
  const MonicFraction f(block);
  std::optional<Slot> total;
  if (f.a.size() > 1) total = c.state(0);
  if (f.b[0] != 0) c.compiler.accumulate(total, f.b[0], c.compiler.add(block.input));
  return {total.value_or(c.compiler.zero())};
}

inline void compile_rates(const TransferFunctionBlock& block, BlockContext& c) {
  const MonicFraction f(block);
  const Slot u = c.compiler.add(block.input), y = c.outputs[0];
  for (std::size_t k = 1; k < f.a.size(); ++k) {
    std::optional<Slot> total;
    if (k + 1 < f.a.size()) total = c.state(k);
    c.compiler.accumulate(total, -f.a[k], y);
    c.compiler.accumulate(total, f.b[k], u);
    c.set_rate(k - 1, total.value_or(c.compiler.zero()));
  }
}

}  // namespace gyrostat
