#include "gyrostat/campaign/answers.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "gyrostat/campaign/campaign.h"
#include "gyrostat/campaign/sampler.h"

namespace gyrostat::campaign {

namespace {

/// The values of a column in the order of the flights; NaN for those that have not ended.
std::vector<double> by_flight(const results::ResultsReader& reader, const std::string& column, std::uint64_t flights) {
  std::vector<double> values(flights, not_a_number);
  const std::vector<double> stored = reader.column(column);
  for (std::size_t k = 0; k < stored.size(); ++k) values[static_cast<std::size_t>(reader.time()[k])] = stored[k];
  return values;
}

/// Without those that have not ended.
std::vector<double> ended_only(const std::vector<double>& values, const std::vector<bool>& ended) {
  std::vector<double> kept;
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (ended[k]) kept.push_back(values[k]);
  }
  return kept;
}

/// Of flights that have ended: of one that is being written the reason comes before the numbers.
std::vector<results::Event> failures_among(const results::ResultsReader& reader, const std::vector<bool>& ended) {
  std::vector<results::Event> events = reader.events();
  std::erase_if(events, [&](const results::Event& event) {
    return !(event.t >= 0 && event.t < static_cast<double>(ended.size())) || !ended[static_cast<std::size_t>(event.t)];
  });
  std::ranges::stable_sort(events, {}, &results::Event::t);
  return events;
}

std::vector<FailureAnswer> failures_of(const std::vector<results::Event>& events) {
  std::map<std::string, FailureAnswer> by_reason;
  for (const results::Event& event : events) {
    FailureAnswer& answer = by_reason[event.what];
    answer.reason = event.what;
    ++answer.count;
    if (answer.first.size() < worst_shown) answer.first.push_back(static_cast<std::uint64_t>(event.t));
  }
  std::vector<FailureAnswer> list;
  for (auto& [reason, answer] : by_reason) list.push_back(std::move(answer));
  std::ranges::stable_sort(list, std::ranges::greater(), &FailureAnswer::count);
  return list;
}

}  // namespace

Answers answers_of(const results::ResultsReader& reader, const CampaignDescription& campaign, std::uint64_t flights) {
  Answers answers;
  answers.flights = flights;
  answers.ended = reader.records();
  const Sampler sampler(campaign);
  answers.inputs = sampler.columns();

  std::vector<bool> ended(flights);
  for (const double flight : reader.time()) ended[static_cast<std::size_t>(flight)] = true;
  const std::vector<results::Event> failures = failures_among(reader, ended);
  answers.failed = failures.size();
  answers.failures = failures_of(failures);
  std::vector<std::uint64_t> numbers;  // of those that have ended
  for (std::uint64_t k = 0; k < flights; ++k) {
    if (ended[k]) numbers.push_back(k);
  }
  std::vector<std::vector<double>> inputs;
  for (const std::string& name : answers.inputs) {
    inputs.push_back(ended_only(by_flight(reader, input_column(name), flights), ended));
  }
  for (const Measure& measure : campaign.measures) {
    const std::string column = measure_column(measure.name);
    const std::vector<double> all = by_flight(reader, column, flights), values = ended_only(all, ended);
    MeasureAnswer answer{measure.name, reader.columns()[*reader.find(column)].unit, summarize(values), {}, {}, {}, {}};
    const auto flight_of = [&](std::uint64_t place) { return numbers.empty() ? 0 : numbers[place]; };
    answer.summary.min_flight = flight_of(answer.summary.min_flight);
    answer.summary.max_flight = flight_of(answer.summary.max_flight);
    const std::vector<double> sorted = sorted_numbers(values);
    if (!sorted.empty()) {
      for (const double fraction : asked_percentiles) {
        answer.percentiles.push_back(percentile(sorted, fraction, asked_confidence));
      }
    }
    for (const std::vector<double>& input : inputs) answer.correlations.push_back(rank_correlation(input, values));
    if (const SensitivityDesign design = sampler.design(); design.inputs > 0 && sampler.combinations() == 1) {
      answer.indices = sobol_indices(all, design.inputs);
    }
    for (const std::uint64_t place : worst_flights(values, worst_shown, campaign.more_is_worse(measure.name))) {
      answer.worst.push_back(flight_of(place));
    }
    for (const Requirement& requirement : campaign.require) {
      if (requirement.measure != measure.name) continue;
      const bool whole = campaign.method == Method::factorial && numbers.size() == flights;
      answers.requirements.push_back({requirement, answer.unit, check_requirement(requirement, values, whole)});
    }
    answers.measures.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace gyrostat::campaign
