// What is wrong with orientations.
#include "support/problem_case.h"

namespace gyrostat {
namespace read_orientations_errors_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  j: ";

class OrientationProblems : public testing::ProblemTest {};

TEST_P(OrientationProblems, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"TextInsteadOfAMapping", "{type: weld, parent: a, child: b, orientation: upside down}",
     "m.yaml:4:53: error: joints.j.orientation: expected a mapping with fields like axis, ..., got 'upside down'\n"},
    {"NoKind", "{type: weld, parent: a, child: b, orientation: {}}",
     "m.yaml:4:53: error: joints.j.orientation: needs one of axis, quaternion, euler, matrix\n"},
    {"UnknownKind", "{type: weld, parent: a, child: b, orientation: {quaternions: [1, 0, 0, 0]}}",
     "m.yaml:4:54: error: joints.j.orientation.quaternions: unknown field; did you mean 'quaternion'?\n"},
    {"TwoKinds",
     "{type: weld, parent: a, child: b, orientation: {quaternion: [1, 0, 0, 0], euler: {sequence: xyz, angles: [0, 0, "
     "0]}}}",
     "m.yaml:4:53: error: joints.j.orientation: has quaternion and euler at once; only one can be given\n"},
    {"AxisWithoutAngle", "{type: weld, parent: a, child: b, orientation: {axis: [0, 0, 1]}}",
     "m.yaml:4:53: error: joints.j.orientation: an axis needs an angle\n"},
    {"AngleWithoutAxis", "{type: weld, parent: a, child: b, orientation: {angle: 1}}",
     "m.yaml:4:53: error: joints.j.orientation: needs one of axis, quaternion, euler, matrix\n"},
    {"AngleBesideAQuaternion", "{type: weld, parent: a, child: b, orientation: {quaternion: [1, 0, 0, 0], angle: 1}}",
     "m.yaml:4:53: error: joints.j.orientation: an angle needs an axis\n"},
    {"ZeroAxis", "{type: weld, parent: a, child: b, orientation: {axis: [0, 0, 0], angle: 1}}",
     "m.yaml:4:60: error: joints.j.orientation.axis: a direction cannot have zero length\n"},
    {"AngleInAWrongUnit", "{type: weld, parent: a, child: b, orientation: {axis: [0, 0, 1], angle: 1 deg/s}}",
     "m.yaml:4:78: error: joints.j.orientation.angle: expected a value in rad, got rad/s\n"},
    {"QuaternionThatIsANumber", "{type: weld, parent: a, child: b, orientation: {quaternion: 1}}",
     "m.yaml:4:66: error: joints.j.orientation.quaternion: expected a list of numbers, got '1'\n"},
    {"QuaternionOfThreeNumbers", "{type: weld, parent: a, child: b, orientation: {quaternion: [1, 0, 0]}}",
     "m.yaml:4:66: error: joints.j.orientation.quaternion: expected 4 numbers [w, x, y, z], got 3\n"},
    {"QuaternionThatIsNotUnit", "{type: weld, parent: a, child: b, orientation: {quaternion: [1, 1, 0, 0]}}",
     "m.yaml:4:66: error: joints.j.orientation.quaternion: a quaternion has length 1; this one has 1.41421\n"},
    {"EulerWithoutSequence", "{type: weld, parent: a, child: b, orientation: {euler: {angles: [0, 0, 0]}}}",
     "m.yaml:4:61: error: joints.j.orientation.euler.sequence: missing; it is required (zyx, zxz ..., bryant (xyz) or "
     "classic (zxz))\n"},
    {"EulerWithoutAngles", "{type: weld, parent: a, child: b, orientation: {euler: {sequence: xyz}}}",
     "m.yaml:4:61: error: joints.j.orientation.euler.angles: missing; it is required (three, rad)\n"},
    {"EulerWithARepeatedAxis",
     "{type: weld, parent: a, child: b, orientation: {euler: {sequence: xxz, angles: [0, 0, 0]}}}",
     "m.yaml:4:72: error: joints.j.orientation.euler.sequence: expected three of x, y, z without an immediate "
     "repetition, bryant or classic\n"},
    {"EulerWithTwoAngles", "{type: weld, parent: a, child: b, orientation: {euler: {sequence: xyz, angles: [0, 0]}}}",
     "m.yaml:4:85: error: joints.j.orientation.euler.angles: expected 3 angles, got 2\n"},
    {"EulerAnglesThatAreNoList", "{type: weld, parent: a, child: b, orientation: {euler: {sequence: xyz, angles: 0}}}",
     "m.yaml:4:85: error: joints.j.orientation.euler.angles: expected a list of numbers, got '0'\n"},
    {"MatrixThatIsANumber", "{type: weld, parent: a, child: b, orientation: {matrix: 1}}",
     "m.yaml:4:62: error: joints.j.orientation.matrix: expected a list of rows, each a list of numbers, got '1'\n"},
    {"MatrixOfTwoRows", "{type: weld, parent: a, child: b, orientation: {matrix: [[1, 0, 0], [0, 1, 0]]}}",
     "m.yaml:4:62: error: joints.j.orientation.matrix: expected 3 rows of 3 numbers\n"},
    {"MatrixWithAShortRow", "{type: weld, parent: a, child: b, orientation: {matrix: [[1, 0, 0], [0, 1], [0, 0, 1]]}}",
     "m.yaml:4:74: error: joints.j.orientation.matrix[1]: expected 3 numbers as in the first row, got 2\n"},
    {"MatrixWhoseRowIsANumber", "{type: weld, parent: a, child: b, orientation: {matrix: [1, [0, 1, 0], [0, 0, 1]]}}",
     "m.yaml:4:63: error: joints.j.orientation.matrix[0]: expected a list of numbers, got '1'\n"},
    {"MatrixThatMirrors",
     "{type: weld, parent: a, child: b, orientation: {matrix: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}}",
     "m.yaml:4:62: error: joints.j.orientation.matrix: not a rotation: its determinant is not positive\n"},
    {"MatrixThatStretches",
     "{type: weld, parent: a, child: b, orientation: {matrix: [[1.1, 0, 0], [0, 1, 0], [0, 0, 1]]}}",
     "m.yaml:4:62: error: joints.j.orientation.matrix: not a rotation: its rows are not orthonormal (off by 0.21)\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, OrientationProblems, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace read_orientations_errors_test
}  // namespace gyrostat
