// What is wrong with the fields of signals.
#include "support/problem_case.h"

namespace gyrostat {
namespace read_signals_errors_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
    "signals:\n"
    "  s: ";

class SignalProblems : public testing::ProblemTest {};

TEST_P(SignalProblems, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"ListInsteadOfABlock", "[1, 2]",
     "m.yaml:4:6: error: signals.s: expected an expression, a vector of 3, or a block like {integral: ...}, got a "
     "list\n"},
    {"NothingAtAll", "",
     "m.yaml:4:3: error: signals.s: expected an expression, a vector of 3, or a block like {integral: ...}, got "
     "nothing\n"},
    {"BlockWithoutAKind", "{initial: 1}",
     "m.yaml:4:6: error: signals.s: needs one of expression, integral, transfer_function, state_space, "
     "switching_amplifier, "
     "saturate, delay, sample, hold, latch, largest, unwrap, pid, table, dead_zone, quantize, low_pass, rate_limit, "
     "relay, edge, counter, modes, random_walk, noise, plugin\n"},
    {"UnknownBlock", "{integrate: t}",
     "m.yaml:4:7: error: signals.s.integrate: unknown field; did you mean 'integral'?\n"},
    {"BlockOfTwoKinds", "{integral: t, delay: {input: t, time: 1}}",
     "m.yaml:4:6: error: signals.s: has integral and delay at once; only one can be given\n"},
    {"ExpressionThatIsNone", R"("sin(t")",
     "m.yaml:4:12: error: signals.s: expected ',' or ')', but the expression ends\n"},
    {"ExpressionWithoutQuotesThatIsNone", "sin(t)) + 1",
     "m.yaml:4:12: error: signals.s: expected an operator or the end, got ')'\n"},
    {"ConstantWithAnUnknownUnit", "3 furlong", "m.yaml:4:8: error: signals.s: unknown unit 'furlong'\n"},
    {"InitialOfAnotherBlock", "{delay: {input: t, time: 1}, initial: 1}",
     "m.yaml:4:44: error: signals.s.initial: 'initial' stands beside 'integral' only; for delay it goes inside\n"},
    {"IntegralOfAList", "{integral: [t]}",
     "m.yaml:4:17: error: signals.s.integral: expected a number or an expression, got a list\n"},
    {"IntegralWithAMovingInitial", "{integral: t, initial: t}",
     "m.yaml:4:29: error: signals.s.initial: t changes as the simulation runs, but a constant is needed here\n"},
    {"TransferFunctionWithoutDenominator", "{transfer_function: {input: t, numerator: [1]}}",
     "m.yaml:4:26: error: signals.s.transfer_function.denominator: missing; it is required (the same; at least as "
     "many)\n"},
    {"TransferFunctionWithoutInput", "{transfer_function: {numerator: [1], denominator: [1, 1]}}",
     "m.yaml:4:26: error: signals.s.transfer_function.input: missing; it is required (expression)\n"},
    {"TransferFunctionOfANumber", "{transfer_function: {input: t, numerator: 1, denominator: [1, 1]}}",
     "m.yaml:4:48: error: signals.s.transfer_function.numerator: expected a list of numbers, got '1'\n"},
    {"StateSpaceWithoutInputs", "{state_space: {a: [[1]], b: [[1]], c: [[1]]}}",
     "m.yaml:4:20: error: signals.s.state_space.inputs: missing; it is required (expressions)\n"},
    {"StateSpaceInputsThatAreNoList", "{state_space: {inputs: t, a: [[1]], b: [[1]], c: [[1]]}}",
     "m.yaml:4:29: error: signals.s.state_space.inputs: expected a list of expressions, got 't'\n"},
    {"StateSpaceWithUnevenRows", "{state_space: {inputs: [t], a: [[1, 0], [1]], b: [[1], [1]], c: [[1, 0]]}}",
     "m.yaml:4:46: error: signals.s.state_space.a[1]: expected 2 numbers as in the first row, got 1\n"},
    {"StateSpaceMatrixThatIsANumber", "{state_space: {inputs: [t], a: 1, b: [[1]], c: [[1]]}}",
     "m.yaml:4:37: error: signals.s.state_space.a: expected a list of rows, each a list of numbers, got '1'\n"},
    {"StateSpaceOutputWithABadName", "{state_space: {inputs: [t], a: [[1]], b: [[1]], c: [[1]], outputs: [y-1]}}",
     "m.yaml:4:74: error: signals.s.state_space.outputs[0]: 'y-1' is not a name: a name is made of the letters a-z and "
     "A-Z, digits and _, and does not begin with a digit\n"},
    {"StateSpaceOutputsThatAreNoList", "{state_space: {inputs: [t], a: [[1]], b: [[1]], c: [[1]], outputs: y}}",
     "m.yaml:4:73: error: signals.s.state_space.outputs: expected a list of names, got 'y'\n"},
    {"SwitchingAmplifierWithoutDeadband", "{switching_amplifier: {input: t}}",
     "m.yaml:4:28: error: signals.s.switching_amplifier.deadband: missing; it is required (on with the sign of the "
     "input when |input| exceeds it)\n"},
    {"SwitchingAmplifierTimeInAWrongUnit", "{switching_amplifier: {input: t, deadband: 1, min_on_time: 20 mm}}",
     "m.yaml:4:65: error: signals.s.switching_amplifier.min_on_time: expected a value in s, got m\n"},
    {"SaturateWithoutHigh", "{saturate: {input: t, low: 0}}",
     "m.yaml:4:17: error: signals.s.saturate.high: missing; it is required (upper limit)\n"},
    {"DelayWithoutTime", "{delay: {input: t}}",
     "m.yaml:4:14: error: signals.s.delay.time: missing; it is required (s)\n"},
    {"SampleWithoutPeriod", "{sample: {input: t}}",
     "m.yaml:4:15: error: signals.s.sample.period: missing; it is required (s)\n"},
    {"SampleThatIsText", "{sample: t}",
     "m.yaml:4:15: error: signals.s.sample: expected a mapping with fields like input, ..., got 't'\n"},
    {"PidWithoutInput", "{pid: {kp: 1}}",
     "m.yaml:4:12: error: signals.s.pid.input: missing; it is required (the error e)\n"},
    {"PidWithAnUnknownGain", "{pid: {input: t, kp: 1, k_d: 2}}",
     "m.yaml:4:30: error: signals.s.pid.k_d: unknown field; did you mean 'kd'?\n"},
    {"TableBlockWithoutTable", "{table: {x: t}}",
     "m.yaml:4:14: error: signals.s.table.table: missing; it is required (a table)\n"},
    {"NoiseWithAFractionalSeed", "{noise: {seed: 1.5, std: 1, period: 1}}",
     "m.yaml:4:21: error: signals.s.noise.seed: expected a whole number, got '1.5'\n"},
    {"NoiseWithoutSeed", "{noise: {std: 1, period: 1}}",
     "m.yaml:4:14: error: signals.s.noise.seed: missing; it is required (the same seed gives the same noise)\n"},
    {"PluginWithoutLibrary", "{plugin: {function: f, inputs: [t], outputs: [y], period: 1}}",
     "m.yaml:4:15: error: signals.s.plugin.library: missing; it is required (shared library, relative to the model "
     "file)\n"},
    {"PluginWhoseOutputsAreNoList", "{plugin: {library: l.so, function: f, inputs: [t], outputs: y, period: 1}}",
     "m.yaml:4:66: error: signals.s.plugin.outputs: expected a list of names, got 'y'\n"},
    {"SignalNamedLikeAFunction", "1\n  sin: 2", "m.yaml:5:3: error: signals.sin: 'sin' is the name of a function\n"},
    {"LatchWithoutSet", R"({latch: {reset: t}})",
     "m.yaml:4:14: error: signals.s.latch.set: missing; it is required (turns the output to 1 when it becomes "
     "positive)\n"},
    {"LatchThatStartsHalfway", R"({latch: {set: t, initial: 0.5}})",
     "m.yaml:4:32: error: signals.s.latch.initial: must be 0 or 1, got 0.5\n"},
    {"LatchWithAnUnknownField", R"({latch: {set: t, resett: 1}})",
     "m.yaml:4:23: error: signals.s.latch.resett: unknown field; did you mean 'reset'?\n"},
    {"LatchSetByAnUnknownName", R"({latch: {set: "t > q"}})",
     "m.yaml:4:25: error: signals.s.latch.set: no parameter or signal 'q'\n"},
    {"LatchSetByAList", R"({latch: {set: [t]}})",
     "m.yaml:4:20: error: signals.s.latch.set: expected a number or an expression, got a list\n"},
    {"LatchThatIsAnExpression", R"({latch: "t > 1"})",
     "m.yaml:4:14: error: signals.s.latch: expected a mapping with fields like set, ..., got 't > 1'\n"},
    {"LatchWithAMovingInitial", R"({latch: {set: t, initial: t}})",
     "m.yaml:4:32: error: signals.s.latch.initial: t changes as the simulation runs, but a constant is needed here\n"},
    {"LatchSetInSumsOfDifferentThings", R"({latch: {set: "a.omega_x + t"}})",
     "m.yaml:4:31: error: signals.s.latch.set: one side is in rad/s, the other in s\n"},
    {"LatchBesideInitial", R"({latch: {set: t}, initial: 1})",
     "m.yaml:4:33: error: signals.s.initial: 'initial' stands beside 'integral' only; for latch it goes inside\n"},
    {"HoldWithoutInput", R"({hold: {when: t}})",
     "m.yaml:4:13: error: signals.s.hold.input: missing; it is required (expression)\n"},
    {"HoldWithoutWhen", R"({hold: {input: t}})",
     "m.yaml:4:13: error: signals.s.hold.when: missing; it is required (while it is positive, the output stays what it "
     "was when that began)\n"},
    {"HoldWithAMisspeltField", R"({hold: {input: t, wen: 1}})",
     "m.yaml:4:24: error: signals.s.hold.wen: unknown field; did you mean 'when'?\n"},
    {"HoldOfAnUnknownSignal", R"({hold: {input: q, when: t}})",
     "m.yaml:4:21: error: signals.s.hold.input: no parameter or signal 'q'\n"},
    {"HoldOfItself", R"({hold: {input: s, when: t}})",
     "m.yaml:4:6: error: signals.s: algebraic loop: s -> s; break it with a state (integral, transfer_function), a "
     "sample or a delay\n"},
    {"HoldThatIsAList", R"({hold: [t, t]})",
     "m.yaml:4:13: error: signals.s.hold: expected a mapping with fields like input, ..., got a list\n"},
    {"HoldWhenThatIsNoExpression", R"({hold: {input: t, when: "t >"}})",
     "m.yaml:4:34: error: signals.s.hold.when: expected a number, a name or '(', but the expression ends\n"},
    {"LargestWithoutInputs", R"({largest: {hysteresis: 1}})",
     "m.yaml:4:16: error: signals.s.largest.inputs: missing; it is required (expressions; the output is 1 for the "
     "first)\n"},
    {"LargestOfOne", R"({largest: {inputs: [t]}})",
     "m.yaml:4:25: error: signals.s.largest.inputs: there is nothing to choose from: at least two are needed\n"},
    {"LargestOfNone", R"({largest: {inputs: []}})",
     "m.yaml:4:25: error: signals.s.largest.inputs: the list is empty\n"},
    {"LargestOfNoList", R"({largest: {inputs: t}})",
     "m.yaml:4:25: error: signals.s.largest.inputs: expected a list of expressions, got 't'\n"},
    {"LargestWithNegativeHysteresis", R"({largest: {inputs: [t, 1], hysteresis: -1}})",
     "m.yaml:4:45: error: signals.s.largest.hysteresis: must not be negative\n"},
    {"LargestWithAMovingHysteresis", R"({largest: {inputs: [t, 1], hysteresis: t}})",
     "m.yaml:4:45: error: signals.s.largest.hysteresis: t changes as the simulation runs, but a constant is needed "
     "here\n"},
    {"LargestWithAnUnknownInput", R"({largest: {inputs: [t, q]}})",
     "m.yaml:4:29: error: signals.s.largest.inputs[1]: no parameter or signal 'q'\n"},
    {"LargestWithInput", R"({largest: {input: [t, 1]}})",
     "m.yaml:4:17: error: signals.s.largest.input: unknown field; did you mean 'inputs'?\n"},
    {"LargestOfItself", R"({largest: {inputs: [s, t]}})",
     "m.yaml:4:6: error: signals.s: algebraic loop: s -> s; break it with a state (integral, transfer_function), a "
     "sample or a delay\n"},
    {"UnwrapWithoutInput", R"({unwrap: {period: 1}})",
     "m.yaml:4:15: error: signals.s.unwrap.input: missing; it is required (expression)\n"},
    {"UnwrapWithoutPeriodicity", R"({unwrap: {input: t, period: 0}})",
     "m.yaml:4:34: error: signals.s.unwrap.period: must be positive\n"},
    {"UnwrapWithANegativePeriod", R"({unwrap: {input: t, period: -1}})",
     "m.yaml:4:34: error: signals.s.unwrap.period: must be positive\n"},
    {"UnwrapWithAPeriodInAnUnknownUnit", R"({unwrap: {input: t, period: 1 turn}})",
     "m.yaml:4:36: error: signals.s.unwrap.period: unknown unit 'turn'\n"},
    {"UnwrapOfAnUnknownBody", R"({unwrap: {input: c.roll}})",
     "m.yaml:4:23: error: signals.s.unwrap.input: no body, joint or signal 'c'\n"},
    {"UnwrapOfText", R"({unwrap: roll})",
     "m.yaml:4:15: error: signals.s.unwrap: expected a mapping with fields like input, ..., got 'roll'\n"},
    {"UnwrapWithAnUnknownField", R"({unwrap: {input: t, modulus: 1}})",
     "m.yaml:4:26: error: signals.s.unwrap.modulus: unknown field; the fields here are input, period\n"},
    {"UnwrapOfItself", R"({unwrap: {input: s}})",
     "m.yaml:4:6: error: signals.s: algebraic loop: s -> s; break it with a state (integral, transfer_function), a "
     "sample or a delay\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, SignalProblems, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace read_signals_errors_test
}  // namespace gyrostat
