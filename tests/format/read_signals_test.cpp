// Every kind of signal and every field of its block arrive in their places.
#include <numbers>

#include "support/problem_case.h"

namespace gyrostat {
namespace read_signals_test {

using std::numbers::pi;
using testing::description_of;
using testing::number_of;

using Numbers = std::vector<double>;
using Matrix = std::vector<std::vector<double>>;
using Texts = std::vector<std::string>;

/// The block of the signal `s`.
template <class Kind>
Kind block(const std::string& text) {
  const Description d = description_of(
      "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\ntables: {curve: {x: [0, 1], y: [0, 1]}}\n"
      "signals:\n  s: " +
      text + "\n");
  const SignalDescription signal = testing::named(d.signals, "s");
  const Kind* found = std::get_if<Kind>(&signal.block);
  EXPECT_NE(found, nullptr) << "another kind of block";
  return found != nullptr ? *found : Kind{};
}

TEST(ReadSignal, MayBeAnExpressionANumberOrAQuantity) {
  EXPECT_EQ(block<Expression>("\"2*a.omega_x + t\"").text, "2*a.omega_x + t");
  EXPECT_EQ(block<Expression>("2*a.omega_x + t").text, "2*a.omega_x + t");
  EXPECT_EQ(number_of(block<Expression>("-3.5")), -3.5);
  EXPECT_DOUBLE_EQ(number_of(block<Expression>("1 deg/s")), pi / 180);
}

TEST(ReadSignal, KeepsTheOrderOfTheFileWhateverDependsOnWhat) {
  const Description d = description_of(
      "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nsignals: {second: first + 1, first: t}\n");
  ASSERT_EQ(d.signals.size(), 2U);
  EXPECT_EQ(d.signals[0].name, "second");
  EXPECT_EQ(d.signals[1].name, "first");
}

TEST(ReadSignal, IntegralHasAnInitialValue) {
  const auto b = block<IntegralBlock>("{integral: \"sin(t)\", initial: 218 deg}");
  EXPECT_EQ(b.input.text, "sin(t)");
  EXPECT_DOUBLE_EQ(b.initial, 218 * pi / 180);
  EXPECT_EQ(block<IntegralBlock>("{integral: t}").initial, 0);
}

TEST(ReadSignal, TransferFunctionHasTwoPolynomials) {
  const auto b = block<TransferFunctionBlock>(
      "{transfer_function: {input: t, numerator: [1, 2], denominator: [1, 3, 4], "
      "initial: 5}}");
  EXPECT_EQ(b.input.text, "t");
  EXPECT_EQ(b.numerator, (Numbers{1, 2}));
  EXPECT_EQ(b.denominator, (Numbers{1, 3, 4}));
  EXPECT_EQ(b.initial, 5);
}

TEST(ReadSignal, StateSpaceHasFourMatrices) {
  const auto b = block<StateSpaceBlock>(
      "{state_space: {inputs: [t, a.omega_x], a: [[0, 1], [2, 3]], b: [[4, 5], [6, 7]], c: [[8, 9]], d: [[10, 11]], "
      "initial: [12, 13], outputs: [y]}}");
  ASSERT_EQ(b.inputs.size(), 2U);
  EXPECT_EQ(b.inputs[1].text, "a.omega_x");
  EXPECT_EQ(b.a, (Matrix{{0, 1}, {2, 3}}));
  EXPECT_EQ(b.b, (Matrix{{4, 5}, {6, 7}}));
  EXPECT_EQ(b.c, (Matrix{{8, 9}}));
  EXPECT_EQ(b.d, (Matrix{{10, 11}}));
  EXPECT_EQ(b.initial, (Numbers{12, 13}));
  EXPECT_EQ(b.outputs, (Texts{"y"}));
}

TEST(ReadSignal, SwitchingAmplifierHasADeadbandAndTimes) {
  const auto b = block<SwitchingAmplifierBlock>(
      "{switching_amplifier: {input: -t, deadband: 5 mrad, hysteresis: 1 mrad, min_on_time: 20 ms, min_off_time: 1 "
      "min}}");
  EXPECT_EQ(b.input.text, "-t");
  EXPECT_DOUBLE_EQ(b.deadband, 0.005);
  EXPECT_DOUBLE_EQ(b.hysteresis, 0.001);
  EXPECT_DOUBLE_EQ(b.min_on_time, 0.02);
  EXPECT_DOUBLE_EQ(b.min_off_time, 60);
}

TEST(ReadSignal, SaturateHasTwoLimits) {
  const auto b = block<SaturateBlock>("{saturate: {input: t, low: -1 mN*m, high: 2}}");
  EXPECT_EQ(b.input.text, "t");
  EXPECT_EQ(b.low, -0.001);
  EXPECT_EQ(b.high, 2);
}

TEST(ReadSignal, LatchHasTwoConditions) {
  const auto b = block<LatchBlock>("{latch: {set: t > 1, reset: a.omega_x, initial: 1}}");
  EXPECT_EQ(b.set.text, "t > 1");
  EXPECT_EQ(b.reset.text, "a.omega_x");
  EXPECT_EQ(b.initial, 1);
  EXPECT_TRUE(block<LatchBlock>("{latch: {set: t}}").reset.empty());
}

TEST(ReadSignal, HoldHasAnInputAndACondition) {
  const auto b = block<HoldBlock>("{hold: {input: 2*t, when: t > 1}}");
  EXPECT_EQ(b.input.text, "2*t");
  EXPECT_EQ(b.when.text, "t > 1");
}

TEST(ReadSignal, LargestHasInputsAndAHysteresis) {
  const auto b = block<LargestBlock>("{largest: {inputs: [t, 3, -t], hysteresis: 1 deg}}");
  ASSERT_EQ(b.inputs.size(), 3U);
  EXPECT_EQ(b.inputs[2].text, "-t");
  EXPECT_DOUBLE_EQ(b.hysteresis, 0.017453292519943295);
}

TEST(ReadSignal, UnwrapHasAPeriodOfATurnUnlessItIsGiven) {
  EXPECT_DOUBLE_EQ(block<UnwrapBlock>("{unwrap: {input: t}}").period, 6.283185307179586);
  EXPECT_DOUBLE_EQ(block<UnwrapBlock>("{unwrap: {input: t, period: 360 deg}}").period, 6.283185307179586);
}

TEST(ReadSignal, DelayHasATimeAndSampleAPeriod) {
  const auto delay = block<DelayBlock>("{delay: {input: t, time: 5 ms}}");
  EXPECT_EQ(delay.input.text, "t");
  EXPECT_DOUBLE_EQ(delay.time, 0.005);
  const auto sample = block<SampleBlock>("{sample: {input: 2*t, period: 10 ms}}");
  EXPECT_EQ(sample.input.text, "2*t");
  EXPECT_DOUBLE_EQ(sample.period, 0.01);
}

TEST(ReadSignal, PidHasGainsAFilterAndLimits) {
  const auto b =
      block<PidBlock>("{pid: {input: t, kp: 1, ki: 2, kd: 3, filter: 100 ms, initial: 4, low: -5, high: 6}}");
  EXPECT_EQ(b.input.text, "t");
  EXPECT_EQ(b.kp, 1);
  EXPECT_EQ(b.ki, 2);
  EXPECT_EQ(b.kd, 3);
  EXPECT_DOUBLE_EQ(b.filter, 0.1);
  EXPECT_EQ(b.initial, 4);
  EXPECT_EQ(b.low, -5);
  EXPECT_EQ(b.high, 6);
  EXPECT_FALSE(block<PidBlock>("{pid: {input: t}}").low);
}

TEST(ReadSignal, TableBlockNamesItsTable) {
  const auto b = block<TableBlock>("{table: {x: t/10, table: curve}}");
  EXPECT_EQ(b.x.text, "t/10");
  EXPECT_EQ(b.table, "curve");
}

TEST(ReadSignal, NoiseHasASeed) {
  const auto b = block<NoiseBlock>("{noise: {seed: 9007199254740993, std: 1 arcsec, period: 1 s}}");
  EXPECT_EQ(b.seed, 9007199254740993);
  EXPECT_DOUBLE_EQ(b.std, pi / 180 / 3600);
  EXPECT_EQ(b.period, 1);
}

TEST(ReadSignal, PluginNamesItsLibraryFunctionAndOutputs) {
  const auto b = block<PluginBlock>(
      "{plugin: {library: ./law.so, function: control, inputs: [t, a.omega_z], outputs: [x, y], period: 0.1}}");
  EXPECT_EQ(b.library, "./law.so");
  EXPECT_EQ(b.function, "control");
  ASSERT_EQ(b.inputs.size(), 2U);
  EXPECT_EQ(b.inputs[1].text, "a.omega_z");
  EXPECT_EQ(b.outputs, (Texts{"x", "y"}));
  EXPECT_EQ(b.period, 0.1);
}

}  // namespace read_signals_test
}  // namespace gyrostat
