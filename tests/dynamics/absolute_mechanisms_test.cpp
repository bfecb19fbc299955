// Mechanisms with loops whose accelerations and reactions are known otherwise, in absolute and in mixed coordinates.
#include <Eigen/LU>
#include <Eigen/QR>
#include <gtest/gtest.h>

#include "gyrostat/dynamics/reactions.h"

#include "support/closed_loops.h"
#include "support/loop_checks.h"
#include "support/scene.h"

namespace gyrostat::testing {
namespace absolute_mechanisms_test {

constexpr double g = 9.81;

/// Derivative by differences of fourth order.
template <class F>
auto derivative(const F& f, double x, double h = 2e-3) {
  using Value = decltype(f(x));
  return Value((8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h));
}

/// A planar four-bar of spatial revolute joints, z out of the plane, hanging in gravity: crank and rocker on the world,
/// the coupler on the crank and, cut, on the rocker. Of five equations of the cut joint three repeat others.
struct FourBar {
  double a = 0.4, b = 1.1, c = 0.8, ground = 1;  // lengths of crank, coupler, rocker [m]

  /// Angles of crank, coupler and rocker from the x axis.
  [[nodiscard]] Vector3 angles(double crank) const {
    const Vector3 pin(a * std::cos(crank), a * std::sin(crank), 0), across = Vector3(ground, 0, 0) - pin;
    const double length = across.norm(), towards = std::atan2(across.y(), across.x());
    const double coupler = towards + std::acos((b * b + length * length - c * c) / (2 * b * length));
    const Vector3 end = pin + b * Vector3(std::cos(coupler), std::sin(coupler), 0);
    return {crank, coupler, std::atan2(end.y(), end.x() - ground)};
  }

  [[nodiscard]] Description description(double crank) const {
    const Vector3 at = angles(crank);
    Description d;
    d.bodies = {rigid_body("crank", 2, {0.1, 0.2, 0.3}, {0.2, 0.05, 0.1}),
                rigid_body("coupler", 3, {0.2, 0.3, 0.5}, {0.6, -0.1, 0.2}),
                rigid_body("rocker", 1.5, {0.1, 0.1, 0.2}, {0.3, 0.1, -0.1})};
    d.joints = {revolute("left", "world", "crank", Vector3::UnitZ(), at[0]),
                revolute("pin", "crank", "coupler", Vector3::UnitZ(), at[1] - at[0]),
                revolute("right", "world", "rocker", Vector3::UnitZ(), at[2]),
                revolute("knee", "coupler", "rocker", Vector3::UnitZ(), at[2] - at[1])};
    d.joints[1].parent_point = {a, 0, 0};
    d.joints[2].parent_point = {ground, 0, 0};
    d.joints[3].parent_point = {b, 0, 0};
    d.joints[3].child_point = {c, 0, 0};
    d.joints[3].cut = true;
    return d;
  }

  /// (positions of the mass centres, angles) of the three bodies at a crank angle.
  [[nodiscard]] Eigen::VectorXd configuration(double crank) const {
    const Vector3 at = angles(crank);
    const Vector3 roots[] = {Vector3::Zero(), a * Vector3(std::cos(crank), std::sin(crank), 0), {ground, 0, 0}};
    const Description d = description(crank);
    Eigen::VectorXd x(9);
    for (int i = 0; i < 3; ++i) {
      const Vector3 com =
          roots[i] + Eigen::AngleAxisd(at[i], Vector3::UnitZ()) * d.bodies[static_cast<std::size_t>(i)].com;
      x.segment<2>(2 * i) = com.head<2>();
      x[6 + i] = at[i];
    }
    return x;
  }
};

TEST(FourBar, MovesAsItsReducedEquationSays) {
  const FourBar bar;
  const Description described = bar.description(0);
  Eigen::VectorXd masses(9);
  for (int i = 0; i < 3; ++i) {
    const BodyDescription& body = described.bodies[static_cast<std::size_t>(i)];
    masses.segment<2>(2 * i).setConstant(body.mass);
    masses[6 + i] = body.inertia(2, 2);
  }
  const auto config = [&](double x) { return bar.configuration(x); };
  const auto slope = [&](double x) { return derivative(config, x); };
  const auto inertia = [&](double x) { return slope(x).cwiseProduct(masses).dot(slope(x)); };
  const auto height = [&](double x) {
    double sum = 0;
    for (int i = 0; i < 3; ++i) sum += g * masses[2 * i] * bar.configuration(x)[2 * i + 1];
    return sum;
  };
  const auto relative = [&](double x) {
    const Vector3 at = bar.angles(x);
    return Eigen::VectorXd(Vector3(at[0], at[1] - at[0], at[2]));
  };
  const auto relative_slope = [&](double x) { return derivative(relative, x); };
  for (const double crank : {0.3, 1.2, 2.5, 4.0, 5.5}) {
    for (const double rate : {0.0, 1.5, -3.0}) {
      SCOPED_TRACE(::testing::Message() << "crank " << crank << " rate " << rate);
      const Assembled a = assemble(bar.description(crank));
      ASSERT_EQ(a.problems.errors(), 0U);
      LoopCase c(a.system);
      weigh(c, {0, -g, 0});
      const double second =
          -(derivative(inertia, crank) * rate * rate / 2 + derivative(height, crank)) / inertia(crank);
      c.state.u = rate * relative_slope(crank);
      // Differences leave 1e-9 in the reduced equation.
      expect_both(c, relative_slope(crank) * second + derivative(relative_slope, crank) * rate * rate, 1e-7);
    }
  }
}

TEST(FourBar, SaysWhichReactionsAreUnique) {
  Description d = FourBar().description(1);
  d.bodies.push_back(rigid_body("pendulum", 1, {0.1, 0.1, 0.1}, {0, -0.5, 0}));
  d.joints.push_back(revolute("hook", "coupler", "pendulum"));
  const Assembled a = assemble(d);
  LoopCase c(a.system);
  weigh(c, {0, -g, 0});
  const Absolute constants(a.system, DynamicsSettings(a.system));
  AbsoluteData data(constants);
  const Eigen::VectorXd udot = c.accelerations(constants, data);
  EXPECT_EQ(data.rank.kept_count, 2U);
  EXPECT_LT(data.inconsistency, 1e-11);
  AbsoluteReactions reactions;
  find_reactions(constants, c.forces, data, reactions);
  for (const char* name : {"left", "pin", "right"}) EXPECT_FALSE(reactions.joints[a.system.joint(name)].unique) << name;
  EXPECT_TRUE(reactions.joints[a.system.joint("hook")].unique);
  EXPECT_FALSE(reactions.constraints[0].unique);
  // What is in the plane is unique, and is that of the open chain with the knee's force on it.
  EXPECT_GT(reactions.constraints[0].force.head<2>().norm(), 1);
}

/// Two welds of one body to the world share its weight: the smallest multipliers are halves.
TEST(Absolute, SharesTheLoadOfRedundantJointsEvenly) {
  Description d;
  d.bodies = {rigid_body("shelf", 3, {1, 1, 1}, {0.5, 0, 0})};
  d.joints = {joint("one", JointType::weld, "world", "shelf"), joint("two", JointType::weld, "world", "shelf")};
  d.joints[1].cut = true;
  const Assembled a = assemble(d);
  LoopCase c(a.system);
  weigh(c, {0, 0, -g});
  const Absolute constants(a.system, DynamicsSettings(a.system));
  AbsoluteData data(constants);
  c.accelerations(constants, data);
  AbsoluteReactions reactions;
  find_reactions(constants, c.forces, data, reactions);
  for (const AbsoluteReaction& half : {reactions.joints[1], reactions.constraints[0]}) {
    EXPECT_LT((half.force - Vector3(0, 0, 1.5 * g)).norm(), 1e-12);
    EXPECT_LT((half.torque - Vector3(0, -0.75 * g, 0)).norm(), 1e-12);
    EXPECT_FALSE(half.unique);
  }
}

/// Multipliers and reactions of a random system with loops, put on its tree as forces, make the tree move the same; and
/// then its joints' reactions are those of inverse dynamics.
TEST(Absolute, FindsForcesThatMakeTheTreeMoveAsTheLoopsDo) {
  int compared = 0, not_unique = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const Assembled a =
        assemble(with_loops(seed, random_description(seed, {.least_bodies = 3, .most_bodies = 8, .massless = 0})));
    LoopCase c(a.system);
    if (c.state.u.size() == 0 || c.constraints.rows() == 0 || !c.has_clear_rank()) continue;
    Random random(seed);
    c.forces = random_forces(a.system, random);
    std::fill(c.forces.udot.begin(), c.forces.udot.end(), 0.0);
    if (c.make_speeds_consistent() > 1e-10 || !c.is_possible()) continue;
    const Absolute constants(a.system, DynamicsSettings(a.system));
    AbsoluteData data(constants);
    const Eigen::VectorXd udot = c.accelerations(constants, data);
    AbsoluteReactions reactions;
    find_reactions(constants, c.forces, data, reactions);

    const std::vector<Pose> X = body_poses(a.system, c.state.q);
    Forces<double> opened = c.forces;
    const auto act = [&](std::uint32_t body, const Vector3& force, const Vector3& torque, const Vector3& at) {
      if (body == 0) return;
      const Vector3 lever = at - X[body] * base_point(a.system.joints[body]);
      opened.wrench[body].force += cast<double>(force);
      opened.wrench[body].torque += cast<double>(Vector3(torque + lever.cross(force)));
    };
    double scale = 1 + udot.cwiseAbs().maxCoeff();
    for (std::size_t k = 0; k < a.system.constraints.size(); ++k) {
      const Constraint& one = a.system.constraints[k];
      const auto* cut = std::get_if<CutJoint>(&one.kind);
      const auto* distance = std::get_if<Distance>(&one.kind);
      ASSERT_TRUE(cut || distance);
      const std::uint32_t number = cut ? cut->joint.child_node : distance->child_node;
      const auto [parent, child] = bodies_of(a.system, one);
      const AbsoluteReaction& reaction = reactions.constraints[k];
      const Vector3 at = X[child] * a.system.nodes[number].p;
      const Vector3 force = X[child].R * reaction.force, torque = X[child].R * reaction.torque;
      if (distance) {
        ASSERT_NEAR(std::abs(reactions.multipliers[reactions.first[k]]), force.norm(), 1e-9 * scale);
      }
      act(child, force, torque, at);
      act(parent, -force, -torque, at);
      scale = std::max({scale, force.norm(), torque.norm()});
      not_unique += !reaction.unique;
    }
    Kinematics<double> kinematics(c.mechanism);
    update(c.mechanism, c.state.q.data(), c.state.u.data(), kinematics);
    ArticulatedBodyData<double> workspace(c.mechanism);
    Eigen::VectorXd tree(udot.size());
    accelerations(c.mechanism, kinematics, c.state.u.data(), opened, workspace, tree.data());
    ASSERT_LT((tree - udot).cwiseAbs().maxCoeff(), 1e-7 * scale);
    Reactions expected(c.mechanism);
    find_reactions(c.mechanism, c.state.q.data(), c.state.u.data(), udot.data(), opened, expected);
    for (std::size_t i = 1; i < expected.joints.size(); ++i) {
      scale = std::max({scale, expected.joints[i].force.norm(), expected.joints[i].torque.norm()});
    }
    for (std::size_t i = 1; i < expected.joints.size(); ++i) {
      ASSERT_LT((reactions.joints[i].force - expected.joints[i].force).norm(), 1e-8 * scale) << "joint " << i;
      ASSERT_LT((reactions.joints[i].torque - expected.joints[i].torque).norm(), 1e-8 * scale) << "joint " << i;
    }
    ++compared;
  }
  EXPECT_GT(compared, 200);
  EXPECT_GT(not_unique, 20);
}

/// Two equal chains whose ends are welded together move as one chain with forces that are the mean of both.
TEST(Loops, OfTwoEqualChainsMoveAsTheChain) {
  int redundant = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const std::size_t length = 1 + seed % 4;
    RandomModel model(seed, {});
    Random random(seed);
    Description one;
    for (std::size_t i = 0; i < length; ++i) {
      const std::string name = std::to_string(i);
      one.bodies.push_back(rigid_body("b" + name, random.uniform(1, 3), {1, 1.3, 1.7}, random.vector()));
      JointDescription j = model.joint({});
      j.name = "j" + name;
      j.parent = i == 0 ? "world" : "b" + std::to_string(i - 1);
      j.child = "b" + name;
      one.joints.push_back(j);
    }
    Description two = one;
    for (const BodyDescription& body : one.bodies) {
      two.bodies.push_back(body);
      two.bodies.back().name = "twin_" + body.name;
    }
    for (JointDescription j : one.joints) {
      j.name = "twin_" + j.name;
      if (j.parent != "world") j.parent = "twin_" + j.parent;
      j.child = "twin_" + j.child;
      two.joints.push_back(j);
    }
    JointDescription weld = joint("ends", JointType::weld, one.bodies.back().name, "twin_" + one.bodies.back().name);
    weld.cut = true;
    two.joints.push_back(weld);
    const Assembled single = assemble(one), doubled = assemble(two);
    ASSERT_EQ(doubled.problems.errors(), 0U) << text_of(doubled.problems);
    if (single.system.initial.u.size() == 0) continue;
    LoopCase chain(single.system), loop(doubled.system);
    const auto nu = static_cast<std::size_t>(chain.state.u.size());
    for (std::size_t k = 0; k < nu; ++k) {
      loop.forces.tau[k] = random.uniform(-3, 3);
      loop.forces.tau[nu + k] = random.uniform(-3, 3);
      chain.forces.tau[k] = (loop.forces.tau[k] + loop.forces.tau[nu + k]) / 2;
    }
    // Where the chain has more degrees of freedom than its ends, the twins are alike only under equal forces.
    for (std::size_t k = 0; k < nu; ++k) loop.forces.tau[k] = loop.forces.tau[nu + k] = chain.forces.tau[k];
    const Eigen::VectorXd expected = chain.absolute();
    Eigen::VectorXd twice(2 * expected.size());
    twice << expected, expected;
    expect_both(loop, twice, 1e-9);
    redundant += Eigen::FullPivLU<Eigen::MatrixXd>(loop.jacobian()).rank() < 6;
  }
  EXPECT_GT(redundant, 5);
}

/// Velocity of a body relative to the world at its origin, its own axes.
Vector6 twist(const System& system, const State& state, std::uint32_t body) {
  if (body == 0) return Vector6::Zero();
  const Joint& joint = system.joints[body];
  const Vector6 inboard = twist(system, state, system.parent[body]);
  return twist_transform(tree_pose(joint, state.q.data() + joint.q)) * inboard +
         tree_subspace(joint, state.q.data() + joint.q) * state.u.segment(joint.u, joint.nu);
}

/// A ring of bodies from the world back to the world moves the same, wherever it is cut.
TEST(Loops, MoveTheSameWhereverTheyAreCut) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomModel model(seed, {});
    Random random(seed);
    Description d;
    for (int i = 0; i < 4; ++i) {
      const std::string name = std::to_string(i);
      d.bodies.push_back(rigid_body("b" + name, random.uniform(1, 3), {1, 1.3, 1.7}, random.vector()));
      JointDescription j = model.joint({});
      j.name = "j" + name;
      j.parent = i == 0 ? "world" : "b" + std::to_string(i - 1);
      j.child = "b" + name;
      if (random.chance(0.5)) std::swap(j.parent, j.child);
      d.joints.push_back(j);
    }
    JointDescription last = model.joint({.translations = 1, .rotations = 2});
    if (last.type == JointType::weld) continue;
    const Pose end = reference_poses(assemble(d).description, initial_coordinates(d)).at("b3");
    last.name = "last", last.parent = "world", last.child = "b3";
    const Matrix3 R = reference_joint_pose(last, last.position).R * last.orientation.transpose();
    last.orientation = R.transpose() * end.R;
    last.parent_point += end.p - reference_joint_pose(last, last.position).p;
    d.joints.push_back(last);

    const auto cut = [&](std::size_t which) {
      Description made = d;
      made.joints[which].cut = true;
      return assemble(made);
    };
    const Assembled a = cut(4), b = cut(2);
    LoopCase first(a.system), second(b.system);
    if (!first.has_clear_rank(1e-3) || !second.has_clear_rank(1e-3)) continue;
    first.state.u.setOnes();
    if (first.make_speeds_consistent() > 1e-10) continue;
    for (std::uint32_t i = 1; i < b.system.joints.size(); ++i) {  // the speeds of the joints that both have
      const Joint& joint = b.system.joints[i];
      if (joint.name == "last") continue;
      const Joint& same = a.system.joints[a.system.joint(joint.name)];
      second.state.u.segment(joint.u, joint.nu) = first.state.u.segment(same.u, same.nu);
    }
    const Joint& closing = b.system.joints[b.system.joint("last")];
    const Subspace S = joint_subspace(closing, b.system.initial.q.data() + closing.q);
    const Vector6 V = twist(a.system, first.state, a.system.body("b3"));
    const Eigen::VectorXd speeds = S.colPivHouseholderQr().solve(V);
    ASSERT_LT((S * speeds - V).norm(), 1e-9);
    second.state.u.segment(closing.u, closing.nu) = speeds;
    weigh(first, {1, 2, -g});
    weigh(second, {1, 2, -g});
    const Eigen::VectorXd x = first.absolute(), y = second.absolute(), z = second.mixed();
    const double scale = 1 + x.cwiseAbs().maxCoeff() + y.cwiseAbs().maxCoeff();
    for (std::uint32_t i = 1; i < b.system.joints.size(); ++i) {
      const Joint& joint = b.system.joints[i];
      if (joint.name == "last") continue;
      const Joint& same = a.system.joints[a.system.joint(joint.name)];
      const Eigen::VectorXd at_last = x.segment(same.u, same.nu);
      ASSERT_LT((y.segment(joint.u, joint.nu) - at_last).norm(), 1e-8 * scale) << joint.name;
      ASSERT_LT((z.segment(joint.u, joint.nu) - at_last).norm(), 1e-8 * scale) << joint.name;
    }
    ++compared;
  }
  EXPECT_GT(compared, 60);
}

/// A coupling of one coordinate that has a value in time is a prescribed joint.
TEST(Coupling, OfOneCoordinateIsAPrescribedJoint) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomModelOptions options;
    options.most_bodies = 8;
    options.massless = options.prescribed = options.locked = 0;
    const Description d = random_description(seed, options);
    Assembled a = assemble(d);
    Random random(seed);
    for (std::uint32_t i = 1; i < a.system.joints.size(); ++i) {
      const Joint& joint = a.system.joints[i];
      if (has_quaternion(joint.type) || joint.nu == 0) continue;
      System coupled = a.system;
      const double ratio = random.uniform(0.5, 3), value = random.uniform(-5, 5);
      coupled.constraints = {{"drive",
                              "constraints.drive",
                              "coupling",
                              Coupling{{{joint.q, joint.u, ratio}}},
                              "",
                              {ratio * coupled.initial.q[joint.q]},
                              0}};
      LoopCase driven(coupled), prescribed(a.system);
      prescribed.forces = random_forces(a.system, random);
      driven.forces = prescribed.forces;
      driven.forces.equals = {{0, ratio * driven.state.u[joint.u], ratio * value}};
      prescribed.forces.free[joint.u] = false;
      prescribed.forces.udot[joint.u] = value;
      expect_both(driven, prescribed.absolute(), 1e-8);
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
}

}  // namespace absolute_mechanisms_test
}  // namespace gyrostat::testing
