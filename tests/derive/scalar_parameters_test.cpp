// Parameters of the model in scalar forms: wherever the file computes a number from them.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gyrostat/derive/scalar_print.h"

#include "derive/scalar_support.h"

namespace gyrostat::testing {
namespace scalar_parameters_test {

using scalar::Form;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

Form form_with_parameters(const Loaded& loaded, bool jacobian = false) {
  const Formulas formulas = read_formulas(loaded.source);
  return scalar::derive_form(*loaded.model, {jacobian, false, &formulas});
}

std::vector<std::string> names_of(const std::vector<scalar::Variable>& list) {
  std::vector<std::string> names;
  for (const scalar::Variable& v : list) names.push_back(v.name);
  return names;
}

/// Every kind of number that a file may compute: of bodies, wheels, joints, loads and the environment.
constexpr const char* parametric = R"yaml(gyrostat: 1
name: parametric
parameters:
  m1: 2 kg
  m2: 1.5*m1
  long: 0.8 m
  offset: [0.1, long/4, "-0.05"]
  cant: 0.4
  tilt: 0.3
  j: 0.2
  zero: 0
  k: 5
  d: 0.3
  rest: 0.1 rad
  spin: 0.05
  s0: 0.25 m
  thrust: 3
  g: 9.81
  soft: 2
  edge: 0.2
bodies:
  bus:
    mass: 3*m1 + m2
    com: offset
    inertia: {xx: j + 1, yy: 2*j + 1, zz: 1.5, xy: zero, xz: j/10}
    points: {jet: [long/2, 0.1, 0]}
    wheels:
      rw: {axis: [sin(cant), 0, cos(cant)], inertia: spin, rate: 20, damping: d/10, stiffness: k/100, torque_limit: edge, torque: 5*sin(t + 1), friction: {coulomb: 0.01, viscous: d/20}}
  arm: {mass: m1, com: [long/2, 0, 0], inertia: [j/10, j, j]}
  plate: {mass: m2/4, inertia: [[j, 0, zero], [0, j, 0], [zero, 0, j]]}
  puck: {mass: 0.4, inertia: [0.02, 0.02, j/10]}
  knob: {mass: 0.3, inertia: [0.01, 0.01, 0.02], com: [0, 0.05, 0]}
joints:
  base: {type: free, parent: world, child: bus}
  shoulder:
    type: universal
    parent: bus
    child: arm
    parent_point: [long, 0, 2*offset.y]
    axes: [[0, sin(tilt), cos(tilt)], [0, 1, 0]]
    stiffness: [k, 2*k]
    damping: d
    rest: [rest, "-rest"]
  slide: {type: prismatic, parent: arm, child: plate, parent_point: [long, 0, 0], child_point: offset, axis: [1, tilt, 0], orientation: {axis: [1, 1, 0], angle: tilt}, stiffness: 10*k, rest: s0/10}
  table: {type: planar, parent: bus, child: puck, normal: [0.1, tilt, 1], damping: [d, d, d/10]}
  hinge: {type: general, parent: bus, child: knob, rotations: [[0, 0, 1], [cant, 1, 0]], translations: [[1, 0, cant]], damping: [d, d, d], parent_point: [0, 0, long]}
loads:
  - {thruster: {body: bus, point: jet, direction: [0, cos(cant), sin(cant)], thrust: thrust}}
  - {thruster: {body: arm, point: [long, 0, offset.x], direction: [0, 0, 1], thrust: 0.1}}
  - {spring: {from: [bus, com], to: [plate, [0, long/8, 0]], stiffness: k, damping: d, length: s0}}
  - {torsion_spring: {from: bus, to: puck, axis: [0, tilt, 1], from_line: [1, cant, 0], to_line: [1, 0, 0], stiffness: soft, damping: d, rest: rest}}
  - {torque_between: {from: bus, to: knob, axis: [tilt, 0, 1], torque: 0.3*thrust}}
environment: {gravity: {uniform: [0.1, 0, -g]}}
)yaml";

TEST(ScalarParameters, AreThoseOfTheModelWhereverItsFileComputesANumber) {
  const Loaded loaded = load(parametric);
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Form form = form_with_parameters(loaded);
  const std::vector<std::string> names = names_of(form.p);
  for (const char* name : {"m1", "long", "offset.x", "cant", "tilt", "j", "zero", "k", "d", "rest", "spin", "s0",
                           "thrust", "g", "soft", "edge"}) {
    EXPECT_THAT(names, Contains(name));
  }
  for (const char* name :
       {"m2", "offset.y", "bus.mass", "arm.mass", "shoulder.stiffness1", "shoulder.parent_point_x"}) {
    EXPECT_THAT(names, Not(Contains(name)));
  }
  EXPECT_THAT(form.notes, Not(Contains(HasSubstr("does not follow")))) << ::testing::PrintToString(form.notes);
  const auto m1 = std::ranges::find(form.p, "m1", &scalar::Variable::name);
  EXPECT_EQ(m1->value, 2);
  EXPECT_EQ(m1->unit, "kg");
}

/// A parameter changed in the function is the parameter changed by --set.
TEST(ScalarParameters, ChangedInAFormAreThoseChangedInTheModel) {
  const Loaded loaded = load(parametric);
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Form form = form_with_parameters(loaded);
  Random random(3);
  for (std::size_t k = 0; k < form.p.size() && !::testing::Test::HasFatalFailure(); ++k) {
    const std::string& name = form.p[k].name;
    if (name.find('.') != std::string::npos) continue;  // a component, or a number of its own
    SCOPED_TRACE(name);
    const double changed = form.p[k].value * 1.3 + 0.07;
    const Loaded other = load(parametric, {{name, fmt::format("{}", changed)}});
    ASSERT_TRUE(other.model) << problems_of(other);
    PlantAt plant(*other.model), before(*loaded.model);
    const State state = random_state(other.model->system, random);
    plant.set(state), before.set(state);
    ScalarPoint x = plant.point(form);
    EXPECT_EQ(x.p[k], form.p[k].value);
    x.p[k] = changed;
    expect_same_accelerations(form, evaluate_at(form, x).udot, plant);
    EXPECT_NE(plant.udot(), before.udot()) << "the parameter has no effect: the test would not see a mistake";
  }
}

TEST(ScalarParameters, ThatTheCommandLineGivesAreFollowedToo) {
  const std::vector<Override> set = {{"m2", "0.5*m1"}, {"long", "1.1"}};
  const Loaded loaded = load(parametric, set);
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Formulas formulas = read_formulas(loaded.source, set);
  const Form form = scalar::derive_form(*loaded.model, {false, false, &formulas});
  EXPECT_THAT(names_of(form.p), Not(Contains("m2")));
  EXPECT_EQ(std::ranges::find(form.p, "long", &scalar::Variable::name)->value, 1.1);
  PlantAt plant(*loaded.model);
  Random random(4);
  plant.set(random_state(loaded.model->system, random));
  expect_same_accelerations(form, evaluate_at(form, plant.point(form)).udot, plant);
}

/// What is not carried over is said.
TEST(ScalarParameters, ThatAreNotFollowedAreNamed) {
  const Loaded loaded = load(R"(gyrostat: 1
parameters: {a: 0.2, x: 1}
tables: {curve: {x: [-1, x], y: [1, 2], outside: extend}}
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  pan:
    type: revolute
    parent: world
    child: b
    axis: [0, 0, 1]
    orientation: {euler: {sequence: zyx, angles: [a, 0, 0]}}
    stiffness: {table: curve}
    initial: {angle: a}
)");
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Form form = form_with_parameters(loaded);
  EXPECT_THAT(form.notes, Contains(HasSubstr("joints.pan.orientation.euler.angles[0]: a")));
  EXPECT_THAT(form.notes, Contains(HasSubstr("tables.curve.x[1]: x")));
  EXPECT_EQ(form.notes.size(), 2U);
  for (const std::string& text : {scalar::to_c(form), scalar::to_python(form), scalar::to_text(form, true),
                                  scalar::to_latex(form), scalar::to_html(form), scalar::to_json(form)}) {
    EXPECT_THAT(text, HasSubstr("angles"));
  }
}

/// Friction of a joint that has a damper as well: its viscous part is a number of its own, its direction an input.
TEST(ScalarParameters, OfFrictionAreNotThoseOfTheDamper) {
  const Loaded loaded = load(R"(gyrostat: 1
bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  pan:
    type: revolute
    parent: world
    child: b
    axis: [0, 0, 1]
    damping: 0.5
    friction: {coulomb: 0.3, static: 0.6, stribeck: 0.2, viscous: 0.25}
    stops: {low: -0.5, high: 0.5, stiffness: 40, damping: 2}
    latch: {when: "pan.angle > 3"}
    initial: {angle: 0.7, rate: 1.5}
)");
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Form form = form_with_parameters(loaded);
  ASSERT_EQ(names_of(form.s), std::vector<std::string>{"pan.sliding"});
  PlantAt plant(*loaded.model);
  plant.set(loaded.model->system.initial);
  ScalarPoint x{scalar::values_of(form.p), {0.7}, {1.5}, {1}, 0};
  const double level = 0.3 + 0.3 * std::exp(-std::pow(1.5 / 0.2, 2)), stop = 40 * 0.2 + 2 * 1.5;
  EXPECT_NEAR(evaluate_at(form, x).udot[0], -(0.5 + 0.25) * 1.5 - level - stop, 1e-12);
  EXPECT_NEAR(plant.udot()[0], evaluate_at(form, x).udot[0], 1e-12);
  x.s[0] = 0;
  EXPECT_NEAR(evaluate_at(form, x).udot[0], -(0.5 + 0.25) * 1.5 - stop, 1e-12);
  EXPECT_THAT(form.notes, Contains(HasSubstr("pan.sliding is 1 or -1")));
  EXPECT_THAT(form.notes, Contains(HasSubstr("Left out: the latch, sticking of pan")));
}

}  // namespace scalar_parameters_test
}  // namespace gyrostat::testing
