// `gyrostat derive --form scalar` as a user runs it.
#include <gmock/gmock.h>

#include "support/program.h"

namespace gyrostat::testing {
namespace derive_scalar_test {

using ::testing::HasSubstr;

const std::string five_body = " '" GYROSTAT_SOURCE_DIR "/examples/five_body/five_body.yaml'";
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

TEST(DeriveScalar, RefusesWhatDoesNotGoTogetherOrHasNoForm) {
  const Outcome loop = run("derive" + four_bar + " --form scalar --format c --jacobian");
  EXPECT_EQ(loop.exit_code, 1);
  EXPECT_THAT(loop.err, HasSubstr("closes a loop, so not all coordinates are independent"));
  const Outcome jacobian = run("derive" + five_body + " --form scalar --jacobian");
  EXPECT_EQ(jacobian.exit_code, 2);
  EXPECT_THAT(jacobian.err, HasSubstr("--jacobian: A and B are written by --format c and --format python"));
  EXPECT_EQ(run("derive" + five_body + " --form scalar --format c --ascii").exit_code, 2);
  EXPECT_EQ(run("derive" + five_body + " --form scalar --format fortran").exit_code, 2);
  EXPECT_EQ(run("derive --form scalar").exit_code, 2);
  EXPECT_EQ(run("derive no_such_file.yaml --form scalar").exit_code, 1);
}

}  // namespace derive_scalar_test
}  // namespace gyrostat::testing
