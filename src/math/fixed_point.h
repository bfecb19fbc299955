// Fixed points x = g(x) of a few unknowns.
#pragma once

#include <Eigen/Dense>

namespace gyrostat {

/// Anderson's method, with as many differences as there are unknowns: where g is affine, x is exact after one more step
/// than unknowns, whether g contracts or not. From time to time it forgets them, for g that have corners.
struct FixedPoint {
  Eigen::VectorXd x;

  explicit FixedPoint(Eigen::VectorXd begin) : x(std::move(begin)) {}

  /// To the next x, given g(x).
  void improve(const Eigen::VectorXd& g) {
    const Eigen::VectorXd residual = g - x;
    const Eigen::Index n = x.size();
    if (steps_ % most_steps == 0) {
      moves_.resize(n, 0), changes_.resize(n, 0);
    } else {
      if (moves_.cols() == n) {
        moves_ = moves_.rightCols(n - 1).eval();
        changes_ = changes_.rightCols(n - 1).eval();
      }
      moves_.conservativeResize(n, moves_.cols() + 1);
      changes_.conservativeResize(n, changes_.cols() + 1);
      moves_.rightCols<1>() = x - last_;
      changes_.rightCols<1>() = residual - last_residual_;
    }
    ++steps_;
    last_ = x;
    last_residual_ = residual;
    x += residual;
    if (moves_.cols() == 0) return;
    const Eigen::VectorXd weights = changes_.colPivHouseholderQr().solve(residual);
    x -= (moves_ + changes_) * weights;
  }

 private:
  static constexpr int most_steps = 25;

  int steps_ = 0;
  Eigen::VectorXd last_, last_residual_;
  Eigen::MatrixXd moves_, changes_;  // of x and of residuals, from step to step
};

}  // namespace gyrostat
