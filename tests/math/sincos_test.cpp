// Sine and cosine against the C library's with more digits.
#include "gyrostat/math/sincos.h"

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <numbers>
#include <random>

#include <gtest/gtest.h>

namespace gyrostat {
namespace sincos_test {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr long double half_pi = std::numbers::pi_v<long double> / 2;

/// Bounds in units in the last place. Beyond a thousand the third part of pi/2 reaches the last place of the reduced
/// angle and rounds it once more.
double bound(double x) { return std::abs(x) < 1000 ? 2 : 3; }

/// The distance of a from b in units of the last place that b has as a double.
double error_in_ulp(double a, long double b) {
  int exponent = 0;
  std::frexp(static_cast<double>(b), &exponent);
  return static_cast<double>(std::abs(static_cast<long double>(a) - b) * std::ldexp(1.0L, 53 - exponent));
}

double worst_error(double x) {
  const SinCos<double> y = sincos(x);
  const auto exact = static_cast<long double>(x);
  return std::max(error_in_ulp(y.sin, std::sin(exact)), error_in_ulp(y.cos, std::cos(exact)));
}

bool same_bits(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

class SinCosAccuracy : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "no arithmetic with more digits here";
  }
};

TEST_F(SinCosAccuracy, IsAFewUnitsInTheLastPlaceOverDenseRanges) {
  std::mt19937_64 random(1);
  for (const double range : {1e-8, 1e-3, 0.8, 3.2, 10.0, 1e2, 1e3, 1e4, 1e5, 1e6}) {
    std::uniform_real_distribution<double> angle(-range, range);
    for (int i = 0; i < 100000; ++i) {
      const double x = angle(random);
      ASSERT_LT(worst_error(x), bound(x)) << std::hexfloat << x;
    }
  }
}

TEST_F(SinCosAccuracy, HoldsNearMultiplesOfHalfPi) {
  for (std::int64_t k = 0; k * half_pi < 1e6L; k += k < 1000 ? 1 : 7) {
    double x = static_cast<double>(static_cast<long double>(k) * half_pi);
    for (const double step : {0.0, infinity, infinity, -infinity, -infinity, -infinity, -infinity}) {
      if (step != 0) x = std::nextafter(x, step);
      if (!(std::abs(x) < largest_reduced_angle)) continue;
      ASSERT_LT(worst_error(x), bound(x)) << std::hexfloat << x;
      ASSERT_LT(worst_error(-x), bound(x)) << std::hexfloat << -x;
    }
  }
}

TEST_F(SinCosAccuracy, HoldsWhereQuadrantsMeet) {
  for (std::int64_t k = 1; k * half_pi / 2 < 1e6L; k += k < 2000 ? 2 : 26) {
    double x = static_cast<double>(static_cast<long double>(k) * half_pi / 2);
    for (int i = 0; i < 4; ++i, x = std::nextafter(x, i % 2 == 0 ? infinity : -infinity)) {
      if (!(std::abs(x) < largest_reduced_angle)) continue;
      ASSERT_LT(worst_error(x), bound(x)) << std::hexfloat << x;
      ASSERT_LT(worst_error(-x), bound(x)) << std::hexfloat << -x;
    }
  }
}

TEST_F(SinCosAccuracy, IsKeptBeyondTheLargestReducedAngle) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> exponent(6, 300);
  for (int i = 0; i < 20000; ++i) {
    const double x = (i % 2 == 0 ? 1 : -1) * std::pow(10.0, exponent(random));
    ASSERT_LT(worst_error(x), bound(x)) << std::hexfloat << x;
  }
  for (const double x : {1e6, -1e6, std::nextafter(1e6, 0.0), std::nextafter(1e6, infinity)}) {
    EXPECT_LT(worst_error(x), bound(x)) << std::hexfloat << x;
  }
}

TEST(SinCos, OfZeroAndOfTinyAnglesIsExact) {
  EXPECT_EQ(sincos(0.0).sin, 0);
  EXPECT_EQ(sincos(0.0).cos, 1);
  for (const double x : {1e-9, -1e-9, 1e-150, 1e-300, 5e-324, -5e-324}) {
    EXPECT_EQ(sincos(x).sin, x);
    EXPECT_EQ(sincos(x).cos, 1);
  }
}

TEST(SinCos, OfNoAngleIsNotANumber) {
  for (const double x : {infinity, -infinity, std::nan("")}) {
    EXPECT_TRUE(std::isnan(sincos(x).sin));
    EXPECT_TRUE(std::isnan(sincos(x).cos));
    const SinCos<Pack<4>> y = sincos(Pack<4>(x));
    for (std::size_t lane = 0; lane < 4; ++lane) {
      EXPECT_TRUE(std::isnan(y.sin[lane]) && std::isnan(y.cos[lane]));
    }
  }
}

TEST(SinCos, IsOddAndEven) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> angle(0, 100);
  for (int i = 0; i < 10000; ++i) {
    const double x = angle(random);
    ASSERT_EQ(sincos(-x).sin, -sincos(x).sin) << std::hexfloat << x;
    ASSERT_EQ(sincos(-x).cos, sincos(x).cos) << std::hexfloat << x;
  }
}

template <std::size_t N>
void expect_each_to_the_last_bit() {
  std::mt19937_64 random(4);
  for (int i = 0; i < 50000; ++i) {
    Pack<N> x;
    const double range = std::array{1.0, 10.0, 1e3, 9.9e5}[random() % 4];
    std::uniform_real_distribution<double> angle(-range, range);
    for (std::size_t lane = 0; lane < N; ++lane) {
      x[lane] = angle(random);
      if (random() % 8 == 0) x[lane] = static_cast<double>(half_pi / 2) * static_cast<double>(random() % 100);
      if (i % 50 == 0 && random() % 8 == 0) x[lane] = std::array{1e6, -3e9, infinity, std::nan("")}[random() % 4];
    }
    const SinCos<Pack<N>> y = sincos(x);
    for (std::size_t lane = 0; lane < N; ++lane) {
      const SinCos<double> one = sincos(x[lane]);
      ASSERT_TRUE(same_bits(y.sin[lane], one.sin)) << std::hexfloat << x[lane];
      ASSERT_TRUE(same_bits(y.cos[lane], one.cos)) << std::hexfloat << x[lane];
    }
  }
}

TEST(SinCos, OfAPackIsThatOfEachToTheLastBit) {
  expect_each_to_the_last_bit<2>();
  expect_each_to_the_last_bit<4>();
  expect_each_to_the_last_bit<8>();
}

TEST(SinCos, OfADualNumberHasTheDerivativesOfSineAndCosine) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> angle(-10, 10);
  for (int i = 0; i < 1000; ++i) {
    Dual<2> x(i % 100 == 0 ? 2e6 + i : angle(random));
    x.d = {angle(random), angle(random)};
    const SinCos<Dual<2>> y = sincos(x);
    const SinCos<double> plain = sincos(x.value);
    ASSERT_EQ(y.sin.value, plain.sin);
    ASSERT_EQ(y.cos.value, plain.cos);
    for (std::size_t k = 0; k < 2; ++k) {
      ASSERT_NEAR(y.sin.d[k], x.d[k] * std::cos(x.value), 1e-14);
      ASSERT_NEAR(y.cos.d[k], -x.d[k] * std::sin(x.value), 1e-14);
    }
  }
}

}  // namespace sincos_test
}  // namespace gyrostat
