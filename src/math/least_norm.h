// Systems of linear equations of any rank: of all x for which |A x - b| is least, the shortest.
#pragma once

#include <Eigen/Core>

namespace gyrostat {

/// For each column of b. Pivots below `dependent` times the largest are taken for zero. The decomposition takes long to
/// compile; it is instantiated once, here.
Eigen::MatrixXd least_norm_solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b, double dependent);

}  // namespace gyrostat
