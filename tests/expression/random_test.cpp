// Thousands of random expressions, each evaluated in every way the library knows and by a naive evaluator.
#include <map>

#include <gtest/gtest.h>

#include "gyrostat/expression/constant.h"

#include "expression/random_tree.h"

namespace gyrostat::expression {
namespace random_test {

using namespace testing;

Inputs<double> random_inputs(RandomTrees& random) {
  return {random.between(0, 3), random.between(-2, 2), random.between(-2, 2), random.between(-2, 2)};
}

void count(const Tree& tree, std::map<Operation, int>& seen) {
  ++seen[tree.operation];
  for (const Tree& operand : tree.operands) count(operand, seen);
}

TEST(RandomExpressions, ConstantsHaveTheValueOfTheNaiveEvaluator) {
  RandomTrees random(1, true);
  const Lookup lookup = [](std::string_view) { return Constant{std::numbers::pi, std::nullopt}; };
  int compared = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Tree tree = random(1 + i % 5);
    const auto expected = worth(tree, {});
    if (!expected) continue;
    ++compared;
    const std::string text = random.text(tree);
    const auto result = evaluate_constant(parsed(text), lookup);
    ASSERT_TRUE(std::holds_alternative<Constant>(result)) << text << ": " << std::get<Complaint>(result).message;
    ASSERT_NEAR(std::get<Constant>(result).value, expected->value, expected->uncertainty) << text;
    const Compiled compiled = compile(text);
    ASSERT_TRUE(compiled.program.instructions.empty()) << text;
    ASSERT_TRUE(compiled.program.switches.empty()) << text;
    ASSERT_NEAR(value(compiled, Inputs<double>{}), expected->value, expected->uncertainty) << text;
  }
  EXPECT_GT(compared, 4000);
}

TEST(RandomExpressions, ProgramsHaveTheValueOfTheNaiveEvaluator) {
  RandomTrees random(2, false);
  std::map<Operation, int> seen;
  int compared = 0;
  for (int i = 0; i < 10'000; ++i) {
    const Tree tree = random(1 + i % 6);
    const std::string text = random.text(tree);
    const Compiled compiled = compile(text);
    for (int k = 0; k < 3; ++k) {
      const auto inputs = random_inputs(random);
      const auto expected = worth(tree, inputs);
      if (!expected) continue;
      if (k == 0) count(tree, seen);
      ++compared;
      ASSERT_NEAR(value(compiled, inputs), expected->value, expected->uncertainty)
          << text << " at t = " << inputs[0] << ", x = " << inputs[1] << ", y = " << inputs[2]
          << ", bus.omega_x = " << inputs[3];
    }
  }
  EXPECT_GT(compared, 15'000);
  for (auto operation = Operation::number; operation <= Operation::table;
       operation = static_cast<Operation>(static_cast<int>(operation) + 1)) {
    EXPECT_GT(seen[operation], 100) << "operation " << static_cast<int>(operation) << " is hardly ever tried";
  }
}

TEST(RandomExpressions, ManyExpressionsInOneProgramDoNotDisturbEachOther) {
  RandomTrees random(3, false);
  std::vector<Tree> trees;
  std::vector<std::string> texts;
  for (int i = 0; i < 300; ++i) {
    trees.push_back(random(1 + i % 5));
    texts.push_back(random.text(trees.back()));
  }
  const Compiled compiled = compile_all(texts);
  int compared = 0;
  for (int k = 0; k < 10; ++k) {
    const auto inputs = random_inputs(random);
    auto slots = loaded(compiled.program, inputs);
    evaluate<double>(compiled.program, slots);
    for (std::size_t i = 0; i < trees.size(); ++i) {
      const auto expected = worth(trees[i], inputs);
      if (!expected) continue;
      ++compared;
      EXPECT_NEAR(slots[compiled.results[i]], expected->value, expected->uncertainty) << texts[i];
    }
  }
  EXPECT_GT(compared, 1500);
}

/// Each beside a system of another kind, to the last bit; and as numbers, but for the last digits of circular
/// functions, which a jump may enlarge.
TEST(RandomExpressions, EightSystemsAtOnceAreEightSystemsOneByOne) {
  RandomTrees random(4, false);
  int compared = 0, alike = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random.text(random(1 + i % 6));
    const Compiled compiled = compile(text);
    Inputs<Pack<8>> packed;
    std::array<Inputs<double>, Pack<8>::lanes> inputs;
    for (std::size_t lane = 0; lane < Pack<8>::lanes; ++lane) {
      inputs[lane] = random_inputs(random);
      for (std::size_t k = 0; k < packed.size(); ++k) packed[k][lane] = inputs[lane][k];
    }
    const Pack<8> result = value(compiled, packed);
    for (std::size_t lane = 0; lane < Pack<8>::lanes; ++lane) {
      Inputs<Pack<2>> two;
      for (std::size_t k = 0; k < two.size(); ++k) two[k][0] = inputs[lane][k], two[k][1] = 1e7 * inputs[0][k];
      const double alone = value(compiled, two)[0], number = value(compiled, inputs[lane]);
      if (std::isnan(alone)) {
        ASSERT_TRUE(std::isnan(result[lane])) << text;
      } else {
        ASSERT_EQ(result[lane], alone) << text;
      }
      if (!std::isfinite(number)) continue;
      ++compared;
      alike += std::abs(alone - number) <= 1e-12 * (1 + std::abs(number)) ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 10000);
  EXPECT_GT(alike, 0.998 * compared);
}

/// d/d(input k), by differences of the naive evaluator in long double, with an idea of their error; nothing near jumps.
std::optional<Worth> slope(const Tree& tree, const Inputs<double>& inputs, std::size_t k) {
  Naive<long double> here;
  for (std::size_t i = 0; i < inputs.size(); ++i) here.inputs[i] = static_cast<long double>(inputs[i]);
  here(tree);
  const auto difference = [&](long double h) -> std::optional<long double> {
    Naive<long double> before{here.inputs}, after{here.inputs};
    before.inputs[k] -= h;
    after.inputs[k] += h;
    const long double y = (after(tree) - before(tree)) / (2 * h);
    const bool same = before.choices == here.choices && after.choices == here.choices;
    return same && before.tame && after.tame ? std::optional(y) : std::nullopt;
  };
  const auto coarse = difference(1e-4L), fine = difference(5e-5L);
  if (!here.tame || !coarse || !fine) return std::nullopt;
  const double better = static_cast<double>((4 * *fine - *coarse) / 3);
  const double error = static_cast<double>(std::abs(*fine - *coarse));
  if (error > 1e-3 * (1 + std::abs(better))) return std::nullopt;
  return Worth{better, error + 1e-7 * (1 + std::abs(better))};
}

TEST(RandomExpressions, DerivativesAreThoseOfFiniteDifferences) {
  RandomTrees random(5, false);
  int compared = 0, nonzero = 0;
  for (int i = 0; i < 8000; ++i) {
    const Tree tree = random(1 + i % 5);
    const std::string text = random.text(tree);
    const auto inputs = random_inputs(random);
    if (!worth(tree, inputs)) continue;
    const Compiled compiled = compile(text);
    Inputs<Dual<4>> dual;
    for (std::size_t k = 0; k < 4; ++k) dual[k] = Dual<4>::variable(inputs[k], k);
    const Dual<4> result = value(compiled, dual);
    ASSERT_EQ(result.value, value(compiled, inputs)) << text;
    for (std::size_t k = 0; k < 4; ++k) {
      const auto expected = slope(tree, inputs, k);
      if (!expected) continue;
      ++compared;
      nonzero += expected->value != 0 ? 1 : 0;
      ASSERT_NEAR(result.d[k], expected->value, expected->uncertainty)
          << "d/d" << input_names[k] << " of " << text << " at t = " << inputs[0] << ", x = " << inputs[1]
          << ", y = " << inputs[2] << ", bus.omega_x = " << inputs[3];
    }
  }
  EXPECT_GT(compared, 10'000);
  EXPECT_GT(nonzero, 2'000);
}

}  // namespace random_test
}  // namespace gyrostat::expression
