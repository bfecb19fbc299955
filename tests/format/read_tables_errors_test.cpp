// What is wrong with tables.
#include "support/problem_case.h"

namespace gyrostat {
namespace read_tables_errors_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "bodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n"
    "tables:\n"
    "  f: ";

class TableProblems : public testing::ProblemTest {};

TEST_P(TableProblems, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"MissingX", "{y: [1, 2]}", "m.yaml:4:6: error: tables.f.x: missing; it is required (strictly increasing)\n"},
    {"MissingY", "{x: [1, 2]}", "m.yaml:4:6: error: tables.f.y: missing; it is required (as many as x)\n"},
    {"XThatIsNoList", "{x: 1, y: [1, 2]}", "m.yaml:4:10: error: tables.f.x: expected a list of numbers, got '1'\n"},
    {"ElementThatIsNoNumber", "{x: [1, [2]], y: [1, 2]}",
     "m.yaml:4:14: error: tables.f.x[1]: expected a number, got a list\n"},
    {"UnknownInterpolation", "{x: [1, 2], y: [1, 2], interpolation: spline}",
     "m.yaml:4:44: error: tables.f.interpolation: expected one of linear, cubic, got 'spline'\n"},
    {"UnknownOutside", "{x: [1, 2], y: [1, 2], outside: [hold]}",
     "m.yaml:4:38: error: tables.f.outside: expected one of error, hold, extend, got a list\n"},
    {"XWithAUnit", "{x: [1 deg, 2], y: [1, 2]}",
     "m.yaml:4:11: error: tables.f.x[0]: expected a plain number, got rad\n"},
    {"UnequalLengths", "{x: [1, 2], y: [1, 2, 3]}", "m.yaml:4:10: error: tables.f.x: x has 2 values and y has 3\n"},
    {"NotIncreasing", "{x: [1, 1], y: [1, 2]}",
     "m.yaml:4:10: error: tables.f.x: x must increase strictly; it does not at value 2\n"},
    {"OnePoint", "{x: [1], y: [1]}", "m.yaml:4:10: error: tables.f.x: a table needs at least two points\n"},
    {"EmptyLists", "{x: [], y: []}",
     "m.yaml:4:10: error: tables.f.x: the list is empty\nm.yaml:4:17: error: tables.f.y: the list is empty\n"},
    {"TableAsAList", "[1, 2]", "m.yaml:4:6: error: tables.f: expected a mapping with fields like x, ..., got a list\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, TableProblems, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace read_tables_errors_test
}  // namespace gyrostat
