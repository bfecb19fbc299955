// Latches, holds, selections and unwrapped angles: what they remember, when they change, and that runs stop there.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/one_axis.h"

namespace gyrostat::testing {
namespace logic_blocks_test {

constexpr double pi = std::numbers::pi;

/// What a signal named `s` is, at every record and for every integrator.
void expect_signal(const OneAxis& model, const std::function<double(double)>& exact, double allowed = 1e-8) {
  OneAxis m = model;
  for (const std::string& method : every_method) {
    m.method = method;
    const Flight run(m.text());
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << method << ": " << run.outcome.failure;
    const std::vector<double> values = run.values("s");
    for (std::size_t k = 0; k < values.size(); ++k) {
      ASSERT_NEAR(values[k], exact(run.time[k]), allowed) << method << " at " << run.time[k];
    }
  }
}

std::vector<std::string> changes_of(const Flight& run, const std::string& signal) {
  std::vector<std::string> list;
  for (const RecordedEvent& event : run.events) {
    if (event.change.name == "signals." + signal) list.push_back(event.change.what);
  }
  return list;
}

// --- latch ------------------------------------------------------------------------------------------------------

TEST(Latch, StaysSetAfterItsConditionIsOver) {
  expect_signal({.signals = "s: {latch: {set: \"sin(4*t) - 0.5\"}}"}, [](double t) { return t > pi / 24 ? 1 : 0; });
}

TEST(Latch,
     IsResetByAnotherCondition) {  // set at 0.35, reset at 0.75, set again at 1.25, as its condition is still true
  expect_signal({.signals = "s: {latch: {set: \"t - 0.35\", reset: \"pulse(0.75, 1.25)\"}}"},
                [](double t) { return (t > 0.35 && t < 0.75) || t >= 1.25 ? 1 : 0; });
}

TEST(Latch, TheResetGoesBeforeTheSet) {
  expect_signal({.signals = "s: {latch: {set: 1, reset: \"1.05 - t\"}}"}, [](double t) { return t >= 1.05 ? 1 : 0; });
}

TEST(Latch, MayBeSetFromTheStart) {
  expect_signal({.signals = "s: {latch: {set: 0, reset: \"t >= 0.55\", initial: 1}}"},
                [](double t) { return t >= 0.55 ? 0 : 1; });
}

TEST(Latch, ChangesExactlyWhereItsConditionBecomesPositive) {
  const Flight run(OneAxis{.signals = "s: {latch: {set: \"j.displacement - 1\"}}", .initial = "{speed: 3}"}.text());
  ASSERT_EQ(changes_of(run, "s"), std::vector<std::string>{"set"});
  EXPECT_NEAR(run.events[0].t, 1.0 / 3, 1e-11);
}

TEST(Latch, TakesComparisonsAndOtherLatches) {
  expect_signal({.signals = "a: {latch: {set: \"t > 0.25\", reset: s}}, s: {latch: {set: \"a*(t > 0.95)\"}}"},
                [](double t) { return t > 0.95 ? 1 : 0; });
  const Flight run(
      OneAxis{.signals = "a: {latch: {set: \"t > 0.25\", reset: s}}, s: {latch: {set: \"a*(t > 0.95)\"}}"}.text());
  EXPECT_EQ(changes_of(run, "a"), (std::vector<std::string>{"set", "reset"}));
  EXPECT_EQ(run.values("a").back(), 0);
}

TEST(Latch, SequencesOfLatchesMayFormACircle) {  // s until 0.55 s, b until 1.05 s, then s again
  expect_signal({.signals = "s: {latch: {set: \"b*(t - 1.05)\", reset: \"b*(1.05 - t)\", initial: 1}}, "
                            "b: {latch: {set: \"s*(t > 0.55)*(t < 1.05)\", reset: \"s*(t > 1.05)\"}}"},
                [](double t) { return t > 0.55 && t <= 1.05 ? 0 : 1; });
}

// --- hold -------------------------------------------------------------------------------------------------------

TEST(Hold, FreezesItsInputWhileTheConditionIsPositive) {
  expect_signal({.signals = "s: {hold: {input: \"sin(t)\", when: \"pulse(0.55, 1.45)\"}}"},
                [](double t) { return std::sin(t >= 0.55 && t < 1.45 ? 0.55 : t); });
}

TEST(Hold, FreezesWhereAConditionOfTheMotionBecomesPositive) {
  const OneAxis model{.signals = "s: {hold: {input: \"t^2\", when: \"j.displacement - 1\"}}", .initial = "{speed: 3}"};
  expect_signal(model, [](double t) { return std::pow(std::min(t, 1.0 / 3), 2); });
  EXPECT_EQ(changes_of(Flight(model.text()), "s"), std::vector<std::string>{"hold"});
}

TEST(Hold, MayHoldFromTheStart) {
  expect_signal({.signals = "s: {hold: {input: \"2 + t\", when: \"0.75 - t\"}}"},
                [](double t) { return t < 0.75 ? 2 : 2 + t; });
}

TEST(Hold, ItsOutputGoesOnWithoutAJumpWhereItBeginsToHold) {  // an integral of it bends, and does not jump
  expect_signal({.signals = "h: {hold: {input: t, when: \"t > 1\"}}, s: {integral: h}"},
                [](double t) { return t < 1 ? t * t / 2 : 0.5 + (t - 1); });
}

// --- largest ----------------------------------------------------------------------------------------------------

TEST(Largest, TellsWhichInputHasTheLargestMagnitude) {
  expect_signal({.signals = "s: {largest: {inputs: [0.65, \"-t\", \"4*min(t, 0.4) - 1.6\"]}}"}, [](double t) {
    return t < 0.2375 ? 3 : t < 0.65 ? 1 : 2;
  });
}

TEST(Largest, OfEqualOnesTheFirstIsTakenAtTheStart) {
  const Flight run(OneAxis{.signals = "s: {largest: {inputs: [1, -2, 2]}}"}.text());
  EXPECT_EQ(run.values("s").front(), 2);
  EXPECT_EQ(run.values("s").back(), 2);
}

TEST(Largest, AnotherTakesOverOnlyBeyondTheHysteresis) {
  expect_signal({.signals = "s: {largest: {inputs: [1, t], hysteresis: 0.25}}"},
                [](double t) { return t > 1.25 ? 2 : 1; });
}

TEST(Largest, ChangesAreEventsWithTheNumberOfTheInput) {
  const Flight run(OneAxis{.signals = "s: {largest: {inputs: [1, \"2*t\"]}}"}.text());
  ASSERT_EQ(changes_of(run, "s"), std::vector<std::string>{"input 2"});
  EXPECT_NEAR(run.events[0].t, 0.5, 1e-11);
}

TEST(Largest, DecidesAmongTorques) {  // bang-bang on the largest error: each error falls in turn, none chatters away
  const Flight run(
      OneAxis{.signals = "s: {largest: {inputs: [\"1 - j.displacement\", 0.25]}}", .force = "s == 1 ? 2 : -0.5"}.text(),
      {}, Flight::Expect::finish);
  // accelerates with 2 until x = 0.75, at t = sqrt(0.75)
  EXPECT_NEAR(run.events.at(0).t, std::sqrt(0.75), 1e-9);
}

// --- unwrap -----------------------------------------------------------------------------------------------------

TEST(Unwrap, GoesOnWhereAnAngleJumps) {
  expect_signal({.signals = "s: {unwrap: {input: \"atan2(sin(7*t), cos(7*t))\"}}"}, [](double t) { return 7 * t; });
  expect_signal({.signals = "s: {unwrap: {input: \"atan2(sin(7*t), -cos(7*t))\"}}"},
                [](double t) { return pi - 7 * t; });
}

TEST(Unwrap, FollowsAnAngleThereAndBackAgain) {
  expect_signal({.signals = "a: \"9*sin(2*t)\", s: {unwrap: {input: \"atan2(sin(a), cos(a))\"}}"},
                [](double t) { return 9 * std::sin(2 * t); });
}

TEST(Unwrap, StartsWithWhatItsInputIs) {
  expect_signal({.signals = "s: {unwrap: {input: \"atan2(sin(3 + t), cos(3 + t))\"}}"}, [](double t) { return 3 + t; });
  expect_signal({.signals = "s: {unwrap: {input: \"atan2(sin(4 + t), cos(4 + t))\"}}"},
                [](double t) { return 4 + t - 2 * pi; });
}

TEST(Unwrap, TakesOtherPeriods) {  // a saw tooth of height 1
  expect_signal({.signals = "s: {unwrap: {input: \"t < 0.6 ? t : t < 1.6 ? t - 1 : t - 2\", period: 1}}"},
                [](double t) { return t; });
}

TEST(Unwrap, KeepsStepsOfLessThanHalfAPeriod) {
  expect_signal({.signals = "s: {unwrap: {input: \"3*step(1)\"}}"}, [](double t) { return t >= 1 ? 3 : 0; });
}

TEST(Unwrap, OfSamplesTakesTheNearestTurn) {
  expect_signal(
      {.signals = "a: {sample: {input: \"atan2(sin(7*t), cos(7*t))\", period: 0.1}}, s: {unwrap: {input: a}}"},
      [](double t) { return 7 * 0.1 * std::floor(t / 0.1 + 1e-9); });
}

const std::string spinning = R"(gyrostat: 1
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
joints: {base: {initial: {omega: [3, 0, 0]}}}
signals: {s: {unwrap: {input: b.roll}}, twice: {integral: s}}
simulation: {duration: 5, integrator: {method: dopri5, tolerance: 1e-10}}
output: {interval: 0.1}
)";

TEST(Unwrap, TakesTheRollOfABody) {
  const Flight run(spinning, {}, Flight::Expect::finish);
  const auto values = run.values("s"), integral = run.values("twice");
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double t = run.time[k];
    EXPECT_NEAR(values[k], 3 * t, 1e-8);
    EXPECT_NEAR(integral[k], 1.5 * t * t, 1e-8);
  }
}

TEST(AttitudeAngles, PassingHalfATurnIsAnEvent) {  // an integral of the roll is exact only if it is
  std::string text = spinning;
  text.replace(text.find("{unwrap: {input: b.roll}}"), 25, "b.roll");
  const Flight run(text, {}, Flight::Expect::finish);
  const auto turns = [](double t) { return std::floor((3 * t + pi) / (2 * pi)); };
  const auto integral = run.values("twice");
  for (std::size_t k = 0; k < integral.size(); ++k) {
    const double t = run.time[k];
    double exact = 1.5 * t * t;
    for (int n = 1; n <= turns(t); ++n) exact -= 2 * pi * (t - (2 * n - 1) * pi / 3);
    EXPECT_NEAR(integral[k], exact, 1e-8) << "at " << t;
  }
}

}  // namespace logic_blocks_test
}  // namespace gyrostat::testing
