// Hinge torques and external forces as printed, against those of the plant.
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "gyrostat/derive/equations.h"
#include "gyrostat/derive/print.h"
#include "gyrostat/expression/constant.h"
#include "gyrostat/expression/vectors.h"

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
    EXPECT_THAT(found->meaning, ::testing::HasSubstr("N the length of the force that it transmits across its axis"));
    return found->formula;
  };
  EXPECT_EQ(formula_of("{reaction: {coefficient: 0.2, radius: 0.1}}"), "-s*0.02*N");
  EXPECT_EQ(
      formula_of("{coulomb: 3, static: 4, stribeck: 0.5, reaction: {coefficient: 0.2, static: 0.3, radius: 0.1}}"),
      "-s*((3 + 0.02*N) + ((4 + 0.03*N) - (3 + 0.02*N))*exp(-(u/0.5)^2))");
}

/// The force that a joint with friction by reaction transmits has an equation, also where the joint does not slide; the
/// length of its part across the axis makes the friction of the plant.
TEST(Hinges, ForcesOfJointsThatRubHaveEquationsAndMakeTheFrictionOfThePlant) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const ::gyrostat::testing::AtStart at(
        R"yaml(gyrostat: 1
bodies:
  bus: {mass: 10, inertia: [1, 2, 3], com: [0.1, 0.2, 0]}
  arm: {mass: 2, inertia: [0.1, 0.3, 0.3], com: [0.5, 0.1, 0]}
  hand: {mass: 1, inertia: [0.02, 0.03, 0.04], com: [0.2, 0, 0.1]}
  slider: {mass: 0.7, inertia: [0.01, 0.01, 0.02], com: [0, 0.1, 0]}
joints:
  base: {type: free, parent: world, child: bus}
  pan: {type: revolute, parent: bus, child: arm, parent_point: [0.4, 0, 0.1], axis: [0, 0.6, 0.8], stiffness: 3, friction: {coulomb: 0.05, reaction: {coefficient: 0.3, radius: 0.05}}}
  rail: {type: prismatic, parent: hand, child: slider, parent_point: [0.3, 0, 0], axis: [0.6, 0, 0.8], friction: {reaction: {coefficient: 0.2}}}
  wrist: {type: revolute, parent: hand, child: arm, child_point: [1, 0, 0], axis: [0, 0, 1], friction: {reaction: {coefficient: 0.1, radius: 0.02}}}
loads:
  - {body: hand, force: [3, -2, 1], axes: world}
environment: {gravity: {uniform: [0.3, -9.81, 2]}}
)yaml",
        [seed](::gyrostat::testing::AtStart& a) {
          ::gyrostat::testing::Random random(seed);
          for (double& q : a.state.q) q += random.uniform(-0.5, 0.5);
          a.state.q.segment<4>(3) = random.quaternion();
          for (double& u : a.state.u) u = random.uniform(-2, 2);
        });
    const Document document = derive_equations(*at.loaded.model);
    Values values = values_at(document, at.system(), at.state, at.udot, at.forces);
    const std::vector<Pose> X_N = body_poses(at.system(), at.state.q);
    const std::map<std::string, double> level = {{"pan", 0.3 * 0.05}, {"rail", 0.2}, {"wrist", 0.1 * 0.02}};
    for (const auto& [name, mu] : level) {
      const std::uint32_t k = at.joint_number(name);
      const std::uint32_t child = at.joint(name).reversed ? at.system().parent[k] : k;
      const double sign = at.joint(name).reversed ? -1 : 1;
      const Vector3 force = sign * (X_N[child].R * at.reaction(name).force);
      const bool slides = name == "rail";
      const Vector3 axis =
          X_N[child].R * (at.joint(name).R_0.transpose() * (slides ? at.joint(name).d[0] : at.joint(name).a[0]));
      // along the axis of a rail stands its own force
      const Vector3 along = slides ? Vector3(axis * axis.dot(force)) : Vector3(Vector3::Zero());
      values.set({"Fc", {{name, false}}}, Vector3(force - along));
      values.set({"FH", {{name, false}}}, along);
    }
    Evaluator evaluate(values);
    int equations = 0;
    for (const Equation& e : document.equations) {
      if (e.kind != EquationKind::translation || !level.contains(e.of)) continue;
      const Vector3 left = evaluate(total(e.left, e.type)).vector, right = evaluate(total(e.right, e.type)).vector;
      EXPECT_LT((left - right).norm(), 1e-12 * (1 + left.norm() + right.norm())) << e.title;
      ++equations;
    }
    EXPECT_EQ(equations, 3);
    for (const auto& [name, mu] : level) {
      const Symbol across{name == "rail" ? "Fc" : "Fn", {{name, false}}};
      const double N = evaluate(symbol(across)).vector.norm(), u = at.state.u[at.joint(name).u];
      const double spring = name == "pan" ? -3 * at.state.q[at.joint(name).q] : 0, coulomb = name == "pan" ? 0.05 : 0;
      EXPECT_NEAR(at.tau(name)[0], spring - (u > 0 ? 1 : -1) * (coulomb + mu * N), 1e-11 * (1 + N)) << name;
    }
  }
}

/// A joint that turns and slides has a spring, a damper and a motor of each kind.
TEST(Hinges, OfJointsThatTurnAndSlideAreThoseOfThePlant) {
  const ::gyrostat::testing::AtStart at(R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  screw: {type: cylindrical, parent: world, child: a, axis: [0, 0, 1], stiffness: [2, 30], damping: [0.5, 7], rest: [0.1, 0.2], torque: ["1.5 + t", "-4 + t"], initial: {angle: 0.7, displacement: 0.4, rate: 0.3, speed: -0.2}}
  arm: {type: general, parent: a, child: b, translations: [[1, 0, 0], [0, 1, 0]], rotations: [[0, 0, 1], [1, 0, 0]], stiffness: [1, 2, 3, 4], damping: [5, 6, 7, 8], initial: {displacements: [0.1, 0.2], angles: [0.3, 0.4], speeds: [0.5, 0.6], rates: [0.7, 0.8]}}
)yaml");
  const Document document = derive_equations(*at.loaded.model);
  Values values = values_at(document, at.system(), at.state, at.udot, Forces<double>(at.system()));
  std::erase_if(values.given, [&](const auto& one) { return values.definitions.contains(one.first); });
  values.set({"motor", {{"screw", false}, {"rotation", false}}}, 1.5);
  values.set({"motor", {{"screw", false}, {"translation", false}}}, -4);
  Evaluator evaluate(values);
  for (const Unknown& one : document.unknowns) {
    Symbol tau = one.speed;
    tau.letter = tau.letter == "u" ? "tau" : "f";
    EXPECT_DOUBLE_EQ(evaluate(symbol(tau)).scalar, at.forces.tau[one.index]) << one.name;
  }
  EXPECT_EQ(document.unknowns.size(), 6U);
}

/// What couplings exert stands in the hinge torques: they are not said to be absent.
TEST(Hinges, OfCoupledJointsAreNotLeftOut) {
  const ::gyrostat::testing::AtStart at(R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}, c: {mass: 1, inertia: [1, 1, 1]}}
joints:
  left: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}
  right: {type: revolute, parent: world, child: b, axis: [0, 0, 1]}
  alone: {type: revolute, parent: world, child: c, axis: [0, 0, 1]}
constraints: {mirror: {coupling: {left.angle: 1, right.angle: -2}}}
)yaml");
  const Document document = derive_equations(*at.loaded.model);
  std::vector<std::string> why;
  for (const LeftOut& one : document.left_out) {
    if (one.what == "hinge torques and forces") why.push_back(one.why);
  }
  EXPECT_THAT(why, ::testing::ElementsAre("alone has no spring, damper or motor"));
  const auto uses_torque = [](const Equation& e) {
    std::vector<Symbol> symbols;
    for (const Term& term : e.right) collect(term.value, symbols);
    return e.kind == EquationKind::rotation &&
           std::ranges::any_of(symbols, [](const Symbol& s) { return s.letter == "TH"; });
  };
  EXPECT_EQ(std::ranges::count_if(document.equations, uses_torque), 2);
}

/// What prescribed joints and wheels follow is printed, and worth what the plant takes at any time.
TEST(Hinges, PrescribedMotionsArePrinted) {
  const ::gyrostat::testing::AtStart at(R"yaml(gyrostat: 1
parameters: {rate: 0.7}
bodies:
  bus: {mass: 10, inertia: [1, 1, 1], wheels: {rw: {axis: [0, 0, 1], inertia: 0.1, speed: "20 + rate*t"}}}
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1]}
  rod: {mass: 1, inertia: [0.1, 0.1, 0.1]}
  ball: {mass: 1, inertia: [0.1, 0.1, 0.1]}
joints:
  pan: {type: revolute, parent: bus, child: arm, axis: [0, 0, 1], prescribed: {position: "0.3*sin(rate*t) + 0.1"}}
  slide: {type: prismatic, parent: arm, child: rod, axis: [1, 0, 0], prescribed: {position: "0.2 + 0.1*t^2"}}
  socket: {type: spherical, parent: bus, child: ball, prescribed: {acceleration: "[rate, cos(t), 2]"}}
)yaml");
  const Document document = derive_equations(*at.loaded.model);
  const auto worth = [&](const Symbol& symbol_of) {  // at t = 0
    const auto found = std::ranges::find(document.definitions, symbol_of, &Definition::symbol);
    if (found == document.definitions.end()) throw std::runtime_error(name_of(symbol_of));
    EXPECT_FALSE(found->latex.empty()) << name_of(symbol_of);
    const auto lowered = std::get<expression::Lowered>(
        expression::lower_vectors(expression::parse(found->formula).expression, [](std::string_view name) {
          return std::optional(expression::Symbol{{}, {std::string(name)}});
        }));
    const auto value = expression::evaluate_constant(
        lowered.components.front(), [](std::string_view name) -> std::variant<expression::Constant, std::string> {
          return expression::Constant{name == "rate" ? 0.7 : 0, std::nullopt};
        });
    return std::get<expression::Constant>(value).value;
  };
  EXPECT_DOUBLE_EQ(worth({"theta", {{"pan", false}}}), at.system().initial.q[at.joint("pan").q]);
  EXPECT_DOUBLE_EQ(worth({"x", {{"slide", false}}}), at.system().initial.q[at.joint("slide").q]);
  EXPECT_DOUBLE_EQ(worth({"Omega", {{"rw", false}}}), at.system().initial.u[at.wheel("bus.rw").u]);
  const std::vector<double> accelerations = at.accelerations("socket");
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_DOUBLE_EQ(worth({"prescribed", {{"socket", false}, {std::string(1, "xyz"[k]), false}}}), accelerations[k]);
  EXPECT_THAT(print_text(document), ::testing::HasSubstr("pan.angle, prescribed [rad]: 0.3*sin(rate*t) + 0.1"));
  EXPECT_THAT(print_text(document), ::testing::HasSubstr(" = a^p_socket,y"));
}

}  // namespace hinges_test
}  // namespace gyrostat::derive
