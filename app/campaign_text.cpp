#include "campaign_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "progress.h"
#include "results_text.h"

namespace gyrostat::app {

namespace {

using campaign::Answers;
using campaign::MeasureAnswer;

constexpr double strong_correlation_chance = 0.01;  // of a rank correlation that is shown
constexpr std::size_t most_correlations = 5;
constexpr std::size_t most_combinations = 12;  // of factors, as text

std::string percent(double fraction) { return fmt::format("{:.4g} %", 100 * fraction); }

std::string flights_text(const std::vector<std::uint64_t>& flights) {
  return fmt::format("{}", fmt::join(flights, ", "));
}

/// "gain = 2, mode = 1"
std::string values_text(const Answers& answers, std::size_t combination) {
  std::string text;
  const std::vector<double>& values = answers.combinations[combination].values;
  for (std::size_t f = 0; f < values.size(); ++f) {
    text +=
        fmt::format("{}{} = {}", f == 0 ? "" : ", ", printable(answers.inputs[answers.sampled + f]), brief(values[f]));
  }
  return text;
}

void add_table(std::string& text, const Answers& answers, std::size_t combination) {
  std::size_t width = 8;
  for (const MeasureAnswer& m : answers.measures) width = std::max(width, width_of(m.name + bracketed(m.unit)) + 1);
  text += "\n" + left("measure", width);
  for (const char* head : {"mean", "std", "min"}) text += right(head, 12);
  for (const double p : campaign::asked_percentiles) text += right(fmt::format("{:.4g} %", 100 * p), 12);
  text += right("max", 12) + "\n";
  for (const MeasureAnswer& m : answers.measures) {
    const auto& s = m.statistics[combination].summary;
    text += left(printable(m.name) + (m.unit.empty() ? "" : " " + bracketed(m.unit)), width);
    for (const double x : {s.mean, s.std, s.min}) text += right(brief(x), 12);
    for (const campaign::Percentile& p : m.statistics[combination].percentiles) text += right(brief(p.value), 12);
    text += right(brief(s.max), 12) + "\n";
  }
}

void add_intervals(std::string& text, const Answers& answers, std::size_t combination) {
  text += fmt::format("\npercentiles lie between, with {} confidence\n", percent(campaign::asked_confidence));
  for (const MeasureAnswer& m : answers.measures) {
    for (const campaign::Percentile& p : m.statistics[combination].percentiles) {
      if (p.fraction < 0.5) continue;
      text += fmt::format("  {} {:>7}  {} .. {}\n", left(printable(m.name), 20), percent(p.fraction), brief(p.low),
                          brief(p.high));
    }
  }
}

std::string bounds_text(const campaign::RequirementAnswer& r) {
  std::string text;
  const std::string unit = r.unit.empty() ? "" : " " + r.unit;
  if (r.requirement.below) text += fmt::format("below {}{}", brief(*r.requirement.below), unit);
  if (r.requirement.above) {
    text += fmt::format("{}above {}{}", text.empty() ? "" : ", ", brief(*r.requirement.above), unit);
  }
  return text;
}

/// "57 of 60 (95 %); with 90 % confidence at least 90 %; 40 flights have not ended"
std::string found_text(const campaign::RequirementAnswer& r, std::size_t combination) {
  const campaign::RequirementResult& result = r.results[combination];
  return fmt::format("{} of {} ({}); with {} confidence at least {}{}", grouped(result.fulfilled),
                     grouped(result.flights), percent(result.fraction), percent(r.requirement.confidence),
                     percent(result.low),
                     result.missing == 0 ? "" : fmt::format("; {} flights have not ended", grouped(result.missing)));
}

std::string verdict_text(campaign::Verdict verdict) {
  return std::string(campaign::verdicts[static_cast<std::size_t>(verdict)]);
}

std::string more_combinations(const Answers& answers) {
  return fmt::format("and {} more combinations; --json has them all",
                     grouped(answers.combinations.size() - most_combinations));
}

void add_requirements(std::string& text, const Answers& answers) {
  if (answers.requirements.empty()) return;
  text += "\nrequirements\n";
  for (const campaign::RequirementAnswer& r : answers.requirements) {
    text += fmt::format("  {}: {} {} in {} of flights", verdict_text(r.verdict()), printable(r.requirement.measure),
                        bounds_text(r), percent(r.requirement.fraction));
    if (!answers.by_combination()) {
      text += fmt::format(": {}\n", found_text(r, 0));
      continue;
    }
    text += fmt::format(" with each combination of factors; worst with {}\n", values_text(answers, r.worst));
    for (std::size_t c = 0; c < std::min(r.results.size(), most_combinations); ++c) {
      text += fmt::format("    {} {}: {}\n", left(verdict_text(r.results[c].verdict), 10), values_text(answers, c),
                          found_text(r, c));
    }
    if (r.results.size() > most_combinations) text += fmt::format("    {}\n", more_combinations(answers));
  }
}

/// Lines of the inputs that matter, the strongest first.
std::string influences(const Answers& answers, const MeasureAnswer& m, std::size_t combination) {
  const campaign::MeasureStatistics& of = m.statistics[combination];
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < of.correlations.size(); ++k) {
    if (of.correlations[k].chance < strong_correlation_chance) order.push_back(k);
  }
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [&](std::size_t k) { return std::abs(of.correlations[k].value); });
  order.resize(std::min(order.size(), most_correlations));
  std::string lines;
  for (const std::size_t k : order) {
    lines += fmt::format("  {} {} {:+.2f}", left(printable(m.name), 20), left(printable(answers.inputs[k]), 20),
                         of.correlations[k].value);
    if (k < of.indices.size()) {
      lines +=
          fmt::format("   share of the variance {:.2f} +- {:.2f} alone, {:.2f} +- {:.2f} in all", of.indices[k].first,
                      of.indices[k].first_error, of.indices[k].total, of.indices[k].total_error);
    }
    lines += "\n";
  }
  return lines;
}

void add_sensitivities(std::string& text, const Answers& answers, std::size_t combination) {
  std::string lines;
  for (const MeasureAnswer& m : answers.measures) lines += influences(answers, m, combination);
  if (!lines.empty()) text += "\nwhat matters: rank correlation of input and measure\n" + lines;
}

void add_factors(std::string& text, const Answers& answers) {
  std::string lines;
  for (const MeasureAnswer& m : answers.measures) {
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      if (!(m.factors[f].chance < strong_correlation_chance)) continue;
      lines += fmt::format("  {} {} {:+.2f}\n", left(printable(m.name), 20),
                           left(printable(answers.inputs[answers.sampled + f]), 20), m.factors[f].value);
    }
  }
  if (!lines.empty())
    text += "\nfactors that matter: rank correlation of value and measure, of the same samples\n" + lines;
}

/// All that is said of each combination by itself.
void add_combinations(std::string& text, const Answers& answers) {
  for (std::size_t c = 0; c < std::min(answers.combinations.size(), most_combinations); ++c) {
    const campaign::Combination& combination = answers.combinations[c];
    if (answers.by_combination()) {
      text += fmt::format("\n{}: {} of {} flights have ended, {} of them failed\n", values_text(answers, c),
                          grouped(combination.ended), grouped(combination.flights), grouped(combination.failed));
    }
    add_table(text, answers, c);
    add_intervals(text, answers, c);
    add_sensitivities(text, answers, c);
  }
  if (answers.combinations.size() > most_combinations) text += fmt::format("\n{}\n", more_combinations(answers));
  add_factors(text, answers);
}

Json number(double x) {
  return std::isfinite(x) ? Json(x) : std::isnan(x) ? Json(nullptr) : Json(x > 0 ? "inf" : "-inf");
}

}  // namespace

FlightProgress::FlightProgress(bool quiet) : visible_(!quiet), terminal_(isatty(fileno(stderr)) != 0) {}

FlightProgress::~FlightProgress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void FlightProgress::show(const campaign::Progress& now) {
  if (!visible_ || (!terminal_ && now.seconds < next_line_)) return;
  const auto flown = static_cast<double>(now.ended - now.ended_before);
  if (now.histories > 0) {
    return draw(fmt::format("histories of {} of {} flights", grouped(now.recorded), grouped(now.histories)));
  }
  const double rate = now.seconds > 0 ? flown / now.seconds : 0;
  const double left = rate > 0 ? static_cast<double>(now.flights - now.ended) / rate : 0;
  const std::string line = fmt::format("{} of {} flights  {:.3g} a second  {} left  {} failed", grouped(now.ended),
                                       grouped(now.flights), rate, duration_text(left), grouped(now.failed));
  draw(line);
}

/// A pipe that is closed at its other end does not end a campaign.
void FlightProgress::draw(const std::string& line) {
  if (terminal_) {
    std::fputs(("\r\033[K" + line).c_str(), stderr);
    drawn_ = true;
  } else {
    std::fputs((line + "\n").c_str(), stderr);
    next_line_ += between_lines_;
    between_lines_ = std::min(2 * between_lines_, 600.0);
  }
  std::fflush(stderr);
}

std::string outcome_text(const campaign::CampaignOutcome& outcome, const std::string& path,
                         const std::string& campaign) {
  const campaign::Progress& p = outcome.progress;
  const std::uint64_t flown = p.ended - p.ended_before;
  std::string text =
      fmt::format("{} flights in {:.3g} s, {:.3g} a second; {} failed; in {}", grouped(flown), p.seconds,
                  p.seconds > 0 ? static_cast<double>(flown) / p.seconds : 0, grouped(p.failed), printable(path));
  if (!outcome.finished && p.ended == p.flights && p.histories > 0) {
    text += fmt::format("\nhistories of {} of {} flights are recorded; go on with: gyrostat campaign {} -o {} --resume",
                        grouped(p.recorded), grouped(p.histories), printable(campaign), printable(path));
  } else if (!outcome.finished) {
    text += fmt::format("\n{} of {} flights have ended; go on with: gyrostat campaign {} -o {} --resume",
                        grouped(p.ended), grouped(p.flights), printable(campaign), printable(path));
  }
  return text;
}

std::string text_of(const Answers& answers) {
  std::string text = fmt::format("{} of {} flights have ended, {} of them failed\n", grouped(answers.ended),
                                 grouped(answers.flights), grouped(answers.failed));
  if (!answers.not_packed.empty()) {
    text += fmt::format("flights were flown one by one, not in packs: {}\n", printable(answers.not_packed));
  }
  for (const campaign::FailureAnswer& f : answers.failures) {
    text += fmt::format("  {} times: {} (flights {}{})\n", grouped(f.count), printable(f.reason), flights_text(f.first),
                        f.count > f.first.size() ? ", .." : "");
  }
  if (answers.measures.empty()) return text;
  add_combinations(text, answers);
  add_requirements(text, answers);
  text += "\nworst flights, to be flown again by --replay\n";
  for (const MeasureAnswer& m : answers.measures) {
    text += fmt::format("  {} {}\n", left(printable(m.name), 20), flights_text(m.worst));
  }
  return text;
}

std::string text_of(const results::StoredHistories& histories) {
  return fmt::format("histories of {} flights: {} quantities at {} instants", grouped(histories.records().size()),
                     grouped(histories.columns().size()), grouped(histories.time().size()));
}

Json as_json(const results::StoredHistories& histories) {
  Json columns = Json::array();
  for (const results::Column& column : histories.columns()) {
    columns.push_back({{"name", column.name}, {"unit", column.unit}});
  }
  std::vector<std::uint64_t> flights;
  for (const double flight : histories.records()) flights.push_back(static_cast<std::uint64_t>(flight));
  return {{"flights", flights}, {"time", histories.time()}, {"columns", columns}};
}

namespace {

/// Which combination it is, by the names of factors.
Json values_json(const Answers& answers, std::size_t combination) {
  Json values = Json::object();
  const std::vector<double>& list = answers.combinations[combination].values;
  for (std::size_t f = 0; f < list.size(); ++f) values[answers.inputs[answers.sampled + f]] = list[f];
  return values;
}

void add_statistics(Json& one, const Answers& answers, const campaign::MeasureStatistics& of) {
  const auto& s = of.summary;
  one["mean"] = number(s.mean);
  one["std"] = number(s.std);
  one["min"] = number(s.min);
  one["min_flight"] = s.min_flight;
  one["max"] = number(s.max);
  one["max_flight"] = s.max_flight;
  one["percentiles"] = Json::array();
  for (const campaign::Percentile& p : of.percentiles) {
    one["percentiles"].push_back({{"fraction", p.fraction},
                                  {"value", number(p.value)},
                                  {"low", number(p.low)},
                                  {"high", number(p.high)},
                                  {"coverage", p.coverage}});
  }
  for (std::size_t k = 0; k < answers.sampled; ++k) {
    one["rank_correlations"][answers.inputs[k]] = {{"value", number(of.correlations[k].value)},
                                                   {"chance", number(of.correlations[k].chance)}};
  }
  for (std::size_t k = 0; k < of.indices.size(); ++k) {
    const campaign::SobolIndex& i = of.indices[k];
    one["sobol_indices"][answers.inputs[k]] = {{"first", number(i.first)},
                                               {"first_error", number(i.first_error)},
                                               {"total", number(i.total)},
                                               {"total_error", number(i.total_error)}};
  }
}

Json measure_json(const Answers& answers, const MeasureAnswer& m) {
  Json one = {{"unit", m.unit}};
  if (!answers.by_combination()) {
    add_statistics(one, answers, m.statistics.front());
  } else {
    for (std::size_t c = 0; c < m.statistics.size(); ++c) {
      const campaign::Combination& of = answers.combinations[c];
      Json part = {
          {"values", values_json(answers, c)}, {"flights", of.flights}, {"ended", of.ended}, {"failed", of.failed}};
      add_statistics(part, answers, m.statistics[c]);
      one["combinations"].push_back(std::move(part));
    }
    for (std::size_t f = 0; f < m.factors.size(); ++f) {
      one["factors"][answers.inputs[answers.sampled + f]] = {{"value", number(m.factors[f].value)},
                                                             {"chance", number(m.factors[f].chance)}};
    }
  }
  one["worst"] = m.worst;
  return one;
}

void add_result(Json& one, const campaign::RequirementResult& result) {
  one["fulfilled"] = result.fulfilled;
  one["flights"] = result.flights;
  one["missing"] = result.missing;
  one["fraction"] = number(result.fraction);
  one["low"] = result.low;
  one["high"] = result.high;
  one["verdict"] = campaign::verdicts[static_cast<std::size_t>(result.verdict)];
}

Json requirement_json(const Answers& answers, const campaign::RequirementAnswer& r) {
  Json one = {{"measure", r.requirement.measure}};
  if (r.requirement.below) one["below"] = *r.requirement.below;
  if (r.requirement.above) one["above"] = *r.requirement.above;
  one["in"] = r.requirement.fraction;
  one["confidence"] = r.requirement.confidence;
  add_result(one, r.results[r.worst]);
  if (!answers.by_combination()) return one;
  one["values"] = values_json(answers, r.worst);
  for (std::size_t c = 0; c < r.results.size(); ++c) {
    Json part = {{"values", values_json(answers, c)}};
    add_result(part, r.results[c]);
    one["combinations"].push_back(std::move(part));
  }
  return one;
}

}  // namespace

Json as_json(const Answers& answers) {
  Json json = {{"flights", answers.flights}, {"ended", answers.ended}, {"failed", answers.failed}};
  json["not_packed"] = answers.not_packed.empty() ? Json(nullptr) : Json(answers.not_packed);
  json["failures"] = Json::array();
  for (const campaign::FailureAnswer& f : answers.failures) {
    json["failures"].push_back({{"reason", f.reason}, {"count", f.count}, {"flights", f.first}});
  }
  json["measures"] = Json::object();
  for (const MeasureAnswer& m : answers.measures) json["measures"][m.name] = measure_json(answers, m);
  json["requirements"] = Json::array();
  for (const campaign::RequirementAnswer& r : answers.requirements) {
    json["requirements"].push_back(requirement_json(answers, r));
  }
  return json;
}

}  // namespace gyrostat::app
