#include "gyrostat/math/rotation.h"

#include <cmath>
#include <numbers>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace gyrostat {
namespace {

using std::numbers::pi;

/// The textbook matrices, element by element.
Matrix3 elementary(char axis, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  Matrix3 R;
  if (axis == 'x') R << 1, 0, 0, 0, c, -s, 0, s, c;
  if (axis == 'y') R << c, 0, s, 0, 1, 0, -s, 0, c;
  if (axis == 'z') R << c, -s, 0, s, c, 0, 0, 0, 1;
  return R;
}

Vector3 random_unit(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return Vector3(normal(random), normal(random), normal(random)).normalized();
}

double difference(const Matrix3& a, const Matrix3& b) { return (a - b).cwiseAbs().maxCoeff(); }

/// Rodrigues' formula.
Matrix3 rodrigues(const Vector3& axis, double angle) {
  const Matrix3 K = skew(axis);
  return Matrix3::Identity() + std::sin(angle) * K + (1 - std::cos(angle)) * K * K;
}

TEST(Rotation, TheSkewMatrixIsTheCrossProduct) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100; ++i) {
    const Vector3 a = random_unit(random), b = random_unit(random);
    const Vector3 by_components(a.y() * b.z() - a.z() * b.y(), a.z() * b.x() - a.x() * b.z(),
                                a.x() * b.y() - a.y() * b.x());
    EXPECT_LT((skew(a) * b - by_components).norm(), 1e-15);
  }
}

TEST(Rotation, AboutAnAxisIsRodriguesFormula) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> angle(-7, 7);
  for (int i = 0; i < 200; ++i) {
    const Vector3 axis = random_unit(random);
    const double turn = angle(random);
    EXPECT_LT(difference(rotation_about(axis, turn), rodrigues(axis, turn)), 1e-14);
  }
}

TEST(Rotation, AboutZTurnsXIntoY) {
  EXPECT_LT((rotation_about(Vector3::UnitZ(), pi / 2) * Vector3::UnitX() - Vector3::UnitY()).norm(), 1e-15);
}

TEST(Rotation, AllTwelveEulerSequencesAreProductsOfElementaryMatricesInTheOrderWritten) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> angle(-4, 4);
  int sequences = 0;
  for (const char a : std::string("xyz")) {
    for (const char b : std::string("xyz")) {
      for (const char c : std::string("xyz")) {
        if (a == b || b == c) continue;
        ++sequences;
        const double p = angle(random), q = angle(random), r = angle(random);
        const auto R = rotation_from_euler(std::string{a, b, c}, {p, q, r});
        ASSERT_TRUE(R) << a << b << c;
        EXPECT_LT(difference(*R, elementary(a, p) * elementary(b, q) * elementary(c, r)), 1e-14) << a << b << c;
      }
    }
  }
  EXPECT_EQ(sequences, 12);
}

TEST(Rotation, TheSecondEulerRotationIsAboutTheAxisThatTheFirstHasMoved) {
  // z by 90 degrees puts the body's y axis on -x: a turn about it by 90 degrees takes the body's x axis (now +y) to -z.
  const auto R = rotation_from_euler("zyx", {pi / 2, pi / 2, 0});
  ASSERT_TRUE(R);
  EXPECT_LT((*R * Vector3::UnitX() + Vector3::UnitZ()).norm(), 1e-15);
}

TEST(Rotation, EulerSequencesThatAreNoneAreRefused) {
  for (const char* bad :
       {"", "x", "xy", "xyzx", "xxy", "xyy", "zzz", "XYZ", "abc", "xy ", "123", "x\0z", "wxy", "xy{"}) {
    EXPECT_FALSE(rotation_from_euler(bad, {0.1, 0.2, 0.3})) << bad;
  }
}

TEST(Rotation, AQuaternionTurnsAsHamiltonsDoes) {
  const double h = std::sqrt(0.5);
  EXPECT_LT((to_rotation({h, 0, 0, h}) * Vector3::UnitX() - Vector3::UnitY()).norm(), 1e-15);
  EXPECT_LT((to_rotation({h, h, 0, 0}) * Vector3::UnitY() - Vector3::UnitZ()).norm(), 1e-15);
  EXPECT_LT((to_rotation({h, 0, h, 0}) * Vector3::UnitZ() - Vector3::UnitX()).norm(), 1e-15);
}

TEST(Rotation, AQuaternionIsCosineAndSineOfHalfTheAngle) {
  std::mt19937_64 random(4);
  std::uniform_real_distribution<double> angle(-pi, pi);
  for (int i = 0; i < 500; ++i) {
    const Vector3 axis = random_unit(random);
    const double turn = angle(random), c = std::cos(turn / 2), s = std::sin(turn / 2);
    const Quaternion expected{c, s * axis.x(), s * axis.y(), s * axis.z()};
    EXPECT_LT(difference(to_rotation(expected), rodrigues(axis, turn)), 1e-14);
    const Quaternion q = to_quaternion(rodrigues(axis, turn));
    EXPECT_NEAR(q.w, expected.w, 1e-14);
    EXPECT_NEAR(q.x, expected.x, 1e-14);
    EXPECT_NEAR(q.y, expected.y, 1e-14);
    EXPECT_NEAR(q.z, expected.z, 1e-14);
  }
}

TEST(Rotation, QuaternionAndMatrixAreEachOthersInverse) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> angle(-7, 7);
  for (int i = 0; i < 1000; ++i) {
    const Matrix3 R = rodrigues(random_unit(random), angle(random));
    const Quaternion q = to_quaternion(R);
    EXPECT_GE(q.w, 0);
    EXPECT_NEAR(norm(q), 1, 1e-15);
    EXPECT_LT(difference(to_rotation(q), R), 4e-15);
  }
}

TEST(Rotation, HalfTurnsAndNearlyHalfTurnsLoseNoDigitsWhicheverAxisIsLargest) {
  std::mt19937_64 random(6);
  for (int i = 0; i < 600; ++i) {
    Vector3 axis = random_unit(random);
    axis[i % 3] += axis[i % 3] < 0 ? -2 : 2;  // each of x, y, z largest in turn, with either sign
    axis.normalize();
    const double short_of = i % 2 == 0 ? 0 : std::pow(10, -(i % 17));
    const Matrix3 R =
        i % 2 == 0 ? Matrix3(2 * axis * axis.transpose() - Matrix3::Identity()) : rodrigues(axis, pi - 0.1 * short_of);
    const Quaternion q = to_quaternion(R);
    EXPECT_GE(q.w, 0);
    EXPECT_NEAR(norm(q), 1, 1e-15);
    EXPECT_LT(difference(to_rotation(q), R), 4e-15) << axis.transpose() << " short of a half turn by " << short_of;
    EXPECT_NEAR(std::abs(axis.dot(Vector3(q.x, q.y, q.z))), std::sin((pi - 0.1 * short_of) / 2), 1e-14);
  }
}

TEST(Rotation, HalfTurnsAboutTheCoordinateAxesAreExact) {
  for (int k = 0; k < 3; ++k) {
    const Vector3 e = Vector3::Unit(k);
    const Quaternion q = to_quaternion(2 * e * e.transpose() - Matrix3::Identity());
    EXPECT_EQ(q.w, 0);
    EXPECT_EQ(Vector3(q.x, q.y, q.z), e);
  }
}

TEST(Rotation, TheIdentityIsTheQuaternionOne) {
  const Quaternion q = to_quaternion(Matrix3::Identity());
  EXPECT_EQ(q.w, 1);
  EXPECT_EQ(Vector3(q.x, q.y, q.z), Vector3(Vector3::Zero()));
}

TEST(Rotation, NormalisingKeepsTheDirectionAndDoesNotOverflow) {
  for (const double scale : {1e-200, 1e-3, 1.0, 7.0, 1e200}) {
    const Quaternion q = normalised({1 * scale, -2 * scale, 4 * scale, 10 * scale});  // length 11
    EXPECT_NEAR(q.w, 1.0 / 11, 1e-16);
    EXPECT_NEAR(q.x, -2.0 / 11, 1e-16);
    EXPECT_NEAR(q.y, 4.0 / 11, 1e-16);
    EXPECT_NEAR(q.z, 10.0 / 11, 1e-15);
  }
}

TEST(Rotation, TheDistanceOfARotationFromOneIsRoundOff) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 100; ++i) EXPECT_LT(distance_from_rotation(rodrigues(random_unit(random), 0.1 * i)), 2e-15);
}

TEST(Rotation, AReflectionIsFarFromARotationAlthoughItIsOrthogonal) {
  EXPECT_EQ(distance_from_rotation(Vector3(1, 1, -1).asDiagonal()), 2);
  EXPECT_EQ(distance_from_rotation(-Matrix3::Identity()), 2);
  EXPECT_EQ(distance_from_rotation(Matrix3::Zero()), 2);
  EXPECT_EQ(distance_from_rotation(Matrix3::Constant(std::nan(""))), 2);
}

TEST(Rotation, TheDistanceOfAScaledRotationIsThatOfItsSquaredScale) {
  const Matrix3 R = rodrigues(Vector3(1, 2, 2) / 3, 1.2);
  EXPECT_NEAR(distance_from_rotation(2 * R), 3, 1e-14);
  EXPECT_NEAR(distance_from_rotation(1.001 * R), 1.001 * 1.001 - 1, 1e-14);
  EXPECT_NEAR(distance_from_rotation(0.5 * R), 0.75, 1e-14);
}

TEST(Rotation, TheDistanceOfAShearedMatrixIsItsLargestDefect) {
  Matrix3 R = Matrix3::Identity();
  R(0, 1) = 0.01;  // R R^T - 1 is 0.0001 on the diagonal and 0.01 beside it
  EXPECT_NEAR(distance_from_rotation(R), 0.01, 1e-15);
}

}  // namespace
}  // namespace gyrostat
