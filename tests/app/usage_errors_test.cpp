// A misspelt command or option: the message names the nearest that exists.
#include "app/head.h"

namespace gyrostat::testing {
namespace {

void expect_said(const std::string& arguments, const std::string& said) {
  SCOPED_TRACE("gyrostat " + arguments);
  const Outcome o = run(arguments);
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_EQ(o.err, said);
}

const std::string see_commands = "\nRun 'gyrostat --help' for the commands.\n";

std::string see(const std::string& command) { return "\nRun 'gyrostat " + command + " --help' for its options.\n"; }

TEST(Misspelt, ACommandGetsTheNearest) {
  expect_said("chek m.yaml", "unknown command 'chek'; did you mean 'check'?" + see_commands);
  expect_said("rnu m.yaml --until 3", "unknown command 'rnu'; did you mean 'run'?" + see_commands);
  expect_said("RUN m.yaml", "unknown command 'RUN'; did you mean 'run'?" + see_commands);
  expect_said("frobnicate", "unknown command 'frobnicate'" + see_commands);
}

TEST(Misspelt, AnOptionGetsTheNearest) {
  const std::string said = "unknown option '--intervall' of 'run'; did you mean '--interval'?" + see("run");
  expect_said("run --intervall 3 m.yaml", said);
  expect_said("run m.yaml --intervall 3", said);
  expect_said("run m.yaml --intervall=3", said);
  expect_said("run --intervall=3", said);  // that FILE is missing too is the smaller problem
  expect_said("show r.h5 --event", "unknown option '--event' of 'show'; did you mean '--events'?" + see("show"));
  expect_said("--versoin", "unknown option '--versoin'; did you mean '--version'?" + see_commands);
  expect_said("check m.yaml --frobnicate", "unknown option '--frobnicate' of 'check'" + see("check"));
}

TEST(Misspelt, OneDashForTwoIsSeen) {
  expect_said("run m.yaml -until 3", "unknown option '-until' of 'run'; did you mean '--until'?" + see("run"));
}

TEST(Misspelt, AnOptionBeforeItsCommandIsSentBehindIt) {
  expect_said("--json check m.yaml",
              "the option '--json' belongs to commands: write it after the command" + see_commands);
}

TEST(Misspelt, AnArgumentTooManyIsAnsweredWithTheUsage) {
  expect_said("check a.yaml b.yaml",
              "unexpected argument 'b.yaml': the usage is 'gyrostat check [OPTIONS] FILE'" + see("check"));
}

TEST(Misspelt, HiddenOptionsAreNotSuggested) {
  expect_said("report r.h5 --templat x", "unknown option '--templat' of 'report'" + see("report"));
}

}  // namespace
}  // namespace gyrostat::testing
