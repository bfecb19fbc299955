#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "gyrostat/expression/program.h"

#include "expression/compiled.h"

namespace gyrostat::expression {
namespace {

using namespace testing;
using Kind = Switch::Kind;

/// Where each switch stands by its guard, as an integrator would note it at an event.
std::vector<std::uint32_t> positions_at(const Compiled& compiled, const Inputs<double>& inputs) {
  auto slots = loaded(compiled.program, inputs);
  evaluate<double>(compiled.program, slots);
  std::vector<std::uint32_t> positions;
  for (const Switch& s : compiled.program.switches) {
    const double guard = slots[s.guard];
    positions.push_back(s.kind == Kind::knots
                            ? static_cast<std::uint32_t>(compiled.program.tables[s.table].segment(guard))
                        : s.kind == Kind::positive ? guard > 0
                                                   : guard >= 0);
  }
  return positions;
}

template <class Scalar>
Scalar held_value(const Compiled& compiled, const Inputs<Scalar>& inputs,
                  const std::vector<Position<Scalar>>& positions) {
  auto slots = loaded(compiled.program, inputs);
  evaluate<Scalar>(compiled.program, slots, positions);
  return slots[compiled.results[0]];
}

struct Crossing {
  const char* text;
  Inputs<double> from, to;  // t, x, y, bus.omega_x
  double held, free;        // at `to`
};

const Crossing crossings[] = {
    {"abs(x)", {0, 1, 0, 0}, {0, -2, 0, 0}, -2, 2},
    {"abs(x)", {0, -1, 0, 0}, {0, 2, 0, 0}, -2, 2},
    {"min(x, y)", {0, 1, 2, 0}, {0, 3, 2, 0}, 3, 2},
    {"max(x, y)", {0, 1, 2, 0}, {0, 3, 2, 0}, 2, 3},
    {"max(x, y, 0)", {0, -1, -2, 0}, {0, 4, 5, 0}, 0, 5},
    {"clamp(x, -1, 1)", {0, 0, 0, 0}, {0, 5, 0, 0}, 5, 1},
    {"clamp(x, -1, 1)", {0, 0, 0, 0}, {0, -5, 0, 0}, -5, -1},
    {"clamp(x, -1, 1)", {0, 2, 0, 0}, {0, 0.5, 0, 0}, 1, 0.5},
    {"sign(x)", {0, 1, 0, 0}, {0, -2, 0, 0}, 1, -1},
    {"sign(x)", {0, -1, 0, 0}, {0, 2, 0, 0}, -1, 1},
    {"step(2)", {1, 0, 0, 0}, {3, 0, 0, 0}, 0, 1},
    {"ramp(2)", {3, 0, 0, 0}, {1, 0, 0, 0}, -1, 0},
    {"ramp(2)", {1, 0, 0, 0}, {5, 0, 0, 0}, 0, 3},
    {"pulse(1, 2)", {1.5, 0, 0, 0}, {3, 0, 0, 0}, 1, 0},
    {"pulse(1, 2)", {0, 0, 0, 0}, {1.5, 0, 0, 0}, 0, 1},
    {"x < y", {0, 1, 2, 0}, {0, 3, 2, 0}, 1, 0},
    {"x <= y", {0, 1, 2, 0}, {0, 3, 2, 0}, 1, 0},
    {"x > y", {0, 1, 2, 0}, {0, 3, 2, 0}, 0, 1},
    {"x >= y", {0, 1, 2, 0}, {0, 3, 2, 0}, 0, 1},
    {"x == y", {0, 1, 2, 0}, {0, 2, 2, 0}, 0, 1},
    {"x != y", {0, 2, 2, 0}, {0, 1, 2, 0}, 0, 1},
    {"x > 0 ? x^2 : -x", {0, 1, 0, 0}, {0, -3, 0, 0}, 9, 3},
    {"x > 0 ? x^2 : -x", {0, -1, 0, 0}, {0, 3, 0, 0}, -3, 9},
    {"x == y ? 5 : x", {0, 1, 2, 0}, {0, 2, 2, 0}, 2, 5},
    {"x ? 5 : 7", {0, 1, 0, 0}, {0, 0, 0, 0}, 5, 7},
    {"x ? 5 : 7", {0, -1, 0, 0}, {0, 0, 0, 0}, 5, 7},
    {"(x < 0)*(y < 0) ? 3 : x", {0, -1, -1, 0}, {0, 1, -1, 0}, 3, 1},
};

TEST(Switches, HeldTheyContinueTheSmoothBranchAndFreeTheySwitch) {
  for (const auto& [text, from, to, held, free] : crossings) {
    const Compiled compiled = compile(text);
    const auto positions = positions_at(compiled, from);
    EXPECT_EQ(held_value(compiled, from, positions), value(compiled, from))
        << text << ": holding changes nothing in place";
    EXPECT_EQ(held_value(compiled, to, positions), held) << text << " held";
    EXPECT_EQ(value(compiled, to), free) << text << " free";
    EXPECT_EQ(held_value(compiled, to, positions_at(compiled, to)), free) << text << " held on the other side";
  }
}

TEST(Switches, HeldDerivativesAreThoseOfTheBranchHeld) {
  using D = Dual<1>;
  const Compiled compiled = compile("abs(x)*x");
  const Inputs<D> past{D(0), D::variable(-2, 0), D(0), D(0)};
  const D held = held_value(compiled, past, positions_at(compiled, {0, 1, 0, 0})), free = value(compiled, past);
  EXPECT_EQ(held.value, 4);
  EXPECT_EQ(held.d[0], -4);
  EXPECT_EQ(free.value, -4);
  EXPECT_EQ(free.d[0], 4);
}

TEST(Switches, EachLaneOfAPackIsHeldByItself) {
  const Compiled compiled = compile("abs(x)");
  ASSERT_EQ(compiled.program.switches.size(), 1U);
  using Four = Pack<4>;
  std::vector<Position<Four>> positions(1);
  Inputs<Four> inputs;
  for (std::size_t lane = 0; lane < Four::lanes; ++lane) {
    positions[0].set(lane, lane % 2 == 0 ? 1 : 0);
    inputs[1][lane] = static_cast<double>(lane) - 3.5;
  }
  const Four y = held_value(compiled, inputs, positions);
  for (std::size_t lane = 0; lane < Four::lanes; ++lane) {
    EXPECT_EQ(y[lane], (lane % 2 == 0 ? 1 : -1) * inputs[1][lane]);
  }
}

TEST(Switches, EachLaneOfAPackIsOnATablesSegmentOfItsOwn) {
  const Compiled compiled = compile("table(thrust, x)");
  using Four = Pack<4>;
  std::vector<Position<Four>> positions(1);
  Inputs<Four> inputs;
  for (std::size_t lane = 0; lane < Four::lanes; ++lane) {
    positions[0].set(lane, static_cast<std::uint32_t>(lane));
    inputs[1][lane] = 0.7;
  }
  const Four y = held_value(compiled, inputs, positions);
  for (std::size_t lane = 0; lane < Four::lanes; ++lane) {
    EXPECT_EQ(y[lane], compiled.program.tables[0].on(lane, 0.7).value);
  }
}

struct Registered {
  Kind kind;
  const char* guard;  // as an expression
  const char* cause;
};

/// The switches of `text`, in any order: their kinds, causes, and guards at random inputs.
void expect_switches(const std::string& text, const std::vector<Registered>& expected) {
  const Compiled compiled = compile(text);
  ASSERT_EQ(compiled.program.switches.size(), expected.size()) << text;
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> between(-3, 3);
  for (int i = 0; i < 20; ++i) {
    const Inputs<double> inputs{between(random), between(random), between(random), between(random)};
    auto slots = loaded(compiled.program, inputs);
    evaluate<double>(compiled.program, slots);
    for (const auto& [kind, guard, cause] : expected) {
      const double at = value(guard, inputs);
      const auto found = std::count_if(compiled.program.switches.begin(), compiled.program.switches.end(),
                                       [&, k = kind, c = cause](const Switch& s) {
                                         return s.kind == k && s.cause == c && std::abs(slots[s.guard] - at) < 1e-15;
                                       });
      EXPECT_EQ(found, 1) << text << " has no switch '" << cause << "' with the guard " << guard;
    }
  }
}

TEST(Switches, EveryDiscontinuousFunctionRegistersItsGuard) {
  expect_switches("abs(x)", {{Kind::not_negative, "x", "abs"}});
  expect_switches("abs(x*y - 1)", {{Kind::not_negative, "x*y - 1", "abs"}});
  expect_switches("sign(x)", {{Kind::not_negative, "x", "sign"}, {Kind::positive, "x", "sign"}});
  expect_switches("min(x, y)", {{Kind::not_negative, "y - x", "min"}});
  expect_switches("max(x, y)", {{Kind::not_negative, "x - y", "max"}});
  expect_switches("clamp(x, y, 2)", {{Kind::positive, "x - 2", "clamp"}, {Kind::positive, "y - x", "clamp"}});
  expect_switches("step(x)", {{Kind::not_negative, "t - x", "step"}});
  expect_switches("ramp(2)", {{Kind::not_negative, "t - 2", "ramp"}});
  expect_switches("pulse(1, 2)", {{Kind::not_negative, "t - 1", "pulse"}, {Kind::not_negative, "t - 2", "pulse"}});
  expect_switches("x < y", {{Kind::positive, "y - x", "<"}});
  expect_switches("x <= y", {{Kind::not_negative, "y - x", "<="}});
  expect_switches("x > y", {{Kind::positive, "x - y", ">"}});
  expect_switches("x >= y", {{Kind::not_negative, "x - y", ">="}});
  expect_switches("x == y", {{Kind::positive, "x - y", "=="}, {Kind::positive, "y - x", "=="}});
  expect_switches("x != y", {{Kind::positive, "x - y", "!="}, {Kind::positive, "y - x", "!="}});
  expect_switches("x ? 5 : 7", {{Kind::positive, "x", "?:"}, {Kind::positive, "-x", "?:"}});
}

TEST(Switches, TablesRegisterTheirKnotsAndAtan2ItsBranchCut) {
  expect_switches("table(thrust, x - y)", {{Kind::knots, "x - y", "table"}});
  expect_switches("atan2(x*2, y)", {{Kind::branch_cut, "x*2", "atan2"}});
  const Compiled table = compile("table(thrust, x)"), angle = compile("atan2(x, y)");
  EXPECT_EQ(table.program.tables[table.program.switches[0].table].knots().size(), table_x.size());
  EXPECT_EQ(angle.program.switches[0].other, 2U) << "y";
}

TEST(Switches, Atan2WithAnArgumentThatKeepsItFromTheCutHasNone) {
  EXPECT_TRUE(compile("atan2(1, x)").program.switches.empty());
  EXPECT_TRUE(compile("atan2(x, 2)").program.switches.empty());
  EXPECT_EQ(compile("atan2(x, -2)").program.switches.size(), 1U);
}

TEST(Switches, SmoothExpressionsHaveNone) {
  for (const char* text :
       {"x", "sin(x)*cos(y)^3 - exp(-t)/(1 + x^2)", "tan(x) + atan(y)", "asin(x) + acos(y)", "x^y", "sqrt(x)*log(y)",
        "deg(x) + rpm(y)", "abs(-3)*x", "(2 < 3)*x", "min(1, 2) + t", "1 ? x : y", "max(x, x)"}) {
    EXPECT_TRUE(compile(text).program.switches.empty()) << text;
  }
}

TEST(Switches, AComparisonInAConditionalMakesOneSwitch) {
  for (const char* text : {"x < y ? 1 : 2", "x <= y ? t : x", "x > y ? sin(x) : 0", "x >= y ? 0 : 5",
                           "(x < y ? t : x) + (x < y)", "x < y ? x : x < y ? y : t", "step(2) ? x : y"}) {
    EXPECT_EQ(compile(text).program.switches.size(), 1U) << text;
  }
}

TEST(Switches, AnEqualityInAConditionalMakesItsOwnTwoAndNoMore) {
  EXPECT_EQ(compile("x == y ? 1 : 2").program.switches.size(), 2U);
  EXPECT_EQ(compile("x != y ? 1 : 2").program.switches.size(), 2U);
}

TEST(Switches, EqualOnesAreShared) {
  EXPECT_EQ(compile("abs(x) + abs(x)").program.switches.size(), 1U);
  EXPECT_EQ(compile_all({"step(2)", "ramp(2)", "pulse(2, 3)"}).program.switches.size(), 2U);
  EXPECT_EQ(compile_all({"step(2)", "step(3)"}).program.switches.size(), 2U);
}

/// The instants known in advance, in order of their switches; -1 where none is known.
std::vector<double> times(const std::string& text) {
  std::vector<double> all;
  for (const Switch& s : compile(text).program.switches) all.push_back(s.time.value_or(-1));
  std::sort(all.begin(), all.end());
  return all;
}

TEST(Switches, OfTimeAndAConstantAreKnownInAdvance) {
  using Times = std::vector<double>;
  EXPECT_EQ(times("step(2)"), (Times{2}));
  EXPECT_EQ(times("step(0)"), (Times{0}));
  EXPECT_EQ(times("step(2*3)"), (Times{6}));
  EXPECT_EQ(times("ramp(1.5)"), (Times{1.5}));
  EXPECT_EQ(times("pulse(1, 2)"), (Times{1, 2}));
  EXPECT_EQ(times("t < 3"), (Times{3}));
  EXPECT_EQ(times("3 < t"), (Times{3}));
  EXPECT_EQ(times("t >= 3 ? x : y"), (Times{3}));
  EXPECT_EQ(times("abs(t - 4)"), (Times{4}));
  EXPECT_EQ(times("max(t, 5)"), (Times{5}));
  EXPECT_EQ(times("abs(t)"), (Times{0}));
}

TEST(Switches, OfAnythingElseAreNotKnownInAdvance) {
  using Times = std::vector<double>;
  EXPECT_EQ(times("step(x)"), (Times{-1}));
  EXPECT_EQ(times("x < 3"), (Times{-1}));
  EXPECT_EQ(times("t < x"), (Times{-1}));
  EXPECT_EQ(times("abs(x - 4)"), (Times{-1}));
}

TEST(Switches, TheTimeOfATableIsNeverMistakenForItsInstant) {
  // The guard passes the knots, not zero: a time may be given only if the guard is t - time, as the header says.
  for (const char* text : {"table(thrust, t)", "table(thrust, t - 5)", "table(thrust, 5 - t)"}) {
    const Compiled compiled = compile(text);
    ASSERT_EQ(compiled.program.switches.size(), 1U);
    const Switch& s = compiled.program.switches[0];
    if (!s.time) continue;
    auto slots = loaded<double>(compiled.program, {7, 0, 0, 0});
    evaluate<double>(compiled.program, slots);
    EXPECT_EQ(slots[s.guard], 7 - *s.time) << text;
  }
}

}  // namespace
}  // namespace gyrostat::expression
