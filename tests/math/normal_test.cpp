#include "gyrostat/math/normal.h"

#include <cmath>

#include <gtest/gtest.h>

namespace gyrostat {
namespace {

TEST(Normal, QuantilesAreThoseOfManyDigits) {
  struct Known {
    double p, x;  // x by mpmath with 40 digits, of the double p
  };
  constexpr Known known[] = {
      {1e-300, -37.0470962993611992},  {1e-100, -21.2734535609653243},     {1e-20, -9.26234008979840758},
      {1.3e-11, -6.66761145651074083}, {1e-10, -6.3613409024040562},       {1e-5, -4.26489079392282461},
      {0.001, -3.09023230616781354},   {0.025, -1.95996398454005421},      {0.0749, -1.44023826752796366},
      {0.0751, -1.43882539275253998},  {0.1, -1.28155156554460044},        {0.25, -0.674489750196081743},
      {0.4, -0.253347103135799741},    {0.499999, -2.50662827456655938e-6}};
  for (const auto& [p, x] : known) {
    EXPECT_NEAR(normal_quantile({p, 1 - p}) / x, 1, 1e-15) << p;
    EXPECT_NEAR(normal_quantile({1 - p, p}) / -x, 1, 1e-15) << "above " << p;
  }
  EXPECT_EQ(normal_quantile({0.5, 0.5}), 0);
}

TEST(Normal, QuantileAndProbabilityAreInverse) {
  for (double x = -37; x <= 37; x += 0.0625) {
    const Probability p = normal_probability(x);
    // A relative error e of the probability is one of e * P / density in x.
    const double least = std::min(p.below, p.above);
    EXPECT_NEAR(normal_quantile(p), x, 4e-15 * std::max(1.0, std::abs(x))) << x;
    EXPECT_NEAR(p.below + p.above, 1, 1e-15);
    EXPECT_GT(least, 0);
  }
}

TEST(Normal, EndsAreInfinite) {
  EXPECT_EQ(normal_quantile({0, 1}), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(normal_quantile({1, 0}), std::numeric_limits<double>::infinity());
}

TEST(Normal, DensityIsTheDerivativeOfTheProbability) {
  for (const double x : {-3.0, -1.0, 0.0, 0.5, 2.0}) {
    const double h = 1e-4;
    const double slope = (normal_probability(x + h).below - normal_probability(x - h).below) / (2 * h);
    EXPECT_NEAR(normal_density(x), slope, 1e-8);
  }
}

}  // namespace
}  // namespace gyrostat
