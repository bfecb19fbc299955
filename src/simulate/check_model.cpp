#include "gyrostat/simulate/check_model.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/constraints/assemble.h"
#include "gyrostat/constraints/closed_system.h"
#include "gyrostat/constraints/refusal.h"
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

/// Constraints that the initial state does not satisfy, where a run would stop; joints that cannot be solved for.
void judge_constraints(const System& system, const YamlNode& root, const Source& source, Problems& problems) {
  const Mechanism mechanism(system);
  const Constraints constraints = make_constraints(mechanism);
  if (constraints.rows() == 0) return;
  const Forces<double> forces(system);
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(system.initial.u.size());
  Kinematics<double> kinematics(mechanism);
  Closures<double> closures = make_closures<double>(constraints);
  const auto evaluate_at = [&](const State& state) {
    update(mechanism, state.q.data(), at_rest.data(), kinematics);
    evaluate_closures(constraints, mechanism, kinematics, state.q.data(), at_rest.data(), forces, {}, closures);
  };
  const auto warn = [&](std::size_t row, const std::string& text) {
    const std::string& path = system.constraints[constraints.constraint_of(row)].path;
    problems.warning(path, text, place_of(root, source, path));
  };
  const Assembly assembly = assemble(mechanism, constraints, system.initial, forces.free, forces.equals);
  if (!(assembly.position <= assembled_residual)) {
    return warn(assembly.worst_row, not_closed(assembly.position) + "; a run would stop at its start");
  }
  if (assembly.position_before > most_assembled) {
    evaluate_at(system.initial);
    const auto size = [](const ConstraintRow<double>& row) { return std::abs(row.residual); };
    const auto worst = std::ranges::max_element(closures.values.rows, {}, size);
    warn(static_cast<std::size_t>(worst - closures.values.rows.begin()),
         too_far(assembly.position_before, "closing it"));
  }
  evaluate_at(assembly.state);
  const ClosureChoice choice = choose_rows(mechanism, kinematics, forces.free, constraints.structure, closures.values);
  if (choice.massless == 0) return;
  const std::string path = "joints." + system.joints[choice.massless].name;
  problems.error(path, massless_before_closed, place_of(root, source, path));
}

}  // namespace

void check_model(Loaded& loaded) {
  if (!loaded.model) return;
  Problems none;
  Source again(loaded.source.file(), std::string(loaded.source.text()));  // the same files, numbered alike
  const YamlNode root = expanded_tree(again, none);
  warn_of_ranges(*loaded.model, root, again, loaded.problems);
  judge_constraints(loaded.model->system, root, again, loaded.problems);
  if (loaded.problems.errors() > 0) return loaded.model.reset();
  if (const std::string error = error_of_run(*loaded.model, RunSettings(*loaded.model)); !error.empty()) {
    loaded.problems.error("simulation", error, place_of(root, again, "simulation"));
    loaded.model.reset();
  }
}

Problem error_at(const Source& source, std::string path, std::string message) {
  Problem problem{Severity::error, std::move(path), std::move(message), {}};
  Problems none;
  Source again(source.file(), std::string(source.text()));
  const YamlNode root = expanded_tree(again, none);
  if (!source.text().empty()) problem.place = place_of(root, again, problem.path);
  return problem;
}

}  // namespace gyrostat
