// How far two results are from each other.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gyrostat/results/results_reader.h"

namespace gyrostat::results {

struct CompareSettings {
  double tolerance = 1e-9;  // of the relative difference
  double floor = 1e-6;      // no magnitude counts as smaller than this, so that noise about zero is no difference
  std::vector<std::string> names;  // of columns that both have; none: all that both have
};

/// The largest difference of a column.
struct ColumnDifference {
  std::string name, unit;
  double difference = 0;  // NaN if one is a number where the other is not
  double time = 0;        // s, where it is
  double magnitude = 0;   // the largest in both; x, y, z and w of a vector have one in common
  double relative = 0;    // the difference over the larger of magnitude and floor
  bool within = true;     // the tolerance
};

struct Comparison {
  std::vector<ColumnDifference> columns;  // the worst first
  std::vector<std::string> only_in_first, only_in_second;
  bool same_times = false;     // else the second's values are interpolated linearly at the first's times
  bool same_span = false;      // they begin and end together
  std::uint64_t instants = 0;  // of the first that the second covers, which are those compared
  /// All columns within the tolerance, over the same time, and something to compare.
  [[nodiscard]] bool agree() const;
};

/// Throws ResultsError if a name is not in both.
Comparison compare(const ResultsReader& first, const ResultsReader& second, const CompareSettings& settings);

}  // namespace gyrostat::results
