#include "gyrostat/math/least_norm.h"

#include <Eigen/QR>

namespace gyrostat {

Eigen::MatrixXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b, double dependent) {
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(dependent);
  factors.compute(A);
  return factors.solve(b);
}

}  // namespace gyrostat
