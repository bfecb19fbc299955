// Rotations. R_AB maps components in B to components in A.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace gyrostat {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;

/// Hamilton quaternion, scalar first. `to_rotation(q_NB)` is `R_NB`.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
};

/// The cross-product matrix: skew(a) * b == a.cross(b).
inline Matrix3 skew(const Vector3& a) {
  Matrix3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

/// Rotation by `angle` [rad] about the unit vector `axis`.
Matrix3 rotation_about(const Vector3& axis, double angle);

/// Rotations about moving axes in the order written: "zyx" turns about z first, then the new y, then the newest x.
/// Nothing if the sequence is not three of x, y, z without an immediate repetition.
std::optional<Matrix3> rotation_from_euler(std::string_view sequence, const std::array<double, 3>& angles);

/// Of a quaternion of unit length.
Matrix3 to_rotation(const Quaternion& q);

/// The quaternion of a rotation matrix, with w >= 0 (Shepperd's method: no cancellation for any rotation).
Quaternion to_quaternion(const Matrix3& R);

double norm(const Quaternion& q);
Quaternion normalised(const Quaternion& q);

/// How far a matrix is from a rotation: the largest element of R R^T - 1, or 2 if it is a reflection.
double distance_from_rotation(const Matrix3& R);

}  // namespace gyrostat
