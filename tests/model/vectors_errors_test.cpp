// Vectors where they do not fit: every message with its place.
#include "support/problem_case.h"

namespace gyrostat {
namespace vectors_errors_test {

// Each text below stands at the end of this one, as a signal.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {bus: {mass: 1, inertia: [1, 1, 1]}, fin: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {j: {type: revolute, parent: bus, child: fin, axis: [0, 0, 1]}}\n"
    "parameters: {gain: 2, arm: [1, 2, 3]}\n"
    "signals:\n"
    "  s: ";

class WrongVectors : public testing::ProblemTest {};

TEST_P(WrongVectors, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"DifferentAxes", "bus.omega + bus.position",
     "m.yaml:6:16: error: signals.s: one vector is in axes of bus, the other in world axes; in(bus, v) expresses a "
     "vector in axes of bus\n"},
    {"TwoBodies", "dot(bus.omega, fin.omega)",
     "m.yaml:6:6: error: signals.s: one vector is in axes of bus, the other in axes of fin; in(bus, v) expresses a "
     "vector in axes of bus\n"},
    {"ThroughASignal", "v + bus.omega\n  v: bus.position",
     "m.yaml:6:8: error: signals.s: one vector is in world axes, the other in axes of bus; in(bus, v) expresses a "
     "vector "
     "in axes of bus\n"},
    {"NumberAndVector", "bus.omega + gain",
     "m.yaml:6:16: error: signals.s: one side is a vector in axes of bus, the other a number\n"},
    {"MisspeltBody", "in(bsu, bus.position)",
     "m.yaml:6:9: error: signals.s: no body, joint or signal 'bsu'; did you mean 'bus'?\n"},
    {"MisspeltQuantity", "norm(bus.omega_q)",
     "m.yaml:6:11: error: signals.s: the body 'bus' has no 'omega_q'; did you mean 'omega_x'?\n"},
    {"UnknownNameBesideAVector", "nothing + bus.position",
     "m.yaml:6:6: error: signals.s: no parameter or signal 'nothing'\n"},
    {"UnknownNameBesideASignalThatIsAVector", "2 + nothing*v\n  v: bus.position",
     "m.yaml:6:10: error: signals.s: no parameter or signal 'nothing'\n"},
    {"OnceWhatASignalsMistakeIs", "2*nothing*v\n  v: bus.omega\n  w: \"s + bus.position\"\n  u: dot(w, s) + s.x",
     "m.yaml:6:8: error: signals.s: no parameter or signal 'nothing'\n"},
    {"OnceWhatAMistakeOfAxesIs",
     "bus.omega + bus.position\nloads:\n  - {body: bus, torque: s}\n  - {body: fin, torque: [s.x, 0, norm(s)]}",
     "m.yaml:6:16: error: signals.s: one vector is in axes of bus, the other in world axes; in(bus, v) expresses a "
     "vector in axes of bus\n"},
    {"ModOfAVector", "mod(bus.omega, gain)",
     "m.yaml:6:6: error: signals.s: mod takes numbers, not a vector in axes of bus; use norm(v), dot(a, b) or a "
     "component like v.x\n"},
    {"JointInsteadOfBody", "in(j, bus.position)",
     "m.yaml:6:9: error: signals.s: the joint 'j' has no 'attitude'; it has angle, rate\n"},
    {"NoOrbit", "in(orbit, bus.position)",
     "m.yaml:6:9: error: signals.s: the model has no orbit (environment.orbit)\n"},
    {"RotationOfABlock", "{integral: bus.attitude}",
     "m.yaml:6:6: error: signals.s: a rotation cannot be the input of this block; sample, hold and delay take one\n"},
    {"AVectorThatDependsOnItself", "{integral: s - bus.omega}",
     "m.yaml:6:19: error: signals.s.integral: one side is a number, the other a vector in axes of bus\n"},
    {"ListOfVectors", "[bus.omega, 1, 2]", "m.yaml:6:7: error: signals.s[0]: a component of a vector is a number\n"},
    {"ListOfTwo", "[1, 2]",
     "m.yaml:6:6: error: signals.s: expected an expression, a vector of 3, or a block like {integral: ...}, got a "
     "list\n"},
    {"TorqueInWorldAxes", "1\nloads:\n  - {body: bus, torque: bus.position}",
     "m.yaml:8:25: error: loads[0].torque: the vector is in world axes, but is needed in axes of bus; write in(bus, "
     "...)\n"},
    {"ForceInBodyAxes", "1\nloads:\n  - {body: bus, force: bus.omega, axes: world}",
     "m.yaml:8:24: error: loads[0].force: the vector is in axes of bus, but is needed in world axes; write in(world, "
     "...)\n"},
    {"TorqueThatIsANumber", "1\nloads:\n  - {body: bus, torque: gain}",
     "m.yaml:8:25: error: loads[0].torque: expected 3 numbers or expressions, or a vector, got a number\n"},
    {"TorqueThatIsARotation", "1\nloads:\n  - {body: bus, torque: bus.attitude}",
     "m.yaml:8:25: error: loads[0].torque: a rotation does not fit here; error_vector(R, R_target) makes a vector of "
     "two\n"},
    {"ComponentThatIsAVector", "1\nloads:\n  - {body: bus, torque: [bus.omega, 0, 0]}",
     "m.yaml:8:26: error: loads[0].torque[0]: a number is needed here, not a vector in axes of bus; take a component "
     "(v.x), norm(v) or dot(a, v)\n"},
    {"ComponentsThatDoNotFitTheInput", "{saturate: {input: gain, low: [1, 2], high: 3}}",
     "m.yaml:6:36: error: signals.s.saturate.low: expected a number, got a list\n"},
};
INSTANTIATE_TEST_SUITE_P(Model, WrongVectors, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace vectors_errors_test
}  // namespace gyrostat
