// Forces and torques of loads as printed: vector formulas, evaluated, against those of the plant.
#include <gmock/gmock.h>

#include "gyrostat/derive/equations.h"

#include "derive/scalar_support.h"
#include "support/at_start.h"

namespace gyrostat::derive {
namespace loads_test {

using ::gyrostat::testing::AtStart;

Symbol of_load(const std::string& letter, std::uint32_t source, const ForceModel& forces, const char* component = "") {
  Symbol made{letter, {{"load" + std::to_string(source - forces.first_load + 1), false}}};
  if (component[0] != 0) made.indices.push_back({component, false});
  return made;
}

/// What the model's expressions are worth, and where the orbit is.
void set_expressions(const AtStart& at, Values& values) {
  const SignalProgram& signals = at.plant.signals();
  const ForceModel& forces = signals.forces;
  const auto set = [&](const Symbol& symbol, Slot slot) {
    if (slot != no_slot) values.set(symbol, at.run.value(slot));
  };
  const char* const xyz[] = {"x", "y", "z"};
  for (const auto& e : forces.elements.of<BodyForce>()) {
    for (std::size_t k = 0; k < 3; ++k) {
      set(of_load("f_load", e.source, forces, xyz[k]), e.force[k]);
      set(of_load("t_load", e.source, forces, xyz[k]), e.torque[k]);
    }
  }
  for (const auto& e : forces.elements.of<Thruster>()) {
    const double command = e.command == no_slot ? 1 : at.run.value(e.command);
    values.set(of_load("f_load", e.source, forces), command * at.run.value(e.thrust));
  }
  for (const auto& e : forces.elements.of<TorqueBetween>()) set(of_load("t_load", e.source, forces), e.torque);
  for (const auto& e : forces.elements.of<LineSpring>()) set(of_load("f_load", e.source, forces), e.force);
  if (!forces.orbit) return;
  const OrbitState o = forces.orbit->at(0);
  values.set({"n_orbit", {}}, Vector3(o.position.normalized()));
  values.set({"k_orbit", {}}, forces.orbit->mu() / std::pow(o.position.norm(), 3));
}

/// Returns how many bodies have a load.
int expect_loads_of_the_plant(const AtStart& at) {
  const Document document = derive_equations(*at.loaded.model);
  Values values = values_at(document, at.system(), at.state, at.udot, Forces<double>(at.system()));
  std::erase_if(values.given, [&](const auto& one) { return values.definitions.contains(one.first); });
  set_expressions(at, values);
  Evaluator evaluate(values);
  int loaded = 0;
  const std::vector<Pose> X_N = body_poses(at.system(), at.state.q);
  for (std::uint32_t k = 1; k < at.system().bodies.size(); ++k) {
    const Index name{at.system().bodies[k].name, false};
    const Vector3 force = to_eigen(at.forces.wrench[k].force), torque = to_eigen(at.forces.wrench[k].torque);
    const Vector3 alpha = X_N[k].R * (at.system().bodies[k].mass_properties.com - base_point(at.system().joints[k]));
    const auto value = [&](const char* letter) {
      const Symbol symbol_of{letter, {name}};
      return values.definitions.contains(symbol_of) ? evaluate(symbol(symbol_of)).vector : Vector3(Vector3::Zero());
    };
    const Vector3 F = value("F"), T = value("T");
    loaded += F.norm() + T.norm() > 0 ? 1 : 0;
    EXPECT_LT((F - force).norm(), 1e-12 * (1 + force.norm())) << name.name;
    EXPECT_LT((T + alpha.cross(F) - torque).norm(), 1e-12 * (1 + torque.norm() + alpha.norm() * force.norm()))
        << name.name;
  }
  return loaded;
}

AtStart::Change moved(std::uint64_t seed) {
  return [seed](AtStart& a) {
    ::gyrostat::testing::Random random(seed);
    a.state = ::gyrostat::testing::random_state(a.system(), random);
  };
}

TEST(Loads, OfEveryKindAreThoseOfThePlant) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const AtStart at(::gyrostat::testing::many_loads, moved(seed));
    EXPECT_EQ(expect_loads_of_the_plant(at), 5);
  }
}

/// Springs to the world, forces in axes of the body, a torque between the world and a body, a tension.
TEST(Loads, OnTheWorldAreThoseOfThePlant) {
  const AtStart at(R"yaml(gyrostat: 1
bodies:
  hub: {mass: 5, inertia: [1, 2, 3], com: [0.1, 0.2, 0.3]}
  arm: {mass: 1, inertia: [0.1, 0.1, 0.1], com: [0.3, 0, 0], points: {tip: [0.6, 0, 0]}}
  leg: {mass: 1, point_mass: true}
joints:
  elbow: {type: revolute, parent: hub, child: arm, parent_point: [0.5, 0, 0], axis: [0, 0.6, 0.8]}
  strut: {type: translation, parent: hub, child: leg, parent_point: [0, 0, -1], axes: [[0, 0, 1], [1, 0, 0]]}
loads:
  - {spring: {from: [world, [2, 0, 0]], to: [arm, tip], stiffness: 7, length: 0.2, force: "0.3*cos(t)"}}
  - {spring: {from: [leg, com], to: [world, [0, 1, 0]], damping: 3}}
  - {body: arm, point: tip, force: ["0.2 + t", 0, -0.4], torque: [0, "0.5*arm.omega_x", 0], axes: body}
  - {torque_between: {from: world, to: hub, axis: [0, 0.8, 0.6], torque: 2}}
  - {torsion_spring: {from: world, to: arm, axis: [0, 0, 1], from_line: [1, 0.2, 0.5], to_line: [1, 0.1, 0.3], stiffness: 3, damping: 0.2, rest: 0.4}}
)yaml",
                   moved(8));
  EXPECT_EQ(expect_loads_of_the_plant(at), 3);
}

/// Laws that are vectors: each component has a formula of its own, which says in the file's language what the component
/// is: put into the file component by component, the formulas give the same motion.
TEST(Loads, FormulasOfVectorLawsAreThoseOfTheirComponents) {
  using ::gyrostat::testing::vector_laws;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    const AtStart at(vector_laws(), moved(seed));
    const Document document = derive_equations(*at.loaded.model);
    const auto components = [&](const char* letter, const std::string& of) {
      std::string list;
      for (const std::string axis : {"x", "y", "z"}) {
        const auto found =
            std::ranges::find(document.definitions, Symbol{letter, {{of, false}, {axis, false}}}, &Definition::symbol);
        if (found == document.definitions.end()) throw std::runtime_error("no component of " + of);
        EXPECT_THAT(found->latex, ::testing::EndsWith("_{" + axis + "}"));
        list += (list.empty() ? "[\"" : "\", \"") + found->formula;
      }
      return list + "\"]";
    };
    const AtStart parts(
        vector_laws(components("t_load", "load1"), components("f_load", "load2"), components("motor", "socket")),
        moved(seed));
    EXPECT_LT((parts.udot - at.udot).norm(), 1e-13 * at.udot.norm());
    EXPECT_GT(std::abs(at.tau("socket")[0] - at.tau("socket")[1]), 1e-3);
  }
}

/// The gradient along a given orbit, and the attraction where the orbit is integrated along.
TEST(Loads, OfGravityAreThoseOfThePlant) {
  for (const char* kind : {"perturbation", "full"}) {
    SCOPED_TRACE(kind);
    const AtStart at(std::string(R"(gyrostat: 1
bodies:
  hub: {mass: 50, inertia: {xx: 10, yy: 12, zz: 15, xy: 0.5, xz: -1, yz: 0.3}, com: [0.1, 0.2, 0.3]}
  boom: {mass: 3, inertia: [0.01, 4, 4], com: [2, 0, 0]}
  tip: {mass: 2, point_mass: true}
joints:
  hinge: {type: universal, parent: hub, child: boom, parent_point: [1, 0, 0], axes: [[0, 0, 1], [0, 1, 0]]}
  weld: {type: weld, parent: boom, child: tip, parent_point: [4, 0, 0]}
environment: {orbit: {semi_major_axis: 7000 km, eccentricity: 0.01, inclination: 0.4}, gravity_gradient: )") +
                         kind + "}\n",
                     [](AtStart& a) {
                       moved(9)(a);
                       place_on_orbit(a.loaded.model->description, a.system(), a.state);
                     });
    EXPECT_EQ(expect_loads_of_the_plant(at), 3);
  }
}

}  // namespace loads_test
}  // namespace gyrostat::derive
