// The motion a joint of any type gives its outboard body. Joints with one axis, and the floating base, have shortcuts
// in outward.h; this is the general case, in either direction.
#pragma once

#include <array>

#include "gyrostat/dynamics/kinematics.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

template <class T>
GYROSTAT_INLINE Mat3<T> rotation_of_quaternion(const T& w, const T& x, const T& y, const T& z) {
  const T one(1.0), two(2.0);
  return {{one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)},
          {two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x)},
          {two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y)}};
}

/// `vector` turned by an angle about the unit vector `axis`.
template <class T>
GYROSTAT_INLINE Vec3<T> turned_about(const Vec3<T>& axis, const SinCos<T>& angle, const Vec3<T>& vector) {
  const T rest = T(1.0) - angle.cos;
  return angle.cos * vector + angle.sin * cross(axis, vector) + (rest * dot(axis, vector)) * axis;
}

/// A joint's coordinates turned into geometry, in the axes of the user's parent P.
template <class T>
struct JointPosition {
  Mat3<T> R_PC;
  std::array<Vec3<T>, 3> rotation;     // axes, as the rotations before them left them
  std::array<Vec3<T>, 3> translation;  // axes
  Vec3<T> displacement;                // [m]
};

/// q: the joint's own coordinates.
template <class T, class C>
GYROSTAT_INLINE JointPosition<T> joint_position(const JointOf<C>& joint, const T* q) {
  JointPosition<T> x;
  const T zero(0.0), one(1.0);
  if (joint.quaternion) {
    const T* e = q + joint.rotation_coordinate;
    x.R_PC = rotation_of_quaternion(e[0], e[1], e[2], e[3]);
    x.rotation = {x.R_PC.x, x.R_PC.y, x.R_PC.z};
    x.translation = {Vec3<T>{one, zero, zero}, Vec3<T>{zero, one, zero}, Vec3<T>{zero, zero, one}};
    if (joint.free) x.displacement = {q[0], q[1], q[2]};
    return x;
  }
  x.R_PC = cast<T>(joint.R_0);
  for (std::size_t k = 0; k < joint.rotations; ++k) x.rotation[k] = cast<T>(joint.a[k]);
  for (std::size_t k = joint.rotations; k-- > 0;) {  // the last rotation is the innermost
    const Vec3<T> axis = cast<T>(joint.a[k]);
    const SinCos<T> angle = sincos(q[joint.rotation_coordinate + k]);
    for (std::size_t j = k + 1; j < joint.rotations; ++j) x.rotation[j] = turned_about(axis, angle, x.rotation[j]);
    x.R_PC = {turned_about(axis, angle, x.R_PC.x), turned_about(axis, angle, x.R_PC.y),
              turned_about(axis, angle, x.R_PC.z)};
  }
  for (std::size_t k = 0; k < joint.translations; ++k) {
    x.translation[k] = cast<T>(joint.d[k]);
    x.displacement += q[joint.translation_coordinate + k] * x.translation[k];
  }
  return x;
}

/// Body i from its parent, for any joint. `S` are the motion-subspace columns of its speeds.
template <class T, class C>
GYROSTAT_INLINE void move_outboard(const MechanismOf<C>& mechanism, std::uint32_t i, const T* q, const T* u,
                                   const BodyMotion<T>& inboard, BodyMotion<T>& body, Twist<T>* S) {
  const JointOf<C>& joint = mechanism.joints[i];
  const LinkOf<C>& link = mechanism.links[i];
  const JointPosition<T> x = joint_position(joint, q);
  const Mat3<T> R_inboard = inboard.R_NM * cast<T>(transposed(mechanism.bodies[link.parent].R_BM));  // of B
  const Vec3<T> r_F = inboard.R_NM * cast<T>(link.p_PF);
  const Mat3<T> R_outboard = R_inboard * (joint.reversed ? transposed(x.R_PC) : x.R_PC);  // of B
  const Mat3<T>& R_P = joint.reversed ? R_outboard : R_inboard;

  std::array<Vec3<T>, 3> rotation, translation;
  Vec3<T> w_PC{}, slip{};  // of C relative to P; slip is the velocity of the joint point in P
  for (std::size_t k = 0; k < joint.rotations; ++k) {
    rotation[k] = R_P * x.rotation[k];
    w_PC += u[joint.first_rotation + k] * rotation[k];
  }
  for (std::size_t k = 0; k < joint.translations; ++k) {
    translation[k] = R_P * x.translation[k];
    slip += u[joint.first_translation + k] * translation[k];
  }
  const Vec3<T> w_P = joint.reversed ? inboard.w - w_PC : inboard.w;
  const Vec3<T> w_C = w_P + w_PC;

  // The rate of w_PC while the speeds keep their values: each axis turns with the body that carries it.    (5)
  Vec3<T> bias{};
  if (joint.quaternion) {
    bias = cross(w_C, w_PC);
  } else {
    Vec3<T> carrier = w_P;
    for (std::size_t k = 0; k < joint.rotations; ++k) {
      const Vec3<T> part = u[joint.first_rotation + k] * rotation[k];
      bias += cross(carrier, part);
      carrier += part;
    }
  }

  const Vec3<T> displacement = R_P * x.displacement;
  const Vec3<T> coriolis = T(2.0) * cross(w_P, slip);
  body.R_NM = R_outboard * cast<T>(mechanism.bodies[i].R_BM);
  Twist<T>*S_rotation = S + joint.first_rotation, *S_translation = S + joint.first_translation;
  if (joint.reversed) {
    body.r = r_F - displacement;
    body.w = w_P;
    body.alpha = inboard.alpha - bias;
    body.W = acceleration_gradient(body.alpha, w_P);
    body.a = inboard.a + inboard.W * r_F - body.W * displacement - coriolis;  // (7)
    for (std::size_t k = 0; k < joint.rotations; ++k) S_rotation[k] = {-rotation[k], cross(rotation[k], displacement)};
    for (std::size_t k = 0; k < joint.translations; ++k) S_translation[k] = {{}, -translation[k]};
  } else {
    body.r = r_F + displacement;
    body.w = w_C;
    body.alpha = inboard.alpha + bias;
    body.W = acceleration_gradient(body.alpha, w_C);
    body.a = inboard.a + inboard.W * body.r + coriolis;  // (6)
    for (std::size_t k = 0; k < joint.rotations; ++k) S_rotation[k] = {rotation[k], {}};
    for (std::size_t k = 0; k < joint.translations; ++k) S_translation[k] = {{}, translation[k]};
  }
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
