// From a description to a System: the same mechanism, numbered.
#include <map>
#include <numbers>
#include <set>

#include "support/assemble.h"
#include "support/load.h"
#include "support/random_model.h"
#include "support/reference.h"

namespace gyrostat {
namespace {

using testing::assemble;
using testing::Assembled;
using testing::Random;
using testing::random_description;
using testing::revolute;
using testing::solid;
using testing::text_of;

using PosesByName = std::map<std::string, Pose>;

PosesByName poses_of(const System& system) {
  PosesByName poses;
  const std::vector<Pose> X_N = body_poses(system, system.initial.q);
  for (std::size_t i = 0; i < X_N.size(); ++i) poses[system.bodies[i].name] = X_N[i];
  return poses;
}

void expect_equal(const PosesByName& a, const PosesByName& b) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, X] : a) {
    ASSERT_TRUE(b.contains(name)) << name;
    EXPECT_LT((X.R - b.at(name).R).cwiseAbs().maxCoeff(), 1e-12) << name;
    EXPECT_LT((X.p - b.at(name).p).cwiseAbs().maxCoeff(), 1e-11) << name;
  }
}

PosesByName relative_to(const std::string& reference, const PosesByName& poses) {
  const Pose X_0 = poses.at(reference);
  PosesByName relative;
  for (const auto& [name, X] : poses) {
    if (name != "world") relative[name] = {X_0.R.transpose() * X.R, X_0.R.transpose() * (X.p - X_0.p)};
  }
  return relative;
}

TEST(RandomModel, IsAValidModel) {
  std::size_t massless = 0, points = 0, wheels = 0, locked = 0, prescribed = 0, reversed = 0, largest = 0;
  std::map<JointType, int> types;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Loaded loaded = load_description(random_description(seed));
    ASSERT_EQ(loaded.problems.errors(), 0U) << "seed " << seed << "\n" << text_of(loaded.problems);
    const System& system = loaded.model->system;
    for (std::size_t i = 1; i < system.bodies.size(); ++i) {
      massless += system.bodies[i].mass_properties.mass == 0;
      points += system.bodies[i].mass_properties.mass > 0 && system.bodies[i].mass_properties.inertia.isZero(0);
      locked += system.joints[i].motion == Motion::locked;
      prescribed += system.joints[i].motion == Motion::prescribed;
      reversed += system.joints[i].reversed;
      ++types[system.joints[i].type];
    }
    wheels += system.wheels.size();
    largest = std::max(largest, system.body_count());
  }
  EXPECT_EQ(types.size(), 11U);
  EXPECT_EQ(largest, 30U);
  for (const std::size_t count : {massless, points, wheels, locked, prescribed, reversed}) EXPECT_GT(count, 1000U);
}

TEST(RandomModel, IsTheSameForTheSameSeed) {
  const Loaded a = load_description(random_description(7)), b = load_description(random_description(7));
  ASSERT_TRUE(a.model && b.model);
  EXPECT_EQ(a.model->system.initial.q, b.model->system.initial.q);
}

TEST(Build, GivesABodyAndItsInboardJointTheSameNumber) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const Assembled a = assemble(random_description(seed));
    const System& s = a.system;
    const Names names(a.description);
    ASSERT_EQ(s.bodies.size(), s.joints.size());
    ASSERT_EQ(s.bodies.size(), s.parent.size());
    EXPECT_EQ(s.bodies[0].name, "world");
    EXPECT_EQ(s.bodies[0].mass_properties.mass, 0);
    EXPECT_EQ(s.parent[0], 0U);
    EXPECT_EQ(s.body_count(), a.description.bodies.size());
    for (std::size_t i = 1; i < s.bodies.size(); ++i) {
      EXPECT_LT(s.parent[i], i);
      const JointDescription& j = a.description.joints[*names.joint(s.joints[i].name)];
      const std::string &inner = s.bodies[s.parent[i]].name, &outer = s.bodies[i].name;
      EXPECT_EQ(s.joints[i].reversed, j.child == inner);
      EXPECT_EQ((std::set<std::string>{inner, outer}), (std::set<std::string>{j.parent, j.child}));
    }
  }
}

TEST(Build, KeepsWhatTheDescriptionSaysOfBodiesAndWheels) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Assembled a = assemble(random_description(seed));
    const Names names(a.description);
    std::size_t wheel = 0;
    for (std::uint32_t i = 1; i < a.system.bodies.size(); ++i) {
      const Body& body = a.system.bodies[i];
      const BodyDescription& d = a.description.bodies[*names.body(body.name)];
      EXPECT_EQ(body.mass_properties.mass, d.mass);
      EXPECT_EQ(body.mass_properties.com, d.com);
      EXPECT_EQ(body.mass_properties.inertia, d.inertia);
      EXPECT_EQ(body.points.size(), d.points.size());
      for (const WheelDescription& w : d.wheels) {
        const Wheel& built = a.system.wheels.at(wheel++);
        EXPECT_EQ(built.name, w.name);
        EXPECT_EQ(built.body, i);
        EXPECT_EQ(built.axis, w.axis);
        EXPECT_EQ(built.inertia, w.inertia);
        EXPECT_EQ(built.speed_prescribed, !w.speed.empty());
      }
    }
    EXPECT_EQ(wheel, a.system.wheels.size());
  }
}

TEST(Build, PutsEveryBodyWhereTheFormatSays) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    const Assembled a = assemble(random_description(seed));
    expect_equal(poses_of(a.system),
                 testing::reference_poses(a.description, testing::initial_coordinates(a.description)));
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Build, DoesNotMoveTheMechanismWhereJointsAreListedInAnotherOrder) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Description d = random_description(seed);
    const PosesByName expected = poses_of(assemble(d).system);
    Random random(seed);
    random.shuffle(d.joints);
    expect_equal(poses_of(assemble(d).system), expected);
  }
}

TEST(Build, KeepsTheShapeOfTheMechanismWhicheverBodyIsTheBase) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(seed);
    Description d = random_description(seed, {.least_bodies = 2, .implicit_base = 1});
    const std::string reference = d.bodies[0].name;
    const PosesByName expected = relative_to(reference, poses_of(assemble(d).system));
    Random random(seed);
    random.shuffle(d.bodies);
    const Assembled a = assemble(d);
    EXPECT_EQ(a.system.bodies[1].name, d.bodies[0].name) << "the base carries the first body";
    expect_equal(relative_to(reference, poses_of(a.system)), expected);
  }
}

/// The same joint told from the other side: what was the child is called the parent.
bool tell_from_the_other_side(JointDescription& j) {
  if (j.type == JointType::planar || j.type == JointType::general || j.type == JointType::free) return false;
  std::swap(j.parent, j.child);
  std::swap(j.parent_point, j.child_point);
  const Matrix3 R_CP = j.orientation.transpose();
  for (Vector3& d : j.translations) d = -(R_CP * d);
  for (Vector3& a : j.rotations) a = -(R_CP * a);
  std::reverse(j.rotations.begin(), j.rotations.end());
  if (j.rotations.size() > 1) std::reverse(j.position.begin(), j.position.end());  // rotations only
  if (j.type == JointType::spherical) {
    for (std::size_t i = 1; i < 4; ++i) j.position[i] = -j.position[i];
  }
  j.orientation = R_CP;
  return true;
}

TEST(Build, MakesTheSameMechanismOfJointsToldFromEitherSide) {
  std::size_t told = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(seed);
    Description d = random_description(seed);
    const PosesByName expected = poses_of(assemble(d).system);
    Random random(seed);
    for (JointDescription& j : d.joints) told += random.chance(0.5) && tell_from_the_other_side(j);
    expect_equal(poses_of(assemble(d).system), expected);
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(told, 1000U);
}

TEST(Build, KeepsTheSignOfAnAngleWhereTheChildIsInboard) {
  // The panel is the user's parent and hangs on the bus: at +90 deg the bus is turned by +90 deg seen from the panel.
  Description d;
  d.bodies = {solid("bus"), solid("panel")};
  d.joints = {revolute("hinge", "panel", "bus", Vector3::UnitZ(), std::numbers::pi / 2)};
  const Assembled a = assemble(d);
  const PosesByName poses = poses_of(a.system);
  const Matrix3 R_panel_bus = poses.at("panel").R.transpose() * poses.at("bus").R;
  EXPECT_LT((R_panel_bus * Vector3::UnitX() - Vector3::UnitY()).norm(), 1e-15);
  EXPECT_EQ(a.system.initial.q[7], std::numbers::pi / 2);
}

TEST(Build, LeavesCoordinatesOfLoopJointsOutOfTheState) {
  Description d;
  d.bodies = {solid("a"), solid("b")};
  d.joints = {revolute("ja", "world", "a"), revolute("jb", "a", "b"),
              revolute("jc", "b", "world", Vector3::UnitZ(), 0.25)};
  d.joints[2].cut = true;
  const Assembled a = assemble(d);
  EXPECT_EQ(a.system.initial.q.size(), 2);
  ASSERT_EQ(a.system.constraints.size(), 1U);
  EXPECT_EQ(std::get<CutJoint>(a.system.constraints[0].kind).position, std::vector<double>{0.25});
}

TEST(Build, OfALockedOrPrescribedJointKeepsItsEntriesInTheState) {
  Description d;
  d.bodies = {solid("a"), solid("b")};
  d.joints = {revolute("ja", "world", "a"), revolute("jb", "a", "b")};
  d.joints[0].locked = true;
  d.joints[1].prescribed = {Prescribed::Kind::acceleration, {expression::constant(1)}};
  const Assembled a = assemble(d);
  EXPECT_EQ(a.system.initial.q.size(), 2);
  EXPECT_EQ(a.system.joints[1].motion, Motion::locked);
  EXPECT_EQ(a.system.joints[2].motion, Motion::prescribed);
}

}  // namespace
}  // namespace gyrostat
