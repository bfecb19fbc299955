// What stands with joints and wheels: springs, dampers, motors, N-BOD's axis torque; against numbers found by hand.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "support/at_start.h"
#include "support/reference.h"

namespace gyrostat::testing {
namespace joint_loads_test {

/// A body of 2 kg with moments 1, 2, 2.5 kg m^2 on a joint with the world.
std::string on_a_joint(const std::string& joint) {
  return R"(gyrostat: 1
tables:
  k: {x: [-2, 0, 2], y: [30, 10, 50]}
  d: {x: [-1, 1], y: [1, 3], outside: hold}
bodies: {a: {mass: 2, inertia: [1, 2, 2.5]}}
signals: {command: "3 + t"}
joints: {j: {parent: world, child: a, )" +
         joint + "}}\n";
}

std::vector<double> accelerations(const std::string& joint) { return AtStart(on_a_joint(joint)).accelerations("j"); }

TEST(JointLoad, SpringDamperAndMotorOfAPrismaticJoint) {
  const std::string axis = "type: prismatic, axis: [0, 3, 4], initial: {displacement: 1.5, speed: 2}, ";
  expect_numbers(accelerations(axis + "stiffness: 8"), {-6});
  expect_numbers(accelerations(axis + "stiffness: 8, rest: 0.5"), {-4});
  expect_numbers(accelerations(axis + "damping: 3"), {-3});
  expect_numbers(accelerations(axis + "torque: command"), {1.5});
  expect_numbers(accelerations(axis + "stiffness: 8, rest: 0.5, damping: 3, torque: 11"), {-1.5});
}

TEST(JointLoad, SpringDamperAndMotorOfARevoluteJoint) {
  const std::string axis = "type: revolute, axis: [0, 0, 1], initial: {angle: 90 deg, rate: 2}, ";
  expect_numbers(accelerations(axis + "stiffness: 5, rest: 90 deg"), {0});
  expect_numbers(accelerations(axis + "stiffness: 5"), {-std::numbers::pi});
  expect_numbers(accelerations(axis + "damping: 5"), {-4});
  expect_numbers(accelerations(axis + "torque: \"5*j.rate - j.angle/pi\""), {3.8});
}

TEST(JointLoad, ARestWithoutASpringDoesNothing) {
  expect_numbers(accelerations("type: revolute, axis: [0, 0, 1], rest: 1"), {0});
}

TEST(JointLoad, EachCoordinateHasItsOwn) {
  expect_numbers(accelerations("type: cylindrical, axis: [0, 0, 1], initial: {angle: 1, displacement: 2, rate: 3, "
                               "speed: 4}, stiffness: [5, 7], rest: [0.5, 1], damping: [10, 20], torque: [20, 80]"),
                 {(20 - 2.5 - 30) / 2.5, (80 - 7 - 80) / 2.0});
  expect_numbers(accelerations("type: planar, normal: [0, 0, 1], initial: {displacements: [1, 2], angle: 3}, "
                               "stiffness: [2, 4, 5], torque: [1, \"-1\", command]"),
                 {-0.5, -4.5, -4.8});
  expect_numbers(accelerations("type: general, translations: [[1, 0, 0]], rotations: [[0, 0, 1]], initial: "
                               "{displacement: 1, angle: 2}, stiffness: [4, 5], damping: [1, 1], rest: [3, 3]"),
                 {4, 2});
  expect_numbers(accelerations("type: translation, axes: [[0, 0, 1], [1, 0, 0]], torque: [2, 6]"), {1, 3});
}

TEST(JointLoad, OneNumberServesForAllCoordinatesThatAreAlike) {
  expect_numbers(accelerations("type: translation, axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], initial: {displacements: "
                               "[1, 2, 3], speeds: [1, 0, 0]}, stiffness: 4, rest: 1, damping: 2, torque: 6"),
                 {2, 1, -1});
}

TEST(JointLoad, AUniversalJointTakesTorquesAboutItsAxes) {  // at zero angles the axes are those of the body
  expect_numbers(accelerations("type: universal, axes: [[1, 0, 0], [0, 1, 0]], torque: [3, 4]"), {3, 2});
}

TEST(JointLoad, ASphericalJointTakesTorquesAndDampingInTheChildsAxes) {
  const std::string turned = "type: spherical, initial: {orientation: {axis: [1, 2, 3], angle: 1}";
  expect_numbers(accelerations(turned + "}, torque: [1, 2, 5]"), {1, 1, 2});
  expect_numbers(accelerations(turned + ", omega: [3, 0, 0]}, damping: 2"), {-6, 0, 0});
  expect_numbers(accelerations(turned + ", omega: [0, 0, 5]}, damping: [1, 2, 3], torque: [0, 0, 5]"), {0, 0, -4});
}

TEST(JointLoad, AFreeJointTakesTorquesFirstAndForcesAfterwards) {
  const std::string turned = "type: free, initial: {orientation: {axis: [0, 0, 1], angle: 90 deg}";
  expect_numbers(accelerations(turned + "}, torque: [1, 2, 5, 2, 4, 6]"), {1, 1, 2, 1, 2, 3});
  expect_numbers(accelerations(turned + ", velocity: [1, 2, 3]}, damping: [1, 1, 1, 2, 2, 2]"), {0, 0, 0, -1, -2, -3});
}

TEST(JointLoad, CoefficientsMayBeTablesOfTheDeflection) {
  const std::string axis = "type: prismatic, axis: [1, 0, 0], initial: {displacement: 1.5, speed: 2}, ";
  expect_numbers(accelerations(axis + "stiffness: {table: k}"), {-1.5 * 40 / 2});
  expect_numbers(accelerations(axis + "stiffness: {table: k}, rest: 2.5"), {1.0 * 20 / 2});
  expect_numbers(accelerations(axis + "damping: {table: d}, rest: 1.5"), {-2 * 2 / 2.0});
  expect_numbers(accelerations(axis + "damping: {table: d}"), {-3 * 2 / 2.0});
  expect_numbers(accelerations("type: translation, axes: [[1, 0, 0], [0, 1, 0]], initial: {displacements: [1, -1]}, "
                               "stiffness: [{table: k}, 4]"),
                 {-15, 2});
}

TEST(JointLoad, TheEnergyOfATableIsTheWorkAlongItToEitherSide) {
  const std::string axis = "type: prismatic, axis: [1, 0, 0], stiffness: {table: k}, initial: {displacement: ";
  EXPECT_NEAR(AtStart(on_a_joint(axis + "1.5}")).potential, 5 * 2.25 + 20 * 1.5 * 1.5 * 1.5 / 3, 1e-12);
  EXPECT_NEAR(AtStart(on_a_joint(axis + "-1}")).potential, 5 + 10 / 3.0, 1e-12);
  EXPECT_EQ(AtStart(on_a_joint(axis + "0}")).potential, 0);
}

/// A free body a and body b on the same spot, with a revolute joint between them.
std::string two(const std::string& joint) {
  return R"(gyrostat: 1
bodies: {a: {mass: 2, inertia: [1, 2, 2]}, b: {mass: 3, inertia: [1, 2, 2.5]}}
joints: {base: {}, j: {type: revolute, axis: [0, 0, 1], initial: {angle: 0.5, rate: 2}, )" +
         joint + "}}\n";
}

TEST(JointLoad, TheParentGetsTheOpposite) {
  const AtStart motor(two("parent: a, child: b, torque: 5"));
  expect_numbers(motor.accelerations("base"), {0, 0, -2.5, 0, 0, 0});
  expect_numbers(motor.accelerations("j"), {4.5});
  const AtStart damped(two("parent: a, child: b, stiffness: 2, damping: 2"));
  expect_numbers(damped.accelerations("base"), {0, 0, 2.5, 0, 0, 0});
  expect_numbers(damped.accelerations("j"), {-4.5});
}

TEST(JointLoad, SignsAreTheUsersWhereTheChildIsNearerTheBase) {
  const AtStart motor(two("parent: b, child: a, torque: 5"));
  expect_numbers(motor.accelerations("base"), {0, 0, 2.5, 0, 0, 0});
  expect_numbers(motor.accelerations("j"), {4.5});
  const AtStart damped(two("parent: b, child: a, stiffness: 2, damping: 2"));
  expect_numbers(damped.accelerations("base"), {0, 0, -2.5, 0, 0, 0});
  expect_numbers(damped.accelerations("j"), {-4.5});
}

TEST(JointLoad, OfALockedJointIsHeldByTheLock) {
  const AtStart at(on_a_joint("type: revolute, axis: [0, 0, 1], locked: true, stiffness: 3, rest: 1, torque: 4"));
  expect_numbers(at.accelerations("j"), {0});
  expect_numbers(at.driving("j"), {-7});
  EXPECT_DOUBLE_EQ(at.potential, 1.5);
}

TEST(JointLoad, ALockHoldsAgainstALoadOnTheBody) {
  const AtStart at(on_a_joint("type: prismatic, axis: [1, 0, 0], locked: true") +
                   "loads: [{body: a, force: [3, 4, 0]}]\n");
  expect_numbers(at.accelerations("j"), {0});
  expect_numbers(at.driving("j"), {-3});
  expect_vector(at.reaction("j").force, {-3, -4, 0});
}

// --- axis torque -------------------------------------------------------------------------------------------------

constexpr double root_2 = std::numbers::sqrt2;

/// Axes z, x + z and y: the first two are half a right angle apart.
std::string oblique(const std::string& more) {
  return on_a_joint("type: gimbal, axes: [[0, 0, 1], [1, 0, 1], [0, 1, 0]], " + more);
}

TEST(AxisTorque, IsASumOfTorquesAlongAxesThatAreNotOrthogonal) {
  // The torque on the body is 1 z + 2 (x + z)/sqrt 2 + 3 y; each ring's share is its component along the ring's axis.
  const AtStart at(oblique("axis_torque: [1, 2, 3]"));
  expect_numbers(at.tau("j"), {1 + root_2, 2 + 1 / root_2, 3});
  // angular acceleration (sqrt 2, 3, 1 + sqrt 2) over the moments, taken apart along the axes
  expect_numbers(at.accelerations("j"), {(1 + root_2) / 2.5 - root_2, 2, 1.5});
}

TEST(AxisTorque, IsNotTheTorqueOfTheRings) {
  const AtStart rings(oblique("torque: [1, 2, 3]"));
  expect_numbers(rings.tau("j"), {1, 2, 3});
  const AtStart both(oblique("torque: [1, 2, 3], axis_torque: [1, 2, 3]"));
  expect_numbers(both.tau("j"), {2 + root_2, 4 + 1 / root_2, 6});
}

TEST(AxisTorque, TurningAboutTheFirstAxisChangesNothing) {
  const AtStart at(oblique("axis_torque: [1, 2, 3], initial: {angles: [90 deg, 0, 0]}"));
  expect_numbers(at.tau("j"), {1 + root_2, 2 + 1 / root_2, 3});
  expect_numbers(at.accelerations("j"), {(1 + root_2) / 2.5 - root_2, 2, 1.5});
}

TEST(AxisTorque, ItsAxesAreWhereTheRotationsBeforeThemLeftThem) {
  const Vector3 a1(0, 0, 1), a2 = Vector3(1, 0, 1).normalized(), a3(0, 1, 0);
  const Matrix3 R1 = reference_rotation(a1, 0.3), R2 = reference_rotation(a2, 0.7);
  Matrix3 A;
  A << a1, R1 * a2, R1 * R2 * a3;
  const Vector3 tau = A.transpose() * (A * Vector3(1, 2, 3));
  const AtStart at(oblique("axis_torque: [1, 2, 3], initial: {angles: [0.3, 0.7, -0.4]}"));
  expect_numbers(at.tau("j"), {tau.x(), tau.y(), tau.z()});
}

TEST(AxisTorque, AlongOneAxisIsTheTorque) {
  expect_numbers(accelerations("type: revolute, axis: [0, 0, 2], axis_torque: \"5 + t\""), {2});
}

TEST(AxisTorque, ActsOnTheAnglesOfAJointThatAlsoSlides) {
  const AtStart cylindrical(on_a_joint("type: cylindrical, axis: [0, 0, 1], axis_torque: 5"));
  expect_numbers(cylindrical.tau("j"), {5, 0});
  const AtStart planar(on_a_joint("type: planar, normal: [0, 0, 1], axis_torque: 5"));
  expect_numbers(planar.tau("j"), {0, 0, 5});
  const AtStart general(
      on_a_joint("type: general, translations: [[1, 0, 0]], rotations: [[0, 0, 1], [1, 0, 1]], axis_torque: [1, 2]"));
  expect_numbers(general.tau("j"), {0, 1 + root_2, 2 + 1 / root_2});
}

TEST(AxisTorque, OfAJointWhoseChildIsNearerTheBaseActsOnTheUsersChild) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 2, inertia: [1, 2, 2]}, b: {mass: 3, inertia: [1, 2, 2.5]}}
joints: {base: {}, j: {type: universal, parent: b, child: a, axes: [[0, 0, 1], [1, 0, 1]], axis_torque: [5, 0]}}
)");
  expect_numbers(at.tau("j"), {5, 5 / root_2});
  // a ring between b and a carries the oblique part: a pure torque along z remains, on a forwards and on b backwards
  expect_numbers(at.accelerations("base"), {0, 0, 2.5, 0, 0, 0}, 1e-11);
}

// --- wheels ------------------------------------------------------------------------------------------------------

/// A free body with moments 1, 2, 2.5 kg m^2 and in it a wheel of 0.5 kg m^2 about z.
std::string with_wheel(const std::string& wheel) {
  return "gyrostat: 1\nbodies: {a: {mass: 2, inertia: [1, 2, 2.5], wheels: {rw: {axis: [0, 0, 2], inertia: 0.5, " +
         wheel + "}}}}\n";
}

TEST(WheelLoad, TheMotorTurnsTheWheelAndTheBodyBack) {
  const AtStart at(with_wheel("torque: \"2 + t\""));
  expect_numbers(at.accelerations("base"), {0, 0, -1, 0, 0, 0});
  EXPECT_NEAR(at.wheel_acceleration("a.rw"), 5, 1e-12);
}

TEST(WheelLoad, ADamperBrakesTheWheelAndTakesTheBodyAlong) {
  const AtStart at(with_wheel("damping: 0.2, rate: 10"));
  expect_numbers(at.accelerations("base"), {0, 0, 1, 0, 0, 0});
  EXPECT_NEAR(at.wheel_acceleration("a.rw"), -5, 1e-12);
}

TEST(WheelLoad, ASpringPullsTheWheelBack) {
  const AtStart at(with_wheel("stiffness: 4"), [](AtStart& a) { a.state.q[a.wheel("a.rw").q] = 0.5; });
  expect_numbers(at.accelerations("base"), {0, 0, 1, 0, 0, 0});
  EXPECT_NEAR(at.wheel_acceleration("a.rw"), -5, 1e-12);
  EXPECT_DOUBLE_EQ(at.potential, 0.5);
}

TEST(WheelLoad, AllOfThemAddUp) {
  const AtStart at(with_wheel("stiffness: 4, damping: 0.2, rate: 10, torque: 6"),
                   [](AtStart& a) { a.state.q[a.wheel("a.rw").q] = 0.5; });
  EXPECT_NEAR(at.wheel_acceleration("a.rw"), 5, 1e-12);
}

TEST(WheelLoad, APrescribedSpeedNeedsADrivingTorque) {
  const AtStart at(with_wheel("speed: \"100 + 3*t\""));  // 0.5 (w + 3) = T and 2 w = -T
  EXPECT_DOUBLE_EQ(at.state.u[at.wheel("a.rw").u], 100);
  EXPECT_DOUBLE_EQ(at.wheel_acceleration("a.rw"), 3);
  expect_numbers(at.accelerations("base"), {0, 0, -0.6, 0, 0, 0});
  EXPECT_NEAR(at.reactions.driving[at.wheel("a.rw").u], 1.2, 1e-12);
}

TEST(WheelLoad, WheelsOfSeveralBodiesAreNotMixedUp) {
  const AtStart at(R"(gyrostat: 1
bodies:
  z: {mass: 2, inertia: [1, 1, 1],
    wheels: {u: {axis: [1, 0, 0], inertia: 0.5, torque: 1}, v: {axis: [0, 0, 1], inertia: 0.5}}}
  a: {mass: 2, inertia: [1, 1, 1],
    wheels: {v: {axis: [1, 0, 0], inertia: 0.5}, u: {axis: [0, 0, 1], inertia: 0.5, torque: 2}}}
joints:
  jz: {type: weld, parent: world, child: z}
  ja: {type: weld, parent: world, child: a}
)");
  EXPECT_DOUBLE_EQ(at.wheel_acceleration("z.u"), 2);
  EXPECT_DOUBLE_EQ(at.wheel_acceleration("z.v"), 0);
  EXPECT_DOUBLE_EQ(at.wheel_acceleration("a.u"), 4);
  EXPECT_DOUBLE_EQ(at.wheel_acceleration("a.v"), 0);
}

}  // namespace joint_loads_test
}  // namespace gyrostat::testing
