// All problems are found in one pass, in the order of the file, and one mistake makes one problem.
#include "support/problem_case.h"

namespace gyrostat {
namespace {

using testing::problems_of;
using ::testing::StartsWith;

TEST(AllProblems, AreFoundInOnePassInTheOrderOfTheFile) {
  EXPECT_EQ(problems_of(R"(gyrostat: 1
output: {record: [pan.angel]}
parameters:
  gain: 2*zebra
tables: {f: {x: [1, 0], y: [1, 2]}}
bodies:
  bus: {mass: -1, inertia: [1, 1, 1], colour: red}
  hub:
    mass: 1 s
    inertia: [1, 1, 3]
joints:
  pan: {type: revolute, parent: bus, child: hub, axis: [0, 0, 0]}
signals:
  s: "1 + unknown"
loads:
  - {body: bsu, torque: [1, 0, 0]}
simulation: {duration: -1}
)"),
            "m.yaml:2:19: error: output.record[0]: the joint 'pan' has no 'angel'; did you mean 'angle'?\n"
            "m.yaml:4:11: error: parameters.gain: no parameter 'zebra'\n"
            "m.yaml:5:17: error: tables.f.x: x must increase strictly; it does not at value 2\n"
            "m.yaml:7:15: error: bodies.bus.mass: a mass cannot be negative\n"
            "m.yaml:7:39: error: bodies.bus.colour: unknown field; the fields here are mass, com, inertia, "
            "accept_unphysical, point_mass, points, wheels, flexible, shape\n"
            "m.yaml:9:11: error: bodies.hub.mass: expected a value in kg, got s\n"
            "m.yaml:10:14: error: bodies.hub.inertia: no body has principal moments 1, 1, 3 kg m^2: the largest "
            "exceeds the sum of the others by 1 (triangle inequality); check units and the signs of xy, xz, yz, or say "
            "'accept_unphysical: true'\n"
            "m.yaml:12:56: error: joints.pan.axis: a direction cannot have zero length\n"
            "m.yaml:14:11: error: signals.s: no parameter or signal 'unknown'\n"
            "m.yaml:16:12: error: loads[0].body: no body 'bsu'; did you mean 'bus'?\n"
            "m.yaml:17:24: error: simulation.duration: must not be negative\n");
}

TEST(AllProblems, WarningsAndErrorsStandInOneList) {
  EXPECT_EQ(problems_of(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 3], accept_unphysical: true}}
environment: {orbit: {semi_major_axis: 1000 km}}
simulation: {duration: -1}
)"),
            "m.yaml:2:32: warning: bodies.a.inertia: no body has principal moments 1, 1, 3 kg m^2: the largest exceeds "
            "the sum of the others by 1 (triangle inequality); accepted, as the body says\n"
            "m.yaml:3:40: warning: environment.orbit.semi_major_axis: the orbit passes below the surface: periapsis at "
            "1000 km from the centre, radius 6378.14 km\n"
            "m.yaml:4:24: error: simulation.duration: must not be negative\n");
}

TEST(AllProblems, WarningsAloneLeaveTheModelUsable) {
  const Loaded loaded = testing::load(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
environment: {orbit: {semi_major_axis: 1000 km}}
)");
  EXPECT_EQ(loaded.problems.errors(), 0U);
  EXPECT_EQ(loaded.problems.warnings(), 1U);
  EXPECT_TRUE(loaded.model);
}

TEST(AllProblems, AnErrorShowsTheLineAndACaretUnderTheColumn) {
  const Loaded loaded = testing::load("gyrostat: 1\nbodies:\n  a: {mass: -1, inertia: [1, 1, 1]}\n");
  ASSERT_EQ(loaded.problems.all().size(), 1U);
  EXPECT_EQ(render(loaded.problems.all()[0], loaded.source, false),
            "m.yaml:3:13: error: bodies.a.mass: a mass cannot be negative\n"
            "    3 |   a: {mass: -1, inertia: [1, 1, 1]}\n"
            "      |             ^\n");
}

TEST(AllProblems, ColourStandsAroundTheWordsOnly) {
  const Loaded loaded = testing::load("gyrostat: 1\nbodies:\n  a: {mass: -1, inertia: [1, 1, 1]}\n");
  EXPECT_EQ(render(loaded.problems.all().at(0), loaded.source, true),
            "\033[1mm.yaml:3:13:\033[0m \033[1;31merror:\033[0m bodies.a.mass: a mass cannot be negative\n"
            "    3 |   a: {mass: -1, inertia: [1, 1, 1]}\n"
            "      |             \033[1;31m^\033[0m\n");
}

// What an unreadable list lacks is said once.
TEST(EmptyLists, AreNoCoefficients) {
  const std::string model = "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nsignals:\n";
  EXPECT_THAT(problems_of(model + "  s: {transfer_function: {input: t, numerator: [1], denominator: []}}\n"),
              StartsWith("m.yaml:4:66: error: signals.s.transfer_function.denominator: "));
  EXPECT_THAT(problems_of(model + "  s: {transfer_function: {input: t, numerator: [], denominator: [1]}}\n"),
              StartsWith("m.yaml:4:48: error: signals.s.transfer_function.numerator: "));
  EXPECT_THAT(problems_of(model + "  s: {state_space: {inputs: [t], a: [[1]], b: [[1]], c: []}}\n"),
              StartsWith("m.yaml:4:57: error: signals.s.state_space.c: "));
}

TEST(DidYouMean, DoesNotSuggestANameWithoutACommonLetter) {
  const std::string model = "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n";
  EXPECT_EQ(problems_of(model + "loads:\n  - {body: c, torque: [1, 0, 0]}\n"),
            "m.yaml:4:12: error: loads[0].body: no body 'c'\n");
}

}  // namespace
}  // namespace gyrostat
