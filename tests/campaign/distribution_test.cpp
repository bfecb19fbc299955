#include "gyrostat/campaign/distribution.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "campaign/campaigns.h"

namespace gyrostat::campaign::distribution_test {
namespace {

double at(const Distribution& d, double p) { return quantile(d, Probability::of(p)); }

TEST(Distribution, QuantilesAreThoseOfTheFormulas) {
  EXPECT_DOUBLE_EQ(at(Uniform{-2, 6}, 0.25), 0);
  EXPECT_DOUBLE_EQ(at(Uniform{-2, 6}, 0.75), 4);
  EXPECT_DOUBLE_EQ(at(Normal{410, 4}, 0.5), 410);
  EXPECT_NEAR(at(Normal{410, 4}, 0.975), 410 + 4 * 1.95996398454005421, 1e-12);
  EXPECT_NEAR(at(Lognormal{3, 0.5}, 0.975), 3 * std::exp(0.5 * 1.95996398454005421), 1e-13);
  EXPECT_DOUBLE_EQ(at(Lognormal{3, 0.5}, 0.5), 3);
  // Area of the triangle left of the mode: (2 - 0)/(10 - 0) = 0.2; half of it at 2 sqrt(1/2), half of the rest at
  // 10 - sqrt(0.4 * 80).
  EXPECT_NEAR(at(Triangular{0, 2, 10}, 0.1), 2 * std::sqrt(0.5), 1e-15);
  EXPECT_NEAR(at(Triangular{0, 2, 10}, 0.2), 2, 1e-15);
  EXPECT_NEAR(at(Triangular{0, 2, 10}, 0.6), 10 - std::sqrt(32), 1e-14);
  EXPECT_NEAR(at(Triangular{0, 0, 1}, 0.75), 0.5, 1e-15);
  EXPECT_NEAR(at(Triangular{0, 1, 1}, 0.25), 0.5, 1e-15);
}

TEST(Distribution, ChoicesFollowTheirWeights) {
  const Choice equal{{5, 7, 9}, {}};
  EXPECT_EQ(at(equal, 0.3333), 5);
  EXPECT_EQ(at(equal, 0.3334), 7);
  EXPECT_EQ(at(equal, 0.9999), 9);
  const Choice weighted{{5, 7, 9, 11}, {1, 0, 3, 0}};
  EXPECT_EQ(at(weighted, 0.2499), 5);
  EXPECT_EQ(at(weighted, 0.2501), 9);
  EXPECT_EQ(at(weighted, 1 - 0x1p-53), 9);  // never one without weight
}

TEST(Distribution, TruncatedKeepsTheFormOfTheNormalOne) {
  const Truncated cut{1, 2, 0, 4};  // z from -0.5 to 1.5
  const double below = normal_probability(-0.5).below, above = normal_probability(1.5).below;
  for (const double p : {0.001, 0.1, 0.5, 0.9, 0.999}) {
    const double x = at(cut, p);
    EXPECT_GT(x, 0);
    EXPECT_LT(x, 4);
    EXPECT_NEAR((normal_probability((x - 1) / 2).below - below) / (above - below), p, 1e-14);
  }
}

TEST(Distribution, TruncatedIsExactFarFromTheMean) {
  // Beyond 10 deviations the density falls like exp(-10 z): the quantile is about 10 - log(1 - p)/10, less a little.
  const Truncated far{0, 1, 10, 20};
  for (const double p : {0.01, 0.5, 0.99}) {
    const double x = at(far, p);
    const double z = normal_probability(x).above / normal_probability(10).above;
    EXPECT_NEAR(z / (1 - p), 1, 1e-12) << p;
    EXPECT_NEAR(at(Truncated{0, 1, -20, -10}, 1 - p), -x, 1e-12) << "the mirror image";
  }
}

/// The largest distance between the steps of the samples and a distribution, times sqrt(n).
double kolmogorov(std::vector<double> samples, const std::function<double(double)>& below) {
  std::sort(samples.begin(), samples.end());
  const auto n = static_cast<double>(samples.size());
  double most = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double p = below(samples[i]);
    most = std::max({most, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
  }
  return most * std::sqrt(n);
}

struct Case {
  Distribution distribution;
  std::function<double(double)> below;
  double mean, variance;
};

std::vector<Case> cases() {
  const auto phi = [](double z) { return normal_probability(z).below; };
  const double a = -0.5, b = 1.5, z = phi(b) - phi(a);
  const double shift = (normal_density(a) - normal_density(b)) / z;
  const double shrink = 1 + (a * normal_density(a) - b * normal_density(b)) / z - shift * shift;
  return {
      {Uniform{-2, 6}, [](double x) { return (x + 2) / 8; }, 2, 64.0 / 12},
      {Normal{410, 4}, [=](double x) { return phi((x - 410) / 4); }, 410, 16},
      {Truncated{1, 2, 0, 4}, [=](double x) { return (phi((x - 1) / 2) - phi(a)) / z; }, 1 + 2 * shift, 4 * shrink},
      {Lognormal{3, 0.5}, [=](double x) { return phi(std::log(x / 3) / 0.5); }, 3 * std::exp(0.125),
       9 * std::exp(0.25) * (std::exp(0.25) - 1)},
      {Triangular{0, 2, 10}, [](double x) { return x < 2 ? x * x / 20 : 1 - (10 - x) * (10 - x) / 80; }, 4,
       (0 + 4 + 100 - 0 - 20 - 0) / 18.0},
  };
}

TEST(Distribution, SamplesPassTheTestOfKolmogorovAndSmirnov) {
  // The statistic is above 1.95 once in a thousand times; the seeds are fixed.
  for (const Method method : {Method::monte_carlo, Method::latin_hypercube, Method::sobol}) {
    for (const Case& c : cases()) {
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const auto samples = column(with(c.distribution, method, 5000, seed), 0);
        const double k = kolmogorov(samples, c.below);
        EXPECT_LT(k, method == Method::monte_carlo ? 1.95 : 0.2)
            << methods[static_cast<int>(method)] << " " << c.distribution.index();
      }
    }
  }
}

TEST(Distribution, MomentsAreExact) {
  // A latin hypercube has one number in each of n strata: its mean is that of the midpoints up to 1/n.
  for (const Case& c : cases()) {
    const auto samples = column(with(c.distribution, Method::latin_hypercube, 100'000, 5), 0);
    double mean = 0, square = 0;
    for (const double x : samples) mean += x / 100'000;
    for (const double x : samples) square += (x - mean) * (x - mean) / 100'000;
    EXPECT_NEAR(mean / c.mean, 1, 1e-5) << c.distribution.index();
    EXPECT_NEAR(square / c.variance, 1, 1e-3) << c.distribution.index();
  }
}

TEST(Distribution, ChoicesHaveTheirFrequencies) {
  const auto samples = column(with(Choice{{1, 2, 4}, {1, 2, 5}}, Method::monte_carlo, 80'000, 9), 0);
  const auto count = [&](double x) { return static_cast<double>(std::count(samples.begin(), samples.end(), x)); };
  EXPECT_NEAR(count(1), 10'000, 4 * std::sqrt(80'000 * 0.125 * 0.875));
  EXPECT_NEAR(count(2), 20'000, 4 * std::sqrt(80'000 * 0.25 * 0.75));
  EXPECT_EQ(count(1) + count(2) + count(4), 80'000);
}

}  // namespace
}  // namespace gyrostat::campaign::distribution_test
