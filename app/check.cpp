#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gyrostat/dynamics/flexible_range.h"
#include "gyrostat/format/expand.h"
#include "gyrostat/simulate/simulation.h"

#include "output.h"

namespace gyrostat::app {

namespace {

/// "m.yaml: ok, 5 bodies, 10 degrees of freedom, 1 warning"
void print_verdict(const Loaded& loaded) {
  const System& system = loaded.model->system;
  const DegreesOfFreedom f = count_degrees_of_freedom(system);
  const bool loops = !system.constraints.empty();
  std::vector<std::string> parts = {"ok", counted(count_bodies(system), "body", "bodies")};
  parts.push_back(counted(f.all(), "degree of freedom", "degrees of freedom") + (loops ? " of the tree" : ""));
  if (loops) parts.push_back(counted(system.constraints.size(), "loop", "loops"));
  if (loaded.problems.warnings() > 0) parts.push_back(counted(loaded.problems.warnings(), "warning", "warnings"));
  fmt::print("{}: {}\n", loaded.source.file(), fmt::join(parts, ", "));
}

/// What `run` would say of the model's own settings.
std::string error_of_own_run(const Model& model) { return error_of_run(model, RunSettings(model)); }

/// Flexible bodies that are beyond the range of their equations in the initial state.
void warn_of_ranges(const Model& model, const YamlNode& root, const Source& source, Loaded& loaded) {
  const System& system = model.system;
  const Mechanism mechanism(system);
  Kinematics<double> kinematics(mechanism);
  update(mechanism, system.initial.q.data(), system.initial.u.data(), kinematics);
  for (std::size_t k = 0; k < system.flexible.size(); ++k) {
    const FlexibleRange range = range_of(mechanism, kinematics, system.initial.q.data(), k);
    const std::string& name = system.bodies[system.flexible[k].body].name;
    const auto warn = [&](const std::string& field, const std::string& text) {
      const std::string path = fmt::format("bodies.{}.flexible.{}", name, field);
      loaded.problems.warning(path, text, place_of(root, source, path));
    };
    if (range.spin > most_spin) warn("terms", spin_warning(name, range.spin));
    if (range.deflection > most_deflection) warn("initial", deflection_warning(name, range.deflection));
  }
}

}  // namespace

int check(const ModelArguments& arguments) {
  Loaded loaded = load(arguments);
  Problems none;
  Source again(loaded.source.file(), std::string(loaded.source.text()));  // the same files, numbered alike
  const YamlNode root = expanded_tree(again, none);
  if (loaded.model) warn_of_ranges(*loaded.model, root, again, loaded);
  if (const std::string error = loaded.model ? error_of_own_run(*loaded.model) : ""; !error.empty()) {
    loaded.problems.error("simulation", error, place_of(root, again, "simulation"));
    loaded.model.reset();
  }
  if (arguments.json) {
    print_json(problems_as_json(loaded));
  } else {
    print_problems(loaded);
    if (loaded.model) print_verdict(loaded);
  }
  return loaded.model ? exit_code::done : exit_code::wrong_model;
}

}  // namespace gyrostat::app
