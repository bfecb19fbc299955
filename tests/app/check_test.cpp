// gyrostat check: problems to stderr or as JSON, the verdict as the exit code.
#include <optional>

#include "app/head.h"

namespace gyrostat::testing {
namespace {

const std::string good = "gyrostat: 1\nparameters: {M: 1}\nbodies: {a: {mass: M, inertia: [1, 1, 1]}}\n";
const std::string bad =
    "gyrostat: 1\nbodies:\n  a: {mass: -1, inertia: [1, 1, 1]}\n  b: {mass: x, inertia: [1, 1, 3]}\n";

TEST(Check, AGoodModelIsOk) {
  const Scratch scratch;
  const std::string path = scratch.write("m.yaml", good);
  const Outcome o = run("check " + quoted(path));
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.out, path + ": ok, 1 body, 6 degrees of freedom\n");
  EXPECT_EQ(o.err, "");
}

TEST(Check, WarningsGoToStderrAndAreCounted) {
  const Outcome o = run("check '" GYROSTAT_SOURCE_DIR "/examples/five_body/five_body.yaml'");
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.out,
            GYROSTAT_SOURCE_DIR "/examples/five_body/five_body.yaml: ok, 5 bodies, 10 degrees of freedom, 1 warning\n");
  EXPECT_THAT(o.err, HasSubstr("five_body/parts/spacecraft.yaml:9:14: warning: bodies.bus.inertia: "));
}

/// Joints that are cut are loops; drives, couplings, distances and points are constraints.
TEST(Check, CountsLoopsAndOtherConstraints) {
  const std::string bodies =
      "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
      "  x: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}\n"
      "  y: {type: revolute, parent: world, child: b, axis: [0, 0, 1]}\n";
  const std::string loop = "  z: {type: planar, parent: a, child: b, normal: [0, 0, 1], cut: true}\n";
  const std::string mesh = "constraints: {mesh: {coupling: {x.angle: 1, y.angle: -1}}";
  const Scratch scratch;
  const auto verdict = [&](const std::string& text) {
    const Outcome o = run("check " + quoted(scratch.write("m.yaml", text)));
    EXPECT_EQ(o.exit_code, 0) << o.err;
    return o.out.substr(o.out.find("ok"));
  };
  EXPECT_EQ(verdict(bodies + mesh + "}\n"), "ok, 2 bodies, 2 degrees of freedom of the tree, 1 constraint\n");
  EXPECT_EQ(verdict(bodies + loop), "ok, 2 bodies, 2 degrees of freedom of the tree, 1 loop\n");
  EXPECT_EQ(verdict(bodies + loop + mesh + ", drive: {coordinate: x.angle, equals: t}}\n"),
            "ok, 2 bodies, 2 degrees of freedom of the tree, 1 loop, 2 constraints\n");
}

/// What a run would stop at its start for, with the place: the constraint that is left open, the one that is farthest
/// from closing, the joint that moves no mass.
TEST(Check, SaysWhichConstraintsTheInitialStateCannotSatisfy) {
  const Scratch scratch;
  const auto checked = [&](const std::string& text) {
    scratch.write("m.yaml", text);
    return run_in(scratch.path(), "check m.yaml");
  };
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = slider_crank;
    return text.replace(text.find(from), from.size(), to);
  };
  const Outcome near = checked(slider_crank);
  EXPECT_EQ(near.err, "");
  EXPECT_EQ(near.out, "m.yaml: ok, 3 bodies, 3 degrees of freedom of the tree, 1 loop\n");
  const Outcome open = checked(slider_crank + "constraints: {far: {coordinate: guide.displacement, equals: 5}}\n");
  EXPECT_EQ(open.exit_code, 0) << "another state may be given";
  EXPECT_THAT(open.err, HasSubstr("m.yaml:14:20: warning: constraints.far: cannot be closed: 1.88 m or rad is left. "));
  EXPECT_THAT(open.err, HasSubstr("let more joints move; a run would stop at its start\n"));
  const Outcome far = checked(with(", initial: {angle: -44.4775 deg}", ""));
  EXPECT_EQ(far.exit_code, 0);
  EXPECT_THAT(far.err, HasSubstr("m.yaml:9:10: warning: joints.wrist: the initial coordinates are "));
  EXPECT_THAT(far.err,
              HasSubstr(" m or rad away from closing it, more than a run moves them by itself (0.01); `gyrostat "
                        "assemble` finds coordinates that do\n"));
  const Outcome massless = checked(with("{mass: 2, com: [0.5, 0, 0], inertia: [0.002, 0.2, 0.2]}", "{mass: 0}"));
  EXPECT_EQ(massless.exit_code, 1);
  EXPECT_THAT(massless.err, HasSubstr("m.yaml:8:8: error: joints.pin: moves no mass before its loop is closed"));
}

TEST(Check, ProblemsGoToStderrLikeACompilers) {
  const Scratch scratch;
  const std::string path = scratch.write("m.yaml", bad);
  const Outcome o = run("check " + quoted(path));
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err, path +
                       ":3:13: error: bodies.a.mass: a mass cannot be negative\n"
                       "    3 |   a: {mass: -1, inertia: [1, 1, 1]}\n"
                       "      |             ^\n" +
                       path +
                       ":4:6: error: bodies.b: no joint connects it with the rest; give it a joint to another body, or "
                       "a free joint to world\n"
                       "    4 |   b: {mass: x, inertia: [1, 1, 3]}\n"
                       "      |      ^\n" +
                       path +
                       ":4:13: error: bodies.b.mass: no parameter 'x'\n"
                       "    4 |   b: {mass: x, inertia: [1, 1, 3]}\n"
                       "      |             ^\n" +
                       path +
                       ":4:25: error: bodies.b.inertia: no body has principal moments 1, 1, 3 kg m^2: the largest "
                       "exceeds the sum of the others by 1 (triangle inequality); check units and the signs of xy, xz, "
                       "yz, or say 'accept_unphysical: true'\n"
                       "    4 |   b: {mass: x, inertia: [1, 1, 3]}\n"
                       "      |                         ^\n"
                       "4 errors\n");
}

TEST(Check, AMissingFileIsAModelThatIsWrong) {
  const Outcome o = run("check /nowhere/m.yaml");
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err, "/nowhere/m.yaml: error: cannot be read: No such file or directory\n1 error\n");
}

TEST(Check, SetChangesAParameter) {
  const Scratch scratch;
  const std::string path = quoted(scratch.write("m.yaml", good));
  EXPECT_EQ(run("check " + path + " --set M=2").exit_code, 0);
  EXPECT_EQ(run("check " + path + " --set 'M=2 kg'").exit_code, 0);
  EXPECT_EQ(run("check " + path + " --set M=-2").exit_code, 1);
  EXPECT_EQ(run("check " + path + " --set 'M=2 m'").exit_code, 1);
  const Outcome o = run("check " + path + " --set N=2");
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_THAT(o.err, HasSubstr("error: --set N: the model has no such parameter"));
}

TEST(Check, AnswersInJsonOnStdout) {
  const Scratch scratch;
  const std::string path = scratch.write("m.yaml", bad);
  const Outcome o = run("check --json " + quoted(path));
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.err, "");
  const json answer = json::parse(o.out, nullptr, false);
  ASSERT_FALSE(answer.is_discarded());
  EXPECT_EQ(answer["file"], path);
  EXPECT_EQ(answer["ok"], false);
  EXPECT_EQ(answer["errors"], 4);
  EXPECT_EQ(answer["warnings"], 0);
  ASSERT_EQ(answer["problems"].size(), 4U);
  EXPECT_EQ(answer["problems"][0], json({{"severity", "error"},
                                         {"line", 3},
                                         {"column", 13},
                                         {"path", "bodies.a.mass"},
                                         {"message", "a mass cannot be negative"}}));
}

TEST(Check, AGoodModelIsOkInJsonToo) {
  const Scratch scratch;
  const Outcome o = run("check --json " + quoted(scratch.write("m.yaml", good)));
  EXPECT_EQ(o.exit_code, 0);
  const json answer = json::parse(o.out, nullptr, false);
  EXPECT_EQ(answer["ok"], true);
  EXPECT_EQ(answer["problems"], json::array());
}

TEST(Check, AProblemWithoutAPlaceHasNoneInJson) {
  const Outcome o = run("check --json /nowhere/m.yaml");
  EXPECT_EQ(o.exit_code, 1);
  const json answer = json::parse(o.out, nullptr, false);
  ASSERT_EQ(answer["problems"].size(), 1U);
  EXPECT_FALSE(answer["problems"][0].contains("line"));
  EXPECT_EQ(answer["problems"][0]["message"], "cannot be read: No such file or directory");
}

TEST(Check, JsonIsValidWhateverTheFileHolds) {
  const Scratch scratch;
  for (const std::string& text : {std::string("\xFF\xFE"), std::string("gyrostat: 1\nbodies: {\"\\e\\0\": {}}\n"),
                                  std::string("gyrostat: 1\nbodies: {ä\": {}}\n"), std::string("\0\0", 2)}) {
    const Outcome o = run("check --json " + quoted(scratch.write("m.yaml", text)));
    EXPECT_EQ(o.exit_code, 1);
    EXPECT_FALSE(json::parse(o.out, nullptr, false).is_discarded());
  }
  const Outcome o = run("check --json '" + scratch.path().string() + "/\xFF.yaml'");
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_FALSE(json::parse(o.out, nullptr, false).is_discarded());
}

TEST(Check, FurtherProblemsAreCounted) {
  const Scratch scratch;
  std::string text = "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n";
  for (int i = 0; i < 300; ++i) text += "unknown" + std::to_string(i) + ": 1\n";
  const Outcome o = run("check " + quoted(scratch.write("m.yaml", text)));
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_THAT(o.err, HasSubstr("\n... and 100 more\n300 errors\n"));
}

// --- colour
// ------------------------------------------------------------------------------------------------------------

/// What the program writes to a terminal (both streams together), or nothing if there is no way to have one.
std::optional<std::string> on_a_terminal(const std::string& arguments, const std::string& environment) {
  if (std::system("command -v script >/dev/null 2>&1") != 0) return std::nullopt;
  const Scratch scratch;
  const std::string out = (scratch.path() / "out").string();
  const std::string command = "env -u NO_COLOR " + environment + " script -qec \"'" GYROSTAT_PROGRAM "' " + arguments +
                              "\" /dev/null >'" + out + "' 2>&1 </dev/null";
  if (std::system(command.c_str()) < 0) return std::nullopt;
  return slurp(out);
}

TEST(Colour, IsNotUsedInFiles) {
  const Scratch scratch;
  const Outcome o = run("check " + quoted(scratch.write("m.yaml", bad)), "TERM=xterm-256color");
  EXPECT_THAT(o.err, Not(HasSubstr("\033")));
}

TEST(Colour, IsUsedOnATerminalThatHasIt) {
  const Scratch scratch;
  const std::string arguments = "check " + quoted(scratch.write("m.yaml", bad));
  const auto plain = on_a_terminal(arguments, "TERM=xterm NO_COLOR=1");
  if (!plain) GTEST_SKIP() << "no `script` to make a terminal with";
  EXPECT_THAT(*plain, HasSubstr("error: bodies.a.mass"));
  EXPECT_THAT(*plain, Not(HasSubstr("\033")));
  EXPECT_THAT(*on_a_terminal(arguments, "TERM=xterm"), HasSubstr("\033[1;31merror:\033[0m bodies.a.mass"));
  EXPECT_THAT(*on_a_terminal(arguments, "TERM=dumb"), Not(HasSubstr("\033")));
  EXPECT_THAT(*on_a_terminal(arguments, "-u TERM"), Not(HasSubstr("\033")));
  EXPECT_THAT(*on_a_terminal(arguments, "TERM=xterm NO_COLOR="), HasSubstr("\033[1;31m")) << "empty means not set";
}

}  // namespace
}  // namespace gyrostat::testing
