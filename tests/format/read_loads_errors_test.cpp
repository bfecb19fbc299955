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
    {"NothingAtAll", "",
     "m.yaml:5:3: error: loads[0]: needs one of body, spring, thruster, torque_between, torsion_spring\n"},
    {"LoadWithoutAKind", "{force: [1, 0, 0]}",
     "m.yaml:5:5: error: loads[0]: needs one of body, spring, thruster, torque_between, torsion_spring\n"},
    {"LoadOfTwoKinds", "{body: a, force: [1, 0, 0], torque_between: {from: a, to: b, axis: [1, 0, 0], torque: 1}}",
     "m.yaml:5:5: error: loads[0]: has body and torque_between at once; only one can be given\n"},
    {"UnknownKind", "{body: a, forc: [1, 0, 0], torque: [0, 0, 0]}",
     "m.yaml:5:15: error: loads[0].forc: unknown field; did you mean 'force'?\n"},
    {"LoadWithoutForceAndTorque", "{body: a}", "m.yaml:5:5: error: loads[0]: needs a 'force' or a 'torque'\n"},
    {"PointWithoutForce", "{body: a, torque: [0, 0, 0], point: jet}",
     "m.yaml:5:41: error: loads[0].point: only a force acts at a point\n"},
    {"ForceThatIsANumber", "{body: a, force: 3}",
     "m.yaml:5:22: error: loads[0].force: expected 3 numbers or expressions, or a vector, got a number\n"},
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
    {"TorsionSpringWithoutAxis", R"({torsion_spring: {from: a, to: b, from_line: [0, 1, 0], to_line: [0, 1, 0]}})",
     "m.yaml:5:22: error: loads[0].torsion_spring.axis: missing; it is required (axes of `from`)\n"},
    {"TorsionSpringWithoutLine", R"({torsion_spring: {from: a, to: b, axis: [1, 0, 0], from_line: [0, 1, 0]}})",
     "m.yaml:5:22: error: loads[0].torsion_spring.to_line: missing; it is required (the angle is measured to it; axes "
     "of `to`)\n"},
    {"TorsionSpringWithALineAlongItsAxis",
     R"({torsion_spring: {from: a, to: b, axis: [1, 0, 0], from_line: [-2, 0, 0], to_line: [0, 1, 0]}})",
     "m.yaml:5:67: error: loads[0].torsion_spring.from_line: is along the axis, so no angle about it can be measured; "
     "give one across it\n"},
    {"TorsionSpringOnOneBody",
     R"({torsion_spring: {from: a, to: a, axis: [1, 0, 0], from_line: [0, 1, 0], to_line: [0, 1, 0]}})",
     "m.yaml:5:36: error: loads[0].torsion_spring.to: the torque acts between two different bodies\n"},
    {"TorsionSpringToAnUnknownBody",
     R"({torsion_spring: {from: a, to: c, axis: [1, 0, 0], from_line: [0, 1, 0], to_line: [0, 1, 0]}})",
     "m.yaml:5:36: error: loads[0].torsion_spring.to: no body 'c'\n"},
    {"TorsionSpringAxisOfTwoNumbers",
     R"({torsion_spring: {from: a, to: b, axis: [1, 0], from_line: [0, 1, 0], to_line: [0, 1, 0]}})",
     "m.yaml:5:45: error: loads[0].torsion_spring.axis: expected 3 numbers, got 2\n"},
    {"TorsionSpringWithAZeroLine",
     R"({torsion_spring: {from: a, to: b, axis: [1, 0, 0], from_line: [0, 1, 0], to_line: [0, 0, 0]}})",
     "m.yaml:5:87: error: loads[0].torsion_spring.to_line: a direction cannot have zero length\n"},
    {"TorsionSpringStiffnessInAWrongUnit",
     R"({torsion_spring: {from: a, to: b, axis: [1, 0, 0], from_line: [0, 1, 0], to_line: [0, 1, 0], stiffness: 1 N/m}})",
     "m.yaml:5:109: error: loads[0].torsion_spring.stiffness: expected a value in N*m/rad, got N/m\n"},
    {"TorsionSpringStiffnessOfAnUnknownName",
     R"({torsion_spring: {from: a, to: b, axis: [1, 0, 0], from_line: [0, 1, 0], to_line: [0, 1, 0], stiffness: stif}})",
     "m.yaml:5:109: error: loads[0].torsion_spring.stiffness: no parameter or signal 'stif'\n"},
    {"TorsionSpringStiffnessOfAnUnknownTable",
     R"({torsion_spring: {from: a, to: b, axis: [1, 0, 0], from_line: [0, 1, 0], to_line: [0, 1, 0], stiffness: {table: k}}})",
     "m.yaml:5:109: error: loads[0].torsion_spring.stiffness: no table 'k'\n"},
    {"TorsionSpringStiffnessThatIsNoExpression",
     R"({torsion_spring: {from: a, to: b, axis: [1, 0, 0], from_line: [0, 1, 0], to_line: [0, 1, 0], stiffness: "2*("}})",
     "m.yaml:5:113: error: loads[0].torsion_spring.stiffness: expected a number, a name or '(', but the expression "
     "ends\n"},
    {"TorsionSpringDampingThatAddsDifferentThings",
     R"({torsion_spring: {from: a, to: b, axis: [1, 0, 0], from_line: [0, 1, 0], to_line: [0, 1, 0], damping: "a.omega_x + t"}})",
     "m.yaml:5:118: error: loads[0].torsion_spring.damping: one side is in rad/s, the other in s\n"},
    {"TorsionSpringRestInAWrongUnit",
     R"({torsion_spring: {from: a, to: b, axis: [1, 0, 0], from_line: [0, 1, 0], to_line: [0, 1, 0], rest: 1 m}})",
     "m.yaml:5:104: error: loads[0].torsion_spring.rest: expected a value in rad, got m\n"},
    {"TorsionSpringWithAMisspeltField",
     R"({torsion_spring: {from: a, to: b, axis: [1, 0, 0], from_line: [0, 1, 0], to_line: [0, 1, 0], stifness: 1}})",
     "m.yaml:5:98: error: loads[0].torsion_spring.stifness: unknown field; did you mean 'stiffness'?\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, LoadProblems, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace read_loads_errors_test
}  // namespace gyrostat
