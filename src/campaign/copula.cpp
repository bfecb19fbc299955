#include "gyrostat/campaign/copula.h"

#include <algorithm>
#include <cmath>

namespace gyrostat::campaign {

namespace {

std::size_t row_start(std::size_t i) { return i * (i + 1) / 2; }

/// The factor of Cholesky of the matrix of these columns, up to the row that has none: then it ends there.
std::vector<double> cholesky(std::span<const Correlation> correlations, std::span<const std::size_t> columns) {
  constexpr double least_pivot = 1e-14;
  std::vector<double> l(row_start(columns.size()), 0.0);
  const auto position_of = [&](std::size_t column) {
    const auto found = std::ranges::find(columns, column);
    return found == columns.end() ? columns.size() : static_cast<std::size_t>(found - columns.begin());
  };
  for (std::size_t i = 0; i < columns.size(); ++i) l[row_start(i) + i] = 1;
  for (const Correlation& c : correlations) {
    const std::size_t a = position_of(c.a), b = position_of(c.b);
    if (a < columns.size() && b < columns.size()) l[row_start(std::max(a, b)) + std::min(a, b)] = c.value;
  }
  for (std::size_t i = 0; i < columns.size(); ++i) {
    double* const row = &l[row_start(i)];
    for (std::size_t j = 0; j <= i; ++j) {
      const double* const other = &l[row_start(j)];
      double sum = row[j];
      for (std::size_t k = 0; k < j; ++k) sum -= row[k] * other[k];
      if (j < i) row[j] = sum / other[j];
      if (j == i && !(sum > least_pivot)) {
        l.resize(row_start(i));
        return l;
      }
      if (j == i) row[i] = std::sqrt(sum);
    }
  }
  return l;
}

std::vector<std::size_t> columns_of(std::span<const Correlation> correlations) {
  std::vector<std::size_t> columns;
  for (const Correlation& c : correlations) columns.insert(columns.end(), {c.a, c.b});
  std::ranges::sort(columns);
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

}  // namespace

void Copula::apply(std::span<double> scores) const {
  for (std::size_t i = columns.size(); i-- > 0;) {  // from below, so that the scores above are still the old ones
    const double* const row = &factor[row_start(i)];
    double sum = 0;
    for (std::size_t j = 0; j <= i; ++j) sum += row[j] * scores[columns[j]];
    scores[columns[i]] = sum;
  }
}

std::optional<Copula> make_copula(std::span<const Correlation> correlations) {
  Copula copula{columns_of(correlations), {}};
  copula.factor = cholesky(correlations, copula.columns);
  if (copula.factor.size() < row_start(copula.columns.size())) return std::nullopt;
  return copula;
}

std::vector<Correlation> contradicting(std::span<const Correlation> correlations) {
  std::vector<std::size_t> columns = columns_of(correlations);
  const auto is_wrong = [&](const std::vector<std::size_t>& some) {
    return cholesky(correlations, some).size() < row_start(some.size());
  };
  for (std::size_t count = 1; count <= columns.size(); ++count) {  // the first leading part that is wrong
    const std::vector<std::size_t> part(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(count));
    if (!is_wrong(part)) continue;
    columns = part;
    break;
  }
  constexpr std::size_t most = 60;  // of more, finding out which are needed takes too long
  for (std::size_t i = columns.size() <= most ? columns.size() : 0; i-- > 0;) {
    std::vector<std::size_t> without = columns;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    if (is_wrong(without)) columns = std::move(without);
  }
  std::vector<Correlation> list;
  for (const Correlation& c : correlations) {
    const auto among = [&](std::size_t column) { return std::ranges::binary_search(columns, column); };
    if (among(c.a) && among(c.b)) list.push_back(c);
  }
  return list;
}

}  // namespace gyrostat::campaign
