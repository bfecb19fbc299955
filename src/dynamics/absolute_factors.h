// Factors L D L^T of a symmetric positive definite matrix, sparse or dense. The pattern is analysed once; after that
// nothing is allocated.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <Eigen/Core>

namespace gyrostat {

class SymmetricFactors {
 public:
  /// Below this many rows the matrix is kept dense. Measured on chains of revolute joints (AMD EPYC, g++ 12): see
  /// docs/theory/absolute.md.
  static constexpr std::uint32_t most_dense = 18;

  SymmetricFactors() = default;
  /// `pairs`: rows and columns that are not zero, in any order and with repetitions; the diagonal is.
  SymmetricFactors(std::uint32_t size, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& pairs);

  [[nodiscard]] std::uint32_t size() const { return size_; }
  [[nodiscard]] bool is_dense() const { return dense_; }

  /// Where the element (i, k), which is the element (k, i), is kept.
  [[nodiscard]] std::uint32_t slot(std::uint32_t i, std::uint32_t k) const;
  std::vector<double>& values() { return values_; }

  /// Of the values that are set; they may be lost. False where a pivot is not positive.
  bool factor();
  /// b becomes the solution.
  void solve(double* b) const;

 private:
  bool factor_dense();
  bool factor_sparse();

  std::uint32_t size_ = 0;
  bool dense_ = true;
  std::vector<std::uint32_t> place_;            // by row: where it stands in the order of elimination
  std::vector<std::uint32_t> begin_, row_;      // columns of the upper triangle, in that order
  std::vector<double> values_;                  // of them; of a dense matrix, its columns
  std::vector<std::uint32_t> parent_;           // in the elimination tree; the row itself: none
  std::vector<std::uint32_t> L_begin_, L_row_;  // columns of L below the diagonal
  std::vector<double> L_, pivot_;
  std::vector<std::uint32_t> L_count_, mark_, pattern_;
  std::vector<double> work_;
  mutable std::vector<double> permuted_;
};

}  // namespace gyrostat
