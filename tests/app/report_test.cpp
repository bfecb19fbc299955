// gyrostat report and gyrostat run --report. The page here is a tiny one, given by --template.
#include <csignal>

#include "gyrostat/report/viewer_page.h"

#include "app/head.h"
#include "support/busy_model.h"
#include "support/page.h"

namespace gyrostat::testing {
namespace {

class Reports : public ::testing::Test {
 protected:
  Reports() {
    scratch.write("m.yaml", busy_model);
    scratch.write("page.html", tiny_page);
  }
  Outcome command(const std::string& arguments) const { return run_in(scratch.path(), arguments); }
  void fly(const std::string& options = "") const {
    const Outcome o = command("run --quiet m.yaml --until 1 " + options);
    EXPECT_EQ(o.exit_code, 0) << o.err;
  }
  [[nodiscard]] bool exists(const std::string& name) const { return std::filesystem::exists(scratch.path() / name); }
  [[nodiscard]] Page page(const std::string& name) const { return Page(slurp(scratch.path() / name)); }

  Scratch scratch;
};

TEST_F(Reports, StandBesideTheResults) {
  std::filesystem::create_directory(scratch.path() / "sub");
  fly("-o sub/run.v2.h5");
  const Outcome o = command("report sub/run.v2.h5 --template page.html");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_THAT(o.out, MatchesRegex("report: sub/run.v2.html, [0-9.]+ (kB|MB); open it in a browser\n"));
  const Page p = page("sub/run.v2.html");
  EXPECT_THAT(p.payload["generator"].get<std::string>(), MatchesRegex("gyrostat [0-9.]+"));
  EXPECT_EQ(p.payload["runs"][0]["label"], "run.v2.h5");
  EXPECT_EQ(p.payload["runs"][0]["scene"]["bodies"].size(), 4U);
  EXPECT_EQ(p.payload["runs"][0]["plots"][0]["title"], "Attitude");
  const json events = p.payload["runs"][0]["events"];
  const auto names = p.numbers<std::uint32_t>(events["name"]);
  EXPECT_EQ(names.size(), p.numbers(events["time"]).size());
  for (const std::uint32_t name : names) EXPECT_LT(name, events["texts"].size());
}

TEST_F(Reports, GoWhereTheyAreToldAndAnswerInJson) {
  fly();
  const Outcome o = command("report m.h5 -o other.html --template page.html --json");
  EXPECT_EQ(o.exit_code, 0);
  const json answer = json::parse(o.out);
  EXPECT_EQ(answer["report"], "other.html");
  EXPECT_EQ(answer["bytes"], std::filesystem::file_size(scratch.path() / "other.html"));
  EXPECT_TRUE(answer["warnings"].empty());
  EXPECT_FALSE(exists("m.html"));
}

TEST_F(Reports, OfTwoFiles) {
  fly();
  fly("--set K=9 -o k9.h5");
  EXPECT_EQ(command("report m.h5 k9.h5 --template page.html").exit_code, 0);
  const Page p = page("m.html");
  ASSERT_EQ(p.payload["runs"].size(), 2U);
  EXPECT_EQ(p.payload["runs"][0]["model"]["parameters"][0]["value"], 8);
  EXPECT_EQ(p.payload["runs"][1]["model"]["parameters"][0]["value"], 9);
}

TEST_F(Reports, HaveTheEquationsOfMotionOnRequest) {
  fly();
  EXPECT_EQ(command("report m.h5 --equations --template page.html").exit_code, 0);
  const std::string equations = page("m.html").payload["equations"];
  EXPECT_THAT(equations, HasSubstr("<math"));
  EXPECT_THAT(equations, Not(HasSubstr("<script")));
  EXPECT_EQ(command("report m.h5 --template page.html").exit_code, 0);
  EXPECT_FALSE(page("m.html").payload.contains("equations"));
  scratch.write("beam.yaml", R"yaml(gyrostat: 1
bodies: {blade: {flexible: {beam: {to: [1, 0, 0], elements: 2, mass_per_length: 1, EI: 1}, modes: {count: 2}}}}
joints: {root: {type: revolute, parent: world, child: blade.root, axis: [0, 0, 1]}}
simulation: {duration: 0.1}
)yaml");
  EXPECT_EQ(command("run --quiet beam.yaml").exit_code, 0);
  const Outcome o = command("report beam.h5 --equations --template page.html");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, HasSubstr("beam.h5: its equations cannot be derived: "));
  EXPECT_THAT(o.err, HasSubstr("blade"));
}

TEST_F(Reports, SayWhatIsWrong) {
  fly();
  const auto refused = [&](const std::string& arguments, const std::string& said) {
    const Outcome o = command("report " + arguments);
    EXPECT_EQ(o.exit_code, 2) << arguments;
    EXPECT_EQ(o.out, "");
    EXPECT_THAT(o.err, HasSubstr(said));
  };
  refused("", "FILE is required");
  refused("m.h5 m.h5 m.h5 --template page.html", "");
  refused("gone.h5 --template page.html", "gone.h5: no such file");
  refused("m.yaml --template page.html", "m.yaml: ");
  refused("m.h5 --template gone.html", "gone.html: cannot be read");
  refused("m.h5 --template m.yaml", "does not have the line");
  refused("m.h5 -o m.h5 --template page.html", "m.h5: is the results file, which would be lost");
  refused("m.h5 -o none/x.html --template page.html", "none/x.html: directory 'none' does not exist");
  const Outcome o = command("report gone.h5 --json --template page.html");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(json::parse(o.out)["error"].get<std::string>(), HasSubstr("gone.h5"));
}

TEST_F(Reports, WarnOfWhatTheyCannotShow) {
  scratch.write("m.yaml", busy_model + "  record: [roll, mesh_is_no_name]\n");
  EXPECT_EQ(command("run --quiet m.yaml").exit_code, 1);
  std::string model = busy_model;
  model.replace(model.find("  head: {"), 9, "  head: {shape: [{mesh: gone.stl}], ");
  scratch.write("m.yaml", model);
  fly();
  const Outcome o = command("report m.h5 --template page.html");
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_THAT(o.err, MatchesRegex("warning: bodies.head.shape: .*gone.stl: no such file; [^\n]*\n"));
}

TEST_F(Reports, NeedTheViewer) {
  if (!report::viewer_page().empty()) GTEST_SKIP() << "this build has it";
  fly();
  for (const std::string arguments : {"report m.h5", "run m.yaml --until 1 -o new.h5 --report"}) {
    const Outcome o = command(arguments);
    EXPECT_EQ(o.exit_code, 2);
    EXPECT_THAT(o.err, HasSubstr("built without its viewer, so there are no reports: install Node.js and npm (apt-get "
                                 "install nodejs npm), then configure and build again"));
  }
  EXPECT_FALSE(exists("new.h5"));
}

TEST_F(Reports, OfThisBuildAreWhole) {
  if (report::viewer_page().empty()) GTEST_SKIP() << "this build has no viewer";
  fly();
  EXPECT_EQ(command("report m.h5").exit_code, 0);
  EXPECT_EQ(page("m.html").payload["runs"].size(), 1U);
}

// --- with a run ------------------------------------------------------------------------------------------------------

TEST_F(Reports, FollowARun) {
  Outcome o = command("run m.yaml --until 1 --report --template page.html");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("\nreport: m.html, "));
  EXPECT_EQ(page("m.html").payload["runs"][0]["status"], "finished");
  o = command("run m.yaml --until 1 -o out --report --template page.html --json");
  EXPECT_EQ(json::parse(o.out)["report"], "out.html");
  EXPECT_TRUE(exists("out.html"));
  o = command("run m.yaml --until 1 --report --template page.html --quiet");
  EXPECT_EQ(o.out + o.err, "");
  o = command("run m.yaml --until 1 --json");
  EXPECT_FALSE(json::parse(o.out).contains("report"));
}

TEST_F(Reports, FollowARunThatStops) {
  scratch.write("s.yaml",
                "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nsignals: {x: \"1/(1 - t)\"}\n"
                "loads: [{body: a, torque: [\"sqrt(0.5 - t)\", 0, 0]}]\nsimulation: {duration: 3}\n");
  const Outcome o = command("run s.yaml --report --template page.html");
  EXPECT_EQ(o.exit_code, 3) << o.err;
  EXPECT_THAT(page("s.html").payload["runs"][0]["status"].get<std::string>(), HasSubstr("stopped at t = "));
}

TEST_F(Reports, FollowARunThatIsInterrupted) {
  Background program(scratch.path(), {"run", "m.yaml", "--until", "1e6", "--report", "--template", "page.html"});
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  program.send(SIGINT);
  EXPECT_EQ(program.wait(), 130);
  EXPECT_THAT(page("m.html").payload["runs"][0]["status"].get<std::string>(), HasSubstr("interrupted at t = "));
}

TEST_F(Reports, ThatCannotBeWrittenAreRefusedBeforeTheRun) {
  std::filesystem::create_directories(scratch.path() / "m.html/full");
  const Outcome o = command("run m.yaml --until 1 --report --template page.html");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, HasSubstr("m.html: is a directory"));
  EXPECT_FALSE(exists("m.h5"));
}

TEST_F(Reports, ThatCannotBeWrittenAnyMoreDoNotSpoilTheRun) {
  for (const bool as_json : {false, true}) {
    std::filesystem::remove_all(scratch.path() / "m.html");
    std::filesystem::remove(scratch.path() / "m.h5");
    std::vector<std::string> arguments = {"run", "m.yaml",   "--until",    "1e6",       "--interval",
                                          "10",  "--report", "--template", "page.html", "--quiet"};
    if (as_json) arguments.emplace_back("--json");
    Background process(scratch.path(), arguments);
    ASSERT_TRUE(await(scratch.path() / "m.h5"));
    std::filesystem::create_directories(scratch.path() / "m.html/full");
    process.send(SIGINT);
    EXPECT_EQ(process.wait(), 130);
    EXPECT_THAT(results::ResultsReader((scratch.path() / "m.h5").string()).status(), HasSubstr("interrupted"));
    const std::string out = slurp(scratch.path() / "out"), err = slurp(scratch.path() / "err");
    EXPECT_THAT(as_json ? json::parse(out)["report_failure"].get<std::string>() : err,
                HasSubstr("m.html: is a directory"));
  }
}

TEST_F(Reports, DoNotReplaceWhatTheRunNeeds) {
  scratch.write("model.html", busy_model);
  Outcome o = command("run model.html --until 1 --report --template page.html");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, HasSubstr("model.html would be lost"));
  o = command("run m.yaml --until 1 --report --csv m.html --template page.html");
  EXPECT_EQ(o.exit_code, 2);
  o = command("run m.yaml --until 1 --report -o r.html --template page.html");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_FALSE(exists("r.html"));
  EXPECT_EQ(slurp(scratch.path() / "model.html"), busy_model);
}

TEST_F(Reports, HideTheTemplate) {
  for (const char* name : {"report", "run"}) {
    const Outcome o = command(std::string(name) + " --help");
    EXPECT_EQ(o.exit_code, 0);
    EXPECT_THAT(o.out, Not(HasSubstr("--template")));
  }
  EXPECT_THAT(command("run --help").out, HasSubstr("--report"));
}

}  // namespace
}  // namespace gyrostat::testing
