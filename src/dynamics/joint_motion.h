// The motion a joint of any type gives its outboard body: the only place in the dynamics that looks at joint types.
// Joints with one axis, and the free base, have shortcuts in outward.h; this is the general case, in either direction.
#pragma once

#include <array>

#include "gyrostat/dynamics/kinematics.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

template <class T>
Mat3<T> rotation_of_quaternion(const T& w, const T& x, const T& y, const T& z) {
  const T one(1.0), two(2.0);
  return {{one - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)},
          {two * (x * y - w * z), one - two * (x * x + z * z), two * (y * z + w * x)},
          {two * (x * z + w * y), two * (y * z - w * x), one - two * (x * x + y * y)}};
}

/// `vector` turned by an angle about the unit vector `axis`.
template <class T>
Vec3<T> turned_about(const Vec3<T>& axis, const SinCos<T>& angle, const Vec3<T>& vector) {
  const T rest = T(1.0) - angle.cos;
  return angle.cos * vector + angle.sin * cross(axis, vector) + (rest * dot(axis, vector)) * axis;
}

template <class T>
Mat3<T> transposed(const Mat3<T>& m) {
  return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}};
}

/// A joint's coordinates turned into geometry, in the axes of the user's parent P.
template <class T>
struct JointPosition {
  Mat3<T> R_PC;
  std::array<Vec3<T>, 3> turn;   // rotation axes, as the rotations before them left them
  std::array<Vec3<T>, 3> slide;  // translation axes
  Vec3<T> displacement;
  std::uint8_t turns = 0, slides = 0, first_turn = 0, first_slide = 0;  // how many, and where in the speeds
};

template <class T>
JointPosition<T> joint_position(const Joint& joint, const T* q) {
  JointPosition<T> x;
  if (has_quaternion(joint.type)) {
    const T* e = joint.type == JointType::free ? q + 3 : q;
    x.R_PC = rotation_of_quaternion(e[0], e[1], e[2], e[3]);
    x.turn = {x.R_PC.x, x.R_PC.y, x.R_PC.z};
    x.turns = 3;
    if (joint.type == JointType::free) {
      x.first_slide = x.slides = 3;
      for (int k = 0; k < 3; ++k) x.slide[static_cast<std::size_t>(k)] = cast<T>(Vector3(Vector3::Unit(k)));
      x.displacement = {q[0], q[1], q[2]};
    }
    return x;
  }
  x.turns = joint.rotations;
  x.slides = joint.translations;
  x.first_turn = joint.rotation_first ? 0 : joint.translations;
  x.first_slide = joint.rotation_first ? joint.rotations : 0;
  x.R_PC = cast<T>(joint.R_0);
  for (std::size_t k = 0; k < x.turns; ++k) x.turn[k] = cast<T>(joint.a[k]);
  for (std::size_t k = x.turns; k-- > 0;) {  // the last rotation is the innermost
    const Vec3<T> axis = cast<T>(joint.a[k]);
    const SinCos<T> angle = sincos(q[x.first_turn + k]);
    for (std::size_t j = k + 1; j < x.turns; ++j) x.turn[j] = turned_about(axis, angle, x.turn[j]);
    x.R_PC = {turned_about(axis, angle, x.R_PC.x), turned_about(axis, angle, x.R_PC.y),
              turned_about(axis, angle, x.R_PC.z)};
  }
  for (std::size_t k = 0; k < x.slides; ++k) {
    x.slide[k] = cast<T>(joint.d[k]);
    x.displacement += q[x.first_slide + k] * x.slide[k];
  }
  return x;
}

/// Body i from its parent, for any joint. `columns` are those of its speeds.
template <class T>
void move_outboard(const Mechanism& mechanism, std::uint32_t i, const T* q, const T* u, const BodyMotion<T>& inboard,
                   BodyMotion<T>& body, Column<T>* columns) {
  const Joint& joint = mechanism.system->joints[i];
  const Link& link = mechanism.links[i];
  const JointPosition<T> x = joint_position(joint, q);
  const Mat3<T> R_inboard = inboard.R * cast<T>(Matrix3(mechanism.R_UB[link.parent].transpose()));  // user's axes
  const Vec3<T> r_F = inboard.R * cast<T>(link.p_PF);
  const Mat3<T> R_outboard = R_inboard * (joint.reversed ? transposed(x.R_PC) : x.R_PC);
  const Mat3<T>& R_P = joint.reversed ? R_outboard : R_inboard;

  std::array<Vec3<T>, 3> turn, slide;
  Vec3<T> w_PC{}, slip{};  // of C relative to P; slip is the velocity of the joint point in P
  for (std::size_t k = 0; k < x.turns; ++k) {
    turn[k] = R_P * x.turn[k];
    w_PC += u[x.first_turn + k] * turn[k];
  }
  for (std::size_t k = 0; k < x.slides; ++k) {
    slide[k] = R_P * x.slide[k];
    slip += u[x.first_slide + k] * slide[k];
  }
  const Vec3<T> w_P = joint.reversed ? inboard.w - w_PC : inboard.w;
  const Vec3<T> w_C = w_P + w_PC;

  // The rate of w_PC while the speeds keep their values: each axis turns with the body that carries it.    (5)
  Vec3<T> bias{};
  if (has_quaternion(joint.type)) {
    bias = cross(w_C, w_PC);
  } else {
    Vec3<T> carrier = w_P;
    for (std::size_t k = 0; k < x.turns; ++k) {
      const Vec3<T> part = u[x.first_turn + k] * turn[k];
      bias += cross(carrier, part);
      carrier += part;
    }
  }

  const Vec3<T> displacement = R_P * x.displacement;
  const Vec3<T> coriolis = T(2.0) * cross(w_P, slip);
  body.R = R_outboard * cast<T>(mechanism.R_UB[i]);
  if (joint.reversed) {
    body.r = r_F - displacement;
    body.w = w_P;
    body.alpha = inboard.alpha - bias;
    body.W = acceleration_gradient(body.alpha, w_P);
    body.a = inboard.a + inboard.W * r_F - body.W * displacement - coriolis;  // (7)
    for (std::size_t k = 0; k < x.turns; ++k) columns[x.first_turn + k] = {-turn[k], cross(turn[k], displacement)};
    for (std::size_t k = 0; k < x.slides; ++k) columns[x.first_slide + k] = {{}, -slide[k]};
  } else {
    body.r = r_F + displacement;
    body.w = w_C;
    body.alpha = inboard.alpha + bias;
    body.W = acceleration_gradient(body.alpha, w_C);
    body.a = inboard.a + inboard.W * body.r + coriolis;  // (6)
    for (std::size_t k = 0; k < x.turns; ++k) columns[x.first_turn + k] = {turn[k], {}};
    for (std::size_t k = 0; k < x.slides; ++k) columns[x.first_slide + k] = {{}, slide[k]};
  }
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
