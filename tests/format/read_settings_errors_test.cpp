// What is wrong with the fields of environment, simulation and output.
#include "support/problem_case.h"

namespace gyrostat {
namespace read_settings_errors_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {j: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}}\n";

class SettingsProblems : public testing::ProblemTest {};

TEST_P(SettingsProblems, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"UnknownEnvironment", "environment: {gravty: {uniform: [0, 0, 1]}}",
     "m.yaml:4:15: error: environment.gravty: unknown field; did you mean 'gravity'?\n"},
    {"GravityThatIsAVector", "environment: {gravity: [0, 0, -9.81]}",
     "m.yaml:4:24: error: environment.gravity: expected a mapping with fields like uniform, ..., got a list\n"},
    {"GravityWithoutUniform", "environment: {gravity: {}}",
     "m.yaml:4:24: error: environment.gravity.uniform: missing; it is required (world axes, m/s^2)\n"},
    {"GravityInAWrongUnit", "environment: {gravity: {uniform: [0, 0, 1 N]}}",
     "m.yaml:4:41: error: environment.gravity.uniform[2]: expected a value in m/s^2, got N\n"},
    {"OrbitWithoutAxis", "environment: {orbit: {}}",
     "m.yaml:4:22: error: environment.orbit.semi_major_axis: missing; it is required (m)\n"},
    {"OrbitAxisInAWrongUnit", "environment: {orbit: {semi_major_axis: 100 min}}",
     "m.yaml:4:40: error: environment.orbit.semi_major_axis: expected a value in m, got s\n"},
    {"OrbitAboutAnUnknownCenter", "environment: {orbit: {semi_major_axis: 7000 km, center: mars}}",
     "m.yaml:4:57: error: environment.orbit.center: expected earth or {mu: ..., radius: ...}, got 'mars'\n"},
    {"OrbitAboutAList", "environment: {orbit: {semi_major_axis: 7000 km, center: [earth]}}",
     "m.yaml:4:57: error: environment.orbit.center: expected earth or {mu: ..., radius: ...}, got a list\n"},
    {"OrbitCenterWithoutMu", "environment: {orbit: {semi_major_axis: 7000 km, center: {radius: 1 km}}}",
     "m.yaml:4:57: error: environment.orbit.center.mu: missing; it is required (m^3/s^2)\n"},
    {"OrbitCenterWithNegativeMu", "environment: {orbit: {semi_major_axis: 7000 km, center: {mu: -1}}}",
     "m.yaml:4:62: error: environment.orbit.center.mu: must be positive\n"},
    {"OrbitCenterWithNegativeRadius", "environment: {orbit: {semi_major_axis: 7000 km, center: {mu: 1, radius: -1}}}",
     "m.yaml:4:73: error: environment.orbit.center.radius: must not be negative\n"},
    {"UnknownGravityGradient", "environment: {orbit: {semi_major_axis: 7000 km}, gravity_gradient: true}",
     "m.yaml:4:68: error: environment.gravity_gradient: expected one of perturbation, full, got 'true'\n"},
    {"SunWithoutDirection", "environment: {sun: {}}",
     "m.yaml:4:20: error: environment.sun.direction: missing; it is required (towards the sun, world axes)\n"},
    {"SunWithAZeroDirection", "environment: {sun: {direction: [0, 0, 0]}}",
     "m.yaml:4:32: error: environment.sun.direction: a direction cannot have zero length\n"},
    {"UnknownSimulationField", "simulation: {durations: 3}",
     "m.yaml:4:14: error: simulation.durations: unknown field; did you mean 'duration'?\n"},
    {"DurationInAWrongUnit", "simulation: {duration: 3 m}",
     "m.yaml:4:24: error: simulation.duration: expected a value in s, got m\n"},
    {"UnknownFormulation", "simulation: {formulation: newton}",
     "m.yaml:4:27: error: simulation.formulation: expected one of articulated_body, composite_body, kane, nested_body, "
     "augmented_body, linear_total, linear_total_fixed, linear_partial, absolute, mixed, got 'newton'\n"},
    {"MisspeltFormulation", "simulation: {formulation: articulated_bodi}",
     "m.yaml:4:27: error: simulation.formulation: expected one of articulated_body, composite_body, kane, nested_body, "
     "augmented_body, linear_total, linear_total_fixed, linear_partial, absolute, mixed, got 'articulated_bodi'; did "
     "you mean "
     "'articulated_body'?\n"},
    {"IntegratorThatIsText", "simulation: {integrator: rk4}",
     "m.yaml:4:26: error: simulation.integrator: expected a mapping with fields like method, ..., got 'rk4'\n"},
    {"IntegratorWithoutMethod", "simulation: {integrator: {tolerance: 1e-6}}",
     "m.yaml:4:26: error: simulation.integrator.method: missing; it is required (cvode_adams, cvode_bdf, dopri5, rk4 "
     "or ida)\n"},
    {"UnknownMethod", "simulation: {integrator: {method: euler}}",
     "m.yaml:4:35: error: simulation.integrator.method: expected one of cvode_adams, cvode_bdf, dopri5, rk4, ida, got "
     "'euler'\n"},
    {"Rk4WithoutStep", "simulation: {integrator: {method: rk4}}",
     "m.yaml:4:26: error: simulation.integrator.step: missing; rk4 needs it\n"},
    {"Rk4WithTolerance", "simulation: {integrator: {method: rk4, step: 0.1, tolerance: 1e-6}}",
     "m.yaml:4:62: error: simulation.integrator.tolerance: rk4 has a step, not a tolerance\n"},
    {"StepOfAnotherMethod", "simulation: {integrator: {method: dopri5, step: 0.1}}",
     "m.yaml:4:49: error: simulation.integrator.step: only rk4 has a fixed step\n"},
    {"GyroscopicThatIsText", "simulation: {gyroscopic: maybe}",
     "m.yaml:4:26: error: simulation.gyroscopic: expected true, false, or a list of bodies, got 'maybe'\n"},
    {"GyroscopicInQuotes", "simulation: {gyroscopic: 'true'}",
     "m.yaml:4:26: error: simulation.gyroscopic: expected true or false, got 'true'\n"},
    {"UnknownAttitude", "simulation: {attitude: euler_angles}",
     "m.yaml:4:24: error: simulation.attitude: expected one of quaternion, direction_cosines, got 'euler_angles'\n"},
    {"UnknownComputingFrame", "simulation: {computing_frame: world}",
     "m.yaml:4:31: error: simulation.computing_frame: expected one of inertial, body, got 'world'\n"},
    {"MisspeltComputingFrame", "simulation: {computing_frame: inertail}",
     "m.yaml:4:31: error: simulation.computing_frame: expected one of inertial, body, got 'inertail'; did you mean "
     "'inertial'?\n"},
    {"ComputingFrameThatIsAList", "simulation: {computing_frame: [body]}",
     "m.yaml:4:31: error: simulation.computing_frame: expected one of inertial, body, got a list\n"},
    {"MisspeltFieldOfTheFrame", "simulation: {computation_frame: body}",
     "m.yaml:4:14: error: simulation.computation_frame: unknown field; did you mean 'computing_frame'?\n"},
    {"AboutThatIsAList", "simulation: {about: [1]}",
     "m.yaml:4:21: error: simulation.about: expected a mapping of names, got a list\n"},
    {"AboutWithAWrongValue", "simulation: {about: {j: [[1]]}}",
     "m.yaml:4:26: error: simulation.about.j[0]: expected a number, got a list\n"},
    {"LinearizedThatIsText", "simulation: {linearized: j}",
     "m.yaml:4:26: error: simulation.linearized: expected a list of names, got 'j'\n"},
    {"LinearizedWithAListInside", "simulation: {linearized: [[j]]}",
     "m.yaml:4:27: error: simulation.linearized[0]: expected text, got a list\n"},
    {"IntervalInAWrongUnit", "output: {interval: 1 m}",
     "m.yaml:4:20: error: output.interval: expected a value in s, got m\n"},
    {"RecordThatIsText", "output: {record: j.angle}",
     "m.yaml:4:18: error: output.record: expected a list of names, got 'j.angle'\n"},
    {"ReactionsThatAreText", "output: {reactions: j}",
     "m.yaml:4:21: error: output.reactions: expected a list of names, got 'j'\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, SettingsProblems, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace read_settings_errors_test
}  // namespace gyrostat
