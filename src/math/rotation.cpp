#include "gyrostat/math/rotation.h"

#include <cmath>

#include <Eigen/LU>

#include "gyrostat/math/quaternion.h"

namespace gyrostat {

Matrix3 rotation_about(const Vector3& axis, double angle) { return Eigen::AngleAxisd(angle, axis).toRotationMatrix(); }

std::optional<Matrix3> rotation_from_euler(std::string_view sequence, const std::array<double, 3>& angles) {
  if (sequence.size() != 3) return std::nullopt;
  Matrix3 R = Matrix3::Identity();
  for (std::size_t i = 0; i < 3; ++i) {
    const char axis = sequence[i];
    if (axis < 'x' || axis > 'z' || (i > 0 && axis == sequence[i - 1])) return std::nullopt;
    R = R * rotation_about(Vector3::Unit(axis - 'x'), angles[i]);
  }
  return R;
}

Matrix3 to_rotation(const Quaternion& q) { return Eigen::Quaterniond(q.w, q.x, q.y, q.z).toRotationMatrix(); }

Quaternion to_quaternion(const Matrix3& R) {
  const auto [w, x, y, z] = quaternion_of(cast<double>(R));
  return normalised({w, x, y, z});
}

double norm(const Quaternion& q) { return Eigen::Vector4d(q.w, q.x, q.y, q.z).stableNorm(); }

Quaternion normalised(const Quaternion& q) {
  const double length = norm(q);
  return {q.w / length, q.x / length, q.y / length, q.z / length};
}

double distance_from_rotation(const Matrix3& R) {
  if (!(R.determinant() > 0)) return 2;
  return (R * R.transpose() - Matrix3::Identity()).cwiseAbs().maxCoeff();
}

}  // namespace gyrostat
