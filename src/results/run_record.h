// What a results file says of the run that made it, besides the recorded quantities: the model, the settings, the
// statistics and the ledger. Attributes and statistics are named, written and read here and nowhere else.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gyrostat/results/results.h"
#include "gyrostat/simulate/simulation.h"

namespace gyrostat::results {

class ResultsReader;

/// A conservation law over a run.
struct LedgerLine {
  std::string name, unit;
  double residual = 0;  // the largest [unit]
  double scale = 0;     // what it is compared with [unit]
  double relative = 0;  // residual over scale; 0 where the residual is rounding

  [[nodiscard]] bool is_rounding() const { return relative == 0 && residual != 0; }
  [[nodiscard]] double ratio() const { return scale > 0 ? residual / scale : 0; }
};

struct LedgerRecord {
  std::vector<LedgerLine> lines;         // none: the file has no ledger
  double attitude = 0;                   // largest distance of an attitude quaternion from unit length
  std::uint64_t constraint_rows = 0;     // 0: a tree
  double constraint_position = 0;        // largest violation of a constraint [m or rad]
  double constraint_speed = 0;           // the same of its rate [m/s or rad/s]
  std::vector<Redundant> redundant;      // constraints with rows that depend on others, at the start
  std::vector<std::string> not_unique;   // recorded quantities that redundant constraints leave open
  double dependent_since = never;        // when constraints were first nearly dependent [s]
  std::vector<std::string> constraints;  // their names; in a file, those that fit an attribute
  std::string dependent_of;              // which one the least restrained then, or empty
  Extreme spin, deflection;              // of flexible bodies, with numbers in `flexible`
  std::vector<std::string> flexible;     // their names
  double assembled_position = 0;         // violation by the initial state as it was given [m or rad]
  double assembled_speed = 0;            // [m/s or rad/s]
  double accelerations = 0;              // largest difference from those of another formulation, over the largest one
  std::uint64_t compared = 0;            // number of instants at which accelerations were compared
  double allowed = 0;                    // relative residual that the integrator's tolerance explains
  std::string exempt;                    // why the laws are not expected to hold, or empty
  std::string other_formulation;         // that accelerations were compared with; empty: not known

  /// What else a reader should know: an initial state that was moved, a singular configuration, flexible bodies
  /// beyond the range of their equations.
  [[nodiscard]] std::vector<std::string> notes() const;
  /// Residuals that the tolerance does not explain, unless exempt.
  [[nodiscard]] std::vector<std::string> warnings() const;
};

struct RunRecord {
  RunSettings settings;
  std::vector<Override> overrides;  // parameters with other values than the model's text gives
  IntegratorStatistics statistics;
  std::uint64_t events = 0;
  double seconds = 0;  // that the run took [s]
  LedgerRecord ledger;
  std::string defect;  // of a file: why a run cannot be resumed with these settings, or empty
};

/// A simulation as far as it has come.
RunRecord record_of(const Simulation& simulation, std::vector<Override> overrides, double seconds);

/// The record in a file. What an older or damaged file lacks has its default, and is the record's `defect` if settings
/// are concerned.
RunRecord read_record(const ResultsReader& results);

/// The record's attributes with the model that it belongs to.
Header header_of(const Loaded& loaded, const RunRecord& record, std::string command);

/// Other settings than those that the header was made with.
void set_settings(Header& header, RunSettings settings);

/// Does an attribute in Header::more belong to a record?
bool is_of_record(std::string_view attribute);

/// The record's statistics. Their names are the same for all records.
Statistics statistics_of(const RunRecord& record);

/// "finished", "interrupted at t = 3 s" or "stopped at t = 3 s: .."; a file has the status "running" before.
std::string status_of(const Outcome& outcome);

/// The model as it was when the results were made, with its overrides. A file whose run was made from a Description has
/// no text of it; then nothing but problems is returned.
Loaded stored_model(const Header& header);

/// The model in a results file is not valid. The problems are in `loaded`.
class StoredModelError : public ResultsError {
 public:
  StoredModelError(const std::string& what, std::shared_ptr<const Loaded> what_was_loaded)
      : ResultsError(what), loaded(std::move(what_was_loaded)) {}
  std::shared_ptr<const Loaded> loaded;
};

}  // namespace gyrostat::results
