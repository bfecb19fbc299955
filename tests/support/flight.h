// A model text run from beginning to end in memory: its records by name, its events, its ledger.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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
  enum class Expect {
    anything,
    finish,   // the test fails if it does not
    progress  // ended from outside, and the test fails, where time does not move on
  };

  explicit Flight(const std::string& text, const Adjust& adjust = {}, Expect expect = Expect::anything)
      : Flight(load(text), adjust, expect) {}
  explicit Flight(Loaded l, const Adjust& adjust = {}, Expect expect = Expect::anything)
      : loaded(valid(std::move(l))),
        settings(*loaded.model),
        simulation(*loaded.model, adjusted(adjust)),
        expect_(expect) {
    outcome = simulation.run(*this);
    for (std::size_t k = 0; k < simulation.columns().size(); ++k) {
      std::vector<double>& values = columns_[simulation.columns()[k].name];
      for (const auto& row : rows) values.push_back(row[k]);
    }
    if (expect == Expect::finish) {
      EXPECT_EQ(outcome.kind, gyrostat::Outcome::Kind::finished) << outcome.failure;
    } else if (expect == Expect::progress) {
      EXPECT_NE(outcome.kind, gyrostat::Outcome::Kind::interrupted) << "hangs at t = " << outcome.t;
    }
  }
  Flight(const Flight&) = delete;
  Flight& operator=(const Flight&) = delete;

  Loaded loaded;
  RunSettings settings;
  Simulation simulation;
  gyrostat::Outcome outcome;
  std::vector<double> time;
  std::vector<std::vector<double>> rows;
  std::vector<RecordedEvent> events;
  std::vector<std::pair<double, std::string>> checkpoints;

  /// Where in a row a quantity is.
  [[nodiscard]] std::size_t column(const std::string& name) const {
    const auto& columns = simulation.columns();
    const auto found = std::ranges::find(columns, name, &OutputColumn::name);
    if (found == columns.end()) throw std::runtime_error("nothing recorded is called " + name);
    return static_cast<std::size_t>(found - columns.begin());
  }
  /// Values of a quantity, one for each record.
  const std::vector<double>& operator[](const std::string& name) const { return values(name); }
  [[nodiscard]] const std::vector<double>& values(const std::string& name) const {
    const auto found = columns_.find(name);
    if (found == columns_.end()) throw std::runtime_error("nothing recorded is called " + name);
    return found->second;
  }
  [[nodiscard]] double last(const std::string& name) const { return values(name).back(); }
  /// At the record nearest to t.
  [[nodiscard]] double at(double t, const std::string& name) const {
    const auto nearer = [t](double a, double b) { return std::abs(a - t) < std::abs(b - t); };
    const auto k = std::ranges::min_element(time, nearer) - time.begin();
    return values(name)[static_cast<std::size_t>(k)];
  }
  /// The largest magnitude from one time to another.
  [[nodiscard]] double peak(const std::string& name, double from = 0, double to = 1e30) const {
    double largest = 0;
    for (std::size_t i = 0; i < time.size(); ++i) {
      if (time[i] >= from && time[i] <= to) largest = std::max(largest, std::abs(values(name)[i]));
    }
    return largest;
  }
  [[nodiscard]] double mean(const std::string& name, double from, double to) const {
    double sum = 0;
    int count = 0;
    for (std::size_t i = 0; i < time.size(); ++i) {
      if (time[i] >= from && time[i] <= to) sum += values(name)[i], ++count;
    }
    return sum / count;
  }
  /// Instants at which something of this name changed: "signals.jet1".
  [[nodiscard]] std::vector<double> times_of(const std::string& name) const {
    std::vector<double> list;
    for (const RecordedEvent& e : events) {
      if (e.change.name == name) list.push_back(e.t);
    }
    return list;
  }
  /// What it changed to.
  [[nodiscard]] std::vector<std::string> changes_of(const std::string& name) const {
    std::vector<std::string> list;
    for (const RecordedEvent& e : events) {
      if (e.change.name == name) list.push_back(e.change.what);
    }
    return list;
  }
  /// Of a source of the ledger.
  [[nodiscard]] double work_of(const std::string& source) const {
    const Ledger& ledger = simulation.ledger();
    return ledger.work[static_cast<std::size_t>(std::ranges::find(ledger.sources, source) - ledger.sources.begin())];
  }
  /// When a signal's events say it came on.
  [[nodiscard]] std::vector<double> comes_on(const std::string& name) const {
    std::vector<double> list;
    for (const RecordedEvent& e : events) {
      if ((e.change.name == name || e.change.name == "signals." + name) && e.change.what.starts_with("on")) {
        list.push_back(e.t);
      }
    }
    return list;
  }

  void record(double t, std::span<const double> row) override {
    time.push_back(t);
    rows.emplace_back(row.begin(), row.end());
  }
  void event(double t, const Change& change) override { events.push_back({t, change}); }
  void checkpoint(double t, const std::string& bytes) override { checkpoints.emplace_back(t, bytes); }
  bool go_on(double t) override {
    if (expect_ != Expect::progress) return true;
    still_ = t == last_ ? still_ + 1 : 0;
    last_ = t;
    return still_ < 1000 && ++steps_ < 200'000;
  }

 private:
  static Loaded valid(Loaded loaded) {
    if (!loaded.model) throw std::runtime_error(problems_of(loaded));
    return loaded;
  }
  const RunSettings& adjusted(const Adjust& adjust) {
    if (adjust) adjust(settings);
    if (const std::string why = error_of_run(*loaded.model, settings); !why.empty()) throw std::runtime_error(why);
    return settings;
  }

  Expect expect_;
  std::map<std::string, std::vector<double>> columns_;
  double last_ = -1;
  int still_ = 0, steps_ = 0;
};

}  // namespace gyrostat::testing
