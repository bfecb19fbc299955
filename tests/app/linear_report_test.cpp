// modes, bode, nichols, margins, rootlocus --report, and report --analysis. The page here is a tiny one.
#include "app/head.h"
#include "support/page.h"

namespace gyrostat::testing {
namespace linear_report_test {

const std::string servo = R"yaml(gyrostat: 1
name: servo
parameters: {k: 4 N*m/rad}
bodies: {bus: {mass: 50, inertia: [3, 3, 2]}}
joints: {pin: {type: revolute, parent: world, child: bus, axis: [0, 0, 1], torque: torque}}
signals:
  command: "-k*pin.angle - 2.8*pin.rate"
  torque: {delay: {input: command, time: 50 ms}}
simulation: {duration: 1}
)yaml";

class LinearReports : public ::testing::Test {
 protected:
  LinearReports() {
    scratch.write("servo.yaml", servo);
    scratch.write("page.html", tiny_page);
  }
  Outcome command(const std::string& arguments) const { return run_in(scratch.path(), arguments); }
  Outcome made(const std::string& arguments) const {
    const Outcome o = command(arguments + " --template page.html");
    EXPECT_EQ(o.exit_code, 0) << arguments << o.err;
    return o;
  }
  void expect_refused(const std::string& arguments, const std::string& message) const {
    const Outcome o = command(arguments);
    EXPECT_EQ(o.exit_code, 2) << arguments;
    EXPECT_THAT(o.err, HasSubstr(message)) << arguments;
  }
  [[nodiscard]] bool exists(const std::string& name) const { return std::filesystem::exists(scratch.path() / name); }
  [[nodiscard]] json analysis(const std::string& name) const {
    return Page(slurp(scratch.path() / name)).payload["analysis"];
  }

  Scratch scratch;
};

TEST_F(LinearReports, AreNamedAfterTheModelAndTheCommand) {
  EXPECT_THAT(made("modes servo.yaml --report").out, HasSubstr("\n\nreport: servo_modes.html, "));
  made("bode servo.yaml --open command --report");
  made("nichols servo.yaml --open command --report");
  made("margins servo.yaml --open command --report");
  made("rootlocus servo.yaml --vary k=0:20 --report");
  for (const char* name : {"modes", "bode", "nichols", "margins", "rootlocus"}) {
    const json a = analysis(std::string("servo_") + name + ".html");
    EXPECT_EQ(a["label"], std::string("gyrostat ") + name);
    EXPECT_EQ(a["model_text"], servo);
    EXPECT_GE(a["modes"].size(), 3U);
    const bool loop = std::string(name) != "modes" && std::string(name) != "rootlocus";
    EXPECT_EQ(a["responses"].size(), loop ? 1U : 0U) << name;
    EXPECT_EQ(a["locus"].is_null(), std::string(name) != "rootlocus");
  }
  const json locus = analysis("servo_rootlocus.html")["locus"];
  EXPECT_EQ(locus["parameter"], "k");
  EXPECT_EQ(locus["nominal"], 4);
  EXPECT_EQ(locus["unit"], "N*m/rad");
}

TEST_F(LinearReports, WithANameMayBeAskedForBeforeTheModel) {
  made("modes --report there.html servo.yaml");
  EXPECT_TRUE(exists("there.html"));
  expect_refused("modes --report servo.yaml --json", "name the model file before --report");
}

TEST_F(LinearReports, GoWhereTheyAreToldAndAreToldInJson) {
  const Outcome o = made("modes servo.yaml --json --report there.html");
  EXPECT_EQ(json::parse(o.out)["report"], "there.html");
  EXPECT_TRUE(exists("there.html"));
  EXPECT_FALSE(exists("servo_modes.html"));
}

TEST_F(LinearReports, OfALoopHaveTheModesOfTheClosedLoopAndItsMargins) {
  made("modes servo.yaml --report");
  made("bode servo.yaml --open command --report");
  const json closed = analysis("servo_modes.html"), loop = analysis("servo_bode.html");
  ASSERT_EQ(closed["modes"].size(), loop["modes"].size());
  EXPECT_NEAR(closed["modes"][0]["damping"].get<double>(), loop["modes"][0]["damping"].get<double>(), 1e-9);
  EXPECT_EQ(loop["responses"][0]["margins"]["stable"], true);
  made("modes servo.yaml --open command --report open.html");
  EXPECT_EQ(analysis("open.html")["opened"], json{"command"});
  EXPECT_EQ(analysis("open.html")["responses"][0]["margins"]["signal"], "command");
  made("bode servo.yaml --from bus.torque_z --to pin.angle --report");
  EXPECT_EQ(analysis("servo_bode.html")["responses"][0]["title"], "bus.torque_z to pin.angle");
}

TEST_F(LinearReports, ReplaceReportsAndNothingElse) {
  made("modes servo.yaml --report out.html");
  made("modes servo.yaml --report out.html");
  scratch.write("out.html", "<p>mine</p>");
  const std::string again = "modes servo.yaml --report out.html --template page.html";
  expect_refused(again, "out.html: exists and is not a report that Gyrostat wrote");
  EXPECT_EQ(slurp(scratch.path() / "out.html"), "<p>mine</p>");
  EXPECT_EQ(command(again + " --force").exit_code, 0);
}

TEST_F(LinearReports, ThatCannotBeMadeAreRefused) {
  expect_refused("modes servo.yaml --report servo.yaml", "the name of a page ends with .html");
  expect_refused("modes servo.yaml --report nowhere/a.html", "directory 'nowhere' does not exist");
  expect_refused("modes servo.yaml --report --template none.html", "none.html: cannot be read");
  expect_refused("modes servo.yaml --report --template servo.yaml", "the page does not have the line");
  expect_refused("modes servo.yaml --force", "--force is for a file that is written");
  expect_refused("step servo.yaml --from bus.torque_z --to pin.angle --report", "--report");
}

TEST_F(LinearReports, StandBesideRuns) {
  EXPECT_EQ(command("run servo.yaml --quiet").exit_code, 0);
  EXPECT_EQ(command("linearize servo.yaml --open command -o linear.h5").exit_code, 0);
  const Outcome o = made("report servo.h5 --analysis linear.h5");
  EXPECT_THAT(o.out, HasSubstr("report: servo.html"));
  const Page p(slurp(scratch.path() / "servo.html"));
  EXPECT_EQ(p.payload["runs"].size(), 1U);
  EXPECT_EQ(p.payload["analysis"]["label"], "linear.h5");
  EXPECT_EQ(p.payload["analysis"]["responses"][0]["margins"]["signal"], "command");
}

TEST_F(LinearReports, OfAnotherModelOrAnotherFileAreRefused) {
  EXPECT_EQ(command("run servo.yaml --quiet").exit_code, 0);
  EXPECT_EQ(command("linearize servo.yaml --set k=5 -o other.h5").exit_code, 0);
  expect_refused("report servo.h5 --analysis other.h5",
                 "other.h5: was made with --set k=5, and servo.h5 with --set nothing");
  scratch.write("changed.yaml", servo + "# a comment\n");
  EXPECT_EQ(command("linearize changed.yaml -o changed.h5").exit_code, 0);
  expect_refused("report servo.h5 --analysis changed.h5",
                 "changed.h5: is of the model 'servo' (changed.yaml), and servo.h5 of 'servo' (");
  expect_refused("report servo.h5 --analysis servo.h5",
                 "servo.h5: is not a linear model that `gyrostat linearize -o` wrote");
  expect_refused("report servo.h5 --analysis none.h5", "none.h5: no such file");
  expect_refused("report servo.h5 --analysis servo.yaml", "servo.yaml: is not a Gyrostat linear model");
  EXPECT_EQ(command("linearize servo.yaml -o a.json").exit_code, 0);
  expect_refused("report servo.h5 --analysis a.json", "a.json: is not a Gyrostat linear model");
}

}  // namespace linear_report_test
}  // namespace gyrostat::testing
