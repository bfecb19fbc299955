#include "gyrostat/expression/program.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "expression/compiled.h"

namespace gyrostat::expression {
namespace {

using namespace testing;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::size_t instructions_of_all(const std::vector<std::string>& texts) {
  return compile_all(texts).program.instructions.size();
}
std::size_t instructions(const std::string& text) { return compile(text).program.instructions.size(); }

std::size_t count(const std::string& text, Code code) {
  std::size_t n = 0;
  for (const Instruction& i : compile(text).program.instructions) n += i.code == code ? 1 : 0;
  return n;
}

TEST(Program, AnInputIsItsOwnResult) {
  const Compiled compiled = compile("x");
  EXPECT_EQ(compiled.results[0], 1U);
  EXPECT_TRUE(compiled.program.instructions.empty());
  EXPECT_EQ(compiled.program.inputs, 4U);
  EXPECT_EQ(compiled.program.slots, 4U);
}

TEST(Program, EqualSubExpressionsAreComputedOnce) {
  EXPECT_EQ(instructions("sin(x) + sin(x)"), 2U);
  EXPECT_EQ(instructions("x*y/(1 + x*y)"), 3U);
  EXPECT_EQ(instructions("(x - y)^2 + (x - y)^3"), 4U) << "x - y, its square, its cube, the sum";
  EXPECT_EQ(instructions_of_all({"sin(x)", "2*sin(x)", "sin(x)"}), 2U) << "across expressions too";
  EXPECT_EQ(instructions("abs(x) + abs(x)"), 3U) << "-x, the choice, the sum";
  EXPECT_EQ(instructions("table(thrust, x)*table(thrust, x)"), 2U);
}

TEST(Program, EqualChoicesAreComputedOnceAlthoughOneSideIsZero) {
  EXPECT_EQ(instructions("(x < y) + (x < y)"), 3U) << "y - x, the choice, the sum";
  EXPECT_EQ(instructions_of_all({"step(2)", "step(2)", "3*step(2)"}), 3U) << "t - 2, the choice, the product";
  EXPECT_EQ(instructions_of_all({"ramp(2)", "ramp(2)"}), 2U);
  EXPECT_EQ(instructions_of_all({"sin(x*0)", "sin(x*0)"}), 2U);
}

TEST(Program, DifferentSubExpressionsAreNotConfused) {
  EXPECT_EQ(instructions("(x - y) + (y - x)"), 3U);
  EXPECT_EQ(value("(x - y)*2 + (y - x)", {0, 5, 3, 0}), 2);
  EXPECT_EQ(value("atan2(x, y) - atan2(y, x)", {0, 1, 0, 0}), std::atan2(1, 0) - std::atan2(0, 1));
}

TEST(Program, ConstantsAreFolded) {
  EXPECT_EQ(instructions("2*3 + sin(pi/2)^2 - abs(-4)"), 0U);
  EXPECT_EQ(instructions("x + 2*3"), 1U);
  EXPECT_EQ(instructions("deg(30)*x"), 1U);
  EXPECT_EQ(instructions("1 < 2 ? x : y"), 0U);
  EXPECT_EQ(instructions("(0 ? sin(x) : y) + 1"), 2U) << "the side not taken was lowered before it was known";
  EXPECT_EQ(instructions("clamp(5, 0, 1) + min(1, 2) + sign(-3)"), 0U);
  EXPECT_EQ(value("2*3 + sin(pi/2)^2 - abs(-4)"), 3);
}

TEST(Program, EqualConstantsShareASlot) { EXPECT_EQ(compile("2*x + 2*y + 2").program.constants.size(), 1U); }

TEST(Program, ATableOfAConstantIsAConstant) {
  const Compiled compiled = compile("x + table(thrust, 0.5)");  // a knot of the table
  EXPECT_EQ(compiled.program.instructions.size(), 1U);
  EXPECT_TRUE(compiled.program.switches.empty()) << "its argument will never pass a knot";
  EXPECT_EQ(value(compiled, {0, 1, 0, 0}), 4);
}

TEST(Program, AConstantThatIsNotANumberStaysSo) {
  EXPECT_TRUE(std::isnan(value("x + 0/0")));
  EXPECT_TRUE(std::isnan(value("x + 2*sqrt(-1)")));
  EXPECT_TRUE(std::isnan(value("x + log(-3) + 7")));
}

TEST(Program, AConstantThatIsNotANumberDoesNotSpreadToOthers) {
  const Compiled compiled = compile_all({"x + 0/0", "x + 5", "x*7 + 9"});
  EXPECT_TRUE(std::isnan(value(compiled, {0, 1, 0, 0}, 0)));
  EXPECT_EQ(value(compiled, {0, 1, 0, 0}, 1), 6);
  EXPECT_EQ(value(compiled, {0, 1, 0, 0}, 2), 16);
}

TEST(Program, ZerosKeepTheirSigns) {
  EXPECT_EQ(value("x + 1/0"), infinity);
  EXPECT_EQ(value("x + 1/(-0)"), -infinity);
  EXPECT_EQ(value("(x + 1/0) + 1/(1/0 - 0)"), infinity);
}

TEST(Program, SmallWholePowersAreProducts) {
  EXPECT_EQ(instructions("x^0"), 0U);
  EXPECT_EQ(instructions("x^1"), 0U);
  EXPECT_EQ(instructions("x^2"), 1U);
  EXPECT_EQ(instructions("x^3"), 2U);
  EXPECT_EQ(instructions("x^8"), 3U);
  EXPECT_EQ(instructions("x^-1"), 1U);
  EXPECT_EQ(instructions("x^-2"), 2U);
  EXPECT_EQ(count("x^64", Code::multiply), 6U);
  EXPECT_EQ(count("x^64", Code::power), 0U);
  EXPECT_EQ(count("x^65", Code::power), 1U);
  EXPECT_EQ(count("x^0.5", Code::power), 1U);
  EXPECT_EQ(count("x^y", Code::power), 1U);
  EXPECT_EQ(count("2^x", Code::power), 1U);
}

TEST(Program, WholePowersAreThePowersOfEveryBase) {
  for (int n = -64; n <= 64; ++n) {
    const Compiled compiled = compile("x^(" + std::to_string(n) + ")");
    for (const double x : {-1.7, -1.0, -0.3, 0.6, 1.0, 2.5}) {
      const double expected = std::pow(x, n);
      EXPECT_NEAR(value(compiled, {0, x, 0, 0}), expected, 2e-14 * std::abs(expected)) << x << "^" << n;
    }
    EXPECT_EQ(value(compiled, {0, 0, 0, 0}), n > 0 ? 0 : n == 0 ? 1 : infinity);
  }
}

TEST(Program, WholePowersHaveTheirDerivativeAtZeroAndBelow) {
  using D = Dual<1>;
  for (int n = 0; n <= 12; ++n) {
    const Compiled compiled = compile("x^" + std::to_string(n));
    for (const double x : {-1.5, 0.0, 2.0}) {
      const D y = value<D>(compiled, {D(0), D::variable(x, 0), D(0), D(0)});
      const double expected = n == 0 ? 0 : n * std::pow(x, n - 1);
      EXPECT_NEAR(y.d[0], expected, 1e-13 * std::abs(expected)) << "d(x^" << n << ")/dx at " << x;
    }
  }
}

TEST(Program, BoundaryValuesBelongToTheSideTheLanguageSays) {
  const Inputs<double> at{2, 1, 1, 0};  // t = 2, x = y = 1
  EXPECT_EQ(value("step(2)", at), 1);
  EXPECT_EQ(value("ramp(2)", at), 0);
  EXPECT_EQ(value("pulse(2, 3)", at), 1);
  EXPECT_EQ(value("pulse(1, 2)", at), 0);
  EXPECT_EQ(value("x < y", at), 0);
  EXPECT_EQ(value("x <= y", at), 1);
  EXPECT_EQ(value("x > y", at), 0);
  EXPECT_EQ(value("x >= y", at), 1);
  EXPECT_EQ(value("x == y", at), 1);
  EXPECT_EQ(value("x != y", at), 0);
  EXPECT_EQ(value("sign(x - y)", at), 0);
  EXPECT_EQ(value("x - y ? 5 : 7", at), 7);
}

TEST(Program, ConditionsAreTrueForEveryNumberButZero) {
  for (const double x : {-2.0, -1e-300, 1e-300, 0.5, 3.0}) EXPECT_EQ(value("x ? 5 : 7", {0, x, 0, 0}), 5) << x;
  EXPECT_EQ(value("x ? 5 : 7", {0, 0.0, 0, 0}), 7);
  EXPECT_EQ(value("x ? 5 : 7", {0, -0.0, 0, 0}), 7);
}

TEST(Program, ASideNotTakenDoesNotSpoilTheResult) {
  EXPECT_EQ(value("x > 0 ? log(x) : -1", {0, -3, 0, 0}), -1);
  EXPECT_EQ(value("x == 0 ? 1 : sin(x)/x", {0, 0, 0, 0}), 1);
  using D = Dual<1>;
  const D y = value<D>(compile("x > 0 ? sqrt(x) : 2*x"), {D(0), D::variable(-3, 0), D(0), D(0)});
  EXPECT_EQ(y.value, -6);
  EXPECT_EQ(y.d[0], 2);
}

TEST(Program, MayBeRunAgainOnTheSameSlots) {
  const Compiled compiled = compile("x*y + abs(x)");
  auto slots = loaded<double>(compiled.program, {0, -2, 3, 0});
  evaluate<double>(compiled.program, slots);
  EXPECT_EQ(slots[compiled.results[0]], -4);
  slots[1] = 5;
  evaluate<double>(compiled.program, slots);
  EXPECT_EQ(slots[compiled.results[0]], 20);
}

TEST(Program, AResultMayBeUsedByALaterExpression) {
  ProgramBuilder builder(2, 0);
  const auto input = [](std::string_view) -> Slot { return 1; };
  const Slot square = builder.add(parsed("x*x"), input);
  const Slot sum = builder.add(parsed("s + 1"), [&](std::string_view) { return square; });
  const Slot constant = builder.add(parsed("c*2"), [&](std::string_view) { return builder.constant(4); });
  const Program program = builder.finish();
  std::vector<double> slots(program.slots);
  prepare<double>(program, slots);
  slots[1] = 3;
  evaluate<double>(program, slots);
  EXPECT_EQ(slots[sum], 10);
  EXPECT_EQ(slots[constant], 8);
  EXPECT_EQ(program.instructions.size(), 2U);
}

}  // namespace
}  // namespace gyrostat::expression
