// Flies an example and holds what it recorded.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "gyrostat/model/load.h"
#include "gyrostat/simulate/simulation.h"

namespace gyrostat::testing {

struct Flight {
  std::vector<double> t;
  std::map<std::string, std::vector<double>> columns;
  struct Event {
    double t = 0;
    std::string name, what;
  };
  std::vector<Event> events;

  const std::vector<double>& operator[](const std::string& name) const { return columns.at(name); }
  [[nodiscard]] double last(const std::string& name) const { return columns.at(name).back(); }
  /// The largest magnitude from one time to another.
  [[nodiscard]] double peak(const std::string& name, double from = 0, double to = 1e30) const {
    double largest = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (t[i] >= from && t[i] <= to) largest = std::max(largest, std::abs(columns.at(name)[i]));
    }
    return largest;
  }
  [[nodiscard]] double mean(const std::string& name, double from, double to) const {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      if (t[i] >= from && t[i] <= to) sum += columns.at(name)[i], ++count;
    }
    return sum / count;
  }
  /// When a signal's events say it came on.
  [[nodiscard]] std::vector<double> comes_on(const std::string& name) const {
    std::vector<double> times;
    for (const Event& e : events) {
      if ((e.name == name || e.name == "signals." + name) && e.what.starts_with("on")) times.push_back(e.t);
    }
    return times;
  }
};

/// Keeps everything in memory.
class FlightRecorder : public Observer {
 public:
  FlightRecorder(Flight& flight, const std::vector<OutputColumn>& columns) : flight_(flight) {
    for (const OutputColumn& column : columns) columns_.push_back(&flight.columns[column.name]);
  }
  void record(double t, std::span<const double> row) override {
    flight_.t.push_back(t);
    for (std::size_t i = 0; i < row.size(); ++i) columns_[i]->push_back(row[i]);
  }
  void event(double t, const Change& change) override { flight_.events.push_back({t, change.name, change.what}); }
  void checkpoint(double, const std::string&) override {}
  bool go_on(double) override { return true; }

 private:
  Flight& flight_;
  std::vector<std::vector<double>*> columns_;
};

/// `example` is a path below examples/.
inline Flight fly(const std::string& example, const std::vector<Override>& overrides = {}) {
  const Loaded loaded = load_file(GYROSTAT_SOURCE_DIR "/examples/" + example, overrides);
  Flight flight;
  if (!loaded.model) {
    ADD_FAILURE() << example << " is not accepted";
    return flight;
  }
  const RunSettings settings(*loaded.model);
  Simulation simulation(*loaded.model, settings);
  FlightRecorder recorder(flight, simulation.columns());
  const auto outcome = simulation.run(recorder);
  EXPECT_EQ(outcome.kind, gyrostat::Outcome::Kind::finished) << example << ": " << outcome.failure;
  return flight;
}

/// The largest difference of a column in two flights with the same times.
inline double difference(const Flight& a, const Flight& b, const std::string& name, double from = 0, double to = 1e30) {
  EXPECT_EQ(a.t.size(), b.t.size());
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.t.size(), b.t.size()); ++i) {
    if (a.t[i] >= from && a.t[i] <= to) largest = std::max(largest, std::abs(a[name][i] - b[name][i]));
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
    if (f.t[i] < from || f.t[i] > to || b <= a || b < c) continue;
    const double peak = b + (c - a) * (c - a) / (8 * (2 * b - a - c));  // of the parabola through the three
    const double l = std::log(peak);
    n += 1, st += f.t[i], sl += l, stt += f.t[i] * f.t[i], stl += f.t[i] * l;
  }
  return (n * stl - st * sl) / (n * stt - st * st);
}

/// Frequency [rad/s] of a column that swings about `centre`, from its first and last upward crossing.
inline double frequency(const Flight& f, const std::string& name, double centre = 0) {
  const std::vector<double>& y = f[name];
  std::vector<double> crossings;
  for (std::size_t i = 1; i < y.size(); ++i) {
    if (y[i - 1] < centre && y[i] >= centre) {
      crossings.push_back(f.t[i - 1] + (f.t[i] - f.t[i - 1]) * (centre - y[i - 1]) / (y[i] - y[i - 1]));
    }
  }
  return 2 * std::acos(-1.0) * static_cast<double>(crossings.size() - 1) / (crossings.back() - crossings.front());
}

}  // namespace gyrostat::testing
