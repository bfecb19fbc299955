#include "gyrostat/simulate/run_settings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/forces/external.h"

namespace gyrostat {

RunSettings::RunSettings(const Model& model) {
  const SimulationDescription& s = model.description.simulation;
  formulation = s.formulation;
  integrator = {s.method, s.tolerance, s.step, 0};
  until = s.duration;
  interval = model.description.output.interval > 0 ? model.description.output.interval : s.duration / 1000;
}

std::uint64_t RunSettings::record_count() const {
  return until > 0 ? static_cast<std::uint64_t>(std::ceil(until / interval * (1 - 1e-12))) + 1 : 1;
}

std::string error_of_run(const Model& model, const RunSettings& s) {
  if (const std::string joint = held_at_centre(model.description, model.system); !joint.empty()) {
    return fmt::format(
        "environment.gravity_gradient: full makes the world's origin the centre of attraction, and joint "
        "'{}' holds a body there; connect it by a free joint, or choose perturbation",
        joint);
  }
  if (std::ranges::find(integrator_names, s.integrator.method) == integrator_names.end()) {
    return fmt::format("there is no integrator '{}'; there are {}", s.integrator.method,
                       fmt::join(integrator_names, ", "));
  }
  if (s.integrator.method == "ida" && model.description.simulation.baumgarte) {
    return "simulation.stabilization: ida keeps the constraints itself; leave it out, or choose another integrator";
  }
  if (s.integrator.method == "ida" && s.formulation != "articulated_body") {
    return fmt::format(
        "integrator ida solves the equations of articulated_body with its constraints apart, not those of {}; choose "
        "articulated_body, or another integrator",
        s.formulation);
  }
  const auto by_reaction = std::ranges::find_if(model.description.joints, [](const JointDescription& joint) {
    return joint.friction && joint.friction->by_reaction;
  });
  if (s.integrator.method == "ida" && by_reaction != model.description.joints.end()) {
    return fmt::format(
        "joints.{}.friction.reaction: integrator ida has no friction by reaction; choose cvode_bdf or another "
        "integrator",
        by_reaction->name);
  }
  if (s.integrator.method == "rk4" && !(s.integrator.step > 0)) return "integrator rk4 needs a step";
  if (!(s.integrator.tolerance >= finest_tolerance && s.integrator.tolerance < 1)) {
    return fmt::format("the tolerance must be between {} and 1: numbers have 16 digits", finest_tolerance);
  }
  if (!(s.until >= 0 && std::isfinite(s.until))) return "the duration must be finite and not negative";
  if (s.until > 0 && !(s.interval > 0 && std::isfinite(s.interval))) {
    return "the interval between records must be positive and finite";
  }
  if (s.until / s.interval > 1e9) return "more than a billion records; choose a longer output interval";
  if (std::string why = outside_domain(s.formulation, model.system, DynamicsSettings(model)); !why.empty()) {
    return fmt::format("formulation {} does not take this model: {}", s.formulation, why);
  }
  return {};
}

double ledger_allowance(const IntegratorSettings& settings) {
  if (settings.method == "rk4") return 1e-6;
  const double errors = settings.method == "cvode_bdf" || settings.method == "ida"
                            ? 1e5
                            : 1e4;  // of steps, in a run: tests/simulate/ledger_test.cpp
  return std::clamp(errors * settings.tolerance, 1e-9, 1e-2);
}

}  // namespace gyrostat
