// What joints transmit: cases computed by hand, and what must hold for every joint.
#include "gyrostat/dynamics/reactions.h"

#include "support/motion.h"
#include "support/random_dynamics.h"
#include "support/scene.h"

namespace gyrostat::testing {
namespace reactions_test {

constexpr double pi = std::numbers::pi;

void expect_vector(const Vector3& actual, const Vector3& expected, double tolerance = 1e-12) {
  EXPECT_LT((actual - expected).cwiseAbs().maxCoeff(), tolerance)
      << actual.transpose() << " instead of " << expected.transpose();
}

struct Found {
  Eigen::VectorXd udot;
  Reactions reactions;

  explicit Found(const Scene& s) : udot(s.accelerations()), reactions(s.mechanism) {
    find_reactions(s.mechanism, s.state.q.data(), s.state.u.data(), udot.data(), s.forces, reactions);
  }
};

/// Mass 2 kg, 0.5 m below a hinge about y; the plane of motion is x, z. Inertia has products with y.
Description pendulum(double angle, double rate) {
  Description d;
  BodyDescription bob = rigid_body("bob", 2, {0.3, 0.2, 0.4}, {0, 0, -0.5});
  bob.inertia(0, 1) = bob.inertia(1, 0) = 0.03;
  bob.inertia(1, 2) = bob.inertia(2, 1) = -0.05;
  d.bodies = {bob};
  d.joints = {one_axis("hinge", JointType::revolute, "world", "bob", Vector3::UnitY(), angle, rate)};
  d.joints[0].parent_point = {1, 2, 3};
  return d;
}

constexpr double g = 9.8;

/// Weight of a body: it acts at the mass centre.
void weigh(Scene& s, const std::string& body) {
  const std::uint32_t i = s.body(body);
  const MassProperties& b = s.system().bodies[i].mass_properties;
  s.act(i, {0, 0, -g * b.mass}, Vector3::Zero(), body_poses(s.system(), s.state.q)[i] * b.com);
}

TEST(Reactions, OfAPendulumHangingAtRestCarryItsWeight) {
  Scene s(pendulum(0, 0));
  weigh(s, "bob");
  const Found found(s);
  EXPECT_NEAR(found.udot[0], 0, 1e-14);
  expect_vector(found.reactions.joints[1].force, {0, 0, 2 * g});
  expect_vector(found.reactions.joints[1].torque, Vector3::Zero());
  EXPECT_EQ(found.reactions.driving[0], 0);
}

/// In the axes of the pendulum the com is at l (0, 0, -1), gravity is g (sin, 0, -cos), and the com accelerates by
/// l (-angle'', 0, rate^2). Products of inertia make torques across the axis.
TEST(Reactions, OfASwingingPendulumAreThoseOfTheTextbook) {
  for (const double angle : {0.3, -1.2, 2.5}) {
    for (const double rate : {0.0, 1.7, -4.0}) {
      Scene s(pendulum(angle, rate));
      weigh(s, "bob");
      const Found found(s);
      const double m = 2, l = 0.5, about_hinge = 0.2 + m * l * l;
      const double udot = -m * g * l * std::sin(angle) / about_hinge;
      EXPECT_NEAR(found.udot[0], udot, 1e-13);
      expect_vector(found.reactions.joints[1].force,
                    {m * (-l * udot - g * std::sin(angle)), 0, m * (l * rate * rate + g * std::cos(angle))});
      expect_vector(found.reactions.joints[1].torque,
                    {0.03 * udot - 0.05 * rate * rate, 0, -0.05 * udot - 0.03 * rate * rate});
    }
  }
}

TEST(Reactions, OfADrivenRotorAreItsInertiaTimesTheAcceleration) {
  Description d;
  d.bodies = {rigid_body("rotor", 3, {1, 1, 0.7})};
  d.joints = {one_axis("shaft", JointType::revolute, "world", "rotor", Vector3::UnitZ(), 0.4, 30)};
  prescribe(d.joints[0]);
  Scene s(std::move(d));
  s.forces.udot[0] = 2.5;
  s.forces.tau[0] = 0.3;  // of a motor that helps: the drive adds the rest
  const Found found(s);
  EXPECT_EQ(found.udot[0], 2.5);
  EXPECT_NEAR(found.reactions.driving[0], 0.7 * 2.5 - 0.3, 1e-14);
  expect_vector(found.reactions.joints[1].torque, {0, 0, 0.7 * 2.5});
  expect_vector(found.reactions.joints[1].force, Vector3::Zero());
}

TEST(Reactions, OfAPrescribedWheelCountTheTurnOfItsBody) {
  Description d;
  d.bodies = {rigid_body("hub", 3, {1, 1, 0.7})};
  d.bodies[0].wheels = {wheel("w", Vector3::UnitZ(), 0.2, 50)};
  d.bodies[0].wheels[0].speed = expression::constant(50);
  d.joints = {one_axis("shaft", JointType::revolute, "world", "hub", Vector3::UnitZ())};
  Scene s(std::move(d));
  s.forces.udot = {0, 4};
  s.forces.tau = {0.5, 0.1};
  const Found found(s);
  // 0.7 hub' + 0.2 wheel' = 0.5
  EXPECT_NEAR(found.udot[0], (0.5 - 0.2 * 4) / 0.7, 1e-14);
  EXPECT_EQ(found.udot[1], 4);
  EXPECT_NEAR(found.reactions.driving[1], 0.2 * (4 + found.udot[0]) - 0.1, 1e-14);
  EXPECT_EQ(found.reactions.driving[0], 0);
}

/// A wheel across the axis of a turntable: the table carries w x h.
TEST(Reactions, OfAGyrostatOnATurntableTurnItsMomentum) {
  Description d;
  d.bodies = {rigid_body("table", 3, {1, 1, 0.7})};
  d.bodies[0].wheels = {wheel("w", Vector3::UnitX(), 0.2, 50)};
  d.joints = {one_axis("shaft", JointType::revolute, "world", "table", Vector3::UnitZ(), 1.1, 3)};
  Scene s(std::move(d));
  const Found found(s);
  EXPECT_NEAR(found.udot.norm(), 0, 1e-14);
  expect_vector(found.reactions.joints[1].torque, {0, 3 * 0.2 * 50, 0});  // z x x is y, table axes
}

/// The user's parent is the body and the child the world: what is reported acts on the world, at the child's point.
TEST(Reactions, OfAReversedSlideActOnTheUsersChildAtItsJointPoint) {
  Description d;
  d.bodies = {rigid_body("car", 2, {1, 1, 1})};
  d.joints = {one_axis("rail", JointType::prismatic, "car", "world", Vector3::UnitX(), 0.7, 0)};
  d.joints[0].locked = true;
  Scene s(std::move(d));
  s.forces.wrench[1].force = {3, 0, -10};
  s.forces.tau[0] = 1;
  const Found found(s);
  expect_vector(found.reactions.joints[1].force, {3, 0, -10});
  expect_vector(found.reactions.joints[1].torque, {0, -7, 0});
  // A positive displacement is of the world along the car's x: to hold it, the joint pulls the world back by 3 N, of
  // which tau gives -1.
  EXPECT_NEAR(found.reactions.driving[0], 3 - 1, 1e-14);
}

TEST(Reactions, OfAFreeSlideHaveNothingAlongIt) {
  for (const bool reversed : {false, true}) {
    Description d;
    d.bodies = {rigid_body("car", 2, {1, 1, 1}, {0, 0, 0.4})};
    d.joints = {one_axis("rail", JointType::prismatic, "world", "car", Vector3::UnitX(), 0.7, 2)};
    if (reversed) std::swap(d.joints[0].parent, d.joints[0].child);
    Scene s(std::move(d));
    s.act(1, {6, 0, 0}, Vector3::Zero(), body_poses(s.system(), s.state.q)[1] * Vector3(0, 0, 0.9));
    const Found found(s);
    EXPECT_NEAR(found.udot[0], reversed ? -3 : 3, 1e-13);
    expect_vector(found.reactions.joints[1].force, Vector3::Zero());
    // The force is 0.5 m above the com: the rail keeps the car from tipping.
    expect_vector(found.reactions.joints[1].torque, {0, reversed ? 3.0 : -3.0, 0});
  }
}

/// Two bars in line in free space, turning about their common end: tension by hand.
TEST(Reactions, OfASpinningChainAreTheTensionInIt) {
  Description d;
  d.bodies = {rigid_body("inner", 2, {0.1, 0.2, 0.2}, {0.5, 0, 0}),
              rigid_body("outer", 3, {0.1, 0.2, 0.2}, {0.5, 0, 0})};
  d.joints = {one_axis("hub", JointType::revolute, "world", "inner", Vector3::UnitZ(), pi / 3, 4),
              one_axis("knee", JointType::revolute, "inner", "outer", Vector3::UnitZ())};
  d.joints[1].parent_point = {1, 0, 0};
  Scene s(std::move(d));
  const Found found(s);
  EXPECT_NEAR(found.udot.norm(), 0, 1e-12);
  expect_vector(found.reactions.joints[2].force, {-3 * 16 * 1.5, 0, 0});
  expect_vector(found.reactions.joints[1].force, {-3 * 16 * 1.5 - 2 * 16 * 0.5, 0, 0});
}

TEST(Reactions, OfALockedJointAreThoseOfAWeld) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Random random(seed);
    RandomModel model(seed, {});
    Description d;
    d.bodies = {rigid_body("a", 2, {1, 2, 2.5}, random.vector()), rigid_body("b", 1, {2, 1.2, 1}, random.vector())};
    JointDescription root = model.joint({}), lock = model.joint({});
    root.name = "root", root.parent = "world", root.child = "a";
    lock.name = "lock", lock.parent = "a", lock.child = "b";
    if (seed % 2 == 1) std::swap(lock.parent, lock.child);
    lock.locked = true;
    lock.speed.assign(lock.speed.size(), 0);
    d.joints = {root, lock};
    Scene locked(d);
    const Pose X_PC = joint_pose(make_joint(lock), lock.position.data());
    JointDescription weld;
    weld.name = "lock", weld.parent = lock.parent, weld.child = lock.child;
    weld.child_point = lock.child_point;
    weld.orientation = X_PC.R;
    weld.parent_point = X_PC * lock.child_point;
    d.joints[1] = weld;
    Scene welded(d);
    const Vector3 force = random.vector(), torque = random.vector(), at = random.vector();
    for (Scene* s : {&locked, &welded}) s->act(s->body("b"), force, torque, at);
    for (std::size_t k = 0; k < welded.forces.tau.size(); ++k) {
      locked.forces.tau[k] = welded.forces.tau[k] = random.uniform(-1, 1);
    }
    const Found x(locked), y(welded);
    EXPECT_LT((x.udot.head(y.udot.size()) - y.udot).norm(), 1e-11) << "seed " << seed;
    for (const std::string name : {"root", "lock"}) {
      const Reaction &a = x.reactions.joints[locked.joint_number(name)],
                     &b = y.reactions.joints[welded.joint_number(name)];
      const double scale = 1 + b.force.norm() + b.torque.norm();
      EXPECT_LT((a.force - b.force).norm(), 1e-11 * scale) << name << ", seed " << seed;
      EXPECT_LT((a.torque - b.torque).norm(), 1e-11 * scale) << name << ", seed " << seed;
    }
    if (HasFailure()) return;
  }
}

/// The part of the reaction that does work in the motion the joint allows is the force of the joint and of its drive.
TEST(Reactions, DoTheWorkOfTheJointsForcesAndNoOther) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomModelOptions options;
    options.most_bodies = 10;
    options.locked = options.prescribed = 0.25;
    const RandomCase c = RandomCase::make(seed, options);
    const Eigen::VectorXd udot = c.accelerations();
    Reactions reactions(*c.mechanism);
    find_reactions(*c.mechanism, c.state.q.data(), c.state.u.data(), udot.data(), c.forces, reactions);
    for (std::size_t i = 1; i < c.system().joints.size(); ++i) {
      const Joint& joint = c.system().joints[i];
      const Subspace S = joint_subspace(joint, c.state.q.data() + joint.q);
      const Reaction& r = reactions.joints[i];
      for (std::uint32_t k = 0; k < joint.nu; ++k) {
        const Vector3 w = S.col(k).head<3>(), v = S.col(k).tail<3>();
        const double work = w.dot(r.torque + joint.child_point.cross(r.force)) + v.dot(r.force);
        ASSERT_NEAR(work, c.forces.tau[joint.u + k] + reactions.driving[joint.u + k],
                    1e-10 * (1 + r.force.norm() + r.torque.norm()))
            << "seed " << seed << " joint " << i << " speed " << k;
        if (joint.motion == Motion::free) {
          ASSERT_EQ(reactions.driving[joint.u + k], 0);
        }
      }
    }
  }
}

}  // namespace reactions_test
}  // namespace gyrostat::testing
