#include "gyrostat/math/spatial.h"

#include <random>

#include <gtest/gtest.h>

namespace gyrostat {
namespace spatial_test {

Vector3 random_vector(std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

Pose random_pose(std::mt19937_64& random) {
  return {rotation_about(random_vector(random).normalized(), random_vector(random).x()), random_vector(random)};
}

TEST(Spatial, APoseOfAPosePlacesPointsAsOneAfterTheOther) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100; ++i) {
    const Pose X_AB = random_pose(random), X_BC = random_pose(random);
    const Vector3 p = random_vector(random);
    EXPECT_LT(((X_AB * X_BC) * p - X_AB * (X_BC * p)).norm(), 1e-14);
  }
}

TEST(Spatial, TheInversePoseTakesPointsBack) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 100; ++i) {
    const Pose X_AB = random_pose(random);
    const Vector3 p = random_vector(random);
    EXPECT_LT((inverse(X_AB) * (X_AB * p) - p).norm(), 1e-14);
  }
}

TEST(Spatial, ATwistSeenFromAnotherFrameMovesEveryPointOfTheBodyAlike) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 100; ++i) {
    const Pose X_AB = random_pose(random);
    const Vector3 w_A = random_vector(random), v_A = random_vector(random), point_B = random_vector(random);
    Vector6 V_A;
    V_A << w_A, v_A;
    const Vector6 V_B = twist_transform(X_AB) * V_A;
    const Vector3 velocity_A = v_A + w_A.cross(X_AB * point_B);
    const Vector3 velocity_B = V_B.tail<3>() + V_B.head<3>().cross(point_B);
    EXPECT_LT((X_AB.R * velocity_B - velocity_A).norm(), 1e-14);
    EXPECT_LT((X_AB.R * V_B.head<3>() - w_A).norm(), 1e-14);
  }
}

TEST(Spatial, TwistTransformsChainAsPosesDo) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 100; ++i) {
    const Pose X_AB = random_pose(random), X_BC = random_pose(random);
    const Matrix6 difference = twist_transform(X_AB * X_BC) - twist_transform(X_BC) * twist_transform(X_AB);
    EXPECT_LT(difference.cwiseAbs().maxCoeff(), 1e-14);
  }
}

}  // namespace spatial_test
}  // namespace gyrostat
