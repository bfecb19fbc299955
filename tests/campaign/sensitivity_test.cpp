#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "gyrostat/campaign/statistics.h"

#include "campaign/campaigns.h"

namespace gyrostat::campaign::sensitivity_test {
namespace {

TEST(RankCorrelation, IsThatOfTextBooks) {
  // Ranks 1 2 3 4 5 against 2 1 4 3 5: 1 - 6 (1 + 1 + 1 + 1 + 0)/(5 24) = 0.8; t = 0.8 sqrt(3/0.36) = 2.3094,
  // two sides of Student's t with 3 degrees: 0.1041.
  const std::vector<double> x = {1, 2, 3, 4, 5}, y = {20, 10, 400, 30, 5000};
  const RankCorrelation r = rank_correlation(x, y);
  EXPECT_NEAR(r.value, 0.8, 1e-15);
  EXPECT_NEAR(r.chance, 0.10408803866182788, 1e-12);
  EXPECT_EQ(r.flights, 5U);
}

TEST(RankCorrelation, GivesTiesTheMeanOfTheirRanks) {
  // x: ranks 1, 2.5, 2.5, 4; y: 1, 2, 3, 4. Sums about 2.5: xx = 4.5, yy = 5, xy = 4.5.
  const std::vector<double> x = {1, 2, 2, 3}, y = {1, 2, 3, 4};
  EXPECT_NEAR(rank_correlation(x, y).value, 4.5 / std::sqrt(4.5 * 5), 1e-15);
}

TEST(RankCorrelation, LeavesFailuresOut) {
  const std::vector<double> x = {1, 2, 3, 4, 5, 6},
                            y = {1, 2, not_a_number, 4, 5, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(rank_correlation(x, y).flights, 5U);
  EXPECT_EQ(rank_correlation(x, y).value, 1);
  EXPECT_EQ(rank_correlation(x, y).chance, 0);
}

TEST(RankCorrelation, IsNotANumberWhereNothingChanges) {
  const std::vector<double> x = {1, 1, 1, 1}, y = {1, 2, 3, 4};
  EXPECT_TRUE(std::isnan(rank_correlation(x, y).value));
  EXPECT_TRUE(std::isnan(rank_correlation(x, y).chance));
  EXPECT_TRUE(std::isnan(rank_correlation({}, {}).value));
}

TEST(RankCorrelation, ChanceIsUniformOfIndependentNumbers) {
  int below = 0;
  constexpr int trials = 2000;
  for (std::uint64_t seed = 0; seed < trials; ++seed) {
    const CampaignDescription c = uniform_numbers(2, Method::monte_carlo, 40, seed);
    if (rank_correlation(column(c, 0), column(c, 1)).chance < 0.1) ++below;
  }
  EXPECT_NEAR(below, trials / 10, 4 * std::sqrt(trials * 0.09));
}

template <class Function>
std::vector<SobolIndex> indices_of(std::size_t inputs, std::uint64_t count, const Distribution& d, Function f,
                                   Method method = Method::sobol, std::uint64_t seed = 3) {
  CampaignDescription c = uniform_numbers(inputs, method, count, seed);
  for (Varied& varied : c.vary) varied.distribution = d;
  c.sensitivity = true;
  std::vector<double> values;
  for (const auto& row : table(c)) values.push_back(f(row));
  return sobol_indices(values, inputs);
}

double ishigami(const std::vector<double>& x) {
  return std::sin(x[0]) + 7 * std::pow(std::sin(x[1]), 2) + 0.1 * std::pow(x[2], 4) * std::sin(x[0]);
}

TEST(SobolIndices, OfTheFunctionOfIshigamiAreThoseOfTheFormulas) {
  // a = 7, b = 0.1: V = a^2/8 + b pi^4/5 + b^2 pi^8/18 + 1/2.
  const double pi4 = std::pow(M_PI, 4), v = 49.0 / 8 + 0.1 * pi4 / 5 + 0.01 * pi4 * pi4 / 18 + 0.5;
  const double v1 = 0.5 * std::pow(1 + 0.1 * pi4 / 5, 2), v2 = 49.0 / 8, v13 = 8 * 0.01 * pi4 * pi4 / 225;
  const auto s = indices_of(3, 8192, Uniform{-M_PI, M_PI}, ishigami);
  EXPECT_NEAR(s[0].first, v1 / v, 0.01);
  EXPECT_NEAR(s[1].first, v2 / v, 0.01);
  EXPECT_NEAR(s[2].first, 0, 0.01);
  EXPECT_NEAR(s[0].total, (v1 + v13) / v, 0.01);
  EXPECT_NEAR(s[1].total, v2 / v, 0.01);
  EXPECT_NEAR(s[2].total, v13 / v, 0.01);
  EXPECT_EQ(s[0].used, 8192U);
}

TEST(SobolIndices, OfALinearFunctionAreSharesOfTheVariance) {
  const auto s = indices_of(3, 4096, Normal{5, 2}, [](const auto& x) { return 1000 + 3 * x[0] - 2 * x[1] + x[2]; });
  const double share[] = {9.0 / 14, 4.0 / 14, 1.0 / 14};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(s[i].first, share[i], 0.01);
    EXPECT_NEAR(s[i].total, share[i], 0.01);
  }
}

TEST(SobolIndices, HaveTheErrorsTheySay) {
  // With random numbers, the deviation over many campaigns is the mean of the errors stated.
  constexpr int trials = 300;
  double sum[2] = {}, square[2] = {}, stated[2] = {};
  for (std::uint64_t seed = 0; seed < trials; ++seed) {
    const auto s = indices_of(3, 256, Uniform{-M_PI, M_PI}, ishigami, Method::monte_carlo, seed)[0];
    const double values[2] = {s.first, s.total}, errors[2] = {s.first_error, s.total_error};
    for (int i = 0; i < 2; ++i) {
      sum[i] += values[i] / trials;
      square[i] += values[i] * values[i] / trials;
      stated[i] += errors[i] / trials;
    }
  }
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(stated[i] / std::sqrt(square[i] - sum[i] * sum[i]), 1, 0.15) << i;
}

TEST(SobolIndices, LeaveOutBaseSamplesWithAFailure) {
  CampaignDescription c = uniform_numbers(2, Method::sobol, 1024, 3);
  c.sensitivity = true;
  std::vector<double> values;
  for (const auto& row : table(c)) values.push_back(row[0] + row[1]);
  values[4 * 10] = not_a_number;      // A of sample 10: for both inputs
  values[4 * 20 + 3] = not_a_number;  // A with column 1 of B, of sample 20
  const auto s = sobol_indices(values, 2);
  EXPECT_EQ(s[0].left_out, 1U);
  EXPECT_EQ(s[1].left_out, 2U);
  EXPECT_EQ(s[1].used, 1022U);
  EXPECT_NEAR(s[0].first, 0.5, 0.02);
  EXPECT_NEAR(s[1].total, 0.5, 0.02);
}

TEST(SobolIndices, OfAConstantAreNoNumbers) {
  const std::vector<double> values(4 * 100, 7.0);
  EXPECT_TRUE(std::isnan(sobol_indices(values, 2)[0].first));
  EXPECT_TRUE(std::isnan(sobol_indices({}, 2)[1].total));
}

}  // namespace
}  // namespace gyrostat::campaign::sensitivity_test
