// What an expression costs each time it is evaluated: one system, one with derivatives, eight systems at once. Next to
// each, the same law written in C++ and compiled: the limit.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "gyrostat/expression/program.h"

namespace bench_expression {

using namespace gyrostat;
using namespace gyrostat::expression;

// A hinge with a spring and a damper towards a command; a jet's sensor with rate feedback; a torque with a limit.
const std::vector<std::string> laws = {
    "-K*(angle - command) - B*rate",
    "-atan2(c23, c33) - gain*omega",
    "clamp(-K*angle - B*rate, -0.5, 0.5)*step(50)",
};

struct Law {
  Program program;
  Slot result = 0;
};

/// Inputs: t, then whatever the law names, in the order of their first use. Gains are constants, as parameters are.
Law compile(const std::string& text) {
  const Expression e = parse(text).expression;
  ProgramBuilder builder(1 + e.names.size(), 0);
  const auto slot = [&](std::string_view name) {
    if (name == "K") return builder.constant(3500);
    if (name == "B") return builder.constant(20);
    if (name == "gain") return builder.constant(2);
    for (Slot i = 0; i < e.names.size(); ++i) {
      if (e.names[i] == name) return i + 1;
    }
    return Slot{0};
  };
  Law law;
  law.result = builder.add(e, slot);
  law.program = builder.finish();
  return law;
}

template <class Scalar>
void evaluate_law(benchmark::State& state) {
  const Law law = compile(laws[static_cast<std::size_t>(state.range(0))]);
  std::vector<Scalar> slots(law.program.slots);
  prepare<Scalar>(law.program, slots);
  for (std::size_t i = 0; i < law.program.inputs; ++i) slots[i] = Scalar(0.1 * static_cast<double>(i + 1));
  for (auto _ : state) {
    benchmark::DoNotOptimize(slots.data());
    evaluate<Scalar>(law.program, slots);
    benchmark::ClobberMemory();
  }
  state.SetLabel(laws[static_cast<std::size_t>(state.range(0))]);
}

void compiled_law(benchmark::State& state) {
  double angle = 0.2, command = 0.3, rate = 0.4, c23 = 0.2, c33 = 0.9, omega = 0.1, t = 1;
  for (auto _ : state) {
    benchmark::DoNotOptimize(angle), benchmark::DoNotOptimize(rate), benchmark::DoNotOptimize(c23),
        benchmark::DoNotOptimize(t);
    double y = 0;
    switch (state.range(0)) {
      case 0: y = -3500 * (angle - command) - 20 * rate; break;
      case 1: y = -std::atan2(c23, c33) - 2 * omega; break;
      default: {
        const double x = -3500 * angle - 20 * rate;
        y = (x < -0.5 ? -0.5 : x > 0.5 ? 0.5 : x) * (t >= 50 ? 1 : 0);
      }
    }
    benchmark::DoNotOptimize(y);
  }
}

BENCHMARK(compiled_law)->DenseRange(0, 2);
BENCHMARK(evaluate_law<double>)->DenseRange(0, 2);
BENCHMARK(evaluate_law<Dual<4>>)->DenseRange(0, 2);
BENCHMARK(evaluate_law<Pack<4>>)->DenseRange(0, 2);

void parse_and_compile(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(compile(laws[0]));
}
BENCHMARK(parse_and_compile);

}  // namespace bench_expression
