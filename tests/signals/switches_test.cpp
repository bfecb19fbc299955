#include "gyrostat/signals/switches.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "expression/compiled.h"

namespace gyrostat {
namespace {

using expression::testing::Compiled;
using expression::testing::Inputs;

/// A program with its switches, their positions, and the values it has.
struct Board {
  Compiled compiled;
  Switches switches;
  std::vector<std::uint32_t> positions;
  std::vector<double> slots;
  double end = never;

  explicit Board(const std::string& text)
      : compiled(expression::testing::compile(text)),
        switches(compiled.program),
        positions(switches.size(), 0),
        slots(expression::testing::loaded<double>(compiled.program, {})) {}
  Board(const Board&) = delete;

  /// Inputs: t, x, y.
  void evaluate(double t, double x = 0, double y = 0) {
    slots[0] = t;
    slots[1] = x;
    slots[2] = y;
    expression::evaluate<double>(compiled.program, slots, positions);
  }
  bool iterate(double t, double x = 0, double y = 0) {
    evaluate(t, x, y);
    bool any = false;
    for (std::uint32_t k = 0; k < switches.size(); ++k) {
      const std::uint32_t position = switches.position_after(k, t, slots.data(), end);
      any = any || position != positions[k];
      positions[k] = position;
    }
    evaluate(t, x, y);
    return any;
  }
  bool crossed(double t, double x = 0, double y = 0) {
    evaluate(t, x, y);
    return switches.any_crossed(slots.data(), positions);
  }
  double result() { return slots[compiled.results[0]]; }
};

TEST(Switches, KnowsTheInstantsOfStepsRampsAndPulses) {
  const Board b("step(3) + ramp(1) + pulse(2, 5)*(t < 4)");
  EXPECT_FALSE(b.switches.watches());
  EXPECT_EQ(b.switches.next_time(-1), 1);
  for (int k = 1; k < 5; ++k) EXPECT_EQ(b.switches.next_time(k), k + 1) << k;
  EXPECT_EQ(b.switches.next_time(5), never);
  EXPECT_EQ(b.switches.next_time(2.5), 3);
}

TEST(Switches, KnowsTheInstantsOfATableOfTime) {
  const Board b("table(thrust, t) + table(thrust, t - 10)");  // knots -2, -1, 0.5, 2
  EXPECT_EQ(b.switches.next_time(0), 0.5);
  EXPECT_EQ(b.switches.next_time(0.5), 2);
  EXPECT_EQ(b.switches.next_time(2), 8);
  EXPECT_EQ(b.switches.next_time(9), 10.5);
}

TEST(Switches, GoesByTheClockWhereItCan) {
  Board b("step(1) + 10*pulse(2, 3) + 100*(t <= 4) + 1000*(5 > t)");
  b.iterate(0);
  EXPECT_EQ(b.result(), 1100);
  b.iterate(1);
  EXPECT_EQ(b.result(), 1101);
  b.iterate(2);
  EXPECT_EQ(b.result(), 1111);
  b.iterate(3);
  EXPECT_EQ(b.result(), 1101);
  b.iterate(4);
  EXPECT_EQ(b.result(), 1001) << "as it is just after";
  b.iterate(5);
  EXPECT_EQ(b.result(), 1);
}

TEST(Switches, WatchesWhatDependsOnMore) {
  Board b("abs(x) + sign(y)");
  EXPECT_TRUE(b.switches.watches());
  EXPECT_EQ(b.switches.next_time(0), never);
  b.iterate(0, 1, 1);
  EXPECT_FALSE(b.crossed(0, 0.5, 0.1));
  EXPECT_FALSE(b.crossed(0, 0, 1)) << "abs is itself at 0";
  EXPECT_TRUE(b.crossed(0, -1e-300, 1));
  EXPECT_TRUE(b.crossed(0, 1, 0)) << "sign is another at 0";
  EXPECT_TRUE(b.iterate(0, -2, -1));
  EXPECT_FALSE(b.crossed(0, -2, -1));
  EXPECT_EQ(b.result(), 1);
}

TEST(Switches, HeldSwitchesContinueTheirBranch) {
  Board b("abs(x)");
  b.iterate(0, 1);
  b.evaluate(0, -0.25);
  EXPECT_EQ(b.result(), -0.25);
}

TEST(Switches, TellsHowFarThresholdsAre) {
  Board b("abs(x - 1) + table(thrust, y)");
  b.iterate(0, 3, 0);
  std::vector<double> functions;
  b.evaluate(0, 1.5, 0.1);
  b.switches.append_event_functions(b.slots.data(), b.positions, functions);
  ASSERT_EQ(functions.size(), 2u);
  EXPECT_NEAR(functions[0], 0.5, 1e-15);
  EXPECT_NEAR(functions[1], 0.4, 1e-15);
  b.evaluate(0, 0.25, 0.75);
  b.switches.append_event_functions(b.slots.data(), b.positions, functions);
  EXPECT_NEAR(functions[2], -0.75, 1e-15);
  EXPECT_NEAR(functions[3], -0.25, 1e-15);
}

TEST(Switches, ABranchCutIsPassedOnlyWhereTheAngleJumps) {
  Board b("atan2(y, x)");
  b.iterate(0, 1, 0.5);
  EXPECT_FALSE(b.crossed(0, 1, -0.5));
  EXPECT_TRUE(b.crossed(0, -1, -0.5));
  b.evaluate(0, 1, -0.5);
  b.switches.follow_smoothly(b.slots.data(), b.positions);
  EXPECT_FALSE(b.crossed(0, -1, -0.5)) << "it came round by zero";
  EXPECT_NEAR(b.result(), std::atan2(-0.5, -1), 1e-15);
  EXPECT_TRUE(b.crossed(0, -1, 0.5));
  EXPECT_NEAR(b.result(), std::atan2(0.5, -1) - 2 * std::numbers::pi, 1e-15) << "held, it goes on beyond -pi";
}

TEST(Switches, OfParametersAloneNeverChange) {
  expression::ProgramBuilder builder(1, 0);
  const expression::Slot guard = builder.parameter(-2);
  const expression::Slot result = builder.where_positive(guard, builder.constant(1), builder.constant(7), "?:");
  const expression::Program program = builder.finish();
  const Switches switches(program);
  ASSERT_EQ(switches.size(), 1u);
  EXPECT_FALSE(switches.watches());
  std::vector<double> slots(program.slots);
  expression::prepare<double>(program, slots);
  const std::vector<std::uint32_t> positions = {switches.position_after(0, 0, slots.data(), never)};
  expression::evaluate<double>(program, slots, positions);
  EXPECT_EQ(slots[result], 7);
}

TEST(Switches, TablesWatchTheirSegments) {
  Board b("table(thrust, x)");
  b.iterate(0, 0);
  EXPECT_FALSE(b.crossed(0, 0.49));
  EXPECT_TRUE(b.crossed(0, 0.5));
  EXPECT_TRUE(b.crossed(0, -1.01));
  EXPECT_FALSE(b.crossed(0, -1));
  b.iterate(0, 5);
  EXPECT_FALSE(b.crossed(0, 2.01));
  EXPECT_TRUE(b.crossed(0, 1.99));
}

// A run that stops at an instant and goes on to next_time must not lose what is in between.
TEST(Switches, WhatNextTimePassesOverHasHappened) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  int lost = 0;
  for (int k = 0; k < 20000; ++k) {
    const double t = std::pow(10, -3 + 10 * uniform(random));
    const double time = t + 3 * (uniform(random) - 0.25) * same_instant(t);
    expression::Program program;
    program.inputs = program.slots = 1;
    expression::Switch s;
    s.time = time;
    program.switches.push_back(s);
    const Switches switches(program);
    const double slot = 0;
    const bool happened = switches.position_after(0, t, &slot, never) == 1, coming = switches.next_time(t) == time;
    EXPECT_FALSE(happened && coming) << "twice";
    lost += !happened && !coming ? 1 : 0;
  }
  EXPECT_EQ(lost, 0) << "of 20000";
}

}  // namespace
}  // namespace gyrostat
