// gyrostat derive: what it prints and writes, and what it says of wrong use.
#include "app/head.h"

namespace gyrostat::testing {
namespace derive_test {

const std::string craft = R"(gyrostat: 1
name: A bus with a hub
bodies:
  bus: {mass: 410, inertia: [180, 316, 440]}
  hub: {mass: 6.8, com: [0, 0, 0.75], inertia: [0.35, 0.35, 0.1]}
joints:
  pan: {type: revolute, parent: bus, child: hub, parent_point: [0, 0, -1.5], axis: [0, 0, 1], stiffness: 3500}
)";

class Derive : public ::testing::Test {
 protected:
  Derive() { scratch.write("hub.yaml", craft); }
  Outcome command(const std::string& arguments) const { return run_in(scratch.path(), "derive " + arguments); }
  std::string file(const std::string& name) const { return slurp(scratch.path() / name); }

  Scratch scratch;
};

TEST_F(Derive, PrintsTheEquations) {
  const Outcome o = command("hub.yaml");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_EQ(o.err, "");
  EXPECT_THAT(o.out, StartsWith("A bus with a hub: equations of motion\n====="));
  EXPECT_THAT(o.out, HasSubstr("\n   └─ pan -> hub (revolute, 6.8 kg)\n"));
  EXPECT_THAT(o.out, HasSubstr("  τ_pan = −K_pan θ_pan\n"));
  EXPECT_THAT(o.out, HasSubstr("ω̇_bus·X_base,pan + X_pan·ω̃̇_pan + μ_pan × ζ°°_base"));
  EXPECT_THAT(o.out, HasSubstr("no body carries a wheel"));
  EXPECT_EQ(command("hub.yaml --form vector --format text").out, o.out);
}

TEST_F(Derive, PrintsOneBodyPlainCharactersAndExplanations) {
  const Outcome o = command("hub.yaml --for hub --ascii --terms");
  EXPECT_EQ(o.exit_code, 0) << o.err;
  EXPECT_THAT(o.out, HasSubstr("omegadot_bus . X_base,pan"));
  EXPECT_THAT(o.out, HasSubstr("Springs, dampers and motors of pan."));
  EXPECT_THAT(o.out, Not(HasSubstr("Translation")));
  for (const char c : o.out) ASSERT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7F));
}

TEST_F(Derive, TakesTheFormatFromTheNameOfTheFile) {
  for (const auto& [name, begin] : std::vector<std::pair<std::string, std::string>>{{"a.tex", "% gyrostat derive"},
                                                                                    {"a.html", "<!DOCTYPE html>"},
                                                                                    {"a.json", "{\n \"format\""},
                                                                                    {"a.txt", "A bus with a hub"}}) {
    const Outcome o = command("hub.yaml -o " + name);
    EXPECT_EQ(o.exit_code, 0) << o.err;
    EXPECT_THAT(o.out, StartsWith(name + ": written, "));
    EXPECT_THAT(file(name), StartsWith(begin));
    EXPECT_EQ(command("hub.yaml -o " + name).exit_code, 0) << "one that Gyrostat wrote is replaced";
  }
  EXPECT_EQ(command("hub.yaml --format latex -o b.txt").exit_code, 0);
  EXPECT_THAT(file("b.txt"), StartsWith("% gyrostat derive"));
  EXPECT_THAT(command("hub.yaml --json").out, StartsWith("{\n \"format\": \"gyrostat derive vector 1\""));
}

TEST_F(Derive, ReplacesNothingThatItDidNotWrite) {
  scratch.write("thesis.tex", "\\documentclass{book}");
  const Outcome o = command("hub.yaml -o thesis.tex");
  EXPECT_NE(o.exit_code, 0);
  EXPECT_THAT(o.err, HasSubstr("thesis.tex: exists and is not a file of equations that Gyrostat wrote"));
  EXPECT_EQ(file("thesis.tex"), "\\documentclass{book}");
  EXPECT_EQ(command("hub.yaml -o hub.yaml").exit_code, 2);
  EXPECT_EQ(file("hub.yaml"), craft);
  EXPECT_EQ(command("hub.yaml -o thesis.tex --force").exit_code, 0);
  EXPECT_THAT(file("thesis.tex"), StartsWith("% gyrostat derive"));
}

TEST_F(Derive, SaysWhatIsWrongWithItsUse) {
  scratch.write("wrong.yaml", "gyrostat: 1\nbodies: {bus: {mass: -1}}\n");
  scratch.write("bends.yaml", R"(gyrostat: 1
bodies:
  bus: {mass: 100, inertia: [50, 60, 70]}
  panel:
    flexible: {beam: {from: [0, 0, 0], to: [0, 6, 0], elements: 6, mass_per_length: 1.2, EI: [4000, 9000], GJ: 800}}
joints:
  base: {}
  hinge: {type: revolute, parent: bus, child: panel.root, parent_point: [0, 1, 0], axis: [1, 0, 0], stiffness: 10}
)");
  struct Wrong {
    std::string arguments;
    int code;
    std::string message;
  };
  for (const Wrong& w :
       std::vector<Wrong>{{"", 2, "FILE is required"},
                          {"none.yaml", 1, "none.yaml"},
                          {"wrong.yaml", 1, "mass"},
                          {"hub.yaml --form matrix", 2, "--form: there is no matrix; there are vector, scalar"},
                          {"hub.yaml --form vectro", 2, "did you mean 'vector'?"},
                          {"hub.yaml --format pdf", 2, "there are text, latex, html, json, c, python"},
                          {"hub.yaml --format latx", 2, "did you mean 'latex'?"},
                          {"hub.yaml --format c", 2, "--format c needs --form scalar"},
                          {"hub.yaml -o code.py", 2, "--format python needs --form scalar"},
                          {"hub.yaml --jacobian", 2, "--jacobian needs --form scalar"},
                          {"hub.yaml --ascii --format html", 2, "--ascii is of text, and the format is html"},
                          {"hub.yaml --terms --format json", 2, "JSON has the sentences always"},
                          {"hub.yaml --for hubb", 2, "--for: there is no body 'hubb'; did you mean 'hub'?"},
                          {"hub.yaml --for world", 2, "there is no body 'world'"},
                          {"hub.yaml --form scalar --for hub", 2, "--for is of the vector form"},
                          {"hub.yaml --form scalar --terms", 2, "--terms is of the vector form"},
                          {"hub.yaml -o no/such/folder.txt", 2, "directory 'no/such' does not exist"},
                          {"hub.yaml --fro hub", 2, "--for"},
                          {"bends.yaml", 1, "body 'panel' bends"}}) {
    const Outcome o = command(w.arguments);
    EXPECT_EQ(o.exit_code, w.code) << w.arguments << "\n" << o.err;
    EXPECT_THAT(o.err, HasSubstr(w.message)) << w.arguments;
    EXPECT_EQ(o.out, "") << w.arguments;
  }
}

}  // namespace derive_test
}  // namespace gyrostat::testing
