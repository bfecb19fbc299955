// What is wrong with the fields of loads.
#include "support/problem_case.h"

namespace gyrostat {
namespace read_loads_errors_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1], points: {jet: [1, 0, 0]}}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {j: {type: weld, parent: a, child: b}}\n"
    "loads:\n"
    "  - ";

class LoadProblems : public testing::ProblemTest {};

TEST_P(LoadProblems, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"TextInsteadOfALoad", "gravity",
     "m.yaml:5:5: error: loads[0]: expected a mapping with fields like body, ..., got 'gravity'\n"},
    {"NothingAtAll", "", "m.yaml:5:3: error: loads[0]: needs one of body, spring, thruster, torque_between\n"},
    {"LoadWithoutAKind", "{force: [1, 0, 0]}",
     "m.yaml:5:5: error: loads[0]: needs one of body, spring, thruster, torque_between\n"},
    {"LoadOfTwoKinds", "{body: a, force: [1, 0, 0], torque_between: {from: a, to: b, axis: [1, 0, 0], torque: 1}}",
     "m.yaml:5:5: error: loads[0]: has body and torque_between at once; only one can be given\n"},
    {"UnknownKind", "{body: a, forc: [1, 0, 0], torque: [0, 0, 0]}",
     "m.yaml:5:15: error: loads[0].forc: unknown field; did you mean 'force'?\n"},
    {"LoadWithoutForceAndTorque", "{body: a}", "m.yaml:5:5: error: loads[0]: needs a 'force' or a 'torque'\n"},
    {"PointWithoutForce", "{body: a, torque: [0, 0, 0], point: jet}",
     "m.yaml:5:41: error: loads[0].point: only a force acts at a point\n"},
    {"ForceThatIsANumber", "{body: a, force: 3}",
     "m.yaml:5:22: error: loads[0].force: expected 3 numbers or expressions, got '3'\n"},
    {"ForceOfTwoNumbers", "{body: a, force: [1, 2]}",
     "m.yaml:5:22: error: loads[0].force: expected 3 numbers or expressions, got 2\n"},
    {"ForceInAWrongUnit", "{body: a, force: [1 N*m, 0, 0]}",
     "m.yaml:5:23: error: loads[0].force[0]: expected a value in N, got N*m\n"},
    {"TorqueThatIsNoExpression", R"({body: a, torque: ["1 2", 0, 0]})",
     "m.yaml:5:27: error: loads[0].torque[0]: expected an operator or the end, got '2'\n"},
    {"UnknownAxes", "{body: a, torque: [1, 0, 0], axes: inertial}",
     "m.yaml:5:40: error: loads[0].axes: expected one of body, world, got 'inertial'\n"},
    {"PointThatIsAMapping", "{body: a, force: [1, 0, 0], point: {x: 1}}",
     "m.yaml:5:40: error: loads[0].point: expected the name of a point, a position [x, y, z], or com, got a mapping\n"},
    {"PointOfTwoNumbers", "{body: a, force: [1, 0, 0], point: [1, 0]}",
     "m.yaml:5:40: error: loads[0].point: expected 3 numbers, got 2\n"},
    {"BodyThatIsAList", "{body: [a], torque: [1, 0, 0]}",
     "m.yaml:5:12: error: loads[0].body: expected text, got a list\n"},
    {"ForceBesideASpring", "{spring: {from: [a, com], to: [b, com]}, force: [1, 0, 0]}",
     "m.yaml:5:53: error: loads[0].force: does not go with 'spring'\n"},
    {"SpringWithoutTo", "{spring: {from: [a, com]}}",
     "m.yaml:5:14: error: loads[0].spring.to: missing; it is required ([BODY, POINT])\n"},
    {"SpringFromText", "{spring: {from: a, to: [b, com]}}",
     "m.yaml:5:21: error: loads[0].spring.from: expected [BODY, POINT], got 'a'\n"},
    {"SpringFromThreeThings", "{spring: {from: [a, jet, 1], to: [b, com]}}",
     "m.yaml:5:21: error: loads[0].spring.from: expected [BODY, POINT], got a list\n"},
    {"SpringStiffnessInAWrongUnit", "{spring: {from: [a, jet], to: [b, com], stiffness: 1 N*m/rad}}",
     "m.yaml:5:56: error: loads[0].spring.stiffness: expected a value in N/m, got N*m/rad\n"},
    {"SpringLengthThatIsNoNumber", "{spring: {from: [a, jet], to: [b, com], length: long}}",
     "m.yaml:5:53: error: loads[0].spring.length: no parameter 'long'\n"},
    {"ThrusterWithoutDirection", "{thruster: {body: a, point: jet, thrust: 1}}",
     "m.yaml:5:16: error: loads[0].thruster.direction: missing; it is required (of the force on the body, body "
     "axes)\n"},
    {"ThrusterWithoutPoint", "{thruster: {body: a, direction: [1, 0, 0], thrust: 1}}",
     "m.yaml:5:16: error: loads[0].thruster.point: missing; it is required (a name, [x, y, z], or com)\n"},
    {"ThrusterWithAZeroDirection", "{thruster: {body: a, point: jet, direction: [0, 0, 0], thrust: 1}}",
     "m.yaml:5:49: error: loads[0].thruster.direction: a direction cannot have zero length\n"},
    {"ThrustInAWrongUnit", "{thruster: {body: a, point: jet, direction: [1, 0, 0], thrust: 1 kg}}",
     "m.yaml:5:68: error: loads[0].thruster.thrust: expected a value in N, got kg\n"},
    {"TorqueBetweenWithoutAxis", "{torque_between: {from: a, to: b, torque: 1}}",
     "m.yaml:5:22: error: loads[0].torque_between.axis: missing; it is required (axes of `from`)\n"},
    {"TorqueBetweenWithoutTorque", "{torque_between: {from: a, to: b, axis: [1, 0, 0]}}",
     "m.yaml:5:22: error: loads[0].torque_between.torque: missing; it is required (N m)\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, LoadProblems, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace read_loads_errors_test
}  // namespace gyrostat
