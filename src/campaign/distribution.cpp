#include "gyrostat/campaign/distribution.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "gyrostat/format/checks.h"

namespace gyrostat::campaign {

// Numbers that could not be read are NaN, and no comparison with them is true.

void Uniform::check(const Wrong& wrong) const {
  if (low >= high) wrong("high", fmt::format("must be above low, {}", shown(low)));
}

double Uniform::quantile(const Probability& p) const {  // (1)
  return p.below < 0.5 ? low + (high - low) * p.below : high - (high - low) * p.above;
}

void Normal::check(const Wrong& wrong) const { positive(wrong, "std", std); }

double Normal::quantile(const Probability& p) const { return mean + std * normal_quantile(p); }  // (2)

namespace {

/// What the ends of an interval leave of the normal distribution: P(z < a), P(z > b), and what is between.
struct Kept {
  double below = 0, between = 0, above = 0;
};

Kept kept(double a, double b) {
  const Probability at_a = normal_probability(a), at_b = normal_probability(b);
  // Of the differences, the one whose numbers are small: that of the middle is 1 - below - above.
  const double between = a > 0   ? at_a.above - at_b.above
                         : b < 0 ? at_b.below - at_a.below
                                 : 1 - at_a.below - at_b.above;
  return {at_a.below, between, at_b.above};
}

}  // namespace

void Truncated::check(const Wrong& wrong) const {
  positive(wrong, "std", std);
  if (low >= high) return wrong("high", fmt::format("must be above low, {}", shown(low)));
  if (std > 0 && !(kept((low - mean) / std, (high - mean) / std).between > 1e-290)) {
    const bool readable = !std::isnan(low) && !std::isnan(high) && !std::isnan(mean);
    if (readable)
      wrong("", fmt::format("nothing of the normal distribution lies between {} and {}: its mean is {}, its std {}",
                            shown(low), shown(high), shown(mean), shown(std)));
  }
}

double Truncated::quantile(const Probability& p) const {  // (3)
  const Kept part = kept((low - mean) / std, (high - mean) / std);
  const Probability whole{part.below + part.between * p.below, part.above + part.between * p.above};
  return std::clamp(mean + std * normal_quantile(whole), low, high);
}

void Lognormal::check(const Wrong& wrong) const {
  positive(wrong, "median", median);
  positive(wrong, "sigma", sigma);
  if (sigma > 50) wrong("sigma", "is the deviation of the logarithm, without a unit; 50 is the limit");
}

double Lognormal::quantile(const Probability& p) const { return median * std::exp(sigma * normal_quantile(p)); }  // (4)

void Triangular::check(const Wrong& wrong) const {
  if (low >= high) wrong("high", fmt::format("must be above low, {}", shown(low)));
  if (low < high && (mode < low || mode > high))
    wrong("mode", fmt::format("must be between low and high, {} and {}", shown(low), shown(high)));
}

double Triangular::quantile(const Probability& p) const {  // (5)
  const double width = high - low;
  if (p.below * width <= mode - low) return std::min(low + std::sqrt(p.below * width * (mode - low)), mode);
  return std::max(high - std::sqrt(p.above * width * (high - mode)), mode);
}

void Choice::check(const Wrong& wrong) const {
  if (of.empty()) wrong("of", "the list is empty");
  if (weights.empty()) return;
  if (weights.size() != of.size())
    return wrong("weights", fmt::format("expected one for each of the {} values, got {}", of.size(), weights.size()));
  const auto negative = std::ranges::find_if(weights, [](double w) { return w < 0; });
  if (negative != weights.end())
    return wrong(fmt::format("weights[{}]", negative - weights.begin()), "must not be negative");
  if (std::accumulate(weights.begin(), weights.end(), 0.0) == 0) wrong("weights", "are all zero");
}

double Choice::quantile(const Probability& p) const {  // (6)
  if (weights.empty()) {
    const auto i = static_cast<std::size_t>(p.below * static_cast<double>(of.size()));
    return of[std::min(i, of.size() - 1)];
  }
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double sum = 0;
  std::size_t last = 0;
  for (std::size_t i = 0; i < of.size(); ++i) {
    if (weights[i] > 0) last = i;
    sum += weights[i];
    if (p.below * total < sum) break;
  }
  return of[last];
}

void Table::check(const Wrong& wrong) const {
  if (!column.empty() && !columns.empty()) wrong("columns", "column is given as well; only one of them can be");
  if (column.empty() && columns.empty()) wrong("", "says no column; give column: NAME");
}

double quantile(const Distribution& distribution, const Probability& p) {
  return std::visit(
      [&]<class D>(const D& d) -> double {
        if constexpr (std::is_same_v<D, Table>) {
          assert(false && "a table has no quantile");
          return std::numeric_limits<double>::quiet_NaN();
        } else {
          return d.quantile(p);
        }
      },
      distribution);
}

}  // namespace gyrostat::campaign
