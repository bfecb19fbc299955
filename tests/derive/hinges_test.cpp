// Hinge torques and external forces as printed, against those of the plant.
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "gyrostat/derive/equations.h"

#include "support/at_start.h"
#include "support/random_model.h"

namespace gyrostat::derive {
namespace hinges_test {

std::string model_text(const std::string& example, const std::string& more) {
  std::ostringstream text;
  text << std::ifstream(GYROSTAT_SOURCE_DIR "/examples/" + example).rdbuf() << more;
  return text.str();
}

/// The definitions of springs, dampers and gravity, evaluated with the numbers of the model alone.
TEST(Hinges, TorquesAndGravityAreThoseOfThePlant) {
  const ::gyrostat::testing::AtStart at(
      model_text("ten_body/ten_body.yaml", "\nenvironment: {gravity: {uniform: [0.3, -9.81, 2]}}\n"),
      [](::gyrostat::testing::AtStart& a) {
        ::gyrostat::testing::Random random(5);
        for (double& u : a.state.u) u += random.uniform(-1, 1);
      });
  const Document document = derive_equations(*at.loaded.model);
  Values values = values_at(document, at.system(), at.state, at.udot, Forces<double>(at.system()));
  std::erase_if(values.given, [&](const auto& one) { return values.definitions.contains(one.first); });
  Evaluator evaluate(values);
  int torques = 0, forces = 0;
  for (const Unknown& one : document.unknowns) {
    Symbol tau = one.speed;
    tau.letter = tau.letter == "u" ? "tau" : tau.letter == "v" ? "f" : "tau_w";
    if (!values.definitions.contains(tau)) {
      EXPECT_EQ(at.forces.tau[one.index], 0) << one.name;
      continue;
    }
    const double plant = at.forces.tau[one.index];
    EXPECT_NEAR(evaluate(symbol(tau)).scalar, plant, 1e-12 * (1 + std::abs(plant))) << one.name;
    ++torques;
  }
  for (std::uint32_t k = 1; k < at.system().bodies.size(); ++k) {
    const Symbol F{"F", {{at.system().bodies[k].name, false}}};
    const Vector3 plant = to_eigen(at.forces.wrench[k].force);
    EXPECT_LT((evaluate(symbol(F)).vector - plant).norm(), 1e-12 * plant.norm()) << name_of(F);
    ++forces;
  }
  EXPECT_EQ(torques, 16);
  EXPECT_EQ(forces, 10);
}

/// Friction that slides, compliant stops and drag are terms; what may hold a joint is named as left out.
TEST(Hinges, RestraintsAreTermsOrNamed) {
  const ::gyrostat::testing::AtStart at(R"yaml(gyrostat: 1
bodies:
  bus: {mass: 10, inertia: [1, 1, 1], wheels: {rw: {axis: [0, 0, 1], inertia: 0.1, rate: 30, drag: oil, speed_limit: 100, friction: {coulomb: 0.01}}}}
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], com: [0.5, 0, 0]}
tables: {oil: {x: [-100, 100], y: [-1, 1]}}
joints:
  pan:
    type: revolute
    parent: bus
    child: arm
    axis: [0, 0, 1]
    damping: 0.5
    friction: {coulomb: 0.3, static: 0.6, stribeck: 0.2, viscous: 0.25}
    stops: {low: -0.5, high: 0.5, stiffness: 40, damping: 2}
    latch: {when: "pan.angle > 3"}
    initial: {angle: -0.7, rate: 0.1}
)yaml");
  const Document document = derive_equations(*at.loaded.model);
  Values values = values_at(document, at.system(), at.state, at.udot, Forces<double>(at.system()));
  std::erase_if(values.given, [&](const auto& one) { return values.definitions.contains(one.first); });
  values.set({"friction", {{"pan", false}}}, -(0.3 + 0.3 * std::exp(-0.25)));
  values.set({"stop", {{"pan", false}}}, 40 * 0.2 - 2 * 0.1);
  values.set({"friction", {{"rw", false}}}, -0.01);
  values.set({"drag", {{"rw", false}}}, -0.3);
  Evaluator evaluate(values);
  EXPECT_NEAR(evaluate(symbol({"tau", {{"pan", false}}})).scalar, at.tau("pan")[0], 1e-12);
  EXPECT_NEAR(evaluate(symbol({"tau_w", {{"rw", false}}})).scalar, at.forces.tau[at.wheel("bus.rw").u], 1e-12);
  const auto formula = [&](const Symbol& of) {
    return std::ranges::find(document.definitions, of, &Definition::symbol)->formula;
  };
  EXPECT_EQ(formula({"stop", {{"pan", false}}}),
            "below x = -0.5 - q > 0: max(0, 40*x - 2*u); above x = q - 0.5 > 0: -max(0, 40*x + 2*u)");
  EXPECT_EQ(formula({"friction", {{"pan", false}}}), "-s*(0.3 + (0.6 - 0.3)*exp(-(u/0.2)^2))");
  std::vector<std::string> left_out;
  for (const LeftOut& one : document.left_out) left_out.push_back(one.what);
  EXPECT_THAT(left_out, ::testing::Contains("latch and sticking of pan"));
  EXPECT_THAT(left_out, ::testing::Contains("sticking and limit of the speed of wheel rw"));
}

TEST(Hinges, FrictionByReactionIsAFormulaOfTheConstraintForce) {
  const auto formula_of = [](const std::string& friction) {
    const ::gyrostat::testing::AtStart at(
        "gyrostat: 1\nbodies: {arm: {mass: 1, inertia: [1, 1, 1]}}\njoints: {pan: {type: revolute, parent: world, "
        "child: "
        "arm, axis: [0, 0, 1], friction: " +
        friction + "}}\n");
    const Document document = derive_equations(*at.loaded.model);
    const auto found =
        std::ranges::find(document.definitions, Symbol{"friction", {{"pan", false}}}, &Definition::symbol);
    EXPECT_THAT(found->meaning, ::testing::HasSubstr("N the length of what its constraint force has across its axis"));
    return found->formula;
  };
  EXPECT_EQ(formula_of("{reaction: {coefficient: 0.2, radius: 0.1}}"), "-s*0.02*N");
  EXPECT_EQ(
      formula_of("{coulomb: 3, static: 4, stribeck: 0.5, reaction: {coefficient: 0.2, static: 0.3, radius: 0.1}}"),
      "-s*((3 + 0.02*N) + ((4 + 0.03*N) - (3 + 0.02*N))*exp(-(u/0.5)^2))");
}

}  // namespace hinges_test
}  // namespace gyrostat::derive
