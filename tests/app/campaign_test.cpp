// gyrostat campaign: wrong usage, exit codes, what it prints and writes, plugins.
#include <map>

#include "app/head.h"

namespace gyrostat::testing {
namespace campaign_test {

class Campaigns : public ::testing::Test {
 protected:
  Campaigns() {
    scratch.write("m.yaml", small_model);
    scratch.write("c.yaml", campaign(8));
  }
  static std::string campaign(int count, const std::string& more = "") {
    return "gyrostat_campaign: 1\nmodel: m.yaml\nvary: {K: {uniform: {low: 10 N*m/rad, high: 40 N*m/rad}}" +
           std::string(more.empty() ? "" : ", ") + more + "}\nsamples: {count: " + std::to_string(count) +
           ", seed: 3}\nmeasure:\n  swing: {max: abs(hinge.angle), after: 1}\n  last: {final: twice}\n"
           "require: {swing: {below: 1 rad, in: 70 %}}\n";
  }
  Outcome command(const std::string& arguments) const { return run_in(scratch.path(), "campaign " + arguments); }
  Outcome gyrostat(const std::string& arguments) const { return run_in(scratch.path(), arguments); }
  std::string file(const std::string& name) const { return (scratch.path() / name).string(); }
  bool exists(const std::string& name) const { return std::filesystem::exists(file(name)); }
  void expect_refused(const std::string& arguments, const std::string& why, int code = 2) const {
    const Outcome o = command(arguments);
    EXPECT_EQ(o.exit_code, code) << arguments << o.err;
    EXPECT_EQ(o.out, "") << arguments;
    EXPECT_THAT(o.err, HasSubstr(why)) << arguments;
    EXPECT_FALSE(exists("c.h5")) << arguments;
  }

  Scratch scratch;
};

TEST_F(Campaigns, RefuseWrongUsage) {
  expect_refused("", "FILE");
  expect_refused("nowhere.yaml", "nowhere.yaml: error: cannot be read: No such file or directory", 1);
  expect_refused("m.yaml", "this is a model file", 1);
  expect_refused("nowhere.h5", "nowhere.h5: no such file");
  expect_refused("c.yaml -j 0", "--threads: Value 0 not in range");
  expect_refused("c.yaml -j many", "--threads: Value many not in range");
  expect_refused("c.yaml --slurm 0", "--slurm");
  expect_refused("c.yaml --replay -1", "--replay: Value -1 not in range 0 to 999999999");
  expect_refused("c.yaml --replay 2 --resume", "--resume");
  expect_refused("c.yaml --replay 8", "c.yaml: has flights 0 to 7, and no flight 8");
  expect_refused("c.yaml -o missing/c.h5", "missing/c.h5: cannot be written: No such file or directory");
  expect_refused("c.yaml --treads 2", "--threads");
  scratch.write("mine.h5", "not results");
  expect_refused("c.yaml -o mine.h5", "is not a results file that Gyrostat wrote");
  EXPECT_EQ(slurp(file("mine.h5")), "not results");
}

TEST_F(Campaigns, SayWhatIsWrongWithTheCampaignOrItsModel) {
  scratch.write("wrong.yaml", campaign(8, "k: {uniform: {low: 1, high: 2}}"));
  expect_refused("wrong.yaml", "wrong.yaml:3:62: error: vary.k: the model has no parameter 'k'", 1);
  std::string late = campaign(8);
  late.replace(late.find("after: 1"), 8, "after: 100");
  scratch.write("late.yaml", late);
  expect_refused("late.yaml", "late.yaml:6:41: error: measure.swing.after: is 100 s, but a flight lasts 2 s", 1);
  std::string without = campaign(8);
  without.replace(without.find("m.yaml"), 6, "n.yaml");
  scratch.write("without.yaml", without);
  expect_refused("without.yaml",
                 "without.yaml:2:8: error: model: n.yaml: cannot be read: No such file or directory; a model is named "
                 "as seen from its campaign file",
                 1);
  scratch.write("m.yaml", small_model + "no_such_section: 1\n");
  expect_refused("c.yaml", "m.yaml:15:1: error: no_such_section: unknown field", 1);
  const Outcome data = command("c.yaml --json");
  EXPECT_EQ(data.exit_code, 1);
  EXPECT_EQ(json::parse(data.out, nullptr, false)["problems"][0]["path"], "no_such_section");
}

TEST_F(Campaigns, PrintWhatCameOfThem) {
  const Outcome o = command("c.yaml -j 2");
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "") << "no progress that nobody has time to read";
  EXPECT_THAT(o.out, StartsWith("8 flights in "));
  EXPECT_THAT(o.out, HasSubstr(" a second; 0 failed; in c.h5\n8 of 8 flights have ended, 0 of them failed\n"));
  EXPECT_THAT(o.out, HasSubstr("\nmeasure "));
  EXPECT_THAT(o.out, HasSubstr("\npercentiles lie between, with 90 % confidence\n"));
  EXPECT_THAT(o.out, HasSubstr("\nrequirements\n  met: swing below 1 rad in 70 % of flights: 8 of 8 (100 %); with 90 % "
                               "confidence at least 74.99 %\n"));
  EXPECT_THAT(o.out, HasSubstr("\nworst flights, to be flown again by --replay\n  swing "));
  EXPECT_THAT(o.out, Not(HasSubstr("one by one")));
  EXPECT_EQ(gyrostat("show c.h5").out, o.out.substr(o.out.find('\n') + 1));
  EXPECT_EQ(command("c.yaml --quiet").out, "");
  EXPECT_THAT(command("c.yaml --resume").err, HasSubstr("c.h5: is finished; there is nothing to resume"));
  EXPECT_EQ(command("c.yaml --resume").exit_code, 2);

  const json answer = json::parse(command("c.yaml --json").out, nullptr, false);
  EXPECT_EQ(answer["ended"], 8);
  EXPECT_EQ(answer["not_packed"], nullptr);
  EXPECT_EQ(answer["requirements"][0]["verdict"], "met");
  EXPECT_EQ(answer["requirements"][0]["missing"], 0);
  EXPECT_EQ(answer, json::parse(gyrostat("show c.h5 --json").out, nullptr, false));
}

TEST_F(Campaigns, OfFactorsPrintEachCombination) {
  scratch.write("c.yaml", campaign(8, "gain: {values: [1, 3]}"));
  std::string model = small_model;
  model.replace(model.find("{K: 20 N*m/rad}"), 15, "{K: 20 N*m/rad, gain: 1}");
  model.replace(model.find("2*hinge.angle"), 13, "gain*hinge.angle");
  scratch.write("m.yaml", model);
  const Outcome o = command("c.yaml");
  ASSERT_EQ(o.exit_code, 0) << o.err;
  for (const char* text :
       {"\ngain = 1: 8 of 8 flights have ended, 0 of them failed\n",
        "\ngain = 3: 8 of 8 flights have ended, 0 of them failed\n",
        "\n  met: swing below 1 rad in 70 % of flights with each combination of factors; worst with gain",
        "\n    met        gain = 1: 8 of 8 (100 %); with 90 % confidence at least 74.99 %\n"}) {
    EXPECT_THAT(o.out, HasSubstr(text));
  }
  const json answer = json::parse(gyrostat("show c.h5 --json").out, nullptr, false);
  const json& last = answer["measures"]["last"];
  EXPECT_FALSE(last.contains("mean")) << "nothing is said of all combinations together";
  ASSERT_EQ(last["combinations"].size(), 2U);
  EXPECT_EQ(last["combinations"][1]["values"]["gain"], 3);
  EXPECT_EQ(last["combinations"][1]["ended"], 8);
  EXPECT_NEAR(last["combinations"][1]["mean"].get<double>(), 3 * last["combinations"][0]["mean"].get<double>(), 1e-9);
  EXPECT_EQ(answer["requirements"][0]["combinations"][1]["flights"], 8);
  EXPECT_EQ(answer["requirements"][0]["combinations"][1]["values"]["gain"], 3);
}

TEST_F(Campaigns, SayWhyFlightsAreNotPacked) {
  std::string model = small_model;
  model.replace(model.find("method: dopri5"), 14, "method: cvode_bdf");
  scratch.write("m.yaml", model);
  const std::string why = "integrator cvode_bdf is implicit";
  const Outcome o = command("c.yaml");
  EXPECT_THAT(o.out, StartsWith("flights are flown one by one, not in packs: " + why + "\n8 flights in "));
  EXPECT_EQ(o.out.find("one by one", 50), std::string::npos) << "once";
  EXPECT_THAT(gyrostat("show c.h5").out, HasSubstr("flights were flown one by one, not in packs: " + why + "\n"));
  EXPECT_EQ(json::parse(gyrostat("show c.h5 --json").out, nullptr, false)["not_packed"], why);
  EXPECT_EQ(json::parse(command("c.yaml --json").out, nullptr, false)["not_packed"], why);
}

TEST_F(Campaigns, ShowHowFarTheyAreAndGoOn) {
  std::string slow = small_model;
  slow.replace(slow.find("duration: 2"), 11, "duration: 2000");
  scratch.write("m.yaml", slow);
  scratch.write("c.yaml", campaign(400'000));
  {
    Background flying(scratch.path(), {"campaign", "c.yaml", "-j", "1"});
    for (int k = 0; k < 600 && slurp(file("err")).find(" left ") == std::string::npos; ++k) pause(0.05);
    flying.send(SIGINT);
    EXPECT_EQ(flying.wait(), 130);
  }
  EXPECT_THAT(slurp(file("err")),
              ::testing::ContainsRegex("[0-9,]+ of 400,000 flights  [0-9.e+]+ a second  .+ left  0 failed\n"));
  const std::string out = slurp(file("out"));
  EXPECT_THAT(out, HasSubstr("of 400,000 flights have ended; go on with: gyrostat campaign c.yaml -o c.h5 --resume\n"));
  EXPECT_THAT(out, HasSubstr("undecided: swing below 1 rad in 70 % of flights")) << "however good those so far are";
  EXPECT_THAT(out, HasSubstr(" flights have not ended\n"));
  EXPECT_EQ(ResultsReader(file("c.h5")).status(), "interrupted");
  const json answer = json::parse(gyrostat("show c.h5 --json").out, nullptr, false);
  EXPECT_EQ(answer["requirements"][0]["verdict"], "undecided");
  EXPECT_EQ(answer["requirements"][0]["missing"], 400'000 - answer["ended"].get<int>());
}

TEST_F(Campaigns, FailWhereNothingCanBeWritten) {
  // a campaign that has ended by then is not lost: exit code 3 says that writing failed
  const Outcome o = run_in(scratch.path(), "campaign c.yaml -o /dev/full");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, HasSubstr("/dev/full: is not a regular file"));
}

TEST_F(Campaigns, AreReplayedAndReported) {
  ASSERT_EQ(command("c.yaml --quiet").exit_code, 0);
  const Outcome again = command("c.h5 --replay 3");
  EXPECT_EQ(again.exit_code, 0) << again.err;
  const ResultsReader flight(file("c_3.h5")), all(file("c.h5"));
  EXPECT_EQ(flight.column("twice").back(), all.column("measures/last")[3]);
  EXPECT_EQ(command("c.h5 --quiet").exit_code, 2) << "it would be flown into the file that it is read from";
  EXPECT_THAT(command("c.h5").err, HasSubstr("c.h5: these are results; --resume goes on with a campaign"));
  EXPECT_THAT(command("c.h5 --resume").err, HasSubstr("c.h5: is finished; there is nothing to resume"));
  const Outcome checked = gyrostat("check c.yaml");
  EXPECT_EQ(checked.out, "c.yaml: ok, 8 flights\n");
}

TEST_F(Campaigns, GiveTheirFlightsToOtherModels) {
  ASSERT_EQ(command("c.yaml --quiet").exit_code, 0);
  ASSERT_EQ(command("c.h5 --replay 3 --quiet").exit_code, 0);
  // the same model: the same bits
  const Outcome same = gyrostat("run m.yaml --campaign c.h5 --sample 3");
  EXPECT_EQ(same.exit_code, 0) << same.err;
  EXPECT_THAT(same.out, HasSubstr(" in m_3.h5\n"));
  const std::vector<double> twice = ResultsReader(file("c_3.h5")).column("twice");
  EXPECT_EQ(ResultsReader(file("m_3.h5")).column("twice"), twice);
  ASSERT_EQ(gyrostat("run m.yaml --campaign c.yaml --sample 3 -o y.h5 --quiet").exit_code, 0);
  EXPECT_EQ(ResultsReader(file("y.h5")).column("twice"), twice);
  // another: flown with what was drawn for that flight
  std::string other = small_model;
  other.replace(other.find("2*hinge.angle"), 13, "3*hinge.angle");
  scratch.write("other.yaml", other);
  ASSERT_EQ(gyrostat("run other.yaml --campaign c.h5 --sample 3 --quiet").exit_code, 0);
  EXPECT_DOUBLE_EQ(ResultsReader(file("other_3.h5")).column("twice").back(), 1.5 * twice.back());
  other.replace(other.find("{K: 20 N*m/rad}"), 15, "{L: 20 N*m/rad}");
  for (std::size_t k = other.find(": K"); k != std::string::npos; k = other.find(": K")) other.replace(k, 3, ": L");
  scratch.write("other.yaml", other);
  const Outcome unknown = gyrostat("run other.yaml --campaign c.h5 --sample 3");
  EXPECT_EQ(unknown.exit_code, 1);
  EXPECT_THAT(unknown.err, HasSubstr("vary.K: the model has no parameter 'K'"));

  for (const auto& [arguments, why] : std::map<std::string, std::string>{
           {"m.yaml --campaign c.h5", "--campaign requires --sample"},
           {"m.yaml --sample 3", "--sample requires --campaign"},
           {"m.yaml --campaign c.h5 --sample 8", "c.h5: has flights 0 to 7, and no flight 8"},
           {"m.yaml --campaign c.h5 --sample -1", "--sample: Value -1 not in range 0 to 999999999"},
           {"m.yaml --campaign c.h5 --sample 3 --until 5",
            "--sample: a flight is flown as its campaign and the model say"},
           {"m.yaml --campaign m_3.h5 --sample 3", "m_3.h5: is not the file of a campaign"},
           {"none.yaml --campaign c.h5 --sample 3", "none.yaml: cannot be read: No such file or directory"},
           {"c.yaml", "c.yaml:1:1: error: this is a campaign file, which `gyrostat campaign` flies"}}) {
    const Outcome o = gyrostat("run " + arguments);
    EXPECT_NE(o.exit_code, 0) << arguments;
    EXPECT_THAT(o.err, HasSubstr(why)) << arguments;
  }
}

// --- plugins ---------------------------------------------------------------------------------------------------------

TEST_F(Campaigns, RunPluginsWhereThatIsAllowed) {
  std::string model = small_model;
  model.replace(model.find("signals: {"), 10,
                "signals: {code: {plugin: {library: '" GYROSTAT_BINARY_DIR
                "/examples/flight_code/libtest_plugin.so', function: mix, inputs: [hinge.angle, bus.omega_y, "
                "bus.omega_x], outputs: [a, b], period: 0.2}}, ");
  scratch.write("m.yaml", model);
  std::string text = campaign(8);
  text.replace(text.find("final: twice"), 12, "final: code.a + hinge.angle");
  scratch.write("c.yaml", text);
  expect_refused("c.yaml", "signals.code is a plugin: it would run code from");
  EXPECT_THAT(command("c.yaml").err, HasSubstr("--allow-plugins"));
  EXPECT_EQ(gyrostat("check c.yaml").exit_code, 0);

  const Outcome o = command("c.yaml --allow-plugins -j 2");
  ASSERT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, StartsWith("flights are flown one by one, not in packs: signals.code is a plugin\n"));
  ASSERT_EQ(command("c.yaml --allow-plugins -j 1 --quiet -o one.h5").exit_code, 0);
  const std::vector<double> last = ResultsReader(file("c.h5")).column("measures/last");
  EXPECT_TRUE(same_bits(last, ResultsReader(file("one.h5")).column("measures/last")));
  // a flight is a run
  EXPECT_EQ(command("c.h5 --replay 3").exit_code, 2);
  EXPECT_FALSE(exists("c_3.h5"));
  ASSERT_EQ(command("c.h5 --replay 3 --allow-plugins --quiet").exit_code, 0);
  const ResultsReader flight(file("c_3.h5"));
  EXPECT_EQ(flight.column("code.a").back() + flight.column("hinge.angle").back(), last[3]);
  EXPECT_THAT(command("c.yaml --allow-plugins --slurm 2").out, HasSubstr(" --resume --allow-plugins &\n"));
}

}  // namespace campaign_test
}  // namespace gyrostat::testing
