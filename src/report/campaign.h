// What a page shows of the results of a campaign: the same as viewer/src/payload.ts says, which explains each field.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gyrostat/campaign/answers.h"
#include "gyrostat/report/blocks.h"
#include "gyrostat/results/results_reader.h"

namespace gyrostat::report {

struct CampaignColumn {
  std::string name, unit, description;
  Block values;
};

struct HistoryColumn {
  std::string name, unit, description;
  std::vector<std::string> states;
  Block bands, lines;
};

struct HistoriesPage {
  std::uint64_t recorded = 0, sampled = 0;
  Block flights, time;
  std::vector<HistoryColumn> columns;
};

struct CampaignPage {
  std::string label, name, file, text, model_name, model_file, model_text, command, version, formulation, integrator,
      status, replay, method;
  std::uint64_t seed = 0;
  std::vector<std::string> warnings;
  Block number, end_time, reason;
  std::vector<CampaignColumn> columns;  // inputs, then measures
  std::vector<bool> more_is_worse;      // by measure
  campaign::Answers answers;
  std::optional<HistoriesPage> histories;
};

/// `shown` is how the results file is called in the command that replays a flight. Throws ResultsError, CampaignError.
CampaignPage campaign_page(const results::ResultsReader& results, const std::string& shown, Blocks& blocks);

}  // namespace gyrostat::report
