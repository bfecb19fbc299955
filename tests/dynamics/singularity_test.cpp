// Where the equations of motion have no solution, this is said, and where they have one, nothing is.
#include "gyrostat/dynamics/singularity.h"

#include <limits>
#include <numbers>

#include <gmock/gmock.h>

#include "gyrostat/dynamics/joint_motion.h"

#include "support/random_dynamics.h"
#include "support/scene.h"

namespace gyrostat::testing {
namespace singularity_test {

using ::testing::HasSubstr;

constexpr double pi = std::numbers::pi;

/// Axes x, y, z: at lock where the second angle is a right one. The volume is its cosine.
Description with_gimbal(double second = 0.3) {
  Description d;
  d.bodies = {rigid_body("hub", 4, {2, 3, 4}), rigid_body("head", 1, {1, 1.2, 1.4}, {0.1, 0.2, 0.3})};
  JointDescription j;
  j.name = "neck";
  j.type = JointType::gimbal;
  j.parent = "hub";
  j.child = "head";
  j.rotations = {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()};
  j.position = {0.2, second, -0.7};
  j.speed = {0.1, 0.2, 0.3};
  d.joints = {j};
  return d;
}

/// What is said after accelerations were computed.
std::optional<std::string> said(const Scene& s) {
  ArticulatedBodyData<double> workspace(s.mechanism);
  Eigen::VectorXd udot(s.state.u.size());
  const Kinematics<double> kinematics = s.kinematics();
  accelerations(s.mechanism, kinematics, s.state.u.data(), s.forces, workspace, udot.data());
  return find_singularity(s.mechanism, s.state.q.data(), kinematics, s.forces, workspace, udot.data());
}

void set_second_angle(Scene& s, double angle) { s.state.q[s.joint("neck").q + 1] = angle; }

TEST(GimbalLock, IsFoundExactlyAtIt) {
  Scene s(with_gimbal());
  for (const double angle : {pi / 2, -pi / 2, 3 * pi / 2}) {
    set_second_angle(s, angle);
    const auto text = find_gimbal_lock(s.mechanism, s.state.q.data(), s.forces);
    ASSERT_TRUE(text) << angle;
    EXPECT_THAT(*text, HasSubstr("joint 'neck' is at gimbal lock"));
    EXPECT_EQ(said(s), text);
  }
}

TEST(GimbalLock, IsNamedWithItsAngleInDegrees) {
  Scene s(with_gimbal());
  set_second_angle(s, pi / 2);
  EXPECT_THAT(find_gimbal_lock(s.mechanism, s.state.q.data(), s.forces).value(), HasSubstr("angle2 = 90 deg"));
  set_second_angle(s, -pi / 2);
  EXPECT_THAT(find_gimbal_lock(s.mechanism, s.state.q.data(), s.forces).value(), HasSubstr("angle2 = -90 deg"));
}

TEST(GimbalLock, BeginsAtTheThresholdOnBothSides) {
  Scene s(with_gimbal());
  for (const double lock : {pi / 2, -pi / 2}) {
    for (const double side : {-1.0, 1.0}) {
      set_second_angle(s, lock + side * 0.99 * locked_gimbal_volume);
      EXPECT_TRUE(find_gimbal_lock(s.mechanism, s.state.q.data(), s.forces)) << lock << " " << side;
      set_second_angle(s, lock + side * 1.01 * locked_gimbal_volume);
      EXPECT_FALSE(find_gimbal_lock(s.mechanism, s.state.q.data(), s.forces)) << lock << " " << side;
      EXPECT_FALSE(said(s)) << lock << " " << side;
    }
  }
}

TEST(GimbalLock, IsNotWhereAxesAreApart) {
  Scene s(with_gimbal());
  for (const double angle : {0.0, 1.0, -1.5, pi, 1.57}) {
    set_second_angle(s, angle);
    EXPECT_EQ(said(s), std::nullopt) << angle;
  }
}

/// First and third axis along z, the second along x: at lock where the second angle is zero or pi.
TEST(GimbalLock, OfProperEulerAnglesIsAtZero) {
  Description d = with_gimbal(1);
  d.joints[0].rotations = {Vector3::UnitZ(), Vector3::UnitX(), Vector3::UnitZ()};
  Scene s(std::move(d));
  EXPECT_FALSE(said(s));
  set_second_angle(s, 0);
  EXPECT_THAT(said(s).value(), HasSubstr("angle2 = 0 deg"));
  set_second_angle(s, pi);
  EXPECT_THAT(said(s).value(), HasSubstr("angle2 = 180 deg"));
}

/// In a general joint the angles stand behind the displacements.
TEST(GimbalLock, OfAJointThatSlidesTooIsFoundByItsAngles) {
  Description d = with_gimbal();
  d.joints[0].type = JointType::general;
  d.joints[0].translations = {Vector3::UnitX(), Vector3::UnitY()};
  d.joints[0].position = {pi / 2, 0.5, 0.2, 0.3, -0.7};
  d.joints[0].speed.assign(5, 0.1);
  Scene s(std::move(d));
  EXPECT_FALSE(said(s));
  s.state.q[s.joint("neck").q + 3] = pi / 2;
  EXPECT_THAT(said(s).value(), HasSubstr("joint 'neck' is at gimbal lock: at angle2 = 90 deg"));
}

TEST(GimbalLock, IsNoProblemWhereTheJointIsHeldOrDriven) {
  for (const bool locked : {false, true}) {
    Description d = with_gimbal();
    if (locked) {
      d.joints[0].locked = true;
      d.joints[0].speed.assign(3, 0);
    } else {
      prescribe(d.joints[0]);
    }
    Scene s(std::move(d));
    set_second_angle(s, pi / 2);
    for (double& tau : s.forces.tau) tau = 1;
    for (double& udot : s.forces.udot) udot = 0.5;
    EXPECT_EQ(find_gimbal_lock(s.mechanism, s.state.q.data(), s.forces), std::nullopt);
    EXPECT_EQ(said(s), std::nullopt);
    EXPECT_TRUE(s.accelerations().allFinite());
  }
}

TEST(GimbalLock, IsNotOfJointsWithFewerAxesOrWithQuaternions) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomModelOptions options;
    options.most_bodies = 10;
    const RandomCase c = RandomCase::make(seed, options);
    ASSERT_EQ(find_gimbal_lock(*c.mechanism, c.state.q.data(), c.forces), std::nullopt) << "seed " << seed;
  }
}

/// A point mass that slides on a massless arm: at the hinge it has no moment of inertia.
Description sliding_mass() {
  Description d;
  BodyDescription arm, mass;
  arm.name = "arm";
  mass.name = "mass";
  mass.mass = 2;
  mass.point_mass = true;
  d.bodies = {arm, mass};
  d.joints = {one_axis("hinge", JointType::revolute, "world", "arm", Vector3::UnitZ()),
              one_axis("slide", JointType::prismatic, "arm", "mass", Vector3::UnitX(), 0.5)};
  return d;
}

TEST(Singularity, OfAMotionThatLostItsMassNamesTheJoint) {
  Scene s(sliding_mass());
  EXPECT_EQ(said(s), std::nullopt);
  s.state.q[s.joint("slide").q] = 1e-3;
  EXPECT_EQ(said(s), std::nullopt);
  s.state.q[s.joint("slide").q] = 0;
  EXPECT_EQ(said(s).value(), "joint 'hinge' can move at this configuration without moving any mass");
}

/// A rod that floats, with a mass beside it that slides up to it: then nothing turns about the rod.
TEST(Singularity, OfAFloatingBodyIsFound) {
  Description d;
  BodyDescription rod = rigid_body("rod", 2, {0, 1, 1}), mass;
  mass.name = "mass";
  mass.mass = 1;
  mass.point_mass = true;
  d.bodies = {rod, mass};
  d.joints = {one_axis("slide", JointType::prismatic, "rod", "mass", Vector3::UnitY(), 0.5)};
  Scene s(std::move(d));
  s.state.u.head<3>() << 0.1, 0.2, 0.3;
  EXPECT_EQ(said(s), std::nullopt);
  s.state.q[s.joint("slide").q] = 0;
  EXPECT_THAT(said(s).value(), HasSubstr("joint 'base'"));
}

/// The name of the joint or wheel whose number is not finite, or of one that it acts on.
TEST(Singularity, IsSaidOfInputsThatAreNotFinite) {
  Description d = with_gimbal();
  d.bodies[0].wheels = {wheel("w", Vector3::UnitX(), 0.1, 10)};
  const Scene good(d);
  EXPECT_EQ(said(good), std::nullopt);
  for (const double rubbish : {std::nan(""), std::numeric_limits<double>::infinity()}) {
    for (std::size_t k = 0; k < good.forces.tau.size(); ++k) {
      Scene s(d);
      s.forces.tau[k] = rubbish;
      EXPECT_TRUE(said(s)) << "tau " << k;
      EXPECT_THAT(said(s).value_or(""), HasSubstr("is not finite")) << "tau " << k;
    }
    for (Eigen::Index k = 0; k < good.state.u.size(); ++k) {
      if (k >= 3 && k < 6) continue;  // nothing depends on the velocity of the base
      Scene s(d);
      s.state.u[k] = rubbish;
      EXPECT_TRUE(said(s)) << "speed " << k;
    }
    for (Eigen::Index k = 3; k < good.state.q.size() - 1; ++k) {  // not the place, nor the wheel's angle
      Scene s(d);
      s.state.q[k] = rubbish;
      EXPECT_TRUE(said(s)) << "coordinate " << k;
    }
    Scene s(d);
    s.forces.wrench[2].force.y = rubbish;
    EXPECT_THAT(said(s).value_or(""), HasSubstr("the acceleration of joint 'base' is not finite"));
  }
}

TEST(Singularity, OfAWheelIsSaidWithItsBody) {
  Description d;
  d.bodies = {rigid_body("bus", 1, {1, 1, 1})};
  d.bodies[0].wheels = {wheel("w", Vector3::UnitX(), 0.1, 10)};
  d.joints = {one_axis("pin", JointType::revolute, "world", "bus", Vector3::UnitZ())};
  d.joints[0].locked = true;
  Scene s(std::move(d));
  EXPECT_EQ(said(s), std::nullopt);
  s.forces.tau[1] = std::nan("");
  EXPECT_EQ(said(s).value(), "the acceleration of wheel 'bus.w' is not finite");
}

TEST(Singularity, IsNotSaidOfRandomSystems) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const RandomCase c = RandomCase::make(seed);
    ArticulatedBodyData<double> workspace(*c.mechanism);
    Eigen::VectorXd udot(c.state.u.size());
    accelerations(*c.mechanism, c.kinematics, c.state.u.data(), c.forces, workspace, udot.data());
    ASSERT_EQ(find_singularity(*c.mechanism, c.state.q.data(), c.kinematics, c.forces, workspace, udot.data()),
              std::nullopt)
        << seed;
  }
}

/// Bodies `arm`, without mass, and `mass`, a point; joints are for the caller.
Description massless_arm_with_mass_at(const Vector3& com) {
  BodyDescription arm, mass;
  arm.name = "arm";
  mass.name = "mass";
  mass.mass = 2;
  mass.point_mass = true;
  mass.com = com;
  Description d;
  d.bodies = {arm, mass};
  return d;
}

// A point mass slid to the hinge of a massless arm, hinge axis and points oblique: exactly singular but for rounding.
TEST(Singularity, OfAMotionThatLostItsMassIsFoundWithObliqueAxes) {
  int missed = 0;
  for (int seed = 0; seed < 50; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Description d = massless_arm_with_mass_at(random.vector());
    const Vector3 axis = random.direction();
    const Vector3 across = axis.cross(random.direction()).normalized();
    d.joints = {one_axis("hinge", JointType::revolute, "world", "arm", axis, 0.4),
                one_axis("slide", JointType::prismatic, "arm", "mass", across, 0.5)};
    const Vector3 p = random.vector();
    d.joints[0].child_point = p;
    d.joints[1].parent_point = p;
    d.joints[1].child_point = d.bodies[1].com;
    d.joints[1].orientation = random.rotation();
    Scene s(std::move(d));
    s.forces.tau[0] = 1;
    s.state.q[1] = 0;
    missed += said(s) ? 0 : 1;
  }
  EXPECT_EQ(missed, 0);
}

TEST(Singularity, OfAFloatingRodIsFoundAtAnyAttitude) {
  int missed = 0;
  for (int seed = 0; seed < 50; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    Description d;
    BodyDescription rod = rigid_body("rod", 2, {0, 1, 1}), mass;
    mass.name = "mass";
    mass.mass = 1;
    mass.point_mass = true;
    d.bodies = {rod, mass};
    d.joints = {one_axis("slide", JointType::prismatic, "rod", "mass", Vector3::UnitY(), 0.5)};
    Scene s(std::move(d));
    s.state.q.segment<4>(3) = random.quaternion();
    s.state.u.head<3>() = random.vector();
    s.state.q[7] = 0;
    s.forces.wrench[1].torque = {1, 1, 1};
    missed += said(s) ? 0 : 1;
  }
  EXPECT_EQ(missed, 0);
}

// A point mass on a massless arm of two equal parts, folded back onto the hinge: the hinge turns without moving it.
TEST(Singularity, OfAFoldedArmIsFound) {
  int missed = 0;
  for (int seed = 0; seed < 50; ++seed) {
    Random random(static_cast<std::uint64_t>(seed));
    const Vector3 axis = random.direction();
    const Vector3 across = axis.cross(random.direction()).normalized();
    Description d = massless_arm_with_mass_at(across);
    d.joints = {one_axis("hinge", JointType::revolute, "world", "arm", axis, 0.4),
                one_axis("elbow", JointType::revolute, "arm", "mass", axis, 0.5)};
    d.joints[1].parent_point = across;
    Scene s(std::move(d));
    s.forces.tau[0] = 1;
    s.state.q[1] = std::numbers::pi;
    missed += said(s) ? 0 : 1;
  }
  EXPECT_EQ(missed, 0);
}
TEST(Singularity, OfACoordinateThatIsNoNumberIsCalledThat) {
  Description d;
  d.bodies = {rigid_body("b", 2, {1, 1, 1})};
  d.joints = {one_axis("hinge", JointType::revolute, "world", "b", Vector3::UnitZ())};
  Scene s(d);
  s.state.q[0] = std::nan("");
  EXPECT_EQ(said(s), "a coordinate of joint 'hinge' is not finite");
}

}  // namespace singularity_test
}  // namespace gyrostat::testing
