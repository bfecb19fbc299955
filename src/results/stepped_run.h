// A run that a program takes step by step, with inputs that it sets: a control law of its own, or an environment of
// learning.
//
//   results::SteppedRun run(loaded, settings, {.inputs = {{"bus.torque_x", {}}}});
//   Outcome outcome = run.begin();
//   while (outcome.kind == Outcome::Kind::finished && run.time() < 60) {
//     run.set_input(0, -3 * run.value("bus.omega_x"));
//     outcome = run.step(0.1);
//   }
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gyrostat/analysis/points.h"
#include "gyrostat/results/results.h"
#include "gyrostat/simulate/simulation.h"

namespace gyrostat::results {

struct SteppedOptions {
  /// Names, as find_input takes them, and first values. A signal is replaced by what is set, and has its value at t = 0
  /// where none is given; a force or torque acts beside all others, and is zero then.
  std::vector<std::pair<std::string, std::optional<double>>> inputs = {};
  std::vector<Override> overrides = {};  // those that the model was loaded with
  bool allow_plugins = false;            // load and call the shared libraries that the model names
  bool record = false;                   // keep records for a results file
};

class SteppedRun {
 public:
  using GoOn = std::function<bool(double t)>;  // after every step of the integrator; false ends it there [s]

  /// Throws RunError, AnalysisError or std::invalid_argument where the settings or inputs do not allow a run.
  SteppedRun(std::shared_ptr<const Loaded> loaded, const RunSettings& settings, SteppedOptions options);

  Outcome begin() { return kept(simulation_->begin(recorder_)); }
  /// Until dt later, and no further than the end of the run.
  Outcome step(double dt, const GoOn& go_on = {});

  [[nodiscard]] double time() const { return simulation_->time(); }
  [[nodiscard]] const std::vector<LinearVariable>& inputs() const { return inputs_; }
  [[nodiscard]] std::optional<std::size_t> find_input(const std::string& name) const;
  [[nodiscard]] double input(std::size_t k) const;
  void set_input(std::size_t k, double value) { simulation_->set_input(k, value); }

  /// Of any quantity that expressions name. Throws std::out_of_range with the nearest name.
  [[nodiscard]] double value(const std::string& name);

  /// Goes on with the same model with other parameters. The ledger begins anew. Throws std::invalid_argument where the
  /// structure is another, and is as before then.
  void change_parameters(std::shared_ptr<const Loaded> loaded, std::vector<Override> overrides);

  /// The records so far, as a results file that replaces an older one. Such a run cannot be resumed. Throws
  /// ResultsError; RunError where no records were kept.
  void write(const std::string& path, const std::string& command, bool force) const;

  [[nodiscard]] const std::vector<Event>& events() const { return recorder_.events; }
  [[nodiscard]] const std::shared_ptr<const Loaded>& loaded() const { return loaded_; }
  [[nodiscard]] const std::vector<Override>& overrides() const { return options_.overrides; }
  [[nodiscard]] Simulation& simulation() { return *simulation_; }

 private:
  struct Recorder final : Observer {
    bool keeps = false;
    std::vector<std::pair<double, std::vector<double>>> rows;
    std::vector<Event> events;
    const GoOn* asked = nullptr;

    void record(double t, std::span<const double> row) override;
    void event(double t, const Change& change) override;
    void checkpoint(double, const std::string&) override {}
    bool go_on(double t) override { return asked == nullptr || !*asked || (*asked)(t); }
  };

  [[nodiscard]] std::unique_ptr<Simulation> simulation_of(const Loaded& loaded) const;
  Outcome kept(Outcome outcome);

  std::shared_ptr<const Loaded> loaded_;
  RunSettings settings_;
  SteppedOptions options_;
  AnalysisPoints points_;
  std::vector<LinearVariable> inputs_;
  std::unique_ptr<Simulation> simulation_;
  Recorder recorder_;
  Outcome outcome_;  // the last
  std::unordered_map<std::string, ValueSource> known_;
};

}  // namespace gyrostat::results
