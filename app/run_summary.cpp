#include "run_summary.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace gyrostat::app {

namespace {

/// Largest differences of the linear model, over the range of what was simulated; the largest ratios first.
void print_differences(const std::vector<results::LinearDifference>& all) {
  constexpr std::size_t most = 8;
  const auto range = [](const results::LinearDifference& d) { return d.highest - d.lowest; };
  std::vector<results::LinearDifference> list;
  std::ranges::copy_if(all, std::back_inserter(list), [&](const auto& d) { return d.largest > 1e-12 * range(d); });
  std::ranges::stable_sort(list,
                           [&](const auto& a, const auto& b) { return a.largest * range(b) > b.largest * range(a); });
  fmt::print("\n{:<26}{:>14}{:>14}{:>10}\n", "linear model", "difference", "of a range", "");
  for (std::size_t k = 0; k < std::min(most, list.size()); ++k) {
    const results::LinearDifference& d = list[k];
    fmt::print("{:<26}{:>14.3e}{:>14.4g}{:>8.2g} %  {}\n", d.name, d.largest, range(d), 100 * d.largest / range(d),
               d.unit);
  }
  if (list.size() > most) fmt::print("and {} more with smaller differences\n", list.size() - most);
  if (list.empty()) fmt::print("differs by rounding only\n");
}

std::size_t redundant_rows(const results::LedgerRecord& ledger) {
  std::size_t sum = 0;
  for (const Redundant& one : ledger.redundant) sum += one.rows;
  return sum;
}

}  // namespace

void print(const RunSummary& summary) {
  const results::RunResult& result = summary.result;
  const RunSettings& settings = result.record.settings;
  const IntegratorStatistics& s = result.record.statistics;
  const results::LedgerRecord& ledger = result.record.ledger;
  const double simulated = result.outcome.t - result.from, elapsed = result.record.seconds;
  fmt::print("{:.6g} s simulated in {:.3g} s", simulated, elapsed);
  if (elapsed > 0) fmt::print(", {:.3g} x real time", simulated / elapsed);
  fmt::print("\n{}, {}", settings.formulation, settings.integrator.method);
  if (settings.integrator.method == "rk4") {
    fmt::print(", step {:.6g} s\n", settings.integrator.step);
  } else {
    fmt::print(", tolerance {:.3g}\n", settings.integrator.tolerance);
  }
  fmt::print("{} steps, {} rejected, {} evaluations, {} events\n", grouped(s.steps), grouped(s.rejected),
             grouped(s.evaluations), grouped(result.record.events));
  fmt::print("{} records of {} quantities in {}\n", grouped(result.records), result.columns, result.path);

  fmt::print("\n{:<18}{:>12}{:>14}{:>20}\n", "ledger", "residual", "scale", "relative residual");
  for (const results::LedgerLine& line : ledger.lines) {
    fmt::print("{:<18}{:>12.2e}{:>14}{:>20.1e}  {}{}\n", line.name, line.residual, fmt::format("{:.4g}", line.scale),
               line.ratio(), line.unit, line.is_rounding() ? ", rounding" : "");
  }
  fmt::print("{:<18}{:>12.2e}  from unit length\n", "attitudes", ledger.attitude);
  if (ledger.constraint_rows > 0) {
    fmt::print("{:<18}{:>12.2e}  m or rad; {:.2e} m/s or rad/s, of {}\n", "constraints", ledger.constraint_position,
               ledger.constraint_speed, counted(ledger.constraint_rows, "row", "rows"));
  }
  if (!ledger.redundant.empty()) {
    fmt::print("{:<18}{:>12}  rows: {}\n", "redundant", redundant_rows(ledger), text_of(ledger.redundant, 4));
  }
  if (ledger.compared > 0) {
    fmt::print("{:<18}{:>12.2e}  from {}, at {}\n", "accelerations", ledger.accelerations, ledger.other_formulation,
               counted(ledger.compared, "instant", "instants"));
  }
  if (!ledger.exempt.empty()) fmt::print("(momentum and energy are not expected to balance: {})\n", ledger.exempt);
  double turnover = 0;
  for (const auto& [source, work] : result.work) turnover += std::abs(work);
  bool heading = false;
  for (const auto& [source, work] : result.work) {
    if (std::abs(work) <= 1e-14 * turnover) continue;
    if (!heading) fmt::print("\n{:<30}{:>14}\n", "work done by", "J");
    heading = true;
    fmt::print("{:<30}{:>14.6g}\n", source, work);
  }
  if (!result.differences.empty()) print_differences(result.differences);
  if (summary.report) fmt::print("\n{}\n", summary.report->line);
}

void print_warnings(const RunSummary& summary) {
  static_cast<void>(std::fflush(stdout));  // so that they come after the summary where both go to one file
  const results::RunResult& result = summary.result;
  const Outcome& outcome = result.outcome;
  if (outcome.kind == Outcome::Kind::failed) {
    fmt::print(stderr, "{}: stopped at t = {:.9g} s: {}\n", result.model_file, outcome.t, outcome.failure);
    if (result.left_earlier) {
      fmt::print(stderr, "Nothing was recorded; {} is as it was before\n", result.path);
    } else if (result.records > 0) {
      fmt::print(stderr, "What was recorded until then is in {}\n", result.path);
    } else {
      fmt::print(stderr, "Nothing was recorded\n");
    }
  } else if (outcome.kind == Outcome::Kind::interrupted) {
    fmt::print(stderr,
               "interrupted at t = {:.9g} s; what was recorded until then is in {}\n"
               "{}",
               outcome.t, result.path,
               result.differences.empty() ? fmt::format("'gyrostat resume {}' goes on from there\n", result.path) : "");
  }
  for (const std::string& note : result.linear_notes) fmt::print(stderr, "linear model: {}\n", note);
  if (!outcome.hint.empty()) fmt::print(stderr, "hint: {}\n", outcome.hint);
  if (!result.csv_failure.empty()) {
    fmt::print(stderr, "{}; the records are in {}, and 'gyrostat show --csv' prints them\n", result.csv_failure,
               result.path);
  }
  for (const std::string& note : result.record.ledger.notes()) fmt::print(stderr, "WARNING: {}\n", note);
  for (const std::string& warning : result.record.ledger.warnings()) {
    fmt::print(stderr, "WARNING: THE LEDGER DOES NOT BALANCE: {}\n", warning);
  }
  if (summary.report) print_report_warnings(summary.report->of_page);
  if (!summary.report_failure.empty()) fmt::print(stderr, "{}\n", summary.report_failure);
}

Json as_json(const RunSummary& summary) {
  const results::RunResult& result = summary.result;
  const RunSettings& settings = result.record.settings;
  const IntegratorStatistics& s = result.record.statistics;
  const results::LedgerRecord& ledger = result.record.ledger;
  using Kind = Outcome::Kind;
  const Kind kind = result.outcome.kind;
  Json json = {{"status", kind == Kind::finished      ? "finished"
                          : kind == Kind::interrupted ? "interrupted"
                                                      : "stopped"},
               {"t", result.outcome.t}};
  if (kind == Kind::failed) json["failure"] = result.outcome.failure;
  json["results"] = result.path;
  if (!result.outcome.hint.empty()) json["hint"] = result.outcome.hint;
  if (result.left_earlier) json["left_earlier_results"] = true;
  if (!result.csv_failure.empty()) json["csv_failure"] = result.csv_failure;
  if (summary.report) json["report"] = summary.report->path;
  if (!summary.report_failure.empty()) json["report_failure"] = summary.report_failure;
  if (!result.differences.empty()) {
    Json differences = Json::object();
    for (const results::LinearDifference& d : result.differences) {
      differences[d.name] = {{"largest", d.largest}, {"lowest", d.lowest}, {"highest", d.highest}, {"unit", d.unit}};
    }
    json["linear"] = {{"differences", std::move(differences)}, {"notes", result.linear_notes}};
  }
  json["formulation"] = settings.formulation;
  json["integrator"] = settings.integrator.method;
  json["seconds"] = result.record.seconds;
  json["statistics"] = {{"steps", s.steps},         {"rejected_steps", s.rejected}, {"evaluations", s.evaluations},
                        {"jacobians", s.jacobians}, {"restarts", s.restarts},       {"events", result.record.events},
                        {"records", result.records}};
  Json lines = Json::object();
  for (const results::LedgerLine& line : ledger.lines) {
    lines[line.name] = {{"left_over", line.residual}, {"scale", line.scale}, {"relative", line.relative}};
  }
  lines["attitudes"] = ledger.attitude;
  if (ledger.constraint_rows > 0) {
    lines["constraints"] = {
        {"rows", ledger.constraint_rows}, {"position", ledger.constraint_position}, {"speed", ledger.constraint_speed}};
    Json redundant = Json::object();
    for (const Redundant& one : ledger.redundant) redundant[one.constraint] = one.rows;
    lines["constraints"]["redundant"] = std::move(redundant);
    lines["constraints"]["not_unique"] = ledger.not_unique;
    if (ledger.dependent_since < never) {
      lines["constraints"]["nearly_dependent"] = {{"since", ledger.dependent_since}, {"at", ledger.dependent_of}};
    }
  }
  lines["accelerations"] = {
      {"disagreement", ledger.accelerations}, {"with", ledger.other_formulation}, {"instants", ledger.compared}};
  Json work = Json::object();
  for (const auto& [source, joules] : result.work) {
    if (joules != 0) work[source] = joules;
  }
  lines["work"] = std::move(work);
  lines["allowed"] = ledger.allowed;
  lines["warnings"] = ledger.warnings();
  lines["notes"] = ledger.notes();
  json["ledger"] = std::move(lines);
  return json;
}

}  // namespace gyrostat::app
