// A run: integration from event to event, told to an observer.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>

#include "gyrostat/plant/lanes.h"
#include "gyrostat/simulate/archive.h"
#include "gyrostat/simulate/integrator.h"
#include "gyrostat/simulate/outputs.h"
#include "gyrostat/simulate/run_settings.h"

namespace gyrostat {

/// Is told what happens.
class Observer {
 public:
  virtual ~Observer() = default;
  /// At t = 0, after the first record: in which states state machines are, and what latches, friction and stops hold.
  virtual void begin(const std::vector<Change>& /*states*/) {}
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
  double t = 0;                 // how far it came [s]
  std::string failure;          // what happened there
  std::string checkpoint = {};  // to go on from there: of a run that did not fail
  std::string hint = {};        // how the same could be had sooner, or empty
};

/// Evaluates a run in its place, among others.
struct LaneEvaluation {
  void* context = nullptr;
  /// y', or the values of the program's slots.
  void (*find)(void* context, PlantLanes::Asked what, double t, const double* y, double* into) = nullptr;
};

class Simulation {
 public:
  /// Keeps pointing at the model, and at what finds the rates, if it is not the run itself. Throws
  /// std::invalid_argument with what error_of_run says.
  Simulation(const Model& model, const RunSettings& settings, std::vector<PluginFunction> plugins = {},
             const AnalysisPoints& points = {}, const LaneEvaluation* by_lane = nullptr);
  ~Simulation();

  /// From the beginning, or from a checkpoint, also of a run that was to end earlier; until the end, or until the
  /// observer has enough or it cannot go on.
  Outcome run(Observer& observer);
  Outcome resume(const std::string& checkpoint, Observer& observer);

  // A run in parts: begin, then advance as often as is wanted. Their outcomes have no checkpoint.
  Outcome begin(Observer& observer);
  /// To t, which is not before where the run has come to; at most to the end of the run.
  Outcome advance(double t, Observer& observer);
  /// Of the analysis points, from the present instant on. What depends on it switches when the run goes on.
  void set_input(std::size_t input, double value);
  /// Goes on where another run has come to, which may be of a model with other numbers: with its time, state, inputs
  /// and memory. The ledger begins anew. Throws std::invalid_argument, naming what differs, if the structures are not
  /// the same.
  void continue_from(const Simulation& other);

  /// Throws std::runtime_error if the checkpoint is damaged or belongs to another model or other settings. resume()
  /// calls it.
  void restore(const std::string& checkpoint);

  [[nodiscard]] const std::vector<OutputColumn>& columns() const { return outputs_.columns(); }
  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  [[nodiscard]] const IntegratorStatistics& statistics() const { return integrator_.statistics(); }
  /// Of settings().measures.
  [[nodiscard]] std::vector<double> measured() const { return measures_.results(); }
  [[nodiscard]] std::uint64_t event_count() const { return events_; }
  [[nodiscard]] std::uint64_t records() const { return records_; }
  [[nodiscard]] const RunSettings& settings() const { return settings_; }
  PlantRun& run_state() { return run_; }
  /// What it remembers where it has come to.
  [[nodiscard]] const DiscreteState& discrete() const { return run_.discrete(); }
  /// Where the run has come to [s].
  [[nodiscard]] double time() const { return t_; }
  /// A quantity there.
  [[nodiscard]] double value(const ValueSource& source);
  /// y where the run has come to.
  [[nodiscard]] const Eigen::VectorXd& state_vector() const { return y_; }
  [[nodiscard]] const Plant& plant() const { return plant_; }

 private:
  /// Where the next step must not pass.
  struct Stops {
    double due = 0, checkpoint = 0;  // [s]
  };
  [[nodiscard]] Stops next_stops() const;
  Outcome go(double stop, Observer& observer);
  Outcome go_to_end(Observer& observer);
  std::optional<std::string> follow_inputs(Observer& observer);
  Outcome fail(double t, const std::string& why);
  Outcome end(Outcome::Kind kind);
  std::string stiffness_hint();
  [[nodiscard]] std::uint64_t fingerprint() const;
  std::string explain(const std::string& reason);
  std::optional<std::string> find_gimbal_lock_passed();
  bool examine(const Step& step, double& to);
  bool find_tangential_crossing(double a, double b, double c, std::size_t k, double& crossed);
  double locate(double before, double beyond, const std::vector<double>& functions_before);
  [[nodiscard]] bool needs_samples() const { return ledger_.needs_samples() || !measures_.empty(); }
  /// Are thresholds, measures and what is not finite judged by the values of a lane? Then those that the run evaluates
  /// by itself are for the ledger and for records only.
  [[nodiscard]] bool judged_by_lane() const { return by_lane_ != nullptr && !run_.restrained(); }
  void take_rates();
  void sample(double t, std::size_t node);
  void sample_again(double from, double to);
  void take_measures(double from, double to);
  void evaluate_within_step(double t, Stage stage);
  void find_values_within_step(double t);
  void record_until(double t, bool including, Observer& observer);
  std::optional<std::string> handle_event(double t, double step_end, Observer& observer, bool& changed);
  std::optional<std::string> count_changes(double t, const std::vector<Change>& changes);
  std::optional<std::string> judge_assembly();
  std::optional<std::string> keep_constraints(const Step& step, bool event, Observer& observer);
  void note_redundant();
  bool follow_redundant();
  void tell_redundant(Observer& observer);
  [[nodiscard]] double most_violation() const;
  void prepare_to_save();
  [[nodiscard]] std::string save() const;
  [[nodiscard]] double record_time(std::uint64_t k) const;

  const Model& model_;
  RunSettings settings_;
  Plant plant_;
  PlantRun run_;
  struct LaneOfItsOwn;
  std::unique_ptr<LaneOfItsOwn> lane_;  // of settings_.as_lane
  const LaneEvaluation* by_lane_;       // or none
  Ode ode_;
  Integrator integrator_;
  Ledger ledger_;
  Outputs outputs_;
  Measures measures_;

  double t_ = 0;
  Eigen::VectorXd y_;
  std::uint64_t records_ = 0, events_ = 0, checkpoints_ = 0, comparisons_ = 0;
  bool drifted_ = false;              // from the constraints, further than a method without a hook for them may
  bool singular_ = false;             // the constraints were nearly dependent at the end of the last step
  bool inputs_changed_ = false;       // since the last step
  std::vector<Redundant> redundant_;  // constraints, now
  double largest_pivot_ = 0;          // at the end of a step, so far
  double planned_pivot_ = 1;          // when rows were last chosen anew, while pivots are suspect
  std::vector<double> volumes_;       // that the axes of gimbals span, at the end of the last step
  std::uint64_t stalled_ = 0;         // steps one after the other without length
  std::vector<double> row_;
  std::array<std::vector<double>, 5> event_functions_;  // at the nodes of a step
  std::array<std::vector<double>, 3> bracket_;          // the same about an event that is being located
  std::map<std::string, std::deque<double>> recent_;    // when each thing changed lately
};

}  // namespace gyrostat
