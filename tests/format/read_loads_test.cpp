// Every kind of load and every field of it arrive in their places.
#include "support/problem_case.h"

namespace gyrostat {
namespace {

using testing::description_of;
using testing::expect_near;
using testing::number_of;

template <class Kind>
Kind load_of(const std::string& text) {
  const Description d = description_of(R"(gyrostat: 1
bodies:
  bus: {mass: 1, inertia: [1, 1, 1], points: {jet: [1, 0, 0]}}
  panel: {mass: 1, inertia: [1, 1, 1], points: {root: [0, 1, 0]}}
joints: {j: {type: weld, parent: bus, child: panel}}
tables: {soft: {x: [0, 1], y: [1, 2]}}
signals: {on: step(1)}
loads:
  - )" + text + "\n");
  const Kind* found = d.loads.empty() ? nullptr : std::get_if<Kind>(&d.loads[0]);
  EXPECT_NE(found, nullptr) << "no load, or another kind";
  return found != nullptr ? *found : Kind{};
}

TEST(ReadLoad, TorqueActsInBodyAxesByDefault) {
  const auto load = load_of<BodyLoad>("{body: bus, torque: [\"0.23*on\", 20 mN*m, 0]}");
  EXPECT_EQ(load.at.body, "bus");
  ASSERT_EQ(load.torque.size(), 3U);
  EXPECT_EQ(load.torque[0].text, "0.23*on");
  EXPECT_DOUBLE_EQ(number_of(load.torque[1]), 0.02);
  EXPECT_EQ(number_of(load.torque[2]), 0);
  EXPECT_TRUE(load.force.empty());
  EXPECT_EQ(load.axes, Axes::body);
}

TEST(ReadLoad, ForceActsAtTheComByDefault) {
  for (const char* text :
       {"{body: bus, force: [1, 2, 3 kN], axes: world}", "{body: bus, force: [1, 2, 3 kN], axes: world, point: com}"}) {
    const auto load = load_of<BodyLoad>(text);
    EXPECT_EQ(number_of(load.force.at(2)), 3000);
    EXPECT_EQ(load.axes, Axes::world);
    EXPECT_EQ(load.at.point, "");
    EXPECT_FALSE(load.at.position);
  }
}

TEST(ReadLoad, ForceActsAtANamedPointOrAPosition) {
  EXPECT_EQ(load_of<BodyLoad>("{body: bus, force: [1, 0, 0], point: jet}").at.point, "jet");
  const auto load = load_of<BodyLoad>("{body: bus, force: [1, 0, 0], point: [1, 2 cm, 3], torque: [0, 0, 0]}");
  ASSERT_TRUE(load.at.position);
  expect_near(*load.at.position, Vector3(1, 0.02, 3));
  EXPECT_EQ(load.torque.size(), 3U);
}

TEST(ReadLoad, SpringConnectsTwoPoints) {
  const auto load = load_of<SpringLoad>(
      "{spring: {from: [bus, jet], to: [panel, [0, 0, 10 cm]], stiffness: 10 N/mm, damping: {table: soft}, length: 20 "
      "cm, force: \"sin(t)\"}}");
  EXPECT_EQ(load.from.body, "bus");
  EXPECT_EQ(load.from.point, "jet");
  EXPECT_EQ(load.to.body, "panel");
  ASSERT_TRUE(load.to.position);
  expect_near(*load.to.position, Vector3(0, 0, 0.1));
  EXPECT_DOUBLE_EQ(load.stiffness.value, 10000);
  EXPECT_EQ(load.damping.table, "soft");
  EXPECT_DOUBLE_EQ(load.length, 0.2);
  EXPECT_EQ(load.force.text, "sin(t)");
}

TEST(ReadLoad, SpringMayBeFixedInTheWorld) {
  const auto load = load_of<SpringLoad>("{spring: {from: [world, [0, 0, 1]], to: [panel, com], stiffness: 1}}");
  EXPECT_EQ(load.from.body, "world");
  EXPECT_EQ(load.to.body, "panel");
  EXPECT_EQ(load.to.point, "");
  EXPECT_FALSE(load.to.position);
}

TEST(ReadLoad, ThrusterPushesAlongItsDirection) {
  const auto load =
      load_of<ThrusterLoad>("{thruster: {body: bus, point: jet, direction: [0, 3, 4], thrust: 500 mN, command: on}}");
  EXPECT_EQ(load.at.body, "bus");
  EXPECT_EQ(load.at.point, "jet");
  expect_near(load.direction, Vector3(0, 0.6, 0.8));
  EXPECT_DOUBLE_EQ(number_of(load.thrust), 0.5);
  EXPECT_EQ(load.command.text, "on");
  EXPECT_TRUE(
      load_of<ThrusterLoad>("{thruster: {body: bus, point: com, direction: [1, 0, 0], thrust: 1}}").command.empty());
}

TEST(ReadLoad, TorqueBetweenTwoBodies) {
  const auto load =
      load_of<TorqueBetweenLoad>("{torque_between: {from: bus, to: panel, axis: [0, 0, 9], torque: \"t\"}}");
  EXPECT_EQ(load.from, "bus");
  EXPECT_EQ(load.to, "panel");
  expect_near(load.axis, Vector3::UnitZ());
  EXPECT_EQ(load.torque.text, "t");
}

TEST(ReadLoad, TorsionSpringHasAnAxisAndTwoLines) {
  const auto load = load_of<TorsionSpringLoad>(
      "{torsion_spring: {from: bus, to: panel, axis: [0, 0, 9], from_line: [2, 0, 0], to_line: [0, 3, 0], stiffness: "
      "{table: soft}, damping: 2 mN*m*s/rad, rest: 30 deg, torque: \"t\"}}");
  EXPECT_EQ(load.from, "bus");
  EXPECT_EQ(load.to, "panel");
  expect_near(load.axis, Vector3::UnitZ());
  expect_near(load.from_line, Vector3::UnitX());
  expect_near(load.to_line, Vector3::UnitY());
  EXPECT_EQ(load.stiffness.table, "soft");
  EXPECT_DOUBLE_EQ(load.damping.value, 0.002);
  EXPECT_DOUBLE_EQ(load.rest, 0.5235987755982988);
  EXPECT_EQ(load.torque.text, "t");
}

TEST(ReadLoad, CoefficientsOfSpringsMayBeExpressions) {
  const auto load =
      load_of<SpringLoad>("{spring: {from: [bus, jet], to: [panel, root], stiffness: \"1 + on\", damping: 2*pi}}");
  EXPECT_EQ(load.stiffness.expression.text, "1 + on");
  EXPECT_TRUE(load.damping.expression.empty());
  EXPECT_DOUBLE_EQ(load.damping.value, 6.283185307179586);
}

TEST(ReadLoad, ListMayBeLeftEmpty) {
  EXPECT_TRUE(description_of("gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\nloads:\n").loads.empty());
}

}  // namespace
}  // namespace gyrostat
