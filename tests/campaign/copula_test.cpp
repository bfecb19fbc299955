#include "gyrostat/campaign/copula.h"

#include <cmath>

#include <gtest/gtest.h>

#include "campaign/campaigns.h"

namespace gyrostat::campaign::copula_test {
namespace {

double correlation(const std::vector<std::vector<double>>& rows, std::size_t i, std::size_t j) {
  const auto n = static_cast<double>(rows.size());
  double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (const auto& row : rows) x += row[i] / n, y += row[j] / n;
  for (const auto& row : rows) {
    xx += (row[i] - x) * (row[i] - x);
    yy += (row[j] - y) * (row[j] - y);
    xy += (row[i] - x) * (row[j] - y);
  }
  return xy / std::sqrt(xx * yy);
}

TEST(Copula, GivesTheCorrelationsOfNormalParameters) {
  for (const Method method : {Method::monte_carlo, Method::latin_hypercube, Method::sobol}) {
    CampaignDescription c = uniform_numbers(4, method, 16'384, 3);
    for (Varied& varied : c.vary) varied.distribution = Normal{10, 2};
    c.correlate = {{0, 2, 0.6}, {2, 3, -0.5}, {3, 0, 0.1}};
    const auto rows = table(c);
    const double near = 4 / std::sqrt(16'384.0);
    EXPECT_NEAR(correlation(rows, 0, 2), 0.6, near);
    EXPECT_NEAR(correlation(rows, 2, 3), -0.5, near);
    EXPECT_NEAR(correlation(rows, 0, 3), 0.1, near);
    EXPECT_NEAR(correlation(rows, 0, 1), 0, near);
    EXPECT_NEAR(correlation(rows, 1, 3), 0, near);
  }
}

TEST(Copula, GivesUniformParametersTheCorrelationOfTheirScores) {
  // Of uniform marginals the correlation is 6/pi asin(r/2) (Pearson, 1907), and the marginals stay what they are.
  CampaignDescription c = uniform_numbers(2, Method::sobol, 16'384, 9);
  c.correlate = {{0, 1, 0.8}};
  const auto rows = table(c);
  EXPECT_NEAR(correlation(rows, 0, 1), 6 / M_PI * std::asin(0.4), 0.005);
  std::vector<int> tenths(10, 0);
  for (const auto& row : rows) ++tenths[static_cast<std::size_t>(10 * row[1])];
  for (const int n : tenths) EXPECT_NEAR(n, 1638, 60);
}

TEST(Copula, LeavesTheFirstColumnAsItWas) {
  CampaignDescription c = uniform_numbers(3, Method::latin_hypercube, 100, 9);
  const auto before = table(c);
  c.correlate = {{0, 2, 0.5}};
  const auto after = table(c);
  for (std::size_t k = 0; k < 100; ++k) {
    EXPECT_NEAR(after[k][0], before[k][0], 1e-14);
    EXPECT_EQ(after[k][1], before[k][1]);
    EXPECT_NE(after[k][2], before[k][2]);
  }
}

TEST(Copula, FactorTimesItsTransposeIsTheMatrix) {
  const std::vector<Correlation> given = {{1, 4, 0.5}, {4, 7, -0.25}, {7, 1, 0.125}, {7, 9, 0.75}};
  const auto copula = make_copula(given);
  ASSERT_TRUE(copula);
  EXPECT_EQ(copula->columns, (std::vector<std::size_t>{1, 4, 7, 9}));
  const auto l = [&](std::size_t i, std::size_t j) { return j > i ? 0 : copula->factor[i * (i + 1) / 2 + j]; };
  const double expected[4][4] = {{1, 0.5, 0.125, 0}, {0.5, 1, -0.25, 0}, {0.125, -0.25, 1, 0.75}, {0, 0, 0.75, 1}};
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < 4; ++k) sum += l(i, k) * l(j, k);
      EXPECT_NEAR(sum, expected[i][j], 1e-15);
    }
  }
}

TEST(Copula, NamesOnlyWhatContradicts) {
  // Columns 5, 6 and 7 cannot be so; the others can.
  const std::vector<Correlation> given = {{0, 1, 0.5}, {1, 2, 0.5}, {5, 6, 0.9},
                                          {1, 6, 0.1}, {6, 7, 0.9}, {5, 7, -0.5}};
  EXPECT_FALSE(make_copula(given));
  const auto wrong = contradicting(given);
  ASSERT_EQ(wrong.size(), 3U);
  EXPECT_EQ(wrong[0].b, 6U);
  EXPECT_EQ(wrong[2].value, -0.5);
}

}  // namespace
}  // namespace gyrostat::campaign::copula_test
