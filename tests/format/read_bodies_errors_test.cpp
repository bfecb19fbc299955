// What is wrong with the fields of bodies, wheels and shapes.
#include "support/problem_case.h"

namespace gyrostat {
namespace read_bodies_errors_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies:\n"
    "  a: ";

class BodyProblems : public testing::ProblemTest {};

TEST_P(BodyProblems, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"MissingMass", "{inertia: [1, 1, 1]}", "m.yaml:3:6: error: bodies.a.mass: missing; it is required (kg)\n"},
    {"MissingInertia", "{mass: 1}",
     "m.yaml:3:6: error: bodies.a.inertia: missing; give the inertia about the com, or say 'point_mass: true'\n"},
    {"NothingAtAll", "", "m.yaml:3:3: error: bodies.a.mass: missing; it is required (kg)\n"},
    {"MassAndNothingElse", "5",
     "m.yaml:3:6: error: bodies.a: expected a mapping with fields like mass, ..., got '5'\n"},
    {"UnknownField", "{mass: 1, inertia: [1, 1, 1], massive: 3}",
     "m.yaml:3:36: error: bodies.a.massive: unknown field; the fields here are mass, com, inertia, accept_unphysical, "
     "point_mass, points, wheels, flexible, shape\n"},
    {"UnknownFieldLikeNoOther", "{mass: 1, inertia: [1, 1, 1], temperature: 3}",
     "m.yaml:3:36: error: bodies.a.temperature: unknown field; the fields here are mass, com, inertia, "
     "accept_unphysical, point_mass, points, wheels, flexible, shape\n"},
    {"FieldGivenTwice", "{mass: 1, inertia: [1, 1, 1], mass: 2}",
     "m.yaml:3:36: error: bodies.a.mass: given twice; first on line 3\n"},
    {"PointMassWithInertia", "{mass: 1, inertia: [1, 1, 1], point_mass: true}",
     "m.yaml:3:25: error: bodies.a.inertia: a point mass has no inertia; remove this field or 'point_mass'\n"},
    {"PointMassWithWheels", "{mass: 1, point_mass: true, wheels: {w: {axis: [0, 0, 1], inertia: 0.1}}}",
     "m.yaml:3:42: error: bodies.a.wheels: a point mass cannot carry wheels\n"},
    {"PointsAsAList", "{mass: 1, inertia: [1, 1, 1], points: [[1, 0, 0]]}",
     "m.yaml:3:44: error: bodies.a.points: expected a mapping of names, got a list\n"},
    {"PointOfTwoNumbers", "{mass: 1, inertia: [1, 1, 1], points: {p: [1, 0]}}",
     "m.yaml:3:48: error: bodies.a.points.p: expected 3 numbers, got 2\n"},
    {"PointWithABadName", "{mass: 1, inertia: [1, 1, 1], points: {p-1: [1, 0, 0]}}",
     "m.yaml:3:45: error: bodies.a.points.p-1: 'p-1' is not a name: a name is made of the letters a-z and A-Z, digits "
     "and _, and does not begin with a digit\n"},
    {"PointDefinedTwice", "{mass: 1, inertia: [1, 1, 1], points: {p: [1, 0, 0], p: [2, 0, 0]}}",
     "m.yaml:3:59: error: bodies.a.points.p: 'p' is defined twice; first on line 3\n"},
    {"WheelWithoutAxis", "{mass: 1, inertia: [1, 1, 1], wheels: {w: {inertia: 0.1}}}",
     "m.yaml:3:48: error: bodies.a.wheels.w.axis: missing; it is required (spin axis, body axes)\n"},
    {"WheelWithoutInertia", "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1]}}}",
     "m.yaml:3:48: error: bodies.a.wheels.w.inertia: missing; it is required (about the axis, kg m^2; the body's "
     "inertia includes it)\n"},
    {"WheelWithARadiusInKilograms",
     "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, radius: 1 kg}}}",
     "m.yaml:3:88: error: bodies.a.wheels.w.radius: expected a value in m, got kg\n"},
    {"WheelAtTwoNumbers", "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, at: [1, 2]}}}",
     "m.yaml:3:84: error: bodies.a.wheels.w.at: expected 3 numbers, got 2\n"},
    {"WheelWithAZeroAxis", "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 0], inertia: 0.1}}}",
     "m.yaml:3:55: error: bodies.a.wheels.w.axis: a direction cannot have zero length\n"},
    {"WheelWithAnEndlessAxis", "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [1.7e308, 0, 0], inertia: 0.1}}}",
     "m.yaml:3:56: error: bodies.a.wheels.w.axis[0]: 1.7e+308 is too large to compute with; the limit is 1e+30 in SI "
     "units\n"},
    {"WheelWithSpeedAndTorque",
     "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, speed: 3, torque: 1}}}",
     "m.yaml:3:98: error: bodies.a.wheels.w.torque: the wheel's speed is prescribed; remove this field or 'speed'\n"},
    {"WheelWithSpeedAndRate",
     "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, speed: 3, rate: 1}}}",
     "m.yaml:3:96: error: bodies.a.wheels.w.rate: the wheel's speed is prescribed; remove this field or 'speed'\n"},
    {"WheelWithSpeedAndStiffness",
     "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, speed: 3, stiffness: 1}}}",
     "m.yaml:3:101: error: bodies.a.wheels.w.stiffness: the wheel's speed is prescribed; remove this field or "
     "'speed'\n"},
    {"WheelWithSpeedAndDamping",
     "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, speed: 3, damping: 1}}}",
     "m.yaml:3:99: error: bodies.a.wheels.w.damping: the wheel's speed is prescribed; remove this field or 'speed'\n"},
    {"WheelTorqueThatIsAList",
     "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, torque: [1]}}}",
     "m.yaml:3:88: error: bodies.a.wheels.w.torque: expected a number or an expression, got a list\n"},
    {"WheelTorqueInAWrongUnit",
     "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, torque: 1 N}}}",
     "m.yaml:3:88: error: bodies.a.wheels.w.torque: expected a value in N*m, got N\n"},
    {"WheelTorqueThatIsNoExpression",
     R"({mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, torque: "2*(t"}}})",
     "m.yaml:3:93: error: bodies.a.wheels.w.torque: expected ')', but the expression ends\n"},
    {"WheelRateInAWrongUnit",
     "{mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, rate: 10 Hz}}}",
     "m.yaml:3:86: error: bodies.a.wheels.w.rate: expected a value in rad/s, got 1/s\n"},
    {"ShapeThatIsNoList", "{mass: 1, inertia: [1, 1, 1], shape: {sphere: 1}}",
     "m.yaml:3:43: error: bodies.a.shape: expected a list of shapes, got a mapping\n"},
    {"ShapeWithoutAKind", "{mass: 1, inertia: [1, 1, 1], shape: [{at: [0, 0, 0]}]}",
     "m.yaml:3:44: error: bodies.a.shape[0]: needs one of box, cylinder, sphere, mesh\n"},
    {"ShapeOfTwoKinds", "{mass: 1, inertia: [1, 1, 1], shape: [{sphere: 1, box: [1, 1, 1]}]}",
     "m.yaml:3:44: error: bodies.a.shape[0]: has box and sphere at once; only one can be given\n"},
    {"ShapeThatIsText", "{mass: 1, inertia: [1, 1, 1], shape: [sphere]}",
     "m.yaml:3:44: error: bodies.a.shape[0]: expected a mapping with fields like box, ..., got 'sphere'\n"},
    {"CylinderOfThreeNumbers", "{mass: 1, inertia: [1, 1, 1], shape: [{cylinder: [1, 2, 3]}]}",
     "m.yaml:3:55: error: bodies.a.shape[0].cylinder: expected [radius, height]\n"},
    {"NegativeShape", "{mass: 1, inertia: [1, 1, 1], shape: [{sphere: -1}]}",
     "m.yaml:3:44: error: bodies.a.shape[0]: the size of a shape cannot be negative\n"},
    {"ColourThatIsNone", "{mass: 1, inertia: [1, 1, 1], shape: [{sphere: 1, color: red}]}",
     "m.yaml:3:63: error: bodies.a.shape[0].color: expected a colour like '#888' or '#c0ffee', in quotes\n"},
    {"ColourWithoutQuotes", "{mass: 1, inertia: [1, 1, 1], shape: [{sphere: 1, color: #888}]}",
     "m.yaml:4:1: error: not valid YAML: end of map flow not found\n"},
    {"ShapeWithABadOrientation", "{mass: 1, inertia: [1, 1, 1], shape: [{sphere: 1, orientation: {angle: 1}}]}",
     "m.yaml:3:69: error: bodies.a.shape[0].orientation: needs one of axis, quaternion, euler, matrix\n"},
    {"MisspeltMass", "{mas: 1, inertia: [1, 1, 1]}",
     "m.yaml:3:7: error: bodies.a.mas: unknown field; did you mean 'mass'?\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, BodyProblems, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace read_bodies_errors_test
}  // namespace gyrostat
