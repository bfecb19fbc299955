// Dimensions in expressions: what is certainly wrong is said, and what is known is the unit of a signal.
#include "gyrostat/model/dimensions.h"

#include <chrono>

#include <fmt/format.h>

#include "support/load.h"
#include "support/problem_case.h"

namespace gyrostat {
namespace {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {bus: {mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.1, torque: T}}}, b: {mass: "
    "1, "
    "inertia: [1, 1, 1]}}\n"
    "joints: {j: {type: revolute, parent: bus, child: b, axis: [0, 0, 1]}, base: {}}\n"
    "parameters: {M: 5 kg, L: 2 m, T: 3 N*m, K: 4 N*m/rad, D: 2 N*m*s/rad, bare: 7}\n"
    "signals:\n"
    "  s: ";

class Dimensions : public testing::ProblemTest {};

TEST_P(Dimensions, AreCheckedInExpressions) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"UnlikeParameters", "M + L", "m.yaml:6:8: error: signals.s: one side is in kg, the other in m\n"},
    {"ARateAndTheTime", "bus.omega_x + t", "m.yaml:6:18: error: signals.s: one side is in rad/s, the other in s\n"},
    {"UnlikeComparison", "j.angle < j.rate", "m.yaml:6:14: error: signals.s: one side is in rad, the other in rad/s\n"},
    {"UnlikeChoice", "'t > 1 ? M : L'", "m.yaml:6:13: error: signals.s: one side is in kg, the other in m\n"},
    {"UnlikeLimits", "clamp(T, L, 5)", "m.yaml:6:6: error: signals.s: one side is in N*m, the other in m\n"},
    {"SineOfALength", "sin(L)", "m.yaml:6:6: error: signals.s: sin takes an angle or a plain number, not m\n"},
    {"SineOfARate", "sin(bus.omega_x)",
     "m.yaml:6:6: error: signals.s: sin takes an angle or a plain number, not rad/s\n"},
    {"StepAtAMass", "step(M)", "m.yaml:6:6: error: signals.s: step takes times in s, not kg\n"},
    {"MassAsExponent", "2^M", "m.yaml:6:7: error: signals.s: an exponent is a plain number, not in kg\n"},
    {"ThroughASignal", "r + L\n  r: {delay: {input: T + 2, time: 1}}",
     "m.yaml:6:8: error: signals.s: one side is in N*m, the other in m\n"},
    {"ThroughAnIntegral", "r + j.rate\n  r: {integral: j.rate}",
     "m.yaml:6:8: error: signals.s: one side is in rad, the other in rad/s\n"},
    {"AMassAsTorque", "1\nloads: [{body: bus, torque: [M, 0, 0]}]",
     "m.yaml:7:30: error: loads[0].torque[0]: expected N*m, but the expression is in kg\n"},
    {"ATorqueAsForce", "T\nloads: [{body: bus, force: [0, s, 0]}]",
     "m.yaml:7:32: error: loads[0].force[1]: expected N, but the expression is in N*m\n"},
    {"OtherUnitThanDeclared", "{expression: M*L, unit: N}",
     "m.yaml:6:6: error: signals.s: expected N, but the expression is in kg*m\n"},
    {"UnitThatIsNone", "{expression: M*L, unit: parsec}",
     "m.yaml:6:30: error: signals.s.unit: unknown unit 'parsec'; did you mean 'arcsec'?\n"},
    {"UnitThatIsNotSi", "{expression: j.angle, unit: deg}",
     "m.yaml:6:34: error: signals.s.unit: signals are in SI: write rad\n"},
    {"FactorAsLength",
     "1\nloads: [{thruster: {body: bus, point: [0, 0, 0], direction: [1, 0, 0], thrust: 1, command: L}}]",
     "m.yaml:7:92: error: loads[0].thruster.command: expected a plain number, but the expression is in m\n"},
};
INSTANTIATE_TEST_SUITE_P(Wrong, Dimensions, ::testing::ValuesIn(cases), testing::case_name);

TEST(DimensionsOfWheels, AreChecked) {
  EXPECT_THAT(
      testing::problems_of(testing::load(
          "gyrostat: 1\nparameters: {T_max: 5 kg}\nbodies: {a: {mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: "
          "[0, 0, 1], inertia: 0.1, torque: T_max}}}}\n")),
      ::testing::HasSubstr("bodies.a.wheels.w.torque: expected N*m, but the expression is in kg"));
}

/// What is known of a joint whose type is missing is that the type is missing.
TEST(DimensionsOfJoints, AreNotAskedWhereTheyAreUnreadable) {
  EXPECT_EQ(testing::problems_of("gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
                                 "  k: {parent: world, child: a}\nsignals: {s: 2*k.angle + k.u}\n"),
            "m.yaml:4:6: error: joints.k.type: missing; it is required\n");
}

/// A bare number fits anything: nothing here is certainly wrong.
TEST(DimensionsOfBareNumbers, AreThoseThatFit) {
  for (const char* expression : {"5*bus.omega_x + t",
                                 "bare + t",
                                 "bare*j.angle + T",
                                 "sin(t)",
                                 "sin(2*pi*t/L)",
                                 "T*sin(t) + T",
                                 "2*pi/t + j.rate",
                                 "step(2) + T",
                                 "ramp(1) + T",
                                 "abs(T) - 3",
                                 "-K*j.angle - D*j.rate",
                                 "sqrt(L^2 + 4)",
                                 "L^2/L + L",
                                 "j.angle + 0.1",
                                 "j.angle*T + T",
                                 "exp(-t) + T",
                                 "max(T, 0) + min(1, T)",
                                 "T*(t > 1)",
                                 "T*t + T",
                                 "T*(1 - t) + T",
                                 "T*min(t, 1) + T",
                                 "T/(1 + t) + T",
                                 "-2*j.angle - j.rate + T",
                                 "t^2 + T",
                                 "T/t + L",
                                 "acos(0.5) + j.angle"}) {
    const Loaded loaded = testing::load(std::string(model) + expression + "\n");
    EXPECT_TRUE(loaded.model) << expression << "\n" << testing::problems_of(loaded);
  }
}

TEST(UnitsOfSignals, FollowFromWhatTheyAreMadeOf) {
  const std::pair<const char*, const char*> expected[] = {
      {"bus.omega_x", "rad/s"},
      {"-K*j.angle - D*j.rate", "N*m"},
      {"T*sin(t)", "N*m"},
      {"t", "s"},
      {"j.angle", "rad"},
      {"system.momentum_x", "N*m*s"},
      {"-K*j.angle*j.rate", "W"},
      {"5*bus.omega_x", ""},
      {"bus.quaternion_w", ""},
      {"acos(0.5)", "rad"},
      {"j.angle + 0.1", "rad"},
      {"max(T, 0)", "N*m"},
      {"{integral: j.rate}", "rad"},
      {"{sample: {input: T, period: 1}}", "N*m"},
      {"{expression: 5*j.rate, unit: N*m}", "N*m"},
      {"{pid: {input: j.angle, kp: 1}}", ""},
      {"{switching_amplifier: {input: T, deadband: 1}}", ""},
      {"{saturate: {input: bus.omega_y, low: -1, high: 1}}", "rad/s"},
  };
  for (const auto& [expression, unit] : expected) {
    const Loaded loaded = testing::load(std::string(model) + expression + "\n");
    ASSERT_TRUE(loaded.model) << expression << "\n" << testing::problems_of(loaded);
    const Names names(loaded.model->description);
    EXPECT_EQ(units_of_signals(loaded.model->description, names)[0], unit) << expression;
  }
}

TEST(UnitsOfSignals, DoNotDependOnTheirOrder) {
  std::string text = std::string(model) + "s1\n";
  for (int k = 1; k < 20; ++k) text += fmt::format("  s{}: s{}\n", k, k + 1);
  text += "  s20: j.rate\n";
  const Loaded loaded = testing::load(text);
  ASSERT_TRUE(loaded.model) << testing::problems_of(loaded);
  const Names names(loaded.model->description);
  for (const std::string& unit : units_of_signals(loaded.model->description, names)) EXPECT_EQ(unit, "rad/s");
}

/// Each needs the next: the least favourable order.
TEST(UnitsOfSignals, OfManyTakeNoQuadraticTime) {
  constexpr int many = 20'000;
  std::string text = std::string(model) + "s1\n";
  for (int k = 1; k < many; ++k) text += fmt::format("  s{}: s{} + 1\n", k, k + 1);
  text += fmt::format("  s{}: bus.omega_x\nloads: [{{body: bus, torque: [s, 0, 0]}}]\n", many);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_TRUE(testing::load(text).model);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 10);  // quadratic: minutes
}

}  // namespace
}  // namespace gyrostat
