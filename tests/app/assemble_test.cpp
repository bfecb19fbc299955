// gyrostat assemble: what it does, and what it says of wrong arguments and loops that cannot be closed.
#include <filesystem>

#include "app/head.h"

namespace gyrostat::testing {
namespace assemble_test {

// The crank at 60 degrees, the rod and the slider anywhere.
const std::string crank = R"yaml(gyrostat: 1
bodies:
  crank:  {mass: 1, com: [0.25, 0, 0], inertia: [0.001, 0.02, 0.02]}
  rod:    {mass: 2, com: [0.5, 0, 0], inertia: [0.002, 0.2, 0.2]}
  slider: {mass: 3, inertia: [0.01, 0.01, 0.01]}
joints:
  shaft: {type: revolute, parent: world, child: crank, axis: [0, 0, 1], initial: {angle: 60 deg, rate: 1}}
  pin:   {type: revolute, parent: crank, child: rod, parent_point: [0.5, 0, 0], axis: [0, 0, 1]}
  wrist: {type: revolute, parent: rod, child: slider, parent_point: [1, 0, 0], axis: [0, 0, 1]}
  guide: {type: prismatic, parent: world, child: slider, axis: [1, 0, 0]}
simulation: {duration: 0.1}
)yaml";

class Assemble : public ::testing::Test {
 protected:
  Assemble() { scratch.write("m.yaml", crank); }
  Outcome command(const std::string& arguments) const { return run_in(scratch.path(), arguments); }
  void expect_refused(const std::string& arguments, int exit_code, const std::string& words) const {
    SCOPED_TRACE(arguments);
    const Outcome o = command("assemble " + arguments);
    EXPECT_EQ(o.exit_code, exit_code);
    EXPECT_THAT(o.err, HasSubstr(words));
    EXPECT_THAT(o.err, Not(HasSubstr("internal error")));
  }

  Scratch scratch;
};

TEST_F(Assemble, WritesAStateThatARunTakes) {
  const Outcome o = command("assemble m.yaml --hold shaft -o s.json");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("written to s.json"));
  const json state = json::parse(slurp(scratch.path() / "s.json"));
  EXPECT_NEAR(state["joints"]["shaft"]["position"].get<double>(), std::acos(-1.0) / 3, 1e-15);
  EXPECT_EQ(state["joints"]["shaft"]["speed"].get<double>(), 1);
  EXPECT_EQ(command("run m.yaml --state s.json --quiet").exit_code, 0);
  EXPECT_EQ(command("assemble m.yaml --hold shaft -o s.json").exit_code, 0) << "its own file is replaced";
  EXPECT_THAT(command("assemble m.yaml --state s.json").out, HasSubstr("nothing had to be moved"));
}

/// What is driven, and what is prescribed, begins with the rate of its expression; a run has nothing left to do.
TEST_F(Assemble, GivesDrivesTheirRate) {
  const std::string initial = "initial: {angle: 60 deg, rate: 1}";
  std::string prescribed = crank;
  prescribed.replace(prescribed.find(initial), initial.size(), "prescribed: {position: pi/3 + 2*t}");
  for (const std::string& text :
       {crank + "constraints: {motor: {coordinate: shaft.angle, equals: pi/3 + 2*t}}\n", prescribed}) {
    scratch.write("m.yaml", text);
    const Outcome o = command("assemble m.yaml -o s.json --json");
    ASSERT_EQ(o.exit_code, 0) << o.err << o.out;
    EXPECT_LT(json::parse(o.out)["rate"].get<double>(), 1e-10);
    const json joints = json::parse(slurp(scratch.path() / "s.json"))["joints"];
    const double angle = joints["pin"]["position"], rate = joints["pin"]["speed"];
    const double slope = 0.5 * std::cos(std::acos(-1.0) / 3) * 2 / std::cos(std::acos(-1.0) / 3 + angle);
    EXPECT_NEAR(rate, -2 - slope, 1e-8) << "the rod's end stays on the guide";
    const Outcome run = command("run m.yaml --state s.json --force");
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.err, Not(HasSubstr("did not satisfy")));
  }
}

TEST_F(Assemble, HasNothingToDoWithoutConstraints) {
  scratch.write("m.yaml", "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n");
  const Outcome o = command("assemble m.yaml");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("nothing had to be moved"));
}

TEST_F(Assemble, AMasslessLinkInALoopIsRefusedByNameByAllWhoSolve) {
  std::string text = crank;
  const std::string rod = "{mass: 2, com: [0.5, 0, 0], inertia: [0.002, 0.2, 0.2]}";
  scratch.write("m.yaml", text.replace(text.find(rod), rod.size(), "{mass: 0}"));
  for (const char* solve : {"run m.yaml", "accel m.yaml", "accel m.yaml --formulation absolute"}) {
    const Outcome o = command(solve);
    EXPECT_EQ(o.exit_code, 1) << solve;
    EXPECT_THAT(o.err, AllOf(HasSubstr("m.yaml:8:10: error: joints.pin: moves no mass before its loop is closed"),
                             HasSubstr("a distance constraint")));
    EXPECT_THAT(command(std::string(solve) + " --json").out, HasSubstr("\"line\": 8"));
  }
}

TEST_F(Assemble, PartsPointsThatMeetWhereADistanceIsAskedFor) {
  scratch.write("m.yaml", R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  j: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}
  k: {type: revolute, parent: world, child: b, axis: [0, 0, 1]}
constraints: {rod: {distance: {from: [a, [1, 0, 0]], to: [b, [1, 0, 0]]}, equals: 1}}
)yaml");
  const Outcome o = command("assemble m.yaml --json");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  const json answer = json::parse(o.out);
  EXPECT_TRUE(answer["closed"]);
  const double between =
      answer["coordinates"]["j.angle"]["to"].get<double>() - answer["coordinates"]["k.angle"]["to"].get<double>();
  EXPECT_NEAR(std::abs(between), std::acos(-1.0) / 3, 1e-9);
}

TEST_F(Assemble, RefusesJointsToHoldThatAreNone) {
  expect_refused("m.yaml --hold shat", 2, "--hold shat: there is no such joint; did you mean 'shaft'?");
  expect_refused("m.yaml --hold crank", 2, "--hold crank: there is no such joint");
  expect_refused("m.yaml --hold shaft --hold pinn", 2, "--hold pinn: there is no such joint; did you mean 'pin'?");
  expect_refused("m.yaml --hold wrist", 2, "--hold wrist: it closes a loop and has no coordinates; hold other joints");
  expect_refused("m.yaml --hold ''", 2, "--hold : there is no such joint");
  expect_refused("m.yaml --hold", 2, "--hold: 1 required JOINT missing");
}

TEST_F(Assemble, NamesTheClosureThatCannotBeReached) {
  expect_refused("m.yaml --hold shaft --hold pin --hold guide", 1,
                 "m.yaml:9:10: error: joints.wrist: cannot be closed: 1.5 m or rad is left");
  expect_refused("m.yaml --hold shaft --hold pin --hold guide", 1,
                 "correct points, axes or values, or let more joints move");
  std::string far = crank;
  far.replace(far.find("axis: [1, 0, 0]"), 15, "axis: [1, 0, 0], initial: {displacement: 9}, locked: true");
  scratch.write("far.yaml", far);
  expect_refused("far.yaml -o s.json", 1, "far.yaml:9:10: error: joints.wrist: cannot be closed");
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "s.json")) << "a state that is none is not written";
  const json answer = json::parse(command("assemble far.yaml --json").out);
  EXPECT_FALSE(answer["closed"]);
  EXPECT_EQ(answer["worst"], "wrist");
  EXPECT_GT(answer["residual"].get<double>(), 7);
}

TEST_F(Assemble, NamesTheRateThatCannotBeReached) {
  scratch.write("m.yaml",
                crank + "constraints: {motor: {coordinate: guide.displacement, equals: \"1.151387818866 + t\"}}\n");
  expect_refused(
      "m.yaml --hold shaft", 1,
      "m.yaml:9:10: error: joints.wrist: no speeds of what may move give it its rate: 0.772 m/s or rad/s is left");
}

TEST_F(Assemble, RefusesPlacesWhereNothingCanBeWritten) {
  scratch.write("other.json", "{\"a\": 1}\n");
  expect_refused("m.yaml -o other.json", 2,
                 "other.json: exists and is not a state file that Gyrostat wrote; it is not replaced");
  EXPECT_EQ(slurp(scratch.path() / "other.json"), "{\"a\": 1}\n");
  expect_refused("m.yaml -o m.yaml", 2, "m.yaml: exists and is not a state file that Gyrostat wrote");
  EXPECT_EQ(slurp(scratch.path() / "m.yaml"), crank);
  expect_refused("m.yaml -o none/s.json", 2, "none/s.json: directory 'none' does not exist");
  expect_refused("m.yaml -o .", 2, ".: is a directory");
  if (std::filesystem::exists("/dev/full"))
    expect_refused("m.yaml -o /dev/full", 2, "/dev/full: is not a regular file");
  EXPECT_EQ(command("assemble m.yaml -o other.json --force").exit_code, 0);
}

TEST_F(Assemble, RefusesFilesThatAreNotThere) {
  expect_refused("", 2, "FILE is required");
  expect_refused("none.yaml", 1, "none.yaml: error: cannot be read: No such file or directory");
  expect_refused(".", 1, ".: error: is a directory, not a model file");
  expect_refused("m.yaml --state none.json", 2, "none.json: the file cannot be read");
  scratch.write("s.json", "{\"joints\": {\"shat\": {}}}");
  expect_refused("m.yaml --state s.json", 2, "s.json: joints.shat: there is no joint 'shat'; did you mean 'shaft'?");
}

TEST_F(Assemble, RunNamesConstraintsThatContradictEachOther) {
  const auto refused = [&](const std::string& constraints) {
    scratch.write("m.yaml", crank + "constraints: {" + constraints + "}\n");
    const Outcome o = command("run m.yaml");
    EXPECT_EQ(o.exit_code, 3);
    EXPECT_THAT(o.err, HasSubstr("Nothing was recorded"));
    return o.err;
  };
  EXPECT_THAT(refused("far: {coordinate: guide.displacement, equals: 5}"),
              HasSubstr("stopped at t = 0 s: the constraints cannot be satisfied: 'far' is 1.84 away from closing (it "
                        "was 5 as given)"));
  EXPECT_THAT(
      refused("one: {coordinate: pin.angle, equals: 2*t}, two: {coupling: {pin.angle: 1, shaft.angle: -1}, equals: t}, "
              "three: {coordinate: shaft.angle, equals: 0}, four: {coordinate: guide.displacement, equals: 1.5}"),
      HasSubstr("stopped at t = 0 s: the rates of the constraints contradict each other"));
}

}  // namespace assemble_test
}  // namespace gyrostat::testing
