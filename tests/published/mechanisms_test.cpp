// Mechanisms of the textbooks: their formulas, and numbers that are in print.
#include <numbers>

#include <gtest/gtest.h>

#include "published/runge_kutta.h"

namespace gyrostat::testing {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double g = 9.81;

BodyDescription bob(std::string name, double mass, double length) {
  BodyDescription b;
  b.name = std::move(name);
  b.mass = mass;
  b.com = {0, -length, 0};
  b.point_mass = true;
  return b;
}

Scene double_pendulum(double m1, double m2, double L1, double L2) {
  Description d;
  d.bodies = {bob("upper", m1, L1), bob("lower", m2, L2)};
  d.joints = {one_axis("top", JointType::revolute, "world", "upper", Vector3::UnitZ()),
              one_axis("middle", JointType::revolute, "upper", "lower", Vector3::UnitZ())};
  d.joints[1].parent_point = {0, -L1, 0};
  return Scene(std::move(d));
}

/// The accelerations of the angles from the vertical, as they stand in many textbooks. Differences are rounding of
/// numbers of the size of 100.
TEST(DoublePendulum, AcceleratesAsTheTextbookSays) {
  const double m1 = 1.3, m2 = 0.7, L1 = 0.9, L2 = 1.4;
  Scene s = double_pendulum(m1, m2, L1, L2);
  for (const double a1 : {0.0, 0.4, -2.0, 3.0}) {
    for (const double a2 : {0.1, -1.2, 2.2}) {
      for (const double w1 : {0.0, 3.0}) {
        const double w2 = -1.7, rest = 2 * m1 + m2 - m2 * std::cos(2 * a1 - 2 * a2), sine = std::sin(a1 - a2);
        const double a1dd = (-g * (2 * m1 + m2) * std::sin(a1) - m2 * g * std::sin(a1 - 2 * a2) -
                             2 * sine * m2 * (w2 * w2 * L2 + w1 * w1 * L1 * std::cos(a1 - a2))) /
                            (L1 * rest);
        const double a2dd =
            2 * sine *
            (w1 * w1 * L1 * (m1 + m2) + g * (m1 + m2) * std::cos(a1) + w2 * w2 * L2 * m2 * std::cos(a1 - a2)) /
            (L2 * rest);
        s.state.q << a1, a2 - a1;
        s.state.u << w1, w2 - w1;
        weigh(s, {0, -g, 0});
        const Eigen::VectorXd udot = s.accelerations();
        EXPECT_NEAR(udot[0], a1dd, 1e-12);
        EXPECT_NEAR(udot[0] + udot[1], a2dd, 1e-12);
      }
    }
  }
}

/// Small swings of equal masses on equal strings have w^2 = (2 -+ sqrt 2) g / L (Landau and Lifshitz, section 23). At
/// amplitude e the accelerations differ from the linear ones by about w^2 times the cube of the largest angle, 2.4 e.
TEST(DoublePendulum, HasItsTwoSmallSwings) {
  Scene s = double_pendulum(1, 1, 1, 1);
  for (const double sign : {-1.0, 1.0}) {
    const double w2 = (2 + sign * std::sqrt(2.0)) * g, ratio = -sign * std::sqrt(2.0), e = 1e-4;
    s.state.q << e, (ratio - 1) * e;
    weigh(s, {0, -g, 0});
    const Eigen::VectorXd udot = s.accelerations();
    EXPECT_NEAR(udot[0], -w2 * e, 1000 * e * e * e);
    EXPECT_NEAR(udot[0] + udot[1], -w2 * ratio * e, 1000 * e * e * e);
  }
}

/// From 90 degrees a pendulum takes 1.180340599... times as long as from a small angle: 2 K(sin 45 deg) / pi.
TEST(Pendulum, FromARightAngleHasThePeriodOfLegendre) {
  Description d;
  d.bodies = {bob("bob", 2, 0.8)};
  d.joints = {one_axis("hinge", JointType::revolute, "world", "bob", Vector3::UnitZ(), pi / 2)};
  Scene s(std::move(d));
  const auto load = [](Scene& now) { weigh(now, {0, -g, 0}); };
  const double period = 1.1803405990160963 * 2 * pi * std::sqrt(0.8 / g);
  integrate(s, period / 4, 2000, load);
  EXPECT_NEAR(s.state.q[0], 0, 1e-10);
  EXPECT_NEAR(s.state.u[0], -std::sqrt(2 * g / 0.8), 1e-10);
  integrate(s, 3 * period / 4, 6000, load);
  EXPECT_NEAR(s.state.q[0], pi / 2, 1e-10);
  EXPECT_NEAR(s.state.u[0], 0, 1e-10);
}

/// A symmetric top on its tip, as a gimbal of Euler's angles z, x, z.
Scene top(double m, double l, double A, double C) {
  Description d;
  d.bodies = {rigid_body("top", m, {A - m * l * l, A - m * l * l, C}, {0, 0, l})};  // A is about the tip
  JointDescription j;
  j.name = "tip";
  j.type = JointType::gimbal;
  j.parent = "world";
  j.child = "top";
  j.rotations = {Vector3::UnitZ(), Vector3::UnitX(), Vector3::UnitZ()};
  j.position = {0.3, 0.6, -1};
  j.speed = {0, 0, 0};
  d.joints = {j};
  return Scene(std::move(d));
}

/// Goldstein, 5.7: steady precession at rate P under m g l = P (C n - A P cos), n the spin about the axis of symmetry.
TEST(SpinningTop, PrecessesSteadilyAtTwoRates) {
  const double m = 2, l = 0.3, A = 0.5, C = 0.2, n = 60, tilt = 0.6;
  Scene s = top(m, l, A, C);
  const double a = A * std::cos(tilt), root = std::sqrt(C * C * n * n - 4 * a * m * g * l);
  for (const double P : {(C * n - root) / (2 * a), (C * n + root) / (2 * a)}) {
    s.state.u << P, 0, n - P * std::cos(tilt);
    weigh(s, {0, 0, -g});
    EXPECT_LT(s.accelerations().norm(), 1e-10) << P;  // terms of P^2, up to 1e3, cancel
    s.state.u << P * 1.01, 0, n - P * 1.01 * std::cos(tilt);
    EXPECT_GT(std::abs(s.accelerations()[1]), 1e-3) << P;
  }
}

/// It stays at its tilt for ten turns about the vertical, and has turned as often as it must.
TEST(SpinningTop, KeepsItsTilt) {
  const double m = 2, l = 0.3, A = 0.5, C = 0.2, n = 60, tilt = 0.6;
  Scene s = top(m, l, A, C);
  const double a = A * std::cos(tilt), P = (C * n - std::sqrt(C * C * n * n - 4 * a * m * g * l)) / (2 * a);
  s.state.u << P, 0, n - P * std::cos(tilt);
  const double time = 2;
  // The unsteady rate is that of nutation, C n / A = 24 rad/s: step 2.5e-4.
  integrate(s, time, 8000, [](Scene& now) { weigh(now, {0, 0, -g}); });
  EXPECT_NEAR(s.state.q[1], tilt, 1e-10);
  EXPECT_NEAR(s.state.q[0], 0.3 + P * time, 1e-9);
}

/// Where C^2 n^2 < 4 A m g l cos there is no rate of steady precession: whatever P is, the tilt grows.
TEST(SpinningTop, TooSlowForSteadyPrecessionFallsAtEveryRate) {
  const double m = 2, l = 0.3, A = 0.5, C = 0.2, tilt = 0.6;
  const double n = 0.99 * std::sqrt(4 * A * std::cos(tilt) * m * g * l) / C;
  Scene s = top(m, l, A, C);
  weigh(s, {0, 0, -g});
  for (double P = -30; P < 30; P += 0.25) {
    s.state.u << P, 0, n - P * std::cos(tilt);
    EXPECT_GT(s.accelerations()[1], 0) << P;
  }
}

/// Two masses with a force between them that turn about each other: r'' = r w^2 + F / mu, and (mu r^2 + J) w is kept.
TEST(Dumbbell, OnASlideIsATwoBodyProblem) {
  const double m1 = 2, m2 = 3, mu = m1 * m2 / (m1 + m2), J = 0.1, r = 1.5, rdot = -0.4, w = 0.7, F = 2.5;
  for (const bool reversed : {false, true}) {
    Description d;
    BodyDescription far;
    far.name = "far";
    far.mass = m2;
    far.point_mass = true;
    d.bodies = {rigid_body("near", m1, Vector3::Constant(J)), far};
    d.joints = {one_axis("arm", JointType::prismatic, "near", "far", Vector3::UnitX(), r, rdot)};
    if (reversed) {  // far's parent is near no more: near from far is at -r x
      std::swap(d.joints[0].parent, d.joints[0].child);
      d.joints[0].translations = {-Vector3::UnitX()};
    }
    Scene s(std::move(d));
    s.state.u[2] = w;
    s.forces.tau[6] = F;
    const Eigen::VectorXd udot = s.accelerations();
    EXPECT_NEAR(udot[6], r * w * w + F / mu, 1e-13);
    EXPECT_NEAR(udot[2], -2 * mu * r * rdot * w / (mu * r * r + J), 1e-13);
    // The mass nearby: m1 a1 = -m2 a2, and a2 - a1 is r'' - r w^2 along x, r w' + 2 r' w along y.
    EXPECT_NEAR(udot[3], -m2 / (m1 + m2) * F / mu, 1e-13);
    EXPECT_NEAR(udot[4], -m2 / (m1 + m2) * (r * udot[2] + 2 * rdot * w), 1e-13);
  }
}

/// Kepler's circle: an attraction mu w^2 r holds the distance while they go round.
TEST(Dumbbell, GoesRoundOnACircleUnderTheRightForce) {
  Description d;
  BodyDescription far;
  far.name = "far";
  far.mass = 3;
  far.point_mass = true;
  d.bodies = {rigid_body("near", 2, Vector3::Constant(0.1)), far};
  d.joints = {one_axis("arm", JointType::prismatic, "near", "far", Vector3::UnitX(), 1.5)};
  Scene s(std::move(d));
  const double w = 2, mu = 6.0 / 5;
  s.state.u[2] = w;
  s.state.u[4] = -w * 1.5 * 3 / 5;  // the com rests
  const State start = s.state;
  integrate(s, 2 * pi / w, 2000, [&](Scene& now) { now.forces.tau[6] = -mu * w * w * 1.5; });
  EXPECT_NEAR(s.state.q[7], 1.5, 1e-10);
  EXPECT_LT((s.state.q.head<3>() - start.q.head<3>()).norm(), 1e-10);
  EXPECT_LT((s.state.q.segment<4>(3) + start.q.segment<4>(3)).norm(), 1e-10);  // one turn: the quaternion's sign
}

}  // namespace
}  // namespace gyrostat::testing
