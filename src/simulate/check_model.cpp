#include "gyrostat/simulate/check_model.h"

#include <fmt/format.h>

#include "gyrostat/dynamics/flexible_range.h"
#include "gyrostat/format/expand.h"
#include "gyrostat/simulate/run_settings.h"

namespace gyrostat {

namespace {

/// Flexible bodies that are beyond the range of their equations in the initial state.
void warn_of_ranges(const Model& model, const YamlNode& root, const Source& source, Problems& problems) {
  const System& system = model.system;
  const Mechanism mechanism(system);
  Kinematics<double> kinematics(mechanism);
  update(mechanism, system.initial.q.data(), system.initial.u.data(), kinematics);
  for (std::size_t k = 0; k < system.flexible.size(); ++k) {
    const FlexibleRange range = range_of(mechanism, kinematics, system.initial.q.data(), k);
    const std::string& name = system.bodies[system.flexible[k].body].name;
    const auto warn = [&](const std::string& field, const std::string& text) {
      const std::string path = fmt::format("bodies.{}.flexible.{}", name, field);
      problems.warning(path, text, place_of(root, source, path));
    };
    if (range.spin > most_spin) warn("terms", spin_warning(name, range.spin));
    if (range.deflection > most_deflection) warn("initial", deflection_warning(name, range.deflection));
  }
}

}  // namespace

void check_model(Loaded& loaded) {
  if (!loaded.model) return;
  Problems none;
  Source again(loaded.source.file(), std::string(loaded.source.text()));  // the same files, numbered alike
  const YamlNode root = expanded_tree(again, none);
  warn_of_ranges(*loaded.model, root, again, loaded.problems);
  if (const std::string error = error_of_run(*loaded.model, RunSettings(*loaded.model)); !error.empty()) {
    loaded.problems.error("simulation", error, place_of(root, again, "simulation"));
    loaded.model.reset();
  }
}

}  // namespace gyrostat
