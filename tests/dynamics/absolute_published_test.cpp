// Mechanisms with loops against published motions and their reduced equations, in absolute and in mixed coordinates.
#include <functional>
#include <numbers>

#include <gtest/gtest.h>

#include "gyrostat/dynamics/coordinate_rates.h"

#include "support/assemble.h"
#include "support/loop_checks.h"
#include "support/scene.h"

namespace gyrostat::testing {
namespace absolute_published_test {

constexpr double pi = std::numbers::pi, g = 9.81;

/// Runge and Kutta's classical method, by the accelerations of absolute or mixed coordinates.
template <class Constants, class Data>
void integrate(LoopCase& c, double time, int steps, const std::function<void(LoopCase&)>& load) {
  const Constants constants(c.system, DynamicsSettings(c.system));
  Data data(constants);
  const Eigen::Index nq = c.state.q.size(), nu = c.state.u.size();
  const auto rate = [&](const Eigen::VectorXd& y) {
    c.state.q = y.head(nq);
    c.state.u = y.tail(nu);
    load(c);
    Eigen::VectorXd ydot(nq + nu);
    coordinate_rates(c.system, c.state.q.data(), c.state.u.data(), ydot.data());
    ydot.tail(nu) = c.accelerations(constants, data);
    return ydot;
  };
  const double h = time / steps;
  Eigen::VectorXd y(nq + nu);
  y << c.state.q, c.state.u;
  for (int i = 0; i < steps; ++i) {
    const Eigen::VectorXd k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  c.state.q = y.head(nq);
  c.state.u = y.tail(nu);
}

/// Bricard's mechanism, IFToMM A03-like: five rods, six revolute joints, overconstrained, one degree of freedom.
Description bricard() {
  const Vector3 P[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const Vector3 axes[] = {Vector3::UnitY(), Vector3::UnitZ(), Vector3::UnitX(),
                          Vector3::UnitY(), Vector3::UnitZ(), Vector3::UnitX()};
  Description d;
  for (int i = 0; i < 5; ++i) {
    const Vector3 along = P[i + 1] - P[i];
    BodyDescription rod = rigid_body("rod" + std::to_string(i), 1, Vector3::Constant(1.01 / 12), along / 2);
    for (int k = 0; k < 3; ++k) {
      if (along[k] != 0) rod.inertia(k, k) = 0.02 / 12;
    }
    d.bodies.push_back(rod);
    d.joints.push_back(revolute("j" + std::to_string(i), i == 0 ? "world" : "rod" + std::to_string(i - 1),
                                "rod" + std::to_string(i), axes[i]));
    if (i > 0) d.joints.back().parent_point = P[i] - P[i - 1];
  }
  d.joints.push_back(revolute("j5", "rod4", "world", axes[5]));
  d.joints.back().parent_point = P[5] - P[4];
  d.joints.back().child_point = P[5];
  d.joints.back().cut = true;
  return d;
}

template <class Constants, class Data>
void expect_bricard() {
  const Assembled a = assemble(bricard());
  LoopCase c(a.system);
  integrate<Constants, Data>(c, 1, 1000, [](LoopCase& at) { weigh(at, {0, -g, 0}); });
  const Vector3 P3 = body_poses(a.system, c.state.q)[3] * Vector3(0, 0, 1);
  // All digits that are published.
  EXPECT_LT((P3 - Vector3(0.510501461187, -1.649167599395, 0.140123114553)).norm(), 1e-11) << P3.transpose();
}

TEST(Bricard, MovesAsPublished) {
  expect_bricard<Absolute, AbsoluteData>();
  expect_bricard<Mixed, MixedData>();
  const Assembled a = assemble(bricard());
  LoopCase c(a.system);
  weigh(c, {0, -g, 0});
  const Absolute constants(a.system, DynamicsSettings(a.system));
  AbsoluteData data(constants);
  const Eigen::VectorXd udot = c.accelerations(constants, data);
  EXPECT_EQ(data.rank.kept_count, 4U);  // of five
  EXPECT_LT(data.inconsistency, 1e-11);
  // From rest, the reduced equation: along the only motion n that the loop allows, n.M n s'' = n.Q.
  EXPECT_LT(c.row_error(udot), 1e-11);
  EXPECT_LT(c.force_error(udot), 1e-11);
}

/// The N-four-bar, IFToMM A02: N windows of uniform rods of 1 m and 1 kg; all couplers cut at their right end.
Description windows(int count) {
  Description d;
  const BodyDescription rod = rigid_body("", 1, {0.001, 1.0 / 12, 1.0 / 12}, {0.5, 0, 0});
  for (int i = 0; i <= count; ++i) {
    const std::string name = std::to_string(i);
    d.bodies.push_back(rod);
    d.bodies.back().name = "rod" + name;
    d.joints.push_back(revolute("foot" + name, "world", "rod" + name, Vector3::UnitZ(), pi / 2));
    d.joints.back().parent_point = {static_cast<double>(i), 0, 0};
    if (i == 0) continue;
    d.bodies.push_back(rod);
    d.bodies.back().name = "beam" + name;
    const std::string left = "rod" + std::to_string(i - 1);
    d.joints.push_back(revolute("left" + name, left, "beam" + name, Vector3::UnitZ(), -pi / 2));
    d.joints.back().parent_point = {1, 0, 0};
    d.joints.push_back(revolute("right" + name, "beam" + name, "rod" + name, Vector3::UnitZ(), pi / 2));
    d.joints.back().parent_point = d.joints.back().child_point = {1, 0, 0};
    d.joints.back().cut = true;
  }
  return d;
}

/// All rods turn by the same angle and all beams keep their direction.
TEST(Windows, MoveAsTheirReducedEquationSays) {
  for (const int count : {1, 2, 10, 40}) {
    const Assembled a = assemble(windows(count));
    LoopCase c(a.system);
    for (const double angle : {pi / 2, 1.0, 0.1, -0.7, 3.0}) {
      Eigen::VectorXd sign(c.state.u.size());
      for (std::size_t i = 1; i < a.system.joints.size(); ++i) {
        const Joint& joint = a.system.joints[i];
        sign[joint.u] = joint.name.starts_with("foot") ? 1 : -1;
        c.state.q[joint.q] = sign[joint.u] * angle;
      }
      c.state.u = 1.3 * sign;
      weigh(c, {0, -g, 0});
      const double udot = -g * std::cos(angle) * ((count + 1) / 2.0 + count) / ((count + 1) / 3.0 + count);
      expect_both(c, udot * sign, angle == 0.1 || angle == 3.0 ? 1e-8 : 1e-9);
    }
  }
}

TEST(Windows, PassTheirSingularPositionAsPublished) {
  const Vector3 published[] = {{-0.260712675184, -0.965416439159, 0}, {-0.195020301949, -0.980799205662, 0}};
  for (const int count : {1, 2}) {
    const Assembled a = assemble(windows(count));
    LoopCase c(a.system);
    for (std::size_t i = 1; i < a.system.joints.size(); ++i) {  // the tops move by 1 m/s along x
      c.state.u[a.system.joints[i].u] = a.system.joints[i].name.starts_with("foot") ? -1 : 1;
    }
    integrate<Absolute, AbsoluteData>(c, 1, 1000, [](LoopCase& at) { weigh(at, {0, -g, 0}); });
    const Vector3 top = body_poses(a.system, c.state.q)[a.system.body("rod0")] * Vector3(1, 0, 0);
    EXPECT_LT((top - published[count - 1]).norm(), 1e-10) << top.transpose();
  }
}

/// The simple pendulum, IFToMM A01: a point mass that slides freely in the plane, at a distance from the origin.
TEST(Pendulum, OfADistanceMovesAsPublished) {
  Description d;
  d.bodies = {point_mass("bob")};
  JointDescription plane = joint("plane", JointType::translation, "world", "bob");
  plane.translations = {Vector3::UnitX(), Vector3::UnitY()};
  plane.position = {-1, 0};
  plane.speed = {0, 0};
  JointDescription rod = joint("rod", JointType::distance, "world", "bob");
  rod.length = 1;
  d.joints = {plane, rod};
  const Assembled a = assemble(d);
  ASSERT_EQ(a.problems.errors(), 0U) << text_of(a.problems);
  LoopCase c(a.system);
  integrate<Absolute, AbsoluteData>(c, 10, 20000, [](LoopCase& at) { weigh(at, {0, -g, 0}); });
  EXPECT_NEAR(c.state.q[0], -0.27508746257611, 2e-9);
  EXPECT_NEAR(c.state.q[1], -0.961419205099127, 2e-9);
  const Absolute constants(a.system, DynamicsSettings(a.system));
  AbsoluteData data(constants);
  c.accelerations(constants, data);
  AbsoluteReactions reactions;
  find_reactions(constants, c.forces, data, reactions);
  const double tension = c.state.u.squaredNorm() - g * c.state.q[1];
  EXPECT_NEAR(reactions.multipliers[0], -tension, 1e-6);  // the multiplier pushes apart
  EXPECT_TRUE(reactions.constraints[0].unique);
}

}  // namespace absolute_published_test
}  // namespace gyrostat::testing
