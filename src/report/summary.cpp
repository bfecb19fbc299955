#include "gyrostat/report/summary.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/forces/orbit.h"
#include "gyrostat/model/constraint_text.h"

namespace gyrostat::report {

ModelSummary summary_of(const Model& model) {
  const System& system = model.system;
  ModelSummary summary;
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    summary.bodies.push_back({system.bodies[i].name, system.bodies[i].mass_properties});
    if (system.bodies[i].node != Body::none) summary.nodes.push_back(static_cast<int>(i) - 1);
    const Joint& joint = system.joints[i];
    JointSummary shown{joint.name, std::string(type_name(joint.type)), static_cast<int>(system.parent[i]) - 1,
                       std::string(motion_name(joint.motion))};
    summary.joints.push_back(std::move(shown));
  }
  for (const Constraint& constraint : system.constraints) {
    const auto [parent, child] = bodies_of(system, constraint);
    summary.constraints.push_back({constraint.name, constraint.type, describe(system, constraint),
                                   std::holds_alternative<CutJoint>(constraint.kind), static_cast<int>(parent) - 1,
                                   static_cast<int>(child) - 1});
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
  summary.degrees_of_freedom = count_degrees_of_freedom(system);
  return summary;
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

std::vector<std::string> ledger_warnings(const results::LedgerRecord& ledger) {
  std::vector<std::string> list = ledger.notes();
  for (const std::string& warning : ledger.warnings()) list.push_back("the ledger does not balance: " + warning);
  return list;
}

std::vector<std::string> status_warnings(const results::ResultsReader& results) {
  const std::string& status = results.status();
  if (status == "finished") return {};
  if (status.empty() || status == "running") {
    return {"the run has not ended: it is still running, or was killed; this is what had been recorded"};
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
    list.push_back(fmt::format("there are non-finite values: {}{}", fmt::join(names, ", "),
                               count > listed ? fmt::format(" and {} more", count - listed) : ""));
  }
  return list;
}

}  // namespace gyrostat::report
