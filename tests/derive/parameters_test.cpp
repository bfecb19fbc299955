// Definitions of the vector form name the parameters that the model file computes their numbers from.
#include <cmath>
#include <map>

#include <gmock/gmock.h>

#include "gyrostat/derive/equations.h"
#include "gyrostat/derive/print.h"
#include "gyrostat/expression/constant.h"
#include "gyrostat/expression/vectors.h"

#include "support/load.h"

namespace gyrostat {
namespace parameters_test {

using namespace derive;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* text = R"yaml(gyrostat: 1
name: parameters
parameters: {m1: 2 kg, long: 0.8 m, J: 0.5, k: 5, cant: 0.3, offset: [0.1, 0.2, 0.3]}
bodies:
  hub: {mass: 3*m1, inertia: [J, 2*J, 1.2], com: [long/4, 0, 0], wheels: {rw: {axis: [sin(cant), 0, cos(cant)], inertia: 0.1*J}}}
  arm: {mass: m1, inertia: {xx: 1, yy: J, zz: 1, xy: 0.1*J}, com: [long/2, 0, 0]}
  tip: {mass: 0.4, inertia: [1, 1, 1], com: offset}
joints:
  root: {type: revolute, parent: world, child: hub, axis: [0, cos(cant), sin(cant)], stiffness: k, damping: 0.1*k, rest: cant}
  elbow: {type: universal, parent: hub, child: arm, parent_point: [long, 0, 0], child_point: [-long/8, 0, 0], axes: [[0, 0, 1], [0, 1, 0]], stiffness: [k, 2], damping: k/10}
  wrist: {type: revolute, parent: arm, child: tip, parent_point: [long, 0, 0.1], axis: [0, 0, 1], damping: 0.2}
loads:
  - {thruster: {body: hub, point: com, direction: [0, 1, cant], thrust: 3}}
  - {spring: {from: [world, [0, 0, 5]], to: [tip, com], stiffness: 2*k, damping: 0.1, length: long}}
environment: {gravity: {uniform: [0, 0, -2*k]}}
)yaml";

/// What a formula is worth with the parameters of the model: one number, or three.
std::vector<double> worth(const std::string& formula, const Description& d) {
  std::map<std::string, double, std::less<>> numbers;
  for (const ParameterDescription& one : d.parameters) numbers[one.name] = one.value.value;
  const expression::Parsed parsed = expression::parse(formula);
  EXPECT_FALSE(parsed.complaint) << formula << ": " << parsed.complaint->message;
  if (parsed.complaint) return {};
  const auto lowered = expression::lower_vectors(parsed.expression, [&](std::string_view name) {
    const std::string text(name);
    if (numbers.contains(text)) return std::optional(expression::Symbol{{}, {text}});
    return std::optional(expression::Symbol{{expression::Type::vector}, {text + ".x", text + ".y", text + ".z"}});
  });
  std::vector<double> values;
  for (const expression::Expression& part : std::get<expression::Lowered>(lowered).components) {
    const auto value = expression::evaluate_constant(
        part, [&](std::string_view name) -> std::variant<expression::Constant, std::string> {
          return expression::Constant{numbers.find(name)->second, std::nullopt};
        });
    values.push_back(std::get<expression::Constant>(value).value);
  }
  return values;
}

/// Formulas are worth the numbers that they stand beside; of directions, but for their length. Returns how many.
int expect_worth(const Document& document, const Description& d) {
  int count = 0;
  for (const Definition& one : document.definitions) {
    if (!one.constant || one.formula.empty() || one.constant->components.size() > 3) continue;
    std::vector<double> found = worth(one.formula, d);
    if (formula_lead(one) == ", along ") {
      double square = 0;
      for (const double x : found) square += x * x;
      for (double& x : found) x /= std::sqrt(square);
    }
    EXPECT_THAT(found, ::testing::Pointwise(::testing::DoubleNear(1e-14), one.constant->components))
        << name_of(one.symbol) << " = " << one.formula;
    ++count;
  }
  return count;
}

TEST(VectorParameters, FormulasAreWorthTheNumbersBesideThem) {
  const Loaded loaded = testing::load(text);
  ASSERT_TRUE(loaded.model) << testing::problems_of(loaded);
  const Formulas formulas = read_formulas(loaded.source);
  EXPECT_EQ(expect_worth(derive_equations(*loaded.model, &formulas), loaded.model->description), 20);
}

/// What is subtracted has brackets where it is a sum, a choice or has a sign; an axis is turned round as a whole.
TEST(VectorParameters, FormulasOfSumsThatAreSubtractedAreWorthTheNumbersBesideThem) {
  const Loaded loaded = testing::load(R"yaml(gyrostat: 1
parameters: {a: [0.1, 0.2, 0.3], b: [0.5, -0.6, 0.7], c: [1, 2, 2], w: 0.4, s: -1}
bodies:
  hub: {mass: 2, inertia: [1, 1, 1], com: a + b}
  arm: {mass: 1, inertia: [1, 1, 1], com: "w > 1 ? a : b"}
  tip: {mass: 1, inertia: [1, 1, 1], com: [w + 1, 0, 0]}
joints:
  root: {type: cylindrical, parent: hub, child: world, axis: a - b, parent_point: "cross(a, b)", child_point: [0, -w, 0]}
  elbow: {type: revolute, parent: hub, child: arm, parent_point: a - b, child_point: a + c, axis: c + 2*a}
  wrist: {type: revolute, parent: arm, child: tip, parent_point: -w*b, child_point: -a, axis: c}
)yaml");
  ASSERT_TRUE(loaded.model) << testing::problems_of(loaded);
  const Formulas formulas = read_formulas(loaded.source);
  const Document document = derive_equations(*loaded.model, &formulas);
  EXPECT_EQ(expect_worth(document, loaded.model->description), 9);
  const auto of = [&](const Symbol& symbol) {
    return *std::ranges::find(document.definitions, symbol, &Definition::symbol);
  };
  EXPECT_EQ(of({"alpha", {{"arm", false}}}).formula, "(w > 1 ? a : b) - (a + c)");
  EXPECT_EQ(of({"d", {{"root", false}}}).formula, "-(a - b)");
  EXPECT_EQ(of({"alpha", {{"tip", false}}}).formula, "[w + 1, 0, 0] - (-a)");
  // the vectors themselves, and not their first components
  EXPECT_EQ(of({"alpha", {{"hub", false}}}).latex, R"(a + b - a \times b)");
  EXPECT_EQ(of({"d", {{"root", false}}}).latex, R"(-\left(a - b\right))");
  EXPECT_EQ(of({"q", {{"wrist", false}}}).latex, "c");
}

TEST(VectorParameters, AreNamedInTheDefinitionsOfNumbers) {
  const Loaded loaded = testing::load(text);
  ASSERT_TRUE(loaded.model) << testing::problems_of(loaded);
  const Formulas formulas = read_formulas(loaded.source);
  const Document document = derive_equations(*loaded.model, &formulas);
  const std::map<std::string, std::string> expected = {{"m(hub)", "3*m1"},
                                                       {"m(arm)", "m1"},
                                                       {"Phi(hub)", "[J, 2*J, 1.2]"},
                                                       {"Phi(arm)", "xx 1, xy 0.1*J, yy J, zz 1"},
                                                       {"alpha(hub)", "[long/4, 0, 0]"},
                                                       {"alpha(arm)", "[long/2, 0, 0] - [-long/8, 0, 0]"},
                                                       {"alpha(tip)", "offset"},
                                                       {"beta(elbow)", "[long, 0, 0]"},
                                                       {"beta(wrist)", "[long, 0, 0.1] - [-long/8, 0, 0]"},
                                                       {"q(root)", "[0, cos(cant), sin(cant)]"},
                                                       {"K(root)", "k"},
                                                       {"D(root)", "0.1*k"},
                                                       {"rest(root)", "cant"},
                                                       {"K(elbow,1)", "k"},
                                                       {"D(elbow,1)", "k/10"},
                                                       {"D(elbow,2)", "k/10"},
                                                       {"I(rw)", "0.1*J"},
                                                       {"h(rw)", "[sin(cant), 0, cos(cant)]"},
                                                       {"e_load(load1)", "[0, 1, cant]"},
                                                       {"K_load(load2)", "2*k"},
                                                       {"rest_s_load(load2)", "long"},
                                                       {"g()", "[0, 0, -2*k]"}};
  std::map<std::string, std::string> found;
  for (const Definition& d : document.definitions) {
    if (d.constant && !d.formula.empty()) found[name_of(d.symbol)] = d.formula;
  }
  EXPECT_EQ(found, expected);

  const std::string printed = print_text(document);
  EXPECT_THAT(printed, HasSubstr("mass of hub: 6 kg = 3*m1\n"));
  EXPECT_THAT(print_html(document), HasSubstr(" = <code>3*m1</code>"));
  EXPECT_THAT(print_latex(document), HasSubstr("mass of hub: $6\\;\\mathrm{kg}$ $=$ $"));
  EXPECT_THAT(print_json(document), HasSubstr("\"formula\": \"3*m1\""));
  EXPECT_THAT(print_text(derive_equations(*loaded.model)), Not(HasSubstr("3*m1")));
}

/// Another value of a parameter changes the number, not what stands beside it.
TEST(VectorParameters, ThatTheCommandLineGivesKeepTheirFormulas) {
  const std::vector<Override> given = {{"m1", "4"}};
  const Loaded loaded = testing::load(text, given);
  ASSERT_TRUE(loaded.model) << testing::problems_of(loaded);
  const Formulas formulas = read_formulas(loaded.source, given);
  EXPECT_THAT(print_text(derive_equations(*loaded.model, &formulas)), HasSubstr("mass of hub: 12 kg = 3*m1\n"));
}

}  // namespace parameters_test
}  // namespace gyrostat
