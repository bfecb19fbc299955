#include "gyrostat/math/mass_properties.h"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace gyrostat {
namespace {

struct Point {
  double mass;
  Vector3 at;
};

Vector3 random_vector(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

Pose random_pose(std::mt19937_64& random) {
  return {rotation_about(random_vector(random).normalized(), 3 * random_vector(random).x()), random_vector(random)};
}

std::vector<Point> random_points(std::mt19937_64& random, int count) {
  std::uniform_real_distribution<double> mass(0.1, 5);
  std::vector<Point> points;
  for (int i = 0; i < count; ++i) points.push_back({mass(random), random_vector(random)});
  return points;
}

/// By the definitions: sums over the points, element by element.
MassProperties brute_force(const std::vector<Point>& points) {
  MassProperties sum;
  for (const auto& [m, r] : points) {
    sum.mass += m;
    sum.com += m * r;
  }
  sum.com /= sum.mass;
  for (const auto& [m, r] : points) {
    const double x = r.x() - sum.com.x(), y = r.y() - sum.com.y(), z = r.z() - sum.com.z();
    Matrix3 I;
    I << y * y + z * z, -x * y, -x * z, -x * y, x * x + z * z, -y * z, -x * z, -y * z, x * x + y * y;
    sum.inertia += m * I;
  }
  return sum;
}

void expect_same(const MassProperties& a, const MassProperties& b, double tolerance) {
  EXPECT_NEAR(a.mass, b.mass, tolerance * (1 + b.mass));
  EXPECT_LT((a.com - b.com).norm(), tolerance * (1 + b.com.norm()));
  EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * (1 + b.inertia.norm()));
}

TEST(MassProperties, OfTwoBodiesTogetherAreThoseOfAllTheirPoints) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 200; ++i) {
    const auto a = random_points(random, 1 + i % 6), b = random_points(random, 1 + i % 4);
    auto all = a;
    all.insert(all.end(), b.begin(), b.end());
    expect_same(combined(brute_force(a), brute_force(b)), brute_force(all), 1e-13);
  }
}

TEST(MassProperties, CombiningDoesNotDependOnTheOrder) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100; ++i) {
    const MassProperties a = brute_force(random_points(random, 3)), b = brute_force(random_points(random, 4)),
                         c = brute_force(random_points(random, 5));
    expect_same(combined(a, b), combined(b, a), 1e-14);
    expect_same(combined(combined(a, b), c), combined(a, combined(b, c)), 1e-13);
  }
}

TEST(MassProperties, AMasslessBodyAddsItsInertiaAndNothingElse) {
  const MassProperties heavy{3, {1, 2, 3}, Vector3(4, 5, 6).asDiagonal()};
  const MassProperties rotor{0, {7, -8, 9}, Vector3(0.1, 0.2, 0.3).asDiagonal()};
  for (const auto& both : {combined(heavy, rotor), combined(rotor, heavy)}) {
    expect_same(both, {3, {1, 2, 3}, Vector3(4.1, 5.2, 6.3).asDiagonal()}, 1e-15);
  }
}

TEST(MassProperties, TwoMasslessBodiesAreMasslessAndFinite) {
  const MassProperties a{0, {1, 0, 0}, Vector3(1, 1, 1).asDiagonal()}, b{0, {0, 5, 0}, Vector3(2, 3, 4).asDiagonal()};
  const MassProperties both = combined(a, b);
  EXPECT_EQ(both.mass, 0);
  EXPECT_TRUE(both.com.allFinite());
  EXPECT_EQ(both.inertia, Matrix3(Vector3(3, 4, 5).asDiagonal()));
  EXPECT_EQ(combined({}, {}).mass, 0);
  EXPECT_TRUE(combined({}, {}).com.allFinite());
}

TEST(MassProperties, AFarHeavyBodyDoesNotLoseTheInertiaOfTheOther) {
  const MassProperties speck{1e-9, {0, 0, 0}, Matrix3::Zero()}, planet{1e24, {0, 0, 2}, Matrix3::Zero()};
  EXPECT_NEAR(combined(speck, planet).inertia(0, 0), 4e-9, 1e-21);
}

TEST(MassProperties, InAnotherFrameAreThoseOfTheMovedPoints) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100; ++i) {
    const auto points = random_points(random, 5);
    const Pose X_AB = random_pose(random);
    auto moved = points;
    for (auto& point : moved) point.at = X_AB.p + X_AB.R * point.at;
    expect_same(in_frame(X_AB, brute_force(points)), brute_force(moved), 1e-13);
  }
}

TEST(MassProperties, AChangeOfFrameKeepsMassAndPrincipalMoments) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 100; ++i) {
    const MassProperties body = brute_force(random_points(random, 4));
    const MassProperties seen = in_frame(random_pose(random), body);
    EXPECT_EQ(seen.mass, body.mass);
    const Vector3 before = principal_moments(body.inertia), after = principal_moments(seen.inertia);
    EXPECT_LT((before - after).norm(), 1e-13 * before.norm());
  }
}

TEST(MassProperties, PrincipalMomentsAscendAndAreRootsOfTheCharacteristicPolynomial) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 100; ++i) {
    const Matrix3 I = brute_force(random_points(random, 4)).inertia;
    const Vector3 p = principal_moments(I);
    EXPECT_LE(p[0], p[1]);
    EXPECT_LE(p[1], p[2]);
    const double second = I(0, 0) * I(1, 1) + I(1, 1) * I(2, 2) + I(2, 2) * I(0, 0) - I(0, 1) * I(0, 1) -
                          I(1, 2) * I(1, 2) - I(0, 2) * I(0, 2);
    EXPECT_NEAR(p.sum(), I.trace(), 1e-13 * I.trace());
    EXPECT_NEAR(p[0] * p[1] + p[1] * p[2] + p[2] * p[0], second, 1e-12 * std::abs(second));
    EXPECT_NEAR(p[0] * p[1] * p[2], I.determinant(), 1e-12 * std::pow(I.trace(), 3));
  }
}

TEST(MassProperties, TheSpatialInertiaGivesTheKineticEnergyOfARigidBody) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 200; ++i) {
    const auto points = random_points(random, 4);
    const MassProperties body = brute_force(points);
    const Vector3 w = random_vector(random), v = random_vector(random);
    Vector6 V;
    V << w, v;
    const Vector3 v_com = v + w.cross(body.com);
    const double koenig = 0.5 * body.mass * v_com.squaredNorm() + 0.5 * w.dot(body.inertia * w);
    double by_points = 0;
    for (const auto& [m, r] : points) by_points += 0.5 * m * (v + w.cross(r)).squaredNorm();
    const double energy = 0.5 * V.dot(spatial_inertia(body) * V);
    EXPECT_NEAR(energy, koenig, 1e-12 * koenig);
    EXPECT_NEAR(energy, by_points, 1e-12 * by_points);
  }
}

TEST(MassProperties, TheSpatialInertiaMapsATwistToTheMomentumAboutTheOrigin) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100; ++i) {
    const auto points = random_points(random, 4);
    const Vector3 w = random_vector(random), v = random_vector(random);
    Vector3 h = Vector3::Zero(), p = Vector3::Zero();
    for (const auto& [m, r] : points) {
      p += m * (v + w.cross(r));
      h += m * r.cross(v + w.cross(r));
    }
    Vector6 V, momentum;
    V << w, v;
    momentum << h, p;
    EXPECT_LT((spatial_inertia(brute_force(points)) * V - momentum).norm(), 1e-12 * momentum.norm());
  }
}

TEST(MassProperties, TheSpatialInertiaOfAnExtendedBodyIsSymmetricAndPositiveDefinite) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 100; ++i) {
    const Matrix6 M = spatial_inertia(brute_force(random_points(random, 6)));
    EXPECT_LT((M - M.transpose()).norm(), 1e-13 * M.norm());
    for (int k = 0; k < 50; ++k) {
      Vector6 V;
      V << random_vector(random), random_vector(random);
      EXPECT_GT(V.dot(M * V), 0);
    }
    EXPECT_GT(M.determinant(), 0);
  }
}

TEST(MassProperties, TheSpatialInertiaOfAPointMassDoesNotResistTurningAboutIt) {
  const MassProperties point{2, {1, -2, 0.5}, Matrix3::Zero()};
  const Vector3 w(0.3, 0.4, -0.5);
  Vector6 V;
  V << w, -w.cross(point.com);  // the point rests
  EXPECT_LT((spatial_inertia(point) * V).norm(), 1e-15);
}

}  // namespace
}  // namespace gyrostat
