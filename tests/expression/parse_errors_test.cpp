#include <functional>

#include <gtest/gtest.h>

#include "gyrostat/expression/syntax.h"

namespace gyrostat::expression {
namespace {

struct Case {
  const char* text;
  std::size_t offset;
  const char* message;
};

void expect_complaints(std::initializer_list<Case> cases) {
  for (const auto& [text, offset, message] : cases) {
    const Parsed result = parse(text);
    ASSERT_TRUE(result.complaint) << "'" << text << "' was accepted";
    EXPECT_EQ(result.complaint->message, message) << "'" << text << "'";
    EXPECT_EQ(result.complaint->offset, offset) << "'" << text << "'";
    EXPECT_TRUE(result.expression.empty()) << "nothing is left of a text that is wrong";
  }
}

TEST(ParseErrors, ATextWithoutAnExpressionIsRefused) {
  expect_complaints({{"", 0, "expected a number, a name or '(', but the expression ends"},
                     {"   ", 3, "expected a number, a name or '(', but the expression ends"},
                     {"()", 1, "expected a number, a name or '(', got ')'"}});
}

TEST(ParseErrors, ParenthesesMustBalance) {
  expect_complaints({{"(1 + 2", 6, "expected ')', but the expression ends"},
                     {"((x)", 4, "expected ')', but the expression ends"},
                     {"(1, 2)", 2, "expected ')', got ','"},
                     {"1 + 2)", 5, "expected an operator or the end, got ')'"},
                     {"sin(x", 5, "expected ',' or ')', but the expression ends"},
                     {"min(x, y", 8, "expected ',' or ')', but the expression ends"},
                     {")", 0, "expected a number, a name or '(', got ')'"}});
}

TEST(ParseErrors, AnUnknownFunctionIsNamedWithTheNearestThatExists) {
  expect_complaints({{"1 + sine(x)", 4, "no function 'sine'; did you mean 'sin'?"},
                     {"Sin(x)", 0, "no function 'Sin'; did you mean 'sin'?"},
                     {"sqr(x)", 0, "no function 'sqr'; did you mean 'sqrt'?"},
                     {"arctan2(y, x)", 0, "no function 'arctan2'; did you mean 'atan2'?"},
                     {"clmap(x, 0, 1)", 0, "no function 'clmap'; did you mean 'clamp'?"},
                     {"frobnicate(x)", 0, "no function 'frobnicate'"},
                     {"bus.omega(x)", 0, "no function 'bus.omega'"}});
}

TEST(ParseErrors, TheNumberOfArgumentsMustBeRight) {
  expect_complaints({{"1 + sin(x, y)", 4, "sin takes 1 argument, got 2"},
                     {"atan2(y)", 0, "atan2 takes 2 arguments, got 1"},
                     {"clamp(x, 1)", 0, "clamp takes 3 arguments, got 2"},
                     {"clamp(x, 1, 2, 3)", 0, "clamp takes 3 arguments, got 4"},
                     {"min(x)", 0, "min takes at least 2 arguments, got 1"},
                     {"max(x)", 0, "max takes at least 2 arguments, got 1"},
                     {"table(thrust, x, y)", 0, "table takes 2 arguments, got 3"},
                     {"sin()", 4, "expected a number, a name or '(', got ')'"},
                     {"min(x,)", 6, "expected a number, a name or '(', got ')'"}});
}

TEST(ParseErrors, ATableIsCalledByName) {
  expect_complaints({{"table(3, x)", 6, "table(NAME, x) begins with the name of a table"},
                     {"table()", 6, "table(NAME, x) begins with the name of a table"},
                     {"table(thrust)", 12, "expected ',' and the argument, got ')'"},
                     {"table(thrust", 12, "expected ',' and the argument, but the expression ends"}});
}

TEST(ParseErrors, OperatorsOfOtherLanguagesAreExplained) {
  expect_complaints({{"x**2", 1, "'**' is not an operator; a power is written x^y"},
                     {"x ** 2", 2, "'**' is not an operator; a power is written x^y"},
                     {"x = 3", 2, "expected an operator or the end, got '='; a comparison is written '=='"},
                     {"a && b", 2, "'&' is not an operator; write 'and' or 'or'"},
                     {"a || b", 2, "'|' is not an operator; write 'and' or 'or'"},
                     {"(a & b)", 3, "'&' is not an operator; write 'and' or 'or'"},
                     {"x % 2", 2, "expected an operator or the end, got '%'"},
                     {"!x", 0, "'!' is not an operator; write 'not'"},
                     {"x; y", 1, "expected an operator or the end, got ';'"}});
}

TEST(ParseErrors, ComparisonsAreNotChained) {
  expect_complaints({{"a < b < c", 6, "comparisons cannot be chained; write a < b and b < c"},
                     {"a == b != c", 7, "comparisons cannot be chained; write a < b and b < c"},
                     {"1 + (a<=b>=c)", 9, "comparisons cannot be chained; write a < b and b < c"}});
}

TEST(ParseErrors, ATrailingOrMissingOperandIsNoticedWhereItIsMissing) {
  expect_complaints({{"1 +", 3, "expected a number, a name or '(', but the expression ends"},
                     {"1 + ", 4, "expected a number, a name or '(', but the expression ends"},
                     {"2*", 2, "expected a number, a name or '(', but the expression ends"},
                     {"x^", 2, "expected a number, a name or '(', but the expression ends"},
                     {"-", 1, "expected a number, a name or '(', but the expression ends"},
                     {"a <", 3, "expected a number, a name or '(', but the expression ends"},
                     {"* 2", 0, "expected a number, a name or '(', got '*'"},
                     {"1 + / 2", 4, "expected a number, a name or '(', got '/'"},
                     {"5 kmm + 2", 2, "'kmm' after a number is no unit; did you mean 'mm'?"},
                     {"(2 Nm)", 3, "'Nm' after a number is no unit; write N*m"},
                     {"2 x", 2, "'x' after a number is no unit; a product is written with '*'"},
                     {"v[0]", 1, "expected an operator or the end, got '['; a component is written v.x, v.y or v.z"},
                     {"2 3", 2, "expected an operator or the end, got '3'"},
                     {"sin x", 4, "expected an operator or the end, got 'x'"}});
}

TEST(ParseErrors, AConditionalNeedsBothItsSides) {
  expect_complaints({{"a ? b", 5, "expected ':' of the conditional 'a ? b : c', but the expression ends"},
                     {"a ? b)", 5, "expected ':' of the conditional 'a ? b : c', got ')'"},
                     {"a ? : c", 4, "expected a number, a name or '(', got ':'"},
                     {"a ? b :", 7, "expected a number, a name or '(', but the expression ends"},
                     {"a : b", 2, "expected an operator or the end, got ':'"}});
}

TEST(ParseErrors, WordsThatAreNeitherNumbersNorNamesAreQuoted) {
  expect_complaints({{"1 + 3x", 4, "'3x' is neither a number nor a name"},
                     {"1e", 0, "'1e' is neither a number nor a name"},
                     {"0x10", 0, "'0x10' is neither a number nor a name"},
                     {"1.2.3", 0, "'1.2.3' is neither a number nor a name"},
                     {"1..2", 0, "'1..2' is neither a number nor a name"},
                     {"2 + a..b", 4, "'a..b' is not a name"},
                     {"a.", 0, "'a.' is not a name"},
                     {".", 0, "expected a number, a name or '(', got '.'"},
                     {".a", 0, "expected a number, a name or '(', got '.'"}});
}

TEST(ParseErrors, EachPartOfANameIsAnIdentifier) {
  expect_complaints({{"a.1", 0, "'a.1' is not a name"}, {"1 + bus.2x.y", 4, "'bus.2x.y' is not a name"}});
}

TEST(ParseErrors, CharactersBeyondAsciiAreShownWhole) {
  expect_complaints({{"2·x", 1, "expected an operator or the end, got '·'"},
                     {"α + 1", 0, "expected a number, a name or '(', got 'α'"},
                     {"a + €", 4, "expected a number, a name or '(', got '€'"},
                     {"x−1", 1, "expected an operator or the end, got '−'"}});
}

TEST(ParseErrors, NumbersBeyondTheRangeOfDoublesAreRefused) {
  expect_complaints({{"1 + 1e999", 4, "the number cannot be represented (beyond 1e308 or below 1e-308)"},
                     {"1e-999", 0, "the number cannot be represented (beyond 1e308 or below 1e-308)"}});
}

TEST(ParseErrors, ATextOfMoreThanTenThousandCharactersIsRefused) {
  const Parsed result = parse(std::string(10'001, ' '));
  ASSERT_TRUE(result.complaint);
  EXPECT_EQ(result.complaint->message, "the expression has 10001 characters; the limit is 10000");
  EXPECT_EQ(result.complaint->offset, 0U);
}

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

struct Nesting {
  const char* what;
  std::function<std::string(int)> text;
};

const Nesting nestings[] = {
    {"parentheses", [](int n) { return repeated("(", n) + "x" + repeated(")", n); }},
    {"minus signs", [](int n) { return repeated("-", n) + "x"; }},
    {"plus signs", [](int n) { return repeated("+", n) + "x"; }},
    {"calls", [](int n) { return repeated("sin(", n) + "x" + repeated(")", n); }},
    {"second arguments", [](int n) { return repeated("min(1,", n) + "x" + repeated(")", n); }},
    {"tables", [](int n) { return repeated("table(a,", n) + "x" + repeated(")", n); }},
    {"powers", [](int n) { return repeated("x^", n) + "x"; }},
    {"conditionals after ':'", [](int n) { return repeated("x?1:", n) + "x"; }},
    {"conditionals after '?'", [](int n) { return repeated("x?", n) + "x" + repeated(":1", n); }},
};

TEST(ParseErrors, AHundredLevelsAreAllowedOfEveryKindOfNesting) {
  for (const auto& [what, text] : nestings) {
    const Parsed result = parse(text(max_depth));
    EXPECT_FALSE(result.complaint) << what << ": " << result.complaint->message;
  }
}

TEST(ParseErrors, MoreThanAHundredLevelsAreRefusedOfEveryKindOfNesting) {
  for (const auto& [what, text] : nestings) {
    for (const int levels : {max_depth + 1, 1000}) {
      const Parsed result = parse(text(levels));
      ASSERT_TRUE(result.complaint) << what;
      EXPECT_EQ(result.complaint->message, "nested too deeply; the limit is 100 levels") << what;
      EXPECT_TRUE(result.expression.empty());
    }
  }
}

TEST(ParseErrors, WhatFollowsEachOtherIsNotNested) {
  EXPECT_FALSE(parse("0" + repeated("+(-sin(x))", 900)).complaint);
  EXPECT_FALSE(parse("0" + repeated("*(x ? 1 : -2)", 700)).complaint);
}

TEST(ParseErrors, NoTextOfRandomTokensMakesTheParserFailOtherwiseThanWithAComplaintInsideIt) {
  static constexpr const char* tokens[] = {"(", ")", "+",  "-",  "*", "/",      "^",      "?",    ":",     ",",
                                           "<", "=", "==", "!=", " ", "sin",    "min",    "x",    "a.b",   "1",
                                           ".", "&", "e",  "1e", "é", "table(", "clamp(", "\x80", "atan2", "2.5e3"};
  std::uint64_t state = 1;
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    for (int k = 0; k < 1 + i % 9; ++k) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      text += tokens[(state >> 33U) % std::size(tokens)];
    }
    const Parsed result = parse(text);
    if (result.complaint) {
      EXPECT_LE(result.complaint->offset, text.size()) << text;
      EXPECT_FALSE(result.complaint->message.empty());
    } else {
      ++accepted;
      EXPECT_FALSE(result.expression.empty()) << text;
    }
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace gyrostat::expression
