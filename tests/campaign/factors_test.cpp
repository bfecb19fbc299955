// Factors: what is said of each combination of their values by itself, by numbers that are computed by hand.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/campaign/answers.h"

#include "campaign/campaigns.h"
#include "campaign/in_folder.h"

namespace gyrostat::campaign::factors_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

class Factors : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    // x of sample k is k + 1, in another order: the measure of a flight is gain x.
    write("x.csv", "x\n4\n1\n10\n2\n9\n3\n8\n5\n7\n6\n");
    write("craft.yaml", R"yaml(gyrostat: 1
parameters: {x: 1, gain: 1, mode: 0}
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
signals: {y: "gain*x + 0*t"}
simulation: {duration: 1, integrator: {method: rk4, step: 0.5}}
)yaml");
  }
  Answers flown(const std::string& text) const {
    const Campaign c = campaign(text);
    EXPECT_TRUE(fly_campaign(c.read, *c.plan, path("out.h5")).finished);
    const results::ResultsReader reader(path("out.h5"));
    return answers_of(reader, *stored_campaign(reader).campaign);
  }
};

constexpr const char* two_gains = R"yaml(gyrostat_campaign: 1
model: craft.yaml
vary:
  x: {table: {file: x.csv, column: x}}
  gain: {values: [1, 2]}
samples: {count: 10}
measure: {y: {final: y}}
require: {y: {below: 10.5, in: 50 %, confidence: 90 %}}
)yaml";

TEST_F(Factors, AreAnsweredCombinationByCombination) {
  const Answers answers = flown(two_gains);
  ASSERT_EQ(answers.combinations.size(), 2U);
  EXPECT_TRUE(answers.by_combination());
  EXPECT_EQ(answers.combinations[0].values, std::vector<double>{1});
  EXPECT_EQ(answers.combinations[1].values, std::vector<double>{2});
  EXPECT_EQ(answers.combinations[1].flights, 10U);
  EXPECT_EQ(answers.combinations[1].ended, 10U);
  const MeasureAnswer& y = answers.measures[0];
  ASSERT_EQ(y.statistics.size(), 2U);
  for (const std::size_t c : {0U, 1U}) {
    // 1 .. 10 and 2, 4 .. 20. Of the median of ten with 90 %: P(B <= 1) = 11/1024, P(B <= 2) = 56/1024 > 5 %, so
    // x_(2) .. x_(9) with 1 - 22/1024; of all twenty it would be x_(6) .. x_(15).
    const double gain = answers.combinations[c].values[0];
    const Summary& s = y.statistics[c].summary;
    EXPECT_EQ(s.flights, 10U);
    EXPECT_DOUBLE_EQ(s.mean, 5.5 * gain);
    EXPECT_DOUBLE_EQ(s.std, gain * std::sqrt(82.5 / 9));
    EXPECT_EQ(s.max_flight, 2 * 2 + c) << "sample 2, in which x is 10";
    const Percentile& median = y.statistics[c].percentiles[2];
    ASSERT_EQ(median.fraction, 0.5);
    EXPECT_DOUBLE_EQ(median.value, 5.5 * gain);
    EXPECT_DOUBLE_EQ(median.low, 2 * gain);
    EXPECT_DOUBLE_EQ(median.high, 9 * gain);
    EXPECT_DOUBLE_EQ(median.coverage, 1 - 22.0 / 1024);
    EXPECT_EQ(y.statistics[c].correlations[0].value, 1) << "of all flights together less than 1";
    EXPECT_EQ(y.statistics[c].correlations[0].flights, 10U);
    EXPECT_TRUE(std::isnan(y.statistics[c].correlations[1].value)) << "the gain is the same in all of them";
  }
  EXPECT_EQ(y.worst, (std::vector<std::uint64_t>{5, 9, 13, 17, 19})) << "20, 18, 16, 14, 12: of all combinations";
}

TEST_F(Factors, HaveTheVerdictOfTheWorstCombination) {
  // Gain 1: 10 of 10, at least 0.1^(1/10) = 0.794: met. Gain 2: 5 of 10: undecided. Of all twenty, 15 fulfil it, and
  // P(B >= 15 of 20 | 1/2) = 0.0207: met, if they were independent flights of one kind.
  const Answers answers = flown(two_gains);
  const RequirementAnswer& r = answers.requirements[0];
  ASSERT_EQ(r.results.size(), 2U);
  EXPECT_EQ(r.results[0].verdict, Verdict::met);
  EXPECT_NEAR(r.results[0].low, std::pow(0.1, 0.1), 1e-14);
  EXPECT_EQ(r.results[1].fulfilled, 5U);
  EXPECT_EQ(r.results[1].flights, 10U);
  EXPECT_EQ(r.results[1].verdict, Verdict::undecided);
  EXPECT_EQ(r.worst, 1U);
  EXPECT_EQ(r.verdict(), Verdict::undecided);
  std::vector<double> together(15, 1.0);
  together.resize(20, 20.0);
  EXPECT_EQ(check_requirement(r.requirement, together).verdict, Verdict::met);

  std::string two_and_a_half = two_gains;
  two_and_a_half.replace(two_and_a_half.find("[1, 2]"), 6, "[2, 9, 1]");
  const Answers three = flown(two_and_a_half);
  EXPECT_EQ(three.requirements[0].verdict(), Verdict::not_met) << "of gain 9, 1 of 10 fulfils it";
  EXPECT_EQ(three.requirements[0].worst, 1U);
}

TEST_F(Factors, AreCorrelatedOnTheSameSamples) {
  // Ten pairs, all rising: sums of products 1/2 each, variance 1/4 each, z = 5/sqrt(2.5): erfc(sqrt 5).
  const Answers answers = flown(two_gains);
  ASSERT_EQ(answers.measures[0].factors.size(), 1U);
  EXPECT_DOUBLE_EQ(answers.measures[0].factors[0].value, 1);
  EXPECT_EQ(answers.measures[0].factors[0].flights, 20U);
  EXPECT_NEAR(answers.measures[0].factors[0].chance, std::erfc(std::sqrt(5)), 1e-15);
}

TEST_F(Factors, StandInTheOrderOfTheFlights) {
  const Answers answers = flown(R"yaml(gyrostat_campaign: 1
model: craft.yaml
vary:
  gain: {values: [3, 1, 2]}
  x: {uniform: {low: 1, high: 1.1}}
  mode: {values: [5, -5]}
samples: {count: 8}
measure: {y: {final: "y + mode"}}
)yaml");
  ASSERT_EQ(answers.combinations.size(), 6U);
  EXPECT_EQ(answers.combinations[1].values, (std::vector<double>{3, -5}));
  EXPECT_EQ(answers.combinations[4].values, (std::vector<double>{2, 5}));
  for (std::size_t c = 0; c < 6; ++c) {
    const std::vector<double>& values = answers.combinations[c].values;
    EXPECT_NEAR(answers.measures[0].statistics[c].summary.mean, 1.05 * values[0] + values[1], 0.06 * values[0]) << c;
  }
  EXPECT_DOUBLE_EQ(answers.measures[0].factors[0].value, 1) << "more gain is more with each mode";
  EXPECT_DOUBLE_EQ(answers.measures[0].factors[1].value, 1);
}

TEST_F(Factors, OfAFactorialCampaignAreOneSetOfFlights) {
  const Answers answers = flown(R"yaml(gyrostat_campaign: 1
model: craft.yaml
vary: {gain: {values: [1, 2, 3]}, x: {values: [1, 2]}}
samples: {method: factorial}
measure: {y: {final: y}}
require: {y: {below: 5, in: 80 %}}
)yaml");
  EXPECT_FALSE(answers.by_combination());
  EXPECT_EQ(answers.measures[0].statistics[0].summary.flights, 6U);
  EXPECT_EQ(answers.requirements[0].verdict(), Verdict::met) << "five of six";
  EXPECT_EQ(answers.requirements[0].results[0].low, 5.0 / 6);
}

TEST_F(Factors, OfAnUnfinishedCampaignAreUndecided) {
  Campaign c = campaign(two_gains);
  CampaignOptions options;
  options.threads = 1;
  options.go_on = [](const Progress&) { return false; };
  std::string many = two_gains;
  many.replace(many.find("count: 10"), 9, "count: 20000");
  many.replace(many.find("{table: {file: x.csv, column: x}}"), 33, "{uniform: {low: 1, high: 2}}");
  c = campaign(many);
  ASSERT_FALSE(fly_campaign(c.read, *c.plan, path("begun.h5"), options).finished);
  const results::ResultsReader reader(path("begun.h5"));
  const Answers answers = answers_of(reader, *c.read.campaign);
  ASSERT_GT(answers.ended, 20U);
  ASSERT_LT(answers.ended, 40000U);
  EXPECT_EQ(answers.combinations[0].ended + answers.combinations[1].ended, answers.ended);
  for (const RequirementResult& r : answers.requirements[0].results) {
    EXPECT_EQ(r.fulfilled, r.flights) << "all that have ended";
    EXPECT_EQ(r.flights + r.missing, 20000U);
    EXPECT_EQ(r.verdict, Verdict::undecided);
  }
}

TEST(Missing, LeaveAVerdictOpenThatTheyCanChange) {
  const Requirement r{.measure = "m", .below = 1.0, .above = {}, .fraction = 0.9, .confidence = 0.9};
  // 22 without exception show 90 % with 90 %; of 23 with one that is not so, 22 do not.
  const std::vector<double> good(22, 0.5), bad(5, 2.0);
  EXPECT_EQ(check_requirement(r, good, false, 0).verdict, Verdict::met);
  EXPECT_EQ(check_requirement(r, good, false, 1).verdict, Verdict::undecided);
  EXPECT_EQ(check_requirement(r, good, false, 1).missing, 1U);
  const std::vector<double> many(60, 0.5);
  EXPECT_EQ(check_requirement(r, many, false, 1).verdict, Verdict::met) << "60 of 61 are enough";
  EXPECT_EQ(check_requirement(r, many, false, 60).verdict, Verdict::undecided);
  EXPECT_EQ(check_requirement(r, bad, false, 1).verdict, Verdict::not_met) << "1 of 6 would still be too few";
  EXPECT_EQ(check_requirement(r, bad, false, 500).verdict, Verdict::undecided);
  // all flights are asked for: one that does not fulfil it decides
  Requirement all = r;
  all.fraction = 1;
  EXPECT_EQ(check_requirement(all, good, false, 1).verdict, Verdict::undecided);
  EXPECT_EQ(check_requirement(all, bad, false, 1000).verdict, Verdict::not_met);
  // of a factorial campaign the flights are all there are
  EXPECT_EQ(check_requirement(r, good, true, 2).verdict, Verdict::met) << "22 of 24 at least";
  EXPECT_EQ(check_requirement(r, good, true, 3).verdict, Verdict::undecided);
  EXPECT_EQ(check_requirement(r, good, true, 3).low, 22.0 / 25);
  EXPECT_EQ(check_requirement(r, good, true, 3).high, 1);
  EXPECT_EQ(check_requirement(r, {}, false, 10).verdict, Verdict::undecided);
  EXPECT_TRUE(std::isnan(check_requirement(r, {}, false, 10).fraction));
}

TEST(StratifiedRankCorrelation, IsWithinStrata) {
  // Two strata, in which the measure rises by input, and which lie so that of all together it falls.
  const std::vector<double> x = {1, 2, 3, 11, 12, 13}, y = {20, 21, 22, 1, 2, 3};
  const std::vector<std::uint64_t> stratum = {0, 0, 0, 7, 7, 7};
  EXPECT_DOUBLE_EQ(stratified_rank_correlation(x, y, stratum).value, 1);
  EXPECT_LT(rank_correlation(x, y).value, -0.5);
  // Ranks 1 2 3 against 1 3 2 in one: products 1, squares 2; with the other 2 and 2: 3/4. Variance 2*2/2 each: z = 3/2.
  const std::vector<double> swapped = {20, 22, 21, 1, 2, 3};
  const RankCorrelation r = stratified_rank_correlation(x, swapped, stratum);
  EXPECT_DOUBLE_EQ(r.value, 0.75);
  EXPECT_NEAR(r.chance, std::erfc(1.5 / std::sqrt(2)), 1e-15);
  // what failed is left out; equal values have the mean of their ranks; where nothing changes there is none
  const std::vector<double> failed = {20, not_a_number, 21, infinity, infinity, infinity};
  EXPECT_DOUBLE_EQ(stratified_rank_correlation(x, failed, stratum).value, 0.5 / std::sqrt(2.5 * 0.5));
  EXPECT_EQ(stratified_rank_correlation(x, failed, stratum).flights, 5U);
  EXPECT_TRUE(std::isnan(stratified_rank_correlation(x, std::vector<double>(6, 1.0), stratum).value));
}

TEST(StratifiedRankCorrelation, HasAChanceThatIsUniformOfIndependentNumbers) {
  int below = 0;
  constexpr int trials = 2000;
  for (std::uint64_t seed = 0; seed < trials; ++seed) {
    const CampaignDescription c = uniform_numbers(1, Method::monte_carlo, 120, seed);
    const std::vector<double> y = column(c, 0);
    std::vector<double> level;
    std::vector<std::uint64_t> stratum;
    for (std::size_t k = 0; k < y.size(); ++k) {
      level.push_back(static_cast<double>(k % 4));
      stratum.push_back(k / 4);
    }
    if (stratified_rank_correlation(level, y, stratum).chance < 0.1) ++below;
  }
  EXPECT_NEAR(below, trials / 10, 4 * std::sqrt(trials * 0.09));
}

}  // namespace
}  // namespace gyrostat::campaign::factors_test
