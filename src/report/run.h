// What a page shows of a results file.
#pragma once

#include "gyrostat/report/payload.h"
#include "gyrostat/results/results_reader.h"

namespace gyrostat::report {

/// The model's text in it is read again; meshes from the folder of the model file.
struct RunWithWarnings {
  Run run;
  std::vector<std::string> page_warnings;  // those of run.warnings that are about the page, not about the run
};
RunWithWarnings run_of(const results::ResultsReader& results, Blocks& blocks);

}  // namespace gyrostat::report
