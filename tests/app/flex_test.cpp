// gyrostat flex, flexible data of files in models, and what info and check say of modes.
#include "app/head.h"

namespace gyrostat::testing {
namespace flex_test {

const std::string beam_text =
    "{from: [0, 0, 0], to: [0, 6, 0], elements: 6, mass_per_length: 1.2, EI: [4000, 9000], GJ: 800}";

/// A free bus with a panel that has these flexible fields; it hangs at this node.
std::string craft(const std::string& flexible, const std::string& child = "panel.root", const std::string& more = "") {
  return R"(gyrostat: 1
bodies:
  bus: {mass: 100, inertia: [50, 60, 70]}
  panel:
    flexible: {)" +
         flexible + R"(}
joints:
  base: {}
  hinge: {type: revolute, parent: bus, child: )" +
         child + R"(, parent_point: [0, 1, 0], axis: [1, 0, 0], stiffness: 10}
)" + more;
}

class Flex : public ::testing::Test {
 protected:
  Flex() { scratch.write("beam.yaml", craft("beam: " + beam_text + ", damping: 0.005")); }
  Outcome command(const std::string& arguments) const { return run_in(scratch.path(), arguments); }

  Scratch scratch;
};

TEST_F(Flex, PrintsTheModes) {
  const Outcome o = command("flex beam.yaml panel");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, StartsWith("\n6 modes of panel, its frame at root, stiffened; effective mass along x, y, z and "
                                "inertia about them in % of the total:\n"
                                "               Hz  damping      x      y      z     xx     yy     zz\n"
                                "    1     0.89745    0.005      0      0  61."));
  EXPECT_THAT(o.out, HasSubstr("bending along z, largest at tip\n"));
  EXPECT_THAT(o.out, HasSubstr("second bending along x, largest at tip\n"));
  EXPECT_THAT(o.out, HasSubstr("\n  left out                "));
  EXPECT_EQ(command("flex beam.yaml").out, o.out);
}

TEST_F(Flex, InfoTabulatesTheModesToo) {
  const Outcome o = command("info beam.yaml");
  EXPECT_THAT(o.out, HasSubstr(command("flex beam.yaml").out));
  const json answer = json::parse(command("info beam.yaml --json").out)["flexible"];
  ASSERT_EQ(answer.size(), 1U);
  EXPECT_EQ(answer[0]["body"], "panel");
  EXPECT_EQ(answer[0]["frame"], "root");
  ASSERT_EQ(answer[0]["modes"].size(), 6U);
  EXPECT_NEAR(answer[0]["modes"][0]["frequency"].get<double>(), 0.8973, 1e-3);
  EXPECT_EQ(answer[0]["modes"][0]["shape"], "bending along z, largest at tip");
  EXPECT_NEAR(answer[0]["total"][2].get<double>(), 7.2, 1e-12);
}

/// What is written gives the same model: the same accelerations to the last digit that is printed.
TEST_F(Flex, WritesWhatModelsReadBack) {
  const std::string initial = ", initial: [0.1, 0.05, 0.02, 0, 0.003, 0.01], initial_rates: [1, 0, 2, 0, 3, 0]";
  scratch.write("beam.yaml", craft("beam: " + beam_text + ", damping: 0.005" + initial));
  for (const std::string file : {"panel.json", "panel.h5"}) {
    const Outcome o = command("flex beam.yaml panel -o " + file);
    EXPECT_EQ(o.exit_code, 0) << o.err;
    EXPECT_THAT(o.out, MatchesRegex(file + ": written, [0-9]+ nodes, 6 modes\n"));
    scratch.write("file.yaml", craft("file: " + file + initial));
    const Outcome from_file = command("accel file.yaml --json");
    EXPECT_EQ(from_file.exit_code, 0) << from_file.out;
    EXPECT_EQ(json::parse(from_file.out)["accelerations"],
              json::parse(command("accel beam.yaml --json").out)["accelerations"]);
    EXPECT_EQ(command("flex file.yaml").out, command("flex beam.yaml").out);
    EXPECT_EQ(command("flex file.yaml -o again_" + file).exit_code, 0);
    EXPECT_EQ(slurp(scratch.path() / ("again_" + file)), slurp(scratch.path() / file));
  }
}

TEST_F(Flex, ReplacesOnlyFilesOfItsKind) {
  EXPECT_EQ(command("flex beam.yaml -o panel.json").exit_code, 0);
  EXPECT_EQ(command("flex beam.yaml -o panel.json").exit_code, 0);
  EXPECT_EQ(command("flex beam.yaml -o panel.h5").exit_code, 0);
  EXPECT_EQ(command("flex beam.yaml -o panel.h5").exit_code, 0);
  scratch.write("notes.json", "{\"a\": 1}");
  const Outcome o = command("flex beam.yaml -o notes.json");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, HasSubstr("notes.json: exists and is not a file of flexible data that Gyrostat wrote; it is not "
                               "replaced: choose another name, or say --force"));
  EXPECT_EQ(slurp(scratch.path() / "notes.json"), "{\"a\": 1}");
  EXPECT_EQ(command("flex beam.yaml -o notes.json --force").exit_code, 0);
  EXPECT_EQ(command("flex beam.yaml -o beam.yaml").exit_code, 2);
  EXPECT_EQ(command("flex beam.yaml -o none/panel.h5").exit_code, 2);
}

TEST_F(Flex, RefusesWhatItCannotDo) {
  EXPECT_THAT(command("flex beam.yaml bus").err, HasSubstr("'bus' is no flexible body; those are panel"));
  EXPECT_THAT(command("flex " + five_body).err, HasSubstr("the model has no flexible body"));
  EXPECT_THAT(command("flex beam.yaml panel -o panel.txt").err,
              HasSubstr("panel.txt: the name of a file of flexible data ends with .json or .h5"));
  EXPECT_EQ(command("flex beam.yaml panel -o panel.txt").exit_code, 2);
  EXPECT_EQ(command("flex none.yaml panel").exit_code, 1);
}

TEST_F(Flex, IsWarnedOfBeyondItsRange) {
  const std::string run = "simulation: {duration: 1}\noutput: {interval: 0.1}\n";
  const auto spun = [&](const char* terms, const char* rate, const char* initial) {
    std::string text =
        craft(fmt::format("beam: {}, terms: {}, modes: {{count: 2}}, initial: {}", beam_text, terms, initial),
              "panel.root", run);
    return text.replace(text.find("base: {}"), 8, fmt::format("base: {{initial: {{omega: [0, 0, {}]}}}}", rate));
  };
  scratch.write("fast.yaml", spun("linear", "3", "[0, 0]"));
  const Outcome fast = command("check fast.yaml");
  EXPECT_EQ(fast.exit_code, 0);
  EXPECT_THAT(fast.err, HasSubstr("bodies.panel.flexible.terms: flexible body 'panel' turns at 0.53 of its first "
                                  "frequency; without stiffening by spin its frequencies are wrong by 5 per cent from "
                                  "0.3 on: use 'terms: stiffened'"));
  EXPECT_THAT(command("run fast.yaml -o fast.h5").err, HasSubstr("WARNING: flexible body 'panel' turns at 0."));
  EXPECT_THAT(command("report fast.h5 -o fast.html").err, Not(HasSubstr("rror")));
  scratch.write("slow.yaml", spun("linear", "0.3", "[0, 0]"));
  EXPECT_THAT(command("check slow.yaml").err, Not(HasSubstr("turns at")));
  EXPECT_THAT(command("run slow.yaml -o slow.h5").err, Not(HasSubstr("turns at")));
  scratch.write("bent.yaml", spun("stiffened", "0.1", "[1.2, 0]"));
  EXPECT_THAT(command("check bent.yaml").err,
              HasSubstr("bodies.panel.flexible.initial: flexible body 'panel' is deflected "
                        "by 0.15 of its size"));
}

TEST_F(Flex, KeepsItsVelocityTerms) {
  scratch.write("dropped.yaml",
                craft("beam: " + beam_text, "panel.root", "simulation: {duration: 1, gyroscopic: [panel]}\n"));
  EXPECT_THAT(command("check dropped.yaml").err,
              HasSubstr("simulation.gyroscopic[0]: 'panel' is flexible: its velocity terms cannot be left out"));
  scratch.write("none.yaml",
                craft("beam: " + beam_text, "panel.root", "simulation: {duration: 1, gyroscopic: false}\n"));
  EXPECT_THAT(command("check none.yaml").err, HasSubstr("simulation.gyroscopic: 'panel' is flexible"));
  scratch.write("bus.yaml",
                craft("beam: " + beam_text, "panel.root", "simulation: {duration: 1, gyroscopic: [bus]}\n"));
  EXPECT_EQ(command("check bus.yaml").exit_code, 0);
}

class FlexibleFiles : public Flex {
 protected:
  FlexibleFiles() { command("flex beam.yaml -o panel.json"); }
  std::string problems(const std::string& flexible, const std::string& child = "panel.root",
                       const std::string& more = "") {
    scratch.write("m.yaml", craft(flexible, child, more));
    const std::string text = command("check m.yaml").err;
    return text.substr(0, text.find('\n') + 1);
  }
};

TEST_F(FlexibleFiles, HaveTheirModesSelected) {
  scratch.write("m.yaml", craft("file: panel.json, modes: {count: 2}"));
  EXPECT_THAT(command("flex m.yaml").out, HasSubstr("2 modes of panel"));
  scratch.write("m.yaml", craft("file: panel.json, modes: [1, 3]"));
  EXPECT_THAT(command("flex m.yaml").out, HasSubstr("second bending along z"));
  scratch.write("m.yaml", craft("file: panel.json, modes: {below: 2 Hz}"));
  EXPECT_THAT(command("flex m.yaml").out, HasSubstr("2 modes of panel"));
  EXPECT_EQ(problems("file: panel.json, modes: {count: 7}"),
            "m.yaml:5:15: error: bodies.panel.flexible: 7 modes are wanted, the data have 6\n");
  EXPECT_EQ(problems("file: panel.json, modes: {kind: cantilever, count: 2}"),
            "m.yaml:5:41: error: bodies.panel.flexible.modes: 'kind' is of the modes of a beam; data have the modes "
            "that they have\n");
}

TEST_F(FlexibleFiles, AreSeenFromTheNodeOfTheJoint) {
  scratch.write("m.yaml", craft("file: panel.json", "panel.tip"));
  const Outcome o = command("flex m.yaml");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("6 modes of panel, its frame at tip"));
  EXPECT_THAT(o.out, HasSubstr("bending along z, largest at root"));
  EXPECT_EQ(
      problems("file: panel.json", "panel.tap"),
      "m.yaml:5:15: error: bodies.panel.flexible: a joint attaches at node 'tap', which the data do not have; did "
      "you mean 'tip'?\n");
}

TEST_F(FlexibleFiles, AreRefusedAtTheirField) {
  EXPECT_EQ(problems("file: none.json"), "m.yaml:5:22: error: bodies.panel.flexible.file: none.json: does not exist\n");
  scratch.write("bad.json",
                "{\"format\": \"gyrostat flexible 1\", \"frame\": null, \"stiffness\": [1], \"nodes\": "
                "[{\"position\": [0, 0]}]}");
  EXPECT_EQ(problems("file: bad.json"),
            "m.yaml:5:22: error: bodies.panel.flexible.file: bad.json: nodes[0].position: "
            "expected 3 numbers, got 2\n");
  EXPECT_EQ(problems("file: beam.yaml").substr(0, 88),
            "m.yaml:5:22: error: bodies.panel.flexible.file: beam.yaml: is not JSON: parse error at l");
  EXPECT_EQ(problems("file: panel.json, beam: " + beam_text),
            "m.yaml:5:15: error: bodies.panel.flexible: has beam and file at once; only one can be given\n");
  EXPECT_EQ(problems("terms: linear"), "m.yaml:5:15: error: bodies.panel.flexible: needs one of beam, file, data\n");
  EXPECT_EQ(problems("file: ."),
            "m.yaml:5:22: error: bodies.panel.flexible.file: .: the directory has no file "
            "Flex*.txt of 42\n");
}

const std::string inline_data =
    "data: {frame: root, stiffness: [40, 90], nodes: {root: {position: [0, 0, 0]}, end: {position: [0, 3, 0], mass: 4, "
    "inertia: [1, 1, 1], translation: [[0, 0.5], [0, 0], [0.5, 0]]}}}";

TEST_F(FlexibleFiles, MayStandInTheModel) {
  scratch.write("m.yaml", craft(inline_data + ", terms: linear", "panel.root"));
  const Outcome o = command("flex m.yaml");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("2 modes of panel, its frame at root, linear"));
  EXPECT_THAT(o.out, HasSubstr("bending along z, largest at end"));
  EXPECT_EQ(problems(inline_data),
            "m.yaml:5:15: error: bodies.panel.flexible.terms: the data have no geometric stiffness, which 'stiffened' "
            "needs; use linear or ruthless\n");
  EXPECT_EQ(problems("data: {frame: root, stiffness: [40], nodes: {root: {position: [0, 0, zero]}}}"),
            "m.yaml:5:85: error: bodies.panel.flexible.data.nodes.root.position[2]: expected a number\n");
  EXPECT_EQ(
      problems("data: 3"),
      "m.yaml:5:22: error: bodies.panel.flexible.data: expected flexible data: frame, stiffness, nodes and so on, "
      "got '3'\n");
}

TEST_F(FlexibleFiles, WarnOfWhatIsSuspicious) {
  EXPECT_EQ(problems("beam: " + beam_text, "panel.root", "output: {interval: 0.5}\n"),
            "m.yaml:9:20: warning: output.interval: the first mode of 'panel' has a period of 1.11 s, fewer than four "
            "records; use at most 0.279 s to see it\n");
  EXPECT_EQ(problems("beam: " + beam_text, "panel.root", "output: {interval: 0.2}\n"), "");
  EXPECT_EQ(problems("beam: " + beam_text + ", damping: 1.5"),
            "m.yaml:5:127: warning: bodies.panel.flexible.damping: mode 1 has the damping ratio 1.5: above 1 it does "
            "not oscillate\n");
  EXPECT_EQ(
      problems("beam: {to: [0, 6, 0], elements: 6, mass_per_length: 1.2e-9, EI: 4e12}"),
      "m.yaml:5:15: warning: bodies.panel.flexible: the first mode has 8.97e+08 Hz: are stiffness and mass in N, m "
      "and kg?\n");
  EXPECT_EQ(problems("beam: " + beam_text + ", modes: [2]"), "");
  EXPECT_EQ(
      problems("data: {frame: root, stiffness: [40, 90], nodes: {root: {position: [0, 0, 0]}, a: {position: [0, "
               "1, 0], mass: 1, translation: [[0, 0], [0, 0], [0.8, 0.6]]}, b: {position: [0, 2, 0], mass: 1, "
               "translation: [[0, 0], [0, 0], [-0.6, 0.8]]}}}, modes: {count: 1}, terms: linear"),
      "m.yaml:5:260: warning: bodies.panel.flexible.modes: the modes leave out 98 % of the effective mass along z; "
      "more modes would have more of it\n");
}

}  // namespace flex_test
}  // namespace gyrostat::testing
