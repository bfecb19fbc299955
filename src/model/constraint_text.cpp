#include "gyrostat/model/constraint_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gyrostat {

std::string describe(const System& system, const Constraint& constraint) {
  if (const auto* coupling = std::get_if<Coupling>(&constraint.kind)) {
    const std::vector<StateEntry> entries = coordinate_entries(system);
    std::vector<std::string> names;
    for (const Coupling::Term& term : coupling->terms) names.push_back(entries[term.q].name);
    return fmt::format("{} of {}", constraint.type, fmt::join(names, ", "));
  }
  const auto [parent, child] = bodies_of(system, constraint);
  return fmt::format("{} between {} and {}", constraint.type, system.bodies[parent].name, system.bodies[child].name);
}

}  // namespace gyrostat
