#include "gyrostat/campaign/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "gyrostat/campaign/binomial.h"
#include "gyrostat/campaign/sum.h"

namespace gyrostat::campaign {

Summary summarize(std::span<const double> values) {
  Summary summary;
  summary.flights = values.size();
  Sum sum;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = values[i];
    if (std::isnan(value)) {
      ++summary.failed;
      continue;
    }
    sum.add(value);
    if (!(summary.min <= value)) {
      summary.min = value;
      summary.min_flight = i;
    }
    if (!(summary.max >= value)) {
      summary.max = value;
      summary.max_flight = i;
    }
  }
  const std::uint64_t count = summary.flights - summary.failed;
  if (count == 0) return summary;
  summary.mean = sum.value() / static_cast<double>(count);
  if (count == 1 || !std::isfinite(summary.mean)) return summary;  // first_time of what never happens is infinite
  Sum squares;
  for (const double value : values) {
    if (!std::isnan(value)) squares.add((value - summary.mean) * (value - summary.mean));
  }
  summary.std = std::sqrt(squares.value() / static_cast<double>(count - 1));
  return summary;
}

std::vector<double> sorted_numbers(std::span<const double> values) {
  std::vector<double> sorted;
  sorted.reserve(values.size());
  std::ranges::copy_if(values, std::back_inserter(sorted), [](double v) { return !std::isnan(v); });
  std::ranges::sort(sorted);
  return sorted;
}

double quantile(std::span<const double> sorted, double fraction) {
  const double at = fraction * static_cast<double>(sorted.size() - 1);
  const auto before = static_cast<std::size_t>(at);
  const double rest = at - static_cast<double>(before), low = sorted[before];
  if (!(rest > 0 && before + 1 < sorted.size() && sorted[before + 1] > low)) return low;
  const double high = sorted[before + 1];
  if (std::isinf(low) || std::isinf(high)) return std::isinf(low) ? low : high;
  return low + rest * (high - low);
}

Percentile percentile(std::span<const double> sorted, double fraction, double confidence) {
  if (!(fraction > 0 && fraction < 1 && confidence > 0 && confidence < 1))
    throw std::invalid_argument("a percentile and its confidence are between 0 and 1");
  Percentile result;
  result.fraction = fraction;
  const std::uint64_t n = sorted.size();
  if (n == 0) return result;
  result.value = quantile(sorted, fraction);

  // (12): with B of n trials below the quantile, P(x_(l) <= q) >= P(B >= l), P(q <= x_(u)) >= P(B <= u - 1).
  const double side = (1 - confidence) / 2;
  // The largest l from 1 with P(B <= l - 1) <= side; 0: none.
  std::uint64_t low = 0, beyond = n + 1;
  while (beyond - low > 1) {
    const std::uint64_t middle = low + (beyond - low) / 2;
    (binomial_at_most(middle - 1, n, fraction) <= side ? low : beyond) = middle;
  }
  // The smallest u up to n with P(B >= u) <= side; n + 1: none.
  std::uint64_t high = n + 1, under = 0;
  while (high - under > 1) {
    const std::uint64_t middle = under + (high - under) / 2;
    (binomial_at_least(middle, n, fraction) <= side ? high : under) = middle;
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  result.low = low == 0 ? -infinity : sorted[low - 1];
  result.high = high == n + 1 ? infinity : sorted[high - 1];
  result.coverage = 1 - (low == 0 ? 0 : binomial_at_most(low - 1, n, fraction)) -
                    (high == n + 1 ? 0 : binomial_at_least(high, n, fraction));
  return result;
}

double proportion_at_least(std::uint64_t k, std::uint64_t n, double confidence) {  // (13)
  if (k == 0 || n == 0) return 0;
  double low = 0, high = static_cast<double>(k) / static_cast<double>(n);
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (binomial_at_least(k, n, middle) <= 1 - confidence ? low : high) = middle;
  }
  return low;
}

double proportion_at_most(std::uint64_t k, std::uint64_t n, double confidence) {
  if (k >= n) return 1;
  double low = static_cast<double>(k) / static_cast<double>(n), high = 1;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (binomial_at_most(k, n, middle) <= 1 - confidence ? high : low) = middle;
  }
  return high;
}

namespace {

/// Of so many flights, of which so many fulfil the requirement.
Verdict verdict_of(const Requirement& requirement, std::uint64_t fulfilled, std::uint64_t flights, bool whole) {
  if (whole || requirement.fraction >= 1) {
    const double fraction = static_cast<double>(fulfilled) / static_cast<double>(flights);
    return fraction >= requirement.fraction ? Verdict::met : Verdict::not_met;
  }
  if (proportion_at_least(fulfilled, flights, requirement.confidence) >= requirement.fraction) return Verdict::met;
  if (proportion_at_most(fulfilled, flights, requirement.confidence) < requirement.fraction) return Verdict::not_met;
  return Verdict::undecided;
}

}  // namespace

RequirementResult check_requirement(const Requirement& requirement, std::span<const double> values, bool whole,
                                    std::uint64_t missing) {
  RequirementResult result;
  result.flights = values.size();
  result.missing = missing;
  for (const double value : values) {
    if (std::isnan(value)) ++result.failed;
    const bool fulfilled = !std::isnan(value) && (!requirement.below || value < *requirement.below) &&
                           (!requirement.above || value > *requirement.above);
    if (fulfilled) ++result.fulfilled;
  }
  const std::uint64_t all = result.flights + missing;
  if (all == 0) return result;
  const auto of_all = [&](std::uint64_t k) { return static_cast<double>(k) / static_cast<double>(all); };
  if (result.flights > 0) {
    result.fraction = static_cast<double>(result.fulfilled) / static_cast<double>(result.flights);
  }
  if (whole) {
    result.low = of_all(result.fulfilled);
    result.high = of_all(result.fulfilled + missing);
  } else if (result.flights > 0) {
    result.low = proportion_at_least(result.fulfilled, result.flights, requirement.confidence);
    result.high = proportion_at_most(result.fulfilled, result.flights, requirement.confidence);
  }
  const Verdict worst = verdict_of(requirement, result.fulfilled, all, whole);
  const Verdict best = missing == 0 ? worst : verdict_of(requirement, result.fulfilled + missing, all, whole);
  if (worst == best) result.verdict = worst;
  return result;
}

std::vector<std::uint64_t> worst_flights(std::span<const double> values, std::size_t count, bool largest) {
  std::vector<std::uint64_t> flights;
  flights.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!std::isnan(values[i])) flights.push_back(i);
  }
  const auto worse = [&](std::uint64_t a, std::uint64_t b) {
    if (values[a] != values[b]) return largest ? values[a] > values[b] : values[a] < values[b];
    return a < b;
  };
  const std::size_t kept = std::min(count, flights.size());
  std::partial_sort(flights.begin(), flights.begin() + static_cast<std::ptrdiff_t>(kept), flights.end(), worse);
  flights.resize(kept);
  return flights;
}

std::vector<std::uint64_t> failed_flights(std::span<const double> values, std::size_t count) {
  std::vector<std::uint64_t> flights;
  for (std::size_t i = 0; i < values.size() && flights.size() < count; ++i) {
    if (std::isnan(values[i])) flights.push_back(i);
  }
  return flights;
}

}  // namespace gyrostat::campaign
