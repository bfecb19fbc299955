// Which inputs a measure depends on: rank correlation, and Sobol indices.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gyrostat/campaign/binomial.h"
#include "gyrostat/campaign/statistics.h"
#include "gyrostat/campaign/sum.h"
#include "gyrostat/math/normal.h"

namespace gyrostat::campaign {

namespace {

/// From 1 on; equal numbers have the mean of their ranks.
std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(
      order, [&](std::size_t a, std::size_t b) { return values[a] != values[b] ? values[a] < values[b] : a < b; });
  std::vector<double> result(values.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t end = first;
    while (end < order.size() && values[order[end]] == values[order[first]]) ++end;
    const double mean = 0.5 * static_cast<double>(first + 1 + end);
    for (; first < end; ++first) result[order[first]] = mean;
  }
  return result;
}

/// Sums of squares and products of ranks about their mean.
struct RankSums {
  double aa = 0, bb = 0, ab = 0;
};

RankSums rank_sums(const std::vector<double>& a, const std::vector<double>& b) {
  const double mean = 0.5 * static_cast<double>(a.size() + 1);
  Sum aa, bb, ab;
  for (std::size_t i = 0; i < a.size(); ++i) {
    aa.add((a[i] - mean) * (a[i] - mean));
    bb.add((b[i] - mean) * (b[i] - mean));
    ab.add((a[i] - mean) * (b[i] - mean));
  }
  return {aa.value(), bb.value(), ab.value()};
}

double correlation(const RankSums& s) {
  if (s.aa <= 0 || s.bb <= 0) return not_a_number;
  return std::clamp(s.ab / std::sqrt(s.aa * s.bb), -1.0, 1.0);
}

/// The mean of u over the mean of v, and its standard error to first order.
struct Ratio {
  double value = not_a_number, error = not_a_number;
};

Ratio ratio(const std::vector<double>& u, const std::vector<double>& v) {  // (18)
  const auto n = static_cast<double>(u.size());
  Sum of_u, of_v, squares;
  for (const double x : u) of_u.add(x);
  for (const double x : v) of_v.add(x);
  if (!(of_v.value() > 0) || !std::isfinite(of_v.value())) return {};
  const double value = of_u.value() / of_v.value();
  for (std::size_t i = 0; i < u.size(); ++i) squares.add((u[i] - value * v[i]) * (u[i] - value * v[i]));
  return {value, n > 1 ? std::sqrt(squares.value() * n / (n - 1)) / of_v.value() : not_a_number};
}

}  // namespace

RankCorrelation rank_correlation(std::span<const double> input, std::span<const double> measure) {
  std::vector<double> x, y;
  for (std::size_t i = 0; i < std::min(input.size(), measure.size()); ++i) {
    if (std::isnan(input[i]) || std::isnan(measure[i])) continue;
    x.push_back(input[i]);
    y.push_back(measure[i]);
  }
  RankCorrelation result;
  result.flights = x.size();
  if (x.size() < 3) return result;
  result.value = correlation(rank_sums(ranks(x), ranks(y)));  // (14)
  const double freedom = static_cast<double>(x.size()) - 2;
  const double rest = (1 - result.value) * (1 + result.value);
  const double t = rest > 0 ? result.value * std::sqrt(freedom / rest) : std::numeric_limits<double>::infinity();
  if (!std::isnan(result.value)) result.chance = student_both_sides(t, freedom);
  return result;
}

RankCorrelation stratified_rank_correlation(std::span<const double> input, std::span<const double> measure,
                                            std::span<const std::uint64_t> stratum) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < measure.size(); ++i) {
    if (!std::isnan(input[i]) && !std::isnan(measure[i])) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return stratum[i]; });
  RankCorrelation result;
  result.flights = order.size();
  Sum aa, bb, ab, variance;
  std::vector<double> x, y;
  for (std::size_t first = 0; first < order.size();) {
    x.clear();
    y.clear();
    const std::uint64_t of = stratum[order[first]];
    for (; first < order.size() && stratum[order[first]] == of; ++first) {
      x.push_back(input[order[first]]);
      y.push_back(measure[order[first]]);
    }
    if (x.size() < 2) continue;
    const RankSums s = rank_sums(ranks(x), ranks(y));
    aa.add(s.aa);
    bb.add(s.bb);
    ab.add(s.ab);
    variance.add(s.aa * s.bb / static_cast<double>(x.size() - 1));
  }
  result.value = correlation({aa.value(), bb.value(), ab.value()});  // (15a)
  if (std::isnan(result.value)) return result;
  result.chance = 2 * normal_probability(std::abs(ab.value()) / std::sqrt(variance.value())).above;
  return result;
}

std::vector<SobolIndex> sobol_indices(std::span<const double> values, std::size_t inputs) {
  const std::size_t parts = inputs + 2;
  const std::size_t samples = values.size() / parts;
  std::vector<SobolIndex> indices(inputs);
  for (std::size_t i = 0; i < inputs; ++i) {
    std::vector<double> a, b, ab;
    for (std::size_t j = 0; j < samples; ++j) {
      const double* const of = &values[j * parts];
      const bool whole = std::isfinite(of[0]) && std::isfinite(of[1]) && std::isfinite(of[2 + i]);
      if (!whole) {
        ++indices[i].left_out;
        continue;
      }
      a.push_back(of[0]);
      b.push_back(of[1]);
      ab.push_back(of[2 + i]);
    }
    indices[i].used = a.size();
    if (a.size() < 2) continue;
    Sum all;
    for (std::size_t j = 0; j < a.size(); ++j) all.add(a[j] + b[j]);
    const double mean = all.value() / (2 * static_cast<double>(a.size()));
    std::vector<double> variance(a.size()), first(a.size()), total(a.size());
    for (std::size_t j = 0; j < a.size(); ++j) {
      variance[j] = 0.5 * ((a[j] - mean) * (a[j] - mean) + (b[j] - mean) * (b[j] - mean));
      first[j] = (b[j] - mean) * (ab[j] - a[j]);         // (16)
      total[j] = 0.5 * (a[j] - ab[j]) * (a[j] - ab[j]);  // (17)
    }
    const Ratio of_first = ratio(first, variance), of_total = ratio(total, variance);
    indices[i].first = of_first.value;
    indices[i].first_error = of_first.error;
    indices[i].total = of_total.value;
    indices[i].total_error = of_total.error;
  }
  return indices;
}

}  // namespace gyrostat::campaign
