#include "gyrostat/math/mass_properties.h"

#include <Eigen/Eigenvalues>

namespace gyrostat {

namespace {

/// Inertia of a unit point mass at r: r.r 1 - r r^T.
Matrix3 point_inertia(const Vector3& r) { return r.squaredNorm() * Matrix3::Identity() - r * r.transpose(); }

}  // namespace

MassProperties in_frame(const Pose& X_AB, const MassProperties& body) {
  return {body.mass, X_AB * body.com, X_AB.R * body.inertia * X_AB.R.transpose()};
}

MassProperties combined(const MassProperties& a, const MassProperties& b) {
  const double mass = a.mass + b.mass;
  if (mass == 0) return {0, a.com, a.inertia + b.inertia};
  const Vector3 com = a.com + (b.mass / mass) * (b.com - a.com);
  const double reduced = a.mass * (b.mass / mass);
  return {mass, com, a.inertia + b.inertia + reduced * point_inertia(b.com - a.com)};
}

Vector3 principal_moments(const Matrix3& inertia) {
  return Eigen::SelfAdjointEigenSolver<Matrix3>(inertia, Eigen::EigenvaluesOnly).eigenvalues();
}

Matrix6 spatial_inertia(const MassProperties& body) {
  Matrix6 m;
  const Matrix3 mc = body.mass * skew(body.com);
  m << body.inertia + body.mass * point_inertia(body.com), mc, -mc, body.mass * Matrix3::Identity();
  return m;
}

}  // namespace gyrostat
