// A run: integration from event to event, with somebody watching.
#pragma once

#include <deque>
#include <map>
#include <span>

#include "gyrostat/simulate/archive.h"
#include "gyrostat/simulate/integrator.h"
#include "gyrostat/simulate/outputs.h"

namespace gyrostat {

struct RunSettings {
  std::string formulation;         // empty: the model's
  IntegratorSettings integrator;   // the model's, unless changed
  double until = 0;                // [s]
  double interval = 0;             // between records [s]
  double checkpoint_interval = 0;  // [s]; 0: none

  RunSettings() = default;
  /// As the model's `simulation` and `output` sections say.
  explicit RunSettings(const Model& model);

  [[nodiscard]] std::uint64_t record_count() const;
};

/// What keeps a model from being run with these settings, or empty.
std::string obstacle_to_run(const Model& model, const RunSettings& settings);

/// What an integrator with these settings may leave unaccounted for in the ledger, relative to its size.
double ledger_allowance(const IntegratorSettings& settings);

/// Somebody who is told what happens.
class Observer {
 public:
  virtual ~Observer() = default;
  /// At every interval, in order.
  virtual void record(double t, std::span<const double> row) = 0;
  virtual void event(double t, const Change& change) = 0;
  /// Everything needed to go on from t later.
  virtual void checkpoint(double t, const std::string& bytes) = 0;
  /// After every step. False: stop here.
  virtual bool go_on(double t) = 0;
};

struct Outcome {
  enum class Kind { finished, interrupted, failed };
  Kind kind = Kind::finished;
  double t = 0;         // how far it came [s]
  std::string failure;  // what happened there
};

class Simulation {
 public:
  /// Keeps pointing at the model. Precondition: obstacle_to_run has nothing to say.
  Simulation(const Model& model, const RunSettings& settings, std::vector<PluginFunction> plugins = {});

  /// From the beginning, or from a checkpoint; until the end, or until the observer has enough or it cannot go on.
  Outcome run(Observer& observer);
  Outcome resume(const std::string& checkpoint, Observer& observer);
  /// Throws std::runtime_error if the checkpoint is damaged or belongs to another model. resume() calls it.
  void restore(const std::string& checkpoint);

  [[nodiscard]] const std::vector<OutputColumn>& columns() const { return outputs_.columns(); }
  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  [[nodiscard]] const IntegratorStatistics& statistics() const { return integrator_.statistics(); }
  [[nodiscard]] std::uint64_t event_count() const { return events_; }
  [[nodiscard]] std::uint64_t records() const { return records_; }
  [[nodiscard]] const RunSettings& settings() const { return settings_; }
  Plant& plant() { return plant_; }

 private:
  /// Where the next step must not pass.
  struct Stops {
    double due = 0, checkpoint = 0;  // [s]
  };
  [[nodiscard]] Stops next_stops() const;
  Outcome go(Observer& observer);
  Outcome fail(double t, const std::string& why);
  [[nodiscard]] std::uint64_t fingerprint() const;
  std::string explain(const std::string& reason);
  std::optional<std::string> find_lock();
  bool examine(const Step& step, double& to);
  bool graze(double a, double b, double c, std::size_t k, double& crossed);
  double locate(double before, double beyond);
  void take_flows(double from, double to);
  void look_into_step(double t, bool closely);
  void record_until(double t, bool including, Observer& observer);
  std::optional<std::string> settle(double t, double step_end, Observer& observer, bool& changed);
  std::optional<std::string> count_changes(double t, const std::vector<Change>& changes);
  void save(Observer& observer);
  [[nodiscard]] double record_time(std::uint64_t k) const;

  const Model& model_;
  RunSettings settings_;
  Plant plant_;
  Ode ode_;
  Integrator integrator_;
  Ledger ledger_;
  Outputs outputs_;

  double t_ = 0;
  Eigen::VectorXd y_;
  std::uint64_t records_ = 0, events_ = 0, checkpoints_ = 0, comparisons_ = 0;
  std::vector<double> volumes_;  // that the axes of gimbals span, at the end of the last step
  std::uint64_t stalled_ = 0;    // steps one after the other that led nowhere
  std::vector<double> row_;
  std::array<std::vector<double>, 5> margins_;        // at the nodes of a step
  std::map<std::string, std::deque<double>> recent_;  // when each thing changed lately
};

}  // namespace gyrostat
