#include "gyrostat/math/box_minimum.h"

#include <array>
#include <random>

#include <gtest/gtest.h>

namespace gyrostat {
namespace box_minimum_test {

constexpr double infinite = std::numeric_limits<double>::infinity();

/// What tells the least value of a convex function in a box: its slope is zero between the bounds and points outward at
/// them.
void expect_least(const Eigen::MatrixXd& A, const Eigen::VectorXd& b, const Eigen::VectorXd& low,
                  const Eigen::VectorXd& high, const Eigen::VectorXd& x) {
  const Eigen::VectorXd slope = A * x + b;
  for (Eigen::Index k = 0; k < b.size(); ++k) {
    EXPECT_GE(x[k], low[k]);
    EXPECT_LE(x[k], high[k]);
    if (x[k] > low[k]) {
      EXPECT_LT(slope[k], 1e-9);
    }
    if (x[k] < high[k]) {
      EXPECT_GT(slope[k], -1e-9);
    }
  }
}

TEST(BoxMinimum, OfRandomProblemsHasSlopesThatPointOutward) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 500; ++trial) {
    const Eigen::Index n = 1 + trial % 8, rank = 1 + trial % 5;  // of less than full rank, too
    Eigen::MatrixXd F(rank, n);
    Eigen::VectorXd y(rank), low(n), high(n);
    for (double& x : F.reshaped()) x = normal(random);
    for (double& x : y) x = normal(random);
    for (Eigen::Index k = 0; k < n; ++k) {
      low[k] = trial % 3 == 0 ? 0 : -std::abs(normal(random));
      high[k] = (trial + k) % 4 == 0 ? infinite : std::abs(normal(random));
    }
    const Eigen::MatrixXd A = F.transpose() * F;
    const Eigen::VectorXd b = F.transpose() * y;  // such that there is a least value
    const auto x = minimum_in_box(A, b, low, high);
    ASSERT_TRUE(x) << trial;
    expect_least(A, b, low, high, *x);

    // the same in reverse order: the slopes are unique
    const auto reversed = minimum_in_box(A.reverse(), b.reverse(), low.reverse(), high.reverse());
    ASSERT_TRUE(reversed);
    EXPECT_LT((A * *x - A * Eigen::VectorXd(reversed->reverse())).norm(), 1e-8);
  }
}

/// Zero entries of b: at first nothing tells how large rounding is there.
TEST(BoxMinimum, IsFoundWhereAnEntryOfTheSlopeBeginsAsZero) {
  const Eigen::Matrix2d A{{1.4220862855977519, 0.58457458253145445}, {0.58457458253145445, 1.2403000760239977}};
  const Eigen::Vector2d b(0, 0.004144377830277486), low(-0.00800538, -infinite), high(0.00800538, 0);
  const auto x = minimum_in_box(A, b, low, high);
  ASSERT_TRUE(x);
  EXPECT_LT((A * *x + b).norm(), 1e-15);

  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 5000; ++trial) {
    const Eigen::Index n = 1 + trial % 9, rank = 1 + trial % n;
    Eigen::MatrixXd F(n, rank);
    Eigen::VectorXd y(rank), lowest(n), highest(n);
    for (double& entry : F.reshaped()) entry = random() % 3 == 0 ? 0 : std::round(2 * normal(random));
    for (double& entry : y) entry = random() % 2 == 0 ? 0 : normal(random);
    for (Eigen::Index k = 0; k < n; ++k) {
      const double most = std::abs(normal(random));
      lowest[k] = std::array{-most, 0.0, -infinite, 0.0, -infinite}[random() % 5];
      highest[k] = std::array{most, 0.0, infinite}[random() % 3];
    }
    const Eigen::MatrixXd M = F * F.transpose();
    const auto least = minimum_in_box(M, F * y, lowest, highest);
    ASSERT_TRUE(least) << trial;
    expect_least(M, F * y, lowest, highest, *least);
  }
}

TEST(BoxMinimum, OfAnEmptyBoxIsZero) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(2), b = Eigen::Vector2d(-3, 2);
  const auto x = minimum_in_box(Eigen::MatrixXd::Identity(2, 2), b, zero, zero);
  ASSERT_TRUE(x);
  EXPECT_EQ(*x, zero);
}

/// A force that moves nothing: its entry of the matrix is zero but for rounding, which may have either sign.
TEST(BoxMinimum, OfAnEntryThatRoundingLeavesIsAtTheBoundWhereItFalls) {
  for (const double rounding : {0.0, 2e-16, -2e-16}) {
    for (const double slope : {0.8, -0.8}) {
      const Eigen::Matrix2d A{{rounding, -rounding}, {-rounding, 0.0}};
      const Eigen::Vector2d b(slope, -slope), half = Eigen::Vector2d::Constant(0.5);
      const auto x = minimum_in_box(A, b, -half, half);
      ASSERT_TRUE(x);
      EXPECT_EQ(*x, Eigen::Vector2d(slope > 0 ? -0.5 : 0.5, slope > 0 ? 0.5 : -0.5)) << rounding;
    }
  }
}

TEST(BoxMinimum, IsNothingWhereTheFunctionFallsForEver) {
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(1);
  const Eigen::VectorXd down = Eigen::VectorXd::Constant(1, -1), up = Eigen::VectorXd::Constant(1, infinite);
  EXPECT_FALSE(minimum_in_box(Eigen::MatrixXd::Zero(1, 1), down, zero, up));
  EXPECT_TRUE(minimum_in_box(Eigen::MatrixXd::Zero(1, 1), -down, zero, up));
}

}  // namespace box_minimum_test
}  // namespace gyrostat
