// What the command line takes and what it answers where it is misused.
#include "gyrostat/dynamics/formulation.h"
#include "gyrostat/format/format.h"
#include "gyrostat/simulate/integrator.h"

#include "app/head.h"

namespace gyrostat::testing {
namespace {

TEST(Usage, HelpListsTheCommands) {
  for (const char* option : {"--help", "-h"}) {
    const Outcome o = run(option);
    EXPECT_EQ(o.exit_code, 0);
    EXPECT_EQ(o.err, "");
    for (const char* word : {"check", "info", "schema",
                             "Exit codes: 0 done, 1 the model is wrong, 2 the usage is wrong, 3 the simulation or a "
                             "write could not go on, "
                             "130 interrupted."})
      EXPECT_THAT(o.out, HasSubstr(word));
  }
}

TEST(Usage, VersionIsOneLine) {
  const Outcome o = run("--version");
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_THAT(o.out, MatchesRegex("gyrostat [0-9]+\\.[0-9]+\\.[0-9]+\n"));
  EXPECT_EQ(o.err, "");
}

TEST(Usage, EachCommandHasHelp) {
  for (const std::string command : {"check", "info"}) {
    const Outcome o = run(command + " --help");
    EXPECT_EQ(o.exit_code, 0);
    EXPECT_EQ(o.err, "");
    for (const char* word : {"FILE", "--set", "NAME=VALUE", "--json"}) EXPECT_THAT(o.out, HasSubstr(word)) << command;
  }
  const Outcome o = run("schema --help");
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_THAT(o.out, HasSubstr("JSON Schema"));
}

TEST(Usage, HelpOfRunListsFormulationsAndIntegrators) {
  const std::string help = run("run --help").out;
  for (const std::string_view name : formulation_names) EXPECT_THAT(help, HasSubstr(std::string(name)));
  for (const std::string_view name : integrator_names) EXPECT_THAT(help, HasSubstr(std::string(name)));
}

/// A usage error says what is wrong on stderr and nothing on stdout.
void expect_usage_error(const std::string& arguments, const std::string& said) {
  SCOPED_TRACE("gyrostat " + arguments);
  const Outcome o = run(arguments);
  EXPECT_EQ(o.exit_code, 2);
  EXPECT_EQ(o.out, "");
  EXPECT_THAT(o.err, HasSubstr(said));
}

TEST(Usage, WithoutACommandIsAnError) { expect_usage_error("", "subcommand is required"); }

TEST(Usage, AnUnknownCommandIsNamed) {
  expect_usage_error("frobnicate", "frobnicate");
  expect_usage_error("chekc " + five_body, "chekc");
}

TEST(Usage, AnUnknownOptionIsNamed) {
  expect_usage_error("--frobnicate", "--frobnicate");
  expect_usage_error("check --frobnicate " + five_body, "--frobnicate");
  expect_usage_error("info --frobnicate " + five_body, "--frobnicate");
}

TEST(Usage, AModelCommandNeedsAFile) {
  expect_usage_error("check", "FILE is required");
  expect_usage_error("info", "FILE is required");
  expect_usage_error("check --json", "FILE is required");
}

TEST(Usage, AModelCommandTakesOneFile) { expect_usage_error("check " + five_body + " other.yaml", "other.yaml"); }

TEST(Usage, SetNeedsANameAndAValue) {
  expect_usage_error("check " + five_body + " --set slew", "expected NAME=VALUE, got 'slew'");
  expect_usage_error("info " + five_body + " --set =3", "expected NAME=VALUE, got '=3'");
  expect_usage_error("check " + five_body + " --set", "--set");
}

TEST(Usage, SchemaTakesNoFile) { expect_usage_error("schema " + five_body, "five_body.yaml"); }

TEST(Usage, SetMayStandBeforeTheFile) {
  EXPECT_EQ(run("check --set slew=2 " + five_body).exit_code, 0);
  EXPECT_EQ(run("check --set slew=2 --set deadband=0.1 " + five_body).exit_code, 0);
}

TEST(Schema, IsJsonOnStdout) {
  const Outcome o = run("schema");
  EXPECT_EQ(o.exit_code, 0);
  EXPECT_EQ(o.err, "");
  const nlohmann::json schema = nlohmann::json::parse(o.out, nullptr, false);
  ASSERT_FALSE(schema.is_discarded());
  EXPECT_TRUE(schema.contains("$schema"));
  EXPECT_TRUE(schema["properties"].contains("bodies"));
}

TEST(Usage, AFullDiskIsNotSuccess) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const int status = std::system("'" GYROSTAT_PROGRAM "' schema >/dev/full 2>/dev/null");
  EXPECT_NE(status, 0);
}

}  // namespace
}  // namespace gyrostat::testing
