// Names in expressions that mean nothing.
#include "support/problem_case.h"

namespace gyrostat {
namespace validate_expressions_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1], points: {tip: [1, 0, 0]}, wheels: {w: {axis: [0, 0, 1], inertia: "
    "0.1}}}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {j: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}, base: {}}\n"
    "parameters: {gain: 2}\n"
    "tables: {curve: {x: [0, 1], y: [0, 1]}}\n"
    "signals:\n"
    "  two: {state_space: {inputs: [t], a: [[1]], b: [[1]], c: [[1], [1]], outputs: [x, y]}}\n"
    "  s: ";

class NamesInExpressions : public testing::ProblemTest {};

TEST_P(NamesInExpressions, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"UnknownSignal", "2*gian", "m.yaml:8:8: error: signals.s: no parameter or signal 'gian'; did you mean 'gain'?\n"},
    {"UnknownSignalInQuotes", R"("2*gian")",
     "m.yaml:8:9: error: signals.s: no parameter or signal 'gian'; did you mean 'gain'?\n"},
    {"UnknownNameLikeNoOther", "zebra", "m.yaml:8:6: error: signals.s: no parameter or signal 'zebra'\n"},
    {"BodyInsteadOfAQuantity", "a",
     "m.yaml:8:6: error: signals.s: 'a' is a body; write a quantity of it, like a.omega_x\n"},
    {"JointInsteadOfAQuantity", "j + 1",
     "m.yaml:8:6: error: signals.s: 'j' is a joint; write a quantity of it, like j.angle\n"},
    {"SignalWithOutputs", "two", "m.yaml:8:6: error: signals.s: the signal 'two' has outputs; write two.x\n"},
    {"UnknownOutput", "two.z", "m.yaml:8:6: error: signals.s: the signal 'two' has no 'z'; it has x, y\n"},
    {"OutputOfAPlainSignal", "r.x\n  r: 1",
     "m.yaml:8:6: error: signals.s: the signal 'r' has no 'x', nor any other quantity\n"},
    {"UnknownObject", "arm.omega_x", "m.yaml:8:6: error: signals.s: no body, joint or signal 'arm'\n"},
    {"UnknownQuantityOfABody", "a.omega_w",
     "m.yaml:8:6: error: signals.s: the body 'a' has no 'omega_w'; did you mean 'omega_x'?\n"},
    {"UnknownQuantityOfAJoint", "j.angel",
     "m.yaml:8:6: error: signals.s: the joint 'j' has no 'angel'; did you mean 'angle'?\n"},
    {"UnknownPart", "a.tap.position_x",
     "m.yaml:8:6: error: signals.s: the body 'a' has no wheel or point 'tap'; did you mean 'tip'?\n"},
    {"UnknownQuantityOfAPoint", "a.tip.rate",
     "m.yaml:8:6: error: signals.s: the point 'tip' has no 'rate'; it has position, velocity, position_x, position_y, "
     "position_z, velocity_x, velocity_y, velocity_z\n"},
    {"MisspeltVectorOfAPoint", "a.tip.positon",
     "m.yaml:8:6: error: signals.s: the point 'tip' has no 'positon'; did you mean 'position'?\n"},
    {"PointInsteadOfAQuantity", "a.tip",
     "m.yaml:8:6: error: signals.s: 'a.tip' is a point; write a quantity of it, like a.tip.position\n"},
    {"WheelInsteadOfAQuantity", "a.w",
     "m.yaml:8:6: error: signals.s: 'a.w' is a wheel; write a quantity of it, like a.w.rate\n"},
    {"UnknownSequenceOfAngles", "a.euler_zyy",
     "m.yaml:8:6: error: signals.s: 'zyy' is not a sequence of axes; there are xyz, xzy, yxz, yzx, zxy, zyx, xyx, xzx, "
     "yxy, yzy, zxz, zyz\n"},
    {"UnknownQuantityOfAWheel", "a.w.torque",
     "m.yaml:8:6: error: signals.s: the wheel 'w' has no 'torque'; it has angle, rate\n"},
    {"UnknownBodyOfAPart", "arm.tip.position_x", "m.yaml:8:6: error: signals.s: no body 'arm'\n"},
    {"UnknownQuantityOfTheSystem", "system.mass",
     "m.yaml:8:6: error: signals.s: 'system' has no 'mass'; it has com_x, com_y, com_z, momentum_x, momentum_y, "
     "momentum_z, energy\n"},
    {"OrbitWithoutOrbit", "orbit.radius", "m.yaml:8:6: error: signals.s: the model has no orbit (environment.orbit)\n"},
    {"SunWithoutSun", "sun.x", "m.yaml:8:6: error: signals.s: the model has no sun (environment.sun)\n"},
    {"UnknownTable", "\"table(curves, t)\"",
     "m.yaml:8:13: error: signals.s: no table 'curves'; did you mean 'curve'?\n"},
    {"TwoUnknownNamesInOneExpression", R"("foo + 2*bar + foo")",
     "m.yaml:8:6: error: signals.s: no parameter or signal 'foo'\n"
     "m.yaml:8:15: error: signals.s: no parameter or signal 'bar'\n"},
    {"TooManyDots", "a.tip.position_x.y",
     "m.yaml:8:6: error: signals.s: the point 'tip' has no 'position_x.y'; did you mean 'position_x'?\n"},
    {"TooManyDotsAfterAQuantity", "a.omega_x.y",
     "m.yaml:8:6: error: signals.s: the body 'a' has no 'omega_x.y'; did you mean 'omega_x'?\n"},
    {"ComponentThatAVectorDoesNotHave", "a.omega.w",
     "m.yaml:8:6: error: signals.s: 'omega' of the body 'a' is a vector; its components are .x, .y and .z\n"},
    {"ComponentOfAComponent", "a.omega.x.y",
     "m.yaml:8:6: error: signals.s: 'omega' of the body 'a' is a vector; its components are .x, .y and .z\n"},
    {"ComponentThatTheVectorOfAPointDoesNotHave", "a.tip.position.w",
     "m.yaml:8:6: error: signals.s: 'position' of the point 'tip' is a vector; its components are .x, .y and .z\n"},
    {"ComponentThatARotationDoesNotHave", "a.attitude.v",
     "m.yaml:8:6: error: signals.s: 'attitude' of the body 'a' is a rotation; its components are .w, .x, .y and .z\n"},
    {"ComponentOfAParameterThatIsANumber", "gain.x",
     "m.yaml:8:6: error: signals.s: the parameter 'gain' is a number, and has no 'x'\n"},
    {"TooManyDotsAfterAnUnknownPart", "a.tap.position_x.y",
     "m.yaml:8:6: error: signals.s: the body 'a' has no wheel or point 'tap'; did you mean 'tip'?\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, NamesInExpressions, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace validate_expressions_test
}  // namespace gyrostat
