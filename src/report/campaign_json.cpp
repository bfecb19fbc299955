#include "gyrostat/report/campaign_json.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "gyrostat/campaign/bands.h"

namespace gyrostat::report {

namespace {

using Json = nlohmann::ordered_json;

Json block_json(const Block& b) {
  return {
      {"block", b.number}, {"count", b.count}, {"type", std::string(b.type)}, {"order", b.order}, {"parts", b.parts}};
}

Json real(double x) {
  if (std::isnan(x)) return nullptr;
  return std::isfinite(x) ? Json(x) : Json(x > 0 ? "inf" : "-inf");
}

Json bound(const std::optional<double>& x) { return x ? Json(*x) : Json(nullptr); }

Json correlation_json(const campaign::RankCorrelation& c) {
  return {{"value", real(c.value)}, {"chance", real(c.chance)}};
}

Json statistics_json(const campaign::MeasureStatistics& s) {
  Json percentiles = Json::array(), correlations = Json::array(), indices = Json::array();
  for (const campaign::Percentile& p : s.percentiles) {
    percentiles.push_back(
        {{"fraction", p.fraction}, {"value", real(p.value)}, {"low", real(p.low)}, {"high", real(p.high)}});
  }
  for (const campaign::RankCorrelation& c : s.correlations) correlations.push_back(correlation_json(c));
  for (const campaign::SobolIndex& i : s.indices) {
    indices.push_back({{"first", real(i.first)},
                       {"first_error", real(i.first_error)},
                       {"total", real(i.total)},
                       {"total_error", real(i.total_error)}});
  }
  return {{"flights", s.summary.flights - s.summary.failed},
          {"mean", real(s.summary.mean)},
          {"std", real(s.summary.std)},
          {"min", real(s.summary.min)},
          {"max", real(s.summary.max)},
          {"percentiles", std::move(percentiles)},
          {"correlations", std::move(correlations)},
          {"indices", std::move(indices)}};
}

Json measure_json(const campaign::MeasureAnswer& m, bool more_is_worse) {
  Json statistics = Json::array(), factors = Json::array();
  for (const campaign::MeasureStatistics& s : m.statistics) statistics.push_back(statistics_json(s));
  for (const campaign::RankCorrelation& c : m.factors) factors.push_back(correlation_json(c));
  return {{"more_is_worse", more_is_worse},
          {"worst", m.worst},
          {"statistics", std::move(statistics)},
          {"factors", std::move(factors)}};
}

std::string_view word(campaign::Verdict verdict) { return campaign::verdicts[static_cast<std::size_t>(verdict)]; }

Json requirement_json(const campaign::RequirementAnswer& r, std::size_t measure) {
  Json results = Json::array();
  for (const campaign::RequirementResult& result : r.results) {
    results.push_back({{"flights", result.flights},
                       {"fulfilled", result.fulfilled},
                       {"missing", result.missing},
                       {"fraction", real(result.fraction)},
                       {"low", result.low},
                       {"high", result.high},
                       {"verdict", word(result.verdict)}});
  }
  return {{"measure", measure},
          {"below", bound(r.requirement.below)},
          {"above", bound(r.requirement.above)},
          {"in", r.requirement.fraction},
          {"confidence", r.requirement.confidence},
          {"verdict", word(r.verdict())},
          {"worst", r.worst},
          {"results", std::move(results)}};
}

Json histories_json(const HistoriesPage& h) {
  Json columns = Json::array();
  for (const HistoryColumn& c : h.columns) {
    columns.push_back({{"name", c.name},
                       {"unit", c.unit},
                       {"description", c.description},
                       {"states", c.states},
                       {"bands", block_json(c.bands)},
                       {"lines", block_json(c.lines)}});
  }
  return {{"recorded", h.recorded},           {"sampled", h.sampled},       {"fractions", campaign::band_fractions},
          {"flights", block_json(h.flights)}, {"time", block_json(h.time)}, {"columns", std::move(columns)}};
}

}  // namespace

Json json_of(const CampaignPage& page) {
  const campaign::Answers& answers = page.answers;
  Json columns = Json::array(), measures = Json::array(), requirements = Json::array(), failures = Json::array();
  for (const CampaignColumn& c : page.columns) {
    columns.push_back(
        {{"name", c.name}, {"unit", c.unit}, {"description", c.description}, {"values", block_json(c.values)}});
  }
  Json combinations = Json::array();
  for (const campaign::Combination& c : answers.combinations) {
    combinations.push_back({{"values", c.values}, {"flights", c.flights}, {"ended", c.ended}, {"failed", c.failed}});
  }
  for (std::size_t k = 0; k < answers.measures.size(); ++k) {
    const campaign::MeasureAnswer& measure = answers.measures[k];
    measures.push_back(measure_json(measure, page.more_is_worse[k]));
    for (const campaign::RequirementAnswer& requirement : answers.requirements) {
      if (requirement.requirement.measure == measure.name) requirements.push_back(requirement_json(requirement, k));
    }
  }
  for (const campaign::FailureAnswer& f : answers.failures) {
    failures.push_back({{"reason", f.reason}, {"count", f.count}});
  }
  return {{"label", page.label},
          {"name", page.name},
          {"file", page.file},
          {"text", page.text},
          {"model_name", page.model_name},
          {"model_file", page.model_file},
          {"model_text", page.model_text},
          {"command", page.command},
          {"version", page.version},
          {"formulation", page.formulation},
          {"integrator", page.integrator},
          {"status", page.status},
          {"replay", page.replay},
          {"method", page.method},
          {"seed", page.seed},
          {"warnings", page.warnings},
          {"flights", answers.flights},
          {"ended", answers.ended},
          {"failed", answers.failed},
          {"number", block_json(page.number)},
          {"end_time", block_json(page.end_time)},
          {"reason", block_json(page.reason)},
          {"failures", std::move(failures)},
          {"inputs", answers.inputs.size()},
          {"sampled", answers.sampled},
          {"combinations", std::move(combinations)},
          {"not_packed", answers.not_packed},
          {"columns", std::move(columns)},
          {"confidence", campaign::asked_confidence},
          {"measures", std::move(measures)},
          {"requirements", std::move(requirements)},
          {"histories", page.histories ? histories_json(*page.histories) : Json(nullptr)}};
}

}  // namespace gyrostat::report
