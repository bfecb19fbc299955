// Columns with correlations: a Gaussian copula (docs/theory/campaigns.md, section 6).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "gyrostat/campaign/description.h"

namespace gyrostat::campaign {

/// Independent normal scores become correlated ones by the lower triangle L of R = L L^T.
struct Copula {
  std::vector<std::size_t> columns;  // those that have a correlation, ascending
  std::vector<double> factor;        // L by rows: 1, 2, 3, .. numbers

  /// z <- L z of the scores of `columns`, where they stand among those of all columns.
  void apply(std::span<double> scores) const;
};

/// Nothing if no distribution has these correlations: their matrix is not positive definite.
std::optional<Copula> make_copula(std::span<const Correlation> correlations);

/// Of correlations that no distribution has: some that contradict each other, and no longer do without any one column.
std::vector<Correlation> contradicting(std::span<const Correlation> correlations);

}  // namespace gyrostat::campaign
