// What a run says at its end.
#pragma once

#include <optional>
#include <string>

#include "gyrostat/results/run.h"

#include "output.h"
#include "report.h"

namespace gyrostat::app {

struct RunSummary {
  results::RunResult result;
  std::optional<WrittenReport> report = {};
  std::string report_failure = {};  // why there is none although it was asked for
};

void print(const RunSummary& summary);
/// To stderr: why the run stopped, where the ledger is off by more than the tolerance explains, and what is wrong with
/// the report.
void print_warnings(const RunSummary& summary);
Json as_json(const RunSummary& summary);

}  // namespace gyrostat::app
