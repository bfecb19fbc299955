#include "gyrostat/math/jet.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace gyrostat {
namespace jet_test {

/// Two functions of time with given value, rate and acceleration at t = 0.
struct Arguments {
  Jet x, y;
};

/// f on jets against central differences of `exact`, the same function on long doubles, along parabolas.
template <class OnJet, class Exact>
void expect_derivatives(const char* what, OnJet f, Exact exact, const Arguments& at) {
  const auto along = [](const Jet& a, long double t) {
    return a.value + t * (static_cast<long double>(a.rate) + t * static_cast<long double>(a.acceleration) / 2);
  };
  const auto value = [&](long double t) -> long double { return exact(along(at.x, t), along(at.y, t)); };
  const long double h = 1e-4L;  // differences of the fourth order
  const long double near = value(h) - value(-h), far = value(2 * h) - value(-2 * h);
  const long double near_2 = value(h) + value(-h) - 2 * value(0), far_2 = value(2 * h) + value(-2 * h) - 2 * value(0);
  const double rate = static_cast<double>((8 * near - far) / (12 * h));
  const double acceleration = static_cast<double>((16 * near_2 - far_2) / (12 * h * h));
  const Jet result = f(at.x, at.y);
  const double expected = static_cast<double>(value(0));
  SCOPED_TRACE(what);
  SCOPED_TRACE(at.x.value);
  SCOPED_TRACE(at.y.value);
  EXPECT_NEAR(result.value, expected, 4e-15 * (1 + std::abs(expected)));
  EXPECT_NEAR(result.rate, rate, 1e-8 * (1 + std::abs(rate)));
  EXPECT_NEAR(result.acceleration, acceleration, 1e-7 * (1 + std::abs(rate) + std::abs(acceleration)));
}

// The same text on jets and on long doubles.
#define EXPECT_RATES(text)                                                                             \
  expect_derivatives(                                                                                  \
      #text, []([[maybe_unused]] const Jet& x, [[maybe_unused]] const Jet& y) -> Jet { return text; }, \
      []([[maybe_unused]] long double x, [[maybe_unused]] long double y) -> long double {              \
        using std::acos, std::asin, std::atan, std::atan2, std::cos, std::exp;                         \
        using std::log, std::pow, std::sin, std::sqrt, std::tan;                                       \
        return text;                                                                                   \
      },                                                                                               \
      at)

class RandomJets {
 public:
  explicit RandomJets(unsigned seed) : random_(seed) {}
  double number(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }
  Jet operator()(double low, double high) { return {number(low, high), number(-2, 2), number(-2, 2)}; }

 private:
  std::mt19937_64 random_;
};

TEST(Jet, ArithmeticHasTheDerivativesOfFiniteDifferences) {
  RandomJets between(1);
  for (int i = 0; i < 100; ++i) {
    const Arguments at{between(-3, 3), i % 2 == 0 ? between(0.3, 3) : between(-3, -0.3)};
    EXPECT_RATES(x + y);
    EXPECT_RATES(x - y);
    EXPECT_RATES(-x);
    EXPECT_RATES(x * y);
    EXPECT_RATES(x / y);
    EXPECT_RATES(3.0 / y);
    EXPECT_RATES(x / 3.0);
    EXPECT_RATES(2.0 * x - y * 0.5 + 1.0);
    EXPECT_RATES(x * x * y - y / (x * x + y * y));
  }
}

TEST(Jet, FunctionsHaveTheDerivativesOfFiniteDifferences) {
  RandomJets between(2);
  for (int i = 0; i < 100; ++i) {
    const Arguments at{between(-1.3, 1.3), between(-1.3, 1.3)};
    EXPECT_RATES(sin(x));
    EXPECT_RATES(cos(x));
    EXPECT_RATES(tan(x));
    EXPECT_RATES(atan(x));
    EXPECT_RATES(exp(x));
    EXPECT_RATES(sin(x * y) + cos(x - y) * exp(y));
  }
  for (int i = 0; i < 100; ++i) {
    const Arguments at{between(-0.9, 0.9), between(-0.9, 0.9)};
    EXPECT_RATES(asin(x));
    EXPECT_RATES(acos(x));
    EXPECT_RATES(asin(x) * acos(y));
  }
  for (int i = 0; i < 100; ++i) {
    const Arguments at{between(0.2, 4), between(0.2, 4)};
    EXPECT_RATES(sqrt(x));
    EXPECT_RATES(log(x));
    EXPECT_RATES(log(sqrt(x) * y));
  }
}

TEST(Jet, Atan2HasTheDerivativesOfFiniteDifferencesInEveryQuadrant) {
  RandomJets between(3);
  for (int i = 0; i < 100; ++i) {
    const double sx = i % 2 == 0 ? 1 : -1, sy = i % 4 < 2 ? 1 : -1;
    Arguments at{between(0.3, 2), between(0.3, 2)};
    at.x = Jet(sx) * at.x;
    at.y = Jet(sy) * at.y;
    EXPECT_RATES(atan2(y, x));
    EXPECT_RATES(atan2(x * y, x - y));
  }
}

TEST(Jet, PowersHaveTheDerivativesOfFiniteDifferences) {
  RandomJets between(4);
  for (int i = 0; i < 100; ++i) {
    const Arguments at{between(0.3, 3), between(-2, 2)};
    EXPECT_RATES(pow(x, y));
    EXPECT_RATES(pow(x, 2.5));
    EXPECT_RATES(pow(x, -1.5));
    EXPECT_RATES(pow(x, 0.0));
    EXPECT_RATES(pow(x, 1.0));
    EXPECT_RATES(pow(2.0, y));
  }
  for (int i = 0; i < 50; ++i) {
    const Arguments at{between(-3, -0.3), between(-2, 2)};
    EXPECT_RATES(pow(x, 3.0));
    EXPECT_RATES(pow(x, -2.0));
  }
}

TEST(Jet, PowersAtZeroHaveTheirDerivatives) {
  const Jet t = Jet::time(0);
  const auto expect = [](const Jet& found, double value, double rate, double acceleration) {
    EXPECT_EQ(found.value, value);
    EXPECT_EQ(found.rate, rate);
    EXPECT_EQ(found.acceleration, acceleration);
  };
  expect(pow(t, 0), 1, 0, 0);
  expect(pow(t, 1), 0, 1, 0);
  expect(pow(t, 2), 0, 0, 2);
  expect(pow(t, 3), 0, 0, 0);
  expect(pow(t, 2.5), 0, 0, 0);
  expect(t * t, 0, 0, 2);
  EXPECT_TRUE(std::isinf(pow(t, 1.5).acceleration));
  EXPECT_TRUE(std::isinf(sqrt(t).rate));
}

TEST(Jet, TablesHaveTheDerivativesOfFiniteDifferences) {
  const std::vector<double> x = {-2, -1, 0.5, 1, 3}, y = {1, -1, 2, 2.5, 0};
  RandomJets between(5);
  for (const Interpolation interpolation : {Interpolation::linear, Interpolation::cubic}) {
    for (const Outside outside : {Outside::hold, Outside::extend}) {
      const Table table(x, y, interpolation, outside);
      for (int i = 0; i < 200; ++i) {
        const Jet at = between(-3, 4);
        const double h = 1e-3;
        bool near_a_knot = false;
        for (const double knot : x) near_a_knot = near_a_knot || std::abs(at.value - knot) < 4 * h;
        if (near_a_knot) continue;
        const auto value = [&](double t) { return table.at(at.value + t * (at.rate + t * at.acceleration / 2)).value; };
        const double near = value(h) - value(-h), far = value(2 * h) - value(-2 * h);
        const double near_2 = value(h) + value(-h) - 2 * value(0), far_2 = value(2 * h) + value(-2 * h) - 2 * value(0);
        const Jet found = lookup(table, at);
        EXPECT_EQ(found.value, value(0));
        EXPECT_NEAR(found.rate, (8 * near - far) / (12 * h), 1e-8) << at.value;
        EXPECT_NEAR(found.acceleration, (16 * near_2 - far_2) / (12 * h * h), 1e-5) << at.value;
      }
    }
  }
}

TEST(Jet, ATableOfACubicHasItsSecondDerivativeEverywhere) {
  const Table table({-1, 0, 1, 2}, {-1, 0, 1, 8}, Interpolation::cubic, Outside::extend);
  for (const double x : {-2.0, -1.0, -0.3, 0.0, 0.5, 1.0, 2.0, 3.0}) {
    const Jet found = lookup(table, {x, 1, 0});
    EXPECT_NEAR(found.value, x * x * x, 1e-12);
    EXPECT_NEAR(found.rate, 3 * x * x, 1e-12);
    EXPECT_NEAR(found.acceleration, 6 * x, 1e-12);
  }
}

TEST(Jet, ANumberIsConstantInTime) {
  const Jet a = 3;
  EXPECT_EQ(a.value, 3);
  EXPECT_EQ(a.rate, 0);
  EXPECT_EQ(a.acceleration, 0);
}

TEST(Jet, TimePassesAtTheRateOfOne) {
  const Jet t = Jet::time(5);
  EXPECT_EQ(t.value, 5);
  EXPECT_EQ(t.rate, 1);
  EXPECT_EQ(t.acceleration, 0);
}

TEST(Jet, WhatIsConstantStaysConstantWhereTheSlopeIsInfinite) {
  for (const Jet& found : {sqrt(Jet(0)), asin(Jet(1)), acos(Jet(-1)), log(Jet(0)), pow(Jet(0), Jet(0.5)),
                           atan2(Jet(0), Jet(0)), pow(Jet(0), Jet(-1)), Jet(1) / Jet(0)}) {
    EXPECT_EQ(found.rate, 0);
    EXPECT_EQ(found.acceleration, 0);
  }
}

TEST(Jet, ComparesByItsValueAlone) {
  const Jet a(1, 5, 5);
  EXPECT_TRUE(a < 2.0);
  EXPECT_FALSE(a < 1.0);
  EXPECT_TRUE(a > 0.0);
  EXPECT_FALSE(a > 1.0);
  EXPECT_TRUE(a >= 1.0);
  EXPECT_FALSE(a >= 1.5);
  EXPECT_TRUE(a == 1.0);
  EXPECT_FALSE(a == 5.0);
}

TEST(Jet, AChoiceTakesAllOfOneBranch) {
  const Jet yes(1, 2, 3), no(4, 5, 6);
  EXPECT_EQ(select(true, yes, no).acceleration, 3);
  EXPECT_EQ(select(false, yes, no).acceleration, 6);
  EXPECT_EQ(select(false, yes, no).rate, 5);
}

}  // namespace jet_test
}  // namespace gyrostat
