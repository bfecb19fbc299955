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

std::string percent(double fraction) { return fmt::format("{:.4g} %", 100 * fraction); }

std::string flights_text(const std::vector<std::uint64_t>& flights) {
  return fmt::format("{}", fmt::join(flights, ", "));
}

void add_table(std::string& text, const Answers& answers) {
  std::size_t width = 8;
  for (const MeasureAnswer& m : answers.measures) width = std::max(width, width_of(m.name + bracketed(m.unit)) + 1);
  text += "\n" + left("measure", width);
  for (const char* head : {"mean", "std", "min"}) text += right(head, 12);
  for (const double p : campaign::asked_percentiles) text += right(fmt::format("{:.4g} %", 100 * p), 12);
  text += right("max", 12) + "\n";
  for (const MeasureAnswer& m : answers.measures) {
    const auto& s = m.summary;
    text += left(printable(m.name) + (m.unit.empty() ? "" : " " + bracketed(m.unit)), width);
    for (const double x : {s.mean, s.std, s.min}) text += right(brief(x), 12);
    for (const campaign::Percentile& p : m.percentiles) text += right(brief(p.value), 12);
    text += right(brief(s.max), 12) + "\n";
  }
}

void add_intervals(std::string& text, const Answers& answers) {
  text += fmt::format("\npercentiles lie between, with {} confidence\n", percent(campaign::asked_confidence));
  for (const MeasureAnswer& m : answers.measures) {
    for (const campaign::Percentile& p : m.percentiles) {
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

void add_requirements(std::string& text, const Answers& answers) {
  if (answers.requirements.empty()) return;
  text += "\nrequirements\n";
  for (const campaign::RequirementAnswer& r : answers.requirements) {
    const campaign::RequirementResult& result = r.result;
    text +=
        fmt::format("  {}: {} {} in {} of flights: {} of {} ({}); with {} confidence at least {}\n",
                    campaign::verdicts[static_cast<std::size_t>(result.verdict)], printable(r.requirement.measure),
                    bounds_text(r), percent(r.requirement.fraction), grouped(result.fulfilled), grouped(result.flights),
                    percent(result.fraction), percent(r.requirement.confidence), percent(result.low));
  }
}

void add_sensitivities(std::string& text, const Answers& answers) {
  std::string lines;
  for (const MeasureAnswer& m : answers.measures) {
    std::vector<std::size_t> order;
    for (std::size_t k = 0; k < m.correlations.size(); ++k) {
      if (m.correlations[k].chance < strong_correlation_chance) order.push_back(k);
    }
    std::ranges::stable_sort(order, std::ranges::greater(),
                             [&](std::size_t k) { return std::abs(m.correlations[k].value); });
    order.resize(std::min(order.size(), most_correlations));
    for (const std::size_t k : order) {
      lines += fmt::format("  {} {} {:+.2f}", left(printable(m.name), 20), left(printable(answers.inputs[k]), 20),
                           m.correlations[k].value);
      if (k < m.indices.size()) {
        lines +=
            fmt::format("   share of the variance {:.2f} +- {:.2f} alone, {:.2f} +- {:.2f} in all", m.indices[k].first,
                        m.indices[k].first_error, m.indices[k].total, m.indices[k].total_error);
      }
      lines += "\n";
    }
  }
  if (!lines.empty()) text += "\nwhat matters: rank correlation of input and measure\n" + lines;
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
  for (const campaign::FailureAnswer& f : answers.failures) {
    text += fmt::format("  {} times: {} (flights {}{})\n", grouped(f.count), printable(f.reason), flights_text(f.first),
                        f.count > f.first.size() ? ", .." : "");
  }
  if (answers.measures.empty()) return text;
  add_table(text, answers);
  add_intervals(text, answers);
  add_requirements(text, answers);
  add_sensitivities(text, answers);
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

Json as_json(const Answers& answers) {
  Json json = {{"flights", answers.flights}, {"ended", answers.ended}, {"failed", answers.failed}};
  json["failures"] = Json::array();
  for (const campaign::FailureAnswer& f : answers.failures) {
    json["failures"].push_back({{"reason", f.reason}, {"count", f.count}, {"flights", f.first}});
  }
  json["measures"] = Json::object();
  for (const MeasureAnswer& m : answers.measures) {
    const auto& s = m.summary;
    Json one = {{"unit", m.unit},
                {"mean", number(s.mean)},
                {"std", number(s.std)},
                {"min", number(s.min)},
                {"min_flight", s.min_flight},
                {"max", number(s.max)},
                {"max_flight", s.max_flight}};
    one["percentiles"] = Json::array();
    for (const campaign::Percentile& p : m.percentiles) {
      one["percentiles"].push_back({{"fraction", p.fraction},
                                    {"value", number(p.value)},
                                    {"low", number(p.low)},
                                    {"high", number(p.high)},
                                    {"coverage", p.coverage}});
    }
    for (std::size_t k = 0; k < m.correlations.size(); ++k) {
      one["rank_correlations"][answers.inputs[k]] = {{"value", number(m.correlations[k].value)},
                                                     {"chance", number(m.correlations[k].chance)}};
    }
    for (std::size_t k = 0; k < m.indices.size(); ++k) {
      const campaign::SobolIndex& i = m.indices[k];
      one["sobol_indices"][answers.inputs[k]] = {{"first", number(i.first)},
                                                 {"first_error", number(i.first_error)},
                                                 {"total", number(i.total)},
                                                 {"total_error", number(i.total_error)}};
    }
    one["worst"] = m.worst;
    json["measures"][m.name] = std::move(one);
  }
  json["requirements"] = Json::array();
  for (const campaign::RequirementAnswer& r : answers.requirements) {
    Json one = {{"measure", r.requirement.measure}};
    if (r.requirement.below) one["below"] = *r.requirement.below;
    if (r.requirement.above) one["above"] = *r.requirement.above;
    one["in"] = r.requirement.fraction;
    one["confidence"] = r.requirement.confidence;
    one["fulfilled"] = r.result.fulfilled;
    one["flights"] = r.result.flights;
    one["fraction"] = number(r.result.fraction);
    one["low"] = r.result.low;
    one["high"] = r.result.high;
    one["verdict"] = campaign::verdicts[static_cast<std::size_t>(r.result.verdict)];
    json["requirements"].push_back(std::move(one));
  }
  return json;
}

}  // namespace gyrostat::app
