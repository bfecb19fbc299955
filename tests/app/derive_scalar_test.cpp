// `gyrostat derive --form scalar` as a user runs it.
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "support/program.h"

namespace gyrostat::testing {
namespace derive_scalar_test {

using ::testing::HasSubstr;

const std::string five_body = " '" GYROSTAT_SOURCE_DIR "/examples/five_body/five_body.yaml'";
const std::string dumbbell = " '" GYROSTAT_SOURCE_DIR "/examples/dumbbell/dumbbell.yaml'";
const std::string four_bar = " '" GYROSTAT_SOURCE_DIR "/examples/four_bar/four_bar.yaml'";

TEST(DeriveScalar, PrintsEveryFormat) {
  const std::pair<const char*, const char*> formats[] = {{"text", "M[1,1] = "},
                                                         {"latex", "\\begin{align*}"},
                                                         {"html", "<math"},
                                                         {"json", "\"nodes\""},
                                                         {"c", "_accelerations(const double *p"},
                                                         {"python", "def accelerations(p, q, u, t, s):"}};
  for (const auto& [format, part] : formats) {
    const Outcome outcome = run("derive" + five_body + " --form scalar --format " + format);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr(part)) << format;
    EXPECT_THAT(outcome.out, HasSubstr("gyrostat derive"));
  }
}

TEST(DeriveScalar, WritesAFileAndCounts) {
  const Scratch scratch;
  const std::string file = (scratch.path() / "five.c").string();
  const Outcome outcome = run("derive" + five_body + " --form scalar --format c --jacobian -o '" + file + "'");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("five.c: written, 10 free speeds, "));
  EXPECT_THAT(outcome.out, HasSubstr("accelerations: "));
  EXPECT_THAT(slurp(file), HasSubstr("_jacobian("));
  const Outcome json = run("derive" + five_body + " --form scalar --format c --json --force -o '" + file + "'");
  EXPECT_EQ(json.exit_code, 0) << json.err;
  const nlohmann::json said = nlohmann::json::parse(json.out, nullptr, false);
  ASSERT_TRUE(said.is_object()) << json.out;
  EXPECT_EQ(said["file"], file);
  EXPECT_EQ(said["free_speeds"], 10);
  EXPECT_GT(said["operations"]["accelerations"], 100);
  // its own file is replaced, another one not
  EXPECT_EQ(run("derive" + five_body + " --form scalar --format c -o '" + file + "'").exit_code, 0);
  const std::string other = scratch.write("notes.c", "int mine;\n");
  EXPECT_EQ(run("derive" + five_body + " --form scalar --format c -o '" + other + "'").exit_code, 2);
  EXPECT_EQ(slurp(other), "int mine;\n");
}

/// A parameter is one of the printed functions', and --set changes its value there.
TEST(DeriveScalar, KeepsTheParametersOfTheModel) {
  const Scratch scratch;
  const std::string model = scratch.write("m.yaml", R"(gyrostat: 1
parameters: {m1: 2 kg, m2: 3*m1}
bodies:
  a: {mass: m2, inertia: [m1, 2, 2], com: [0.5, 0, 0]}
joints:
  hinge: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}
environment: {gravity: {uniform: [0, -9.81, 0]}}
)");
  const Outcome outcome = run("derive '" + model + "' --form scalar --set m1=2.5 --ascii");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("  m1      m1                             2.5\n"));
  EXPECT_THAT(outcome.out, HasSubstr("3*m1"));
  EXPECT_THAT(outcome.out, ::testing::Not(HasSubstr("a.mass")));
}

TEST(DeriveScalar, PrintsDerivativesInEveryFormatWithLoopsAndWithout) {
  const std::pair<const char*, const char*> formats[] = {{"text", "R[1,4] = "},     {"latex", "R_{1,4} &= "},
                                                         {"html", "<mi>R</mi>"},    {"json", "\"derivatives\""},
                                                         {"c", "_jacobian(const "}, {"python", "def jacobian(p, "}};
  for (const std::string& model : {dumbbell, four_bar}) {
    for (const auto& [format, part] : formats) {
      const Outcome outcome = run("derive" + model + " --form scalar --jacobian --format " + format);
      EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
      EXPECT_THAT(outcome.out, HasSubstr(part)) << format;
    }
  }
}

/// Code that a compiler takes long for is announced on stderr, with its size; other formats are not compiled.
TEST(DeriveScalar, WarnsOfCodeThatIsLongToCompile) {
  const std::string ten_body = " '" GYROSTAT_SOURCE_DIR "/examples/ten_body/ten_body.yaml'";
  const Outcome large = run("derive" + ten_body + " --form scalar --jacobian --format c");
  EXPECT_EQ(large.exit_code, 0);
  EXPECT_THAT(large.err, HasSubstr("warning: 28992 operations in one function (A and B"));
  EXPECT_THAT(large.err, HasSubstr("leave out --jacobian (4511 operations)"));
  EXPECT_EQ(run("derive" + ten_body + " --form scalar --format c").err.find("warning"), std::string::npos);
  EXPECT_EQ(run("derive" + ten_body + " --form scalar --jacobian --format json").err.find("warning"),
            std::string::npos);
}

TEST(DeriveScalar, RefusesWhatDoesNotGoTogetherOrHasNoForm) {
  EXPECT_EQ(run("derive" + five_body + " --form scalar --format c --ascii").exit_code, 2);
  EXPECT_EQ(run("derive" + five_body + " --form scalar --format fortran").exit_code, 2);
  EXPECT_EQ(run("derive --form scalar").exit_code, 2);
  EXPECT_EQ(run("derive no_such_file.yaml --form scalar").exit_code, 1);
}

}  // namespace derive_scalar_test
}  // namespace gyrostat::testing
