#include "gyrostat/campaign/sobol.h"

#include <cstdio>
#include <memory>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "campaign/campaigns.h"

namespace gyrostat::campaign::sobol_test {
namespace {

TEST(Sobol, FirstPointsAreThosePublished) {
  // The first ten points of Joe and Kuo's own listing in three dimensions.
  constexpr double published[10][3] = {{0, 0, 0},
                                       {0.5, 0.5, 0.5},
                                       {0.75, 0.25, 0.25},
                                       {0.25, 0.75, 0.75},
                                       {0.375, 0.375, 0.625},
                                       {0.875, 0.875, 0.125},
                                       {0.625, 0.125, 0.875},
                                       {0.125, 0.625, 0.375},
                                       {0.1875, 0.3125, 0.9375},
                                       {0.6875, 0.8125, 0.4375}};
  const SobolSequence sobol(3);
  for (std::uint64_t k = 0; k < 10; ++k) {
    for (std::size_t d = 0; d < 3; ++d) EXPECT_EQ(sobol.bits(k, d) * 0x1p-32, published[k][d]) << k << " " << d;
  }
}

TEST(Sobol, LaterPointsOfFarDimensionsAreThoseOfTheRecurrence) {
  // Point 1000 by the recurrence of the numbers m_k, in another program.
  const SobolSequence sobol(sobol_dimensions);
  EXPECT_EQ(sobol.bits(1000, 0), 943718400U);
  EXPECT_EQ(sobol.bits(1000, 1), 415236096U);
  EXPECT_EQ(sobol.bits(1000, 3), 2906652672U);
  EXPECT_EQ(sobol.bits(1000, 9), 297795584U);
  EXPECT_EQ(sobol.bits(1000, 127), 2336227328U);
  EXPECT_EQ(sobol.bits(1000, 511), 1698693120U);
}

TEST(Sobol, AgreesWithScipyWhereThatIsInstalled) {
  const char* const script = GYROSTAT_PYTHON3
      " -c \"from scipy.stats import qmc; p = qmc.Sobol(512, scramble=False).random(1024)\n"
      "for k in range(0, 1024, 31):\n"
      "  for d in range(0, 512, 7): print(int(p[k, d] * 2**32))\" 2> /dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(script, "r"), pclose);
  const SobolSequence sobol(512);
  unsigned long number = 0;
  std::size_t seen = 0;
  for (std::uint64_t k = 0; k < 1024; k += 31) {
    for (std::size_t d = 0; d < 512; d += 7) {
      if (std::fscanf(pipe.get(), "%lu", &number) != 1) {
        if (seen == 0) GTEST_SKIP() << "scipy is not installed";
        FAIL() << "scipy ended early";
      }
      EXPECT_EQ(sobol.bits(k, d), number) << k << " " << d;
      ++seen;
    }
  }
}

TEST(Sobol, EveryDimensionHasOnePointInEachInterval) {
  // The matrix of direction numbers is triangular: the first 2^m points are all multiples of 2^-m, once each.
  const SobolSequence sobol(sobol_dimensions);
  for (std::size_t d = 0; d < sobol_dimensions; ++d) {
    std::set<std::uint32_t> seen;
    for (std::uint64_t k = 0; k < 64; ++k) seen.insert(sobol.bits(k, d) >> 26U);
    EXPECT_EQ(seen.size(), 64U) << d;
  }
}

/// Points in each of the elementary intervals 2^-a by 2^-b.
std::vector<int> counts(const std::vector<std::vector<double>>& points, std::size_t i, std::size_t j, int a, int b) {
  std::vector<int> counts(std::size_t{1} << (a + b), 0);
  for (const auto& point : points) {
    const auto x = static_cast<std::size_t>(point[i] * (1 << a)), y = static_cast<std::size_t>(point[j] * (1 << b));
    ++counts[(x << b) + y];
  }
  return counts;
}

TEST(Sobol, ScrambledPointsKeepTheirStratification) {
  constexpr int m = 8;
  for (const std::uint64_t seed : {0ULL, 7ULL, 0xFFFFFFFFFFULL}) {
    const auto points = table(uniform_numbers(12, Method::sobol, 1U << m, seed));
    // Of one dimension: a (0, m, 1)-net, one point in each interval of 2^-m.
    for (std::size_t i = 0; i < 12; ++i) {
      for (const int n : counts(points, i, i, m, 0)) EXPECT_EQ(n, 1);
    }
    // The first two: a (0, m, 2)-net, one point in each elementary interval of area 2^-m, whatever its sides.
    for (int a = 0; a <= m; ++a) {
      for (const int n : counts(points, 0, 1, a, m - a)) EXPECT_EQ(n, 1) << a;
    }
  }
}

TEST(Sobol, ScrambledPairsHaveTheQualityOfThePlainOnes) {
  // t of a projection does not change: as many points in each elementary interval, and no empty ones more.
  constexpr int m = 8;
  const auto points = table(uniform_numbers(12, Method::sobol, 1U << m, 3));
  const SobolSequence sobol(12);
  std::vector<std::vector<double>> plain(1U << m, std::vector<double>(12));
  for (std::size_t k = 0; k < plain.size(); ++k) {
    for (std::size_t d = 0; d < 12; ++d) plain[k][d] = sobol.bits(k, d) * 0x1p-32;
  }
  for (std::size_t i = 0; i < 12; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      for (int a = 1; a < m; ++a) {
        auto of_plain = counts(plain, j, i, a, m - a), of_scrambled = counts(points, j, i, a, m - a);
        std::sort(of_plain.begin(), of_plain.end());
        std::sort(of_scrambled.begin(), of_scrambled.end());
        EXPECT_EQ(of_plain, of_scrambled) << i << " " << j << " " << a;
      }
    }
  }
}

TEST(Sobol, ScramblingIsNested) {
  // Numbers that agree in their first i bits agree in the first i scrambled ones, and bit i differs in both or neither.
  for (std::uint32_t trial = 0; trial < 200; ++trial) {
    const std::uint32_t x = 2654435761U * (trial + 1);
    for (std::uint32_t i = 0; i < 32; ++i) {
      const std::uint32_t y = x ^ (0x80000000U >> i) ^ ((trial * 40503U) & ((0x80000000U >> i) - 1));
      const std::uint64_t a = owen_scramble(x, 5, 11) >> 20U, b = owen_scramble(y, 5, 11) >> 20U;
      EXPECT_EQ(a >> (31 - i) >> 1U, b >> (31 - i) >> 1U);
      EXPECT_NE((a >> (31 - i)) & 1U, (b >> (31 - i)) & 1U);
    }
  }
}

TEST(Sobol, ScramblingIsUniformOverSeeds) {
  // Every scrambled bit of a point is 1 for half of the seeds, and bits of neighbours in the tree are independent.
  constexpr int seeds = 4000;
  std::vector<int> ones(52, 0), agree(51, 0);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    const std::uint64_t bits = owen_scramble(0x12345678U, 3, seed);
    for (std::size_t i = 0; i < 52; ++i) {
      ones[i] += static_cast<int>((bits >> i) & 1U);
      if (i < 51) agree[i] += static_cast<int>(~((bits >> i) ^ (bits >> (i + 1))) & 1U);
    }
  }
  for (const int n : ones) EXPECT_NEAR(n, seeds / 2, 4 * std::sqrt(seeds / 4.0));
  for (const int n : agree) EXPECT_NEAR(n, seeds / 2, 4 * std::sqrt(seeds / 4.0));
}

TEST(Sobol, IntegratesASmoothFunctionFarBetterThanRandomNumbers) {
  // The mean of the product of 1 + (u - 1/2) over six dimensions is 1. Errors over forty seeds, root of the mean
  // square.
  const auto error_of = [](Method method) {
    double square = 0;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      double mean = 0;
      for (const auto& row : table(uniform_numbers(6, method, 4096, seed))) {
        double product = 1;
        for (const double u : row) product *= 0.5 + u;
        mean += product / 4096;
      }
      square += (mean - 1) * (mean - 1) / 40;
    }
    return std::sqrt(square);
  };
  const double random = error_of(Method::monte_carlo);
  EXPECT_NEAR(random, std::sqrt((std::pow(1 + 1.0 / 12, 6) - 1) / 4096), 0.3 * random);
  EXPECT_LT(error_of(Method::sobol), 0.02 * random);
  EXPECT_LT(error_of(Method::latin_hypercube), 0.5 * random);
}

}  // namespace
}  // namespace gyrostat::campaign::sobol_test
