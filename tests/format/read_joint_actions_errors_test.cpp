// What is wrong with springs, torques, imposed motion, gears and distances of joints.
#include "support/problem_case.h"

namespace gyrostat {
namespace read_joint_actions_errors_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  j: ";

class JointActionProblems : public testing::ProblemTest {};

TEST_P(JointActionProblems, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"StiffnessOfAWeld", "{type: weld, parent: a, child: b, stiffness: 1}",
     "m.yaml:4:51: error: joints.j.stiffness: a weld has no coordinates\n"},
    {"TorqueOfAWeld", "{type: weld, parent: a, child: b, torque: 1}",
     "m.yaml:4:48: error: joints.j.torque: a weld has no coordinates\n"},
    {"StiffnessOfAFreeJoint",
     "{type: free, parent: world, child: a, stiffness: 1}\n  k: {type: weld, parent: a, child: b}",
     "m.yaml:4:55: error: joints.j.stiffness: a free joint has no springs; put a spring between points instead "
     "(loads)\n"},
    {"AxisTorqueWithoutAxes", "{type: prismatic, parent: a, child: b, axis: [1, 0, 0], axis_torque: 1}",
     "m.yaml:4:75: error: joints.j.axis_torque: a prismatic joint has no rotation axes\n"},
    {"AxisTorqueOfASphericalJoint", "{type: spherical, parent: a, child: b, axis_torque: 1}",
     "m.yaml:4:58: error: joints.j.axis_torque: a spherical joint has no rotation axes\n"},
    {"StiffnessInAWrongUnit", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], stiffness: 1 N/m}",
     "m.yaml:4:72: error: joints.j.stiffness: expected a value in N*m/rad, got N/m\n"},
    {"StiffnessOfATranslationInAWrongUnit",
     "{type: prismatic, parent: a, child: b, axis: [1, 0, 0], stiffness: 1 N*m/rad}",
     "m.yaml:4:73: error: joints.j.stiffness: expected a value in N/m, got N*m/rad\n"},
    {"StiffnessListThatIsTooShort",
     "{type: universal, parent: a, child: b, axes: [[1, 0, 0], [0, 1, 0]], stiffness: [1]}",
     "m.yaml:4:86: error: joints.j.stiffness: expected 2 values, got 1\n"},
    {"StiffnessOfMixedCoordinatesInOneNumber",
     "{type: cylindrical, parent: a, child: b, axis: [1, 0, 0], stiffness: 1}",
     "m.yaml:4:75: error: joints.j.stiffness: expected a list of 2 values: the joint has both rotations and "
     "translations\n"},
    {"StiffnessTableWithoutItsName", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], stiffness: {x: [1]}}",
     "m.yaml:4:72: error: joints.j.stiffness.table: missing; it is required (a table of the deflection)\n"
     "m.yaml:4:73: error: joints.j.stiffness.x: unknown field; the fields here are table\n"},
    {"DampingThatIsNoNumber", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], damping: [[1]]}",
     "m.yaml:4:71: error: joints.j.damping[0]: expected a number, got a list\n"},
    {"RestInAWrongUnit", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], stiffness: 1, rest: 1 m}",
     "m.yaml:4:81: error: joints.j.rest: expected a value in rad, got m\n"},
    {"RestListThatIsTooLong", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], stiffness: 1, rest: [1, 2]}",
     "m.yaml:4:81: error: joints.j.rest: expected 1 number, got 2\n"},
    {"TorqueInAWrongUnit", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], torque: 1 N}",
     "m.yaml:4:69: error: joints.j.torque: expected a value in N*m, got N\n"},
    {"TorqueListThatIsTooLong", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], torque: [1, 2]}",
     "m.yaml:4:69: error: joints.j.torque: expected 1 number or expression, got 2\n"},
    {"TorqueOfMixedCoordinatesInOneNumber", "{type: planar, parent: a, child: b, normal: [0, 0, 1], torque: 1}",
     "m.yaml:4:69: error: joints.j.torque: expected a list of 3 numbers or expressions: the joint has both rotations "
     "and translations\n"},
    {"TorqueThatIsAMapping", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], torque: {t: 1}}",
     "m.yaml:4:69: error: joints.j.torque: expected a number or an expression, got a mapping\n"},
    {"TorqueThatIsNoExpression", R"({type: revolute, parent: a, child: b, axis: [0, 0, 1], torque: "1 +* 2"})",
     "m.yaml:4:73: error: joints.j.torque: expected a number, a name or '(', got '*'\n"},
    {"AxisTorqueThatIsTooLong", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], axis_torque: [1, 2]}",
     "m.yaml:4:74: error: joints.j.axis_torque: expected 1 number or expression, got 2\n"},
    {"LockedThatIsANumber", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], locked: 1}",
     "m.yaml:4:69: error: joints.j.locked: expected true or false, got '1'\n"},
    {"PrescribedWithoutAKind", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], prescribed: {}}",
     "m.yaml:4:73: error: joints.j.prescribed: needs one of position, acceleration\n"},
    {"PrescribedBothWays",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], prescribed: {position: t, acceleration: 0}}",
     "m.yaml:4:73: error: joints.j.prescribed: has position and acceleration at once; only one can be given\n"},
    {"PrescribedWithAnUnknownKind", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], prescribed: {rate: 1}}",
     "m.yaml:4:74: error: joints.j.prescribed.rate: unknown field; the fields here are position, acceleration\n"},
    {"PrescribedThatIsText", "{type: revolute, parent: a, child: b, axis: [0, 0, 1], prescribed: t}",
     "m.yaml:4:73: error: joints.j.prescribed: expected a mapping with fields like position, ..., got 't'\n"},
    {"PrescribedPositionOfASphericalJoint", "{type: spherical, parent: a, child: b, prescribed: {position: 1}}",
     "m.yaml:4:68: error: joints.j.prescribed.position: the position of a spherical joint cannot be prescribed; "
     "prescribe its acceleration\n"},
    {"PrescribedPositionWithInitialValues",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], prescribed: {position: t}, initial: {angle: 1}}",
     "m.yaml:4:97: error: joints.j.initial: the position is prescribed, so the initial values follow from it; remove "
     "this field\n"},
    {"PrescribedAndLocked",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], prescribed: {position: t}, locked: true}",
     "m.yaml:4:73: error: joints.j.prescribed: the joint is locked; it cannot be prescribed too\n"},
    {"PrescribedAccelerationInAWrongUnit",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], prescribed: {acceleration: 1 m/s^2}}",
     "m.yaml:4:88: error: joints.j.prescribed.acceleration: expected a value in rad/s^2, got m/s^2\n"},
    {"ThermalWithoutStiffness",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], thermal: {time_constant: 1, steady: 0.1}}",
     "m.yaml:4:70: error: joints.j.thermal: a thermal spring needs a stiffness\n"},
    {"ThermalWithRest",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], stiffness: 1, rest: 1, thermal: {time_constant: 1, "
     "steady: 0.1}}",
     "m.yaml:4:81: error: joints.j.rest: the rest coordinate follows 'thermal'; remove this field\n"},
    {"ThermalWithoutTimeConstant",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], stiffness: 1, thermal: {steady: 0.1}}",
     "m.yaml:4:84: error: joints.j.thermal.time_constant: missing; it is required (s)\n"},
    {"ThermalWithoutSteady",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], stiffness: 1, thermal: {time_constant: 1}}",
     "m.yaml:4:84: error: joints.j.thermal.steady: missing; it is required (rest coordinate in steady heating: rad or "
     "m)\n"},
    {"ThermalOfAWeld", "{type: weld, parent: a, child: b, thermal: {time_constant: 1, steady: 0}}",
     "m.yaml:4:49: error: joints.j.thermal: a weld has no coordinates\n"},
    {"GearWithoutJoints", "{type: gear}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}",
     "m.yaml:4:6: error: joints.j.joints: a gear couples two joints: [a, b]\n"},
    {"GearOfOneJoint", "{type: gear, joints: [k]}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}",
     "m.yaml:4:27: error: joints.j.joints: a gear couples two joints: [a, b]\n"},
    {"GearOfText", "{type: gear, joints: k}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}",
     "m.yaml:4:27: error: joints.j.joints: expected a list of names, got 'k'\n"},
    {"GearBetweenBodies",
     "{type: gear, joints: [k, l], parent: a}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}\n  l: "
     "{type: revolute, parent: world, child: a, axis: [0, 0, 1]}",
     "m.yaml:4:43: error: joints.j.parent: a gear couples joints, not bodies\n"},
    {"GearThatIsLocked",
     "{type: gear, joints: [k, l], locked: true}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}\n  l: "
     "{type: revolute, parent: world, child: a, axis: [0, 0, 1]}",
     "m.yaml:4:43: error: joints.j.locked: a gear is always a loop constraint\n"},
    {"GearWithInitialValues",
     "{type: gear, joints: [k, l], initial: {angle: 1}}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}\n "
     " l: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}",
     "m.yaml:4:44: error: joints.j.initial: a gear has no coordinates\n"},
    {"GearWithStiffness",
     "{type: gear, joints: [k, l], stiffness: 1}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}\n  l: "
     "{type: revolute, parent: world, child: a, axis: [0, 0, 1]}",
     "m.yaml:4:46: error: joints.j.stiffness: a gear has no coordinates\n"},
    {"RatioOfAWeld", "{type: weld, parent: a, child: b, ratio: 2}",
     "m.yaml:4:47: error: joints.j.ratio: only a gear has this field\n"},
    {"LengthOfAWeld", "{type: weld, parent: a, child: b, length: 2}",
     "m.yaml:4:48: error: joints.j.length: only a distance constraint has this field\n"},
    {"DistanceWithoutLength",
     "{type: distance, parent: a, child: b}\n  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}",
     "m.yaml:4:6: error: joints.j.length: missing; a distance constraint needs it\n"},
    {"DistanceThatIsCut",
     "{type: distance, parent: a, child: b, length: 1, cut: true}\n  k: {type: revolute, parent: a, child: b, axis: "
     "[0, 0, 1]}",
     "m.yaml:4:60: error: joints.j.cut: a distance is always a loop constraint\n"},
    {"CutThatIsText", "{type: weld, parent: a, child: b, cut: maybe}",
     "m.yaml:4:45: error: joints.j.cut: expected true or false, got 'maybe'\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, JointActionProblems, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace read_joint_actions_errors_test
}  // namespace gyrostat
