// A model text run from beginning to end in memory: its records by name, its events, its ledger.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "gyrostat/simulate/simulation.h"

#include "support/load.h"

namespace gyrostat::testing {

struct RecordedEvent {
  double t = 0;
  Change change;
};

class Flight : public Observer {
 public:
  using Adjust = std::function<void(RunSettings&)>;

  explicit Flight(const std::string& text, const Adjust& adjust = {}) : Flight(load(text), adjust) {}
  explicit Flight(Loaded l, const Adjust& adjust = {})
      : loaded(valid(std::move(l))), settings(*loaded.model), simulation(*loaded.model, adjusted(adjust)) {
    outcome = simulation.run(*this);
  }
  Flight(const Flight&) = delete;
  Flight& operator=(const Flight&) = delete;

  Loaded loaded;
  RunSettings settings;
  Simulation simulation;
  Outcome outcome;
  std::vector<double> time;
  std::vector<std::vector<double>> rows;
  std::vector<RecordedEvent> events;
  std::vector<std::pair<double, std::string>> checkpoints;

  [[nodiscard]] std::size_t column(const std::string& name) const {
    const auto& columns = simulation.columns();
    const auto found = std::ranges::find(columns, name, &OutputColumn::name);
    if (found == columns.end()) throw std::runtime_error("nothing recorded is called " + name);
    return static_cast<std::size_t>(found - columns.begin());
  }
  /// Values of a quantity, one for each record.
  [[nodiscard]] std::vector<double> values(const std::string& name) const {
    const std::size_t k = column(name);
    std::vector<double> list;
    for (const auto& row : rows) list.push_back(row[k]);
    return list;
  }
  [[nodiscard]] double last(const std::string& name) const { return rows.back()[column(name)]; }
  /// At the record nearest to t.
  [[nodiscard]] double at(double t, const std::string& name) const {
    const auto nearer = [t](double a, double b) { return std::abs(a - t) < std::abs(b - t); };
    const auto k = std::ranges::min_element(time, nearer) - time.begin();
    return rows[static_cast<std::size_t>(k)][column(name)];
  }
  /// Instants at which something of this name changed: "signals.jet1".
  [[nodiscard]] std::vector<double> times_of(const std::string& name) const {
    std::vector<double> list;
    for (const RecordedEvent& e : events) {
      if (e.change.name == name) list.push_back(e.t);
    }
    return list;
  }

  void record(double t, std::span<const double> row) override {
    time.push_back(t);
    rows.emplace_back(row.begin(), row.end());
  }
  void event(double t, const Change& change) override { events.push_back({t, change}); }
  void checkpoint(double t, const std::string& bytes) override { checkpoints.emplace_back(t, bytes); }
  bool go_on(double) override { return true; }

 private:
  static Loaded valid(Loaded loaded) {
    if (!loaded.model) throw std::runtime_error(problems_of(loaded));
    return loaded;
  }
  const RunSettings& adjusted(const Adjust& adjust) {
    if (adjust) adjust(settings);
    if (const std::string why = obstacle_to_run(*loaded.model, settings); !why.empty()) throw std::runtime_error(why);
    return settings;
  }
};

}  // namespace gyrostat::testing
