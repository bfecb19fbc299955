// Eigenvalue problems of structures: K x = omega^2 M x with K = E'E positive definite and M perhaps singular.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace gyrostat {

struct NormalModes {
  Eigen::MatrixXd shapes;     // a column for each mode; the modal mass is the unit matrix
  Eigen::VectorXd stiffness;  // omega^2, ascending [1/s^2]
  std::size_t massless = 0;   // how many solutions were left out because they move no mass
};

/// By QR of E and the eigenvalues 1/omega^2 of M x = 1/omega^2 K x: forming K would square the condition of E, which
/// for a beam of n elements is of order n^2. Solutions with 1/omega^2 zero to rounding are left out.
NormalModes normal_modes(const Eigen::MatrixXd& E, const Eigen::MatrixXd& M);

/// The same, with each set of coupled unknowns by itself, so that modes of equal frequency in different sets are not
/// mixed. Equal to rounding counts as equal: such modes are in the order of their sets' first unknowns. Unknowns are
/// multiplied by `size` to compare them, and the largest is positive (of several within 1e-6, the last).
NormalModes normal_modes_by_set(const Eigen::MatrixXd& E, const Eigen::MatrixXd& M, const Eigen::VectorXd& size);

/// Sets of unknowns that have no row of E in common and that M couples by less than 1e-13 of the diagonal elements'
/// mean.
std::vector<std::vector<Eigen::Index>> coupled_sets(const Eigen::MatrixXd& E, const Eigen::MatrixXd& M);

/// These columns of E, without the rows that are zero in them; at least as many rows as columns.
Eigen::MatrixXd part_of(const Eigen::MatrixXd& E, const std::vector<Eigen::Index>& columns);

/// 1 or -1 for each column: what makes the largest element positive, as above.
Eigen::VectorXd signs_of(const Eigen::MatrixXd& shapes, const Eigen::VectorXd& size);

}  // namespace gyrostat
