// Where the program once said something wrong, or nothing.
#include <cmath>

#include "app/head.h"
#include "support/at_start.h"

namespace gyrostat::testing {
namespace {

const std::string body = "gyrostat: 1\nbodies: {a: {mass: 2, inertia: [1, 2, 2.5], points: {p: [1, 0, 0]}}}\n";

Outcome accel_state(const std::string& state, const std::string& options = "") {
  const Scratch scratch;
  return run("accel '" + scratch.write("m.yaml", body) + "' --state '" + scratch.write("s.json", state) + "' " +
             options);
}

TEST(JointLoad, ASphericalJointHasNoSpringOrASpringThatRestsAtZero) {
  const Loaded loaded = load(body + "joints: {s: {type: spherical, parent: world, child: a, stiffness: 3}}\n");
  if (!loaded.model) return;  // refused, as for a free joint: fine
  const AtStart at(body + "joints: {s: {type: spherical, parent: world, child: a, stiffness: 3}}\n");
  expect_numbers(at.accelerations("s"), {0, 0, 0});
  EXPECT_EQ(at.potential, 0);
}

TEST(JointLoad, TheDampingOfASphericalJointDoesNotDependOnAnotherJoint) {
  const auto text = [](const std::string& angle) {
    return "gyrostat: 1\ntables: {k: {x: [-1, 2], y: [10, 20]}}\nbodies: {o: {mass: 2, inertia: [1, 1, 1]}, a: {mass: "
           "2, "
           "inertia: [1, 2, 2.5]}}\njoints:\n  r: {type: revolute, parent: world, child: o, axis: [0, 0, 1], initial: "
           "{angle: " +
           angle +
           "}}\n  s: {type: spherical, parent: world, child: a, damping: {table: k}, initial: {omega: [1, 0, 0]}}\n";
  };
  if (!load(text("0")).model) return;  // refused: fine
  expect_numbers(AtStart(text("0")).tau("s"), AtStart(text("1")).tau("s"));
}

TEST(Start, AConstantTransferFunctionPassesItsInputOn) {
  const AtStart at(body +
                   "signals: {s: {transfer_function: {input: 7, numerator: [6], denominator: [2]}}}\n"
                   "loads: [{body: a, force: [s, 0, 0]}]\n");
  EXPECT_EQ(at.force("a").x(), 21);
}

const std::string short_table = body +
                                "tables: {k: {x: [0.1, 2], y: [10, 20]}}\nloads: [{spring: {from: [a, p], to: "
                                "[world, [3, 0, 0]], stiffness: {table: k}, length: 1}}]\n";
TEST(Accel, TheEnergyOfATableThatDoesNotReachZeroIsNotPrintedAsNan) {
  EXPECT_THAT(accel(short_table).out, Not(HasSubstr("nan")));
  EXPECT_THAT(accel(short_table, "--json").out, Not(HasSubstr("null")));
}

TEST(Accel, ALoadThatIsNotFiniteOnABodyThatCannotMoveIsRefused) {
  const std::string text = body +
                           "joints: {w: {type: weld, parent: world, child: a}}\nloads: [{body: a, force: "
                           "[\"1/t\", 0, 0]}]\n";
  EXPECT_EQ(accel(text).exit_code, 3);
  EXPECT_THAT(accel(text).out, Not(HasSubstr("nan")));
}

TEST(AccelState, ANumberBeyondDoublesIsRefused) {
  const Outcome o = accel_state(R"({"joints": {"base": {"velocity": [1e400, 0, 0]}}})");
  EXPECT_EQ(o.exit_code, 2) << o.err;
  EXPECT_THAT(o.err, Not(HasSubstr("internal error")));
}

TEST(AccelState, AListInPlaceOfTheObjectHasAMessageWithoutAHole) {
  for (const char* state : {"[]", "null", "3"}) {
    const Outcome o = accel_state(state);
    EXPECT_EQ(o.exit_code, 2);
    EXPECT_THAT(o.err, Not(HasSubstr(": : ")));
  }
}

TEST(AccelState, ADirectoryCannotBeReadAndIsNotCalledBadJson) {
  const Scratch scratch;
  const Outcome o = run("accel '" + scratch.write("m.yaml", body) + "' --state '" + scratch.path().string() + "'");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, Not(HasSubstr("parse error")));
}

TEST(AccelState, WhatIsWrongIsDataWhereDataWereAskedFor) {
  const Outcome o = accel_state("{\"joint\": {}}", "--json");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_TRUE(json::parse(o.out, nullptr, false).is_object()) << "stdout: '" << o.out << "' stderr: " << o.err;
}

TEST(AccelFormulation, OneThatTheModelNamesAndThatDoesNotTakeItIsNotMisuse) {
  const Outcome o = accel(body +
                          "joints: {pin: {type: revolute, axis: [0, 0, 1], parent: world, child: a}}\n"
                          "simulation: {formulation: augmented_body}\n");
  EXPECT_EQ(o.exit_code, 1) << o.err;
}

TEST(PrescribedPosition, WhatVanishesToSecondOrderIsNotConstant) {
  for (const std::string position : {"sqrt(t^4)", "(t^4)^0.5"}) {  // both are t^2
    const Outcome o = accel(body +
                                "joints: {j: {type: prismatic, axis: [0, 0, 1], parent: world, child: a, prescribed: "
                                "{position: \"" +
                                position + "\"}}}\n",
                            "--json");
    if (o.exit_code != 0) continue;  // refused: fine
    EXPECT_EQ(json::parse(o.out, nullptr, false)["accelerations"]["j"][0], 2) << position;
  }
}

TEST(AccelState, WhatOverflowsIsNotPrintedAsInf) {
  const Outcome o = accel_state(R"({"joints": {"base": {"velocity": [1e300, 0, 0]}}})");
  EXPECT_TRUE(o.exit_code != 0 || o.out.find("inf") == std::string::npos) << o.out;
}

TEST(PrescribedPosition, AZeroToAVaryingPowerIsZero) {
  EXPECT_EQ(
      accel(body + "joints: {j: {type: prismatic, axis: [0, 0, 1], parent: world, child: a, prescribed: {position: "
                   "\"0^(1 + t)\"}}}\n")
          .exit_code,
      0);
}

}  // namespace
}  // namespace gyrostat::testing
