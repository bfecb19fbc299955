#include "gyrostat/signals/switchboard.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "expression/compiled.h"

namespace gyrostat {
namespace {

using expression::testing::Compiled;
using expression::testing::Inputs;

/// A program with its switchboard and the values it has.
struct Board {
  Compiled compiled;
  Switchboard board;
  std::vector<double> slots;

  explicit Board(const std::string& text)
      : compiled(expression::testing::compile(text)),
        board(compiled.program),
        slots(expression::testing::loaded<double>(compiled.program, {})) {}
  Board(const Board&) = delete;

  auto value() {
    return [this](expression::Slot slot) { return slots[slot]; };
  }
  /// Inputs: t, x, y.
  void look(double t, double x = 0, double y = 0) {
    slots[0] = t;
    slots[1] = x;
    slots[2] = y;
    expression::evaluate<double, std::uint32_t>(compiled.program, slots, board.modes());
  }
  bool settle(double t, double x = 0, double y = 0) {
    look(t, x, y);
    bool any = false;
    for (std::uint32_t k = 0; k < board.size(); ++k) any = board.settle(k, t, value()) || any;
    look(t, x, y);
    return any;
  }
  bool misplaced(double t, double x = 0, double y = 0) {
    look(t, x, y);
    return board.any_misplaced(value());
  }
  double result() { return slots[compiled.results[0]]; }
};

TEST(Switchboard, KnowsTheInstantsOfStepsRampsAndPulses) {
  const Board b("step(3) + ramp(1) + pulse(2, 5)*(t < 4)");
  EXPECT_FALSE(b.board.watches());
  EXPECT_EQ(b.board.next_time(-1), 1);
  for (int k = 1; k < 5; ++k) EXPECT_EQ(b.board.next_time(k), k + 1) << k;
  EXPECT_EQ(b.board.next_time(5), never);
  EXPECT_EQ(b.board.next_time(2.5), 3);
}

TEST(Switchboard, KnowsTheInstantsOfATableOfTime) {
  const Board b("table(thrust, t) + table(thrust, t - 10)");  // knots -2, -1, 0.5, 2
  EXPECT_EQ(b.board.next_time(0), 0.5);
  EXPECT_EQ(b.board.next_time(0.5), 2);
  EXPECT_EQ(b.board.next_time(2), 8);
  EXPECT_EQ(b.board.next_time(9), 10.5);
}

TEST(Switchboard, GoesByTheClockWhereItCan) {
  Board b("step(1) + 10*pulse(2, 3) + 100*(t <= 4) + 1000*(5 > t)");
  b.settle(0);
  EXPECT_EQ(b.result(), 1100);
  b.settle(1);
  EXPECT_EQ(b.result(), 1101);
  b.settle(2);
  EXPECT_EQ(b.result(), 1111);
  b.settle(3);
  EXPECT_EQ(b.result(), 1101);
  b.settle(4);
  EXPECT_EQ(b.result(), 1001) << "as it is just after";
  b.settle(5);
  EXPECT_EQ(b.result(), 1);
}

TEST(Switchboard, WatchesWhatDependsOnMore) {
  Board b("abs(x) + sign(y)");
  EXPECT_TRUE(b.board.watches());
  EXPECT_EQ(b.board.next_time(0), never);
  b.settle(0, 1, 1);
  EXPECT_FALSE(b.misplaced(0, 0.5, 0.1));
  EXPECT_FALSE(b.misplaced(0, 0, 1)) << "abs is itself at 0";
  EXPECT_TRUE(b.misplaced(0, -1e-300, 1));
  EXPECT_TRUE(b.misplaced(0, 1, 0)) << "sign is another at 0";
  EXPECT_TRUE(b.settle(0, -2, -1));
  EXPECT_FALSE(b.misplaced(0, -2, -1));
  EXPECT_EQ(b.result(), 1);
}

TEST(Switchboard, HeldSwitchesContinueTheirBranch) {
  Board b("abs(x)");
  b.settle(0, 1);
  b.look(0, -0.25);
  EXPECT_EQ(b.result(), -0.25);
}

TEST(Switchboard, TellsHowFarThresholdsAre) {
  Board b("abs(x - 1) + table(thrust, y)");
  b.settle(0, 3, 0);
  std::vector<double> margins;
  b.look(0, 1.5, 0.1);
  b.board.append_margins(b.value(), margins);
  ASSERT_EQ(margins.size(), 2u);
  EXPECT_NEAR(margins[0], 0.5, 1e-15);
  EXPECT_NEAR(margins[1], 0.4, 1e-15);
  b.look(0, 0.25, 0.75);
  b.board.append_margins(b.value(), margins);
  EXPECT_NEAR(margins[2], -0.75, 1e-15);
  EXPECT_NEAR(margins[3], -0.25, 1e-15);
}

TEST(Switchboard, ABranchCutIsPassedOnlyWhereTheAngleJumps) {
  Board b("atan2(y, x)");
  b.settle(0, 1, 0.5);
  EXPECT_FALSE(b.misplaced(0, 1, -0.5));
  EXPECT_TRUE(b.misplaced(0, -1, -0.5));
  b.look(0, 1, -0.5);
  b.board.follow_smoothly(b.value());
  EXPECT_FALSE(b.misplaced(0, -1, -0.5)) << "it came round by zero";
  EXPECT_NEAR(b.result(), std::atan2(-0.5, -1), 1e-15);
  EXPECT_TRUE(b.misplaced(0, -1, 0.5));
  EXPECT_NEAR(b.result(), std::atan2(0.5, -1) - 2 * std::numbers::pi, 1e-15) << "held, it goes on beyond -pi";
}

TEST(Switchboard, TablesWatchTheirSegments) {
  Board b("table(thrust, x)");
  b.settle(0, 0);
  EXPECT_FALSE(b.misplaced(0, 0.49));
  EXPECT_TRUE(b.misplaced(0, 0.5));
  EXPECT_TRUE(b.misplaced(0, -1.01));
  EXPECT_FALSE(b.misplaced(0, -1));
  b.settle(0, 5);
  EXPECT_FALSE(b.misplaced(0, 2.01));
  EXPECT_TRUE(b.misplaced(0, 1.99));
}

// Whoever stops at an instant and goes on to next_time must not lose what is in between.
TEST(Switchboard, WhatNextTimePassesOverHasBeenSettled) {
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
    Switchboard board(program);
    board.settle(0, t, [](expression::Slot) { return 0.0; });
    const bool happened = board.modes()[0] == 1, coming = board.next_time(t) == time;
    EXPECT_FALSE(happened && coming) << "twice";
    lost += !happened && !coming ? 1 : 0;
  }
  EXPECT_EQ(lost, 0) << "of 20000";
}

}  // namespace
}  // namespace gyrostat
