// Parameters: constants in terms of each other, and values given from outside.
#include <numbers>

#include "support/problem_case.h"

namespace gyrostat {
namespace {

using std::numbers::pi;
using testing::description_of;
using testing::named;
using testing::problems_of;

const std::string bodies = "bodies: {a: {mass: M, inertia: [1, 1, 1]}}\n";

TEST(Parameters, MayBeDefinedInTermsOfEachOtherInAnyOrder) {
  const Description d = description_of("gyrostat: 1\n" + bodies +
                                       "parameters:\n"
                                       "  M: 2*half + small\n"
                                       "  half: small^2\n"
                                       "  small: 3\n");
  EXPECT_EQ(d.bodies.at(0).mass, 21);
  EXPECT_EQ(named(d.parameters, "half").value.value, 9);
  EXPECT_EQ(d.parameters.at(0).name, "M");
}

TEST(Parameters, MayFollowWhatUsesThem) {
  EXPECT_EQ(description_of("gyrostat: 1\n" + bodies + "parameters: {M: 4}\n").bodies.at(0).mass, 4);
}

TEST(Parameters, KeepTheirUnits) {
  const Description d =
      description_of("gyrostat: 1\n" + bodies + "parameters: {M: 4000 g, W: 1 deg/s, R: 2*pi/T, T: 1 min}\n");
  EXPECT_EQ(d.bodies.at(0).mass, 4);
  EXPECT_DOUBLE_EQ(named(d.parameters, "W").value.value, pi / 180);
  EXPECT_DOUBLE_EQ(named(d.parameters, "R").value.value, 2 * pi / 60);
}

TEST(Parameters, MayUseEveryFunctionOfConstants) {
  const Description d = description_of(
      "gyrostat: 1\n" + bodies +
      "parameters: {M: 'max(1, sqrt(16), min(2, 3))', A: deg(180), B: 'clamp(5, 0, 1)', C: '1 < 2 ? 10 : 20'}\n");
  EXPECT_EQ(d.bodies.at(0).mass, 4);
  EXPECT_DOUBLE_EQ(named(d.parameters, "A").value.value, pi);
  EXPECT_EQ(named(d.parameters, "B").value.value, 1);
  EXPECT_EQ(named(d.parameters, "C").value.value, 10);
}

TEST(Overrides, ReplaceTheValueInTheFile) {
  const std::string text = "gyrostat: 1\n" + bodies + "parameters: {M: 2*K, K: 1 kg}\n";
  EXPECT_EQ(description_of(text).bodies.at(0).mass, 2);
  EXPECT_EQ(description_of(text, {{"K", "5"}}).bodies.at(0).mass, 10);
  EXPECT_EQ(description_of(text, {{"K", "500 g"}}).bodies.at(0).mass, 1);
  EXPECT_EQ(description_of(text, {{"M", "K + 2"}}).bodies.at(0).mass, 3);
  EXPECT_EQ(description_of(text, {{"K", "5"}, {"K", "7"}}).bodies.at(0).mass, 14);
}

TEST(Overrides, ReplaceAValueThatCouldNotBeRead) {
  EXPECT_EQ(description_of("gyrostat: 1\n" + bodies + "parameters: {M: }\n", {{"M", "5"}}).bodies.at(0).mass, 5);
}

struct OverrideCase {
  const char* name;
  Override override;
  const char* problems;
};
void PrintTo(const OverrideCase& c, std::ostream* stream) { *stream << c.override.name << "=" << c.override.value; }

class OverrideProblems : public ::testing::TestWithParam<OverrideCase> {};

TEST_P(OverrideProblems, NameTheOptionInsteadOfAPlace) {
  const std::string text = "gyrostat: 1\n" + bodies + "parameters: {M: 2*mass, mass: 1 kg}\n";
  EXPECT_EQ(problems_of(text, {GetParam().override}), GetParam().problems);
}

const OverrideCase override_cases[] = {
    {"UnknownParameter",
     {"mas", "1"},
     "m.yaml: error: --set mas: the model has no such parameter; did you mean 'mass'?\n"},
    {"UnknownParameterLikeNoOther", {"zebra", "1"}, "m.yaml: error: --set zebra: the model has no such parameter\n"},
    {"EmptyValue",
     {"mass", ""},
     "m.yaml: error: --set mass: expected a number, a name or '(', but the expression ends\n"},
    {"ValueThatIsNoNumber", {"mass", "heavy"}, "m.yaml: error: --set mass: no parameter 'heavy'\n"},
    {"ValueThatIsNoExpression",
     {"mass", "1 +"},
     "m.yaml: error: --set mass: expected a number, a name or '(', but the expression ends\n"},
    {"UnknownUnit", {"mass", "1 kgs"}, "m.yaml: error: --set mass: unknown unit 'kgs'; did you mean 'kg'?\n"},
    {"NotFinite", {"mass", "nan"}, "m.yaml: error: --set mass: expected a finite number, got 'nan'\n"},
    {"Cycle", {"mass", "M"}, "m.yaml:3:17: error: parameters.M: defined in terms of itself: M -> mass -> M\n"},
    {"WrongUnitIsNoticedWhereItIsUsed",
     {"mass", "1 m"},
     "m.yaml:2:20: error: bodies.a.mass: expected a value in kg, got m\n"},
    {"NegativeValueIsNoticedWhereItIsUsed",
     {"M", "-1"},
     "m.yaml:2:20: error: bodies.a.mass: a mass cannot be negative\n"},
};

INSTANTIATE_TEST_SUITE_P(Set, OverrideProblems, ::testing::ValuesIn(override_cases),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Overrides, NeedParameters) {
  EXPECT_EQ(problems_of("gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n", {{"M", "1"}}),
            "m.yaml: error: --set M: the model has no such parameter\n");
}

}  // namespace
}  // namespace gyrostat
