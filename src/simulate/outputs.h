// What a run records, and its values at an instant.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gyrostat/simulate/ledger.h"

namespace gyrostat {

/// Names are those of expressions: "pan.angle"; or of a group: "motion/pan.angle", "reactions/pan.force_x",
/// "multipliers/tether", "driving/pan.rate", "loads/0.thrust", "ledger/energy".
struct OutputColumn {
  std::string name;
  std::string unit, description;
  std::vector<std::string> states = {};  // of a state machine: their names, by number
  std::string note = {};                 // what a reader of the values has to know, or empty
};

/// Of a quantity that expressions name. Precondition: the name resolves.
OutputColumn column_of(const Plant& plant, const std::string& name, const std::vector<std::string>& signal_units);

/// Where the value of a quantity that expressions name comes from.
struct ValueSource {
  enum class Kind : std::uint8_t { constant, signal, observed };
  Kind kind = Kind::observed;
  double constant = 0;
  Slot slot = 0;
  Observable observable;
};

/// Precondition: the name resolves to `reference`.
ValueSource source_of(const Plant& plant, const Reference& reference);

/// At stage signals.
double value_of(PlantRun& run, const ValueSource& source);

class Outputs {
 public:
  /// Where nothing is recorded, it has no columns.
  explicit Outputs(PlantRun& run, bool records = true);

  [[nodiscard]] const std::vector<OutputColumn>& columns() const { return columns_; }

  /// What must have been evaluated for a row: reactions need accelerations.
  [[nodiscard]] Stage stage() const {
    const bool forces = !reactions_.empty() || !driving_.empty() || !cut_joints_.empty() || !rows_.empty();
    return forces ? Stage::acceleration : Stage::signals;
  }

  /// After every event, at stage signals just after it: pulses between records are not to be missed.
  void note_loads();

  /// At `stage` under constraints: notes at columns that redundant constraints leave open.
  void note_indeterminate();

  /// At `stage`.
  void fill(const Ledger& ledger, std::span<double> row);

  /// The value of largest magnitude of each load since the last record, for checkpoints.
  std::vector<double>& peaks() { return peaks_; }
  [[nodiscard]] const std::vector<double>& peaks() const { return peaks_; }

 private:
  void add(const std::string& name, const std::string& group = "");
  void add_state(const StateEntry& entry, std::uint32_t k, Observable::Kind kind, const std::string& group = "");
  void add_default();
  void add_motion(const std::vector<std::string>& recorded);
  void add_reactions();
  void add_reaction_columns(const std::string& name);
  void add_constraint(std::size_t number);
  void add_loads();

  PlantRun& run_;
  std::vector<std::string> signal_units_;  // of the model, found once
  std::vector<OutputColumn> columns_;
  std::vector<ValueSource> sources_;
  std::vector<std::uint32_t> reactions_;  // joints
  std::vector<std::size_t> cut_joints_;   // constraints whose reactions are recorded
  std::vector<std::uint32_t> rows_;       // of constraints, whose multipliers are recorded
  std::vector<std::uint32_t> driving_;    // speeds
  [[nodiscard]] double value_of(const ElementOutput& load) const;
  std::vector<ElementOutput> loads_;
  std::vector<double> peaks_;  // by load
};

}  // namespace gyrostat
