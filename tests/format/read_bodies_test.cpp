// Every field of a body arrives in its place, in SI units.
#include <numbers>

#include "support/problem_case.h"

namespace gyrostat {
namespace {

using testing::description_of;
using testing::expect_near;
using testing::number_of;

BodyDescription body(const std::string& fields) {
  const Description d = description_of("gyrostat: 1\nbodies:\n  a: " + fields + "\n");
  return testing::named(d.bodies, "a");
}

TEST(ReadBody, KeepsTheOrderOfTheFile) {
  const Description d = description_of(R"(gyrostat: 1
name: two bodies
bodies:
  z: {mass: 1, inertia: [1, 1, 1]}
  a: {mass: 2, inertia: [1, 1, 1]}
joints: {j: {type: weld, parent: z, child: a}}
)");
  EXPECT_EQ(d.name, "two bodies");
  ASSERT_EQ(d.bodies.size(), 2U);
  EXPECT_EQ(d.bodies[0].name, "z");
  EXPECT_EQ(d.bodies[1].name, "a");
}

TEST(ReadBody, TakesAMassInAnyUnit) {
  EXPECT_DOUBLE_EQ(body("{mass: 410, inertia: [1, 1, 1]}").mass, 410);
  EXPECT_DOUBLE_EQ(body("{mass: 2.5 g, inertia: [1 g*m^2, 1 g*m^2, 1 g*m^2]}").mass, 0.0025);
  EXPECT_DOUBLE_EQ(body("{mass: 10 lb, inertia: [1, 1, 1]}").mass, 4.5359237);
  EXPECT_DOUBLE_EQ(body("{mass: '1.5e1  kg', inertia: [1, 1, 1]}").mass, 15);
}

TEST(ReadBody, HasItsComAtTheOriginUnlessItSaysOtherwise) {
  expect_near(body("{mass: 1, inertia: [1, 1, 1]}").com, Vector3::Zero());
  expect_near(body("{mass: 1, inertia: [1, 1, 1], com: [1, 20 cm, -3 mm]}").com, Vector3(1, 0.2, -0.003));
}

TEST(ReadBody, TakesTheElementsOfTheInertiaMatrixWithTheirSigns) {
  Matrix3 wanted;
  wanted << 4.85, 0.41, -0.07, 0.41, 2.20, 0.54, -0.07, 0.54, 5.50;
  expect_near(body("{mass: 1, inertia: {xx: 4.85, yy: 2.20, zz: 5.50, xy: 0.41, xz: -0.07, yz: 0.54}}").inertia,
              wanted);
}

TEST(ReadBody, TakesThreePrincipalMoments) {
  expect_near(body("{mass: 1, inertia: [1, 2, 25000 kg*cm^2]}").inertia, Matrix3(Vector3(1, 2, 2.5).asDiagonal()));
}

TEST(ReadBody, TakesAWholeInertiaMatrix) {
  Matrix3 wanted;
  wanted << 4, 1, 0.5, 1, 5, -0.25, 0.5, -0.25, 6;
  expect_near(body("{mass: 1, inertia: [[4, 1, 0.5], [1, 5, -0.25], [0.5, -0.25, 6]]}").inertia, wanted);
}

TEST(ReadBody, MayBeAPointMass) {
  const Description d = description_of(R"(gyrostat: 1
bodies:
  bus: {mass: 1, inertia: [1, 1, 1]}
  tip: {mass: 2.0, point_mass: true}
joints: {j: {type: weld, parent: bus, child: tip}}
)");
  EXPECT_FALSE(d.bodies.at(0).point_mass);
  EXPECT_TRUE(d.bodies.at(1).point_mass);
  EXPECT_TRUE(d.bodies.at(1).inertia.isZero(0));
}

TEST(ReadBody, MayBeAcceptedThoughUnphysical) {
  const Loaded loaded =
      testing::load("gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 3], accept_unphysical: true}}\n");
  ASSERT_TRUE(loaded.model);
  EXPECT_TRUE(loaded.model->description.bodies.at(0).accept_unphysical);
  EXPECT_FALSE(body("{mass: 1, inertia: [1, 1, 1]}").accept_unphysical);
}

TEST(ReadBody, HasNamedPoints) {
  const BodyDescription b = body("{mass: 1, inertia: [1, 1, 1], points: {jet: [1, 0, 0], root: [0, 2 ft, 0]}}");
  ASSERT_EQ(b.points.size(), 2U);
  EXPECT_EQ(b.points[0].name, "jet");
  expect_near(b.points[0].position, Vector3(1, 0, 0));
  EXPECT_EQ(b.points[1].name, "root");
  expect_near(b.points[1].position, Vector3(0, 0.6096, 0));
}

TEST(ReadBody, HasWheels) {
  const BodyDescription b = body(R"(
    mass: 1
    inertia: [1, 1, 1]
    wheels:
      rw1: {axis: [0, 3, 4], inertia: 0.05, rate: 60 rpm, torque: "0.1*t", stiffness: 2 N*m/rad, damping: 3 mN*m*s}
      rw2: {axis: [1, 0, 0], inertia: 500 kg*cm^2, torque: 20 mN*m, at: [1, 20 cm, 0],
        radius: 120 mm}
      rw3: {axis: [0, 0, -2], inertia: 0.05, speed: 10 deg/s})");
  ASSERT_EQ(b.wheels.size(), 3U);
  const WheelDescription& rw1 = b.wheels[0];
  EXPECT_EQ(rw1.name, "rw1");
  expect_near(rw1.axis, Vector3(0, 0.6, 0.8));
  EXPECT_DOUBLE_EQ(rw1.inertia, 0.05);
  EXPECT_DOUBLE_EQ(rw1.rate, 2 * std::numbers::pi);
  EXPECT_EQ(rw1.torque.text, "0.1*t");
  EXPECT_TRUE(rw1.speed.empty());
  EXPECT_DOUBLE_EQ(rw1.stiffness, 2);
  EXPECT_DOUBLE_EQ(rw1.damping, 0.003);
  const WheelDescription& rw2 = b.wheels[1];
  EXPECT_DOUBLE_EQ(rw2.inertia, 0.05);
  EXPECT_DOUBLE_EQ(number_of(rw2.torque), 0.02);
  EXPECT_EQ(rw2.rate, 0);
  EXPECT_EQ(rw2.stiffness, 0);
  EXPECT_EQ(rw2.damping, 0);
  EXPECT_FALSE(rw1.at || rw1.radius);
  ASSERT_TRUE(rw2.at && rw2.radius);
  expect_near(*rw2.at, Vector3(1, 0.2, 0));
  EXPECT_DOUBLE_EQ(*rw2.radius, 0.12);
  const WheelDescription& rw3 = b.wheels[2];
  expect_near(rw3.axis, Vector3(0, 0, -1));
  EXPECT_TRUE(rw3.torque.empty());
  EXPECT_DOUBLE_EQ(number_of(rw3.speed), std::numbers::pi / 18);
}

TEST(ReadBody, HasShapesOfFourKinds) {
  const BodyDescription b = body(R"(
    mass: 1
    inertia: [1, 1, 1]
    shape:
      - {box: [2, 1, 50 cm], at: [0, 0, 1], color: "#888"}
      - {cylinder: [0.5, 2], orientation: {axis: [1, 0, 0], angle: 90 deg}, color: "#C0ffee"}
      - {sphere: 30 cm}
      - {mesh: bus.glb})");
  ASSERT_EQ(b.shapes.size(), 4U);
  EXPECT_EQ(b.shapes[0].kind, Shape::Kind::box);
  expect_near(b.shapes[0].size, Vector3(2, 1, 0.5));
  expect_near(b.shapes[0].at, Vector3(0, 0, 1));
  EXPECT_EQ(b.shapes[0].color, "#888");
  EXPECT_EQ(b.shapes[1].kind, Shape::Kind::cylinder);
  expect_near(b.shapes[1].size, Vector3(0.5, 2, 0));
  expect_near(b.shapes[1].orientation * Vector3::UnitY(), Vector3::UnitZ());
  EXPECT_EQ(b.shapes[1].color, "#C0ffee");
  EXPECT_EQ(b.shapes[2].kind, Shape::Kind::sphere);
  EXPECT_DOUBLE_EQ(b.shapes[2].size.x(), 0.3);
  expect_near(b.shapes[2].orientation, Matrix3::Identity());
  EXPECT_EQ(b.shapes[3].kind, Shape::Kind::mesh);
  EXPECT_EQ(b.shapes[3].file, "bus.glb");
}

TEST(ReadTable, HasPointsAndSaysWhatIsBetweenAndBeyondThem) {
  const Description d = description_of(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
tables:
  plain: {x: [0, 1, 2], y: [3, 4, -5e-1]}
  smooth: {x: [0, 1], y: [3, 4], interpolation: cubic, outside: hold}
  long: {x: [0, 1], y: [3, 4], interpolation: linear, outside: extend}
)");
  ASSERT_EQ(d.tables.size(), 3U);
  EXPECT_EQ(d.tables[0].name, "plain");
  EXPECT_EQ(d.tables[0].x, (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(d.tables[0].y, (std::vector<double>{3, 4, -0.5}));
  EXPECT_EQ(d.tables[0].interpolation, Interpolation::linear);
  EXPECT_EQ(d.tables[0].outside, Outside::error);
  EXPECT_EQ(d.tables[1].interpolation, Interpolation::cubic);
  EXPECT_EQ(d.tables[1].outside, Outside::hold);
  EXPECT_EQ(d.tables[2].interpolation, Interpolation::linear);
  EXPECT_EQ(d.tables[2].outside, Outside::extend);
}

}  // namespace
}  // namespace gyrostat
