#include <algorithm>
#include <filesystem>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gyrostat/format/text_file.h"
#include "gyrostat/simulate/check_model.h"

#include "campaign.h"
#include "output.h"

namespace gyrostat::app {

namespace {

/// "m.yaml: ok, 5 bodies, 10 degrees of freedom, 1 warning"
void print_verdict(const Loaded& loaded) {
  const System& system = loaded.model->system;
  const DegreesOfFreedom f = count_degrees_of_freedom(system);
  const auto loops = static_cast<std::size_t>(std::ranges::count_if(
      system.constraints, [](const Constraint& one) { return std::holds_alternative<CutJoint>(one.kind); }));
  const std::size_t relations = system.constraints.size() - loops;  // drives, couplings, distances, points
  std::vector<std::string> parts = {"ok", counted(count_bodies(system), "body", "bodies")};
  parts.push_back(counted(f.all(), "degree of freedom", "degrees of freedom") +
                  (system.constraints.empty() ? "" : " of the tree"));
  if (loops > 0) parts.push_back(counted(loops, "loop", "loops"));
  if (relations > 0) parts.push_back(counted(relations, "constraint", "constraints"));
  if (loaded.problems.warnings() > 0) parts.push_back(counted(loaded.problems.warnings(), "warning", "warnings"));
  fmt::print("{}: {}\n", loaded.source.file(), fmt::join(parts, ", "));
}

/// What can be read only once, as a pipe can, is a model.
bool is_campaign(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return false;
  std::string why;
  const auto text = text_of_file(file, why);
  return text && campaign::looks_like_campaign(*text);
}

}  // namespace

int check(const ModelArguments& arguments) {
  if (is_campaign(arguments.file)) {
    if (arguments.set.empty()) return check_campaign(arguments.file, arguments.json);
    return refuse(arguments.json, "--set is for models; a campaign says under vary: what its flights have",
                  exit_code::wrong_usage);
  }
  Loaded loaded = load(arguments);
  check_model(loaded);
  if (arguments.json) {
    print_json(problems_as_json(loaded));
  } else {
    print_problems(loaded);
    if (loaded.model) print_verdict(loaded);
  }
  return loaded.model ? exit_code::done : exit_code::wrong_model;
}

}  // namespace gyrostat::app
