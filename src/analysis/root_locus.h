// Eigenvalues as a parameter varies, as branches.
#pragma once

#include <functional>

#include "gyrostat/analysis/modes.h"

namespace gyrostat {

struct RootLocus {
  std::vector<double> values;                               // of the parameter: those asked for, and more between them
  std::vector<std::vector<std::complex<double>>> branches;  // by branch, by value
};

/// `matrix` gives A at a value of the parameter, always of the same states. From one value to the next, an eigenvalue
/// is expected at lambda + w^T dA v, with its left and right eigenvectors; where what is found is not clearly the one
/// expected, a value between the two is looked at. Branches that meet may leave each other either way.
RootLocus root_locus(const std::function<Eigen::MatrixXd(double)>& matrix, const std::vector<double>& values);

}  // namespace gyrostat
