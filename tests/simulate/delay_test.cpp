// Delays: smooth inputs, steps, chains, feedback.
#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "support/one_axis.h"

namespace gyrostat::testing {
namespace delay_test {

using Of = std::function<double(double)>;

void expect_everywhere(OneAxis model, const std::string& name, const Of& exact, double allowed) {
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

TEST(Delay, GivesASmoothInputLater) {
  for (const double time : {0.02, 0.3, 1.0}) {  // the last two are long against the input's own time
    expect_everywhere(
        {.signals = fmt::format("s: {{delay: {{input: \"1 + sin(5*t)\", time: {}}}}}", time)}, "s",
        [=](double t) { return 1 + std::sin(5 * std::max(0.0, t - time)); }, 1e-8);
  }
}

TEST(Delay, OfASmoothInputDrivesABodyAsAccuratelyAsAskedFor) {
  // v' = cos(6 (t - 1)) from t = 1 on, 1 before
  const OneAxis model{
      .signals = "s: {delay: {input: \"cos(6*t)\", time: 1}}", .force = "s", .duration = 3, .tolerance = 1e-11};
  expect_everywhere(
      model, "j.speed", [](double t) { return t < 1 ? t : 1 + std::sin(6 * (t - 1)) / 6; }, 1e-7);
}

TEST(Delay, HoldsTheInitialValueOfItsInputUntilItsTime) {
  expect_everywhere(
      {.signals = "s: {delay: {input: \"7 + t\", time: 1.25}}"}, "s",
      [](double t) { return 7 + std::max(0.0, t - 1.25); }, 1e-12);
}

TEST(Delay, LongerThanTheRunShowsTheInitialValueOnly) {
  expect_everywhere(
      {.signals = "s: {delay: {input: \"3 + t\", time: 1e9}}"}, "s", [](double) { return 3; }, 0);
}

TEST(Delay, OfABodyThatCoasts) {
  expect_everywhere(
      {.signals = "s: {delay: {input: j.displacement, time: 0.7}}", .initial = "{displacement: 2, speed: 3}"}, "s",
      [](double t) { return 2 + 3 * std::max(0.0, t - 0.7); }, 1e-9);
}

// A ramp is integrated exactly only if the integrator lands on the step, however long its own steps are.
TEST(Delay, AStepArrivesExactlyItsTimeLater) {
  const OneAxis model{.signals = "s: {delay: {input: \"step(0.3)\", time: 0.77}}, i: {integral: s}", .step = 0.25};
  expect_everywhere(
      model, "i", [](double t) { return std::max(0.0, t - 1.07); }, 1e-12);
  const Flight run(model.text());
  EXPECT_EQ(run.at(1.0, "s"), 0);
  EXPECT_NEAR(run.at(1.1, "s"), 1, 1e-15);
}

TEST(Delay, OfAConstantIsThatConstant) {  // and nothing that compares it with itself flickers
  const Flight run(OneAxis{.signals = "d: {delay: {input: \"step(0.3)\", time: 0.5}}, s: \"d >= 1\", jet: "
                                      "{switching_amplifier: {input: d, deadband: 1}}"}
                       .text());
  for (std::size_t k = 9; k < run.time.size(); ++k) EXPECT_EQ(run.values("d")[k], 1) << run.time[k];
  EXPECT_EQ(run.times_of("signals.s").size(), 1u);
  EXPECT_EQ(run.times_of("signals.jet").size(), 0u);
}

TEST(Delay, ForgetsWhatIsOver) {
  Flight run(OneAxis{.signals = "d: {delay: {input: t, time: 0.01}}", .duration = 100, .interval = 1}.text());
  EXPECT_LT(run.simulation.run_state().discrete().memory[0].history.save().size(), 20000u)
      << "of 70000 numbers it was told";
}

TEST(Delay, AtTheInstantOfArrivalTheStepIsThere) {
  const Flight run(OneAxis{.signals = "s: {delay: {input: \"step(0.5)\", time: 0.5}}"}.text());
  EXPECT_EQ(run.time[10], 1);
  EXPECT_EQ(run.values("s")[10], 1);
}

TEST(Delay, OfADelayedStepArrivesExactlyLaterToo) {
  const OneAxis model{
      .signals = "a: {delay: {input: \"step(0.3)\", time: 0.4}}, s: {delay: {input: a, time: 0.57}}, i: {integral: s}",
      .step = 0.25};
  expect_everywhere(
      model, "i", [](double t) { return std::max(0.0, t - 1.27); }, 1e-12);
}

TEST(Delay, AtTheInstantOfArrivalATwiceDelayedStepIsThere) {
  const Flight run(
      OneAxis{.signals = "a: {delay: {input: \"step(0.5)\", time: 0.25}}, s: {delay: {input: a, time: 0.25}}"}.text());
  EXPECT_EQ(run.values("s")[9], 0);
  EXPECT_EQ(run.values("s")[10], 1);
}

TEST(Delay, ChainsOfDelaysAddUp) {
  std::string signals = "d0: \"t*t\"";  // a polynomial that every step's own polynomial can be
  for (int k = 1; k <= 8; ++k) signals += fmt::format(", d{}: {{delay: {{input: d{}, time: 0.125}}}}", k, k - 1);
  const auto exact = [](double t) { return t < 1 ? 0 : (t - 1) * (t - 1); };
  expect_everywhere({.signals = signals}, "d8", exact, 1e-11);
}

TEST(Delay, ManyOfThemKeepApart) {
  std::string signals;
  for (int k = 1; k <= 40; ++k) {
    signals += fmt::format("d{}: {{delay: {{input: \"{}*t*t + step({})\", time: {}}}}}, ", k, k, 0.01 * k, 0.04 * k);
  }
  const Flight run(OneAxis{.signals = signals + "end: 0"}.text());
  for (int k = 1; k <= 40; ++k) {
    const std::vector<double> values = run.values(fmt::format("d{}", k));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double then = run.time[i] - 0.04 * k;
      if (std::abs(then - 0.01 * k) < 1e-9) continue;
      EXPECT_NEAR(values[i], then < 0 ? 0 : k * then * then + (then > 0.01 * k ? 1 : 0), 1e-10) << k << " " << then;
    }
  }
}

// What arrives from one delay must not count as a break of all the others, and their arrivals as breaks again: instants
// would be all sums of delays, and their number would grow with a power of time.
TEST(Delay, SeveralOfSmoothInputsDoNotMakeEventsOfEachOther) {
  const std::string signals =
      "a: {delay: {input: \"sin(t)\", time: 0.1}}, b: {delay: {input: \"cos(t)\", time: "
      "0.1414213562}}, c: {delay: {input: j.speed, time: 0.1732050807}}";
  const Flight run(OneAxis{.signals = signals, .duration = 3}.text());
  EXPECT_LT(run.simulation.statistics().restarts, 150u);
}

TEST(Delay, OfASampleIsItsStaircaseLater) {
  const OneAxis model{
      .signals = "a: {sample: {input: t, period: 0.25}}, s: {delay: {input: a, time: 0.6}}, i: {integral: s}",
      .duration = 3,
      .interval = 0.17};
  expect_everywhere(
      model, "s", [](double t) { return t < 0.6 ? 0 : 0.25 * std::floor((t - 0.6) / 0.25 + 1e-9); }, 1e-12);
}

TEST(Delay, InALoopFollowsTheMethodOfSteps) {
  // x' = -k x(t - T), x = 1 before 0
  const double k = 1.5, T = 0.8;
  const OneAxis model{.signals = "x: {integral: \"-1.5*s\", initial: 1}, s: {delay: {input: x, time: 0.8}}",
                      .duration = 6,
                      .tolerance = 1e-11};
  const auto exact = [=](double t) {
    double sum = 0, factorial = 1;
    for (int n = 0; n == 0 || t > (n - 1) * T; ++n) {
      if (n > 0) factorial *= n;
      sum += std::pow(-k, n) * std::pow(t - (n - 1) * T, n) / factorial;
    }
    return sum;
  };
  expect_everywhere(model, "x", exact, 1e-8);
}

TEST(Delay, NoStepIsLongerThanIt) {
  const double end = 2 + 9e-7;  // a last step of 1 + 9e-7 would look beyond what is known
  for (const char* method : {"rk4", "dopri5"}) {
    const Flight run(OneAxis{.signals = "s: {delay: {input: t, time: 1}}, i: {integral: s}",
                             .duration = end,
                             .interval = 1,
                             .method = method,
                             .tolerance = 1e-3,
                             .step = 1}
                         .text());
    EXPECT_NEAR(run.last("i"), (end - 1) * (end - 1) / 2, 1e-11) << method;
  }
}

TEST(Delay, WorksAfterAMillionSeconds) {
  const OneAxis model{.signals = "s: {delay: {input: \"step(999000.25)\", time: 500.5}}, i: {integral: s}",
                      .duration = 1e6,
                      .interval = 1e5};
  for (const std::string& method : adaptive) {
    OneAxis m = model;
    m.method = method;
    EXPECT_NEAR(Flight(m.text()).last("i"), 499.25, 1e-8) << method;
  }
}

}  // namespace delay_test
}  // namespace gyrostat::testing
