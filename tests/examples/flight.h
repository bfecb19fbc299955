// Flies an example; and measures of what it recorded.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {

/// `example` is a path below examples/.
inline Flight fly(const std::string& example, const std::vector<Override>& overrides = {}) {
  return Flight(load_file(GYROSTAT_SOURCE_DIR "/examples/" + example, overrides), {}, Flight::Expect::finish);
}

/// The largest difference of a column in two flights with the same times.
inline double difference(const Flight& a, const Flight& b, const std::string& name, double from = 0, double to = 1e30) {
  EXPECT_EQ(a.time.size(), b.time.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.time.size(), b.time.size()); ++i) {
    if (a.time[i] >= from && a.time[i] <= to) largest = std::max(largest, std::abs(a[name][i] - b[name][i]));
  }
  return largest;
}

/// How a column's peaks grow: the slope of the logarithm of its local maxima of magnitude about `centre`, by least
/// squares [1/s].
inline double growth(const Flight& f, const std::string& name, double centre, double from, double to) {
  const std::vector<double>& y = f[name];
  double n = 0, st = 0, sl = 0, stt = 0, stl = 0;
  for (std::size_t i = 1; i + 1 < y.size(); ++i) {
    const double a = std::abs(y[i - 1] - centre), b = std::abs(y[i] - centre), c = std::abs(y[i + 1] - centre);
    if (f.time[i] < from || f.time[i] > to || b <= a || b < c) continue;
    const double peak = b + (c - a) * (c - a) / (8 * (2 * b - a - c));  // of the parabola through the three
    const double l = std::log(peak);
    n += 1, st += f.time[i], sl += l, stt += f.time[i] * f.time[i], stl += f.time[i] * l;
  }
  return (n * stl - st * sl) / (n * stt - st * st);
}

/// Frequency [rad/s] of a column that swings about `centre`, from its first and last upward crossing.
inline double frequency(const Flight& f, const std::string& name, double centre = 0) {
  const std::vector<double>& y = f[name];
  std::vector<double> crossings;
  for (std::size_t i = 1; i < y.size(); ++i) {
    if (y[i - 1] < centre && y[i] >= centre) {
      crossings.push_back(f.time[i - 1] + (f.time[i] - f.time[i - 1]) * (centre - y[i - 1]) / (y[i] - y[i - 1]));
    }
  }
  return 2 * std::acos(-1.0) * static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
}

}  // namespace gyrostat::testing
