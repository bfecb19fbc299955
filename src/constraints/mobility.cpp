#include "gyrostat/constraints/mobility.h"

#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/constraints/assemble.h"
#include "gyrostat/dynamics/articulated_body.h"

namespace gyrostat {

std::vector<Redundant> find_redundant(const System& system, const RowLists& constraints,
                                      const std::vector<std::uint32_t>& node_of) {
  std::vector<std::size_t> lost(system.constraints.size());
  for (std::size_t r = 0; r < node_of.size(); ++r) {
    if (node_of[r] == ClosurePlan::none) ++lost[constraints.constraint_of(r)];
  }
  std::vector<Redundant> list;
  for (std::size_t k = 0; k < lost.size(); ++k) {
    if (lost[k] > 0) list.push_back({system.constraints[k].name, lost[k]});
  }
  return list;
}

std::string text_of(const std::vector<Redundant>& redundant, std::size_t most) {
  std::string text;
  for (std::size_t k = 0; k < std::min(most, redundant.size()); ++k) {
    text += fmt::format("{}{} of '{}'", k == 0 ? "" : ", ", redundant[k].rows, redundant[k].constraint);
  }
  if (redundant.size() > most) text += fmt::format(" and of {} more", redundant.size() - most);
  return text;
}

Mobility find_mobility(const System& system) {
  const Mechanism mechanism(system);
  const Constraints constraints = make_constraints(mechanism);
  const Forces<double> forces(system);
  Mobility result;
  result.free = static_cast<std::size_t>(std::ranges::count_if(forces.free, [](const Truth& free) { return free.is; }));
  result.rows = constraints.rows();
  if (result.rows == 0) return result;
  const Assembly assembly = assemble(mechanism, constraints, system.initial, forces.free, forces.equals);
  result.residual = assembly.position;
  if (!assembly.closed()) result.open = system.constraints[constraints.constraint_of(assembly.worst_row)].name;

  Kinematics<double> kinematics(mechanism);
  Closures<double> closures = make_closures<double>(constraints);
  const Eigen::VectorXd at_rest = Eigen::VectorXd::Zero(system.initial.u.size());
  update(mechanism, assembly.state.q.data(), at_rest.data(), kinematics);
  evaluate_closures(constraints, mechanism, kinematics, assembly.state.q.data(), at_rest.data(), forces, {}, closures);
  const ClosureChoice choice = choose_rows(mechanism, kinematics, forces.free, constraints.structure, closures.values);
  result.redundant = find_redundant(system, constraints, choice.node_of);
  result.rank = result.rows;
  for (const Redundant& one : result.redundant) result.rank -= one.rows;
  return result;
}

}  // namespace gyrostat
