// gyrostat resume: a run that was killed, interrupted or stopped goes on as if nothing had happened, to the last bit.
#include <random>

#include "app/head.h"
#include "support/busy_model.h"

namespace gyrostat::testing {
namespace {

class Resume : public ::testing::Test {
 protected:
  Resume() { scratch.write("m.yaml", busy_model); }

  Outcome command(const std::string& arguments) const { return run_in(scratch.path(), arguments); }
  std::string file(const std::string& name) const { return (scratch.path() / name).string(); }
  bool has_checkpoint(const std::string& name) const { return std::filesystem::exists(file(name + ".checkpoint")); }

  /// Runs without a break into whole.h5. How long it takes [s].
  double run_whole(const std::vector<std::string>& settings) const {
    const auto begin = std::chrono::steady_clock::now();
    Background whole(scratch.path(), with({"run", "m.yaml", "--quiet", "-o", "whole.h5"}, settings));
    EXPECT_EQ(whole.wait(), 0) << slurp(file("err"));
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  /// Starts, or goes on with, broken.h5 and kills it after some time. False if it was finished by then.
  bool run_and_kill(const std::vector<std::string>& settings, double after) const {
    const bool anew = !has_checkpoint("broken.h5");
    if (!anew && ResultsReader(file("broken.h5")).status() == "finished") return false;
    Background process(scratch.path(), anew ? with({"run", "m.yaml", "--quiet", "-o", "broken.h5"}, settings)
                                            : std::vector<std::string>{"resume", "broken.h5", "--quiet"});
    pause(after);
    process.send(SIGKILL);
    const int code = process.wait();
    EXPECT_TRUE(code == 0 || code == 128 + SIGKILL) << code << slurp(file("err"));
    if (std::filesystem::exists(file("broken.h5"))) {
      EXPECT_EQ(command("show broken.h5").exit_code, 0) << "readable at any moment";
    }
    return code != 0;
  }
  void finish_and_compare() const {
    // a run may have died between its last record and its last word
    if (ResultsReader(file("broken.h5")).status() != "finished") {
      const Outcome resumed = command("resume broken.h5 --quiet");
      ASSERT_EQ(resumed.exit_code, 0) << resumed.err;
      EXPECT_EQ(resumed.out + resumed.err, "");
      EXPECT_FALSE(has_checkpoint("broken.h5"));
    }
    EXPECT_EQ(command("compare whole.h5 broken.h5 --tolerance 0").exit_code, 0);
    expect_same_results(file("whole.h5"), file("broken.h5"));
  }
  static std::vector<std::string> with(std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  /// A run that is interrupted from the keyboard as soon as it has a checkpoint.
  void interrupt(const std::vector<std::string>& settings, int signal = SIGINT) const {
    Background process(scratch.path(), with({"run", "m.yaml", "-o", "broken.h5"}, settings));
    ASSERT_TRUE(await(file("broken.h5.checkpoint")));
    process.send(signal);
    ASSERT_EQ(process.wait(), 130) << slurp(file("err"));
  }

  Scratch scratch;
};

// --- killed ----------------------------------------------------------------------------------------------------------

struct Method {
  const char* name;
  std::vector<std::string> settings;
};
class ResumeKilled : public Resume, public ::testing::WithParamInterface<Method> {};

TEST_P(ResumeKilled, AtSeveralRandomInstantsHasTheSameBits) {
  const std::vector<std::string>& settings = GetParam().settings;
  const double duration = run_whole(settings);
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> part(0.15, 0.6);
  int killed = 0;
  for (int k = 0; k < 3; ++k) killed += run_and_kill(settings, part(random) * duration) ? 1 : 0;
  EXPECT_GE(killed, 1);
  finish_and_compare();
}

INSTANTIATE_TEST_SUITE_P(
    Methods, ResumeKilled,
    ::testing::Values(Method{"dopri5", {"--until", "200", "--checkpoint", "3"}},
                      Method{"cvode_adams", {"--integrator", "cvode_adams", "--until", "45", "--checkpoint", "0.7"}},
                      Method{"cvode_bdf", {"--integrator", "cvode_bdf", "--until", "12", "--checkpoint", "0.3"}},
                      Method{"rk4", {"--integrator", "rk4", "--step", "0.004", "--until", "90", "--checkpoint", "1.7"}},
                      Method{"kane",
                             {"--set", "K=9 N*m/rad", "--formulation", "kane", "--until", "60", "--checkpoint", "1"}}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST_F(Resume, HasThePulsesOfJetsBetweenRecordsToo) {
  const std::vector<std::string> settings = {"--until", "40", "--checkpoint", "0.21", "--interval", "0.5"};
  run_whole(settings);
  interrupt(settings);
  finish_and_compare();
  const std::vector<double> thrust = ResultsReader(file("broken.h5")).column("loads/1.thrust"),
                            jet = ResultsReader(file("broken.h5")).column("jet_y");
  const auto on = [](const std::vector<double>& list) {
    return std::ranges::count_if(list, [](double x) { return x != 0; });
  };
  EXPECT_GT(on(thrust), on(jet) + 5) << "most pulses fall between records";
}

TEST_F(Resume, AfterADeathWhileCheckpointsAreWrittenHasTheSameBits) {
  const std::vector<std::string> settings = {"--until", "12", "--checkpoint", "0.03", "--interval", "0.02"};
  const double duration = run_whole(settings);
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> instant(0, duration);
  for (int trial = 0; trial < 6; ++trial) {
    SCOPED_TRACE(trial);
    for (const char* name : {"broken.h5", "broken.h5.checkpoint"}) std::filesystem::remove(file(name));
    run_and_kill(settings, instant(random));
    if (has_checkpoint("broken.h5")) finish_and_compare();
  }
}

TEST_F(Resume, InterruptedAgainAndAgainHasTheSameBits) {
  const std::vector<std::string> settings = {"--until", "20", "--checkpoint", "2"};
  run_whole(settings);
  interrupt(settings);
  for (int k = 0; k < 12 && has_checkpoint("broken.h5"); ++k) {
    Background process(scratch.path(), {"resume", "broken.h5"});
    pause(0.015);
    process.send(SIGINT);
    const int code = process.wait();
    ASSERT_TRUE(code == 0 || code == 130) << code << slurp(file("err"));
  }
  finish_and_compare();
}

// --- interrupted -----------------------------------------------------------------------------------------------------

TEST_F(Resume, GoesOnAfterControlC) {
  const std::vector<std::string> settings = {"--until", "60", "--checkpoint", "2"};
  run_whole(settings);
  interrupt(settings);
  EXPECT_THAT(slurp(file("err")), AllOf(HasSubstr("interrupted at t = "), HasSubstr("broken.h5")));
  EXPECT_TRUE(has_checkpoint("broken.h5"));
  {
    const ResultsReader results(file("broken.h5"));
    EXPECT_THAT(results.status(), HasSubstr("interrupted at t = "));
    EXPECT_GT(results.records(), 20U);
    EXPECT_LT(results.records(), 601U);
  }
  finish_and_compare();
}

TEST_F(Resume, GoesOnWithTheModelAsItWasNotAsItIs) {
  const std::vector<std::string> settings = {"--until", "40",          "--checkpoint", "2",
                                             "--set",   "K=5 N*m/rad", "--tolerance",  "1e-7"};
  run_whole(settings);
  interrupt(settings);
  scratch.write("m.yaml", "something else\n");
  finish_and_compare();
}

TEST_F(Resume, MayGoOnFromAnotherDirectory) {
  const std::vector<std::string> settings = {"--until", "40", "--checkpoint", "2"};
  run_whole(settings);
  interrupt(settings);
  std::filesystem::create_directory(scratch.path() / "elsewhere");
  for (const char* name : {"broken.h5", "broken.h5.checkpoint"}) {
    std::filesystem::rename(file(name), scratch.path() / "elsewhere" / name);
  }
  EXPECT_EQ(run_in("/", "resume --quiet '" + file("elsewhere/broken.h5") + "'").exit_code, 0);
  expect_same_results(file("whole.h5"), file("elsewhere/broken.h5"));
}

TEST_F(Resume, OfARunThatStoppedStopsAgain) {
  std::string text = busy_model;
  text.replace(text.find("drift: {integral: \"roll*pitch\"}"), 31, "drift: {integral: \"sqrt(30.05 - t)\"}");
  scratch.write("m.yaml", text);
  EXPECT_EQ(command("run m.yaml --checkpoint 4 -o whole.h5").exit_code, 3);
  std::filesystem::copy_file(file("whole.h5"), file("broken.h5"));
  std::filesystem::copy_file(file("whole.h5.checkpoint"), file("broken.h5.checkpoint"));
  const Outcome again = command("resume broken.h5");
  EXPECT_EQ(again.exit_code, 3) << again.err;
  EXPECT_THAT(again.err, HasSubstr("stopped at t = 30.05 s"));
  expect_same_results(file("whole.h5"), file("broken.h5"));
}

TEST_F(Resume, AnswersInJsonAndInWords) {
  interrupt({"--until", "30", "--checkpoint", "1"});
  std::filesystem::copy_file(file("broken.h5"), file("other.h5"));
  std::filesystem::copy_file(file("broken.h5.checkpoint"), file("other.h5.checkpoint"));
  const Outcome data = command("resume broken.h5 --json");
  EXPECT_EQ(data.exit_code, 0);
  const json answer = json::parse(data.out, nullptr, false);
  EXPECT_EQ(answer["status"], "finished");
  EXPECT_EQ(answer["t"], 30);
  const Outcome words = command("resume other.h5");
  EXPECT_EQ(words.exit_code, 0);
  EXPECT_THAT(words.out, AllOf(HasSubstr("s simulated in"), HasSubstr("other.h5"), HasSubstr("ledger")));
}

// --- what cannot be resumed ------------------------------------------------------------------------------------------

TEST_F(Resume, AFinishedRunIsRefused) {
  run_whole({"--until", "2", "--checkpoint", "1"});
  const Outcome o = command("resume whole.h5");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("whole.h5"), HasSubstr("finished")));
  EXPECT_THAT(std::string(json::parse(command("resume whole.h5 --json").out, nullptr, false)["error"]),
              HasSubstr("finished"));
}

TEST_F(Resume, ARunWithoutCheckpointsGoesOnFromWhereItWasInterrupted) {
  run_whole({"--until", "100"});
  Background process(scratch.path(), {"run", "m.yaml", "--until", "100", "-o", "broken.h5"});
  ASSERT_TRUE(await(file("broken.h5")));
  process.send(SIGINT);
  ASSERT_EQ(process.wait(), 130);
  EXPECT_FALSE(has_checkpoint("broken.h5"));
  EXPECT_EQ(command("resume broken.h5 --quiet").exit_code, 0);
  EXPECT_EQ(ResultsReader(file("broken.h5")).status(), "finished");
  // Noise, samples and delays go on where they were. The integrator begins anew, so the bits differ.
  EXPECT_EQ(ResultsReader(file("broken.h5")).records(), ResultsReader(file("whole.h5")).records());
  EXPECT_EQ(command("compare whole.h5 broken.h5 --tolerance 1e-3 --floor 1e-3").exit_code, 0)
      << command("compare whole.h5 broken.h5 --tolerance 1e-3 --floor 1e-3").out;
}

TEST_F(Resume, ARunThatWasKilledWithoutCheckpointsIsRefused) {
  Background process(scratch.path(), {"run", "m.yaml", "--until", "2000", "-o", "broken.h5"});
  ASSERT_TRUE(await(file("broken.h5")));
  process.send(SIGKILL);
  ASSERT_EQ(process.wait(), 128 + SIGKILL);
  const Outcome o = command("resume broken.h5");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("no checkpoint"), HasSubstr("--checkpoint")));
}

TEST_F(Resume, WhatIsNoResultsFileIsRefused) {
  EXPECT_THAT(command("resume nothing.h5").err, HasSubstr("nothing.h5"));
  EXPECT_EQ(command("resume nothing.h5").exit_code, 2);
  EXPECT_EQ(command("resume m.yaml").exit_code, 2);
  EXPECT_EQ(command("resume .").exit_code, 2);
  EXPECT_EQ(command("resume").exit_code, 2);
}

TEST_F(Resume, ADamagedCheckpointIsRefusedAndNothingIsTouched) {
  interrupt({"--until", "30", "--checkpoint", "1"});
  const std::string checkpoint = slurp(file("broken.h5.checkpoint")), results = slurp(file("broken.h5"));
  const auto expect_refused = [&](const std::string& bytes, const std::string& what) {
    scratch.write("broken.h5.checkpoint", bytes);
    const Outcome o = command("resume broken.h5");
    EXPECT_EQ(o.exit_code, 2) << what << o.err;
    EXPECT_THAT(o.err, HasSubstr("broken.h5.checkpoint")) << what;
    EXPECT_THAT(o.err, Not(HasSubstr("internal error"))) << what;
    EXPECT_TRUE(slurp(file("broken.h5")) == results) << what;
    if (slurp(file("broken.h5")) != results) scratch.write("broken.h5", results);
  };
  expect_refused("", "empty");
  expect_refused("hello", "text");
  expect_refused(checkpoint.substr(0, 8), "its beginning");
  expect_refused(checkpoint.substr(0, 40), "its head");
  expect_refused(checkpoint.substr(0, checkpoint.size() - 1), "cut");
  expect_refused(checkpoint + "x", "longer");
  for (const std::size_t at : {0U, 7U, 9U, 14U, 16U, 17U, 24U, 33U, 41U, 60U, 500U}) {
    std::string changed = checkpoint;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    expect_refused(changed, "changed at byte " + std::to_string(at));
  }
  scratch.write("broken.h5.checkpoint", checkpoint);
  EXPECT_EQ(command("resume broken.h5 --quiet").exit_code, 0);
}

TEST_F(Resume, ACheckpointOfAnotherVersionIsRefusedAndNothingIsTouched) {
  interrupt({"--until", "30", "--checkpoint", "1"});
  const std::string results = slurp(file("broken.h5"));
  std::string older = slurp(file("broken.h5.checkpoint"));
  older[7] = '1';
  scratch.write("broken.h5.checkpoint", older);
  const Outcome o = command("resume broken.h5");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, AllOf(HasSubstr("broken.h5.checkpoint"), HasSubstr("another version")));
  EXPECT_TRUE(slurp(file("broken.h5")) == results);
}

TEST_F(Resume, ACheckpointOfAnotherRunIsRefused) {
  scratch.write("small.yaml", small_model);
  Background process(scratch.path(), {"run", "small.yaml", "--until", "5000", "--checkpoint", "20"});
  ASSERT_TRUE(await(file("small.h5.checkpoint")));
  process.send(SIGINT);
  ASSERT_EQ(process.wait(), 130);
  interrupt({"--until", "30", "--checkpoint", "1"});
  std::filesystem::copy_file(file("small.h5.checkpoint"), file("broken.h5.checkpoint"),
                             std::filesystem::copy_options::overwrite_existing);
  const Outcome o = command("resume broken.h5");
  EXPECT_EQ(o.exit_code, 2) << o.err;
  EXPECT_THAT(o.err, Not(HasSubstr("internal error")));
}

TEST_F(Resume, ANewRunOfTheSameNameForgetsTheOldCheckpoint) {
  interrupt({"--until", "30", "--checkpoint", "1"});
  EXPECT_EQ(command("run m.yaml --quiet -o broken.h5 --until 1").exit_code, 0);
  EXPECT_FALSE(has_checkpoint("broken.h5"));
}

}  // namespace
}  // namespace gyrostat::testing
