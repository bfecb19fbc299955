// How a quantity is distributed over flights, over time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace gyrostat::campaign {

/// 0 and 1 are the smallest and the largest value.
inline constexpr std::array<double, 7> band_fractions = {0, 0.05, 0.25, 0.5, 0.75, 0.95, 1};

struct Bands {
  /// By fraction, then time: quantiles over the flights that have a value then; NaN where none has.
  std::array<std::vector<double>, band_fractions.size()> values;
  std::vector<std::uint64_t> flights;  // by time: how many have a value
};

/// `values` are by flight, then time.
Bands bands_of(std::span<const double> values, std::size_t times);

}  // namespace gyrostat::campaign
