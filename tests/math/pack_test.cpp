#include "gyrostat/math/pack.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

#include <gtest/gtest.h>

#include "gyrostat/math/dual.h"

namespace gyrostat {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Equal to the last bit; any not-a-number equals any other.
bool same(double a, double b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

/// Ordinary numbers, with zeros, infinities and worse among them.
double random_number(std::mt19937_64& random) {
  static constexpr double special[] = {0.0, -0.0, 1, -1, infinity, -infinity, 1e308, -1e-308, 5e-324};
  const auto kind = random() % 24;
  if (kind < std::size(special)) return special[kind];
  if (kind == std::size(special)) return std::nan("");
  return std::uniform_real_distribution<double>(-2, 2)(random);
}

template <std::size_t N>
Pack<N> random_pack(std::mt19937_64& random) {
  Pack<N> x;
  for (std::size_t i = 0; i < N; ++i) x[i] = random_number(random);
  return x;
}

/// Each lane of f(x, y) is what f makes of the numbers in that lane, and stays so when the other lanes hold rubbish.
template <std::size_t N, class OnPack, class OnDouble>
void expect_lanes_of(const char* what, OnPack on_pack, OnDouble on_double) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 200; ++i) {
    const Pack<N> x = random_pack<N>(random), y = random_pack<N>(random), z = on_pack(x, y);
    for (std::size_t lane = 0; lane < N; ++lane) {
      ASSERT_TRUE(same(z[lane], on_double(x[lane], y[lane])))
          << what << " of " << x[lane] << ", " << y[lane] << ": " << z[lane];
      for (const double rubbish : {std::nan(""), infinity, -infinity}) {
        Pack<N> alone_x = rubbish, alone_y = -rubbish;
        alone_x[lane] = x[lane];
        alone_y[lane] = y[lane];
        ASSERT_TRUE(same(on_pack(alone_x, alone_y)[lane], z[lane])) << what << " beside " << rubbish;
      }
    }
  }
}

template <class OnPack, class OnDouble>
void expect_lanes(const char* what, OnPack on_pack, OnDouble on_double) {
  expect_lanes_of<2>(what, on_pack, on_double);
  expect_lanes_of<4>(what, on_pack, on_double);
  expect_lanes_of<8>(what, on_pack, on_double);
}

const Table& table() {
  static const Table t({-1, 0, 0.5, 1.5}, {1, 3, -2, 0}, Interpolation::cubic, Outside::error);
  return t;
}

#define EXPECT_LANES(text)                                                                        \
  expect_lanes(                                                                                   \
      #text, []([[maybe_unused]] const auto& x, [[maybe_unused]] const auto& y) { return text; }, \
      []([[maybe_unused]] double x, [[maybe_unused]] double y) -> double {                        \
        using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::exp;          \
        using std::log, std::max, std::min, std::pow, std::sin, std::sqrt, std::tan;              \
        return text;                                                                              \
      })

TEST(Pack, ArithmeticIsThatOfEachLane) {
  EXPECT_LANES(x + y);
  EXPECT_LANES(x - y);
  EXPECT_LANES(-x);
  EXPECT_LANES(x * y);
  EXPECT_LANES(x / y);
}

TEST(Pack, ArithmeticWithANumberUsesItInEveryLane) {
  EXPECT_LANES(x + 0.1);
  EXPECT_LANES(2.5 - y);
  EXPECT_LANES(3.0 * y);
  EXPECT_LANES(x / 7.0);
}

TEST(Pack, FunctionsAreThoseOfEachLane) {
  EXPECT_LANES(tan(x));
  EXPECT_LANES(asin(x));
  EXPECT_LANES(acos(x));
  EXPECT_LANES(sqrt(x));
  EXPECT_LANES(exp(x));
  EXPECT_LANES(log(x));
  EXPECT_LANES(pow(x, y));
  EXPECT_LANES(lookup(table(), x));
  EXPECT_LANES(lookup(table(), x, 1));
  EXPECT_LANES(abs(x));
  EXPECT_LANES(min(x, y));
  EXPECT_LANES(max(x, y));
}

/// In units of the last place; where it is not a number or infinite both are to be the same.
double distance_in_ulp(double a, long double exact) {
  const auto b = static_cast<double>(exact);
  if (!std::isfinite(b)) return same(a, b) ? 0 : infinity;
  if (b == 0) return a == 0 ? 0 : infinity;
  int exponent = 0;
  std::frexp(b, &exponent);
  const long double unit = std::ldexp(1.0L, std::max(exponent, -1021) - 53);
  return static_cast<double>(std::abs(static_cast<long double>(a) - exact) / unit);
}

/// Of what packs compute by a text of their own: f(x, y) is within some units of the last place, whatever the other
/// lanes hold.
template <std::size_t N, class OnPack, class Exact>
void expect_accurate_lanes(const char* what, OnPack on_pack, Exact exact) {
  if (std::numeric_limits<long double>::digits < 64) GTEST_SKIP() << "no arithmetic with more digits here";
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> exponent(-40, 12), near(-1e-6, 1e-6);
  for (int i = 0; i < 20000; ++i) {
    Pack<N> x = random_pack<N>(random), y = random_pack<N>(random);
    if (i % 3 == 1) x = x * Pack<N>(std::exp(exponent(random)));
    if (i % 5 == 1) y = x * Pack<N>((i % 2 == 0 ? 1.0 : std::sqrt(2.0) - 1) * (1 + near(random)));
    const Pack<N> z = on_pack(x, y);
    for (std::size_t lane = 0; lane < N; ++lane) {
      ASSERT_LT(distance_in_ulp(z[lane], exact(static_cast<long double>(x[lane]), static_cast<long double>(y[lane]))),
                3)
          << what << " of " << std::hexfloat << x[lane] << ", " << y[lane] << ": " << z[lane];
      for (const double rubbish : {std::nan(""), infinity, 0.3}) {
        Pack<N> alone_x = rubbish, alone_y = -rubbish;
        alone_x[lane] = x[lane];
        alone_y[lane] = y[lane];
        ASSERT_TRUE(same(on_pack(alone_x, alone_y)[lane], z[lane])) << what << " beside " << rubbish;
      }
    }
  }
}

#define EXPECT_ACCURATE(text)                                                                \
  {                                                                                          \
    const auto on_pack = [](const auto& x, [[maybe_unused]] const auto& y) { return text; }; \
    const auto exact = [](long double x, [[maybe_unused]] long double y) -> long double {    \
      using std::sin, std::cos, std::atan, std::atan2;                                       \
      return text;                                                                           \
    };                                                                                       \
    expect_accurate_lanes<2>(#text, on_pack, exact);                                         \
    expect_accurate_lanes<4>(#text, on_pack, exact);                                         \
    expect_accurate_lanes<8>(#text, on_pack, exact);                                         \
  }

TEST(Pack, CircularFunctionsAreAccurateInEachLane) {
  EXPECT_ACCURATE(sin(x));
  EXPECT_ACCURATE(cos(x));
  EXPECT_ACCURATE(atan(x));
  EXPECT_ACCURATE(atan2(x, y));
}

TEST(Pack, AnglesOfPointsOnTheAxesAreThoseOfC) {
  for (const double x : {0.0, -0.0, 2.0, -2.0, infinity, -infinity}) {
    for (const double y : {0.0, -0.0, 2.0, -2.0, infinity, -infinity}) {
      EXPECT_TRUE(same(atan2(Pack<4>(y), Pack<4>(x))[1], std::atan2(y, x))) << y << " " << x;
    }
  }
}

TEST(Pack, EachLaneChoosesForItself) {
  EXPECT_LANES(select(x < 0.0, x, y));
  EXPECT_LANES(select(x > 0.0, x, y));
  EXPECT_LANES(select(x >= 0.0, x, y));
  EXPECT_LANES(select(x == 0.0, x, y));
  EXPECT_LANES(select(x < 0.5, y, x + y));
  EXPECT_LANES(select(x < y, x, y));
  EXPECT_LANES(select(x <= y, x, y));
  EXPECT_LANES(select(x > y, x, y));
  EXPECT_LANES(select(x >= y, x, y));
  EXPECT_LANES(select(x == y, 1.0 + x, y));
  EXPECT_LANES(select(x != y, 1.0 + x, y));
}

TEST(Pack, OutcomesAreCombinedLaneByLane) {
  EXPECT_LANES(select((x < 0.0) & (y < 0.0), x, y));
  EXPECT_LANES(select((x < 0.0) | (y < 0.0), x, y));
  EXPECT_LANES(select(!(x < 0.0), x, y));
  Pack<4>::Mask mask(true);
  EXPECT_TRUE(all(mask));
  mask.set(2, false);
  EXPECT_TRUE(mask[1]);
  EXPECT_FALSE(mask[2]);
  EXPECT_FALSE(all(mask));
}

TEST(Pack, OneConditionMayChooseForAllLanes) {
  EXPECT_LANES(select(true, x, y));
  EXPECT_LANES(select(false, x, y));
}

TEST(Pack, ANumberFillsEveryLaneToTheLastBit) {
  for (const double value : {0.0, -0.0, 1.5, -1e-300, 5e-324, infinity, -infinity, std::nan("")}) {
    const Pack<8> p = value;
    for (std::size_t lane = 0; lane < 8; ++lane) EXPECT_TRUE(same(p[lane], value)) << value;
  }
}

TEST(Pack, StartsAtZeroAndLanesAreWrittenOneByOne) {
  Pack<4> p;
  p[3] = 7;
  for (std::size_t lane = 0; lane < 4; ++lane) EXPECT_EQ(p[lane], lane == 3 ? 7 : 0);
}

}  // namespace
}  // namespace gyrostat
