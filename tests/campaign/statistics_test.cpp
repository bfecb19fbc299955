#include "gyrostat/campaign/statistics.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "gyrostat/campaign/binomial.h"

#include "campaign/campaigns.h"

namespace gyrostat::campaign::statistics_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Binomial, IsThatOfManyDigits) {
  EXPECT_NEAR(binomial_at_most(3, 10, 0.5), 0.171875, 1e-15);
  EXPECT_NEAR(binomial_at_most(2, 1000, 0.01) / 0.0026794319937915335384, 1, 1e-13);
  EXPECT_NEAR(binomial_at_least(30, 1000, 0.01) / 2.0599888509719585365e-7, 1, 1e-13);
  EXPECT_NEAR(binomial_at_most(480, 1000, 0.5) / 0.10872414660207047141, 1, 1e-13);
  EXPECT_NEAR(binomial_at_least(999, 1000, 0.997) / 0.19869974126795623775, 1, 1e-13);
  // Of a billion trials, 1.9 deviations from the mean, and far out in the tail of a rare event.
  EXPECT_NEAR(binomial(500'030'000, 1'000'000'000, 0.5) / 4.1707100092168354137e-6, 1, 1e-11);
  EXPECT_NEAR(binomial(1500, 1'000'000'000, 1e-6) / 1.05472372649369209e-49, 1, 1e-11);
}

TEST(Binomial, SumsToOne) {
  for (const double p : {0.001, 0.3, 0.5, 0.97}) {
    double sum = 0;
    for (std::uint64_t k = 0; k <= 40; ++k) {
      sum += binomial(k, 40, p);
      EXPECT_NEAR(binomial_at_most(k, 40, p), sum, 1e-14);
      EXPECT_NEAR(binomial_at_least(k, 40, p), 1 - sum + binomial(k, 40, p), 1e-14);
    }
    EXPECT_NEAR(sum, 1, 1e-14);
  }
  EXPECT_EQ(binomial_at_most(5, 5, 0.3), 1);
  EXPECT_EQ(binomial_at_least(0, 5, 0.3), 1);
  EXPECT_EQ(binomial_at_least(6, 5, 0.3), 0);
  EXPECT_NEAR(binomial_at_most(500'000'000, 1'000'000'000, 0.5), 0.5 + 0.5 * 2.5231325220201602e-05, 1e-12);
}

TEST(Student, IsThatOfManyDigits) {
  EXPECT_NEAR(student_both_sides(1, 1), 0.5, 1e-14);
  EXPECT_NEAR(student_both_sides(-2, 3) / 0.139325968558843177, 1, 1e-13);
  EXPECT_NEAR(student_both_sides(2.5, 8) / 0.0369420377136241048, 1, 1e-13);
  EXPECT_NEAR(student_both_sides(4, 98) / 0.000122997377734074852, 1, 1e-13);
  EXPECT_NEAR(student_both_sides(0.125, 5) / 0.905393787264180293, 1, 1e-13);
  EXPECT_NEAR(student_both_sides(3, 10'000) / 0.00270644818999766629, 1, 1e-12);
  EXPECT_NEAR(student_both_sides(2, 1e9), 2 * normal_probability(2).above, 1e-8);
  EXPECT_EQ(student_both_sides(0, 10), 1);
}

TEST(Summary, CountsFailuresApart) {
  const std::vector<double> values = {3, not_a_number, 1, 8, not_a_number, 8, 1};
  const Summary s = summarize(values);
  EXPECT_EQ(s.flights, 7U);
  EXPECT_EQ(s.failed, 2U);
  EXPECT_DOUBLE_EQ(s.mean, 4.2);
  EXPECT_DOUBLE_EQ(s.std, std::sqrt((1.44 + 2 * 10.24 + 2 * 14.44) / 4));
  EXPECT_EQ(s.min, 1);
  EXPECT_EQ(s.max, 8);
  EXPECT_EQ(s.min_flight, 2U);
  EXPECT_EQ(s.max_flight, 3U);
}

TEST(Summary, OfNothingAndOfFailuresOnlyIsEmpty) {
  EXPECT_TRUE(std::isnan(summarize({}).mean));
  const std::vector<double> failed = {not_a_number, not_a_number};
  EXPECT_EQ(summarize(failed).failed, 2U);
  EXPECT_TRUE(std::isnan(summarize(failed).max));
  const std::vector<double> one = {5};
  EXPECT_EQ(summarize(one).mean, 5);
  EXPECT_TRUE(std::isnan(summarize(one).std));
}

TEST(Summary, WithAnInfiniteValueHasNoStandardDeviation) {
  const std::vector<double> values = {1, std::numeric_limits<double>::infinity(), 2};
  const Summary s = summarize(values);
  EXPECT_EQ(s.mean, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(s.std));
  EXPECT_FALSE(std::signbit(s.std)) << "printed as nan, not as -nan";
  EXPECT_EQ(s.min, 1);
}

TEST(Summary, LosesNoDigitsOfLargeNumbers) {
  const std::vector<double> values = {1e16, 1, -1e16, 1, 1, 1};
  EXPECT_DOUBLE_EQ(summarize(values).mean, 4.0 / 6);
}

TEST(Summary, OfAnEventThatNeverCameIsInfinite) {
  const std::vector<double> values = {1, infinity, 3};
  EXPECT_EQ(summarize(values).mean, infinity);
  EXPECT_EQ(summarize(values).max, infinity);
  EXPECT_EQ(summarize(values).failed, 0U);
  const auto sorted = sorted_numbers(values);
  EXPECT_EQ(percentile(sorted, 0.5, 0.9).value, 3);
  EXPECT_EQ(percentile(sorted, 0.9, 0.9).value, infinity);
}

TEST(Percentile, IntervalsAreThoseOfTheBinomialDistribution) {
  // The median of 10: P(B <= 1) = 11/1024, P(B <= 2) = 56/1024. With 95 % the interval is x_(2) .. x_(9), coverage
  // 1 - 22/1024 (the text books' 97.9 %); with 80 %, x_(3) .. x_(8) and 1 - 112/1024.
  std::vector<double> sorted;
  for (int i = 1; i <= 10; ++i) sorted.push_back(i);
  const Percentile p = percentile(sorted, 0.5, 0.95);
  EXPECT_EQ(p.value, 5.5);
  EXPECT_EQ(p.low, 2);
  EXPECT_EQ(p.high, 9);
  EXPECT_DOUBLE_EQ(p.coverage, 1 - 22.0 / 1024);
  EXPECT_EQ(percentile(sorted, 0.5, 0.8).low, 3);
  EXPECT_EQ(percentile(sorted, 0.5, 0.8).high, 8);
  EXPECT_DOUBLE_EQ(percentile(sorted, 0.5, 0.8).coverage, 1 - 112.0 / 1024);
  EXPECT_DOUBLE_EQ(percentile(sorted, 0.25, 0.8).value, 3.25);
}

TEST(Percentile, HasNoUpperEndWhereFlightsAreTooFew) {
  // 0.997^n > 5 % below n = 998: no flight is above the quantile surely enough.
  std::vector<double> sorted(997, 1.0);
  for (std::size_t i = 0; i < sorted.size(); ++i) sorted[i] = static_cast<double>(i);
  EXPECT_EQ(percentile(sorted, 0.997, 0.9).high, infinity);
  EXPECT_GT(percentile(sorted, 0.997, 0.9).low, 980);
  sorted.push_back(998);
  EXPECT_EQ(percentile(sorted, 0.997, 0.9).high, 998);
  EXPECT_TRUE(std::isnan(percentile({}, 0.5, 0.9).value));
  EXPECT_THROW(percentile(sorted, 1, 0.9), std::invalid_argument);
}

TEST(Percentile, IntervalsHoldTheQuantileAsOftenAsTheySay) {
  for (const double fraction : {0.5, 0.9}) {
    constexpr int trials = 4000;
    int held = 0;
    double coverage = 0;
    for (int trial = 0; trial < trials; ++trial) {
      const auto sorted =
          sorted_numbers(column(with(Uniform{0, 1}, Method::monte_carlo, 60, static_cast<std::uint64_t>(trial)), 0));
      const Percentile p = percentile(sorted, fraction, 0.9);
      coverage = p.coverage;
      if (p.low <= fraction && fraction <= p.high) ++held;
    }
    EXPECT_GE(coverage, 0.9);
    EXPECT_NEAR(held, trials * coverage, 4 * std::sqrt(trials * coverage * (1 - coverage))) << fraction;
  }
}

TEST(Proportion, BoundsAreThoseOfClopperAndPearson) {
  // By mpmath with 40 digits; of 1000 of 1000, 0.1^(1/1000).
  EXPECT_NEAR(proportion_at_least(8, 10, 0.95), 0.493098698936797593, 1e-14);
  EXPECT_NEAR(proportion_at_most(8, 10, 0.95), 0.963228562112534915, 1e-14);
  EXPECT_NEAR(proportion_at_least(1000, 1000, 0.9), 0.997700063822553317, 1e-14);
  EXPECT_NEAR(proportion_at_least(995, 1000, 0.9), 0.990745141906932965, 1e-14);
  EXPECT_NEAR(proportion_at_most(995, 1000, 0.9), 0.997565498819072263, 1e-14);
  EXPECT_EQ(proportion_at_least(0, 10, 0.9), 0);
  EXPECT_EQ(proportion_at_most(10, 10, 0.9), 1);
  EXPECT_NEAR(proportion_at_most(0, 10, 0.9), 1 - std::pow(0.1, 0.1), 1e-14);
  EXPECT_NEAR(proportion_at_least(1'000'000'000, 1'000'000'000, 0.9), std::pow(0.1, 1e-9), 1e-15);
}

std::vector<double> flights(std::size_t good, std::size_t bad, std::size_t failed) {
  std::vector<double> values(good, 0.5);
  values.insert(values.end(), bad, 2.0);
  values.insert(values.end(), failed, not_a_number);
  return values;
}

Requirement below_one(double fraction, double confidence) {
  return {.measure = "m", .below = 1.0, .above = {}, .fraction = fraction, .confidence = confidence};
}

TEST(Requirement, IsMetNotMetOrUndecidedByExactBinomials) {
  // 99.7 % with 90 %: 0.997^n <= 0.1 from n = 767 on without a failure (log 0.1 / log 0.997 = 766.4).
  EXPECT_EQ(check_requirement(below_one(0.997, 0.9), flights(766, 0, 0)).verdict, Verdict::undecided);
  EXPECT_EQ(check_requirement(below_one(0.997, 0.9), flights(767, 0, 0)).verdict, Verdict::met);
  // 90 % with 90 % and one that is not: 0.9^n + n 0.1 0.9^(n-1) <= 0.1 from n = 38 on.
  EXPECT_EQ(check_requirement(below_one(0.9, 0.9), flights(36, 1, 0)).verdict, Verdict::undecided);
  EXPECT_EQ(check_requirement(below_one(0.9, 0.9), flights(37, 1, 0)).verdict, Verdict::met);
  // 3 of 5 where 90 % are asked for: P(at most 3 of 5) = 1 - 0.9^5 - 5 0.1 0.9^4 = 0.08146 < 0.1. Not 3 of 4: 0.3439.
  EXPECT_EQ(check_requirement(below_one(0.9, 0.9), flights(3, 2, 0)).verdict, Verdict::not_met);
  EXPECT_EQ(check_requirement(below_one(0.9, 0.9), flights(3, 1, 0)).verdict, Verdict::undecided);
}

TEST(Requirement, IsNeverFulfilledByAFlightThatFailed) {
  const RequirementResult r = check_requirement(below_one(0.9, 0.9), flights(37, 0, 1));
  EXPECT_EQ(r.flights, 38U);
  EXPECT_EQ(r.fulfilled, 37U);
  EXPECT_EQ(r.failed, 1U);
  EXPECT_DOUBLE_EQ(r.fraction, 37.0 / 38);
  EXPECT_EQ(r.verdict, Verdict::met);
  EXPECT_EQ(check_requirement(below_one(0.9, 0.9), flights(0, 0, 20)).verdict, Verdict::not_met);
  Requirement above = below_one(0.9, 0.9);
  above.below.reset();
  above.above = 0.1;
  EXPECT_EQ(check_requirement(above, flights(0, 0, 20)).fulfilled, 0U);
}

TEST(Requirement, OfAllFlightsIsDecidedByThem) {
  EXPECT_EQ(check_requirement(below_one(1, 0.9), flights(5, 0, 0)).verdict, Verdict::met);
  EXPECT_EQ(check_requirement(below_one(1, 0.9), flights(500, 1, 0)).verdict, Verdict::not_met);
  EXPECT_EQ(check_requirement(below_one(1, 0.9), flights(500, 0, 1)).verdict, Verdict::not_met);
  EXPECT_EQ(check_requirement(below_one(0.5, 0.9), flights(2, 2, 0), true).verdict, Verdict::met);
  EXPECT_EQ(check_requirement(below_one(0.5, 0.9), flights(1, 2, 0), true).verdict, Verdict::not_met);
  EXPECT_EQ(check_requirement(below_one(0.5, 0.9), {}).verdict, Verdict::undecided);
}

TEST(Requirement, ExcludesItsBounds) {
  const std::vector<double> values = {1.0, 0.5, 0.999, 1.5};
  Requirement r = below_one(0.5, 0.9);
  r.above = 0.5;
  EXPECT_EQ(check_requirement(r, values).fulfilled, 1U);
}

TEST(WorstFlights, AreInOrderAndWithoutFailures) {
  const std::vector<double> values = {3, 9, not_a_number, 9, infinity, -1};
  EXPECT_EQ(worst_flights(values, 3, true), (std::vector<std::uint64_t>{4, 1, 3}));
  EXPECT_EQ(worst_flights(values, 2, false), (std::vector<std::uint64_t>{5, 0}));
  EXPECT_EQ(worst_flights(values, 100, false).size(), 5U);
  EXPECT_EQ(failed_flights(values, 10), (std::vector<std::uint64_t>{2}));
}

}  // namespace
}  // namespace gyrostat::campaign::statistics_test
