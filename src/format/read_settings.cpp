#include <unordered_map>

#include <fmt/format.h>

#include "gyrostat/format/read_sections.h"

namespace gyrostat::reading {

namespace {

OrbitDescription read_orbit(const Value& value) {
  const Fields f(value, format::orbit);
  OrbitDescription orbit;
  orbit.semi_major_axis = f.constant("semi_major_axis", unreadable);
  orbit.eccentricity = f.constant("eccentricity");
  orbit.inclination = f.constant("inclination");
  orbit.raan = f.constant("raan");
  orbit.argument_of_periapsis = f.constant("argument_of_periapsis");
  orbit.time_of_periapsis = f.constant("time_of_periapsis");
  if (const auto center = f.find("center")) {
    if (center->is_mapping()) {
      const Fields body(*center, format::center);
      orbit.mu = body.constant("mu", unreadable);
      orbit.radius = body.constant("radius");
      if (orbit.mu <= 0) body.find("mu")->error("must be positive");
      if (orbit.radius < 0) body.find("radius")->error("must not be negative");
    } else if (!center->is_scalar() || center->node.text != "earth") {
      center->expected("earth or {mu: ..., radius: ...}");
    }
  }
  return orbit;
}

}  // namespace

EnvironmentDescription read_environment(const Value& value) {
  const Fields f(value, format::environment);
  EnvironmentDescription environment;
  if (const auto gravity = f.find("gravity")) {
    const Fields inside(*gravity, format::gravity);
    environment.gravity = inside.vector("uniform");
  }
  if (const auto orbit = f.find("orbit")) environment.orbit = read_orbit(*orbit);
  if (f.has("gravity_gradient")) {
    environment.gravity_gradient =
        f.choice("gravity_gradient") == 0 ? GravityGradient::perturbation : GravityGradient::full;
  }
  if (const auto sun = f.find("sun")) {
    const Fields inside(*sun, format::sun);
    environment.sun = inside.direction("direction");
  }
  return environment;
}

SimulationDescription read_simulation(const Value& value, const std::vector<JointDescription>& joints) {
  const Fields f(value, format::simulation);
  SimulationDescription simulation;
  simulation.duration = f.constant("duration");
  simulation.formulation = format::formulations[f.choice("formulation")];
  if (const auto integrator = f.find("integrator")) {
    const Fields inside(*integrator, format::integrator);
    simulation.method = format::methods[inside.choice("method")];
    simulation.tolerance = inside.constant("tolerance", simulation.tolerance);
    simulation.step = inside.constant("step");
    const bool fixed_step = simulation.method == "rk4";
    if (fixed_step && !inside.has("step")) {
      inside.missing("step", "rk4 needs it");
      simulation.step = unreadable;
    }
    if (const auto step = inside.find("step"); step && !fixed_step) step->error("only rk4 has a fixed step");
    if (const auto tolerance = inside.find("tolerance"); tolerance && fixed_step)
      tolerance->error("rk4 has a step, not a tolerance");
  }
  if (const auto stabilization = f.find("stabilization")) {
    const Fields inside(*stabilization, format::stabilization);
    simulation.baumgarte = inside.choice("method") == 1;
    simulation.alpha = inside.constant("alpha");
    simulation.beta = inside.constant("beta");
    for (const auto& [name, rate] : {std::pair("alpha", simulation.alpha), std::pair("beta", simulation.beta)}) {
      const auto field = inside.find(name);
      if (field && !simulation.baumgarte && inside.has("method")) field->error("only baumgarte has this field");
      if (field && rate < 0) field->error("must not be negative");
      if (!field && simulation.baumgarte) inside.missing(name, "baumgarte needs it: a rate, 1/s");
    }
    const bool both = inside.has("alpha") && inside.has("beta");
    if (simulation.baumgarte && both && simulation.alpha == 0 && simulation.beta == 0)
      stabilization->error("alpha and beta are both zero: nothing would keep the constraints");
  }
  if (const auto gyroscopic = f.find("gyroscopic")) {
    if (gyroscopic->is_list()) {
      simulation.gyroscopic_dropped = read_names(*gyroscopic);
    } else if (gyroscopic->is_scalar() && (gyroscopic->node.text == "true" || gyroscopic->node.text == "false")) {
      simulation.gyroscopic = read_boolean(*gyroscopic);
    } else {
      gyroscopic->expected("true, false, or a list of bodies");
    }
  }
  simulation.attitude = format::attitudes[f.choice("attitude")];
  simulation.computing_frame = format::computing_frames[f.choice("computing_frame")];
  if (const auto about = f.find("about")) {
    std::unordered_map<std::string_view, const JointDescription*> joint_named;
    for (const JointDescription& joint : joints) joint_named.emplace(joint.name, &joint);
    for_each_entry(*about, [&](std::string_view name, const Value& entry) {
      const auto found = joint_named.find(name);
      const JointDescription* joint = found == joint_named.end() ? nullptr : found->second;
      if (joint == nullptr || !joint->readable) {
        simulation.about.emplace_back(name, std::vector<double>{});  // validation says what is wrong
        return;
      }
      std::vector<Dimension> dimensions;
      for (const auto& q : coordinate_names(joint->type, joint->translations.size(), joint->rotations.size())) {
        dimensions.push_back(q.unit == "rad" ? dimension::angle : q.unit == "m" ? dimension::length : dimension::none);
      }
      if (dimensions.empty()) return entry.error(fmt::format("a {} has no coordinates", type_name(joint->type)));
      simulation.about.emplace_back(name, read_constants(entry, dimensions));
    });
  }
  simulation.linearized = f.names("linearized");
  return simulation;
}

OutputDescription read_output(const Value& value) {
  const Fields f(value, format::output);
  OutputDescription output;
  output.interval = f.constant("interval");
  if (const auto interval = f.find("interval"); interval && output.interval <= 0) interval->error("must be positive");
  if (f.has("record")) output.record = f.names("record");
  output.reactions = f.names("reactions");
  return output;
}

}  // namespace gyrostat::reading
