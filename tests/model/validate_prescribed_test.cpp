// A prescribed motion is a function of time alone.
#include "support/problem_case.h"

namespace gyrostat {
namespace validate_prescribed_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints:\n"
    "  j: ";

class PrescribedMotion : public testing::ProblemTest {};

TEST_P(PrescribedMotion, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"PrescribedPositionThatDependsOnTheState",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], prescribed: {position: 2*a.omega_x}}",
     "m.yaml:4:86: error: joints.j.prescribed.position: a prescribed motion is an expression of t, parameters, and "
     "signals that are such expressions; 'a.omega_x' is none\n"},
    {"PrescribedPositionThatDependsOnASignal",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], prescribed: {position: s}}\nsignals: {s: {integral: r}, "
     "r: a.omega_x}",
     "m.yaml:4:84: error: joints.j.prescribed.position: a prescribed motion is an expression of t, parameters, and "
     "signals that are such expressions; 's' is none\n"},
    {"PrescribedPositionOfAPlugin",
     "{type: revolute, parent: a, child: b, axis: [0, 0, 1], prescribed: {position: s.y}}\nsignals: {s: {plugin: "
     "{library: l.so, function: f, inputs: [t], outputs: [y], period: 1}}}",
     "m.yaml:4:84: error: joints.j.prescribed.position: a prescribed motion is an expression of t, parameters, and "
     "signals that are such expressions; 's.y' is none\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, PrescribedMotion, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace validate_prescribed_test
}  // namespace gyrostat
