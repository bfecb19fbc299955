// What the file of a campaign answers: how the measures are distributed, which requirements are met, what matters,
// which flights are worst, and why flights failed.
#pragma once

#include <string>
#include <vector>

#include "gyrostat/campaign/description.h"
#include "gyrostat/campaign/statistics.h"
#include "gyrostat/results/results_reader.h"

namespace gyrostat::campaign {

/// Flights that differ in what was sampled alone: with one of the values of each factor. Where there are no factors, or
/// the flights are all combinations (factorial), all flights are one such set, without values.
struct Combination {
  std::vector<double> values;  // by factor [SI]
  std::uint64_t flights = 0, ended = 0, failed = 0;
};

/// Of a measure, over the flights of a combination that have ended.
struct MeasureStatistics {
  Summary summary;
  std::vector<Percentile> percentiles;
  std::vector<RankCorrelation> correlations;  // by column of the inputs; NaN of factors
  std::vector<SobolIndex> indices;            // the same, where the design allows; else empty
};

struct MeasureAnswer {
  std::string name, unit;
  std::vector<MeasureStatistics> statistics;  // by combination
  std::vector<RankCorrelation> factors;       // by factor: of the same samples with its values
  std::vector<std::uint64_t> worst;           // flights, the worst first
};

struct RequirementAnswer {
  Requirement requirement;
  std::string unit;
  std::vector<RequirementResult> results;  // by combination
  std::size_t worst = 0;                   // the combination with the worst verdict, and then the smallest fraction

  /// Of all: the worst one.
  [[nodiscard]] Verdict verdict() const { return results[worst].verdict; }
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
  std::size_t sampled = 0;          // of these; those behind them are factors
  std::vector<Combination> combinations;
  std::vector<MeasureAnswer> measures;
  std::vector<RequirementAnswer> requirements;
  std::vector<FailureAnswer> failures;  // the most frequent first
  std::string not_packed;               // why flights were flown one by one, or empty

  /// Is there more than one set of flights?
  [[nodiscard]] bool by_combination() const { return !combinations.front().values.empty(); }
};

/// The percentiles that are asked for, and the confidence of their intervals.
inline constexpr double asked_percentiles[] = {0.01, 0.05, 0.5, 0.95, 0.99, 0.997};
inline constexpr double asked_confidence = 0.9;
inline constexpr std::size_t worst_shown = 5;

/// Of all flights that have ended.
Answers answers_of(const results::ResultsReader& reader, const CampaignDescription& campaign);

}  // namespace gyrostat::campaign
