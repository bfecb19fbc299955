// Poses and spatial (six-component) vectors. Rotation first: V = [w; v], F = [torque; force].
#pragma once

#include "gyrostat/math/rotation.h"

namespace gyrostat {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

/// X_AB: where frame B stands in frame A.
struct Pose {
  Matrix3 R = Matrix3::Identity();  // R_AB
  Vector3 p = Vector3::Zero();      // p_AB in A's axes [m]
};

/// X_AC = X_AB * X_BC
inline Pose operator*(const Pose& X_AB, const Pose& X_BC) { return {X_AB.R * X_BC.R, X_AB.p + X_AB.R * X_BC.p}; }

/// The position in A of a point given in B.
inline Vector3 operator*(const Pose& X_AB, const Vector3& p_BQ) { return X_AB.p + X_AB.R * p_BQ; }

inline Pose inverse(const Pose& X_AB) { return {X_AB.R.transpose(), -(X_AB.R.transpose() * X_AB.p)}; }

/// The matrix that takes a twist [w; v at A's origin] in A's axes to [w; v at B's origin] in B's axes.
inline Matrix6 twist_transform(const Pose& X_AB) {
  Matrix6 m;
  const Matrix3 R_BA = X_AB.R.transpose();
  m << R_BA, Matrix3::Zero(), -R_BA * skew(X_AB.p), R_BA;
  return m;
}

}  // namespace gyrostat
