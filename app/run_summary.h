// What a run says at its end, and stores of itself.
#pragma once

#include "gyrostat/results/results_writer.h"
#include "gyrostat/simulate/simulation.h"

#include "output.h"
#include "report.h"

namespace gyrostat::app {

struct RunSummary {
  std::string model_file, results_path;
  Simulation& simulation;
  Outcome outcome;
  double from = 0;     // where this run began: a resumed one at its checkpoint [s]
  double elapsed = 0;  // [s]
  std::optional<WrittenReport> report = {};
  std::string report_failure = {};  // why there is none although it was asked for
};

/// What was counted, in the order of set_statistics.
std::vector<std::string> statistic_names();
void set_statistics(const Simulation& simulation, double elapsed, results::ResultsWriter& results);

void print(const RunSummary& summary);
/// To stderr: why the run stopped, where the ledger is off by more than the tolerance explains, and what is wrong with
/// the report.
void print_warnings(const RunSummary& summary);
Json as_json(const RunSummary& summary);

}  // namespace gyrostat::app
