// Springs and dampers between points, against numbers found by hand.
#include <gtest/gtest.h>

#include "support/at_start.h"

namespace gyrostat::testing {
namespace {

/// Bodies a (2 kg) at the origin and b (4 kg) four metres away along x, both free; moments 1, 2, 2.5 kg m^2.
std::string pair_with(const std::string& spring, const std::string& motion_of_a = "",
                      const std::string& motion_of_b = "") {
  return R"(gyrostat: 1
tables:
  k: {x: [0, 1, 2], y: [10, 20, 40]}
  d: {x: [0, 2], y: [1, 5]}
  short: {x: [0.1, 0.2], y: [10, 20]}
bodies:
  a: {mass: 2, inertia: [1, 2, 2.5], points: {top: [0, 1, 0], o: [0, 0, 0]}}
  b: {mass: 4, inertia: [1, 2, 2.5], points: {top: [0, 1, 0], o: [0, 0, 0]}}
joints:
  at: {type: free, parent: world, child: a, initial: {)" +
         motion_of_a + "}}\n  bt: {type: free, parent: world, child: b, initial: {position: [4, 0, 0]" +
         (motion_of_b.empty() ? "" : ", " + motion_of_b) + "}}\nloads: [{spring: " + spring + "}]\n";
}

/// The tension: what a, as the first end, is pulled with towards b.
double tension(const std::string& text) {
  const AtStart at(text);
  expect_vector(at.force("b"), -at.force("a"));
  EXPECT_EQ(at.force("a").y(), 0);
  EXPECT_EQ(at.force("a").z(), 0);
  return at.force("a").x();
}

TEST(Spring, PullsItsEndsTogetherWhenItIsLong) {
  const AtStart at(pair_with("{from: [a, o], to: [b, o], stiffness: 10, length: 3}"));
  expect_numbers(at.accelerations("at"), {0, 0, 0, 5, 0, 0});
  expect_numbers(at.accelerations("bt"), {0, 0, 0, -2.5, 0, 0});
  EXPECT_DOUBLE_EQ(at.potential, 5);
}

TEST(Spring, PushesThemApartWhenItIsShort) {
  EXPECT_DOUBLE_EQ(tension(pair_with("{from: [a, o], to: [b, o], stiffness: 10, length: 5}")), -10);
}

TEST(Spring, HasNoLengthUnlessItIsGiven) {
  const AtStart at(pair_with("{from: [a, o], to: [b, o], stiffness: 10}"));
  expect_vector(at.force("a"), {40, 0, 0});
  EXPECT_DOUBLE_EQ(at.potential, 80);
}

TEST(Spring, ItsDamperSeesOnlyTheRateOfTheLength) {
  EXPECT_DOUBLE_EQ(
      tension(pair_with("{from: [a, o], to: [b, o], stiffness: 10, damping: 2, length: 3}", "", "velocity: [1, 5, 7]")),
      12);
  EXPECT_DOUBLE_EQ(tension(pair_with("{from: [a, o], to: [b, o], damping: 2}", "velocity: [1, 5, 7]", "")), -2);
  EXPECT_DOUBLE_EQ(tension(pair_with("{from: [a, o], to: [b, o], damping: 2}", "velocity: [1, 0, 0]",
                                     "velocity: [1, 0, 0], omega: [1, 2, 3]")),
                   0);
}

TEST(Spring, ItsForceIsAddedTensionPositive) {
  EXPECT_DOUBLE_EQ(tension(pair_with("{from: [a, o], to: [b, o], force: \"7 + t\"}")), 7);
  EXPECT_DOUBLE_EQ(tension(pair_with("{from: [a, o], to: [b, o], force: -7, stiffness: 10, length: 3}")), 3);
}

TEST(Spring, PullsAtItsPoints) {
  const AtStart at(pair_with("{from: [a, top], to: [b, top], stiffness: 10, length: 3}"));
  expect_numbers(at.accelerations("at"), {0, 0, -4, 5, 0, 0});
  expect_numbers(at.accelerations("bt"), {0, 0, 4, -2.5, 0, 0});
}

TEST(Spring, ItsPointsTurnWithTheirBodies) {  // top of a is at [-1, 0, 0]
  const AtStart at(pair_with("{from: [a, top], to: [b, o], stiffness: 10, length: 3}",
                             "orientation: {axis: [0, 0, 1], angle: 90 deg}"));
  expect_vector(at.force("a"), {20, 0, 0});
  expect_vector(at.torque("a"), {0, 0, 0});
}

TEST(Spring, ADamperFeelsThatABodyTurns) {  // top of a moves with [-2, 0, 0]
  const AtStart at(pair_with("{from: [a, top], to: [b, top], damping: 3}", "omega: [0, 0, 2]"));
  expect_vector(at.force("a"), {6, 0, 0});
  expect_vector(at.torque("a"), {0, 0, -6});
}

TEST(Spring, MayBeTiedToTheWorldAtEitherEnd) {
  const AtStart from(pair_with("{from: [a, top], to: [world, [4, 1, 0]], stiffness: 10, length: 3}"));
  expect_numbers(from.accelerations("at"), {0, 0, -4, 5, 0, 0});
  expect_numbers(from.accelerations("bt"), {0, 0, 0, 0, 0, 0});
  const AtStart to(pair_with("{from: [world, [0, 0, 6]], to: [a, [0, 0, 1]], stiffness: 10, length: 3}"));
  expect_numbers(to.accelerations("at"), {0, 0, 0, 0, 0, 10});
  EXPECT_DOUBLE_EQ(to.potential, 20);
}

TEST(Spring, AnEndMayBeTheCom) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 2, com: [1, 0, 0], inertia: [1, 2, 2.5]}}
loads: [{spring: {from: [a, com], to: [world, [1, 0, 5]], stiffness: 2}}]
)");
  expect_numbers(at.accelerations("base"), {0, 0, 0, 0, 0, 5});
}

TEST(Spring, ItsCoefficientsMayBeTablesOfTheDeflection) {
  const std::string spring = "{from: [a, o], to: [b, o], stiffness: {table: k}, length: 2.5}";
  EXPECT_DOUBLE_EQ(tension(pair_with(spring)), 30 * 1.5);
  const std::string damper = "{from: [a, o], to: [b, o], damping: {table: d}, length: 3}";
  EXPECT_DOUBLE_EQ(tension(pair_with(damper, "", "velocity: [2, 0, 0]")), 3 * 2);
}

TEST(Spring, TheEnergyOfATableIsTheWorkAlongIt) {  // integral of (10 + 10 x) x to 1, of 20 x + 20 x (x - 1) to 1.5
  const AtStart at(pair_with("{from: [a, o], to: [b, o], stiffness: {table: k}, length: 2.5}"));
  const double to_one = 5 + 10.0 / 3, beyond = 20.0 / 3 * (1.5 * 1.5 * 1.5 - 1);
  EXPECT_NEAR(at.potential, to_one + beyond, 1e-12);
}

TEST(Spring, WithoutADirectionHasNoForce) {
  const AtStart at(pair_with("{from: [a, o], to: [world, [0, 0, 0]], stiffness: 10, length: 3, damping: 1, force: 5}",
                             "velocity: [1, 2, 3]"));
  expect_numbers(at.accelerations("at"), {0, 0, 0, 0, 0, 0});
  EXPECT_DOUBLE_EQ(at.potential, 45);
}

TEST(Spring, OfZeroLengthAtItsPointHasNoForceAndNoEnergy) {
  const AtStart at(pair_with("{from: [a, o], to: [world, [0, 0, 0]], stiffness: 10}"));
  expect_vector(at.force("a"), {0, 0, 0});
  EXPECT_EQ(at.potential, 0);
}

TEST(Spring, BeyondItsTableIsNotANumber) {
  const AtStart at(pair_with("{from: [a, o], to: [b, o], stiffness: {table: short}, length: 3}"));
  EXPECT_TRUE(std::isnan(at.force("a").x()));
}

TEST(Spring, SeveralAddUp) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 2, inertia: [1, 2, 2.5]}}
loads:
- {spring: {from: [a, com], to: [world, [3, 0, 0]], stiffness: 2}}
- {spring: {from: [a, com], to: [world, [0, 4, 0]], stiffness: 2, length: 1}}
)");
  expect_numbers(at.accelerations("base"), {0, 0, 0, 3, 3, 0});
  EXPECT_DOUBLE_EQ(at.potential, 9 + 9);
}

}  // namespace
}  // namespace gyrostat::testing
