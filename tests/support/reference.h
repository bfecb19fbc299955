// The geometry of the model format written out a second time, from its description alone, to test the program against.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gyrostat/format/description.h"
#include "gyrostat/math/spatial.h"

namespace gyrostat::testing {

/// Rodrigues' formula.
inline Matrix3 reference_rotation(const Vector3& a, double angle) {
  Matrix3 K;
  K << 0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0;
  return Matrix3::Identity() + std::sin(angle) * K + (1 - std::cos(angle)) * K * K;
}

/// Of a Hamilton quaternion w, x, y, z.
inline Matrix3 reference_rotation(const Eigen::Vector4d& q) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  Matrix3 R;
  R << 1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y),  //
      2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x),   //
      2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y);
  return R;
}

inline Eigen::Vector4d quaternion_product(const Eigen::Vector4d& p, const Eigen::Vector4d& q) {
  return {p[0] * q[0] - p[1] * q[1] - p[2] * q[2] - p[3] * q[3], p[0] * q[1] + p[1] * q[0] + p[2] * q[3] - p[3] * q[2],
          p[0] * q[2] - p[1] * q[3] + p[2] * q[0] + p[3] * q[1], p[0] * q[3] + p[1] * q[2] - p[2] * q[1] + p[3] * q[0]};
}

/// "The child's joint point is at parent_point + sum x_i d_i and R_parent_child = R(a1) R(a2) R(a3) R_0."
inline Pose reference_joint_pose(const JointDescription& j, const std::vector<double>& q) {
  Pose X_PC;
  Vector3 joint_point = j.parent_point;
  if (j.type == JointType::free) {
    joint_point += Vector3(q[0], q[1], q[2]);
    X_PC.R = reference_rotation(Eigen::Vector4d(q[3], q[4], q[5], q[6]));
  } else if (j.type == JointType::spherical) {
    X_PC.R = reference_rotation(Eigen::Vector4d(q[0], q[1], q[2], q[3]));
  } else {
    const bool angle_first = j.type == JointType::cylindrical;
    const std::size_t t = j.translations.size(), r = j.rotations.size();
    for (std::size_t i = 0; i < t; ++i) joint_point += q[angle_first ? r + i : i] * j.translations[i];
    for (std::size_t i = 0; i < r; ++i)
      X_PC.R = X_PC.R * reference_rotation(j.rotations[i], q[angle_first ? i : t + i]);
    X_PC.R = X_PC.R * j.orientation;
  }
  X_PC.p = joint_point - X_PC.R * j.child_point;
  return X_PC;
}

/// The coordinates after a short time h at the constant speed number k = 1.
inline std::vector<double> moved(const JointDescription& j, std::vector<double> q, std::size_t k, double h) {
  if (!has_quaternion(j.type)) {
    q[k] += h;
    return q;
  }
  if (k >= 3) {
    q[k - 3] += h;  // velocity of the child's joint point, parent axes
    return q;
  }
  double* at = q.data() + (j.type == JointType::free ? 3 : 0);
  Eigen::Vector4d turn(std::cos(h / 2), 0, 0, 0);  // omega in child axes: the turn stands on the right
  turn[static_cast<int>(k) + 1] = std::sin(h / 2);
  const Eigen::Vector4d turned = quaternion_product({at[0], at[1], at[2], at[3]}, turn);
  for (int i = 0; i < 4; ++i) at[i] = turned[i];
  return q;
}

/// Twist [w; v] at the moving frame's origin, in its own axes, from its poses a little earlier and later.
inline Vector6 twist_between(const Pose& before, const Pose& now, const Pose& after, double h) {
  const Matrix3 W = now.R.transpose() * (after.R - before.R) / (2 * h);
  Vector6 V;
  V << (W(2, 1) - W(1, 2)) / 2, (W(0, 2) - W(2, 0)) / 2, (W(1, 0) - W(0, 1)) / 2,
      now.R.transpose() * (after.p - before.p) / (2 * h);
  return V;
}

/// Coordinates of each joint, by its name.
using Coordinates = std::map<std::string, std::vector<double>>;

inline Coordinates initial_coordinates(const Description& description) {
  Coordinates q;
  for (const JointDescription& j : description.joints) q[j.name] = j.position;
  return q;
}

/// Where every body stands in the world; `closing` joints are left out. Joints are tried until all bodies are placed.
inline std::map<std::string, Pose> reference_poses(const Description& description, const Coordinates& q,
                                                   const std::vector<std::string>& closing = {}) {
  std::map<std::string, Pose> X_N = {{"world", Pose{}}};
  for (bool placed = true; placed;) {
    placed = false;
    for (const JointDescription& j : description.joints) {
      if (is_loop_constraint(j.type) || std::find(closing.begin(), closing.end(), j.name) != closing.end()) continue;
      const bool parent_known = X_N.contains(j.parent), child_known = X_N.contains(j.child);
      if (parent_known == child_known) continue;
      const Pose X_PC = reference_joint_pose(j, q.at(j.name));
      if (parent_known) {
        const Pose& X_NP = X_N.at(j.parent);
        X_N[j.child] = {X_NP.R * X_PC.R, X_NP.p + X_NP.R * X_PC.p};
      } else {
        const Pose& X_NC = X_N.at(j.child);
        const Matrix3 R_NP = X_NC.R * X_PC.R.transpose();
        X_N[j.parent] = {R_NP, X_NC.p - R_NP * X_PC.p};
      }
      placed = true;
    }
  }
  return X_N;
}

}  // namespace gyrostat::testing
