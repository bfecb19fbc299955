// The outward pass itself, over any scalar.
#pragma once

#include "gyrostat/dynamics/joint_motion.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// A body whose joint turns about z.
template <class T, bool given_udot>
[[gnu::always_inline]] inline void turn_outboard(const Link& link, const SinCos<T>& angle, const T& rate, const T* udot,
                                                 const BodyMotion<T>& inboard, BodyMotion<T>& body) {
  const Mat3<T> R_NF = inboard.R * cast<T>(link.R_PF);
  const T sin = angle.sin, cos = angle.cos;
  body.R = {cos * R_NF.x + sin * R_NF.y, cos * R_NF.y - sin * R_NF.x, R_NF.z};  // (1)
  body.r = inboard.R * cast<T>(link.p_PF);                                      // (2)
  const Vec3<T> w_PB = rate * R_NF.z;
  body.w = inboard.w + w_PB;  // (3)
  body.alpha = inboard.alpha + cross(inboard.w, w_PB);
  if constexpr (given_udot) body.alpha += *udot * R_NF.z;
  body.W = acceleration_gradient(body.alpha, body.w);  // (4)
  body.a = inboard.a + inboard.W * body.r;             // (6)
}

/// A body whose joint slides along z.
template <class T, bool given_udot>
[[gnu::always_inline]] inline void slide_outboard(const Link& link, const T& displacement, const T& speed,
                                                  const T* udot, const BodyMotion<T>& inboard, BodyMotion<T>& body) {
  body.R = inboard.R * cast<T>(link.R_PF);
  body.r = inboard.R * cast<T>(link.p_PF) + displacement * body.R.z;
  body.w = inboard.w;
  body.alpha = inboard.alpha;
  body.W = inboard.W;
  body.a = inboard.a + inboard.W * body.r + (T(2.0) * speed) * cross(inboard.w, body.R.z);  // (6)
  if constexpr (given_udot) body.a += *udot * body.R.z;
}

/// A body that floats in the world.
template <class T>
[[gnu::always_inline]] inline void float_outboard(const Matrix3& R_UB, const Link& link, const T* q, const T* u,
                                                  BodyMotion<T>& body, Column<T>* columns) {
  const Mat3<T> R_U = rotation_of_quaternion(q[3], q[4], q[5], q[6]);
  body.R = R_U * cast<T>(R_UB);
  body.r = cast<T>(link.p_PF) + Vec3<T>{q[0], q[1], q[2]};
  body.w = R_U * Vec3<T>{u[0], u[1], u[2]};
  body.alpha = {};
  body.W = acceleration_gradient(body.alpha, body.w);
  body.a = {};
  columns[0].w = R_U.x;
  columns[1].w = R_U.y;
  columns[2].w = R_U.z;
  columns[3].v = {T(1.0), T(0.0), T(0.0)};
  columns[4].v = {T(0.0), T(1.0), T(0.0)};
  columns[5].v = {T(0.0), T(0.0), T(1.0)};
}

/// Adds what given derivatives of the speeds make of a body's acceleration.
template <class T>
void add_given(const Column<T>* columns, std::size_t count, const T* udot, BodyMotion<T>& body) {
  Vec3<T> alpha{}, a{};
  for (std::size_t k = 0; k < count; ++k) {
    alpha += udot[k] * columns[k].w;
    a += udot[k] * columns[k].v;
  }
  body.alpha += alpha;
  body.W += Mat3<T>{{T(0.0), alpha.z, -alpha.y}, {-alpha.z, T(0.0), alpha.x}, {alpha.y, -alpha.x, T(0.0)}};
  body.a += a;
}

/// Motion of every body at coordinates q and speeds u. With given_udot, `udot` holds the derivatives of all speeds;
/// without, they are taken as zero.
template <class T, bool given_udot>
void outward(const Mechanism& mechanism, const T* q, const T* u, const T* udot, Kinematics<T>& kinematics) {
  turn_joints<T>(mechanism, {q, mechanism.nq}, kinematics.turned);
  const std::size_t count = mechanism.links.size();
  for (std::uint32_t i = 1; i < count; ++i) {
    const Link& link = mechanism.links[i];
    const BodyMotion<T>& inboard = kinematics.bodies[link.parent];
    BodyMotion<T>& body = kinematics.bodies[i];
    const T* body_udot = given_udot ? udot + link.u : nullptr;
    if (link.subspace == Subspaces::turn) {
      turn_outboard<T, given_udot>(link, kinematics.turned[i], u[link.u], body_udot, inboard, body);
    } else if (link.subspace == Subspaces::slide) {
      slide_outboard<T, given_udot>(link, q[link.q], u[link.u], body_udot, inboard, body);
    } else {
      Column<T>* columns = kinematics.columns.data() + link.u;
      if (link.subspace == Subspaces::floating) {
        float_outboard(mechanism.R_UB[i], link, q + link.q, u + link.u, body, columns);
      } else {
        move_outboard(mechanism, i, q + link.q, u + link.u, inboard, body, columns);
      }
      if constexpr (given_udot) add_given(columns, link.nu, body_udot, body);
    }
  }
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
