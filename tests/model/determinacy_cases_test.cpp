// Mechanisms whose motion is determinate or not, and what is said of those whose is not.
#include <fmt/format.h>

#include "gyrostat/model/determinacy.h"

#include "support/assemble.h"
#include "support/load.h"

namespace gyrostat {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::joint;
using testing::massless;
using testing::point_mass;
using testing::revolute;
using testing::solid;

/// The errors of a description; empty where it is a model.
std::string errors_of(const Description& d) {
  const Loaded loaded = load_description(d);
  std::string text;
  for (const Problem& p : loaded.problems.all()) {
    if (p.severity == Severity::error) text += p.path + ": " + p.message + "\n";
  }
  EXPECT_EQ(loaded.model.has_value(), text.empty());
  return text;
}

std::size_t count(const Description& d) { return find_massless_motions(testing::assemble(d).system).count; }

TEST(Determinacy, OfTheJplFiveBodySpacecraftIsGivenThoughItsKnuckleIsMassless) {
  Description d;
  d.bodies = {solid("bus"), massless("knuckle"), solid("boom")};
  d.joints = {revolute("boom_x", "bus", "knuckle", Vector3::UnitX()),
              revolute("boom_z", "knuckle", "boom", Vector3::UnitZ())};
  d.joints[1].child_point = {0, 3.3, 0};
  EXPECT_EQ(errors_of(d), "");
}

TEST(Determinacy, FailsForAMasslessLeafAndNamesItsJoint) {
  Description d;
  d.bodies = {solid("bus"), massless("flag")};
  d.joints = {revolute("pole", "bus", "flag")};
  EXPECT_THAT(errors_of(d), HasSubstr("joints.pole: a motion of pole would leave all mass at rest"));
  d.joints[0].locked = true;
  EXPECT_EQ(errors_of(d), "") << "locked, it does not move";
}

TEST(Determinacy, FailsForAPointMassOnASphericalJoint) {
  Description d;
  d.bodies = {solid("bus"), point_mass("bob", {0, 0, -1})};
  d.joints = {joint("ball", JointType::spherical, "bus", "bob")};
  EXPECT_THAT(errors_of(d), HasSubstr("joints.ball"));
  EXPECT_EQ(count(d), 1U) << "the turn about the line to the mass";
  d.bodies[1] = point_mass("bob");
  EXPECT_EQ(count(d), 3U) << "at the joint itself, all turns";
  d.bodies[1] = solid("bob");
  EXPECT_EQ(count(d), 0U);
}

JointDescription with_axes(std::string name, JointType type, std::string parent, std::string child,
                           std::vector<Vector3> rotations) {
  JointDescription j = joint(std::move(name), type, std::move(parent), std::move(child));
  j.position.assign(rotations.size(), 0);
  j.speed.assign(rotations.size(), 0);
  j.rotations = std::move(rotations);
  return j;
}

TEST(Determinacy, FailsForAPointMassAtTheEndOfAGimbalButNotOfAUniversalJoint) {
  Description d;
  d.bodies = {solid("bus"), point_mass("tip", {0, 0, 2})};
  d.joints = {with_axes("g", JointType::gimbal, "bus", "tip", {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()})};
  EXPECT_THAT(errors_of(d), HasSubstr("joints.g"));
  EXPECT_EQ(count(d), 1U);
  d.joints = {with_axes("u", JointType::universal, "bus", "tip", {Vector3::UnitX(), Vector3::UnitY()})};
  EXPECT_EQ(errors_of(d), "");
  d.joints = {with_axes("u", JointType::universal, "bus", "tip", {Vector3::UnitX(), Vector3::UnitZ()})};
  EXPECT_THAT(errors_of(d), HasSubstr("joints.u")) << "the second axis passes through the mass";
}

TEST(Determinacy, FailsForAMasslessBodyBetweenTwoRevolutesAboutTheSameAxis) {
  Description d;
  d.bodies = {solid("bus"), massless("ring"), solid("dish")};
  d.joints = {revolute("inner", "bus", "ring"), revolute("outer", "ring", "dish")};
  EXPECT_THAT(errors_of(d), AllOf(HasSubstr("inner"), HasSubstr("outer"), HasSubstr("lock one of them")));
  EXPECT_EQ(count(d), 1U);
  for (JointDescription& j : d.joints) {
    j.locked = true;
    EXPECT_EQ(errors_of(d), "") << j.name << " is locked";
    j.locked = false;
    j.prescribed = {Prescribed::Kind::acceleration, {expression::constant(1)}};
    EXPECT_EQ(errors_of(d), "") << j.name << " is prescribed";
    j.prescribed = {};
  }
  d.joints[1].parent_point = {1, 0, 0};
  EXPECT_EQ(errors_of(d), "") << "parallel axes at a distance move the dish differently";
}

TEST(Determinacy, FailsForTwoMasslessBodiesInARowWithParallelAxes) {
  Description d;
  d.bodies = {solid("bus"), massless("m1"), massless("m2"), solid("dish")};
  d.joints = {revolute("j1", "bus", "m1"), revolute("j2", "m1", "m2"), revolute("j3", "m2", "dish")};
  EXPECT_EQ(count(d), 2U);
  for (std::size_t k = 1; k < 3; ++k) d.joints[k].parent_point = {1, 0, 0};
  EXPECT_EQ(count(d), 1U) << "three parallel axes in a plane: stretched out, a change of shape moves nothing";
  d.joints[1].position = {0.5};
  d.joints[2].position = {0.5};
  EXPECT_EQ(count(d), 0U);
}

TEST(Determinacy, FailsForAFreePointMassByItself) {
  Description d;
  d.bodies = {point_mass("rock")};
  EXPECT_THAT(errors_of(d), HasSubstr("joints.base"));
  EXPECT_EQ(count(d), 3U) << "its three turns";
  d.joints = {joint("j", JointType::translation, "world", "rock")};
  d.joints[0].translations = {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()};
  d.joints[0].position = d.joints[0].speed = {0, 0, 0};
  EXPECT_EQ(errors_of(d), "");
}

TEST(Determinacy, OfTwoPointMassesOnARodFailsForTheTurnAboutTheRod) {
  Description d;
  d.bodies = {point_mass("a", {1, 0, 0}), point_mass("b", {-1, 0.3, 0})};
  d.joints = {joint("rod", JointType::weld, "a", "b")};
  EXPECT_EQ(count(d), 1U);
  d.bodies.push_back(point_mass("c", {0, 0, 1}));
  d.joints.push_back(joint("strut", JointType::weld, "a", "c"));
  EXPECT_EQ(count(d), 0U) << "three masses not in a line";
}

TEST(Determinacy, FailsForABodyThatIsAllWheelAboutItsAxisUnlessTheWheelIsPrescribed) {
  Description d;
  d.bodies = {solid("bus"), solid("rotor")};
  d.joints = {revolute("axle", "bus", "rotor")};
  WheelDescription wheel;
  wheel.name = "w";
  wheel.inertia = 1;
  d.bodies[1].wheels = {wheel};
  EXPECT_THAT(errors_of(d), HasSubstr("joints.axle"));
  d.bodies[1].wheels[0].speed = expression::constant(10);
  EXPECT_EQ(errors_of(d), "");
  d.bodies[1].wheels[0].speed = {};
  d.bodies[1].wheels[0].inertia = 0.5;
  EXPECT_EQ(errors_of(d), "");
}

TEST(Determinacy, FailsForABodyAllOfWhoseInertiaIsInItsWheels) {
  Description d;
  d.bodies = {solid("ball")};
  d.bodies[0].inertia = Vector3(0.3, 0.4, 0.5).asDiagonal();
  const Matrix3 R = Eigen::AngleAxisd(0.7, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  d.bodies[0].inertia = R * d.bodies[0].inertia * R.transpose();
  for (int k = 0; k < 3; ++k) {
    WheelDescription wheel;
    wheel.name = fmt::format("w{}", k);
    wheel.axis = R.col(k);
    wheel.inertia = 0.3 + 0.1 * k;
    d.bodies[0].wheels.push_back(wheel);
  }
  EXPECT_EQ(count(d), 3U) << "what remains of the inertia is rounding, not inertia";
}

TEST(Determinacy, IsFoundThroughInertiaThatIsOnlyRounding) {
  // The mass slides freely in three directions, so the arms that carry it have nothing to move.
  Description d;
  d.bodies = {solid("bus"), massless("m1"), massless("m2"), point_mass("rock", {0.3, 0.1, 0.7})};
  d.joints = {revolute("j1", "bus", "m1", Vector3(1, 2, 3).normalized(), 0.3),
              revolute("j2", "m1", "m2", Vector3(-2, 1, 1).normalized(), 0.7),
              joint("slide", JointType::translation, "m2", "rock")};
  d.joints[1].parent_point = {0.1, 0.2, 0.3};
  d.joints[2].parent_point = {0.4, -0.2, 0.3};
  d.joints[2].translations = {Vector3(1, 1, 0.3).normalized(), Vector3(-1, 0.2, 0.1).normalized(),
                              Vector3(0.3, 0.4, 1).normalized()};
  d.joints[2].position = {0.1, 0.2, 0.3};
  d.joints[2].speed = {0, 0, 0};
  EXPECT_EQ(count(d), 2U);
}

// --- loops ----------------------------------------------------------------------------------------------------------

/// A four-bar with unit square links, crank and rocker upright, all names ending in `suffix`.
void add_four_bar(Description& d, const std::string& suffix, const BodyDescription& coupler, bool cut_at_rocker) {
  const std::string crank = "crank" + suffix, link = coupler.name, rocker = "rocker" + suffix;
  d.bodies.push_back(solid(crank));
  d.bodies.push_back(coupler);
  d.bodies.push_back(solid(rocker));
  d.joints.push_back(revolute("r1" + suffix, "world", crank));
  d.joints.push_back(revolute("r2" + suffix, crank, link));
  d.joints.back().parent_point = {0, 1, 0};
  d.joints.push_back(revolute("r3" + suffix, link, rocker));
  d.joints.back().parent_point = {1, 0, 0};
  d.joints.back().child_point = {0, 1, 0};
  d.joints.back().cut = cut_at_rocker;
  d.joints.push_back(revolute("r4" + suffix, "world", rocker));
  d.joints.back().parent_point = {1, 0, 0};
  d.joints.back().cut = !cut_at_rocker;
}

TEST(Determinacy, IsGivenToAMasslessCouplerByTheFourBarThatHoldsIt) {
  for (const bool cut_at_rocker : {true, false}) {
    Description d;
    add_four_bar(d, "", massless("coupler"), cut_at_rocker);
    EXPECT_EQ(errors_of(d), "");
    for (JointDescription& j : d.joints) j.cut = false;
  }
}

TEST(Determinacy, OfAMasslessFourBarFails) {
  Description d;
  add_four_bar(d, "", massless("coupler"), true);
  for (BodyDescription& b : d.bodies) b = massless(b.name);
  EXPECT_EQ(count(d), 1U) << "the loop leaves one motion, and it moves nothing";
}

TEST(Determinacy, IsNotGivenByALoopThatLeavesTheMasslessBodyFree) {
  // A rod with ball joints at both ends turns about its own line.
  Description d;
  d.bodies = {solid("a"), massless("rod"), solid("b")};
  d.joints = {revolute("ja", "world", "a"), joint("ball1", JointType::spherical, "a", "rod"),
              revolute("jb", "world", "b"), joint("ball2", JointType::spherical, "rod", "b")};
  d.joints[1].parent_point = {1, 0, 0};
  d.joints[2].parent_point = {3, 0, 0};
  d.joints[3].parent_point = {2, 1, 0};
  d.joints[3].child_point = {0, 1, 0};
  d.joints[3].cut = true;
  EXPECT_THAT(errors_of(d), HasSubstr("joints.ball1: a motion of ball1 would leave all mass at rest"));
  EXPECT_EQ(count(d), 1U);
}

TEST(Determinacy, IsGivenByAGearToAMasslessLeaf) {
  Description d;
  d.bodies = {solid("bus"), solid("disk"), massless("needle")};
  d.joints = {revolute("drive", "bus", "disk"), revolute("dial", "bus", "needle"),
              joint("mesh", JointType::gear, "", "")};
  d.joints[2].geared = {"drive", "dial"};
  d.joints[2].ratio = 5;
  EXPECT_EQ(errors_of(d), "");
  d.bodies[1] = massless("disk");
  EXPECT_EQ(count(d), 1U) << "two geared needles move together";
}

TEST(Determinacy, IsGivenByADistanceThatHoldsAMasslessArm) {
  Description d;
  d.bodies = {solid("bus"), massless("arm")};
  d.joints = {revolute("pivot", "bus", "arm"), joint("rod", JointType::distance, "bus", "arm")};
  d.joints[1].parent_point = {1, 1, 0};
  d.joints[1].child_point = {1, 0, 0};
  d.joints[1].length = 1;
  EXPECT_EQ(errors_of(d), "");
  d.joints[1].parent_point = {2, 0, 0};
  EXPECT_THAT(errors_of(d), HasSubstr("joints.pivot")) << "in line with the arm, the rod does not resist its turn";
}

TEST(Determinacy, IsGivenByALockedJointThatClosesALoop) {
  Description d;
  d.bodies = {solid("bus"), massless("arm")};
  d.joints = {revolute("pivot", "bus", "arm"), revolute("latch", "bus", "arm")};
  d.joints[1].cut = true;
  EXPECT_THAT(errors_of(d), HasSubstr("joints.pivot"));
  d.joints[1].locked = true;
  EXPECT_EQ(errors_of(d), "") << "a locked joint allows no motion, in a loop as in the tree";
}

TEST(Determinacy, IsGivenByLoopsHoweverManyThereAre) {
  for (const int number : {10, 100}) {
    Description d;
    for (int k = 0; k < number; ++k) {
      add_four_bar(d, fmt::format("_{}", k), massless(fmt::format("coupler_{}", k)), true);
    }
    EXPECT_EQ(errors_of(d), "") << number << " four-bars, each determinate by itself";
  }
}

}  // namespace
}  // namespace gyrostat
