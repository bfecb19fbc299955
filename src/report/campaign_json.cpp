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

Json measure_json(const campaign::MeasureAnswer& m, bool more_is_worse) {
  Json percentiles = Json::array(), correlations = Json::array(), indices = Json::array();
  for (const campaign::Percentile& p : m.percentiles) {
    percentiles.push_back(
        {{"fraction", p.fraction}, {"value", real(p.value)}, {"low", real(p.low)}, {"high", real(p.high)}});
  }
  for (const campaign::RankCorrelation& c : m.correlations) {
    correlations.push_back({{"value", real(c.value)}, {"chance", real(c.chance)}});
  }
  for (const campaign::SobolIndex& i : m.indices) {
    indices.push_back({{"first", real(i.first)},
                       {"first_error", real(i.first_error)},
                       {"total", real(i.total)},
                       {"total_error", real(i.total_error)}});
  }
  return {{"flights", m.summary.flights - m.summary.failed},
          {"mean", real(m.summary.mean)},
          {"std", real(m.summary.std)},
          {"min", real(m.summary.min)},
          {"max", real(m.summary.max)},
          {"percentiles", std::move(percentiles)},
          {"more_is_worse", more_is_worse},
          {"worst", m.worst},
          {"correlations", std::move(correlations)},
          {"indices", std::move(indices)}};
}

Json requirement_json(const campaign::RequirementAnswer& r, std::size_t measure) {
  return {{"measure", measure},
          {"below", bound(r.requirement.below)},
          {"above", bound(r.requirement.above)},
          {"in", r.requirement.fraction},
          {"confidence", r.requirement.confidence},
          {"flights", r.result.flights},
          {"fulfilled", r.result.fulfilled},
          {"fraction", real(r.result.fraction)},
          {"low", r.result.low},
          {"high", r.result.high},
          {"verdict", campaign::verdicts[static_cast<std::size_t>(r.result.verdict)]}};
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
          {"columns", std::move(columns)},
          {"confidence", campaign::asked_confidence},
          {"measures", std::move(measures)},
          {"requirements", std::move(requirements)},
          {"histories", page.histories ? histories_json(*page.histories) : Json(nullptr)}};
}

}  // namespace gyrostat::report
