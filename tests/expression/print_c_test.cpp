#include <cstdlib>
#include <sstream>

#include <gtest/gtest.h>

#include "gyrostat/expression/print.h"

#include "expression/random_tree.h"
#include "support/program.h"

namespace gyrostat::expression {
namespace {

using namespace testing;
using gyrostat::testing::Scratch;
using gyrostat::testing::slurp;

std::string c(const std::string& text) { return to_c(parsed(text)); }

TEST(CCode, KeepsTheMeaningOfOperators) {
  EXPECT_EQ(c("x^2"), "pow(x, 2.0)");
  EXPECT_EQ(c("-x^2"), "-pow(x, 2.0)");
  EXPECT_EQ(c("-(-x)"), "-(-x)");
  EXPECT_EQ(c("a - (b - c)"), "a - (b - c)");
  EXPECT_EQ(c("a - b - c"), "a - b - c");
  EXPECT_EQ(c("a/(b*c)"), "a/(b*c)");
  EXPECT_EQ(c("a/b*c"), "a/b*c");
  EXPECT_EQ(c("1/2"), "1.0/2.0") << "not a division of integers";
}

TEST(CCode, NamesTimePiAndTables) {
  EXPECT_EQ(c("bus.omega_x"), "bus_omega_x");
  EXPECT_EQ(c("2*pi"), "2.0*3.141592653589793");
  EXPECT_EQ(c("step(2)"), "gyrostat_step(t, 2.0)");
  EXPECT_EQ(c("pulse(1, 2)"), "gyrostat_pulse(t, 1.0, 2.0)");
  EXPECT_EQ(c("table(thrust, x)"), "gyrostat_table_thrust(x)");
  EXPECT_EQ(c("abs(x)"), "fabs(x)");
}

TEST(CCode, NumbersAreDoublesToTheLastDigit) {
  for (const double number : {0.0, 3.0, -3.0, 0.1, 1e22, 1e-300, 1.0 / 3, 123456789.0, 1e16}) {
    const std::string text = to_c(constant(number));
    EXPECT_EQ(std::strtod(text.c_str(), nullptr), number) << text;
    EXPECT_NE(text.find_first_of(".e"), std::string::npos) << text << " is an integer in C";
  }
}

constexpr const char* table_function = R"(
static double gyrostat_table_thrust(double x) {
  static const double xs[] = {-2, -1, 0.5, 2}, ys[] = {1, -1, 3, 2};
  int i;
  if (x <= xs[0]) return ys[0];
  for (i = 1; i < 4; ++i) {
    if (x <= xs[i]) return ys[i - 1] + (x - xs[i - 1])*(ys[i] - ys[i - 1])/(xs[i] - xs[i - 1]);
  }
  return ys[3];
}
)";

/// One program that prints every expression at every input.
std::string program_of(const std::vector<std::string>& expressions, const std::vector<Inputs<double>>& inputs) {
  std::ostringstream file;
  file << "#include <math.h>\n#include <stdio.h>\n" << c_helpers() << table_function;
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    file << "static double f" << i << "(double t, double x, double y, double bus_omega_x) {\n  return "
         << expressions[i] << ";\n}\n";
  }
  file << "int main(void) {\n  static const double in[][4] = {\n";
  for (const auto& [t, x, y, w] : inputs) file << fmt::format("    {{{}, {}, {}, {}}},\n", t, x, y, w);
  file << "  };\n  int i;\n  for (i = 0; i < " << inputs.size() << "; ++i) {\n";
  file << "    const double t = in[i][0], x = in[i][1], y = in[i][2], w = in[i][3];\n";
  for (std::size_t i = 0; i < expressions.size(); ++i) file << "    printf(\"%.17g\\n\", f" << i << "(t, x, y, w));\n";
  file << "  }\n  return 0;\n}\n";
  return file.str();
}

TEST(CCode, OfRandomExpressionsCompilesWithoutAWarningAndGivesTheSameNumbers) {
  RandomTrees random(1, false);
  std::vector<Tree> trees;
  std::vector<std::string> expressions;
  for (int i = 0; i < 300; ++i) {
    trees.push_back(random(1 + i % 5));
    expressions.push_back(c(random.text(trees.back())));
  }
  std::vector<Inputs<double>> inputs;
  for (int i = 0; i < 8; ++i) {
    inputs.push_back({random.between(0, 3), random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)});
  }
  const Scratch scratch;
  const std::string source = scratch.write("f.c", program_of(expressions, inputs));
  const std::string program = (scratch.path() / "f").string(), out = (scratch.path() / "out").string(),
                    log = (scratch.path() / "log").string();
  const std::string build = "cc -std=c99 -O0 -Wall -Werror -o " + program + " " + source + " -lm >" + log + " 2>&1";
  ASSERT_EQ(std::system(build.c_str()), 0) << slurp(log);
  ASSERT_EQ(std::system((program + " >" + out).c_str()), 0);
  std::istringstream printed(slurp(out));
  int compared = 0;
  for (const auto& input : inputs) {
    for (std::size_t i = 0; i < trees.size(); ++i) {
      std::string word;
      ASSERT_TRUE(printed >> word);
      const auto expected = worth(trees[i], input);
      if (!expected) continue;
      ++compared;
      EXPECT_NEAR(std::strtod(word.c_str(), nullptr), expected->value, expected->uncertainty) << expressions[i];
    }
  }
  EXPECT_GT(compared, 1200);
}

}  // namespace
}  // namespace gyrostat::expression
