#include "gyrostat/math/least_norm.h"

#include <random>

#include <Eigen/LU>
#include <gtest/gtest.h>

namespace gyrostat {
namespace {

Eigen::MatrixXd random_matrix(std::mt19937_64& random, Eigen::Index rows, Eigen::Index columns) {
  std::uniform_real_distribution<double> number(-1, 1);
  return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return number(random); });
}

/// A = L R with L of full column rank and R of full row rank has the pseudoinverse R^T (R R^T)^-1 (L^T L)^-1 L^T.
TEST(LeastNorm, IsWhatThePseudoinverseGives) {
  std::mt19937_64 random(7);
  for (int k = 0; k < 50; ++k) {
    const Eigen::MatrixXd L = random_matrix(random, 3 + k % 6, 3), R = random_matrix(random, 3, 3 + k % 5);
    const Eigen::MatrixXd b = random_matrix(random, L.rows(), 2);
    const Eigen::MatrixXd expected =
        R.transpose() * (R * R.transpose()).inverse() * (L.transpose() * L).inverse() * L.transpose() * b;
    EXPECT_LT((least_norm_solution(L * R, b, 1e-9) - expected).norm(), 1e-7 * (1 + expected.norm())) << k;
  }
}

TEST(LeastNorm, TakesSmallPivotsForZero) {
  const Eigen::MatrixXd A = Eigen::Vector2d(1, 1e-6).asDiagonal();
  const Eigen::Vector2d b(1, 1);
  EXPECT_NEAR(least_norm_solution(A, b, 1e-9)(1), 1e6, 1e-3);
  EXPECT_EQ(least_norm_solution(A, b, 1e-3)(1), 0);
  EXPECT_EQ(least_norm_solution(Eigen::MatrixXd::Zero(2, 3), b, 1e-9), Eigen::MatrixXd::Zero(3, 1));
}

}  // namespace
}  // namespace gyrostat
