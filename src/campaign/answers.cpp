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

/// The values of some flights.
std::vector<double> of_flights(const std::vector<double>& values, const std::vector<std::uint64_t>& flights) {
  std::vector<double> kept;
  kept.reserve(flights.size());
  for (const std::uint64_t flight : flights) kept.push_back(values[flight]);
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

/// What all measures are asked with.
struct Flights {
  std::uint64_t count = 0;                              // in all
  std::vector<std::vector<std::uint64_t>> ended;        // by combination, ascending
  std::vector<std::vector<double>> inputs;              // by column, all flights
  std::vector<std::vector<std::uint64_t>> same_sample;  // by factor: flights that differ in nothing else
  std::size_t sampled = 0, design_inputs = 0;
  bool whole = false;  // they are all there are
};

/// Flight k of a factor whose values stand `stride` combinations apart.
std::vector<std::uint64_t> strata_of(std::uint64_t flights, std::uint64_t stride, std::uint64_t values) {
  std::vector<std::uint64_t> strata(flights);
  for (std::uint64_t k = 0; k < flights; ++k) strata[k] = k / (stride * values) * stride + k % stride;
  return strata;
}

Flights flights_of(const results::ResultsReader& reader, const CampaignDescription& campaign, const Sampler& sampler,
                   Answers& answers) {
  Flights all;
  all.count = sampler.count();
  all.whole = campaign.method == Method::factorial;
  all.design_inputs = sampler.design().inputs;
  all.sampled = all.whole ? sampler.columns().size() : sampler.sampled();
  const bool apart = !all.whole && !campaign.factors.empty();
  const std::uint64_t combinations = apart ? sampler.combinations() : 1;
  answers.combinations.resize(combinations);
  all.ended.resize(combinations);
  for (std::uint64_t c = 0; c < combinations; ++c) {
    Combination& combination = answers.combinations[c];
    combination.flights = all.count / combinations;
    std::uint64_t rest = c;
    for (std::size_t f = campaign.factors.size(); apart && f-- > 0;) {
      const std::vector<double>& values = campaign.factors[f].values;
      combination.values.insert(combination.values.begin(), values[rest % values.size()]);
      rest /= values.size();
    }
  }
  std::vector<std::uint64_t> ended;
  for (const double flight : reader.time()) ended.push_back(static_cast<std::uint64_t>(flight));
  std::ranges::sort(ended);
  for (const std::uint64_t flight : ended) {
    all.ended[flight % combinations].push_back(flight);
    ++answers.combinations[flight % combinations].ended;
  }
  for (const std::string& name : sampler.columns()) {
    all.inputs.push_back(by_flight(reader, input_column(name), all.count));
  }
  std::uint64_t stride = 1;
  for (std::size_t f = campaign.factors.size(); apart && f-- > 0;) {
    const std::uint64_t values = campaign.factors[f].values.size();
    all.same_sample.insert(all.same_sample.begin(), strata_of(all.count, stride, values));
    stride *= values;
  }
  return all;
}

/// Of one combination.
MeasureStatistics statistics_of(const Flights& flights, std::size_t combination, const std::vector<double>& all) {
  const std::vector<std::uint64_t>& numbers = flights.ended[combination];
  const std::vector<double> values = of_flights(all, numbers);
  MeasureStatistics statistics{summarize(values), {}, {}, {}};
  if (!numbers.empty()) {
    statistics.summary.min_flight = numbers[statistics.summary.min_flight];
    statistics.summary.max_flight = numbers[statistics.summary.max_flight];
  }
  if (const std::vector<double> sorted = sorted_numbers(values); !sorted.empty()) {
    for (const double fraction : asked_percentiles) {
      statistics.percentiles.push_back(percentile(sorted, fraction, asked_confidence));
    }
  }
  for (std::size_t k = 0; k < flights.inputs.size(); ++k) {
    statistics.correlations.push_back(
        k < flights.sampled ? rank_correlation(of_flights(flights.inputs[k], numbers), values) : RankCorrelation{});
  }
  if (flights.design_inputs > 0 && flights.ended.size() == 1) {
    statistics.indices = sobol_indices(all, flights.design_inputs);
  }
  return statistics;
}

RequirementAnswer answer_to(const Requirement& requirement, const std::string& unit, const Flights& flights,
                            const std::vector<double>& all) {
  RequirementAnswer answer{requirement, unit, {}};
  const std::uint64_t in_each = flights.count / flights.ended.size();
  for (const std::vector<std::uint64_t>& numbers : flights.ended) {
    answer.results.push_back(
        check_requirement(requirement, of_flights(all, numbers), flights.whole, in_each - numbers.size()));
  }
  const auto rank = [](Verdict verdict) { return verdict == Verdict::not_met ? 2 : verdict == Verdict::met ? 0 : 1; };
  for (std::size_t c = 1; c < answer.results.size(); ++c) {
    const RequirementResult &best = answer.results[answer.worst], &other = answer.results[c];
    const bool worse = rank(other.verdict) != rank(best.verdict) ? rank(other.verdict) > rank(best.verdict)
                                                                 : other.fraction < best.fraction;
    if (worse) answer.worst = c;
  }
  return answer;
}

}  // namespace

Answers answers_of(const results::ResultsReader& reader, const CampaignDescription& campaign) {
  const Sampler sampler(campaign);
  Answers answers;
  answers.flights = sampler.count();
  answers.ended = reader.records();
  answers.inputs = sampler.columns();
  answers.not_packed = not_packed_because(reader.header());
  const Flights flights = flights_of(reader, campaign, sampler, answers);
  answers.sampled = flights.sampled;

  std::vector<bool> ended(answers.flights);
  for (const double flight : reader.time()) ended[static_cast<std::size_t>(flight)] = true;
  const std::vector<results::Event> failures = failures_among(reader, ended);
  answers.failed = failures.size();
  answers.failures = failures_of(failures);
  for (const results::Event& failure : failures) {
    ++answers.combinations[static_cast<std::uint64_t>(failure.t) % answers.combinations.size()].failed;
  }
  for (const Measure& measure : campaign.measures) {
    const std::string column = measure_column(measure.name);
    const std::vector<double> all = by_flight(reader, column, answers.flights);
    MeasureAnswer answer{measure.name, reader.columns()[*reader.find(column)].unit, {}, {}, {}};
    for (std::size_t c = 0; c < flights.ended.size(); ++c) answer.statistics.push_back(statistics_of(flights, c, all));
    for (std::size_t f = 0; f < flights.same_sample.size(); ++f) {
      answer.factors.push_back(
          stratified_rank_correlation(flights.inputs[flights.sampled + f], all, flights.same_sample[f]));
    }
    answer.worst = worst_flights(all, worst_shown, campaign.more_is_worse(measure.name));
    for (const Requirement& requirement : campaign.require) {
      if (requirement.measure != measure.name) continue;
      answers.requirements.push_back(answer_to(requirement, answer.unit, flights, all));
    }
    answers.measures.push_back(std::move(answer));
  }
  return answers;
}

}  // namespace gyrostat::campaign
