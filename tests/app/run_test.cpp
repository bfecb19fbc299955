// gyrostat run: what it writes and says, and what its options do.
#include <algorithm>
#include <cmath>

#include "gyrostat/results/run_record.h"

#include "app/head.h"
#include "support/busy_model.h"

namespace gyrostat::testing {
namespace {

class Run : public ::testing::Test {
 protected:
  Run() { scratch.write("m.yaml", small_model); }
  Outcome command(const std::string& arguments, const std::string& environment = "") const {
    return run_in(scratch.path(), arguments, environment);
  }
  /// Runs quietly; all must be well.
  ResultsReader results(const std::string& options, const std::string& name = "m.h5") const {
    const Outcome o = command("run --quiet " + options);
    EXPECT_EQ(o.exit_code, 0) << options << o.err;
    return ResultsReader(file(name));
  }
  std::string file(const std::string& name) const { return (scratch.path() / name).string(); }

  Scratch scratch;
};

// --- files -----------------------------------------------------------------------------------------------------------

TEST_F(Run, WritesBesideYouUnderTheModelsName) {
  std::filesystem::create_directory(scratch.path() / "models");
  scratch.write("models/hub.v2.yaml", small_model);
  EXPECT_EQ(command("run models/hub.v2.yaml").exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(file("hub.v2.h5")));
  EXPECT_FALSE(std::filesystem::exists(file("models/hub.v2.h5")));
  EXPECT_FALSE(std::filesystem::exists(file("hub.v2.h5.partial")));
  EXPECT_FALSE(std::filesystem::exists(file("hub.v2.h5.checkpoint")));
}

TEST_F(Run, WritesWhereItIsTold) {
  std::filesystem::create_directory(scratch.path() / "with space");
  EXPECT_EQ(command("run m.yaml -o 'with space/out put.h5'").exit_code, 0);
  EXPECT_EQ(ResultsReader(file("with space/out put.h5")).status(), "finished");
  EXPECT_EQ(command("run m.yaml --output other").exit_code, 0);
  EXPECT_EQ(ResultsReader(file("other")).records(), 21U);
  EXPECT_FALSE(std::filesystem::exists(file("m.h5")));
}

TEST_F(Run, ReplacesOlderResults) {
  EXPECT_EQ(results("m.yaml --until 1").records(), 11U);
  EXPECT_EQ(results("m.yaml --until 0.3").records(), 4U);
}

TEST_F(Run, KeepsTheModelAndTheCommandWithTheNumbers) {
  const ResultsReader r = results("m.yaml --set 'K=30 N*m/rad'");
  EXPECT_EQ(r.header().model_name, "A bus with a panel");
  EXPECT_EQ(r.header().model_text, small_model);
  EXPECT_THAT(r.header().model_file, AllOf(StartsWith("/"), HasSubstr("m.yaml")));
  EXPECT_THAT(r.header().command, HasSubstr("gyrostat run --quiet m.yaml --set K=30"));
  EXPECT_EQ(r.header().formulation, "articulated_body");
  EXPECT_THAT(r.header().integrator, HasSubstr("dopri5"));
  EXPECT_EQ(r.status(), "finished");
}

TEST_F(Run, CsvHasTheNumbersOfTheResultsFile) {
  const ResultsReader r = results("m.yaml --csv m.csv");
  std::ifstream csv(file("m.csv"));
  std::string line, name;
  std::getline(csv, line);
  std::istringstream names(line);
  std::vector<std::vector<double>> columns;
  while (std::getline(names, name, ',')) {
    if (!name.empty() && name.back() == '\r') name.pop_back();
    columns.push_back(name == "time" ? r.time() : r.column(name));
  }
  ASSERT_EQ(columns.size(), r.columns().size() + 1);
  std::size_t row = 0;
  for (; std::getline(csv, line); ++row) {
    ASSERT_LT(row, r.records());
    const char* at = line.c_str();
    for (const std::vector<double>& column : columns) {
      char* end = nullptr;
      EXPECT_EQ(std::strtod(at, &end), column[row]);
      at = end + 1;
    }
  }
  EXPECT_EQ(row, r.records());
}

TEST_F(Run, KeepsWhatItsLedgerIsJudgedBy) {
  const auto more = [](const ResultsReader& r, const std::string& name) {
    for (const auto& [key, value] : r.header().more) {
      if (key == name) return value;
    }
    return "there is no attribute " + name;
  };
  const json said = json::parse(command("run m.yaml --json").out, nullptr, false)["ledger"];
  const ResultsReader r(file("m.h5"));
  EXPECT_EQ(std::stod(more(r, "ledger_allowed")), said["allowed"]);
  EXPECT_EQ(more(r, "ledger_exempt"), "");
  EXPECT_EQ(more(r, "ledger_other_formulation"), said["accelerations"]["with"]);
  EXPECT_EQ(statistic(r, "ledger_compared"), said["accelerations"]["instants"]);
  EXPECT_EQ(statistic(r, "ledger_energy_relative"), said["energy"]["relative"]);
  EXPECT_EQ(statistic(r, "ledger_momentum_relative"), said["momentum"]["relative"]);
  EXPECT_EQ(statistic(r, "ledger_angular_momentum_relative"), said["angular momentum"]["relative"]);
  EXPECT_THAT(command("show m.h5").out,
              AllOf(HasSubstr("a relative residual of 1e-05 would be explained by the tolerance\n"),
                    HasSubstr("accelerations were compared with augmented_body\n"), Not(HasSubstr("not expected"))));

  const ResultsReader other = results("m.yaml --formulation linear_total -o other.h5", "other.h5");
  EXPECT_THAT(more(other, "ledger_exempt"), HasSubstr("linearised"));
  EXPECT_THAT(command("show other.h5").out, HasSubstr("not expected to balance: a linearised formulation"));
}

TEST_F(Run, KeepsLoadsAndMotionInGroups) {
  scratch.write(
      "m.yaml",
      std::string(small_model).replace(small_model.find("{interval: 0.1}"), 15, "{interval: 0.1, record: [twice]}"));
  const ResultsReader r = results("m.yaml --csv m.csv");
  EXPECT_EQ(r.column("loads/0.torque_x")[4], 0);
  EXPECT_EQ(r.column("loads/0.torque_x")[5], 1);
  for (std::size_t k = 0; k < 21; ++k) EXPECT_EQ(r.column("twice")[k], 2 * r.column("motion/hinge.angle")[k]);
  EXPECT_THAT(slurp(file("m.csv")), StartsWith("time,twice,motion/base.position_x,"));
  EXPECT_THAT(command("show m.h5 'loads/*' --csv --at 1").out,
              StartsWith("time,loads/0.torque_x,loads/0.torque_y,loads/0.torque_z\n1,1,0,0"));
  EXPECT_THAT(command("show m.h5").out, AllOf(HasSubstr("loads/0.torque_x"), HasSubstr("motion/system.momentum_z")));
  results("m.yaml -o other.h5 --set 'K=21 N*m/rad'", "other.h5");
  EXPECT_THAT(command("compare m.h5 other.h5").out, AllOf(HasSubstr("motion/hinge.angle"), Not(HasSubstr("ledger/"))));
}

TEST_F(Run, TakesSignalsThatAreNamedLikeGroups) {
  scratch.write("m.yaml", std::string(small_model)
                              .replace(small_model.find("{twice: 2*hinge.angle"), 21,
                                       "{loads: 2*hinge.angle, motion: t, ledger: 3*t, reactions: 4*t, driving: 5*t"));
  const ResultsReader r = results("m.yaml");
  EXPECT_EQ(r.column("loads")[3], 2 * r.column("hinge.angle")[3]);
  EXPECT_EQ(r.column("motion"), r.time());
  EXPECT_EQ(r.column("driving")[2], 5 * r.time()[2]);
  EXPECT_EQ(r.column("loads/0.torque_x")[5], 1);
  EXPECT_EQ(command("show m.h5 ledger motion").exit_code, 0);
}

TEST_F(Run, RecordsEventsWhereTheyAre) {
  const ResultsReader r = results("m.yaml");
  ASSERT_EQ(r.events().size(), 1U);
  EXPECT_EQ(r.events()[0].t, 0.5);
  EXPECT_EQ(r.events()[0].name, "push");
  EXPECT_EQ(r.events()[0].what, "step");
  EXPECT_EQ(statistic(r, "events"), 1);
}

// --- options ---------------------------------------------------------------------------------------------------------

TEST_F(Run, SetChangesAParameter) {
  const double soft = results("m.yaml").column("hinge.angle").back();
  const double stiff = results("m.yaml --set 'K=40 N*m/rad'").column("hinge.angle").back();
  scratch.write("m.yaml", std::string(small_model).replace(small_model.find("K: 20"), 5, "K: 40"));
  EXPECT_EQ(results("m.yaml").column("hinge.angle").back(), stiff);
  EXPECT_NE(soft, stiff);
}

TEST_F(Run, EveryFormulationThatTakesTheModelFliesTheSame) {
  const ResultsReader reference = results("m.yaml -o a.h5", "a.h5");
  for (const char* name : {"articulated_body", "composite_body", "kane", "nested_body", "augmented_body"}) {
    EXPECT_EQ(results("m.yaml --formulation " + std::string(name)).header().formulation, name);
    EXPECT_EQ(command("compare a.h5 m.h5 --tolerance 1e-7").exit_code, 0) << name;
  }
}

TEST_F(Run, EveryIntegratorFliesTheSame) {
  results("m.yaml --tolerance 1e-12 -o a.h5", "a.h5");
  for (const std::string name : {"cvode_adams", "cvode_bdf", "dopri5", "rk4 --step 0.001"}) {
    const ResultsReader r = results("m.yaml --integrator " + name);
    EXPECT_THAT(r.header().integrator, StartsWith(name.substr(0, name.find(' '))));
    EXPECT_EQ(command("compare a.h5 m.h5 --tolerance 1e-5").exit_code, 0) << name;
  }
}

TEST_F(Run, ToleranceTradesStepsForAccuracy) {
  const ResultsReader reference = results("m.yaml --tolerance 1e-13");
  const double angle = reference.column("hinge.angle").back();
  double steps = 0, error = 1;
  for (const char* tolerance : {"1e-4", "1e-7", "1e-10"}) {
    const ResultsReader r = results("m.yaml --interval 2 --tolerance " + std::string(tolerance));
    EXPECT_GT(statistic(r, "steps"), steps);
    EXPECT_LT(std::abs(r.column("hinge.angle").back() - angle), error);
    steps = statistic(r, "steps");
    error = std::abs(r.column("hinge.angle").back() - angle);
  }
}

TEST_F(Run, StepIsThatOfRk4) {
  const ResultsReader r = results("m.yaml --integrator rk4 --step 0.01 --until 1");
  EXPECT_EQ(statistic(r, "steps"), 100);
  EXPECT_THAT(r.header().integrator, HasSubstr("0.01"));
}

TEST_F(Run, UntilAndIntervalSayWhenToRecord) {
  const ResultsReader r = results("m.yaml --until 1.05 --interval 0.25");
  EXPECT_EQ(r.time(), (std::vector<double>{0, 0.25, 0.5, 0.75, 1, 1.05}));
  EXPECT_EQ(results("m.yaml --interval 50").time(), (std::vector<double>{0, 2}));
}

TEST_F(Run, WithoutAnIntervalThereAreAThousand) {
  scratch.write("m.yaml", small_model.substr(0, small_model.find("output:")));
  EXPECT_EQ(results("m.yaml").records(), 1001U);
  EXPECT_EQ(results("m.yaml --until 3").records(), 1001U);
  EXPECT_EQ(results("m.yaml --until 3").time().back(), 3);
}

TEST_F(Run, UntilStandsInForADurationThatIsMissing) {
  scratch.write("m.yaml", small_model.substr(0, small_model.find("simulation:")));
  EXPECT_EQ(results("m.yaml --until 1").time().back(), 1);
}

// --- what it says ----------------------------------------------------------------------------------------------------

TEST_F(Run, SumsUpForPeople) {
  const Outcome o = command("run m.yaml");
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  for (const char* words :
       {"2 s simulated in ", " x real time\n", "articulated_body, dopri5, tolerance 1e-09\n", " steps, ", " rejected, ",
        " evaluations, 1 events\n", "21 records of ", " quantities in m.h5\n", "ledger ", "relative residual\n",
        "\nenergy ", "\nmomentum ", "\nangular momentum ", "\nattitudes ", "\naccelerations ", "work done by",
        "joints.hinge", "loads[0]"}) {
    EXPECT_THAT(o.out, HasSubstr(words));
  }
  EXPECT_THAT(o.out, Not(HasSubstr("nan")));
  std::istringstream lines(o.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120U) << line;
}

TEST_F(Run, QuietSaysNothing) {
  const Outcome o = command("run m.yaml --quiet");
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.out + o.err, "");
}

TEST_F(Run, AnswersInJson) {
  const Outcome o = command("run m.yaml --json");
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  const json a = json::parse(o.out, nullptr, false);
  ASSERT_FALSE(a.is_discarded()) << o.out;
  EXPECT_EQ(a["status"], "finished");
  EXPECT_EQ(a["t"], 2);
  EXPECT_EQ(a["results"], "m.h5");
  EXPECT_EQ(a["formulation"], "articulated_body");
  EXPECT_EQ(a["integrator"], "dopri5");
  EXPECT_EQ(a["statistics"]["records"], 21);
  EXPECT_EQ(a["statistics"]["events"], 1);
  const ResultsReader r(file("m.h5"));
  for (const char* name : {"steps", "rejected_steps", "evaluations", "restarts"}) {
    EXPECT_EQ(a["statistics"][name], statistic(r, name)) << name;
  }
  for (const char* name : {"energy", "momentum", "angular momentum"}) {
    EXPECT_LT(a["ledger"][name]["relative"], 1e-6) << name;
  }
  EXPECT_EQ(a["ledger"]["warnings"], json::array());
  EXPECT_GT(a["ledger"]["accelerations"]["instants"], 10);
}

TEST_F(Run, TellsOfRedundantConstraintsAndOfForcesThatAreNotUnique) {
  scratch.write("m.yaml", slider_crank);
  const Outcome o = command("run m.yaml");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("\nredundant                    3  rows: 3 of 'wrist'\n"));
  EXPECT_THAT(o.err,
              HasSubstr("not unique: reactions/wrist.force_z, reactions/wrist.torque_x, reactions/wrist.torque_y; "
                        "redundant constraints share"));
  const json told = json::parse(command("run --json m.yaml").out)["ledger"];
  EXPECT_EQ(told["constraints"]["redundant"], json({{"wrist", 3}}));
  const json open = {"reactions/wrist.force_z", "reactions/wrist.torque_x", "reactions/wrist.torque_y"};
  EXPECT_EQ(told["constraints"]["not_unique"], open);
  EXPECT_THAT(told["notes"].back().get<std::string>(), StartsWith("not unique: "));

  const ResultsReader reader(file("m.h5"));
  const results::LedgerRecord ledger = results::read_record(reader).ledger;
  EXPECT_EQ(ledger.redundant, (std::vector<Redundant>{{"wrist", 3}}));
  EXPECT_EQ(json(ledger.not_unique), open);
  EXPECT_THAT(ledger.notes(), ::testing::Contains(StartsWith("not unique: ")));
  EXPECT_THAT(command("show m.h5").out, HasSubstr("  not unique\n"));
  const json shown = json::parse(command("show --json m.h5").out);
  for (const json& column : shown["columns"]) {
    const bool is_open = std::find(open.begin(), open.end(), column["name"]) != open.end();
    EXPECT_EQ(column.contains("note"), is_open) << column["name"];
  }
}

TEST_F(Run, ALedgerThatDoesNotBalanceIsCriedOut) {
  const Outcome o = command("run m.yaml --integrator rk4 --step 0.5");
  EXPECT_THAT(o.err, HasSubstr("WARNING: THE LEDGER DOES NOT BALANCE"));
  EXPECT_THAT(command("run m.yaml --integrator rk4 --step 0.5 --quiet").err, HasSubstr("WARNING"));
  const json a = json::parse(command("run m.yaml --integrator rk4 --step 0.5 --json").out, nullptr, false);
  EXPECT_FALSE(a["ledger"]["warnings"].empty());
}

TEST_F(Run, ShowsProgressOnATerminalOnly) {
  if (std::system("command -v script >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no `script`";
  const std::string program = GYROSTAT_PROGRAM " run m.yaml --until 500 --interval 10 ";
  const auto on_terminal = [&](const std::string& options) {
    const std::string line = "cd '" + scratch.path().string() + "' && script -qec '" + program + options +
                             "' /dev/null </dev/null >typed 2>&1";
    EXPECT_EQ(std::system(line.c_str()), 0);
    return slurp(file("typed"));
  };
  const std::string seen = on_terminal("");
  EXPECT_THAT(seen, AllOf(HasSubstr("█"), HasSubstr(" x real time"), HasSubstr("left"), HasSubstr("simulated in")));
  EXPECT_THAT(seen.substr(seen.rfind('\033')), Not(HasSubstr("█"))) << "the bar is gone at the end";
  EXPECT_THAT(on_terminal("--quiet"), Not(HasSubstr("█")));
  EXPECT_THAT(on_terminal("--json"), Not(HasSubstr("█")));
  EXPECT_THAT(on_terminal("2>errors"), Not(HasSubstr("█")));
  EXPECT_EQ(slurp(file("errors")), "");
  const Outcome piped = command("run m.yaml --until 500 --interval 10");
  EXPECT_THAT(piped.out + piped.err, AllOf(Not(HasSubstr("█")), Not(HasSubstr("\033")), Not(HasSubstr("\r"))));
}

// --- what others make of it ------------------------------------------------------------------------------------------

TEST_F(Run, ShowAndCompareReadIt) {
  EXPECT_EQ(command("run m.yaml --quiet").exit_code, 0);
  EXPECT_EQ(command("run m.yaml --quiet -o other.h5 --set 'K=21 N*m/rad'").exit_code, 0);
  const Outcome show = command("show m.h5");
  EXPECT_EQ(show.exit_code, 0);
  for (const char* words : {"A bus with a panel", "articulated_body", "finished", "21, from 0 to 2 s", "hinge.angle",
                            "twice", "Events: 1", "ledger_energy", "system.momentum_x"}) {
    EXPECT_THAT(show.out, HasSubstr(words));
  }
  const Outcome table = command("show m.h5 hinge.angle twice --json");
  const json columns = json::parse(table.out, nullptr, false)["columns"];
  for (std::size_t k = 0; k < 21; ++k) EXPECT_EQ(columns["twice"][k], 2 * columns["hinge.angle"][k].get<double>());
  EXPECT_EQ(command("compare m.h5 m.h5 --tolerance 0").exit_code, 0);
  const Outcome differ = command("compare m.h5 other.h5");
  EXPECT_EQ(differ.exit_code, 1);
  EXPECT_THAT(differ.out, HasSubstr("hinge.angle"));
}

// --- the same bits ---------------------------------------------------------------------------------------------------

TEST_F(Run, HasTheSameBitsEachTime) {
  scratch.write("m.yaml", busy_model);
  for (const char* method : {"dopri5", "cvode_adams", "cvode_bdf", "rk4 --step 0.01"}) {
    SCOPED_TRACE(method);
    const std::string options = "m.yaml --until 5 --integrator " + std::string(method);
    results(options + " -o a.h5", "a.h5");
    results(options + " -o b.h5", "b.h5");
    expect_same_results(file("a.h5"), file("b.h5"));
  }
}

TEST_F(Run, HasTheSameBitsBesideAnother) {
  scratch.write("m.yaml", busy_model);
  Background a(scratch.path(), {"run", "m.yaml", "-o", "a.h5"}), b(scratch.path(), {"run", "m.yaml", "-o", "b.h5"});
  EXPECT_EQ(a.wait(), 0);
  EXPECT_EQ(b.wait(), 0);
  results("m.yaml -o alone.h5", "alone.h5");
  expect_same_results(file("a.h5"), file("alone.h5"));
  expect_same_results(file("b.h5"), file("alone.h5"));
}

TEST_F(Run, WritingTextAndCheckpointsBesideChangesNoRecordedInstant) {
  scratch.write("m.yaml", busy_model);
  const ResultsReader plain = results("m.yaml --until 3 -o a.h5", "a.h5");
  const ResultsReader text = results("m.yaml --until 3 --csv a.csv -o b.h5", "b.h5");
  const ResultsReader saved = results("m.yaml --until 3 --checkpoint 0.7 -o c.h5", "c.h5");
  EXPECT_TRUE(same_bits(plain.column("drift"), text.column("drift")));
  EXPECT_EQ(plain.time(), saved.time());
  EXPECT_EQ(command("compare a.h5 c.h5 --tolerance 1e-6").exit_code, 0);
}

// --- size ------------------------------------------------------------------------------------------------------------

TEST_F(Run, ALongerRunWithADelayIsNoSlowerPerSecond) {
  scratch.write("m.yaml", busy_model);
  const double first = statistic(results("m.yaml --until 10"), "steps");
  const double whole = statistic(results("m.yaml --until 30"), "steps");
  EXPECT_LT(whole, 1.5 * 3 * first) << "what happens once comes back after the delay, but not for ever";
}

TEST_F(Run, AChainOfAThousandBodies) {
  std::string bodies, joints;
  for (int i = 0; i < 1000; ++i) {
    const std::string n = std::to_string(i), before = i == 0 ? "world" : "b" + std::to_string(i - 1);
    bodies += "  b" + n + ": {mass: 1, com: [0, 0, -0.05], inertia: [0.01, 0.01, 0.005]}\n";
    joints += "  j" + n + ": {type: revolute, parent: " + before + ", child: b" + n + ", parent_point: [0, 0, " +
              (i == 0 ? "0" : "-0.1") + "], axis: " + (i % 2 == 0 ? "[1, 0, 0]" : "[0, 1, 0]") +
              ", initial: {angle: " + std::to_string(0.001 * (i % 7)) + "}, stiffness: 50, damping: 1}\n";
  }
  scratch.write("m.yaml", "gyrostat: 1\nbodies:\n" + bodies + "joints:\n" + joints +
                              "simulation: {duration: 0.05, integrator: {method: dopri5, tolerance: 1e-7}}\n"
                              "output: {interval: 0.01}\n");
  const ResultsReader r = results("m.yaml");
  EXPECT_EQ(r.records(), 6U);
  EXPECT_NE(r.column("j999.angle").back(), r.column("j999.angle").front());
  EXPECT_LT(statistic(r, "ledger_energy"), 1e-6 * statistic(r, "ledger_energy_scale"));
}

}  // namespace
}  // namespace gyrostat::testing
