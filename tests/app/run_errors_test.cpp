// gyrostat run with what is wrong: in the model, in the usage, or on the way.
#include <algorithm>
#include <cmath>

#include "app/head.h"

namespace gyrostat::testing {
namespace {

const std::vector<std::string> methods = {"dopri5", "cvode_adams", "cvode_bdf", "rk4 --step 0.01"};

class RunErrors : public ::testing::Test {
 protected:
  RunErrors() { scratch.write("m.yaml", small_model); }
  /// Whatever takes longer than five seconds hangs: exit code 124.
  Outcome command(const std::string& arguments) const { return run_in(scratch.path(), arguments, "timeout 5"); }
  std::string file(const std::string& name) const { return (scratch.path() / name).string(); }

  /// Refused with this exit code and these words, in both languages; nothing is written.
  void expect_refused(const std::string& arguments, int code, const std::string& words) const {
    SCOPED_TRACE(arguments);
    const Outcome o = command("run m.yaml " + arguments);
    EXPECT_EQ(o.exit_code, code) << o.err;
    EXPECT_EQ(o.out, "");
    EXPECT_THAT(o.err, AllOf(HasSubstr(words), Not(HasSubstr("internal error"))));
    EXPECT_FALSE(std::filesystem::exists(file("m.h5")));
    const Outcome data = command("run m.yaml --json " + arguments);
    EXPECT_EQ(data.exit_code, code);
    EXPECT_FALSE(json::parse(data.out, nullptr, false).is_discarded()) << data.out;
    std::filesystem::remove(file("m.h5"));
  }
  /// A body whose torque about x is the signal `push`.
  void push(const std::string& expression, double rate = 0, double duration = 3) const {
    scratch.write("m.yaml",
                  "gyrostat: 1\ntables: {T: {x: [0, 1], y: [0, 1]}}\n"
                  "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
                  "joints: {base: {initial: {omega: [" +
                      std::to_string(rate) + ", 0, 0]}}}\nsignals: {push: " + expression +
                      "}\nloads: [{body: a, torque: [push, 0, 0]}]\nsimulation: {duration: " +
                      std::to_string(duration) + "}\noutput: {interval: 0.01}\n");
  }
  /// Stops at about `t` and says these words on stderr, in the status and in JSON; what was recorded is there.
  void expect_stop(double t, const std::string& words, const std::string& options = "") const {
    SCOPED_TRACE(options);
    const Outcome o = command("run m.yaml " + options);
    ASSERT_EQ(o.exit_code, 3) << o.out << o.err;
    EXPECT_THAT(o.err, AllOf(HasSubstr("m.yaml: stopped at t = "), HasSubstr(words), HasSubstr("is in m.h5")));
    const ResultsReader results(file("m.h5"));
    EXPECT_THAT(results.status(), AllOf(HasSubstr("stopped at t = "), HasSubstr(words)));
    ASSERT_GT(results.records(), 2U);
    EXPECT_NEAR(results.time().back(), t, 0.03);
    for (const results::Column& column : results.columns()) {
      for (const double x : results.column(column.name)) ASSERT_TRUE(std::isfinite(x)) << column.name;
    }
    EXPECT_EQ(command("show m.h5").exit_code, 0);
    const json answer = json::parse(command("run m.yaml --json " + options).out, nullptr, false);
    EXPECT_EQ(answer["status"], "stopped");
    EXPECT_NEAR(answer["t"], t, 0.03);
    EXPECT_THAT(std::string(answer["failure"]), HasSubstr(words));
  }

  Scratch scratch;
};

// --- usage -----------------------------------------------------------------------------------------------------------

TEST_F(RunErrors, NumbersThatMakeNoSense) {
  expect_refused("--until -1", 2, "--until -1: expected a time after 0");
  expect_refused("--until 0", 2, "expected a time after 0");
  expect_refused("--until inf", 2, "expected a time after 0");
  expect_refused("--until nan", 2, "expected a time after 0");
  expect_refused("--interval -0.1", 2, "interval between records must be positive");
  expect_refused("--interval 0", 2, "interval between records must be positive");
  expect_refused("--interval nan", 2, "interval between records must be positive");
  expect_refused("--interval 1e-12", 2, "more than a billion records");
  expect_refused("--tolerance 0", 2, "tolerance must be between 1e-14 and 1");
  expect_refused("--tolerance -1e-6", 2, "tolerance must be between 1e-14 and 1");
  expect_refused("--tolerance 1e-16", 2, "numbers have 16 digits");
  expect_refused("--tolerance 2", 2, "tolerance must be between 1e-14 and 1");
  expect_refused("--tolerance nan", 2, "tolerance must be between 1e-14 and 1");
  expect_refused("--integrator rk4", 2, "needs a step");
  expect_refused("--integrator rk4 --step 0", 2, "step");
  expect_refused("--integrator rk4 --step -0.1", 2, "step");
  expect_refused("--integrator rk4 --step nan", 2, "step");
  expect_refused("--checkpoint -1", 2, "expected the time between checkpoints");
}

TEST_F(RunErrors, NumbersThatAreNone) {
  for (const char* option : {"--until", "--interval", "--tolerance", "--step", "--checkpoint"}) {
    for (const char* value : {" soon", "", " 1s"}) {
      const Outcome o = command("run m.yaml " + std::string(option) + value);
      EXPECT_EQ(o.exit_code, 2) << option << value << o.out;
      EXPECT_THAT(o.err, HasSubstr(option));
    }
  }
}

TEST_F(RunErrors, AnInfiniteIntervalOrCheckpointIsNoNumberOfSeconds) {
  expect_refused("--interval inf", 2, "interval");
  expect_refused("--checkpoint nan", 2, "--checkpoint");
  expect_refused("--checkpoint inf", 2, "--checkpoint");
}

TEST_F(RunErrors, WhatDoesNotExistComesWithWhatDoes) {
  expect_refused("--formulation newton", 2, "articulated_body, composite_body, kane");
  expect_refused("--integrator euler", 2, "cvode_adams, cvode_bdf, dopri5, rk4");
  expect_refused("--set nix=3", 1, "--set nix: the model has no such parameter");
  expect_refused("--integrator ida --formulation kane", 2, "ida solves the equations of articulated_body");
  EXPECT_EQ(command("run nowhere.yaml").exit_code, 1);
  EXPECT_EQ(command("run").exit_code, 2);
  EXPECT_EQ(command("run m.yaml --nix").exit_code, 2);
  EXPECT_EQ(command("run m.yaml more.yaml").exit_code, 2);
  EXPECT_EQ(command("run m.yaml --set K").exit_code, 2);
}

TEST_F(RunErrors, PlacesWhereNothingCanBeWritten) {
  std::filesystem::create_directory(file("folder"));
  expect_refused("-o nowhere/x.h5", 2, "directory 'nowhere' does not exist");
  expect_refused("-o folder", 2, "folder: is a directory");
  expect_refused("-o /proc/x.h5", 2, "/proc/x.h5: cannot be written");
  expect_refused("-o /dev/null", 2, "/dev/null: is not a regular file");
  const Outcome o = command("run m.yaml --csv nowhere/x.csv");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, HasSubstr("nowhere/x.csv: directory 'nowhere' does not exist"));
}

TEST_F(RunErrors, TheModelIsNeverOverwritten) {
  for (const std::string options :
       {"-o m.yaml", "-o ./m.yaml", "-o link", "--csv m.yaml", "--csv ./m.yaml", "--csv link"}) {
    std::error_code ignored;
    std::filesystem::create_symlink("m.yaml", file("link"), ignored);
    const Outcome o = command("run m.yaml " + options);
    EXPECT_EQ(o.exit_code, 2) << options;
    EXPECT_THAT(o.err, Not(HasSubstr("internal error")));
    EXPECT_TRUE(slurp(file("m.yaml")) == small_model) << options;
    scratch.write("m.yaml", small_model);
  }
  scratch.write("model.h5", small_model);
  EXPECT_EQ(command("run model.h5").exit_code, 2);
  EXPECT_TRUE(slurp(file("model.h5")) == small_model);
}

TEST_F(RunErrors, OtherFilesThanResultsAreNotOverwritten) {
  scratch.write("notes", "do not lose this\n");
  expect_refused("-o notes", 2, "not a results file");
  EXPECT_EQ(slurp(file("notes")), "do not lose this\n");
}

TEST_F(RunErrors, TextAndResultsAreTwoFiles) {
  const Outcome o = command("run m.yaml -o out --csv out");
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_THAT(o.err, HasSubstr("out: is the results file too"));
}

TEST_F(RunErrors, APlaceForCheckpointsThatIsTakenIsNoInternalError) {
  std::filesystem::create_directories(file("m.h5.checkpoint/inside"));
  const Outcome o = command("run m.yaml --checkpoint 0.5");
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_THAT(o.err, AllOf(HasSubstr("m.h5.checkpoint"), Not(HasSubstr("internal error"))));
}

TEST_F(RunErrors, AFullDiskIsNamed) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  const Outcome o = command("run m.yaml --csv /dev/full");
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_THAT(o.err, AllOf(HasSubstr("/dev/full"), HasSubstr("No space left")));
}

// --- the model -------------------------------------------------------------------------------------------------------

TEST_F(RunErrors, AModelWithoutDuration) {
  scratch.write("m.yaml", small_model.substr(0, small_model.find("simulation:")));
  expect_refused("", 1, "simulation.duration is missing or zero; give it in the file or by --until SECONDS");
}

TEST_F(RunErrors, AWrongModelIsReportedAsByCheck) {
  scratch.write("m.yaml", "gyrostat: 1\nbodies: {a: {mass: -1, inertia: [1, 1, 1]}}\nsimulation: {duration: 1}\n");
  expect_refused("", 1, "m.yaml:2:20: error: bodies.a.mass: a mass cannot be negative\n");
  EXPECT_EQ(command("run m.yaml").err, command("check m.yaml").err);
}

TEST_F(RunErrors, LoopsThatCannotBeClosedAreNamed) {
  const std::string loop = R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  j: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}
  k: {type: revolute, parent: a, child: b, axis: [0, 0, 1], parent_point: [1, 0, 0]}
  l: {type: revolute, parent: b, child: world, axis: [0, 0, 1], parent_point: [1, 0, 0], child_point: [5, 0, 0],
    cut: true}
simulation: {duration: 1}
)";
  scratch.write("m.yaml", loop);
  const Outcome o = command("run m.yaml");
  EXPECT_EQ(o.exit_code, 3);
  EXPECT_THAT(
      o.err, AllOf(HasSubstr("the constraints cannot be satisfied: 'l' is 3 away"), HasSubstr("Nothing was recorded")));
}

TEST_F(RunErrors, AFormulationThatDoesNotTakeTheModelSaysWhy) {
  scratch.write("m.yaml", R"--(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints: {s: {type: prismatic, parent: a, child: b, axis: [1, 0, 0]}}
simulation: {duration: 1, formulation: augmented_body}
)--");
  const Outcome o = command("run m.yaml");
  EXPECT_EQ(o.exit_code, 1) << o.out;
  EXPECT_THAT(o.err, HasSubstr("m.yaml: formulation augmented_body does not take this model: "));
  EXPECT_EQ(command("run m.yaml --formulation linear_total").exit_code, 2);
}

// --- on the way ------------------------------------------------------------------------------------------------------

TEST_F(RunErrors, ATableAskedOutsideItsRangeIsNamed) {
  push("\"table(T, t)\"");
  for (const std::string& method : methods) expect_stop(1, "push", "--integrator " + method);
}

TEST_F(RunErrors, ATableOfTheStateAskedOutsideItsRangeIsNamed) {
  push("\"table(T, 0.5 + a.omega_x)\"");
  for (const std::string& method : methods) expect_stop(std::log(2), "push", "--integrator " + method);
}

TEST_F(RunErrors, ARootOfANegativeNumberEndsTheRunAndIsNamed) {
  push("\"sqrt(1.05 - t)\"");
  for (const std::string& method : methods) expect_stop(1.05, "push", "--integrator " + method);
}

TEST_F(RunErrors, APoleEndsTheRun) {
  push("\"1/(0.3 - t)\"");
  for (const char* method : {"dopri5", "cvode_adams", "cvode_bdf"})
    expect_stop(0.3, "", "--integrator " + std::string(method));
}

TEST_F(RunErrors, ChatteringIsNamed) {
  push("\"-sign(a.omega_x)\"", 0.5);
  for (const std::string& method : methods) expect_stop(0.5, "signals.push chatters", "--integrator " + method);
}

TEST_F(RunErrors, ALimitedPidIsNoChatter) {
  push("{pid: {input: \"1.5 - 0.2*t\", kp: 1, ki: 1, low: -1, high: 1}}", 0, 12);
  for (const std::string& method : methods) {
    const Outcome o = command("run m.yaml --integrator " + method);
    EXPECT_EQ(o.exit_code, 0) << method << o.err;
  }
}

TEST_F(RunErrors, GimbalLockIsNamed) {
  scratch.write("m.yaml", R"--(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints:
  ring: {type: gimbal, parent: world, child: a, axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    initial: {angles: [0, 1, 0]}, stiffness: [0, 9, 0], rest: [0, 90 deg, 0], damping: [0, 6, 0]}
simulation: {duration: 30}
output: {interval: 0.01}
)--");
  const Outcome o = command("run m.yaml");
  EXPECT_EQ(o.exit_code, 3) << o.out << o.err;
  EXPECT_THAT(o.err, AllOf(HasSubstr("ring"), HasSubstr("gimbal lock")));
  EXPECT_THAT(ResultsReader(file("m.h5")).status(), HasSubstr("gimbal lock"));
  EXPECT_GT(ResultsReader(file("m.h5")).records(), 50U);
}

// --- interrupted -----------------------------------------------------------------------------------------------------

TEST_F(RunErrors, ControlCFinishesCleanly) {
  for (const int signal : {SIGINT, SIGTERM}) {
    std::filesystem::remove(file("m.h5"));
    Background process(scratch.path(), {"run", "m.yaml", "--until", "1e6", "--interval", "10", "--csv", "m.csv"});
    ASSERT_TRUE(await(file("m.h5")));
    pause(0.2);
    process.send(signal);
    EXPECT_EQ(process.wait(), 130);
    EXPECT_THAT(slurp(file("err")), AllOf(HasSubstr("interrupted at t = "), HasSubstr("m.h5")));
    const ResultsReader results(file("m.h5"));
    EXPECT_THAT(results.status(), HasSubstr("interrupted at t = "));
    EXPECT_GT(results.records(), 1U);
    EXPECT_EQ(command("show m.h5").exit_code, 0);
    const std::string csv = slurp(file("m.csv"));
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(csv, '\n')), results.records() + 1);
    EXPECT_FALSE(std::filesystem::exists(file("m.h5.partial")));
  }
}

TEST_F(RunErrors, ControlCInJson) {
  Background process(scratch.path(), {"run", "m.yaml", "--until", "1e6", "--interval", "10", "--json"});
  ASSERT_TRUE(await(file("m.h5")));
  pause(0.1);
  process.send(SIGINT);
  EXPECT_EQ(process.wait(), 130);
  const json answer = json::parse(slurp(file("out")), nullptr, false);
  EXPECT_EQ(answer["status"], "interrupted");
  EXPECT_EQ(slurp(file("err")), "");
}

TEST_F(RunErrors, AKilledRunIsReadableAsFarAsItCame) {
  Background process(scratch.path(), {"run", "m.yaml", "--until", "1e6", "--interval", "10"});
  ASSERT_TRUE(await(file("m.h5")));
  pause(1.3);
  process.send(SIGKILL);
  EXPECT_EQ(process.wait(), 128 + SIGKILL);
  const ResultsReader results(file("m.h5"));
  EXPECT_EQ(results.status(), "running");
  EXPECT_GT(results.records(), 10U);
  EXPECT_EQ(command("show m.h5").exit_code, 0);
}

}  // namespace
}  // namespace gyrostat::testing
