// Random numbers: the published answers of Philox, and the distribution that comes of them.
#include "gyrostat/signals/noise.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace gyrostat {
namespace {

TEST(Philox, GivesThePublishedAnswers) {  // kat_vectors of Random123, philox4x32 with 10 rounds
  const std::uint32_t f = 0xffffffff;
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Random128{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({f, f, f, f}, {f, f}), (Random128{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Random128{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

std::vector<double> numbers(std::uint64_t seed, std::uint64_t first, std::size_t count) {
  std::vector<double> list;
  for (std::size_t k = 0; k < count; ++k) list.push_back(normal_number(seed, first + k));
  return list;
}

double moment(const std::vector<double>& x, int power) {
  double sum = 0;
  for (const double value : x) sum += std::pow(value, power);
  return sum / static_cast<double>(x.size());
}

// Of n numbers the k-th moment has the variance (m_2k - m_k^2)/n; five of its deviations are passed once in two
// million.
TEST(NormalNumber, HasTheMomentsOfANormalDistribution) {
  for (const std::uint64_t seed : {0u, 1u, 12345u}) {
    const std::vector<double> x = numbers(seed, 0, 100000);
    const double root = std::sqrt(1e5);
    EXPECT_NEAR(moment(x, 1), 0, 5 * 1 / root);
    EXPECT_NEAR(moment(x, 2), 1, 5 * std::sqrt(2.0) / root);
    EXPECT_NEAR(moment(x, 3), 0, 5 * std::sqrt(15.0) / root);
    EXPECT_NEAR(moment(x, 4), 3, 5 * std::sqrt(96.0) / root);
  }
}

TEST(NormalNumber, FallsBelowEveryLevelAsOftenAsItShould) {
  std::vector<double> x = numbers(99, 0, 100000);
  std::ranges::sort(x);
  double distance = 0;  // Kolmogorov's
  for (std::size_t k = 0; k < x.size(); ++k) {
    const double expected = std::erfc(-x[k] / std::sqrt(2.0)) / 2;
    distance = std::max(distance, std::abs(expected - static_cast<double>(k) / 1e5));
  }
  EXPECT_LT(distance * std::sqrt(1e5), 2.3);  // exceeded once in 20000
}

TEST(NormalNumber, IsNotRelatedToItsNeighbours) {
  const std::vector<double> x = numbers(7, 0, 100000), other = numbers(8, 0, 100000);
  for (const std::size_t lag : {1u, 2u, 3u}) {
    double sum = 0;
    for (std::size_t k = 0; k + lag < x.size(); ++k) sum += x[k] * x[k + lag];
    EXPECT_NEAR(sum / 1e5, 0, 5 / std::sqrt(1e5)) << lag;
  }
  double sum = 0;
  for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * other[k];
  EXPECT_NEAR(sum / 1e5, 0, 5 / std::sqrt(1e5)) << "neighbouring seeds";
}

TEST(NormalNumber, DependsOnEveryBitOfItsSeedAndItsNumber) {
  const double reference = normal_number(0, 0);
  for (int bit = 0; bit < 64; ++bit) {
    EXPECT_NE(normal_number(std::uint64_t{1} << bit, 0), reference) << bit;
    EXPECT_NE(normal_number(0, std::uint64_t{1} << bit), reference) << bit;
  }
}

TEST(NormalNumber, DoesNotDependOnWhatWasDrawnBefore) {
  const std::vector<double> later = numbers(3, 1000, 10);
  const std::vector<double> all = numbers(3, 0, 1010);
  EXPECT_TRUE(std::equal(later.begin(), later.end(), all.begin() + 1000));
}

}  // namespace
}  // namespace gyrostat
