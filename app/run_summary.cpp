#include "run_summary.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace gyrostat::app {

namespace {

/// 12345 as 12,345.
std::string grouped(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

struct Line {
  std::string_view name, unit;
  const Balance* balance;
};
std::array<Line, 3> lines_of(const Ledger& ledger) {
  return {{{"energy", "J", &ledger.energy},
           {"momentum", "N s", &ledger.momentum},
           {"angular momentum", "N m s", &ledger.angular_momentum}}};
}

double allowed(const RunSummary& s) { return ledger_allowance(s.simulation.settings().integrator); }

}  // namespace

std::vector<std::string> statistic_names() {
  return {"steps",
          "rejected_steps",
          "evaluations",
          "jacobians",
          "restarts",
          "events",
          "seconds",
          "ledger_energy",
          "ledger_energy_scale",
          "ledger_momentum",
          "ledger_momentum_scale",
          "ledger_angular_momentum",
          "ledger_angular_momentum_scale",
          "ledger_attitude",
          "ledger_accelerations",
          "ledger_compared",
          "ledger_energy_relative",
          "ledger_momentum_relative",
          "ledger_angular_momentum_relative"};
}

void set_statistics(const Simulation& simulation, double elapsed, results::ResultsWriter& results) {
  const IntegratorStatistics& s = simulation.statistics();
  const Ledger& l = simulation.ledger();
  std::size_t at = 0;
  for (const double value :
       {static_cast<double>(s.steps), static_cast<double>(s.rejected), static_cast<double>(s.evaluations),
        static_cast<double>(s.jacobians), static_cast<double>(s.restarts),
        static_cast<double>(simulation.event_count()), elapsed, l.energy.largest, l.energy.scale, l.momentum.largest,
        l.momentum.scale, l.angular_momentum.largest, l.angular_momentum.scale, l.attitude, l.accelerations,
        static_cast<double>(l.compared), l.energy.relative(), l.momentum.relative(), l.angular_momentum.relative()}) {
    results.set_statistic(at++, value);
  }
}

void print(const RunSummary& summary) {
  const Simulation& simulation = summary.simulation;
  const RunSettings& settings = simulation.settings();
  const IntegratorStatistics& s = simulation.statistics();
  const Ledger& ledger = simulation.ledger();
  const double simulated = summary.outcome.t - summary.from;
  fmt::print("{:.6g} s simulated in {:.3g} s", simulated, summary.elapsed);
  if (summary.elapsed > 0) fmt::print(", {:.3g} x real time", simulated / summary.elapsed);
  fmt::print("\n{}, {}", settings.formulation, settings.integrator.method);
  if (settings.integrator.method == "rk4") {
    fmt::print(", step {:.6g} s\n", settings.integrator.step);
  } else {
    fmt::print(", tolerance {:.3g}\n", settings.integrator.tolerance);
  }
  fmt::print("{} steps, {} rejected, {} evaluations, {} events\n", grouped(s.steps), grouped(s.rejected),
             grouped(s.evaluations), grouped(simulation.event_count()));
  fmt::print("{} records of {} quantities in {}\n", grouped(simulation.records()), simulation.columns().size(),
             summary.results_path);

  fmt::print("\n{:<18}{:>12}{:>14}{:>12}\n", "ledger", "left over", "of", "relative");
  for (const Line& line : lines_of(ledger)) {
    const Balance& b = *line.balance;
    fmt::print("{:<18}{:>12.2e}{:>14}{:>12.1e}  {}\n", line.name, b.largest, fmt::format("{:.4g}", b.scale),
               b.relative(), line.unit);
  }
  fmt::print("{:<18}{:>12.2e}  from unit length\n", "attitudes", ledger.attitude);
  if (ledger.compared > 0) {
    fmt::print("{:<18}{:>12.2e}  from {}, at {}\n", "accelerations", ledger.accelerations, ledger.other_formulation,
               counted(ledger.compared, "instant", "instants"));
  }
  if (!ledger.exempt.empty()) fmt::print("(momentum and energy are not expected to balance: {})\n", ledger.exempt);
  double turnover = 0;
  for (const double w : ledger.work) turnover += std::abs(w);
  bool heading = false;
  for (std::size_t k = 0; k < ledger.work.size(); ++k) {
    if (std::abs(ledger.work[k]) <= 1e-14 * turnover) continue;
    if (!heading) fmt::print("\n{:<30}{:>14}\n", "work done by", "J");
    heading = true;
    fmt::print("{:<30}{:>14.6g}\n", ledger.sources[k], ledger.work[k]);
  }
  if (summary.report) fmt::print("\n{}\n", summary.report->line);
}

void print_warnings(const RunSummary& summary) {
  const Ledger& ledger = summary.simulation.ledger();
  const Outcome& outcome = summary.outcome;
  if (outcome.kind == Outcome::Kind::failed) {
    fmt::print(stderr, "{}: stopped at t = {:.9g} s: {}\nWhat was recorded until then is in {}\n", summary.model_file,
               outcome.t, outcome.failure, summary.results_path);
  } else if (outcome.kind == Outcome::Kind::interrupted) {
    fmt::print(stderr, "interrupted at t = {:.9g} s; what was recorded until then is in {}\n", outcome.t,
               summary.results_path);
  }
  for (const std::string& warning : ledger.warnings(allowed(summary))) {
    fmt::print(stderr, "WARNING: THE LEDGER DOES NOT BALANCE: {}\n", warning);
  }
  if (summary.report) print_report_warnings(summary.report->of_page);
  if (!summary.report_failure.empty()) fmt::print(stderr, "{}\n", summary.report_failure);
}

Json as_json(const RunSummary& summary) {
  const Simulation& simulation = summary.simulation;
  const RunSettings& settings = simulation.settings();
  const IntegratorStatistics& s = simulation.statistics();
  const Ledger& ledger = simulation.ledger();
  using Kind = Outcome::Kind;
  const Kind kind = summary.outcome.kind;
  Json json = {{"status", kind == Kind::finished      ? "finished"
                          : kind == Kind::interrupted ? "interrupted"
                                                      : "stopped"},
               {"t", summary.outcome.t}};
  if (kind == Kind::failed) json["failure"] = summary.outcome.failure;
  json["results"] = summary.results_path;
  if (summary.report) json["report"] = summary.report->path;
  if (!summary.report_failure.empty()) json["report_failure"] = summary.report_failure;
  json["formulation"] = settings.formulation;
  json["integrator"] = settings.integrator.method;
  json["seconds"] = summary.elapsed;
  json["statistics"] = {{"steps", s.steps},
                        {"rejected_steps", s.rejected},
                        {"evaluations", s.evaluations},
                        {"jacobians", s.jacobians},
                        {"restarts", s.restarts},
                        {"events", simulation.event_count()},
                        {"records", simulation.records()}};
  Json lines = Json::object();
  for (const Line& line : lines_of(ledger)) {
    lines[std::string(line.name)] = {
        {"left_over", line.balance->largest}, {"scale", line.balance->scale}, {"relative", line.balance->relative()}};
  }
  lines["attitudes"] = ledger.attitude;
  lines["accelerations"] = {
      {"disagreement", ledger.accelerations}, {"with", ledger.other_formulation}, {"instants", ledger.compared}};
  Json work = Json::object();
  for (std::size_t k = 0; k < ledger.work.size(); ++k) {
    if (ledger.work[k] != 0) work[ledger.sources[k]] = ledger.work[k];
  }
  lines["work"] = std::move(work);
  lines["allowed"] = allowed(summary);
  lines["warnings"] = ledger.warnings(allowed(summary));
  json["ledger"] = std::move(lines);
  return json;
}

}  // namespace gyrostat::app
