// Every field of a joint arrives in its place, in SI units.
#include <numbers>

#include "support/problem_case.h"

namespace gyrostat {
namespace {

using std::numbers::pi;
using testing::description_of;
using testing::expect_near;
using testing::number_of;

using Numbers = std::vector<double>;

/// The joint `j` between two bodies.
JointDescription joint(const std::string& fields, const std::string& more = "") {
  const Description d = description_of(
      "gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}\n"
      "joints:\n  j: {parent: a, child: b, " +
      fields + "}\n" + more);
  return testing::named(d.joints, "j");
}

TEST(ReadJoint, ConnectsPointsOfTwoBodies) {
  const JointDescription j = joint("type: weld, parent_point: [1, 2, 3 cm], child_point: [0, 0, -75 mm]");
  EXPECT_EQ(j.name, "j");
  EXPECT_EQ(j.type, JointType::weld);
  EXPECT_EQ(j.parent, "a");
  EXPECT_EQ(j.child, "b");
  expect_near(j.parent_point, Vector3(1, 2, 0.03));
  expect_near(j.child_point, Vector3(0, 0, -0.075));
  expect_near(j.orientation, Matrix3::Identity());
  EXPECT_TRUE(j.position.empty());
  EXPECT_TRUE(j.speed.empty());
  EXPECT_FALSE(j.locked);
  EXPECT_FALSE(j.cut);
}

TEST(ReadJoint, RevoluteTurnsAboutANormalisedAxis) {
  const JointDescription j = joint("type: revolute, axis: [0, -3, 4], initial: {angle: 218 deg, rate: 60 rpm}");
  EXPECT_EQ(j.type, JointType::revolute);
  ASSERT_EQ(j.rotations.size(), 1U);
  expect_near(j.rotations[0], Vector3(0, -0.6, 0.8));
  EXPECT_TRUE(j.translations.empty());
  ASSERT_EQ(j.position.size(), 1U);
  EXPECT_DOUBLE_EQ(j.position[0], 218 * pi / 180);
  EXPECT_DOUBLE_EQ(j.speed.at(0), 2 * pi);
}

TEST(ReadJoint, PrismaticSlidesAlongAnAxis) {
  const JointDescription j = joint("type: prismatic, axis: [2, 0, 0], initial: {displacement: 3 mm, speed: 1 cm/s}");
  ASSERT_EQ(j.translations.size(), 1U);
  expect_near(j.translations[0], Vector3::UnitX());
  EXPECT_TRUE(j.rotations.empty());
  EXPECT_EQ(j.position, (Numbers{0.003}));
  EXPECT_EQ(j.speed, (Numbers{0.01}));
}

TEST(ReadJoint, CylindricalHasItsAngleBeforeItsDisplacement) {
  const JointDescription j =
      joint("type: cylindrical, axis: [0, 0, 1], initial: {angle: 1, displacement: 2, rate: 3, speed: 4}");
  expect_near(j.translations.at(0), Vector3::UnitZ());
  expect_near(j.rotations.at(0), Vector3::UnitZ());
  EXPECT_EQ(j.position, (Numbers{1, 2}));
  EXPECT_EQ(j.speed, (Numbers{3, 4}));
}

TEST(ReadJoint, UniversalHasTwoAxes) {
  const JointDescription j =
      joint("type: universal, axes: [[1, 0, 0], [0, 5, 0]], initial: {angles: [90 deg, 1], rates: [2, 3]}");
  ASSERT_EQ(j.rotations.size(), 2U);
  expect_near(j.rotations[1], Vector3::UnitY());
  EXPECT_EQ(j.position, (Numbers{90 * (pi / 180), 1}));
  EXPECT_EQ(j.speed, (Numbers{2, 3}));
}

TEST(ReadJoint, GimbalHasThreeAxes) {
  const JointDescription j =
      joint("type: gimbal, axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], initial: {angles: [1, 0.5, 3], rates: [4, 5, 6]}");
  EXPECT_EQ(j.rotations.size(), 3U);
  EXPECT_EQ(j.position, (Numbers{1, 0.5, 3}));
  EXPECT_EQ(j.speed, (Numbers{4, 5, 6}));
}

TEST(ReadJoint, SphericalBeginsWithAnOrientation) {
  const JointDescription j =
      joint("type: spherical, initial: {orientation: {axis: [0, 0, 1], angle: 90 deg}, omega: [1 deg/s, 2, 3]}");
  ASSERT_EQ(j.position.size(), 4U);
  expect_near(Eigen::Map<const Eigen::Vector4d>(j.position.data()),
              Eigen::Vector4d(std::sqrt(0.5), 0, 0, std::sqrt(0.5)));
  EXPECT_EQ(j.speed, (Numbers{pi / 180, 2, 3}));
}

TEST(ReadJoint, SphericalBeginsAlignedUnlessItSaysOtherwise) {
  EXPECT_EQ(joint("type: spherical").position, (Numbers{1, 0, 0, 0}));
}

TEST(ReadJoint, TranslationHasOneToThreeAxes) {
  EXPECT_EQ(joint("type: translation, axes: [[0, 0, 2]]").translations.size(), 1U);
  const JointDescription j = joint(
      "type: translation, axes: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], initial: {displacements: [1, 2, 3], speeds: "
      "[4, 5, 6]}");
  EXPECT_EQ(j.translations.size(), 3U);
  EXPECT_TRUE(j.rotations.empty());
  EXPECT_EQ(j.position, (Numbers{1, 2, 3}));
  EXPECT_EQ(j.speed, (Numbers{4, 5, 6}));
}

TEST(ReadJoint, PlanarSlidesInThePlaneAndTurnsAboutItsNormal) {
  const JointDescription j =
      joint("type: planar, normal: [0, 0, 3], initial: {displacements: [1, 2], angle: 3, speeds: [4, 5], rate: 6}");
  ASSERT_EQ(j.translations.size(), 2U);
  expect_near(j.translations[0], Vector3::UnitX());
  expect_near(j.translations[1], Vector3::UnitY());
  expect_near(j.rotations.at(0), Vector3::UnitZ());
  EXPECT_EQ(j.position, (Numbers{1, 2, 3}));
  EXPECT_EQ(j.speed, (Numbers{4, 5, 6}));
}

TEST(ReadJoint, PlanarHasARightHandedPlaneForAnyNormal) {
  const JointDescription j = joint("type: planar, normal: [1, -2, 0.5]");
  expect_near(j.translations.at(0).cross(j.translations.at(1)), j.rotations.at(0));
}

TEST(ReadJoint, GeneralHasItsDisplacementsBeforeItsAngles) {
  const JointDescription j = joint(
      "type: general, translations: [[1, 0, 0]], rotations: [[0, 1, 0], [0, 0, 1]], "
      "initial: {displacement: 1, angles: [2, 3], speed: 4, rates: [5, 6]}");
  EXPECT_EQ(j.translations.size(), 1U);
  EXPECT_EQ(j.rotations.size(), 2U);
  EXPECT_EQ(j.position, (Numbers{1, 2, 3}));
  EXPECT_EQ(j.speed, (Numbers{4, 5, 6}));
}

TEST(ReadJoint, FreeHasPositionAndOrientationAndTheirRates) {
  const Description d = description_of(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints:
  fly:
    type: free
    parent: world
    child: a
    initial:
      position: [7000 km, 0, 1]
      velocity: [0, 7.5 km/s, 2]
      orientation: {quaternion: [0, 1, 0, 0]}
      omega: [0.1, 0.2, 6 deg/s]
)");
  ASSERT_EQ(d.joints.size(), 1U);
  EXPECT_EQ(d.joints[0].type, JointType::free);
  EXPECT_EQ(d.joints[0].position, (Numbers{7e6, 0, 1, 0, 1, 0, 0}));
  EXPECT_EQ(d.joints[0].speed, (Numbers{0.1, 0.2, 6 * (pi / 180), 0, 7500, 2}));
}

TEST(ReadJoint, OrientationIsTheSameInEachOfItsFourForms) {
  Matrix3 quarter_turn;  // about z: x of the child is y of the parent
  quarter_turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  for (const char* form :
       {"{axis: [0, 0, 2], angle: 90 deg}", "{quaternion: [0.70710678, 0, 0, 0.70710678]}",
        "{euler: {sequence: zyx, angles: [90 deg, 0, 0]}}", "{matrix: [[0, -1, 0], [1, 0, 0], [0, 0, 1]]}"}) {
    SCOPED_TRACE(form);
    expect_near(joint(std::string("type: weld, orientation: ") + form).orientation, quarter_turn);
  }
}

TEST(ReadJoint, EulerAnglesTurnAboutMovingAxesInTheOrderWritten) {
  const auto orientation = [](const std::string& sequence) {
    return joint("type: weld, orientation: {euler: {sequence: " + sequence + ", angles: [0.1, 0.2, 0.3]}}").orientation;
  };
  const auto about = [](int axis, double angle) { return rotation_about(Vector3::Unit(axis), angle); };
  expect_near(orientation("zyx"), Matrix3(about(2, 0.1) * about(1, 0.2) * about(0, 0.3)));
  expect_near(orientation("bryant"), orientation("xyz"));
  expect_near(orientation("classic"), orientation("zxz"));
  expect_near(orientation("zxz"), Matrix3(about(2, 0.1) * about(0, 0.2) * about(2, 0.3)));
  for (const char* other : {"xzy", "yxz", "yzx", "zxy", "xyx", "xzx", "yxy", "yzy", "zyz"}) {
    EXPECT_GT((orientation(other) - Matrix3::Identity()).norm(), 0.1) << other;
  }
}

TEST(ReadJoint, OneStiffnessServesForAllCoordinates) {
  const JointDescription j =
      joint("type: universal, axes: [[1, 0, 0], [0, 1, 0]], stiffness: 3500 N*m/rad, rest: 1 deg, damping: 20");
  ASSERT_EQ(j.stiffness.size(), 2U);
  EXPECT_EQ(j.stiffness[0].value, 3500);
  EXPECT_EQ(j.stiffness[1].value, 3500);
  EXPECT_EQ(j.rest, (Numbers{pi / 180, pi / 180}));
  ASSERT_EQ(j.damping.size(), 2U);
  EXPECT_EQ(j.damping[1].value, 20);
}

TEST(ReadJoint, ListsGiveEachCoordinateItsOwn) {
  const JointDescription j = joint(
      "type: cylindrical, axis: [0, 0, 1], stiffness: [1 N*m/deg, {table: soft}], rest: [10 deg, 5 mm], "
      "damping: [{table: soft}, 2 N*s/m], torque: [\"sin(t)\", 3 kN]",
      "tables: {soft: {x: [0, 1], y: [1, 2]}}\n");
  ASSERT_EQ(j.stiffness.size(), 2U);
  EXPECT_DOUBLE_EQ(j.stiffness[0].value, 180 / pi);
  EXPECT_EQ(j.stiffness[0].table, "");
  EXPECT_EQ(j.stiffness[1].table, "soft");
  EXPECT_EQ(j.rest, (Numbers{10 * (pi / 180), 0.005}));
  ASSERT_EQ(j.damping.size(), 2U);
  EXPECT_EQ(j.damping[0].table, "soft");
  EXPECT_EQ(j.damping[1].value, 2);
  ASSERT_EQ(j.torque.size(), 2U);
  EXPECT_EQ(j.torque[0].text, "sin(t)");
  EXPECT_EQ(number_of(j.torque[1]), 3000);
}

TEST(ReadJoint, AStiffnessMayBeNegative) {
  EXPECT_EQ(joint("type: revolute, axis: [0, 0, 1], stiffness: -1").stiffness.at(0).value, -1);
}

TEST(ReadJoint, ATorqueAlongEachAxisIsAnotherThingThanATorqueOnEachCoordinate) {
  const JointDescription j = joint("type: universal, axes: [[1, 0, 0], [0, 1, 0]], axis_torque: [1, \"t\"], torque: 2");
  ASSERT_EQ(j.axis_torque.size(), 2U);
  EXPECT_EQ(number_of(j.axis_torque[0]), 1);
  EXPECT_EQ(j.axis_torque[1].text, "t");
  ASSERT_EQ(j.torque.size(), 2U);
  EXPECT_EQ(number_of(j.torque[1]), 2);
}

TEST(ReadJoint, MayBeLocked) {
  EXPECT_TRUE(joint("type: revolute, axis: [0, 0, 1], locked: true, initial: {angle: 1}").locked);
  EXPECT_FALSE(joint("type: revolute, axis: [0, 0, 1], locked: false").locked);
}

TEST(ReadJoint, MayHaveItsPositionOrItsAccelerationPrescribed) {
  const JointDescription position = joint("type: revolute, axis: [0, 0, 1], prescribed: {position: \"deg(t)\"}");
  EXPECT_EQ(position.prescribed.kind, Prescribed::Kind::position);
  EXPECT_EQ(position.prescribed.motion.at(0).text, "deg(t)");
  const JointDescription acceleration =
      joint("type: spherical, prescribed: {acceleration: [1 deg/s^2, \"2*b.omega_x\", 0]}");
  EXPECT_EQ(acceleration.prescribed.kind, Prescribed::Kind::acceleration);
  ASSERT_EQ(acceleration.prescribed.motion.size(), 3U);
  EXPECT_DOUBLE_EQ(number_of(acceleration.prescribed.motion[0]), pi / 180);
  EXPECT_EQ(acceleration.prescribed.motion[1].text, "2*b.omega_x");
  EXPECT_EQ(joint("type: spherical").prescribed.kind, Prescribed::Kind::none);
}

TEST(ReadJoint, MayHaveASpringThatFollowsTheHeat) {
  const JointDescription j = joint(
      "type: universal, axes: [[1, 0, 0], [0, 1, 0]], stiffness: 1, "
      "thermal: {time_constant: 2 min, steady: [2 deg, 1], factor: \"step(100)\"}");
  ASSERT_TRUE(j.thermal);
  EXPECT_EQ(j.thermal->time_constant, 120);
  EXPECT_EQ(j.thermal->steady, (Numbers{2 * (pi / 180), 1}));
  EXPECT_EQ(j.thermal->factor.text, "step(100)");
}

TEST(ReadJoint, MayBeTheCutOfItsLoop) {
  const JointDescription j =
      joint("type: revolute, axis: [0, 0, 1], cut: true", "  k: {type: weld, parent: a, child: b}\n");
  EXPECT_TRUE(j.cut);
}

TEST(ReadJoint, GearCouplesTwoJoints) {
  const Description d = description_of(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  mesh: {type: gear, joints: [k, l], ratio: -2.5, offset: 0.1}
  k: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}
  l: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}
)");
  const JointDescription gear = testing::named(d.joints, "mesh");
  EXPECT_EQ(gear.type, JointType::gear);
  EXPECT_EQ(gear.geared[0], "k");
  EXPECT_EQ(gear.geared[1], "l");
  EXPECT_EQ(gear.ratio, -2.5);
  EXPECT_EQ(gear.offset, 0.1);
}

TEST(ReadJoint, GearMayHaveAnOffsetWithAUnit) {
  const Loaded loaded = testing::load(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  mesh: {type: gear, joints: [k, l], offset: 90 deg}
  k: {type: revolute, parent: world, child: a, axis: [0, 0, 1]}
  l: {type: revolute, parent: a, child: b, axis: [0, 0, 1]}
)");
  EXPECT_EQ(testing::problems_of(loaded), "");
}

TEST(ReadJoint, DistanceHoldsTwoPointsApart) {
  const JointDescription j = joint("type: distance, parent_point: [1, 0, 0], child_point: [0, 1, 0], length: 20 cm",
                                   "  k: {type: spherical, parent: a, child: b}\n");
  EXPECT_EQ(j.type, JointType::distance);
  EXPECT_DOUBLE_EQ(j.length, 0.2);
  expect_near(j.parent_point, Vector3::UnitX());
  expect_near(j.child_point, Vector3::UnitY());
}

TEST(ReadJoint, BaseIsMadeForTheFirstBodyWhereNoJointReachesTheWorld) {
  const Description d = description_of(R"(gyrostat: 1
bodies: {bus: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: weld, parent: bus, child: b}}
)");
  const JointDescription base = testing::named(d.joints, "base");
  EXPECT_EQ(base.type, JointType::free);
  EXPECT_EQ(base.parent, "world");
  EXPECT_EQ(base.child, "bus");
  EXPECT_EQ(base.position, (Numbers{0, 0, 0, 1, 0, 0, 0}));
  EXPECT_EQ(base.speed, Numbers(6, 0));
}

TEST(ReadJoint, BaseNeedsNeitherTypeNorParentNorChild) {
  const Description d = description_of(R"(gyrostat: 1
bodies: {bus: {mass: 1, inertia: [1, 1, 1]}}
joints: {base: {initial: {omega: [0, 0, 1 rpm]}}}
)");
  ASSERT_EQ(d.joints.size(), 1U);
  EXPECT_EQ(d.joints[0].type, JointType::free);
  EXPECT_EQ(d.joints[0].parent, "world");
  EXPECT_EQ(d.joints[0].child, "bus");
  EXPECT_DOUBLE_EQ(d.joints[0].speed.at(2), pi / 30);
}

TEST(ReadJoint, BaseMayBeOfAnotherTypeAndCarryAnotherBody) {
  const Description d = description_of(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints: {base: {type: spherical, child: b}, j: {type: weld, parent: b, child: a}}
)");
  EXPECT_EQ(d.joints.at(0).type, JointType::spherical);
  EXPECT_EQ(d.joints.at(0).parent, "world");
  EXPECT_EQ(d.joints.at(0).child, "b");
}

}  // namespace
}  // namespace gyrostat
