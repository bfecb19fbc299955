#include "gyrostat/dynamics/absolute_factors.h"

#include <algorithm>
#include <numeric>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>

namespace gyrostat {

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// Approximate minimum degree: where each row stands in the order of elimination.
std::vector<std::uint32_t> minimum_degree(std::uint32_t size, const Pairs& pairs) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::uint32_t i = 0; i < size; ++i) entries.emplace_back(static_cast<int>(i), static_cast<int>(i), 1);
  for (const auto& [i, k] : pairs) {
    entries.emplace_back(static_cast<int>(i), static_cast<int>(k), 1);
    entries.emplace_back(static_cast<int>(k), static_cast<int>(i), 1);
  }
  Eigen::SparseMatrix<double> pattern(static_cast<int>(size), static_cast<int>(size));
  pattern.setFromTriplets(entries.begin(), entries.end());
  Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, int> order;
  Eigen::AMDOrdering<int> find;
  find(pattern.selfadjointView<Eigen::Upper>(), order);
  std::vector<std::uint32_t> place(size);
  for (std::uint32_t k = 0; k < size; ++k) {
    place[static_cast<std::size_t>(order.indices()[static_cast<int>(k)])] = k;
  }
  return place;
}

}  // namespace

SymmetricFactors::SymmetricFactors(std::uint32_t size, const Pairs& pairs) : size_(size), dense_(size < most_dense) {
  work_.assign(size, 0);
  permuted_.assign(size, 0);
  pivot_.assign(size, 0);
  if (dense_) {
    values_.assign(static_cast<std::size_t>(size) * size, 0);
    return;
  }
  place_ = minimum_degree(size, pairs);
  Pairs upper;  // column, row
  for (std::uint32_t i = 0; i < size; ++i) upper.emplace_back(place_[i], place_[i]);
  for (const auto& [i, k] : pairs) upper.emplace_back(std::max(place_[i], place_[k]), std::min(place_[i], place_[k]));
  std::sort(upper.begin(), upper.end());
  upper.erase(std::unique(upper.begin(), upper.end()), upper.end());
  begin_.assign(size + 1, 0);
  for (const auto& [column, row] : upper) {
    ++begin_[column + 1];
    row_.push_back(row);
  }
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  values_.assign(row_.size(), 0);

  // The elimination tree and the lengths of L's columns: row k of L is where k's column leads in the tree.
  parent_.resize(size);
  std::iota(parent_.begin(), parent_.end(), 0U);
  mark_.assign(size, 0);
  pattern_.assign(size, 0);
  L_count_.assign(size, 0);
  for (std::uint32_t k = 0; k < size; ++k) {
    mark_[k] = k;
    for (std::uint32_t p = begin_[k]; p < begin_[k + 1]; ++p) {
      for (std::uint32_t i = row_[p]; mark_[i] != k; i = parent_[i]) {
        if (parent_[i] == i) parent_[i] = k;
        ++L_count_[i];
        mark_[i] = k;
      }
    }
  }
  L_begin_.assign(size + 1, 0);
  std::partial_sum(L_count_.begin(), L_count_.end(), L_begin_.begin() + 1);
  L_row_.resize(L_begin_[size]);
  L_.resize(L_begin_[size]);
}

std::uint32_t SymmetricFactors::slot(std::uint32_t i, std::uint32_t k) const {
  if (dense_) return std::min(i, k) * size_ + std::max(i, k);  // the lower triangle
  const std::uint32_t column = std::max(place_[i], place_[k]), row = std::min(place_[i], place_[k]);
  const auto first = row_.begin() + begin_[column], last = row_.begin() + begin_[column + 1];
  return static_cast<std::uint32_t>(std::lower_bound(first, last, row) - row_.begin());
}

bool SymmetricFactors::factor() { return dense_ ? factor_dense() : factor_sparse(); }

bool SymmetricFactors::factor_dense() {
  bool positive = true;
  for (std::uint32_t k = 0; k < size_; ++k) {  // right-looking, columns of the lower triangle
    double* column = &values_[static_cast<std::size_t>(k) * size_];
    pivot_[k] = column[k];
    positive = positive && pivot_[k] > 0;
    for (std::uint32_t j = k + 1; j < size_; ++j) {
      const double factor = column[j] / pivot_[k];
      if (factor == 0) continue;
      double* other = &values_[static_cast<std::size_t>(j) * size_];
      for (std::uint32_t i = j; i < size_; ++i) other[i] -= factor * column[i];
    }
    for (std::uint32_t i = k + 1; i < size_; ++i) column[i] /= pivot_[k];
  }
  return positive;
}

/// Up-looking: row k of L solves the rows before it.
bool SymmetricFactors::factor_sparse() {
  bool positive = true;
  std::fill(mark_.begin(), mark_.end(), size_);
  for (std::uint32_t k = 0; k < size_; ++k) {
    std::uint32_t top = size_;
    mark_[k] = k;
    work_[k] = 0;
    L_count_[k] = 0;
    for (std::uint32_t p = begin_[k]; p < begin_[k + 1]; ++p) {
      std::uint32_t length = 0;
      work_[row_[p]] += values_[p];
      for (std::uint32_t i = row_[p]; mark_[i] != k; i = parent_[i]) {
        pattern_[length++] = i;
        mark_[i] = k;
      }
      while (length > 0) pattern_[--top] = pattern_[--length];
    }
    double pivot = work_[k];
    work_[k] = 0;
    for (; top < size_; ++top) {
      const std::uint32_t i = pattern_[top];
      const double y = work_[i], l = y / pivot_[i];
      work_[i] = 0;
      const std::uint32_t end = L_begin_[i] + L_count_[i];
      for (std::uint32_t p = L_begin_[i]; p < end; ++p) work_[L_row_[p]] -= L_[p] * y;
      pivot -= l * y;
      L_row_[end] = k;
      L_[end] = l;
      ++L_count_[i];
    }
    pivot_[k] = pivot;
    positive = positive && pivot > 0;
  }
  return positive;
}

void SymmetricFactors::solve(double* b) const {
  if (dense_) {
    for (std::uint32_t k = 0; k < size_; ++k) {
      const double* column = &values_[static_cast<std::size_t>(k) * size_];
      for (std::uint32_t i = k + 1; i < size_; ++i) b[i] -= column[i] * b[k];
    }
    for (std::uint32_t k = size_; k-- > 0;) {
      const double* column = &values_[static_cast<std::size_t>(k) * size_];
      double sum = b[k] / pivot_[k];
      for (std::uint32_t i = k + 1; i < size_; ++i) sum -= column[i] * b[i];
      b[k] = sum;
    }
    return;
  }
  for (std::uint32_t i = 0; i < size_; ++i) permuted_[place_[i]] = b[i];
  for (std::uint32_t k = 0; k < size_; ++k) {
    for (std::uint32_t p = L_begin_[k]; p < L_begin_[k + 1]; ++p) permuted_[L_row_[p]] -= L_[p] * permuted_[k];
  }
  for (std::uint32_t k = size_; k-- > 0;) {
    double sum = permuted_[k] / pivot_[k];
    for (std::uint32_t p = L_begin_[k]; p < L_begin_[k + 1]; ++p) sum -= L_[p] * permuted_[L_row_[p]];
    permuted_[k] = sum;
  }
  for (std::uint32_t i = 0; i < size_; ++i) b[i] = permuted_[place_[i]];
}

}  // namespace gyrostat
