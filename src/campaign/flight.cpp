#include "gyrostat/campaign/flight.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include <fmt/format.h>

#include "gyrostat/campaign/histories.h"
#include "gyrostat/campaign/read.h"
#include "gyrostat/campaign/statistics.h"
#include "gyrostat/model/dimensions.h"
#include "gyrostat/plant/lanes.h"
#include "gyrostat/results/run.h"

namespace gyrostat::campaign {

namespace {

/// The first error of a model in one line, without its place.
std::string first_error(const Problems& problems) {
  for (const Problem& problem : problems.all()) {
    if (problem.severity != Severity::error) continue;
    return problem.path.empty() ? problem.message : problem.path + ": " + problem.message;
  }
  return "the model is not valid";
}

/// Why a model is flown by itself, or empty.
std::string outside_packs(const Plant& plant, const IntegratorSettings& integrator) {
  if (integrator.method == "cvode_bdf" || integrator.method == "ida") {
    return fmt::format("integrator {} is implicit", integrator.method);
  }
  return outside_lanes(plant);
}

/// Ends a flight when it is to stop, and keeps its history, or what it records for computed measures.
class Listener : public Observer {
 public:
  Listener(const std::atomic<bool>& stop, const Simulation& simulation, FlightRecord& kept, HistoryRecorder* recorder)
      : stop_(stop), record_(kept), recorder_(recorder) {
    if (recorder_ != nullptr || !simulation.settings().records) return;
    for (std::size_t k = 0; k < simulation.columns().size(); ++k) {
      if (simulation.columns()[k].name.starts_with(ledger_prefix)) continue;
      kept_.push_back(k);
      record_.columns.push_back(simulation.columns()[k]);
    }
  }

  void record(double t, std::span<const double> row) override {
    if (recorder_ != nullptr) return recorder_->record(row);
    record_.time.push_back(t);
    for (const std::size_t k : kept_) record_.rows.push_back(row[k]);
  }
  void event(double, const Change&) override {}
  void checkpoint(double, const std::string&) override {}
  bool go_on(double) override { return !stop_.load(std::memory_order_relaxed); }

 private:
  static constexpr std::string_view ledger_prefix = "ledger/";

  const std::atomic<bool>& stop_;
  FlightRecord& record_;
  HistoryRecorder* recorder_;
  std::vector<std::size_t> kept_;  // columns
};

/// In a lane, while it lives.
class Stay {
 public:
  Stay(const LaneOfFlight* lane, Simulation& simulation) : lane_(lane) {
    if (lane_ != nullptr) lane_->entered(lane_->context, simulation);
  }
  ~Stay() {
    if (lane_ != nullptr) lane_->left(lane_->context);
  }
  Stay(const Stay&) = delete;
  Stay& operator=(const Stay&) = delete;

 private:
  const LaneOfFlight* lane_;
};

/// The reason why a flight has failed that came to its end: what it requires did not come. Or empty.
std::string requires_in_vain(const CampaignDescription& campaign, const std::vector<double>& measures, double end) {
  for (std::size_t k = 0; k < campaign.measures.size(); ++k) {
    const Measure& measure = campaign.measures[k];
    if (!measure.required || measures[k] < std::numeric_limits<double>::infinity()) continue;
    return fmt::format("{} did not come until {:.9g} s", measure.name, std::min(measure.before, end));
  }
  return {};
}

/// With NaN in the places of those that are not computed yet.
std::vector<double> in_their_places(const CampaignDescription& campaign, const std::vector<double>& measured) {
  std::vector<double> all;
  std::size_t next = 0;
  for (const Measure& measure : campaign.measures) all.push_back(measure.computed ? not_a_number : measured[next++]);
  return all;
}

}  // namespace

FlightPlan::FlightPlan(CampaignDescription campaign, ModelText model)
    : campaign_(std::move(campaign)),
      sampler_(campaign_),
      text_(std::move(model)),
      model_text_(text_.source().whole_text()) {
  add_measures(campaign_, text_);
  nominal_ = std::make_unique<const Loaded>(text_.load());
  if (!nominal_->model) throw std::invalid_argument(first_error(nominal_->problems));
  settings_ = RunSettings(*nominal_->model);
  settings_.watch_interval = settings_.interval;
  for (const Measure& m : campaign_.measures) {
    if (!m.computed) settings_.measures.push_back({measure_signal(m), m.kind, m.after, m.before, m.hold});
  }
  if (const std::string why = error_of_run(*nominal_->model, settings_); !why.empty()) throw std::invalid_argument(why);
  plant_ = std::make_unique<const Plant>(*nominal_->model, settings_.formulation);
  for (const HeldBlock& block : plant_->signals().held) {
    if (std::holds_alternative<Plugin>(block.kind)) plugin_ = block.name;
  }
  alone_because_ =
      !plugin_.empty() ? fmt::format("signals.{} is a plugin", plugin_) : outside_packs(*plant_, settings_.integrator);
  settings_.as_lane = alone_because_.empty();
}

void FlightPlan::open_plugins() {
  if (!plugin_.empty()) plugins_ = results::open_plugins(*nominal_->model, nominal_->source.file(), true);
}

void FlightPlan::check_plugins() const {
  if (!plugin_.empty() && !runs_plugins()) {
    static_cast<void>(results::open_plugins(*nominal_->model, nominal_->source.file(), false));
  }
}

std::vector<Override> FlightPlan::overrides(std::uint64_t flight) const {
  std::vector<double> values(sampler_.columns().size());
  sampler_.sample(flight, values);
  std::vector<Override> list;
  for (const Sampler::Parameter& p : sampler_.parameters()) {
    const auto text = [&](std::size_t k) { return fmt::format("{}", values[p.first + k]); };
    list.push_back({p.name, p.size == 1 ? text(0) : fmt::format("[{}, {}, {}]", text(0), text(1), text(2))});
  }
  return list;
}

std::string FlightPlan::unit_of_input(const std::string& column) const {
  const std::vector<ParameterDescription>& parameters = nominal_->model->description.parameters;
  const auto found = std::ranges::find(parameters, column, &ParameterDescription::name);
  if (found == parameters.end() || !found->value.dimension) return {};
  return unit_text(*found->value.dimension);
}

std::string FlightPlan::unit_of_measure(const Measure& measure) const {
  if (measure.computed) return measure.unit;
  if (measure.kind == MeasureKind::first_time) return "s";
  const Description& description = nominal_->model->description;
  const auto found = std::ranges::find(description.signals, measure_signal(measure), &SignalDescription::name);
  if (found == description.signals.end()) return {};
  const std::vector<std::string> units = units_of_signals(description, plant_->names());
  std::string unit = units[static_cast<std::size_t>(found - description.signals.begin())];
  if (measure.kind != MeasureKind::integral) return unit;
  return unit.empty() ? "s" : unit + "*s";
}

RunSettings FlightPlan::settings(std::uint64_t flight) const {
  RunSettings s = settings_;
  s.noise_stream = flight + 1;
  s.keeps_ledger = false;
  s.records = campaign_.has_computed();
  return s;
}

FlightResult fly(const FlightPlan& plan, std::uint64_t flight, const std::atomic<bool>& stop, const LaneOfFlight* lane,
                 const HistoryPlan* recorded) {
  FlightResult result;
  result.number = flight;
  result.inputs.resize(plan.sampler().columns().size());
  plan.sampler().sample(flight, result.inputs);
  const auto fails = [&](const std::string& why) {
    result.outcome = Outcome::Kind::failed;
    result.failure = why;
    result.measures.assign(plan.campaign().measures.size(), not_a_number);
    return result;
  };
  if (recorded != nullptr) result.history.assign(recorded->size(), not_a_number);
  Loaded loaded = plan.load(flight);
  if (!loaded.model) return fails("the model is not valid with these parameters: " + first_error(loaded.problems));
  try {
    RunSettings settings = plan.settings(flight);
    if (recorded != nullptr) recorded->ask_for(*loaded.model, settings);
    Simulation simulation(*loaded.model, settings, plan.plugins(), {}, lane != nullptr ? &lane->evaluation : nullptr);
    const Stay stay(lane, simulation);
    std::optional<HistoryRecorder> recorder;
    if (recorded != nullptr) recorder.emplace(*recorded, simulation, result.history);
    Listener listener(stop, simulation, result.record, recorder ? &*recorder : nullptr);
    const Outcome outcome = simulation.run(listener);
    result.outcome = outcome.kind;
    result.end = outcome.t;
    result.steps = simulation.statistics().steps;
    result.measures = in_their_places(plan.campaign(), simulation.measured());
    if (outcome.kind == Outcome::Kind::failed) return fails(outcome.failure);
    if (outcome.kind == Outcome::Kind::interrupted) return result;
    if (const std::string why = requires_in_vain(plan.campaign(), result.measures, outcome.t); !why.empty()) {
      return fails(why);
    }
  } catch (const std::exception& error) {
    return fails(error.what());
  }
  return result;
}

}  // namespace gyrostat::campaign
