// Continuous blocks over time against closed forms, and the limits and tables that bend them.
#include <cmath>
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "support/one_axis.h"

namespace gyrostat::testing {
namespace blocks_test {

using Of = std::function<double(double)>;
using std::cos, std::exp, std::sin;
constexpr double pi = std::numbers::pi;

/// Runs with every integrator, and compares a quantity with its closed form at every record.
void expect_everywhere(OneAxis model, const std::string& name, const Of& exact, double allowed = 5e-8) {
  for (const std::string& method : every_method) {
    model.method = method;
    const Flight run(model.text());
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << method << ": " << run.outcome.failure;
    const std::vector<double> values = run.values(name);
    for (std::size_t k = 0; k < values.size(); ++k) {
      ASSERT_NEAR(values[k], exact(run.time[k]), allowed) << method << ", " << name << " at " << run.time[k];
    }
  }
}
void expect_signal(const std::string& signals, const Of& exact, double allowed = 5e-8) {
  expect_everywhere({.signals = signals}, "s", exact, allowed);
}
std::string transfer(const std::string& fields) { return "s: {transfer_function: {" + fields + "}}"; }

// --- integrals --------------------------------------------------------------------------------------------------

TEST(Integral, AddsUpItsInputFromItsInitialValue) {
  expect_signal("s: {integral: \"cos(2*t)\", initial: 3}", [](double t) { return 3 + sin(2 * t) / 2; });
}

TEST(Integral, OfAnIntegralOfAConstantIsAParabola) {
  expect_signal("s: {integral: v, initial: -1}, v: {integral: 4}", [](double t) { return -1 + 2 * t * t; });
}

TEST(Integral, TakesWhatBodiesDo) {
  expect_everywhere({.signals = "s: {integral: j.displacement}", .initial = "{displacement: 1, speed: 2}"}, "s",
                    [](double t) { return t + t * t; });
}

// --- transfer functions -----------------------------------------------------------------------------------------

TEST(TransferFunction, OfFirstOrderApproachesItsInput) {
  expect_signal(transfer("input: 3, numerator: [1], denominator: [2, 1], initial: 0.5"),
                [](double t) { return 3 - 2.5 * exp(-t / 2); });
}

TEST(TransferFunction, OfFirstOrderFollowsASineWithItsGainAndPhase) {
  expect_signal(transfer("input: \"sin(3*t)\", numerator: [4], denominator: [1, 2]"),
                [](double t) { return 4.0 / 13 * (2 * sin(3 * t) - 3 * cos(3 * t) + 3 * exp(-2 * t)); });
}

TEST(TransferFunction, OfSecondOrderStartsAtRestAtItsInitialValue) {
  const double w = 3, z = 0.2, damped = w * std::sqrt(1 - z * z);
  expect_signal(transfer("input: 1, numerator: [9], denominator: [1, 1.2, 9], initial: 0.4"), [=](double t) {
    return 1 - 0.6 * exp(-z * w * t) * (cos(damped * t) + z * w / damped * sin(damped * t));
  });
}

TEST(TransferFunction, OfThirdOrderStartsAtRestAtItsInitialValue) {
  expect_signal(transfer("input: 0, numerator: [1], denominator: [1, 3, 3, 1], initial: 2"),
                [](double t) { return 2 * exp(-t) * (1 + t + t * t / 2); });
}

TEST(TransferFunction, WithAsManyZerosAsPolesAnswersAtOnce) {  // (2 s + 1)/(0.5 s + 1)
  const std::string lead = "input: \"step(0)\", numerator: [2, 1], denominator: [0.5, 1]";
  expect_signal(transfer(lead), [](double t) { return 1 + 3 * exp(-2 * t); });
  expect_signal(transfer(lead + ", initial: 0.7"), [](double t) { return 1 + 3.7 * exp(-2 * t); });
}

TEST(TransferFunction, LeadsAStepAtTheInstantOfTheStep) {
  const OneAxis model{.signals = transfer("input: \"step(0.73)\", numerator: [2, 1], denominator: [0.5, 1]")};
  expect_everywhere(model, "s", [](double t) { return t < 0.73 ? 0 : 1 + 3 * exp(-2 * (t - 0.73)); });
}

TEST(TransferFunction, WashesOut) {  // s/(s + 1) of t
  expect_signal(transfer("input: t, numerator: [1, 0], denominator: [1, 1]"), [](double t) { return 1 - exp(-t); });
}

TEST(TransferFunction, OfSecondOrderWithZeros) {  // (s^2 + 4)/(s^2 + 3 s + 2) of a step
  expect_signal(transfer("input: 1, numerator: [1, 0, 4], denominator: [1, 3, 2]"),
                [](double t) { return 2 - 5 * exp(-t) + 4 * exp(-2 * t); });
}

TEST(TransferFunction, WithNothingAboveLosesItsInitialValue) {
  expect_signal(transfer("input: 5, numerator: [0], denominator: [2, 1], initial: 3"),
                [](double t) { return 3 * exp(-t / 2); });
}

TEST(TransferFunction, LeadingZerosAboveChangeNothing) {
  expect_signal(transfer("input: 5, numerator: [0, 1], denominator: [2, 1]"),
                [](double t) { return 5 - 5 * exp(-t / 2); });
}

TEST(TransferFunction, OfNoOrderIsAFactor) {
  expect_signal(
      transfer("input: \"sin(t)\", numerator: [3], denominator: [2]"), [](double t) { return 1.5 * sin(t); }, 1e-15);
}

TEST(TransferFunction, OfAnIntegratorKeepsWhatItHas) {  // 1/s^2
  expect_signal(transfer("input: 2, numerator: [1], denominator: [1, 0, 0], initial: 3"),
                [](double t) { return 3 + t * t; });
}

// --- state space ------------------------------------------------------------------------------------------------

TEST(StateSpace, HasSeveralInputsAndNamedOutputs) {  // x'' = -4 x + 1 + 2 t
  const OneAxis model{
      .signals =
          "s: {state_space: {inputs: [1, t], a: [[0, 1], [-4, 0]], b: [[0, 0], [1, 2]], c: [[1, 0], [0, 1]], "
          "d: [[0, 0], [0, 3]], initial: [1, 0], outputs: [place, mixed]}}, sum: \"s.place + s.mixed\""};
  const Of x = [](double t) { return 0.75 * cos(2 * t) - 0.25 * sin(2 * t) + 0.25 + t / 2; };
  const Of v = [](double t) { return -1.5 * sin(2 * t) - 0.5 * cos(2 * t) + 0.5; };
  expect_everywhere(model, "s.place", x);
  expect_everywhere(model, "s.mixed", [&](double t) { return v(t) + 3 * t; });
  expect_everywhere(model, "sum", [&](double t) { return x(t) + v(t) + 3 * t; });
}

TEST(StateSpace, MayDriveABodyThatDrivesIt) {  // v' = f, f' = -v: a harmonic motion
  const OneAxis model{.signals = "s: {state_space: {inputs: [j.speed], a: [[0]], b: [[-1]], c: [[1]], initial: [0.5]}}",
                      .force = "s"};
  expect_everywhere(model, "j.speed", [](double t) { return 0.5 * sin(t); });
  expect_everywhere(model, "s", [](double t) { return 0.5 * cos(t); });
}

// --- saturation -------------------------------------------------------------------------------------------------

TEST(Saturate, CutsOffAtItsLimits) {
  const OneAxis model{.signals = "s: {saturate: {input: \"2*sin(t)\", low: -1.5, high: 1}}", .duration = 7};
  expect_everywhere(
      model, "s", [](double t) { return std::clamp(2 * sin(t), -1.5, 1.0); }, 1e-11);
}

TEST(Saturate, BendsExactlyWhereTheInputPassesItsLimits) {
  for (const std::string& method : every_method) {
    const Flight run(OneAxis{.signals = "s: {saturate: {input: \"2*sin(t)\", low: -1, high: 1}}, i: {integral: s}",
                             .duration = 5,
                             .method = method}
                         .text());
    const std::vector<double> times = run.times_of("signals.s");
    ASSERT_EQ(times.size(), 3u) << method;
    EXPECT_NEAR(times[0], pi / 6, 1e-12);
    EXPECT_NEAR(times[1], 5 * pi / 6, 1e-12);
    EXPECT_NEAR(times[2], 7 * pi / 6, 1e-12);
    const double area = 2 * (1 - cos(pi / 6));  // of a flank
    EXPECT_NEAR(run.last("i"), 2 * area + 4 * pi / 6 - area - (5 - 7 * pi / 6), 1e-8) << method;
  }
}

// --- tables -----------------------------------------------------------------------------------------------------

const std::string bent = "bent: {x: [0, 0.33, 1.7, 3], y: [0, 1, -1, -1]}";

double area_under_bent(double t) {
  const double first = 0.33 / 2;
  if (t <= 0.33) return t * t / 0.66;
  const double slope = -2 / 1.37;
  if (t <= 1.7) return first + (t - 0.33) + slope * (t - 0.33) * (t - 0.33) / 2;
  return first - (t - 1.7);
}

TEST(TableBlock, OfTimeBendsAtItsKnots) {
  OneAxis model{.signals = "s: {table: {x: t, table: bent}}, i: {integral: s}", .tables = bent, .duration = 2.5};
  model.step = 0.25;  // Simpson's rule is exact between knots only
  expect_everywhere(model, "i", area_under_bent, 1e-9);
  const Flight run(model.text());
  const std::vector<double> expected = {0.33, 1.7};
  EXPECT_EQ(run.times_of("signals.s"), expected);
  EXPECT_EQ(run.events.front().change.what, "table");
}

TEST(TableBlock, OfAStateBendsWhereTheStatePassesItsKnots) {
  for (const std::string& method : every_method) {
    OneAxis model{.signals = "s: {table: {x: \"j.displacement\", table: bent}}, i: {integral: s}",
                  .initial = "{speed: 0.5}",
                  .tables = bent,
                  .duration = 5,
                  .method = method};
    const Flight run(model.text());
    const std::vector<double> times = run.times_of("signals.s");
    ASSERT_EQ(times.size(), 2u) << method;
    EXPECT_NEAR(times[0], 0.66, 1e-12) << method;
    EXPECT_NEAR(times[1], 3.4, 2e-12) << method;
    EXPECT_NEAR(run.last("i"), 2 * area_under_bent(2.5), method == "rk4" ? 1e-6 : 1e-9) << method;
  }
}

TEST(TableBlock, OfAStateIsAsAccurateAsAnIfWithTheSameValues) {  // rk4 takes a step over the knot before it knows of it
  const OneAxis table{.signals = "s: {table: {x: \"j.displacement\", table: bent}}, i: {integral: s}",
                      .initial = "{speed: 0.5}",
                      .tables = "bent: {x: [0, 0.33, 3], y: [0, 1, -1]}",
                      .method = "rk4",
                      .step = 0.1};
  OneAxis conditional = table;
  conditional.signals =
      "s: \"j.displacement < 0.33 ? j.displacement/0.33 : 1 - 2/2.67*(j.displacement - 0.33)\", i: {integral: s}";
  EXPECT_NEAR(Flight(table.text()).last("i"), Flight(conditional.text()).last("i"), 1e-12);
}

TEST(TableBlock, WithASplineReproducesACubic) {
  const OneAxis model{.signals = "s: {table: {x: t, table: cubic}}, i: {integral: s}",
                      .tables = "cubic: {x: [0, 0.5, 1, 1.6, 2], y: [0, -0.875, -1, 0.896, 4], interpolation: cubic}"};
  expect_everywhere(
      model, "s", [](double t) { return t * t * t - 2 * t; }, 1e-12);
  expect_everywhere(
      model, "i", [](double t) { return t * t * t * t / 4 - t * t; }, 1e-8);
}

TEST(TableBlock, HoldsOrExtendsOutside) {
  const std::string points = "x: [0.5, 1], y: [1, 3], outside: ";
  expect_everywhere(
      {.signals = "s: {table: {x: t, table: q}}", .tables = "q: {" + points + "hold}"}, "s",
      [](double t) { return std::clamp(4 * t - 1, 1.0, 3.0); }, 1e-12);
  expect_everywhere(
      {.signals = "s: {table: {x: t, table: q}}", .tables = "q: {" + points + "extend}"}, "s",
      [](double t) { return 4 * t - 1; }, 1e-12);
}

TEST(TableBlock, AskedOutsideItsRangeStopsTheRunThereAndSaysSo) {
  for (const char* force : {"s", ""}) {
    for (const std::string x : {"t", "\"2*t - t\""}) {
      const Flight run(OneAxis{.signals = "s: {table: {x: " + x + ", table: q}}",
                               .force = force,
                               .tables = "q: {x: [0, 1, 1.3], y: [0, 1, 0]}",
                               .duration = 3}
                           .text());
      EXPECT_EQ(run.outcome.kind, Outcome::Kind::failed);
      EXPECT_NEAR(run.outcome.t, 1.3, 1e-9) << "force " << force << ", x " << x;
      EXPECT_THAT(run.outcome.failure, ::testing::HasSubstr("signal 's' is not finite")) << "force " << force;
    }
  }
}

}  // namespace blocks_test
}  // namespace gyrostat::testing
