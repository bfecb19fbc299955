// What is wrong with numbers, quantities, constant expressions, vectors and inertias, wherever they stand.
#include "support/problem_case.h"

namespace gyrostat {
namespace read_values_errors_test {

// Each text below stands at the end of this one.
constexpr const char* model =
    "gyrostat: 1\n"
    "parameters: {K: 2, L: 3 m, Z: 0}\n"
    "bodies:\n"
    "  a: ";

class ValueProblems : public testing::ProblemTest {};

TEST_P(ValueProblems, AreSaidWithTheirPlace) { expect_problems(model); }

const testing::ProblemCase cases[] = {
    {"MassThatIsAList", "{mass: [1], inertia: [1, 1, 1]}",
     "m.yaml:4:13: error: bodies.a.mass: expected a number, got a list\n"},
    {"MassThatIsAMapping", "{mass: {kg: 1}, inertia: [1, 1, 1]}",
     "m.yaml:4:13: error: bodies.a.mass: expected a number, got a mapping\n"},
    {"MassWithoutValue", "{mass: , inertia: [1, 1, 1]}",
     "m.yaml:4:7: error: bodies.a.mass: expected a number, got nothing\n"},
    {"EmptyText", "{mass: '', inertia: [1, 1, 1]}",
     "m.yaml:4:13: error: bodies.a.mass: expected a number, a name or '(', but the expression ends\n"},
    {"WrongDimension", "{mass: 3 m, inertia: [1, 1, 1]}",
     "m.yaml:4:13: error: bodies.a.mass: expected a value in kg, got m\n"},
    {"WrongDimensionOfAParameter", "{mass: 2*L, inertia: [1, 1, 1]}",
     "m.yaml:4:13: error: bodies.a.mass: expected a value in kg, got m\n"},
    {"UnknownUnit", "{mass: 3 kgs, inertia: [1, 1, 1]}",
     "m.yaml:4:15: error: bodies.a.mass: unknown unit 'kgs'; did you mean 'kg'?\n"},
    {"UnknownUnitInAProduct", "{mass: 3 kg*metre, inertia: [1, 1, 1]}",
     "m.yaml:4:18: error: bodies.a.mass: unknown unit 'metre'\n"},
    {"UnitThatIsAProductWrittenAsAWord", "{mass: 1, inertia: [1 kgm2, 1, 1]}",
     "m.yaml:4:28: error: bodies.a.inertia[0]: unknown unit 'kgm2'; write kg*m^2\n"},
    {"UnitThatIsAParameter", "{mass: 3 K, inertia: [1, 1, 1]}",
     "m.yaml:4:15: error: bodies.a.mass: unknown unit 'K'; to multiply by the parameter write 3*K\n"},
    {"UnitThatEndsInAnOperator", "{mass: 3 kg*, inertia: [1, 1, 1]}",
     "m.yaml:4:18: error: bodies.a.mass: expected a unit\n"},
    {"UnitWithABadPower", "{mass: 3 kg^x, inertia: [1, 1, 1]}",
     "m.yaml:4:18: error: bodies.a.mass: expected a whole power from -9 to 9\n"},
    {"UnitFollowedByText", "{mass: 3 kg kg, inertia: [1, 1, 1]}",
     "m.yaml:4:18: error: bodies.a.mass: expected '*', '/' or the end of the unit, got 'kg'\n"},
    {"QuantityBeyondTheRange", "{mass: 1e308 tonne, inertia: [1, 1, 1]}",
     "m.yaml:4:13: error: bodies.a.mass: the quantity is not a finite number in SI units\n"},
    {"NumberBeyondTheRange", "{mass: 1e999, inertia: [1, 1, 1]}",
     "m.yaml:4:13: error: bodies.a.mass: the number 1e999 cannot be represented (beyond 1e308 or below 1e-308)\n"},
    {"NumberBelowTheRange", "{mass: 1e-999, inertia: [1, 1, 1]}",
     "m.yaml:4:13: error: bodies.a.mass: the number 1e-999 cannot be represented (beyond 1e308 or below 1e-308)\n"},
    {"NotANumber", "{mass: .nan, inertia: [1, 1, 1]}",
     "m.yaml:4:13: error: bodies.a.mass: expected a finite number, got '.nan'\n"},
    {"Infinity", "{mass: .inf, inertia: [1, 1, 1]}",
     "m.yaml:4:13: error: bodies.a.mass: expected a finite number, got '.inf'\n"},
    {"UnknownParameter", "{mass: 2*KK, inertia: [1, 1, 1]}",
     "m.yaml:4:15: error: bodies.a.mass: no parameter 'KK'; did you mean 'K'?\n"},
    {"UnknownParameterInQuotes", "{mass: '2*KK', inertia: [1, 1, 1]}",
     "m.yaml:4:16: error: bodies.a.mass: no parameter 'KK'; did you mean 'K'?\n"},
    {"ExpressionThatEndsEarly", "{mass: 2*, inertia: [1, 1, 1]}",
     "m.yaml:4:15: error: bodies.a.mass: expected a number, a name or '(', but the expression ends\n"},
    {"ExpressionWithTime", "{mass: 2*t, inertia: [1, 1, 1]}",
     "m.yaml:4:15: error: bodies.a.mass: t changes as the simulation runs, but a constant is needed here\n"},
    {"ExpressionWithAStep", "{mass: 2*step(1), inertia: [1, 1, 1]}",
     "m.yaml:4:15: error: bodies.a.mass: step depends on time, but a constant is needed here\n"},
    {"ExpressionWithATable", "{mass: \"table(f, 1)\", inertia: [1, 1, 1]}",
     "m.yaml:4:13: error: bodies.a.mass: a table cannot be used in a constant\n"},
    {"ExpressionWithAMovingQuantity", "{mass: 2*a.omega_x, inertia: [1, 1, 1]}",
     "m.yaml:4:15: error: bodies.a.mass: 'a.omega_x' changes as the simulation runs, but a constant is needed here\n"},
    {"ExpressionOfUnlikeDimensions", "{mass: '1 - L - 3*L^2', inertia: [1, 1, 1]}",
     "m.yaml:4:20: error: bodies.a.mass: one side is in m, the other in m^2\n"},
    {"ExpressionThatDividesByZero", "{mass: 2/Z, inertia: [1, 1, 1]}",
     "m.yaml:4:14: error: bodies.a.mass: the result is not a finite number\n"},
    {"UnknownFunction", "{mass: \"2*sine(1)\", inertia: [1, 1, 1]}",
     "m.yaml:4:16: error: bodies.a.mass: no function 'sine'; did you mean 'sin'?\n"},
    {"DecimalComma", "{mass: '1,5', inertia: [1, 1, 1]}",
     "m.yaml:4:15: error: bodies.a.mass: expected an operator or the end, got ','\n"},
    {"VectorThatIsANumber", "{mass: 1, inertia: [1, 1, 1], com: 0}",
     "m.yaml:4:41: error: bodies.a.com: expected 3 numbers, got '0'\n"},
    {"VectorOfTwo", "{mass: 1, inertia: [1, 1, 1], com: [0, 0]}",
     "m.yaml:4:41: error: bodies.a.com: expected 3 numbers, got 2\n"},
    {"VectorWithAWrongElement", "{mass: 1, inertia: [1, 1, 1], com: [0, 1 kg, 0]}",
     "m.yaml:4:45: error: bodies.a.com[1]: expected a value in m, got kg\n"},
    {"BooleanThatIsYes", "{mass: 1, inertia: [1, 1, 1], accept_unphysical: yes}",
     "m.yaml:4:55: error: bodies.a.accept_unphysical: expected true or false, got 'yes'\n"},
    {"BooleanInQuotes", "{mass: 1, inertia: [1, 1, 1], accept_unphysical: 'true'}",
     "m.yaml:4:55: error: bodies.a.accept_unphysical: expected true or false, got 'true'\n"},
    {"InertiaThatIsANumber", "{mass: 1, inertia: 1}",
     "m.yaml:4:25: error: bodies.a.inertia: expected {xx, yy, zz, xy, xz, yz}, 3 principal moments, or a 3x3 matrix, "
     "got '1'\n"},
    {"InertiaOfSixNumbers", "{mass: 1, inertia: [1, 1, 1, 0, 0, 0]}",
     "m.yaml:4:25: error: bodies.a.inertia: expected {xx, yy, zz, xy, xz, yz}, 3 principal moments, or a 3x3 matrix, "
     "got a list of 6\n"},
    {"InertiaThatLacksAnElement", "{mass: 1, inertia: {xx: 1, yy: 1}}",
     "m.yaml:4:25: error: bodies.a.inertia.zz: missing; it is required (kg m^2)\n"},
    {"InertiaWithAnUnknownElement", "{mass: 1, inertia: {xx: 1, yy: 1, zz: 1, yx: 0}}",
     "m.yaml:4:47: error: bodies.a.inertia.yx: unknown field; did you mean 'xy'?\n"},
    {"InertiaThatIsNotSymmetric", "{mass: 1, inertia: [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]}",
     "m.yaml:4:25: error: bodies.a.inertia: not symmetric: element [1][0] is 0, element [0][1] is 0.5\n"},
    {"InertiaWithAShortRow", "{mass: 1, inertia: [[1, 0], [0, 1, 0], [0, 0, 1]]}",
     "m.yaml:4:26: error: bodies.a.inertia[0]: expected 3 numbers, got 2\n"},
    {"InertiaInAWrongUnit", "{mass: 1, inertia: [1 kg, 1, 1]}",
     "m.yaml:4:26: error: bodies.a.inertia[0]: expected a value in kg*m^2, got kg\n"},
};

INSTANTIATE_TEST_SUITE_P(Model, ValueProblems, ::testing::ValuesIn(cases), testing::case_name);

}  // namespace read_values_errors_test
}  // namespace gyrostat
