#include <cmath>

#include <fmt/format.h>

#include "gyrostat/model/validate.h"

namespace gyrostat {

namespace {

void check_point(const PointReference& at, const std::string& body_path, const std::string& point_path,
                 const Description& description, const Names& names, Problems& problems) {
  if (at.body.empty()) return;  // reported by the reader
  if (at.body == "world") {
    if (!at.position) problems.error(point_path, "a point of the world is given by its position [x, y, z]");
    return;
  }
  const auto body = names.body(at.body);
  if (!body) return problems.error(body_path, names.no_body(at.body));
  if (at.point.empty()) return;
  for (const NamedPoint& point : description.bodies[*body].points) {
    if (point.name == at.point) return;
  }
  problems.error(point_path, names.no_point(*body, at.point));
}

void check_load(const LoadDescription& load, const std::string& path, const Description& description,
                const Names& names, Problems& problems) {
  const auto check_body = [&](const std::string& name, const std::string& where) {
    if (!name.empty() && !names.body(name)) problems.error(where, names.no_body(name));
  };
  if (const auto* body = std::get_if<BodyLoad>(&load)) {
    check_body(body->at.body, path + ".body");
    if (names.body(body->at.body)) check_point(body->at, path + ".body", path + ".point", description, names, problems);
  } else if (const auto* spring = std::get_if<SpringLoad>(&load)) {
    check_point(spring->from, path + ".spring.from[0]", path + ".spring.from[1]", description, names, problems);
    check_point(spring->to, path + ".spring.to[0]", path + ".spring.to[1]", description, names, problems);
    if (spring->length < 0) problems.error(path + ".spring.length", "must not be negative");
    for (const auto& [field, c] :
         {std::pair{"stiffness", &spring->stiffness}, std::pair{"damping", &spring->damping}}) {
      if (!c->table.empty() && !names.table(c->table))
        problems.error(fmt::format("{}.spring.{}", path, field), names.no_table(c->table));
    }
    if (spring->from.body == spring->to.body && !spring->from.body.empty()) {
      problems.error(path + ".spring.to", "both ends are on the same body");
    }
  } else if (const auto* thruster = std::get_if<ThrusterLoad>(&load)) {
    check_body(thruster->at.body, path + ".thruster.body");
    if (names.body(thruster->at.body)) {
      check_point(thruster->at, path + ".thruster.body", path + ".thruster.point", description, names, problems);
    }
  } else if (const auto* between = std::get_if<TorqueBetweenLoad>(&load)) {
    for (const auto& [field, name] : {std::pair{"from", &between->from}, std::pair{"to", &between->to}}) {
      if (*name != "world") check_body(*name, fmt::format("{}.torque_between.{}", path, field));
    }
    if (between->from == between->to && !between->from.empty()) {
      problems.error(path + ".torque_between.to", "the torque acts between two different bodies");
    }
  }
}

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
  if (s.tolerance <= 0 || s.tolerance >= 1)
    problems.error("simulation.integrator.tolerance", "must be between 0 and 1");
  if (s.step < 0 || (s.step == 0 && s.method == "rk4"))
    problems.error("simulation.integrator.step", "must be positive");
  for (std::size_t i = 0; i < s.gyroscopic_dropped.size(); ++i) {
    if (!s.gyroscopic_dropped[i].empty() && !names.body(s.gyroscopic_dropped[i]))
      problems.error(fmt::format("simulation.gyroscopic[{}]", i), names.no_body(s.gyroscopic_dropped[i]));
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

void check_output(const OutputDescription& output, const Names& names, Problems& problems) {
  for (std::size_t i = 0; output.record && i < output.record->size(); ++i) {
    if ((*output.record)[i].empty()) continue;  // reported by the reader
    const auto answer = names.resolve((*output.record)[i]);
    if (const auto* why = std::get_if<std::string>(&answer)) problems.error(fmt::format("output.record[{}]", i), *why);
  }
  for (std::size_t i = 0; i < output.reactions.size(); ++i) {
    if (!output.reactions[i].empty() && !names.joint(output.reactions[i]))
      problems.error(fmt::format("output.reactions[{}]", i), names.no_joint(output.reactions[i]));
  }
}

}  // namespace

void validate_settings(const Description& description, const Names& names, Problems& problems) {
  for (std::size_t i = 0; i < description.loads.size(); ++i) {
    check_load(description.loads[i], fmt::format("loads[{}]", i), description, names, problems);
  }
  check_environment(description.environment, problems);
  check_simulation(description, names, problems);
  check_output(description.output, names, problems);
}

}  // namespace gyrostat
