#include "gyrostat/math/dual.h"

#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace gyrostat {
namespace {

using D = Dual<2>;

/// f on dual numbers against central differences of `exact`, the same function on long doubles, at (x, y).
template <class OnDual, class Exact>
void expect_derivatives(const char* what, OnDual f, Exact exact, double x, double y) {
  const D result = f(D::variable(x, 0), D::variable(y, 1));
  const long double X = x, Y = y, h = 1e-6L;
  const double by_x = static_cast<double>((exact(X + h, Y) - exact(X - h, Y)) / (2 * h));
  const double by_y = static_cast<double>((exact(X, Y + h) - exact(X, Y - h)) / (2 * h));
  const double value = static_cast<double>(exact(X, Y));
  EXPECT_NEAR(result.value, value, 4e-15 * (1 + std::abs(value))) << what << " at " << x << ", " << y;
  EXPECT_NEAR(result.d[0], by_x, 1e-8 * (1 + std::abs(by_x))) << what << " by x at " << x << ", " << y;
  EXPECT_NEAR(result.d[1], by_y, 1e-8 * (1 + std::abs(by_y))) << what << " by y at " << x << ", " << y;
}

// The same text on dual numbers and on long doubles; the derivative of each argument enters through a product.
#define EXPECT_DERIVATIVES(text)                                               \
  expect_derivatives(                                                          \
      #text, [](const D& x, const D& y) { return text; },                      \
      [](long double x, long double y) -> long double {                        \
        using std::acos, std::asin, std::atan, std::atan2, std::cos, std::exp; \
        using std::log, std::pow, std::sin, std::sqrt, std::tan;               \
        return text;                                                           \
      },                                                                       \
      x0, y0)

class RandomArguments {
 public:
  explicit RandomArguments(unsigned seed) : random_(seed) {}
  double operator()(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

 private:
  std::mt19937_64 random_;
};

TEST(Dual, ArithmeticHasTheDerivativesOfFiniteDifferences) {
  RandomArguments between(1);
  for (int i = 0; i < 200; ++i) {
    const double x0 = between(-3, 3), y0 = between(0.3, 3) * (i % 2 == 0 ? 1 : -1);
    EXPECT_DERIVATIVES(x + y);
    EXPECT_DERIVATIVES(x - y);
    EXPECT_DERIVATIVES(-(x * y));
    EXPECT_DERIVATIVES(x * y);
    EXPECT_DERIVATIVES(x / y);
    EXPECT_DERIVATIVES(x * x * y - y / (x * x + y * y));
  }
}

TEST(Dual, FunctionsHaveTheDerivativesOfFiniteDifferences) {
  RandomArguments between(2);
  for (int i = 0; i < 200; ++i) {
    const double x0 = between(-1.4, 1.4), y0 = between(-1.2, 1.2);
    EXPECT_DERIVATIVES(sin(x * y));
    EXPECT_DERIVATIVES(cos(x - y));
    EXPECT_DERIVATIVES(tan(x * y));
    EXPECT_DERIVATIVES(atan(x * y));
    EXPECT_DERIVATIVES(exp(x + y * y));
  }
  for (int i = 0; i < 200; ++i) {
    const double x0 = between(-0.9, 0.9), y0 = between(0.1, 0.9);
    EXPECT_DERIVATIVES(asin(x * y));
    EXPECT_DERIVATIVES(acos(x * y));
  }
  for (int i = 0; i < 200; ++i) {
    const double x0 = between(0.2, 4), y0 = between(0.2, 4);
    EXPECT_DERIVATIVES(sqrt(x * y));
    EXPECT_DERIVATIVES(log(x * y));
  }
}

TEST(Dual, TheArcTangentOfTwoHasItsDerivativesInAllQuadrants) {
  RandomArguments between(3);
  for (int i = 0; i < 200; ++i) {
    const double x0 = between(0.2, 3) * (i % 2 == 0 ? 1 : -1), y0 = between(0.2, 3) * (i % 4 < 2 ? 1 : -1);
    EXPECT_DERIVATIVES(atan2(x, y));
    EXPECT_DERIVATIVES(atan2(x * y, x + y * y + x * x));
  }
}

TEST(Dual, PowersHaveTheirDerivativesByBaseAndExponent) {
  RandomArguments between(4);
  for (int i = 0; i < 200; ++i) {
    const double x0 = between(0.2, 3), y0 = between(-3, 3);
    EXPECT_DERIVATIVES(pow(x, y));
    EXPECT_DERIVATIVES(pow(x * x, y * x));
  }
}

TEST(Dual, WholePowersOfNegativeAndZeroBasesHaveTheirDerivativeByTheBase) {
  for (const double exponent : {-3.0, -2.0, -1.0, 1.0, 2.0, 3.0, 4.0}) {
    const D y = pow(D::variable(-1.7, 0), D(exponent));
    EXPECT_DOUBLE_EQ(y.value, std::pow(-1.7, exponent));
    EXPECT_DOUBLE_EQ(y.d[0], exponent * std::pow(-1.7, exponent - 1));
    EXPECT_EQ(y.d[1], 0);
  }
  EXPECT_EQ(pow(D::variable(0, 0), D(1)).d[0], 1);
  EXPECT_EQ(pow(D::variable(0, 0), D(2)).d[0], 0);
  EXPECT_EQ(pow(D::variable(0, 0), D(0)).value, 1);
  EXPECT_EQ(pow(D::variable(0, 0), D(0)).d[0], 0);
}

TEST(Dual, ANumberIsADualNumberWithoutDerivatives) {
  const D x = 3;
  EXPECT_EQ(x.value, 3);
  EXPECT_EQ(x.d[0], 0);
  EXPECT_EQ(x.d[1], 0);
  const D y = D::variable(5, 1);
  EXPECT_EQ(y.value, 5);
  EXPECT_EQ(y.d[0], 0);
  EXPECT_EQ(y.d[1], 1);
}

TEST(Dual, SelectTakesValueAndDerivativesOfOneSide) {
  const D yes = D::variable(1, 0), no = D::variable(2, 1);
  EXPECT_EQ(select(true, yes, no).value, 1);
  EXPECT_EQ(select(true, yes, no).d[0], 1);
  EXPECT_EQ(select(true, yes, no).d[1], 0);
  EXPECT_EQ(select(false, yes, no).value, 2);
  EXPECT_EQ(select(false, yes, no).d[0], 0);
  EXPECT_EQ(select(false, yes, no).d[1], 1);
  EXPECT_EQ(select(true, 1.0, 2.0), 1);
  EXPECT_EQ(select(false, 1.0, 2.0), 2);
}

TEST(Dual, SelectIsNotSpoiledByTheSideNotTaken) {
  const D bad = log(D::variable(-1, 0)) / D(0);
  EXPECT_EQ(select(true, D::variable(1, 0), bad).d[0], 1);
}

TEST(Dual, ComparisonsLookAtTheValueOnly) {
  D x = D::variable(1, 0);
  x.d = {-100, 100};
  EXPECT_TRUE(x < 2.0);
  EXPECT_FALSE(x < 1.0);
  EXPECT_TRUE(x > 0.0);
  EXPECT_FALSE(x > 1.0);
  EXPECT_TRUE(x >= 1.0);
  EXPECT_FALSE(x >= 1.5);
  EXPECT_TRUE(x == 1.0);
  EXPECT_FALSE(x == 1.5);
}

TEST(Dual, ATableHasItsSlope) {
  const Table table({0, 1, 2, 4}, {1, -1, 3, 0}, Interpolation::cubic, Outside::hold);
  for (const double x : {0.1, 0.7, 1.3, 2.2, 3.9}) {
    const double h = 1e-5;
    const D y = lookup(table, D::variable(x, 0) * D::variable(2, 1));  // at 2x
    const double slope = (table.at(2 * x + h).value - table.at(2 * x - h).value) / (2 * h);
    EXPECT_EQ(y.value, table.at(2 * x).value);
    EXPECT_EQ(lookup(table, 2 * x), y.value);
    EXPECT_NEAR(y.d[0], 2 * slope, 1e-7);
    EXPECT_NEAR(y.d[1], x * slope, 1e-7);
  }
}

TEST(Dual, TheDerivativeByAVariableThatDoesNotEnterIsZeroEvenWhereTheSlopeIsInfinite) {
  const D zero = 0, one = 1;
  for (const D& y : {sqrt(zero), asin(one), acos(one), pow(zero, D(0.5))}) {
    EXPECT_EQ(y.d[0], 0);
    EXPECT_EQ(y.d[1], 0);
  }
}

TEST(Dual, ValuesAreThoseOfNumbersWithTheSignsOfZeros) {
  const D x = D::variable(-1.75, 0), none = D::variable(-0.0, 1), huge = D::variable(1e300, 1);
  EXPECT_TRUE(std::signbit((none / x * -1.0).value) == std::signbit(-0.0 / -1.75 * -1.0));
  EXPECT_TRUE(std::signbit((x / (huge * huge)).value)) << "-1.75 / infinity is -0";
  EXPECT_TRUE(std::signbit(pow(none, D(3)).value)) << "(-0)^3 is -0";
  EXPECT_FALSE(std::signbit((none / x).value));
  EXPECT_EQ((D(1) / (x / (huge * huge))).value, -std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace gyrostat
