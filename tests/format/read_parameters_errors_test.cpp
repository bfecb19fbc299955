// What is wrong with parameters.
#include "support/problem_case.h"

namespace gyrostat {
namespace read_parameters_errors_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
    "parameters:\n"
    "  ";

class ParameterProblems : public testing::ProblemTest {};

TEST_P(ParameterProblems, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"ParametersThatDefineEachOther", "A: 2*B\n  B: C + 1\n  C: A",
     "m.yaml:4:6: error: parameters.A: defined in terms of itself: A -> B -> C -> A\n"},
    {"ParameterThatDefinesItself", "A: 2*A", "m.yaml:4:6: error: parameters.A: defined in terms of itself: A -> A\n"},
    {"ParameterNamedLikeAFunction", "sin: 2", "m.yaml:4:3: error: parameters.sin: 'sin' is the name of a function\n"},
    {"ParameterWithAReservedName", "t: 2", "m.yaml:4:3: error: parameters.t: the name 't' is reserved\n"},
    {"ParameterDefinedTwice", "A: 2\n  A: 3",
     "m.yaml:5:3: error: parameters.A: 'A' is defined twice; first on line 4\n"},
    {"ParameterThatIsAList", "A: [1, 2]",
     "m.yaml:4:6: error: parameters.A: a parameter is a number or a vector of 3, not a list of 2\n"},
    {"ParameterWithoutValue", "A:", "m.yaml:4:3: error: parameters.A: expected a number, got nothing\n"},
    {"ParameterOfAnUnknownOne", "A: 2*Bee\n  Beeb: 3",
     "m.yaml:4:8: error: parameters.A: no parameter 'Bee'; did you mean 'Beeb'?\n"},
    {"ParameterWithAnUnknownUnit", "A: 2 parsec",
     "m.yaml:4:8: error: parameters.A: unknown unit 'parsec'; did you mean 'arcsec'?\n"},
    {"ParameterUsedWhenItCannotBeRead", "A: 2*\n  B: A + 1\n  D: B*B",
     "m.yaml:4:8: error: parameters.A: expected a number, a name or '(', but the expression ends\n"},
    {"ParameterThatIsNotFinite", "A: 0\n  B: 1/A",
     "m.yaml:5:7: error: parameters.B: the result is not a finite number\n"},
    {"ParameterSumOfUnlikeDimensions", "A: 2 m\n  B: A + C\n  C: 3 kg",
     "m.yaml:5:8: error: parameters.B: one side is in m, the other in kg\n"},
    {"ParameterNeedsAnUnreadableOneElsewhere", "A: 2*\nsimulation: {duration: A}",
     "m.yaml:4:8: error: parameters.A: expected a number, a name or '(', but the expression ends\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, ParameterProblems, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace read_parameters_errors_test
}  // namespace gyrostat
