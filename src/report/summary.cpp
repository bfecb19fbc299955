#include "gyrostat/report/summary.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/forces/orbit.h"
#include "gyrostat/report/stored_model.h"
#include "gyrostat/simulate/simulation.h"

namespace gyrostat::report {

namespace {

std::optional<double> number(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return value;
}

/// What the tolerance of the run explains, as the run itself said or as it would say.
double allowance(const results::Header& header) {
  if (const auto allowed = number(attribute(header, "ledger_allowed"))) return *allowed;
  IntegratorSettings settings;
  settings.method = attribute(header, "run_method").value_or(settings.method);
  settings.tolerance = number(attribute(header, "run_tolerance")).value_or(settings.tolerance);
  return ledger_allowance(settings);
}

}  // namespace

ModelSummary summary_of(const Model& model) {
  const System& system = model.system;
  ModelSummary summary;
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    summary.bodies.push_back({system.bodies[i].name, system.bodies[i].mass_properties});
    const Joint& joint = system.joints[i];
    JointSummary shown{joint.name, std::string(type_name(joint.type)), static_cast<int>(system.parent[i]) - 1,
                       std::string(motion_name(joint.motion))};
    summary.joints.push_back(std::move(shown));
  }
  for (const Constraint& constraint : system.constraints) {
    const auto [parent, child] = bodies_of(system, constraint);
    summary.loops.push_back({constraint.name, std::string(type_name(constraint.type)), system.bodies[parent].name,
                             system.bodies[child].name});
  }
  for (const Wheel& wheel : system.wheels) {
    summary.wheels.push_back({system.bodies[wheel.body].name + "." + wheel.name, static_cast<int>(wheel.body) - 1,
                              wheel.axis, wheel.inertia});
  }
  for (const ParameterDescription& p : model.description.parameters) {
    summary.parameters.emplace_back(p.name, p.value.value);
  }
  State start = system.initial;
  place_on_orbit(model.description, system, start);
  summary.total = total_mass_properties(system, start.q);
  summary.freedoms = count_degrees_of_freedom(system);
  return summary;
}

std::optional<LedgerSummary> ledger_of(const results::ResultsReader& results) {
  const auto statistic = [&](std::string_view name) -> std::optional<double> {
    for (const auto& [key, value] : results.statistics()) {
      if (key == name) return value;
    }
    return std::nullopt;
  };
  LedgerSummary ledger;
  for (const auto& [name, key, unit] : {std::array{"energy", "ledger_energy", "J"},
                                        {"momentum", "ledger_momentum", "N*s"},
                                        {"angular momentum", "ledger_angular_momentum", "N*m*s"}}) {
    const auto largest = statistic(key), scale = statistic(fmt::format("{}_scale", key));
    if (!largest || !scale) continue;
    const double share = *largest / std::max(*scale, 1e-9);  // J, N s, N m s that count as nothing
    ledger.lines.push_back({name, unit, *largest, *scale, statistic(fmt::format("{}_relative", key)).value_or(share)});
  }
  if (ledger.lines.empty()) return std::nullopt;
  ledger.allowed = allowance(results.header());
  ledger.attitude = statistic("ledger_attitude").value_or(0);
  ledger.accelerations = statistic("ledger_accelerations").value_or(0);
  ledger.exempt = attribute(results.header(), "ledger_exempt").value_or("");
  ledger.other_formulation = attribute(results.header(), "ledger_other_formulation").value_or("");
  ledger.balanced = ledger_warnings(ledger).empty();
  return ledger;
}

std::vector<std::string> problem_texts(const Loaded& loaded) {
  const std::string file = std::filesystem::path(loaded.source.file()).filename().string();
  std::vector<std::string> list;
  for (const Problem& problem : loaded.problems.all()) {
    std::string text = file;
    if (problem.place.line > 0) text += fmt::format(":{}:{}", problem.place.line, problem.place.column);
    text += problem.severity == Severity::error ? ": error: " : ": ";
    if (!problem.path.empty()) text += problem.path + ": ";
    list.push_back(text + problem.message);
  }
  if (loaded.problems.not_kept() > 0) list.push_back(fmt::format("{}: and {} more", file, loaded.problems.not_kept()));
  return list;
}

std::vector<std::string> ledger_warnings(const LedgerSummary& ledger) {
  if (!ledger.exempt.empty()) return {};
  std::vector<LeftOver> laws;
  for (const LedgerLine& line : ledger.lines) laws.push_back({line.name, line.unit, line.left_over, line.relative});
  const std::string other = ledger.other_formulation.empty() ? "another formulation" : ledger.other_formulation;
  std::vector<std::string> list = unexplained(laws, ledger.allowed, ledger.accelerations, other);
  for (std::string& text : list) text.insert(0, "the ledger does not balance: ");
  return list;
}

std::vector<std::string> status_warnings(const results::ResultsReader& results) {
  const std::string& status = results.status();
  if (status == "finished") return {};
  if (status.empty() || status == "running") {
    return {"the run was not ended: it goes on, or was killed; this is what had been recorded"};
  }
  return {"the run was " + status};
}

std::vector<std::string> number_warnings(const results::ResultsReader& results,
                                         const std::vector<PageColumn>& columns) {
  std::vector<std::string> list;
  const auto not_later = [](double before, double now) { return !(now > before); };
  if (std::ranges::adjacent_find(results.time(), not_later) != results.time().end()) {
    list.emplace_back("the times of the records do not increase");
  }
  constexpr std::size_t listed = 5;
  std::vector<std::string_view> names;
  std::size_t count = 0;
  for (const PageColumn& column : columns) {
    if (column.finite) continue;
    if (++count <= listed) names.push_back(column.name);
  }
  if (count > 0) {
    list.push_back(fmt::format("not all values are finite numbers: {}{}", fmt::join(names, ", "),
                               count > listed ? fmt::format(" and {} more", count - listed) : ""));
  }
  return list;
}

}  // namespace gyrostat::report
