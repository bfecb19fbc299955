// The least of a convex quadratic function in a box: what forces within limits do to speeds or accelerations.
#pragma once

#include <optional>

#include <Eigen/Core>

namespace gyrostat {

/// x for which 1/2 x^T A x + b^T x is least while low <= x <= high, whose entries may be infinite and have zero between
/// them. A is symmetric and has no negative eigenvalues; then A x + b is unique. Nothing where the function has no
/// least value.
std::optional<Eigen::VectorXd> minimum_in_box(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                              const Eigen::VectorXd& low, const Eigen::VectorXd& high);

}  // namespace gyrostat
