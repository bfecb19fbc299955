// Springs, dampers and motors between lines of two bodies: numbers found by hand, a revolute joint's own spring, and
// the laws of energy and momentum.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/at_start.h"
#include "support/flight.h"

namespace gyrostat::testing {
namespace torsion_spring_test {

constexpr double pi = std::numbers::pi;

/// Free bodies a and b; b is turned about an axis, and both may spin.
std::string pair_with(const std::string& spring, const std::string& of_b = "axis: [0, 0, 1], angle: 0.5",
                      const std::string& omega_b = "[0, 0, 0]", const std::string& omega_a = "[0, 0, 0]") {
  return R"(gyrostat: 1
parameters: {K: 10}
tables:
  k: {x: [-4, 0, 4], y: [2, 1, 3]}
  d: {x: [-4, 4], y: [0, 8]}
  short: {x: [0, 0.2], y: [10, 20]}
bodies:
  a: {mass: 2, inertia: [1, 2, 2.5]}
  b: {mass: 4, inertia: [2, 1, 2.5]}
joints:
  at: {type: free, parent: world, child: a, initial: {omega: )" +
         omega_a + R"(}}
  bt: {type: free, parent: world, child: b, initial: {position: [4, 0, 0], orientation: {)" +
         of_b + "}, omega: " + omega_b + R"(}}
signals: {twice: "2*K"}
loads: [{torsion_spring: {from: a, to: b, axis: [0, 0, 2], from_line: [1, 0, 0], to_line: [1, 0, 0], )" +
         spring + "}}]\n";
}

/// The torque on b about z; that on a is the opposite, and neither has other components.
double torque(const std::string& text) {
  const AtStart at(text);
  expect_vector(at.torque("b"), -at.torque("a"));
  EXPECT_EQ(at.torque("b").x(), 0);
  EXPECT_EQ(at.torque("b").y(), 0);
  expect_vector(at.force("b"), {0, 0, 0});
  return at.torque("b").z();
}

TEST(TorsionSpring, TurnsTheSecondLineBackToTheFirst) {
  const AtStart at(pair_with("stiffness: 10"));
  expect_vector(at.torque("b"), {0, 0, -5});
  expect_vector(at.torque("a"), {0, 0, 5});
  EXPECT_DOUBLE_EQ(at.potential, 1.25);
}

TEST(TorsionSpring, TheAngleHasASign) {
  EXPECT_NEAR(torque(pair_with("stiffness: 10", "axis: [0, 0, 1], angle: -0.5")), 5, 1e-12);
}

TEST(TorsionSpring, PullsTowardsItsRest) {
  EXPECT_NEAR(torque(pair_with("stiffness: 10, rest: 0.7")), 2, 1e-12);
  EXPECT_NEAR(AtStart(pair_with("stiffness: 10, rest: 0.7")).potential, 0.2, 1e-12);
}

TEST(TorsionSpring, ItsDamperSeesTheRelativeRateAboutTheAxis) {
  EXPECT_NEAR(torque(pair_with("damping: 2", "axis: [0, 0, 1], angle: 0.5", "[0, 0, 3]", "[0, 0, 1]")), -4, 1e-12);
  EXPECT_NEAR(torque(pair_with("damping: 2", "axis: [0, 0, 1], angle: 0", "[5, 7, 1]", "[0, 0, 1]")), 0, 1e-12);
}

TEST(TorsionSpring, ItsMotorActsOnTheSecondBody) {
  EXPECT_NEAR(torque(pair_with("torque: \"7 + t\"")), 7, 1e-12);
  EXPECT_NEAR(torque(pair_with("torque: 7, stiffness: 10")), 2, 1e-12);
}

TEST(TorsionSpring, CoefficientsMayBeTablesOfTheDeflection) {
  EXPECT_NEAR(torque(pair_with("stiffness: {table: k}, rest: -0.3")), -(1 + 0.8 * 0.5) * 0.8, 1e-12);
  EXPECT_NEAR(AtStart(pair_with("stiffness: {table: k}, rest: -0.3")).potential,
              0.5 * 0.8 * 0.8 + 0.5 * std::pow(0.8, 3) / 3, 1e-12);
  EXPECT_NEAR(torque(pair_with("damping: {table: d}", "axis: [0, 0, 1], angle: 0.5", "[0, 0, 3]")), -4.5 * 3, 1e-12);
}

TEST(TorsionSpring, CoefficientsMayBeExpressions) {
  EXPECT_NEAR(torque(pair_with("stiffness: twice")), -10, 1e-12);
  EXPECT_NEAR(torque(pair_with("stiffness: \"K/2\"")), -2.5, 1e-12);  // of parameters alone: a constant
  EXPECT_NEAR(torque(pair_with("damping: \"twice/10\"", "axis: [0, 0, 1], angle: 0.5", "[0, 0, 3]")), -6, 1e-12);
}

TEST(TorsionSpring, OnlyAConstantOrATableHasPotentialEnergy) {
  EXPECT_EQ(AtStart(pair_with("stiffness: twice")).potential, 0);
  EXPECT_GT(AtStart(pair_with("stiffness: \"2*K\"")).potential, 0);
}

TEST(TorsionSpring, MeasuresTheAngleAcrossTheAxis) {  // both lines lean towards the axis by different angles
  const std::string text = R"(gyrostat: 1
bodies: {a: {mass: 2, inertia: [1, 2, 2.5]}, b: {mass: 4, inertia: [2, 1, 2.5]}}
joints: {j: {type: revolute, parent: a, child: b, axis: [0, 0, 1], initial: {angle: 0.5}}}
loads:
  - {torsion_spring: {from: a, to: b, axis: [0, 0, 1], from_line: [1, 0, 3], to_line: [2, 0, -1], stiffness: 10}}
)";
  EXPECT_NEAR(AtStart(text).torque("b").z(), -5, 1e-12);
}

/// b on a hinge of a free body; the hinge turns about an axis that leans.
std::string hinged(const std::string& of_joint, const std::string& loads, const std::string& initial = "angle: 1.2") {
  return R"(gyrostat: 1
tables: {k: {x: [-4, 0, 4], y: [2, 1, 3]}, d: {x: [-4, 4], y: [0.01, 0.4]}}
bodies:
  a: {mass: 2, inertia: [1, 2, 2.5]}
  b: {mass: 4, com: [0.3, 0.2, 0.1], inertia: [2, 1, 2.5]}
joints:
  base: {initial: {omega: [0.1, 0.2, 0.3]}}
  j: {type: revolute, parent: a, child: b, parent_point: [1, 0, 0.5], axis: [0, 0, 1], initial: {)" +
         initial + "}" + of_joint + "}\n" + loads + R"(
simulation: {duration: 3, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.1}
)";
}

void expect_same_motion(const std::string& of_joint, const std::string& of_spring) {
  const std::string load =
      "loads: [{torsion_spring: {from: a, to: b, axis: [0, 0, 1], from_line: [0, 1, 0], to_line: [0, 1, 0], ";
  const Flight joint(hinged(of_joint, "")), spring(hinged("", load + of_spring + "}}]"));
  for (const char* name : {"j.angle", "j.rate", "base.omega_x", "base.omega_z", "system.energy"}) {
    const auto a = joint.values(name), b = spring.values(name);
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 2e-9) << name << " at " << joint.time[k];
  }
}

TEST(TorsionSpring, DoesWhatTheSpringOfARevoluteJointDoes) {
  expect_same_motion(", stiffness: 3, rest: 0.2, damping: 0.1, torque: \"sin(t)\"",
                     "stiffness: 3, rest: 0.2, damping: 0.1, torque: \"sin(t)\"");
  expect_same_motion(", stiffness: {table: k}, damping: {table: d}", "stiffness: {table: k}, damping: {table: d}");
}

/// Three bodies in a row by spherical joints: the lines leave the plane across the axis, and turn about each other.
std::string chain(const std::string& springs, double duration = 4) {
  return R"(gyrostat: 1
tables: {k: {x: [-4, 0, 4], y: [2, 1, 3]}, d: {x: [-4, 4], y: [0.01, 0.4]}}
bodies:
  a: {mass: 2, inertia: [1, 2, 2.5]}
  b: {mass: 4, com: [0.3, 0.2, 0.1], inertia: [2, 1, 2.5]}
  c: {mass: 1, inertia: [0.5, 0.6, 0.7]}
joints:
  ab: {type: spherical, parent: a, child: b, parent_point: [1, 0, 0], initial: {omega: [0.4, 0.1, -0.3]}}
  bc: {type: spherical, parent: b, child: c, parent_point: [1, 0, 0],
       initial: {orientation: {axis: [1, 1, 0], angle: 0.6}, omega: [-0.4, 0.6, 0.3]}}
loads:
)" + springs +
         "\nsimulation: {duration: " + std::to_string(duration) +
         ", integrator: {method: dopri5, tolerance: 1e-11}}\noutput: {interval: 0.1}\n";
}

const std::string three_springs = R"--(
  - {torsion_spring: {from: a, to: b, axis: [0, 0, 1], from_line: [1, 0, 0], to_line: [1, 0.3, 0.2], stiffness: 3}}
  - {torsion_spring: {from: c, to: b, axis: [0, 1, 1], from_line: [1, 0, 0], to_line: [1, 0, 0], rest: 0.4,
                      stiffness: {table: k}, damping: {table: d}}}
  - {torsion_spring: {from: b, to: a, axis: [1, 0, 0], from_line: [0, 1, 0], to_line: [0, 1, 0],
                      stiffness: "2 + sin(t)", damping: "0.1*cos(t)^2", torque: "0.2*sin(3*t)"}}
)--";

TEST(TorsionSpring, ChangesNoMomentum) {
  const Flight run(chain(three_springs), {}, Flight::Expect::finish);
  const auto angular = run.simulation.ledger().angular_momentum, linear = run.simulation.ledger().momentum;
  EXPECT_LT(angular.largest, 1e-11 * angular.scale);
  EXPECT_LT(linear.largest, 1e-11);
}

TEST(TorsionSpring, TheLedgerOfEnergyBalances) {
  const Flight run(chain(three_springs), {}, Flight::Expect::finish);
  EXPECT_GT(run.simulation.ledger().energy.scale, 1);
  EXPECT_LT(run.simulation.ledger().energy.largest, 1e-8);
}

TEST(TorsionSpring, PassingHalfATurnIsAnEvent) {  // turned freely from 3 rad, b passes pi, and 3 pi a turn later
  const Flight run(
      hinged("",
             "loads: [{torsion_spring: {from: a, to: b, axis: [0, 0, 1], from_line: [1, 0, 0], to_line: [1, 0, 0]}}]",
             "angle: 3.0, rate: 2"),
      {}, Flight::Expect::finish);
  ASSERT_EQ(run.events.size(), 2U);
  EXPECT_EQ(run.events[0].change.name, "loads[0]");
  const auto angle = run.values("j.angle"), seen = run.values("loads/0.angle");
  for (std::size_t k = 0; k < angle.size(); ++k) {
    EXPECT_NEAR(seen[k], std::remainder(angle[k], 2 * pi), 1e-9);
    EXPECT_EQ(run.time[k] >= run.events[0].t, angle[k] >= pi);
  }
  EXPECT_GT(angle.back(), 3 * pi);
}

TEST(TorsionSpring, TheTorqueTurnsRoundAtHalfATurnAndTheEnergyStaysTheSame) {
  const Flight run(
      hinged("",
             "loads: [{torsion_spring: {from: a, to: b, axis: [0, 0, 1], from_line: [1, 0, 0], to_line: [1, 0, 0],"
             " stiffness: 0.1}}]",
             "angle: 3.0, rate: 3"),
      {}, Flight::Expect::finish);
  EXPECT_GE(run.events.size(), 1U);
  EXPECT_LT(run.simulation.ledger().energy.largest, 1e-8);
  const auto torque = run.values("loads/0.torque");
  EXPECT_LT(torque.front(), 0);
  EXPECT_GT(*std::max_element(torque.begin(), torque.end()), 0.2);
}

TEST(TorsionSpring, LeavingATableStopsTheRun) {
  const Flight run(pair_with("stiffness: {table: short}", "axis: [0, 0, 1], angle: 0.1", "[0, 0, 0.1]") +
                   "simulation: {duration: 100}\n");
  EXPECT_EQ(run.outcome.kind, Outcome::Kind::failed);
  EXPECT_THAT(run.outcome.failure, ::testing::HasSubstr("a load on body 'a' is not finite"));
}

TEST(TorsionSpring, ShowsItsAngleAndTorque) {
  const Flight run(pair_with("stiffness: 10, torque: 1") + "simulation: {duration: 1}\n");
  EXPECT_NEAR(run.values("loads/0.angle").front(), 0.5, 1e-12);
  EXPECT_NEAR(run.values("loads/0.torque").front(), -4, 1e-12);
}

TEST(Spring, CoefficientsMayBeExpressions) {
  const std::string text = R"--(gyrostat: 1
bodies: {a: {mass: 2, inertia: [1, 2, 2.5]}, b: {mass: 4, inertia: [1, 2, 2.5]}}
joints:
  at: {type: free, parent: world, child: a}
  bt: {type: free, parent: world, child: b, initial: {position: [4, 0, 0], velocity: [1, 0, 0]}}
signals: {soft: "3 + sin(t)"}
loads: [{spring: {from: [a, com], to: [b, com], length: 3, stiffness: soft, damping: "2*soft"}}]
simulation: {duration: 2, integrator: {method: dopri5, tolerance: 1e-11}}
)--";
  const AtStart at(text);
  expect_vector(at.force("a"), {9, 0, 0});
  EXPECT_EQ(at.potential, 0);
  const Flight run(text, {}, Flight::Expect::finish);
  EXPECT_LT(run.simulation.ledger().energy.largest, 1e-9);
}

}  // namespace torsion_spring_test
}  // namespace gyrostat::testing
