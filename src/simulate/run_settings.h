// What a run is asked for beside its model.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "gyrostat/plant/plant.h"
#include "gyrostat/simulate/integrator.h"
#include "gyrostat/simulate/measures.h"

namespace gyrostat {

struct RunSettings {
  std::string formulation;                // empty: the model's
  IntegratorSettings integrator;          // the model's, unless changed
  double until = 0;                       // [s]
  double interval = 0;                    // between records [s]
  double watch_interval = 0;              // where thresholds are watched no step is longer [s]; 0: `interval`
  double checkpoint_interval = 0;         // [s]; 0: none
  std::optional<State> initial;           // in place of the model's initial state
  std::vector<MeasureSettings> measures;  // that sum up the run
  std::uint64_t noise_stream = 0;  // which numbers the noise blocks draw, beside their seeds; 0: those of a single run
  /// Right-hand sides are evaluated as lanes of packs are, with their rounding: a flight of a campaign, alone.
  bool as_lane = false;
  /// Without, nothing is balanced and nothing recorded: the measures are all that such a run gives.
  bool keeps_ledger = true, records = true;

  RunSettings() = default;
  /// As the model's `simulation` and `output` sections say.
  explicit RunSettings(const Model& model);

  [[nodiscard]] std::uint64_t record_count() const;
};

/// Why a model cannot be run with these settings, or empty.
std::string error_of_run(const Model& model, const RunSettings& settings);

/// The relative residual of the ledger that the errors of an integrator with these settings explain.
double ledger_allowance(const IntegratorSettings& settings);

}  // namespace gyrostat
