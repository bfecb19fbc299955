// Loads, environment, simulation and output that refer to nothing or cannot be.
#include "support/problem_case.h"

namespace gyrostat {
namespace validate_settings_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {j: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}}\n";

class ImpossibleSettings : public testing::ProblemTest {};

TEST_P(ImpossibleSettings, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"LoadOnAnUnknownBody", "loads:\n  - {body: nobody, torque: [1, 0, 0]}",
     "m.yaml:5:12: error: loads[0].body: no body 'nobody'\n"},
    {"LoadOnTheWorld", "loads:\n  - {body: world, torque: [1, 0, 0]}",
     "m.yaml:5:12: error: loads[0].body: no body 'world'\n"},
    {"LoadAtAnUnknownPoint", "loads:\n  - {body: a, force: [1, 0, 0], point: jet}",
     "m.yaml:5:40: error: loads[0].point: the body 'a' has no point 'jet'\n"},
    {"SpringToAnUnknownBody", "loads:\n  - {spring: {from: [a, com], to: [nobody, com]}}",
     "m.yaml:5:36: error: loads[0].spring.to[0]: no body 'nobody'\n"},
    {"SpringToAnUnknownPoint", "loads:\n  - {spring: {from: [a, jet], to: [b, com]}}",
     "m.yaml:5:25: error: loads[0].spring.from[1]: the body 'a' has no point 'jet'\n"},
    {"SpringToAPointOfTheWorldByName", "loads:\n  - {spring: {from: [a, com], to: [world, origin]}}",
     "m.yaml:5:43: error: loads[0].spring.to[1]: a point of the world is given by its position [x, y, z]\n"},
    {"SpringOfNegativeLength", "loads:\n  - {spring: {from: [a, com], to: [b, com], length: -1}}",
     "m.yaml:5:53: error: loads[0].spring.length: must not be negative\n"},
    {"SpringOfAnUnknownTable", "loads:\n  - {spring: {from: [a, com], to: [b, com], stiffness: {table: f}}}",
     "m.yaml:5:56: error: loads[0].spring.stiffness: no table 'f'\n"},
    {"SpringDampingOfAnUnknownTable", "loads:\n  - {spring: {from: [a, com], to: [b, com], damping: {table: f}}}",
     "m.yaml:5:54: error: loads[0].spring.damping: no table 'f'\n"},
    {"SpringOnOneBody", "loads:\n  - {spring: {from: [a, com], to: [a, com]}}",
     "m.yaml:5:35: error: loads[0].spring.to: both ends are on the same body\n"},
    {"ThrusterOnAnUnknownBody", "loads:\n  - {thruster: {body: nobody, point: com, direction: [1, 0, 0], thrust: 1}}",
     "m.yaml:5:23: error: loads[0].thruster.body: no body 'nobody'\n"},
    {"ThrusterAtAnUnknownPoint", "loads:\n  - {thruster: {body: a, point: jet, direction: [1, 0, 0], thrust: 1}}",
     "m.yaml:5:33: error: loads[0].thruster.point: the body 'a' has no point 'jet'\n"},
    {"TorqueBetweenAnUnknownBody", "loads:\n  - {torque_between: {from: nobody, to: b, axis: [1, 0, 0], torque: 1}}",
     "m.yaml:5:29: error: loads[0].torque_between.from: no body 'nobody'\n"},
    {"TorqueBetweenABodyAndItself", "loads:\n  - {torque_between: {from: a, to: a, axis: [1, 0, 0], torque: 1}}",
     "m.yaml:5:36: error: loads[0].torque_between.to: the torque acts between two different bodies\n"},
    {"UnknownNameInTheSecondLoad",
     "loads:\n  - {body: a, torque: [1, 0, 0]}\n  - {body: a, torque: [0, \"2*thrust\", 0]}",
     "m.yaml:6:30: error: loads[1].torque[1]: no parameter or signal 'thrust'\n"},
    {"HyperbolicOrbit", "environment: {orbit: {semi_major_axis: 7000 km, eccentricity: 1}}",
     "m.yaml:4:63: error: environment.orbit.eccentricity: must be at least 0 and below 1: the orbit is an ellipse\n"},
    {"NegativeEccentricity", "environment: {orbit: {semi_major_axis: 7000 km, eccentricity: -0.1}}",
     "m.yaml:4:63: error: environment.orbit.eccentricity: must be at least 0 and below 1: the orbit is an ellipse\n"},
    {"NegativeAxisOfTheOrbit", "environment: {orbit: {semi_major_axis: -7000 km}}",
     "m.yaml:4:40: error: environment.orbit.semi_major_axis: must be positive\n"},
    {"OrbitBelowTheSurface", "environment: {orbit: {semi_major_axis: 7000 km, eccentricity: 0.2}}",
     "m.yaml:4:40: warning: environment.orbit.semi_major_axis: the orbit passes below the surface: periapsis at 5600 "
     "km from the centre, radius 6378.14 km\n"},
    {"OrbitInKilometresWithoutAUnit", "environment: {orbit: {semi_major_axis: 7000}}",
     "m.yaml:4:40: warning: environment.orbit.semi_major_axis: the orbit passes below the surface: periapsis at 7 km "
     "from the centre, radius 6378.14 km\n"},
    {"GravityGradientWithoutOrbit", "environment: {gravity_gradient: full}",
     "m.yaml:4:33: error: environment.gravity_gradient: needs an orbit\n"},
    {"NegativeDuration", "simulation: {duration: -1}",
     "m.yaml:4:24: error: simulation.duration: must not be negative\n"},
    {"ZeroTolerance", "simulation: {integrator: {method: dopri5, tolerance: 0}}",
     "m.yaml:4:54: error: simulation.integrator.tolerance: must be between 1e-14 and 1: numbers have 16 digits\n"},
    {"ToleranceOfOne", "simulation: {integrator: {method: dopri5, tolerance: 1}}",
     "m.yaml:4:54: error: simulation.integrator.tolerance: must be between 1e-14 and 1: numbers have 16 digits\n"},
    {"ZeroStep", "simulation: {integrator: {method: rk4, step: 0}}",
     "m.yaml:4:46: error: simulation.integrator.step: must be positive\n"},
    {"NegativeStep", "simulation: {integrator: {method: rk4, step: -1}}",
     "m.yaml:4:46: error: simulation.integrator.step: must be positive\n"},
    {"GyroscopicTermsOfAnUnknownBody", "simulation: {gyroscopic: [a, nobody]}",
     "m.yaml:4:30: error: simulation.gyroscopic[1]: no body 'nobody'\n"},
    {"AboutAnUnknownJoint", "simulation: {about: {jj: 1}}",
     "m.yaml:4:26: error: simulation.about.jj: no joint 'jj'; did you mean 'j'?\n"},
    {"AboutWithTooManyCoordinates", "simulation: {about: {j: [1, 2]}}",
     "m.yaml:4:25: error: simulation.about.j: expected 1 number, got 2\n"},
    {"AboutInAWrongUnit", "simulation: {about: {j: 1 kg}}",
     "m.yaml:4:25: error: simulation.about.j: expected a value in rad, got kg\n"},
    {"LinearizedUnknownJoint", "simulation: {linearized: [j, jj]}",
     "m.yaml:4:30: error: simulation.linearized[1]: no joint 'jj'; did you mean 'j'?\n"},
    {"NegativeInterval", "output: {interval: -1}", "m.yaml:4:20: error: output.interval: must be positive\n"},
    {"ZeroInterval", "output: {interval: 0}", "m.yaml:4:20: error: output.interval: must be positive\n"},
    {"RecordOfAnUnknownQuantity", "output: {record: [j.angle, j.angel]}",
     "m.yaml:4:28: error: output.record[1]: the joint 'j' has no 'angel'; did you mean 'angle'?\n"},
    {"RecordOfABody", "output: {record: [a]}",
     "m.yaml:4:19: error: output.record[0]: 'a' is a body; write a quantity of it, like a.omega_x\n"},
    {"ReactionsOfAnUnknownJoint", "output: {reactions: [j, hinge]}",
     "m.yaml:4:25: error: output.reactions[1]: no joint 'hinge'\n"},
    {"RecordOfAnExpression", "output: {record: [2*j.angle]}",
     "m.yaml:4:19: error: output.record[0]: no quantity matches the pattern '2*j.angle'\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, ImpossibleSettings, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace validate_settings_test
}  // namespace gyrostat
