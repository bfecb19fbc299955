#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/expression/print.h"

#include "expression/random_tree.h"

namespace gyrostat::expression {
namespace {

using namespace testing;
using ::testing::HasSubstr;
using ::testing::Not;

std::string latex(const std::string& text) { return to_latex(parsed(text)); }

TEST(Latex, SumsProductsAndFractions) {
  EXPECT_EQ(latex("a + b*c"), R"(a + b \, c)");
  EXPECT_EQ(latex("(a + b)*c"), R"(\left(a + b\right) \, c)");
  EXPECT_EQ(latex("a - (b - c)"), R"(a - \left(b - c\right))");
  EXPECT_EQ(latex("a - b - c"), "a - b - c");
  EXPECT_EQ(latex("a/b"), R"(\frac{a}{b})");
  EXPECT_EQ(latex("(a + b)/(c*d)"), R"(\frac{a + b}{c \, d})");
  EXPECT_EQ(latex("a*(-b)"), R"(a \, \left(-b\right))");
  EXPECT_EQ(latex("-(a + b)"), R"(-\left(a + b\right))");
}

TEST(Latex, VectorsAndTheirComponents) {
  EXPECT_EQ(latex("cross(a, b) - 2*c"), R"(a \times b - 2 \, c)");
  EXPECT_EQ(latex("dot(a + b, c)*norm(d)"), R"(\left(a + b\right) \cdot c \, \left\|d\right\|)");
  EXPECT_EQ(latex("[a, 0, b + c]"), R"(\left(a, 0, b + c\right))");
  EXPECT_EQ(latex("(a + b).y"), R"({\left(a + b\right)}_{y})");
  EXPECT_EQ(latex("in(bus, v)"), R"(\operatorname{in}\left(\mathrm{bus}, v\right))");
  EXPECT_EQ(latex("error_vector(p, q)"), R"(\operatorname{error\_vector}\left(p, q\right))");
}

/// Of a vector that was taken apart, the text is that of the whole.
TEST(Latex, ComponentsOfWhatIsWrittenAsAVector) {
  Expression x = parsed("a_x + b_x");
  x.text = "a + b";
  x.part = 'x';
  EXPECT_EQ(to_latex(x), R"({\left(a + b\right)}_{x})");
  EXPECT_EQ(to_text(x), "(a + b).x");
  EXPECT_EQ(to_text(parsed("a + b")), "a + b");
}

TEST(Latex, BracketsStandWhereSumsNeedThem) {
  for (const char* text : {"a ? b : c", "a < b", "not a", "a and b"}) EXPECT_TRUE(needs_brackets(parsed(text), false));
  for (const char* text : {"a + b", "a - b", "-a"}) {
    EXPECT_FALSE(needs_brackets(parsed(text), false)) << text;
    EXPECT_TRUE(needs_brackets(parsed(text), true)) << text;
  }
  for (const char* text : {"a*b", "a/b", "a^b", "sin(a)", "2", "a"}) EXPECT_FALSE(needs_brackets(parsed(text), true));
  EXPECT_TRUE(needs_brackets(constant(-2), true));
}

TEST(Latex, PowersAndSigns) {
  EXPECT_EQ(latex("-x^2"), "-x^{2}");
  EXPECT_EQ(latex("(-x)^2"), R"(\left(-x\right)^{2})");
  EXPECT_EQ(latex("2^3^2"), "2^{3^{2}}");
  EXPECT_EQ(latex("(2^3)^2"), R"(\left(2^{3}\right)^{2})");
  EXPECT_EQ(latex("(a/b)^2"), R"(\left(\frac{a}{b}\right)^{2})");
  EXPECT_EQ(latex("x^(a + b)"), "x^{a + b}");
}

TEST(Latex, NamesAreGreekUprightAndIndexed) {
  EXPECT_EQ(latex("bus.omega_x"), R"(\mathrm{bus}.\omega_{x})");
  EXPECT_EQ(latex("theta1"), R"(\theta_{1})");
  EXPECT_EQ(latex("bus.C23"), R"(\mathrm{bus}.C_{23})");
  EXPECT_EQ(latex("pi*x"), R"(\pi \, x)");
  EXPECT_EQ(latex("Omega"), R"(\Omega)");
  EXPECT_EQ(latex("K_spring_2"), R"(K_{\mathrm{spring\_2}})");
  EXPECT_EQ(latex("mass"), R"(\mathrm{mass})");
  EXPECT_EQ(latex("x_"), R"(\mathrm{x\_})");
}

TEST(Latex, EveryUnderscoreIsAnIndexOrEscaped) {
  for (const char* name : {"_", "__", "_x", "x_", "x__", "a_b_c", "a.b_", "_1", "a_1_", "bus._.x__y"}) {
    const std::string text = latex(name);
    for (std::size_t at = text.find('_'); at != std::string::npos; at = text.find('_', at + 1)) {
      const bool escaped = at > 0 && text[at - 1] == '\\';
      const bool index = at > 0 && at + 1 < text.size() && text[at + 1] == '{';
      EXPECT_TRUE(escaped || index) << name << " -> " << text;
    }
  }
}

TEST(Latex, Numbers) {
  EXPECT_EQ(latex("0.001"), "0.001");
  EXPECT_EQ(latex("1e-9*x"), R"(1\cdot 10^{-9} \, x)");
  EXPECT_EQ(latex("2.5e30^2"), R"(\left(2.5\cdot 10^{30}\right)^{2})");
}

TEST(Latex, ProductsOfNumbersCannotBeReadAsOneNumber) {
  EXPECT_THAT(latex("2*3"), Not(HasSubstr(R"(2 \, 3)")));
  EXPECT_THAT(latex("x*2*3"), Not(HasSubstr(R"(2 \, 3)")));
}

TEST(Latex, Functions) {
  EXPECT_EQ(latex("sin(x + 1)"), R"(\sin\left(x + 1\right))");
  EXPECT_EQ(latex("asin(x)"), R"(\arcsin\left(x\right))");
  EXPECT_EQ(latex("sqrt(x + 1)"), R"(\sqrt{x + 1})");
  EXPECT_EQ(latex("abs(x)"), R"(\left|x\right|)");
  EXPECT_EQ(latex("min(a, b, c)"), R"(\min\left(\min\left(a, b\right), c\right))");
  EXPECT_EQ(latex("atan2(y, x)"), R"(\operatorname{atan2}\left(y, x\right))");
  EXPECT_EQ(latex("step(2)"), R"(\operatorname{step}\left(2\right))");
  EXPECT_EQ(latex("table(thrust, t)"), R"(\mathrm{thrust}\left(t\right))");
  EXPECT_EQ(latex("deg(30)"), R"(30^{\circ})");
  EXPECT_EQ(latex("deg(a + b)"), R"(\left(a + b\right)^{\circ})");
  EXPECT_EQ(latex("rpm(60)"), R"(60 \, \mathrm{rpm})");
}

TEST(Latex, ComparisonsAndConditionals) {
  EXPECT_EQ(latex("a <= b"), R"(a \le b)");
  EXPECT_EQ(latex("a >= b"), R"(a \ge b)");
  EXPECT_EQ(latex("a == b"), "a = b");
  EXPECT_EQ(latex("a != b"), R"(a \ne b)");
  EXPECT_EQ(latex("(a < b)*c"), R"(\left(a < b\right) \, c)");
  EXPECT_EQ(latex("x < 0 ? -1 : 1"), R"(\begin{cases}-1 & \text{if } x < 0 \\ 1 & \text{otherwise}\end{cases})");
}

/// Braces, \left and \right, \begin and \end all open and close in order.
bool balanced(const std::string& text) {
  std::string open;
  const auto close = [&](char kind) {
    if (open.empty() || open.back() != kind) return false;
    open.pop_back();
    return true;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    bool good = true;
    if (rest[0] == '{') open += '{';
    if (rest[0] == '}') good = close('{');
    if (rest.starts_with("\\left(") || rest.starts_with("\\left|")) open += rest[5];
    if (rest.starts_with("\\right)")) good = close('(');
    if (rest.starts_with("\\right|")) good = close('|');
    if (rest.starts_with("\\begin{cases}")) open += 'b';
    if (rest.starts_with("\\end{cases}")) good = close('b');
    if (!good) return false;
  }
  return open.empty();
}

TEST(Latex, OfRandomExpressionsIsBalanced) {
  RandomTrees random(1, false);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random.text(random(1 + i % 6));
    const std::string printed = latex(text);
    ASSERT_FALSE(printed.empty());
    ASSERT_TRUE(balanced(printed)) << text << "\n" << printed;
    ASSERT_THAT(printed, Not(HasSubstr("--"))) << text;
    ASSERT_THAT(printed, Not(HasSubstr("+ -"))) << text;
    ASSERT_THAT(printed, Not(HasSubstr("- -"))) << text;
  }
}

TEST(Latex, OfTheDeepestAndLongestExpressionsIsMadeWithoutTrouble) {
  std::string sum = "1", product = "x";
  while (sum.size() < 9'990) sum += "+1/x";
  while (product.size() < 9'990) product += "*x";
  EXPECT_TRUE(balanced(latex(sum)));
  EXPECT_TRUE(balanced(latex(product)));
}

}  // namespace
}  // namespace gyrostat::expression
