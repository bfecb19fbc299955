#include "gyrostat/math/fixed_point.h"

#include <random>

#include <gtest/gtest.h>

namespace gyrostat {
namespace fixed_point_test {

Eigen::VectorXd any(Eigen::Index n, std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Eigen::VectorXd::NullaryExpr(n, [&] { return normal(random); });
}

TEST(FixedPoint, OfAffineFunctionsIsExactAfterOneMoreStepThanUnknowns) {
  std::mt19937 random(3);
  for (int k = 0; k < 200; ++k) {
    const Eigen::Index n = 1 + k % 6;
    Eigen::MatrixXd A(n, n);
    for (Eigen::Index j = 0; j < n; ++j) A.col(j) = 2 * any(n, random);  // most of them do not contract
    const Eigen::VectorXd b = any(n, random), exact = (Eigen::MatrixXd::Identity(n, n) - A).fullPivLu().solve(b);
    FixedPoint at(any(n, random));
    for (Eigen::Index step = 0; step < n + 1; ++step) at.improve(A * at.x + b);
    const double condition = (Eigen::MatrixXd::Identity(n, n) - A).inverse().norm() * (1 + A.norm());
    EXPECT_LT((at.x - exact).norm(), 1e-12 * condition * condition * (1 + exact.norm())) << k;
  }
}

/// With corners, of slope -3 beyond them: repeated substitution would go to and fro for ever.
TEST(FixedPoint, OfFunctionsWithCornersIsFound) {
  std::mt19937 random(4);
  for (int k = 0; k < 100; ++k) {
    const Eigen::Index n = 1 + k % 4;
    const Eigen::VectorXd exact = any(n, random), corner = any(n, random);
    const auto side = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
      return -3 * (x - corner).cwiseMax(0) + 0.4 * (x - corner).cwiseMin(0);
    };
    FixedPoint at(any(n, random));
    bool settled = false;
    for (int step = 0; step < 200 && !settled; ++step) {
      const Eigen::VectorXd g = side(at.x) - side(exact) + exact;
      settled = (g - at.x).cwiseAbs().maxCoeff() < 1e-13;
      at.improve(g);
    }
    EXPECT_TRUE(settled) << k;
    EXPECT_LT((at.x - exact).norm(), 1e-11) << k;
  }
}

}  // namespace fixed_point_test
}  // namespace gyrostat
