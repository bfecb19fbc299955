#include <cmath>
#include <functional>

#include <gtest/gtest.h>

#include "gyrostat/expression/syntax.h"

#include "expression/compiled.h"

namespace gyrostat::expression {
namespace {

using namespace testing;

/// The tree in prefix notation: "1 + 2*x" is (+ 1 (* 2 x)).
std::string shape(const std::string& text) {
  const Expression e = parsed(text);
  const std::function<std::string(std::uint32_t)> show = [&](std::uint32_t at) -> std::string {
    static constexpr const char* signs[] = {"",   "",  "-",  "+",  "-",  "*",   "/",  "^",   "<",
                                            "<=", ">", ">=", "==", "!=", "and", "or", "not", "?"};
    const Node& node = e.nodes[at];
    if (node.operation == Operation::number) {
      std::string number = std::to_string(node.value);
      number.erase(number.find_last_not_of('0') + 1);
      return number.back() == '.' ? number.substr(0, number.size() - 1) : number;
    }
    if (node.operation == Operation::name) return e.names[node.name];
    std::string s = "(";
    s += node.operation <= Operation::conditional ? signs[static_cast<int>(node.operation)]
                                                  : std::string(function_name(node.operation));
    if (node.operation == Operation::table) s += " " + e.names[node.name];
    for (int k = 0; k < operand_count(node.operation); ++k) {
      EXPECT_LT(node.operand[k], at) << "operands stand before their node";
      s += " " + show(node.operand[k]);
    }
    return s + ")";
  };
  return show(static_cast<std::uint32_t>(e.nodes.size() - 1));
}

TEST(Parse, KeepsTheTextAndPutsTheRootLast) {
  const Expression e = parsed("1 + 2*x");
  EXPECT_EQ(e.text, "1 + 2*x");
  EXPECT_EQ(e.nodes.back().operation, Operation::add);
  EXPECT_FALSE(e.empty());
}

TEST(Parse, ProductsBindTighterThanSumsAndSumsTighterThanComparisons) {
  EXPECT_EQ(shape("a + b*c"), "(+ a (* b c))");
  EXPECT_EQ(shape("a*b + c"), "(+ (* a b) c)");
  EXPECT_EQ(shape("(a + b)*c"), "(* (+ a b) c)");
  EXPECT_EQ(shape("a + b < c*d"), "(< (+ a b) (* c d))");
  EXPECT_EQ(shape("a < b ? c : d"), "(? (< a b) c d)");
}

TEST(Parse, SumsAndProductsAssociateToTheLeft) {
  EXPECT_EQ(shape("a - b - c"), "(- (- a b) c)");
  EXPECT_EQ(shape("a - b + c"), "(+ (- a b) c)");
  EXPECT_EQ(shape("a/b/c"), "(/ (/ a b) c)");
  EXPECT_EQ(shape("a/b*c"), "(* (/ a b) c)");
  EXPECT_EQ(shape("a - (b - c)"), "(- a (- b c))");
}

TEST(Parse, APowerBindsTighterThanTheMinusBeforeIt) {
  EXPECT_EQ(shape("-x^2"), "(- (^ x 2))");
  EXPECT_EQ(shape("(-x)^2"), "(^ (- x) 2)");
  EXPECT_EQ(shape("2*x^2"), "(* 2 (^ x 2))");
  EXPECT_EQ(shape("-x*y"), "(* (- x) y)");
  EXPECT_EQ(value("-3^2"), -9);
}

TEST(Parse, PowersAssociateToTheRightAndMayHaveASignedExponent) {
  EXPECT_EQ(shape("2^3^2"), "(^ 2 (^ 3 2))");
  EXPECT_EQ(shape("2^-1"), "(^ 2 (- 1))");
  EXPECT_EQ(shape("2^-x^2"), "(^ 2 (- (^ x 2)))");
  EXPECT_EQ(shape("2^+3"), "(^ 2 3)");
  EXPECT_EQ(shape("a^b*c"), "(* (^ a b) c)");
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2^-1"), 0.5);
}

TEST(Parse, SignsMayFollowEachOtherAndOperators) {
  EXPECT_EQ(shape("--x"), "(- (- x))");
  EXPECT_EQ(shape("-+-x"), "(- (- x))");
  EXPECT_EQ(shape("+x"), "x");
  EXPECT_EQ(shape("a - -b"), "(- a (- b))");
  EXPECT_EQ(shape("a*-b"), "(* a (- b))");
  EXPECT_EQ(shape("a/+b"), "(/ a b)");
}

TEST(Parse, AllSixComparisonsAreKnown) {
  EXPECT_EQ(shape("a < b"), "(< a b)");
  EXPECT_EQ(shape("a <= b"), "(<= a b)");
  EXPECT_EQ(shape("a > b"), "(> a b)");
  EXPECT_EQ(shape("a >= b"), "(>= a b)");
  EXPECT_EQ(shape("a == b"), "(== a b)");
  EXPECT_EQ(shape("a != b"), "(!= a b)");
  EXPECT_EQ(shape("(a < b)*(b < c)"), "(* (< a b) (< b c))");
  EXPECT_EQ(shape("(a < b) == (b < c)"), "(== (< a b) (< b c))");
}

TEST(Parse, ConditionalsNestInEveryPlace) {
  EXPECT_EQ(shape("a ? b : c ? d : e"), "(? a b (? c d e))");
  EXPECT_EQ(shape("a ? b ? c : d : e"), "(? a (? b c d) e)");
  EXPECT_EQ(shape("(a ? b : c) ? d : e"), "(? (? a b c) d e)");
  EXPECT_EQ(shape("a ? b : c + 1"), "(? a b (+ c 1))");
  EXPECT_EQ(shape("1 + (a ? b : c)"), "(+ 1 (? a b c))");
}

TEST(Parse, NumbersAreReadInEveryUsualForm) {
  const auto number = [](const std::string& text) { return parsed(text).nodes.back().value; };
  EXPECT_EQ(number(".5"), 0.5);
  EXPECT_EQ(number("0.5"), 0.5);
  EXPECT_EQ(number("5."), 5);
  EXPECT_EQ(number("1e-3"), 1e-3);
  EXPECT_EQ(number("1.e3"), 1000);
  EXPECT_EQ(number("1E+3"), 1000);
  EXPECT_EQ(number("007"), 7);
  EXPECT_EQ(number("6.02214076e23"), 6.02214076e23);
  EXPECT_EQ(number("0.1"), 0.1);
  EXPECT_EQ(number("1.7976931348623157e308"), 1.7976931348623157e308);
}

TEST(Parse, NamesMayHaveDotsAndAreListedOnceEach) {
  const Expression e = parsed("bus.omega_x + bus.jet.position_x*_a1 - bus.omega_x + table(thrust, t)");
  EXPECT_EQ(e.names, (std::vector<std::string>{"bus.omega_x", "bus.jet.position_x", "_a1", "thrust", "t"}));
}

TEST(Parse, EveryFunctionIsCalledWithItsNumberOfArguments) {
  for (const char* f : {"sin", "cos", "tan", "asin", "acos", "atan", "sqrt", "exp", "log", "abs", "sign", "deg", "rpm",
                        "step", "ramp"}) {
    EXPECT_EQ(shape(std::string(f) + "(x)"), "(" + std::string(f) + " x)");
  }
  EXPECT_EQ(shape("atan2(y, x)"), "(atan2 y x)");
  EXPECT_EQ(shape("clamp(x, lo, hi)"), "(clamp x lo hi)");
  EXPECT_EQ(shape("pulse(1, 2)"), "(pulse 1 2)");
  EXPECT_EQ(shape("table(thrust, t - 1)"), "(table thrust (- t 1))");
  EXPECT_EQ(shape("min(a, b)"), "(min a b)");
  EXPECT_EQ(shape("max(a, b, c, d)"), "(max (max (max a b) c) d)");
}

TEST(Parse, SpaceMayStandAnywhereBetweenTokens) {
  EXPECT_EQ(shape(" \t\n\r1+\n2 *\tsin ( x ) "), "(+ 1 (* 2 (sin x)))");
  EXPECT_EQ(shape("a<=b?c:d"), "(? (<= a b) c d)");
}

TEST(Parse, EveryNodeKnowsWhereItIsWritten) {
  const Expression e = parsed("aa + 2*sin(b)");
  const auto offset = [&](Operation operation) {
    for (const Node& node : e.nodes) {
      if (node.operation == operation) return static_cast<int>(node.offset);
    }
    return -1;
  };
  EXPECT_EQ(offset(Operation::name), 0);
  EXPECT_EQ(offset(Operation::add), 3);
  EXPECT_EQ(offset(Operation::number), 5);
  EXPECT_EQ(offset(Operation::multiply), 6);
  EXPECT_EQ(offset(Operation::sin), 7);
}

TEST(Parse, AFlatSumOfNearlyTenThousandCharactersParses) {
  std::string text = "1";
  while (text.size() < 9'999) text += "+1";
  ASSERT_EQ(text.size(), 9'999U);
  EXPECT_EQ(value(text), 5000);
  EXPECT_FALSE(parse(text + "0").complaint) << "ten thousand are allowed";
}

TEST(Parse, FunctionNamesAndOperationsAreEachOthersInverse) {
  for (const char* f : {"sin",  "cos", "tan", "asin",  "acos", "atan", "atan2", "sqrt", "exp",   "log",  "abs",
                        "sign", "min", "max", "clamp", "deg",  "rpm",  "step",  "ramp", "pulse", "table"}) {
    const auto operation = function_named(f);
    ASSERT_TRUE(operation) << f;
    EXPECT_EQ(function_name(*operation), f);
  }
  EXPECT_FALSE(function_named("Sin"));
  EXPECT_FALSE(function_named(""));
  EXPECT_EQ(function_name(Operation::add), "");
}

TEST(Parse, AConstantIsAnExpression) {
  for (const double number : {0.0, -3.25, 1e300, 1.0 / 3}) {
    const Expression e = constant(number);
    ASSERT_EQ(e.nodes.size(), 1U);
    EXPECT_EQ(e.nodes.back().value, number);
    EXPECT_EQ(std::stod(e.text), number);
  }
}

TEST(Parse, AnIdentifierBeginsWithALetterOrUnderscore) {
  for (const char* good : {"a", "_", "a1", "Aa_9"}) EXPECT_TRUE(is_identifier(good)) << good;
  for (const char* bad : {"", "1a", "a.b", "a b", "a-b", "é"}) EXPECT_FALSE(is_identifier(bad)) << bad;
}

}  // namespace
}  // namespace gyrostat::expression
