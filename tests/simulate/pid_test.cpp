// The pid block over time: its three parts in closed form, its limits, and how the integral waits at them.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "support/one_axis.h"

namespace gyrostat::testing {
namespace {

using std::exp;

void expect_output(const OneAxis& wanted, const std::function<double(double)>& exact, double allowed = 1e-8) {
  for (const char* method : {"dopri5", "cvode_adams", "rk4"}) {
    OneAxis model = wanted;
    model.method = method;
    model.step = 1e-3;
    const Flight run(model.text());
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << method << ": " << run.outcome.failure;
    const std::vector<double> values = run.values("s");
    for (std::size_t k = 0; k < values.size(); ++k) {
      ASSERT_NEAR(values[k], exact(run.time[k]), allowed) << method << " at " << run.time[k];
    }
  }
}

TEST(Pid, OfARampHasAllThreeParts) {
  expect_output({.signals = "s: {pid: {input: t, kp: 2, ki: 3, kd: 5, filter: 0.2, initial: 0.25}}"},
                [](double t) { return 2 * t + 3 * (0.25 + t * t / 2) + 5 * (1 - exp(-t / 0.2)); });
}

TEST(Pid, TakesNoDerivativeOfWhatItsInputWasAtTheStart) {
  expect_output(
      {.signals = "s: {pid: {input: 7, kd: 5, filter: 0.2}}"}, [](double) { return 0.0; }, 1e-12);
}

TEST(Pid, OfAStepHasAFilteredKick) {
  expect_output({.signals = "s: {pid: {input: \"step(0.55)\", kp: 1, ki: 2, kd: 0.5, filter: 0.1}}"}, [](double t) {
    const double since = t - 0.55;
    return since < 0 ? 0 : 1 + 2 * since + 0.5 / 0.1 * exp(-since / 0.1);
  });
}

TEST(Pid, WithoutKpAndKdIsAnIntegral) {
  expect_output({.signals = "s: {pid: {input: \"cos(t)\", ki: 2, initial: 1}}"},
                [](double t) { return 2 + 2 * std::sin(t); });
}

TEST(Pid, TheProportionalPartIsLimited) {
  expect_output(
      {.signals = "s: {pid: {input: \"sin(t)\", kp: 2, low: -0.5, high: 1}}", .duration = 7},
      [](double t) { return std::clamp(2 * std::sin(t), -0.5, 1.0); }, 1e-11);
}

TEST(Pid, TheIntegralWaitsAtALimitAndReturnsAtOnce) {
  const OneAxis model{.signals = "s: {pid: {input: \"1 - 2*step(2) + 2*step(4)\", ki: 1, low: -0.25, high: 0.5}}",
                      .duration = 5};
  expect_output(model, [](double t) {
    if (t < 2) return std::min(t, 0.5);
    return t < 4 ? std::max(0.5 - (t - 2), -0.25) : std::min(-0.25 + (t - 4), 0.5);
  });
}

TEST(Pid, TheIntegralIsLedToTheValueThatReachesTheLimitAlone) {
  // beyond the limit its rate is 1 - (1 + integral - 1.2) = 1.2 - integral, from 0.2 at t = 0.2 on
  const OneAxis model{.signals = "s: {pid: {input: \"1 - 2*step(2.05)\", kp: 1, ki: 1, low: -5, high: 1.2}}",
                      .duration = 3};
  const double at_turn = 1.2 - std::exp(-(2.05 - 0.2));
  expect_output(model, [&](double t) { return t < 2.05 ? std::min(1 + t, 1.2) : -1 + at_turn - (t - 2.05); });
}

TEST(Pid, TheIntegralComesBackFromBeyondALimitWithoutWaiting) {
  // far beyond because of kp: the integral may go down, not up
  const OneAxis model{.signals = "s: {pid: {input: \"-1 + 2*step(1) - 2*step(2)\", kp: 10, ki: 1, low: -1, high: 1}}",
                      .duration = 3};
  expect_output(
      model, [](double t) { return t < 1   ? -1.0
                                   : t < 2 ? 1.0
                                           : -1.0; }, 1e-12);
}

TEST(Pid, NamesItselfWhereItMeetsALimit) {
  const Flight run(OneAxis{.signals = "s: {pid: {input: 1, ki: 1, low: -0.5, high: 0.5}}"}.text());
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_NEAR(run.events[0].t, 0.5, 1e-12);
  EXPECT_EQ(run.events[0].change.name, "signals.s");
  EXPECT_EQ(run.events[0].change.what, "pid");
}

// The input falls, but not so fast that kp e + ki integral would fall if the integral went on: the sum neither leaves
// the limit (the integral would lift it back) nor passes it (the integral would stop). It stays there.
TEST(Pid, StaysAtALimitWhileItsInputFallsSlowly) {
  expect_output({.signals = "s: {pid: {input: \"exp(-t)\", kp: 1, ki: 2, low: -0.5, high: 0.5}}"},
                [](double) { return 0.5; });
}

TEST(Pid, HoldsABodyAgainstALoadFromSaturation) {
  // an everyday loop: unit mass, a step of the command, limits that are met at first
  const OneAxis model{.signals =
                          "e: \"1 - j.displacement\", s: {pid: {input: e, kp: 4, ki: 1, kd: 4, filter: 0.05, low: "
                          "-0.5, high: 0.5}}",
                      .force = "s",
                      .duration = 60,
                      .interval = 0.5};
  for (const std::string& method : adaptive) {
    OneAxis m = model;
    m.method = method;
    const Flight run(m.text());
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << method << ": " << run.outcome.failure;
    EXPECT_NEAR(run.last("j.displacement"), 1, 1e-3) << method;
    for (const double s : run.values("s")) ASSERT_LE(std::abs(s), 0.5);
  }
}

}  // namespace
}  // namespace gyrostat::testing
