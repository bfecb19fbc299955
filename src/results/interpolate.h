// Values between records.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

namespace gyrostat::results {

/// Between records `before` and the next: the value is (1 - part) of the one and `part` of the other.
struct Between {
  std::size_t before = 0;
  double part = 0;

  [[nodiscard]] double value(std::span<const double> values) const {
    if (part == 0) return values[before];
    return values[before] + part * (values[before + 1] - values[before]);
  }
};

/// Which side of a jump is meant where two records have the same time.
enum class Side { before, after };

/// Where `t` lies among `times`, which do not decrease and are not empty; times outside count as the nearest inside.
inline Between locate(std::span<const double> times, double t, Side side = Side::after) {
  const auto first_not_less = std::ranges::lower_bound(times, t);
  if (first_not_less == times.end()) return {times.size() - 1, 0};
  const auto index = static_cast<std::size_t>(first_not_less - times.begin());
  if (*first_not_less == t) {
    if (side == Side::before) return {index, 0};
    return {static_cast<std::size_t>(std::ranges::upper_bound(times, t) - times.begin()) - 1, 0};
  }
  if (index == 0) return {0, 0};
  return {index - 1, (t - times[index - 1]) / (times[index] - times[index - 1])};
}

}  // namespace gyrostat::results
