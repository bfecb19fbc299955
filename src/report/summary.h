// A run in words and few numbers.
#pragma once

#include "gyrostat/model/load.h"
#include "gyrostat/report/payload.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/run_record.h"

namespace gyrostat::report {

ModelSummary summary_of(const Model& model);

/// "five_body.yaml:18:14: bodies.bus.inertia: ..", one for each problem that was kept.
std::vector<std::string> problem_texts(const Loaded& loaded);

/// Laws that do not hold although they should.
std::vector<std::string> ledger_warnings(const results::LedgerRecord& ledger);

/// Why the run ended early, if it did.
std::vector<std::string> status_warnings(const results::ResultsReader& results);

/// Columns with values that are not finite, and time that does not increase.
std::vector<std::string> number_warnings(const results::ResultsReader& results, const std::vector<PageColumn>& columns);

}  // namespace gyrostat::report
