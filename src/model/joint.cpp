#include "gyrostat/model/joint.h"

#include <cmath>

namespace gyrostat {

namespace {

Matrix3 quaternion_rotation(const double* q) { return to_rotation({q[0], q[1], q[2], q[3]}); }

/// R_PC and the axes a_i as the rotations before them have turned them, in P's axes.
Matrix3 turn(const Joint& joint, const double* angles, std::array<Vector3, 3>& axes) {
  Matrix3 R = Matrix3::Identity();
  for (std::size_t i = 0; i < joint.rotations; ++i) {
    axes[i] = R * joint.a[i];
    R = R * rotation_about(joint.a[i], angles[i]);
  }
  return R * joint.R_0;
}

/// Where the coordinates of each kind begin.
const double* angles_of(const Joint& joint, const double* q) {
  return joint.rotation_first ? q : q + joint.translations;
}
const double* displacements_of(const Joint& joint, const double* q) {
  return joint.rotation_first ? q + joint.rotations : q;
}

}  // namespace

Pose joint_pose(const Joint& joint, const double* q) {
  Pose X_PC;
  Vector3 joint_point = joint.parent_point;
  if (joint.type == JointType::free) {
    joint_point += Vector3(q[0], q[1], q[2]);
    X_PC.R = quaternion_rotation(q + 3);
  } else if (joint.type == JointType::spherical) {
    X_PC.R = quaternion_rotation(q);
  } else {
    std::array<Vector3, 3> axes;
    X_PC.R = turn(joint, angles_of(joint, q), axes);
    const double* x = displacements_of(joint, q);
    for (std::size_t i = 0; i < joint.translations; ++i) joint_point += x[i] * joint.d[i];
  }
  X_PC.p = joint_point - X_PC.R * joint.child_point;
  return X_PC;
}

Subspace joint_subspace(const Joint& joint, const double* q) {
  Subspace S = Subspace::Zero(6, joint.nu);
  // A turn w about the joint point moves C's origin, which stands at -child_point from it, by child_point x w.
  const auto turning = [&](const Vector3& w) {
    Vector6 column;
    column << w, joint.child_point.cross(w);
    return column;
  };
  if (has_quaternion(joint.type)) {
    for (int i = 0; i < 3; ++i) S.col(i) = turning(Vector3::Unit(i));
    if (joint.type == JointType::free) S.bottomRightCorner<3, 3>() = quaternion_rotation(q + 3).transpose();
    return S;
  }
  std::array<Vector3, 3> axes;
  const Matrix3 R_CP = turn(joint, angles_of(joint, q), axes).transpose();
  const int first_rotation = joint.rotation_first ? 0 : joint.translations;
  const int first_translation = joint.rotation_first ? joint.rotations : 0;
  for (int i = 0; i < joint.rotations; ++i)
    S.col(first_rotation + i) = turning(R_CP * axes[static_cast<std::size_t>(i)]);
  for (int i = 0; i < joint.translations; ++i) {
    S.col(first_translation + i).tail<3>() = R_CP * joint.d[static_cast<std::size_t>(i)];
  }
  return S;
}

Pose tree_pose(const Joint& joint, const double* q) {
  const Pose X_PC = joint_pose(joint, q);
  return joint.reversed ? inverse(X_PC) : X_PC;
}

Subspace tree_subspace(const Joint& joint, const double* q) {
  Subspace S = joint_subspace(joint, q);
  if (!joint.reversed) return S;
  // P relative to C is minus C relative to P, taken to P's origin and axes.
  return -(twist_transform(inverse(joint_pose(joint, q))) * S);
}

Joint make_joint(const JointDescription& description) {
  Joint joint;
  joint.name = description.name;
  joint.type = description.type;
  joint.rotation_first = description.type == JointType::cylindrical;
  joint.translations = static_cast<std::uint8_t>(description.translations.size());
  joint.rotations = static_cast<std::uint8_t>(description.rotations.size());
  for (std::size_t i = 0; i < joint.translations; ++i) joint.d[i] = description.translations[i];
  for (std::size_t i = 0; i < joint.rotations; ++i) joint.a[i] = description.rotations[i];
  joint.parent_point = description.parent_point;
  joint.child_point = description.child_point;
  joint.R_0 = description.orientation;
  joint.motion = description.locked                                      ? Motion::locked
                 : description.prescribed.kind != Prescribed::Kind::none ? Motion::prescribed
                                                                         : Motion::free;
  joint.may_lock = description.latch || description.friction || (description.stops && !description.stops->stiffness);
  const std::uint8_t axes = joint.translations + joint.rotations;
  joint.nq = description.type == JointType::free ? 7 : description.type == JointType::spherical ? 4 : axes;
  joint.nu = description.type == JointType::free ? 6 : description.type == JointType::spherical ? 3 : axes;
  return joint;
}

}  // namespace gyrostat
