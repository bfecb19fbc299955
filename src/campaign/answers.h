// What the file of a campaign answers: how the measures are distributed, which requirements are met, what matters,
// which flights are worst, and why flights failed.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/campaign/description.h"
#include "gyrostat/campaign/statistics.h"
#include "gyrostat/results/results_reader.h"

namespace gyrostat::campaign {

struct MeasureAnswer {
  std::string name, unit;
  Summary summary;
  std::vector<Percentile> percentiles;
  std::vector<RankCorrelation> correlations;  // by column of the inputs
  std::vector<SobolIndex> indices;            // the same, where the design allows; else empty
  std::vector<std::uint64_t> worst;           // flights, the worst first
};

struct RequirementAnswer {
  Requirement requirement;
  std::string unit;
  RequirementResult result;
};

/// Flights that failed for one reason.
struct FailureAnswer {
  std::string reason;
  std::uint64_t count = 0;
  std::vector<std::uint64_t> first;  // some of them
};

struct Answers {
  std::uint64_t flights = 0, ended = 0, failed = 0;
  std::vector<std::string> inputs;  // columns
  std::vector<MeasureAnswer> measures;
  std::vector<RequirementAnswer> requirements;
  std::vector<FailureAnswer> failures;  // the most frequent first
};

/// The percentiles that are asked for, and the confidence of their intervals.
inline constexpr double asked_percentiles[] = {0.01, 0.05, 0.5, 0.95, 0.99, 0.997};
inline constexpr double asked_confidence = 0.9;
inline constexpr std::size_t worst_shown = 5;

/// Of all flights that have ended; `flights` of the campaign in all.
Answers answers_of(const results::ResultsReader& reader, const CampaignDescription& campaign, std::uint64_t flights);

}  // namespace gyrostat::campaign
