// Joint geometry against the formula of the model format and against finite differences.
#include "gyrostat/model/joint.h"

#include <fmt/format.h>

#include "support/load.h"
#include "support/random_model.h"
#include "support/reference.h"

namespace gyrostat {
namespace {

using testing::moved;
using testing::Random;
using testing::RandomModel;
using testing::reference_joint_pose;

constexpr double step = 1e-5;

/// Random joints, and how often each type came.
template <class Check>
void for_random_joints(Check check) {
  std::map<JointType, int> seen;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    RandomModel model(seed, {.special = seed % 3 == 0});
    const JointDescription description = model.joint({});
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ", " << type_name(description.type));
    check(description);
    ++seen[description.type];
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_EQ(seen.size(), 11U) << "every type of the tree is tried";
}

double difference(const Pose& a, const Pose& b) {
  return std::max((a.R - b.R).cwiseAbs().maxCoeff(), (a.p - b.p).cwiseAbs().maxCoeff());
}

Pose opposite(const Pose& X) { return {X.R.transpose(), -(X.R.transpose() * X.p)}; }

TEST(Joint, PutsTheChildWhereTheFormatSays) {
  for_random_joints([](const JointDescription& d) {
    const Joint joint = make_joint(d);
    EXPECT_LT(difference(joint_pose(joint, d.position.data()), reference_joint_pose(d, d.position)), 1e-13);
  });
}

TEST(Joint, ChildPointMeetsTheDisplacedParentPoint) {
  for_random_joints([](const JointDescription& d) {
    if (d.type == JointType::free) return;
    const Pose X_PC = joint_pose(make_joint(d), d.position.data());
    Vector3 displaced = d.parent_point;
    const std::size_t first = d.type == JointType::cylindrical ? 1 : 0;
    for (std::size_t i = 0; i < d.translations.size(); ++i) displaced += d.position[first + i] * d.translations[i];
    EXPECT_LT((X_PC * d.child_point - displaced).norm(), 1e-13);
  });
}

TEST(Joint, SubspaceIsTheTwistOfUnitSpeeds) {
  for_random_joints([](const JointDescription& d) {
    const Joint joint = make_joint(d);
    const Subspace S = joint_subspace(joint, d.position.data());
    ASSERT_EQ(S.cols(), static_cast<Eigen::Index>(d.speed.size()));
    for (std::size_t k = 0; k < d.speed.size(); ++k) {
      const Vector6 V = testing::twist_between(reference_joint_pose(d, moved(d, d.position, k, -step)),
                                               reference_joint_pose(d, d.position),
                                               reference_joint_pose(d, moved(d, d.position, k, step)), step);
      EXPECT_LT((S.col(static_cast<Eigen::Index>(k)) - V).norm(), 1e-8) << "speed " << k;
    }
  });
}

TEST(Joint, TakenFromTheOtherSideIsTheInversePose) {
  for_random_joints([](const JointDescription& d) {
    Joint joint = make_joint(d);
    EXPECT_EQ(difference(tree_pose(joint, d.position.data()), joint_pose(joint, d.position.data())), 0);
    joint.reversed = true;
    EXPECT_LT(difference(tree_pose(joint, d.position.data()), opposite(reference_joint_pose(d, d.position))), 1e-13);
  });
}

TEST(Joint, TakenFromTheOtherSideMovesTheParentRelativeToTheChild) {
  for_random_joints([](const JointDescription& d) {
    Joint joint = make_joint(d);
    EXPECT_TRUE(tree_subspace(joint, d.position.data()).isApprox(joint_subspace(joint, d.position.data()), 0));
    joint.reversed = true;
    const Subspace S = tree_subspace(joint, d.position.data());
    ASSERT_EQ(S.cols(), static_cast<Eigen::Index>(d.speed.size()));
    for (std::size_t k = 0; k < d.speed.size(); ++k) {
      const Vector6 V = testing::twist_between(opposite(reference_joint_pose(d, moved(d, d.position, k, -step))),
                                               opposite(reference_joint_pose(d, d.position)),
                                               opposite(reference_joint_pose(d, moved(d, d.position, k, step))), step);
      EXPECT_LT((S.col(static_cast<Eigen::Index>(k)) - V).norm(), 1e-8) << "speed " << k;
    }
  });
}

TEST(Joint, LockedAndPrescribedJointsKeepTheirCoordinates) {
  JointDescription d;
  d.type = JointType::revolute;
  d.rotations = {Vector3::UnitX()};
  EXPECT_EQ(make_joint(d).motion, Motion::free);
  d.prescribed.kind = Prescribed::Kind::acceleration;
  EXPECT_EQ(make_joint(d).motion, Motion::prescribed);
  d.prescribed.kind = Prescribed::Kind::none;
  d.locked = true;
  EXPECT_EQ(make_joint(d).motion, Motion::locked);
  EXPECT_EQ(make_joint(d).nq, 1);
  EXPECT_EQ(make_joint(d).nu, 1);
}

// --- planar ---------------------------------------------------------------------------------------------------------

JointDescription planar(const Vector3& normal) {
  const Loaded loaded =
      testing::load(fmt::format("gyrostat: 1\nbodies:\n  a: {{mass: 1, inertia: [1, 1, 1]}}\njoints:\n"
                                "  p: {{type: planar, parent: world, child: a, normal: [{}, {}, {}]}}\n",
                                normal.x(), normal.y(), normal.z()));
  EXPECT_TRUE(loaded.model) << testing::problems_of(loaded);
  return loaded.model ? loaded.model->description.joints.at(0) : JointDescription{};
}

void expect_right_handed(const JointDescription& joint, const Vector3& normal) {
  ASSERT_EQ(joint.translations.size(), 2U);
  ASSERT_EQ(joint.rotations.size(), 1U);
  Matrix3 axes;
  axes << joint.translations[0], joint.translations[1], joint.rotations[0];
  EXPECT_LT((axes.transpose() * axes - Matrix3::Identity()).norm(), 1e-14);
  EXPECT_NEAR(axes.determinant(), 1, 1e-14) << "displacement1, displacement2 and the normal are right-handed";
  EXPECT_LT((joint.rotations[0] - normal.normalized()).norm(), 1e-14);
}

TEST(PlanarJoint, HasRightHandedAxesForAnyNormal) {
  for (int i = 0; i < 3; ++i) {
    expect_right_handed(planar(Vector3::Unit(i)), Vector3::Unit(i));
    expect_right_handed(planar(-Vector3::Unit(i)), -Vector3::Unit(i));
  }
  expect_right_handed(planar({1, 1, 1}), {1, 1, 1});
  Random random(4);
  for (int i = 0; i < 200; ++i) {
    const Vector3 normal = random.direction() * random.uniform(0.01, 100);
    expect_right_handed(planar(normal), normal);
  }
}

TEST(PlanarJoint, WithNormalZMovesAlongXAndY) {
  const JointDescription joint = planar(Vector3::UnitZ());
  EXPECT_EQ(joint.translations[0], Vector3(Vector3::UnitX()));
  EXPECT_EQ(joint.translations[1], Vector3(Vector3::UnitY()));
}

// --- names ----------------------------------------------------------------------------------------------------------

std::string written(const std::vector<NamedQuantity>& list) {
  std::string text;
  for (const NamedQuantity& q : list) text += fmt::format("{} [{}]{} ", q.name, q.unit, q.rotational ? "*" : "");
  return text;
}

TEST(JointNames, StandInTheOrderOfTheFormatWithTheirUnits) {
  struct Case {
    JointType type;
    std::size_t translations, rotations;
    std::string_view coordinates, speeds;  // * marks the rotational ones
  };
  const std::vector<Case> cases = {
      {JointType::weld, 0, 0, "", ""},
      {JointType::revolute, 0, 1, "angle [rad]* ", "rate [rad/s]* "},
      {JointType::prismatic, 1, 0, "displacement [m] ", "speed [m/s] "},
      {JointType::cylindrical, 1, 1, "angle [rad]* displacement [m] ", "rate [rad/s]* speed [m/s] "},
      {JointType::universal, 0, 2, "angle1 [rad]* angle2 [rad]* ", "rate1 [rad/s]* rate2 [rad/s]* "},
      {JointType::gimbal, 0, 3, "angle1 [rad]* angle2 [rad]* angle3 [rad]* ",
       "rate1 [rad/s]* rate2 [rad/s]* rate3 [rad/s]* "},
      {JointType::spherical, 0, 0, "quaternion_w [1]* quaternion_x [1]* quaternion_y [1]* quaternion_z [1]* ",
       "omega_x [rad/s]* omega_y [rad/s]* omega_z [rad/s]* "},
      {JointType::translation, 1, 0, "displacement [m] ", "speed [m/s] "},
      {JointType::translation, 2, 0, "displacement1 [m] displacement2 [m] ", "speed1 [m/s] speed2 [m/s] "},
      {JointType::planar, 2, 1, "displacement1 [m] displacement2 [m] angle [rad]* ",
       "speed1 [m/s] speed2 [m/s] rate [rad/s]* "},
      {JointType::general, 1, 2, "displacement [m] angle1 [rad]* angle2 [rad]* ",
       "speed [m/s] rate1 [rad/s]* rate2 [rad/s]* "},
      {JointType::free, 0, 0,
       "position_x [m] position_y [m] position_z [m] "
       "quaternion_w [1]* quaternion_x [1]* quaternion_y [1]* quaternion_z [1]* ",
       "omega_x [rad/s]* omega_y [rad/s]* omega_z [rad/s]* velocity_x [m/s] velocity_y [m/s] velocity_z [m/s] "},
      {JointType::gear, 0, 0, "", ""},
      {JointType::distance, 0, 0, "", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(type_name(c.type));
    EXPECT_EQ(written(coordinate_names(c.type, c.translations, c.rotations)), c.coordinates);
    EXPECT_EQ(written(speed_names(c.type, c.translations, c.rotations)), c.speeds);
  }
}

TEST(JointNames, AreAsManyAsTheJointHasEntriesInTheState) {
  for_random_joints([](const JointDescription& d) {
    const Joint joint = make_joint(d);
    EXPECT_EQ(coordinate_names(d.type, d.translations.size(), d.rotations.size()).size(), joint.nq);
    EXPECT_EQ(speed_names(d.type, d.translations.size(), d.rotations.size()).size(), joint.nu);
    EXPECT_EQ(d.position.size(), joint.nq);
    EXPECT_EQ(d.speed.size(), joint.nu);
  });
}

}  // namespace
}  // namespace gyrostat
