// Blocks that cannot work, and algebraic loops.
#include "support/problem_case.h"

namespace gyrostat {
namespace validate_signals_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
    "joints: {j: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}}\n"
    "parameters: {gain: 2}\n"
    "signals:\n"
    "  s: ";

class ImpossibleSignals : public testing::ProblemTest {};

TEST_P(ImpossibleSignals, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"LeadingCoefficientOfZero", "{transfer_function: {input: t, numerator: [1], denominator: [0, 1]}}",
     "m.yaml:6:66: error: signals.s.transfer_function.denominator: the leading coefficient cannot be zero\n"},
    {"ImproperTransferFunction", "{transfer_function: {input: t, numerator: [1, 0, 0], denominator: [1, 1]}}",
     "m.yaml:6:48: error: signals.s.transfer_function.numerator: of higher degree (2) than the denominator (1): that "
     "would need derivatives of the input\n"},
    {"InitialOfAConstantFactor", "{transfer_function: {input: t, numerator: [1], denominator: [2], initial: 1}}",
     "m.yaml:6:80: error: signals.s.transfer_function.initial: a constant factor has no initial value\n"},
    {"StateMatrixThatIsNotSquare", "{state_space: {inputs: [t], a: [[1, 0]], b: [[1]], c: [[1]]}}",
     "m.yaml:6:37: error: signals.s.state_space.a: expected 1 by 1, got 1 by 2\n"},
    {"InputMatrixOfAWrongShape", "{state_space: {inputs: [t], a: [[1]], b: [[1, 2]], c: [[1]]}}",
     "m.yaml:6:47: error: signals.s.state_space.b: expected 1 by 1, got 1 by 2\n"},
    {"OutputMatrixOfAWrongShape", "{state_space: {inputs: [t], a: [[1]], b: [[1]], c: [[1, 2]]}}",
     "m.yaml:6:57: error: signals.s.state_space.c: expected 1 by 1, got 1 by 2\n"},
    {"DirectMatrixOfAWrongShape", "{state_space: {inputs: [t], a: [[1]], b: [[1]], c: [[1]], d: [[1, 2]]}}",
     "m.yaml:6:67: error: signals.s.state_space.d: expected 1 by 1, got 1 by 2\n"},
    {"InitialStatesThatAreTooMany", "{state_space: {inputs: [t], a: [[1]], b: [[1]], c: [[1]], initial: [1, 2]}}",
     "m.yaml:6:73: error: signals.s.state_space.initial: expected 1 state, got 2\n"},
    {"OutputsWithoutNames", "{state_space: {inputs: [t], a: [[1]], b: [[1]], c: [[1], [2]]}}",
     "m.yaml:6:20: error: signals.s.state_space.outputs: c has 2 rows, so 2 names are needed\n"},
    {"OutputsWithTooFewNames", "{state_space: {inputs: [t], a: [[1]], b: [[1]], c: [[1], [2]], outputs: [x]}}",
     "m.yaml:6:78: error: signals.s.state_space.outputs: c has 2 rows, so 2 names are needed\n"},
    {"OutputsWithOneNameTwice", "{state_space: {inputs: [t], a: [[1]], b: [[1]], c: [[1], [2]], outputs: [x, x]}}",
     "m.yaml:6:78: error: signals.s.state_space.outputs: a name occurs twice\n"},
    {"NegativeDeadband", "{switching_amplifier: {input: t, deadband: -1}}",
     "m.yaml:6:49: error: signals.s.switching_amplifier.deadband: must not be negative\n"},
    {"HysteresisBeyondTheDeadband", "{switching_amplifier: {input: t, deadband: 1, hysteresis: 2}}",
     "m.yaml:6:64: error: signals.s.switching_amplifier.hysteresis: must be between 0 and the deadband\n"},
    {"NegativeOnTime", "{switching_amplifier: {input: t, deadband: 1, min_on_time: -1}}",
     "m.yaml:6:65: error: signals.s.switching_amplifier.min_on_time: must not be negative\n"},
    {"NegativeOffTime", "{switching_amplifier: {input: t, deadband: 1, min_off_time: -1}}",
     "m.yaml:6:66: error: signals.s.switching_amplifier.min_off_time: must not be negative\n"},
    {"SaturationUpsideDown", "{saturate: {input: t, low: 2, high: 1}}",
     "m.yaml:6:33: error: signals.s.saturate.low: must be below 'high' (2 is not below 1)\n"},
    {"DelayOfZero", "{delay: {input: t, time: 0}}", "m.yaml:6:31: error: signals.s.delay.time: must be positive\n"},
    {"SamplePeriodOfZero", "{sample: {input: t, period: 0}}",
     "m.yaml:6:34: error: signals.s.sample.period: must be positive\n"},
    {"NegativeFilter", "{pid: {input: t, filter: -1}}",
     "m.yaml:6:31: error: signals.s.pid.filter: must not be negative\n"},
    {"DerivativeWithoutFilter", "{pid: {input: t, kd: 1}}",
     "m.yaml:6:27: error: signals.s.pid.kd: a derivative needs a 'filter', the time constant that keeps it finite\n"},
    {"PidLimitsUpsideDown", "{pid: {input: t, kp: 1, low: 1, high: 1}}",
     "m.yaml:6:35: error: signals.s.pid.low: must be below 'high'\n"},
    {"UnknownTableOfABlock", "{table: {x: t, table: curve}}",
     "m.yaml:6:28: error: signals.s.table.table: no table 'curve'\n"},
    {"NoisePeriodOfZero", "{noise: {seed: 1, std: 1, period: 0}}",
     "m.yaml:6:40: error: signals.s.noise.period: must be positive\n"},
    {"NegativeDeviation", "{noise: {seed: 1, std: -1, period: 1}}",
     "m.yaml:6:29: error: signals.s.noise.std: must not be negative\n"},
    {"NegativeSeed", "{noise: {seed: -1, std: 1, period: 1}}",
     "m.yaml:6:21: error: signals.s.noise.seed: must not be negative\n"},
    {"PluginPeriodOfZero", "{plugin: {library: l.so, function: f, inputs: [t], outputs: [y], period: 0}}",
     "m.yaml:6:79: error: signals.s.plugin.period: must be positive\n"},
    {"PluginWithoutOutputs", "{plugin: {library: l.so, function: f, inputs: [t], outputs: [], period: 1}}",
     "m.yaml:6:66: error: signals.s.plugin.outputs: at least one output is needed\n"},
    {"PluginWithOneOutputTwice", "{plugin: {library: l.so, function: f, inputs: [t], outputs: [y, y], period: 1}}",
     "m.yaml:6:66: error: signals.s.plugin.outputs: a name occurs twice\n"},
    {"SignalNamedLikeAParameter", "1\n  gain: 3", "m.yaml:7:9: error: signals.gain: a parameter has the same name\n"},
    {"AlgebraicLoop", "2*r\n  q: s\n  r: {saturate: {input: q, low: 0, high: 1}}",
     "m.yaml:6:6: error: signals.s: algebraic loop: s -> r -> q -> s; break it with a state (integral, "
     "transfer_function), a sample or a delay\n"},
    {"SignalThatFeedsItself", "s + 1",
     "m.yaml:6:6: error: signals.s: algebraic loop: s -> s; break it with a state (integral, transfer_function), a "
     "sample or a delay\n"},
    {"AlgebraicLoopThroughADirectTerm", "{state_space: {inputs: [s], a: [[1]], b: [[1]], c: [[1]], d: [[1]]}}",
     "m.yaml:6:6: error: signals.s: algebraic loop: s -> s; break it with a state (integral, transfer_function), a "
     "sample or a delay\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, ImpossibleSignals, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace validate_signals_test
}  // namespace gyrostat
