// One flight of a campaign: the model with the parameters of a sample, flown, and what came of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gyrostat/campaign/description.h"
#include "gyrostat/campaign/sampler.h"
#include "gyrostat/model/load.h"
#include "gyrostat/simulate/simulation.h"

namespace gyrostat::campaign {

/// What a flight recorded: the same as a replay of it, but for the ledger, which it does not keep.
struct FlightRecord {
  std::vector<OutputColumn> columns;
  std::vector<double> time;  // [s]
  std::vector<double> rows;  // one for each time, as the columns
};

/// What came of a flight. One that failed is a result as well.
struct FlightResult {
  std::uint64_t number = 0;
  Outcome::Kind outcome = Outcome::Kind::finished;
  double end = 0;       // how far it came [s]
  std::string failure;  // why it ended there, or empty
  std::uint64_t steps = 0;
  std::vector<double> inputs;    // as Sampler::columns
  std::vector<double> measures;  // as the campaign has them; NaN of a flight that failed, and of computed ones so far
  FlightRecord record;           // of a campaign with computed measures; else empty
  std::vector<double> history;   // of one that is recorded: by quantity, then time; NaN after its end
};
class HistoryPlan;

/// All that the flights of a campaign have in common. Constant: shared by threads.
class FlightPlan {
 public:
  /// The measures are added to the model as signals. Throws std::invalid_argument where the model as it is in the file
  /// is not valid or cannot be run.
  FlightPlan(CampaignDescription campaign, ModelText model);

  [[nodiscard]] const CampaignDescription& campaign() const { return campaign_; }
  [[nodiscard]] const Sampler& sampler() const { return sampler_; }
  /// With the parameters of the file.
  [[nodiscard]] const Loaded& nominal() const { return *nominal_; }
  [[nodiscard]] const Plant& nominal_plant() const { return *plant_; }

  /// From which the model is read again without other files; without the measures.
  [[nodiscard]] const std::string& model_text() const { return model_text_; }
  [[nodiscard]] std::string unit_of_input(const std::string& column) const;
  [[nodiscard]] std::string unit_of_measure(const Measure& measure) const;

  /// Opens the libraries of plugins, if there are any: the code in them runs. Throws results::RunError.
  void open_plugins();
  /// Throws results::RunError where there are plugins that are not opened.
  void check_plugins() const;
  [[nodiscard]] bool runs_plugins() const { return !plugins_.empty(); }
  /// By signal; none where they are not opened.
  [[nodiscard]] const std::vector<PluginFunction>& plugins() const { return plugins_; }

  /// Why flights are not flown in lanes, or empty.
  [[nodiscard]] const std::string& alone_because() const { return alone_because_; }

  [[nodiscard]] std::vector<Override> overrides(std::uint64_t flight) const;
  [[nodiscard]] Loaded load(std::uint64_t flight) const { return text_.load(overrides(flight)); }
  /// As it is flown in the campaign: no ledger is kept, and nothing recorded but for computed measures.
  [[nodiscard]] RunSettings settings(std::uint64_t flight) const;

 private:
  CampaignDescription campaign_;
  Sampler sampler_;
  ModelText text_;
  std::string model_text_;
  std::unique_ptr<const Loaded> nominal_;  // the plant points at it
  RunSettings settings_;
  std::unique_ptr<const Plant> plant_;
  std::string alone_because_, plugin_;  // a signal that is a plugin, or empty
  std::vector<PluginFunction> plugins_;
};

/// Flies one. `lane` finds its rates, where it is in one, once `entered` has been told of it. Nothing is thrown: what
/// goes wrong is the result. With `recorded` its history is kept.
struct LaneOfFlight {
  LaneEvaluation evaluation;
  void* context = nullptr;
  void (*entered)(void* context, Simulation& simulation) = nullptr;
  void (*left)(void* context) = nullptr;
};
FlightResult fly(const FlightPlan& plan, std::uint64_t flight, const std::atomic<bool>& stop,
                 const LaneOfFlight* lane = nullptr, const HistoryPlan* recorded = nullptr);

}  // namespace gyrostat::campaign
