// What is wrong with the type, the axes and the initial values of joints.
#include "support/problem_case.h"

namespace gyrostat {
namespace read_joints_errors_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  j: ";

class JointProblems : public testing::ProblemTest {};

TEST_P(JointProblems, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"MissingType", "{parent: a, child: b}", "m.yaml:4:6: error: joints.j.type: missing; it is required\n"},
    {"MissingParent", "{type: weld, child: b}", "m.yaml:4:6: error: joints.j.parent: missing; it is required\n"},
    {"MissingChild", "{type: weld, parent: a}", "m.yaml:4:6: error: joints.j.child: missing; it is required\n"},
    {"UnknownType", "{type: hinge, parent: a, child: b}",
     "m.yaml:4:13: error: joints.j.type: expected one of weld, revolute, prismatic, cylindrical, universal, gimbal, "
     "spherical, translation, planar, general, free, gear, distance, got 'hinge'\n"},
    {"MisspeltType", "{type: revolut, parent: a, child: b, axis: [0, 0, 1]}",
     "m.yaml:4:13: error: joints.j.type: expected one of weld, revolute, prismatic, cylindrical, universal, gimbal, "
     "spherical, translation, planar, general, free, gear, distance, got 'revolut'; did you mean 'revolute'?\n"},
    {"TypeThatIsAList", "{type: [weld], parent: a, child: b}",
     "m.yaml:4:13: error: joints.j.type: expected one of weld, revolute, prismatic, cylindrical, universal, gimbal, "
     "spherical, translation, planar, general, free, gear, distance, got a list\n"},
    {"ParentThatIsAList", "{type: weld, parent: [a], child: b}",
     "m.yaml:4:27: error: joints.j.parent: expected text, got a list\n"},
    {"UnknownField", "{type: weld, parent: a, child: b, mass: 1}",
     "m.yaml:4:40: error: joints.j.mass: unknown field; the fields here are type, parent, child, parent_node, "
     "child_node, parent_point, "
     "child_point, axis, axes, normal, translations, rotations, orientation, initial, stiffness, rest, damping, "
     "torque, axis_torque, locked, prescribed, thermal, latch, friction, stops, cut, joints, ratio, offset, length\n"},
    {"NothingAtAll", "",
     "m.yaml:4:3: error: joints.j.type: missing; it is required\n"
     "m.yaml:4:3: error: joints.j.parent: missing; it is required\n"
     "m.yaml:4:3: error: joints.j.child: missing; it is required\n"},
    {"MissingAxis", "{type: revolute, parent: a, child: b}",
     "m.yaml:4:6: error: joints.j.axis: missing; a revolute joint needs it\n"},
    {"MissingAxes", "{type: universal, parent: a, child: b}",
     "m.yaml:4:6: error: joints.j.axes: missing; a universal joint needs it\n"},
    {"MissingNormal", "{type: planar, parent: a, child: b}",
     "m.yaml:4:6: error: joints.j.normal: missing; a planar joint needs it\n"},
    {"ZeroAxis", "{type: revolute, parent: a, child: b, axis: [0, 0, 0]}",
     "m.yaml:4:50: error: joints.j.axis: a direction cannot have zero length\n"},
    {"AxisOfTwoNumbers", "{type: revolute, parent: a, child: b, axis: [0, 1]}",
     "m.yaml:4:50: error: joints.j.axis: expected 3 numbers, got 2\n"},
    {"AxisByItsLetter", "{type: revolute, parent: a, child: b, axis: y}",
     "m.yaml:4:50: error: joints.j.axis: expected 3 numbers, like [0, 1, 0], or a parameter that is a vector; no "
     "parameter "
     "'y'\n"},
    {"PointByItsName", "{type: weld, parent: a, child: b, parent_point: tip}",
     "m.yaml:4:54: error: joints.j.parent_point: expected 3 numbers, or a parameter that is a vector; no parameter "
     "'tip'\n"},
    {"AxisThatIsPi", "{type: revolute, parent: a, child: b, axis: pi}",
     "m.yaml:4:50: error: joints.j.axis: expected 3 numbers, got 'pi'\n"},
    {"AxisThatIsTime", "{type: revolute, parent: a, child: b, axis: t}",
     "m.yaml:4:50: error: joints.j.axis: expected 3 numbers, or a parameter that is a vector; t changes as the "
     "simulation "
     "runs, but a constant is needed here\n"},
    {"AxesInsteadOfAxis", "{type: revolute, parent: a, child: b, axes: [[0, 0, 1]], axis: [0, 0, 1]}",
     "m.yaml:4:50: error: joints.j.axes: a revolute joint has 'axis'\n"},
    {"AxisOfAWeld", "{type: weld, parent: a, child: b, axis: [0, 0, 1]}",
     "m.yaml:4:46: error: joints.j.axis: a weld joint has no axes\n"},
    {"AxesOfAGeneralJoint", "{type: general, parent: a, child: b, axes: [[0, 0, 1]], rotations: [[0, 0, 1]]}",
     "m.yaml:4:49: error: joints.j.axes: a general joint has 'translations' and 'rotations'\n"},
    {"TranslationsOfAUniversalJoint",
     "{type: universal, parent: a, child: b, axes: [[1, 0, 0], [0, 1, 0]], translations: [[0, 0, 1]]}",
     "m.yaml:4:89: error: joints.j.translations: a universal joint has 'axes'\n"},
    {"OneAxisOfAUniversalJoint", "{type: universal, parent: a, child: b, axes: [[1, 0, 0]]}",
     "m.yaml:4:51: error: joints.j.axes: expected 2 axes, each 3 numbers, got 1\n"},
    {"AxesOfATranslationThatAreTooMany",
     "{type: translation, parent: a, child: b, axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]]}",
     "m.yaml:4:53: error: joints.j.axes: expected 1 to 3 axes, each 3 numbers, got 4\n"},
    {"AxesThatAreNoList", "{type: gimbal, parent: a, child: b, axes: z}",
     "m.yaml:4:48: error: joints.j.axes: expected a list of 3 axes, each 3 numbers, got 'z'\n"},
    {"AxesWithoutInnerLists", "{type: gimbal, parent: a, child: b, axes: [1, 0, 0]}",
     "m.yaml:4:49: error: joints.j.axes[0]: expected 3 numbers, got '1'\n"
     "m.yaml:4:52: error: joints.j.axes[1]: expected 3 numbers, got '0'\n"
     "m.yaml:4:55: error: joints.j.axes[2]: expected 3 numbers, got '0'\n"},
    {"RotationsOfAGeneralJointThatAreTooMany",
     "{type: general, parent: a, child: b, rotations: [[1, 0, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0]]}",
     "m.yaml:4:54: error: joints.j.rotations: expected 0 to 3 axes, each 3 numbers, got 4\n"},
    {"OrientationOfASphericalJoint", "{type: spherical, parent: a, child: b, orientation: {quaternion: [1, 0, 0, 0]}}",
     "m.yaml:4:58: error: joints.j.orientation: a spherical joint's orientation is a coordinate; give it as "
     "initial.orientation\n"},
    {"OrientationOfAFreeJoint",
     "{type: free, parent: world, child: a, orientation: {quaternion: [1, 0, 0, 0]}}\n  k: {type: weld, parent: a, "
     "child: b}",
     "m.yaml:4:57: error: joints.j.orientation: a free joint's orientation is a coordinate; give it as "
     "initial.orientation\n"},
    {"InitialOfAWeld", "{type: weld, parent: a, child: b, initial: {angle: 1}}",
     "m.yaml:4:49: error: joints.j.initial: a weld has no coordinates\n"},
    {"InitialThatIsANumber", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], initial: 3}",
     "m.yaml:4:70: error: joints.j.initial: expected a mapping with fields like angle, ..., got '3'\n"},
    {"UnknownInitial", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], initial: {angel: 3}}",
     "m.yaml:4:71: error: joints.j.initial.angel: unknown field; did you mean 'angle'?\n"},
    {"InitialOrientationOfARevolute",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], initial: {orientation: {quaternion: [1, 0, 0, 0]}}}",
     "m.yaml:4:84: error: joints.j.initial.orientation: a revolute joint has no initial 'orientation'\n"},
    {"InitialPositionOfASphericalJoint", "{type: spherical, parent: a, child: b, initial: {position: [0, 0, 0]}}",
     "m.yaml:4:65: error: joints.j.initial.position: a spherical joint has no initial 'position'\n"},
    {"InitialAngleOfASphericalJoint", "{type: spherical, parent: a, child: b, initial: {angle: 1}}",
     "m.yaml:4:62: error: joints.j.initial.angle: a spherical joint has 'orientation' and 'omega' instead\n"},
    {"InitialRatesOfAFreeJoint",
     "{type: free, parent: world, child: a, initial: {rates: [1, 2, 3]}}\n  k: {type: weld, parent: a, child: b}",
     "m.yaml:4:61: error: joints.j.initial.rates: a free joint has 'orientation', 'omega', 'position', 'velocity' "
     "instead\n"},
    {"InitialAngleAndAngles",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], initial: {angle: 1, angles: [1]}}",
     "m.yaml:4:89: error: joints.j.initial.angles: 'angle' is given too; only one can be\n"},
    {"InitialAngleOfAGimbal",
     "{type: universal, parent: a, child: b, axes: [[1, 0, 0], [0, 1, 0]], initial: {angle: 1}}",
     "m.yaml:4:92: error: joints.j.initial.angle: the joint has 2 rotations; use 'angles' with a list of 2\n"},
    {"InitialAngleOfAPrismaticJoint", "{type: prismatic, parent: a, child: b, axis: [1, 0, 0], initial: {angle: 1}}",
     "m.yaml:4:79: error: joints.j.initial.angle: the joint has no rotation\n"},
    {"InitialDisplacementsOfARevolute",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], initial: {displacements: [1]}}",
     "m.yaml:4:86: error: joints.j.initial.displacements: the joint has no translation\n"},
    {"InitialAnglesThatAreTooFew",
     "{type: universal, parent: a, child: b, axes: [[1, 0, 0], [0, 1, 0]], initial: {angles: [1]}}",
     "m.yaml:4:93: error: joints.j.initial.angles: expected 2 numbers, got 1\n"},
    {"InitialAnglesThatAreTooMany", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], initial: {angles: [1, 2]}}",
     "m.yaml:4:79: error: joints.j.initial.angles: expected 1 number, got 2\n"},
    {"InitialAnglesThatAreNoList",
     "{type: universal, parent: a, child: b, axes: [[1, 0, 0], [0, 1, 0]], initial: {angles: 1}}",
     "m.yaml:4:93: error: joints.j.initial.angles: expected a list of numbers, got '1'\n"},
    {"InitialRateInAWrongUnit", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], initial: {rate: 1 deg}}",
     "m.yaml:4:77: error: joints.j.initial.rate: expected a value in rad/s, got rad\n"},
    {"InitialSpeedInAWrongUnit", "{type: prismatic, parent: a, child: b, axis: [1, 0, 0], initial: {speed: 1 deg/s}}",
     "m.yaml:4:79: error: joints.j.initial.speed: expected a value in m/s, got rad/s\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, JointProblems, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace read_joints_errors_test
}  // namespace gyrostat
