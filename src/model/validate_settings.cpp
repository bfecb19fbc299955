#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/expression/glob.h"
#include "gyrostat/model/kind_check.h"
#include "gyrostat/model/validate.h"

namespace gyrostat {

namespace {

void check_environment(const EnvironmentDescription& environment, Problems& problems) {
  if (environment.orbit) {
    const OrbitDescription& orbit = *environment.orbit;
    if (orbit.eccentricity < 0 || orbit.eccentricity >= 1) {
      problems.error("environment.orbit.eccentricity", "must be at least 0 and below 1: the orbit is an ellipse");
    }
    if (orbit.semi_major_axis <= 0) {
      problems.error("environment.orbit.semi_major_axis", "must be positive");
    } else if (orbit.eccentricity < 1 && orbit.semi_major_axis * (1 - orbit.eccentricity) < orbit.radius) {
      problems.warning(
          "environment.orbit.semi_major_axis",
          fmt::format("the orbit passes below the surface: periapsis at {:.6g} km from the centre, radius {:.6g} km",
                      orbit.semi_major_axis * (1 - orbit.eccentricity) / 1000, orbit.radius / 1000));
    }
  }
  if (environment.gravity_gradient != GravityGradient::none && !environment.orbit) {
    problems.error("environment.gravity_gradient", "needs an orbit");
  }
}

void check_simulation(const Description& description, const Names& names, Problems& problems) {
  const SimulationDescription& s = description.simulation;
  if (s.duration < 0) problems.error("simulation.duration", "must not be negative");
  if (s.tolerance < finest_tolerance || s.tolerance >= 1) {
    problems.error("simulation.integrator.tolerance",
                   fmt::format("must be between {} and 1: numbers have 16 digits", finest_tolerance));
  }
  if (s.step < 0 || (s.step == 0 && s.method == "rk4"))
    problems.error("simulation.integrator.step", "must be positive");
  for (std::size_t i = 0; i < s.gyroscopic_dropped.size(); ++i) {
    const std::string& name = s.gyroscopic_dropped[i];
    const std::string path = fmt::format("simulation.gyroscopic[{}]", i);
    const auto body = names.body(name);
    if (!name.empty() && !body) problems.error(path, names.no_body(name));
    if (body && *body < description.bodies.size() && description.bodies[*body].flexible) {
      problems.error(path, fmt::format("'{}' is flexible: its velocity terms cannot be left out", name));
    }
  }
  for (const BodyDescription& body : description.bodies) {
    if (!body.flexible || s.gyroscopic) continue;
    problems.error(
        "simulation.gyroscopic",
        fmt::format("'{}' is flexible, and its velocity terms cannot be left out; list the rigid bodies whose "
                    "gyroscopic terms are dropped",
                    body.name));
    break;
  }
  for (const auto& [joint, coordinates] : s.about) {
    const std::string path = "simulation.about." + joint;
    const auto index = names.joint(joint);
    if (!index) problems.error(path, names.no_joint(joint));
    if (!index || !description.joints[*index].readable) continue;
    const std::size_t count = description.joints[*index].position.size();
    if (coordinates.size() != count)
      problems.error(path, fmt::format("expected {} coordinates, got {}", count, coordinates.size()));
  }
  for (std::size_t i = 0; i < s.linearized.size(); ++i) {
    if (!s.linearized[i].empty() && !names.joint(s.linearized[i]))
      problems.error(fmt::format("simulation.linearized[{}]", i), names.no_joint(s.linearized[i]));
  }
}

void check_output(const Description& description, const Names& names, Problems& problems) {
  const OutputDescription& output = description.output;
  for (std::size_t i = 0; output.record && i < output.record->size(); ++i) {
    const std::string& name = (*output.record)[i];
    if (name.empty()) continue;  // reported by the reader
    if (is_pattern(name)) {
      if (names.matching(name).empty()) {
        problems.error(fmt::format("output.record[{}]", i), fmt::format("no quantity matches the pattern '{}'", name));
      }
      continue;
    }
    if (!names.numbers_of(name).empty()) continue;
    const auto answer = names.resolve(name);
    if (const auto* why = std::get_if<std::string>(&answer)) problems.error(fmt::format("output.record[{}]", i), *why);
  }
  for (std::size_t i = 0; i < output.reactions.size(); ++i) {
    const bool constraint = std::ranges::find(description.constraints, output.reactions[i],
                                              &ConstraintDescription::name) != description.constraints.end();
    if (!output.reactions[i].empty() && !constraint && !names.joint(output.reactions[i]))
      problems.error(fmt::format("output.reactions[{}]", i), names.no_joint_or_constraint(output.reactions[i]));
  }
}

}  // namespace

void validate_settings(const Description& description, const Names& names, Problems& problems) {
  for (std::size_t i = 0; i < description.loads.size(); ++i) {
    std::visit(KindCheck{fmt::format("loads[{}]", i), description, names, problems}, description.loads[i]);
  }
  check_environment(description.environment, problems);
  check_simulation(description, names, problems);
  check_output(description, names, problems);
}

}  // namespace gyrostat
