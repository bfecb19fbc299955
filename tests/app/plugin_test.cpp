// Flight code that is not allowed, not there, or stops; when it is called, and what it remembers.
#include <cmath>

#include "app/head.h"

namespace gyrostat::testing {
namespace {

const std::string plugins = GYROSTAT_BINARY_DIR "/examples/flight_code/libtest_plugin.so";

class Plugin : public ::testing::Test {
 protected:
  /// m.yaml with a plugin that calls `function`; `more` signals beside it.
  void model(const std::string& function, const std::string& more = "", const std::string& library = plugins) const {
    scratch.write("m.yaml",
                  "gyrostat: 1\nbodies: {bus: {mass: 100, inertia: [10, 12, 8]}}\n"
                  "joints: {base: {initial: {omega: [0.01, 0.2, 0.03]}}}\n"
                  "signals:\n  code: {plugin: {library: '" +
                      library + "', function: " + function +
                      ", inputs: [bus.omega_x, bus.omega_y, bus.quaternion_z], outputs: [a, b], period: 0.2}}\n" +
                      more +
                      "loads: [{body: bus, torque: [0.1*code.a, 0, 0]}]\n"
                      "simulation: {duration: 4, integrator: {method: dopri5, tolerance: 1e-9}}\n"
                      "output: {interval: 0.1}\n");
  }
  Outcome command(const std::string& arguments, const std::string& environment = "") const {
    return run_in(scratch.path(), arguments, "GYROSTAT_TEST_LOADED=loaded GYROSTAT_TEST_CALLS=calls " + environment);
  }
  bool was_loaded() const { return std::filesystem::exists(scratch.path() / "loaded"); }
  std::vector<double> calls() const {
    std::vector<double> list;
    std::ifstream file(scratch.path() / "calls");
    for (double t = 0; file >> t;) list.push_back(t);
    return list;
  }
  std::string file(const std::string& name) const { return (scratch.path() / name).string(); }

  Scratch scratch;
};

// --- trust -----------------------------------------------------------------------------------------------------------

TEST_F(Plugin, IsNotEvenOpenedUnlessAllowed) {
  model("count_calls");
  const Outcome o = command("run m.yaml");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_THAT(o.err,
              AllOf(HasSubstr("m.yaml: signals.code is a plugin"), HasSubstr(plugins), HasSubstr("--allow-plugins")));
  EXPECT_FALSE(was_loaded());
  EXPECT_FALSE(std::filesystem::exists(file("m.h5"))) << "nothing is left behind";

  const Outcome data = command("run m.yaml --json");
  EXPECT_EQ(data.exit_code, 2);
  EXPECT_THAT(std::string(json::parse(data.out, nullptr, false)["error"]), HasSubstr("--allow-plugins"));
  EXPECT_FALSE(was_loaded());

  EXPECT_EQ(command("run m.yaml --allow-plugins").exit_code, 0);
  EXPECT_TRUE(was_loaded());
}

TEST_F(Plugin, IsNeverOpenedByOtherCommands) {
  model("count_calls");
  for (const char* name : {"check", "info", "accel"}) {
    for (const char* options : {"", " --json"}) {
      const Outcome o = command(std::string(name) + " m.yaml" + options);
      EXPECT_EQ(o.exit_code, 0) << name << o.err;
      EXPECT_FALSE(was_loaded()) << name;
    }
  }
  EXPECT_EQ(command("accel m.yaml --formulation all").exit_code, 0);
  EXPECT_FALSE(was_loaded());
  ASSERT_EQ(command("run m.yaml --allow-plugins --quiet").exit_code, 0);
  std::filesystem::remove(file("loaded"));
  EXPECT_EQ(command("show m.h5").exit_code, 0);
  EXPECT_EQ(command("compare m.h5 m.h5").exit_code, 0);
  EXPECT_FALSE(was_loaded());
}

TEST_F(Plugin, IsNotOpenedForAModelThatCannotRun) {
  model("count_calls");
  EXPECT_EQ(command("run m.yaml --allow-plugins --integrator euler").exit_code, 2);
  EXPECT_EQ(command("run m.yaml --allow-plugins --until -1").exit_code, 2);
  EXPECT_FALSE(was_loaded());
}

// --- what is not there -----------------------------------------------------------------------------------------------

TEST_F(Plugin, ALibraryThatIsNotThereIsNamed) {
  model("count_calls", "", "./nowhere.so");
  const Outcome o = command("run m.yaml --allow-plugins");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("m.yaml: signals.code.plugin: the library cannot be opened"),
                           HasSubstr("nowhere.so"), HasSubstr("No such file")));
  EXPECT_FALSE(std::filesystem::exists(file("m.h5")));
}

TEST_F(Plugin, AFileThatIsNoLibraryIsRefused) {
  scratch.write("text.so", "not a library\n");
  model("count_calls", "", "./text.so");
  const Outcome o = command("run m.yaml --allow-plugins");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("signals.code.plugin"), HasSubstr("text.so")));
}

TEST_F(Plugin, AFunctionThatIsNotThereIsNamed) {
  model("conut_calls");
  const Outcome o = command("run m.yaml --allow-plugins");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("signals.code.plugin"), HasSubstr("has no function 'conut_calls'"),
                           HasSubstr("extern \"C\"")));
  const Outcome data = command("run m.yaml --allow-plugins --json");
  EXPECT_EQ(data.exit_code, 2);
  EXPECT_THAT(std::string(json::parse(data.out, nullptr, false)["error"]), HasSubstr("conut_calls"));
}

TEST_F(Plugin, ARelativeLibraryIsFoundFromTheModelNotFromHere) {
  std::filesystem::create_directory(scratch.path() / "lib");
  std::filesystem::copy_file(plugins, scratch.path() / "lib/code.so");
  model("count_calls", "", "lib/code.so");
  EXPECT_EQ(run("run --allow-plugins --quiet -o '" + file("far.h5") + "' '" + file("m.yaml") + "'").exit_code, 0);
  EXPECT_EQ(command("run --allow-plugins --quiet ./m.yaml").exit_code, 0);
}

TEST_F(Plugin, MemoryBeyondAllMeasureIsRefused) {
  model("greedy");
  const Outcome o = command("run m.yaml --allow-plugins");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("'greedy_memory' asks for"), HasSubstr("bytes")));
}

// --- calls -----------------------------------------------------------------------------------------------------------

void expect_every_period(const std::vector<double>& t) {
  ASSERT_EQ(t.size(), 21U);
  for (std::size_t k = 0; k < t.size(); ++k) EXPECT_NEAR(t[k], 0.2 * static_cast<double>(k), 1e-12);
}

TEST_F(Plugin, IsCalledOncePerPeriod) {
  for (const char* method : {"dopri5", "cvode_adams", "cvode_bdf", "rk4 --step 0.03"}) {
    SCOPED_TRACE(method);
    std::filesystem::remove(file("calls"));
    model("count_calls");
    ASSERT_EQ(command("run m.yaml --allow-plugins --integrator " + std::string(method)).exit_code, 0);
    expect_every_period(calls());
    const std::vector<double> count = ResultsReader(file("m.h5")).column("code.a");
    for (std::size_t k = 0; k < count.size(); ++k) EXPECT_EQ(count[k], static_cast<double>(k / 2 + 1));
  }
}

TEST_F(Plugin, IsCalledOncePerPeriodAlsoBesideBlocksThatStartAtTheValueOfOthers) {
  model("count_calls",
        "  late: {delay: {input: bus.omega_y, time: 0.05}}\n"
        "  later: {delay: {input: late, time: 0.05}}\n"
        "  steady: {pid: {input: code.a - bus.omega_x, kp: 1, ki: 0.1, kd: 0.2, filter: 0.1}}\n"
        "  jet: {switching_amplifier: {input: steady - t, deadband: 0.1}}\n");
  const Outcome o = command("run m.yaml --allow-plugins");
  ASSERT_EQ(o.exit_code, 0) << o.err;
  expect_every_period(calls());
}

TEST_F(Plugin, SeesSampledSwitchesWhereTheyBelong) {
  model("mix",
        "  x: {sample: {input: 1 - t, period: 0.3}}\n"
        "  y: {sample: {input: abs(x), period: 0.3}}\n");
  ASSERT_EQ(command("run m.yaml --allow-plugins").exit_code, 0);
  const ResultsReader results(file("m.h5"));
  const std::vector<double> x = results.column("x"), y = results.column("y");
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_EQ(y[k], std::abs(x[k])) << results.time()[k];
}

TEST_F(Plugin, WithoutMemoryIsGivenNone) {
  model("report_memory");
  ASSERT_EQ(command("run m.yaml --allow-plugins").exit_code, 0);
  EXPECT_EQ(ResultsReader(file("m.h5")).column("code.a").back(), 1);
}

TEST_F(Plugin, TwoBlocksOfOneFunctionHaveTheirOwnMemories) {
  model("count_calls", "  other: {plugin: {library: '" + plugins +
                           "', function: count_calls, inputs: [t], outputs: [n, at], period: 0.5}}\n");
  ASSERT_EQ(command("run m.yaml --allow-plugins").exit_code, 0);
  const ResultsReader results(file("m.h5"));
  EXPECT_EQ(results.column("code.a").back(), 21);
  EXPECT_EQ(results.column("other.n").back(), 9);
}

// --- stopping --------------------------------------------------------------------------------------------------------

TEST_F(Plugin, StopsTheRunByWhatItReturns) {
  model("stop_at_two");
  const Outcome o = command("run m.yaml --allow-plugins");
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_THAT(o.err, AllOf(HasSubstr("stopped at t = 2 s"), HasSubstr("plugin 'code' returned 7"), HasSubstr("m.h5")));
  const ResultsReader results(file("m.h5"));
  EXPECT_THAT(results.status(), AllOf(HasSubstr("stopped at t = 2 s"), HasSubstr("plugin 'code' returned 7")));
  ASSERT_GE(results.records(), 20U);
  EXPECT_NEAR(results.time().back(), 2, 0.1001);

  const Outcome data = command("run m.yaml --allow-plugins --json");
  EXPECT_EQ(data.exit_code, 3);
  const json answer = json::parse(data.out, nullptr, false);
  EXPECT_EQ(answer["status"], "stopped");
  EXPECT_THAT(std::string(answer["failure"]), HasSubstr("plugin 'code' returned 7"));
}

TEST_F(Plugin, StopsTheRunBeforeItBegins) {
  model("stop_at_once");
  const Outcome o = command("run m.yaml --allow-plugins");
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_THAT(o.err, AllOf(HasSubstr("t = 0 s"), HasSubstr("plugin 'code' returned -1")));
  EXPECT_EQ(command("show m.h5").exit_code, 0);
}

TEST_F(Plugin, AValueThatIsNoNumberStopsTheRunWithItsName) {
  model("lose_value");
  const Outcome o = command("run m.yaml --allow-plugins");
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_THAT(o.err, HasSubstr("code"));
  EXPECT_THAT(ResultsReader(file("m.h5")).status(), HasSubstr("signal 'code' is not finite"));
}

// --- checkpoints -----------------------------------------------------------------------------------------------------

TEST_F(Plugin, MemoryGoesThroughCheckpointsBitForBit) {
  model("mix");
  const std::string settings = "run m.yaml --allow-plugins --until 6000 --interval 5 --checkpoint 31 --quiet ";
  ASSERT_EQ(command(settings + "-o whole.h5").exit_code, 0);
  {
    Background killed(scratch.path(), {"run", "m.yaml", "--allow-plugins", "--until", "6000", "--interval", "5",
                                       "--checkpoint", "31", "-o", "broken.h5"});
    ASSERT_TRUE(await(file("broken.h5.checkpoint")));
    pause(0.05);
    killed.send(SIGKILL);
    ASSERT_EQ(killed.wait(), 128 + SIGKILL);
  }
  EXPECT_EQ(command("resume broken.h5").exit_code, 2);
  std::filesystem::remove(file("loaded"));
  EXPECT_EQ(command("resume broken.h5 --json").exit_code, 2);
  EXPECT_FALSE(was_loaded());
  const Outcome o = command("resume broken.h5 --allow-plugins --quiet");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  expect_same_results(file("whole.h5"), file("broken.h5"));
}

TEST_F(Plugin, MemoryOfAnotherSizeThanAtTheCheckpointIsRefused) {
  model("resized");
  {
    Background killed(scratch.path(), {"run", "m.yaml", "--allow-plugins", "--until", "100000", "--interval", "100",
                                       "--checkpoint", "5"});
    ASSERT_TRUE(await(file("m.h5.checkpoint")));
    killed.send(SIGINT);
    ASSERT_EQ(killed.wait(), 130);
  }
  const Outcome o = command("resume m.h5 --allow-plugins", "GYROSTAT_TEST_MEMORY=1000000");
  EXPECT_EQ(o.exit_code, 2) << "the library has changed meanwhile: it must not write beyond the old memory";
  EXPECT_THAT(o.err, Not(HasSubstr("internal error")));
}

TEST_F(Plugin, ThatIsGoneWhenTheRunIsToGoOnIsNamed) {
  std::filesystem::copy_file(plugins, file("code.so"));
  model("mix", "", "./code.so");
  {
    Background killed(scratch.path(), {"run", "m.yaml", "--allow-plugins", "--until", "100000", "--interval", "100",
                                       "--checkpoint", "5"});
    ASSERT_TRUE(await(file("m.h5.checkpoint")));
    killed.send(SIGINT);
    ASSERT_EQ(killed.wait(), 130);
  }
  std::filesystem::remove(file("code.so"));
  const Outcome o = command("resume m.h5 --allow-plugins");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("signals.code.plugin"), HasSubstr("code.so")));
  EXPECT_EQ(command("show m.h5").exit_code, 0);
  EXPECT_TRUE(std::filesystem::exists(file("m.h5.checkpoint")));
}

}  // namespace
}  // namespace gyrostat::testing
