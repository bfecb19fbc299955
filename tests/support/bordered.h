// Constrained equations of motion as one dense system, solved in long double: what the recursions are compared with.
// The decompositions take long to compile; they are instantiated once, in bordered.cpp.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace gyrostat::testing {

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// M udot = forces + J' multipliers, J udot = demanded.
struct Bordered {
  LongMatrix M, J;
  LongVector forces, demanded;
  std::vector<double> scale;  // of each row: that by which its pivot is measured
};

struct BorderedSolution {
  Eigen::VectorXd udot, multipliers;  // the multipliers of all rows, minimum norm
  Eigen::Index rank = 0;
  double residual = 0;  // of the rows: not zero where they contradict each other
};

BorderedSolution solution(const Bordered& bordered);

}  // namespace gyrostat::testing
