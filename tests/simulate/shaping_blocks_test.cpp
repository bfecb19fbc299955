// Dead zones, lags, limited rates, quantised values, relays, pulses, counters and random walks against closed forms.
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "gyrostat/signals/noise.h"

#include "support/one_axis.h"

namespace gyrostat::testing {
namespace shaping_blocks_test {

constexpr double pi = std::numbers::pi;

/// What a signal named `s` is, at every record and for every integrator.
void expect_signal(const OneAxis& model, const std::function<double(double)>& exact, double allowed = 5e-8) {
  OneAxis m = model;
  for (const std::string& method : every_method) {
    m.method = method;
    const Flight run(m.text());
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << method << ": " << run.outcome.failure;
    const std::vector<double> values = run.values("s");
    ASSERT_FALSE(values.empty());
    for (std::size_t k = 0; k < values.size(); ++k)
      ASSERT_NEAR(values[k], exact(run.time[k]), allowed) << method << " at " << run.time[k];
  }
}

std::vector<double> instants_of(const std::string& signals, const std::string& signal, const std::string& what) {
  const Flight run(OneAxis{.signals = signals}.text());
  std::vector<double> list;
  for (const RecordedEvent& event : run.events) {
    if (event.change.name == "signals." + signal && event.change.what == what) list.push_back(event.t);
  }
  return list;
}

TEST(DeadZone, IsWhatLiesOutsideOfTheLimits) {
  expect_signal({.signals = "s: {dead_zone: {input: \"2*sin(3*t)\", low: -0.5, high: 1}}"}, [](double t) {
    const double u = 2 * std::sin(3 * t);
    return u > 1 ? u - 1 : u < -0.5 ? u + 0.5 : 0;
  });
  const auto instants = instants_of("s: {dead_zone: {input: \"2*sin(3*t)\", low: -0.5, high: 1}}", "s", "dead_zone");
  ASSERT_GE(instants.size(), 2U);
  EXPECT_NEAR(instants[0], pi / 18, 1e-10) << "2 sin(3 t) = 1";
}

TEST(LowPass, ApproachesAStepExponentially) {
  expect_signal({.signals = "s: {low_pass: {input: 3, time_constant: 0.5, initial: 1}}"},
                [](double t) { return 3 - 2 * std::exp(-2 * t); });
}

TEST(LowPass, IsATransferFunctionOfFirstOrder) {
  const Flight run(OneAxis{.signals =
                               "s: {low_pass: {input: \"sin(5*t)\", time_constant: 0.3}}, "
                               "f: {transfer_function: {input: \"sin(5*t)\", numerator: [1], denominator: [0.3, 1]}}"}
                       .text());
  const auto s = run.values("s"), f = run.values("f");
  ASSERT_EQ(s.size(), 21U);
  for (std::size_t k = 0; k < s.size(); ++k) EXPECT_NEAR(s[k], f[k], 1e-9);
}

TEST(RateLimit, FollowsAtItsLargestRateAndThenWithItsLag) {
  // A step of 1 at 0.2: it rises by 2 a second until 2*lag is left, and then exponentially.
  const double lag = 0.05;
  expect_signal(
      {.signals = "s: {rate_limit: {input: \"step(0.2)\", rise: 2, lag: 0.05}}"},
      [&](double t) {
        const double begin = 0.2, reached = begin + (1 - 2 * lag) / 2;
        if (t <= begin) return 0.0;
        return t < reached ? 2 * (t - begin) : 1 - 2 * lag * std::exp(-(t - reached) / lag);
      },
      2e-6);  // of rk4, whose step is a fifth of the lag
}

TEST(RateLimit, MayFallAtAnotherRate) {
  expect_signal({.signals = "s: {rate_limit: {input: 0, rise: 5, fall: 0.25, lag: 0.01, initial: 1}}", .duration = 2},
                [](double t) { return 1 - 0.25 * t; });
}

TEST(Quantize, RoundsToWholeSteps) {
  expect_signal({.signals = "s: {quantize: {input: \"3*sin(2*t)\", step: 0.4}}", .interval = 0.0371},
                [](double t) { return 0.4 * std::floor(3 * std::sin(2 * t) / 0.4 + 0.5); });
}

TEST(Quantize, ChangesWhereTheInputIsHalfwayBetweenSteps) {
  const auto instants = instants_of("s: {quantize: {input: t, step: 0.5}}", "s", "floor");
  ASSERT_EQ(instants.size(), 4U);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(instants[k], 0.25 + 0.5 * static_cast<double>(k), 1e-10);
}

TEST(Floor, OfAFallingValueJumpsWhereItPassesAWholeNumber) {
  expect_signal({.signals = "s: \"floor(1.7 - 2*t)\"", .interval = 0.0373},
                [](double t) { return std::floor(1.7 - 2 * t); });
  expect_signal({.signals = "s: \"mod(5*t, 2)\"", .interval = 0.0373},
                [](double t) { return 5 * t - 2 * std::floor(2.5 * t); });
}

TEST(Relay, HasHysteresis) {
  // on where sin(4 t) rises above 0.5, off where it falls below -0.5
  expect_signal({.signals = "s: {relay: {input: \"sin(4*t)\", on: 0.5, off: -0.5, high: 3, low: -1}}"}, [](double t) {
    const double phase = std::fmod(4 * t, 2 * pi);
    return phase >= pi / 6 && phase < 7 * pi / 6 ? 3 : -1;
  });
}

TEST(Relay, StartsAsItIsTold) {
  expect_signal({.signals = "s: {relay: {input: 0, on: 1, off: -1, start: 1}}"}, [](double) { return 1; });
  expect_signal({.signals = "s: {relay: {input: 0, on: 1, off: -1}}"}, [](double) { return 0; });
  expect_signal({.signals = "s: {relay: {input: 2, on: 1, off: -1}}"}, [](double) { return 1; });
}

TEST(Edge, IsAPulseOfAGivenLength) {
  expect_signal({.signals = "s: {edge: {input: \"sin(2*pi*t) > 0.99999\", duration: 0.13}}", .interval = 0.0333},
                [](double t) {
                  const double begin = std::asin(0.99999) / (2 * pi), since = std::fmod(t, 1.0) - begin;
                  return since >= 0 && since < 0.13 ? 1 : 0;
                });
}

TEST(Edge, BeginsAnewWithAFurtherEdge) {
  expect_signal({.signals = "s: {edge: {input: \"pulse(0.25, 0.35) or pulse(0.55, 0.6)\", duration: 0.4}}"},
                [](double t) { return t >= 0.25 && t < 0.95 ? 1 : 0; });
}

TEST(Counter, CountsWhatBecomesTrue) {
  expect_signal({.signals = "s: {counter: {input: \"sin(2*pi*3*t)\"}}", .interval = 0.0371}, [](double t) {
    return t == 0 ? 0 : t == 2 ? 6 : std::floor(3 * t) + 1;
  });
}

TEST(Counter, IsResetWhileACorrespondingConditionHolds) {
  expect_signal(
      {.signals = "s: {counter: {input: \"sin(2*pi*4*t) > 0.5\", reset: \"pulse(0.99, 1.2)\"}}", .interval = 0.0371},
      [](double t) {
        const double begin = std::asin(0.5) / (2 * pi * 4);
        const auto count = [&](double until) { return std::max(0.0, std::floor(4 * (until - begin)) + 1); };
        return t < 0.99 ? count(t) : t < 1.2 ? 0 : count(t) - count(1.2);
      });
}

TEST(RandomWalk, IsTheSumOfTheNumbersOfItsStream) {
  expect_signal(
      {.signals = "s: {random_walk: {seed: 7, intensity: 2, period: 0.25, initial: 5}}"},
      [](double t) {
        double y = 5;
        for (std::uint64_t k = 1; static_cast<double>(k) * 0.25 <= t + 1e-9; ++k)
          y += 2 * std::sqrt(0.25) * normal_number(7, k);
        return y;
      },
      1e-12);
}

TEST(RandomWalk, SpreadsAsTheRootOfTime) {
  double sum = 0;
  const int walks = 300;
  for (int seed = 0; seed < walks; ++seed) {
    double y = 0;
    for (std::uint64_t k = 1; k <= 100; ++k)
      y += 0.5 * std::sqrt(0.1) * normal_number(static_cast<std::uint64_t>(seed), k);
    sum += y * y;
  }
  // variance 0.25 * 10 s; of its estimate by n walks the relative deviation is sqrt(2/n) = 0.08
  EXPECT_NEAR(sum / walks, 2.5, 3.5 * 0.08 * 2.5);
}

}  // namespace shaping_blocks_test
}  // namespace gyrostat::testing
