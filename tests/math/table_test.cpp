#include "gyrostat/math/table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace gyrostat {
namespace {

std::vector<double> random_knots(std::mt19937_64& random, int count) {
  std::uniform_real_distribution<double> gap(0.2, 1.5), start(-3, 3);
  std::vector<double> x{start(random)};
  while (static_cast<int>(x.size()) < count) x.push_back(x.back() + gap(random));
  return x;
}

std::vector<double> random_values(std::mt19937_64& random, std::size_t count) {
  std::normal_distribution<double> normal;
  std::vector<double> y;
  while (y.size() < count) y.push_back(normal(random));
  return y;
}

struct Polynomial {
  std::array<double, 4> c{};
  double operator()(double x) const { return c[0] + x * (c[1] + x * (c[2] + x * c[3])); }
  [[nodiscard]] double slope(double x) const { return c[1] + x * (2 * c[2] + x * 3 * c[3]); }
};

std::vector<double> values_of(const Polynomial& f, const std::vector<double>& x) {
  std::vector<double> y;
  for (const double a : x) y.push_back(f(a));
  return y;
}

TEST(Table, ALinearTableIsTheWeightedMeanOfItsNeighbours) {
  const Table table({0, 1, 3}, {10, 20, -20}, Interpolation::linear, Outside::error);
  EXPECT_DOUBLE_EQ(table.at(0).value, 10);
  EXPECT_DOUBLE_EQ(table.at(0.25).value, 12.5);
  EXPECT_DOUBLE_EQ(table.at(1).value, 20);
  EXPECT_DOUBLE_EQ(table.at(2.5).value, -10);
  EXPECT_DOUBLE_EQ(table.at(3).value, -20);
  EXPECT_DOUBLE_EQ(table.at(0.5).slope, 10);
  EXPECT_DOUBLE_EQ(table.at(1).slope, -20) << "at a knot, the slope of what follows";
  EXPECT_DOUBLE_EQ(table.at(3).slope, -20) << "at the last knot, the slope of what precedes";
}

TEST(Table, EveryTablePassesThroughItsPoints) {
  std::mt19937_64 random(1);
  for (int n = 2; n < 40; ++n) {
    for (const auto interpolation : {Interpolation::linear, Interpolation::cubic}) {
      const auto x = random_knots(random, n);
      const auto y = random_values(random, x.size());
      const Table table(x, y, interpolation, Outside::error);
      for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(table.at(x[i]).value, y[i], 1e-12) << n << " " << i;
    }
  }
}

TEST(Table, ACubicTableReproducesEveryCubicPolynomialInsideAndExtended) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> coefficient(-1, 1), part(-0.1, 1.1);
  for (int i = 0; i < 300; ++i) {
    const Polynomial f{{coefficient(random), coefficient(random), coefficient(random), coefficient(random)}};
    const auto x = random_knots(random, 4 + i % 12);
    const Table table(x, values_of(f, x), Interpolation::cubic, Outside::extend);
    for (int k = 0; k < 20; ++k) {
      const double at = x.front() + part(random) * (x.back() - x.front());
      const double scale = 1 + std::pow(std::max(std::abs(x.front()), std::abs(x.back())), 3);
      EXPECT_NEAR(table.at(at).value, f(at), 1e-11 * scale);
      EXPECT_NEAR(table.at(at).slope, f.slope(at), 1e-10 * scale);
    }
  }
}

TEST(Table, ACubicTableOfThreePointsIsAParabolaAndOfTwoALine) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> coefficient(-1, 1);
  for (int i = 0; i < 50; ++i) {
    const Polynomial parabola{{coefficient(random), coefficient(random), coefficient(random), 0}};
    const Polynomial line{{coefficient(random), coefficient(random), 0, 0}};
    const auto x3 = random_knots(random, 3), x2 = random_knots(random, 2);
    const Table three(x3, values_of(parabola, x3), Interpolation::cubic, Outside::extend);
    const Table two(x2, values_of(line, x2), Interpolation::cubic, Outside::extend);
    for (double at = -5; at < 8; at += 0.37) {
      EXPECT_NEAR(three.at(at).value, parabola(at), 1e-11);
      EXPECT_NEAR(three.at(at).slope, parabola.slope(at), 1e-11);
      EXPECT_NEAR(two.at(at).value, line(at), 1e-12);
      EXPECT_NEAR(two.at(at).slope, line.slope(at), 1e-12);
    }
  }
}

TEST(Table, ACubicTableHasContinuousValueSlopeAndCurvatureAtItsKnots) {
  std::mt19937_64 random(4);
  for (int n = 3; n < 30; ++n) {
    const auto x = random_knots(random, n);
    const Table table(x, random_values(random, x.size()), Interpolation::cubic, Outside::error);
    for (std::size_t i = 1; i + 1 < x.size(); ++i) {
      const double e = 1e-7, h = 1e-4;
      EXPECT_NEAR(table.at(x[i] - e).value, table.at(x[i]).value, 1e-4);
      EXPECT_NEAR(table.at(x[i] - e).slope, table.at(x[i]).slope, 1e-4);
      // Three-point one-sided differences of the slope, exact for the parabola that it is on each side.
      const auto s = [&](double at) { return table.at(at).slope; };
      const double from_left = (3 * s(x[i] - 1e-12) - 4 * s(x[i] - h) + s(x[i] - 2 * h)) / (2 * h);
      const double from_right = (-3 * s(x[i]) + 4 * s(x[i] + h) - s(x[i] + 2 * h)) / (2 * h);
      EXPECT_NEAR(from_left, from_right, 1e-6 * (1 + std::abs(from_left))) << n << " " << i;
    }
  }
}

TEST(Table, TheThirdDerivativeIsContinuousAtTheSecondAndLastButOneKnot) {
  std::mt19937_64 random(5);
  const auto x = random_knots(random, 9);
  const Table table(x, random_values(random, x.size()), Interpolation::cubic, Outside::error);
  const auto third = [&](double from, double to) {  // exact for a cubic on one segment
    const double h = (to - from) / 4;
    const auto s = [&](int k) { return table.at(from + h * (1 + k)).slope; };
    return (s(0) - 2 * s(1) + s(2)) / (h * h);
  };
  const std::size_t n = x.size();
  EXPECT_NEAR(third(x[0], x[1]), third(x[1], x[2]), 1e-9 * (1 + std::abs(third(x[0], x[1]))));
  EXPECT_NEAR(third(x[n - 3], x[n - 2]), third(x[n - 2], x[n - 1]), 1e-9 * (1 + std::abs(third(x[n - 3], x[n - 2]))));
  EXPECT_GT(std::abs(third(x[3], x[4]) - third(x[4], x[5])), 1e-3) << "elsewhere it jumps";
}

TEST(Table, TheSlopeIsTheDerivativeOfTheValue) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> part(0.02, 0.98);
  for (int i = 0; i < 200; ++i) {
    const auto x = random_knots(random, 2 + i % 10);
    const auto interpolation = i % 2 == 0 ? Interpolation::linear : Interpolation::cubic;
    const Table table(x, random_values(random, x.size()), interpolation, Outside::error);
    const std::size_t s = static_cast<std::size_t>(i) % (x.size() - 1);
    const double at = x[s] + part(random) * (x[s + 1] - x[s]), h = 1e-5;
    const double expected = (table.at(at + h / 10).value - table.at(at - h / 10).value) / (h / 5);
    EXPECT_NEAR(table.at(at).slope, expected, 1e-7 * (1 + std::abs(expected)));
  }
}

TEST(Table, OutsideIsNotANumberTheEndValueOrTheEndSegmentContinued) {
  for (const auto interpolation : {Interpolation::linear, Interpolation::cubic}) {
    const std::vector<double> x{0, 1, 2, 4}, y{1, 3, 0, 8};
    const Table error(x, y, interpolation, Outside::error), hold(x, y, interpolation, Outside::hold);
    const Table extend(x, y, interpolation, Outside::extend);
    for (const double beyond : {-0.001, -7.0, 4.001, 100.0}) {
      EXPECT_TRUE(std::isnan(error.at(beyond).value));
      EXPECT_TRUE(std::isnan(error.at(beyond).slope));
      EXPECT_EQ(hold.at(beyond).value, beyond < 0 ? 1 : 8);
      EXPECT_EQ(hold.at(beyond).slope, 0);
    }
    for (const double end : {0.0, 4.0}) {
      EXPECT_NEAR(error.at(end).value, end == 0 ? 1 : 8, 1e-14) << "the ends belong to the table";
      EXPECT_NEAR(hold.at(end).value, end == 0 ? 1 : 8, 1e-14);
      const double h = 1e-6;  // value and slope go on without a jump
      EXPECT_NEAR(extend.at(end - h).value, extend.at(end + h).value, 1e-4);
      EXPECT_NEAR(extend.at(end - h).slope, extend.at(end + h).slope, 1e-4);
    }
  }
  const Table linear({0, 1}, {5, 7}, Interpolation::linear, Outside::extend);
  EXPECT_DOUBLE_EQ(linear.at(-10).value, -15);
  EXPECT_DOUBLE_EQ(linear.at(11).value, 27);
}

TEST(Table, NotANumberInIsNotANumberOut) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto outside : {Outside::error, Outside::hold, Outside::extend}) {
    const Table table({0, 1, 2}, {1, 2, 3}, Interpolation::linear, outside);
    EXPECT_TRUE(std::isnan(table.at(nan).value));
  }
}

TEST(Table, SegmentsCountFromZeroBelowTheFirstKnot) {
  const Table table({1, 2, 4}, {0, 0, 0}, Interpolation::linear, Outside::error);
  EXPECT_EQ(table.segment(0.5), 0U);
  EXPECT_EQ(table.segment(1), 1U);
  EXPECT_EQ(table.segment(1.99), 1U);
  EXPECT_EQ(table.segment(2), 2U);
  EXPECT_EQ(table.segment(3.99), 2U);
  EXPECT_EQ(table.segment(5), 3U);
  EXPECT_EQ(table.knots().size(), 3U);
  EXPECT_EQ(table.interpolation(), Interpolation::linear);
  EXPECT_EQ(table.outside(), Outside::error);
}

TEST(Table, ProblemsOfThePointsAreNamed) {
  const auto problem = [](std::vector<double> x, std::vector<double> y) { return Table::problem_of(x, y); };
  EXPECT_EQ(problem({0, 1}, {5, 6}), "");
  EXPECT_EQ(problem({0, 1, 2}, {5, 6}), "x has 3 values and y has 2");
  EXPECT_EQ(problem({}, {}), "a table needs at least two points");
  EXPECT_EQ(problem({0}, {5}), "a table needs at least two points");
  EXPECT_EQ(problem({0, 1, 1}, {5, 6, 7}), "x must increase strictly; it does not at value 3");
  EXPECT_EQ(problem({3, 1, 0}, {5, 6, 7}), "x must increase strictly; it does not at value 2");
  EXPECT_EQ(problem({0, std::nan(""), 2}, {5, 6, 7}), "the points of a table must be finite");
}

}  // namespace
}  // namespace gyrostat
