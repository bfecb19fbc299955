// The outward pass itself, over any scalar.
#pragma once

#include "gyrostat/dynamics/deformation.h"
#include "gyrostat/dynamics/joint_motion.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// A body whose joint is revolute, about z.
template <class T, bool given_udot, class C>
GYROSTAT_INLINE void revolute_outboard(const LinkOf<C>& link, const SinCos<T>& angle, const T& rate, const T* udot,
                                       const BodyMotion<T>& inboard, BodyMotion<T>& body) {
  const Mat3<T> R_NF = inboard.R_NM * link.R_PF;
  const T sin = angle.sin, cos = angle.cos;
  body.R_NM = {cos * R_NF.x + sin * R_NF.y, cos * R_NF.y - sin * R_NF.x, R_NF.z};  // (1)
  body.r = inboard.R_NM * link.p_PF;                                               // (2)
  const Vec3<T> w_PB = rate * R_NF.z;
  body.w = inboard.w + w_PB;  // (3)
  body.alpha = inboard.alpha + cross(inboard.w, w_PB);
  if constexpr (given_udot) body.alpha += *udot * R_NF.z;
  body.W = acceleration_gradient(body.alpha, body.w);  // (4)
  body.a = inboard.a + inboard.W * body.r;             // (6)
}

/// A body whose joint is prismatic, along z.
template <class T, bool given_udot, class C>
GYROSTAT_INLINE void prismatic_outboard(const LinkOf<C>& link, const T& displacement, const T& speed, const T* udot,
                                        const BodyMotion<T>& inboard, BodyMotion<T>& body) {
  body.R_NM = inboard.R_NM * link.R_PF;
  body.r = inboard.R_NM * link.p_PF + displacement * body.R_NM.z;
  body.w = inboard.w;
  body.alpha = inboard.alpha;
  body.W = inboard.W;
  body.a = inboard.a + inboard.W * body.r + (2.0 * speed) * cross(inboard.w, body.R_NM.z);  // (6)
  if constexpr (given_udot) body.a += *udot * body.R_NM.z;
}

/// A body that floats in the world. Its speeds are angular velocity in B and velocity in world axes.
template <class T, class C>
GYROSTAT_INLINE void floating_outboard(const Mat3<C>& R_BM, const LinkOf<C>& link, const T* q, const T* u,
                                       BodyMotion<T>& body, Twist<T>* S) {
  const Mat3<T> R_NB = rotation_of_quaternion(q[3], q[4], q[5], q[6]);
  const T zero(0.0), one(1.0);
  body.R_NM = R_NB * R_BM;
  body.r = cast<T>(link.p_PF) + Vec3<T>{q[0], q[1], q[2]};
  body.w = R_NB * Vec3<T>{u[0], u[1], u[2]};
  body.alpha = {};
  body.W = acceleration_gradient(body.alpha, body.w);
  body.a = {};
  S[0] = {R_NB.x, {}};
  S[1] = {R_NB.y, {}};
  S[2] = {R_NB.z, {}};
  S[3] = {{}, {one, zero, zero}};
  S[4] = {{}, {zero, one, zero}};
  S[5] = {{}, {zero, zero, one}};
}

/// Adds what given derivatives of the speeds make of a body's acceleration.
template <class T>
GYROSTAT_INLINE void add_given(const Twist<T>* S, std::size_t count, const T* udot, BodyMotion<T>& body) {
  Vec3<T> alpha{}, a{};
  for (std::size_t k = 0; k < count; ++k) {
    alpha += udot[k] * S[k].w;
    a += udot[k] * S[k].v;
  }
  const T zero(0.0);
  body.alpha += alpha;
  body.W += Mat3<T>{{zero, alpha.z, -alpha.y}, {-alpha.z, zero, alpha.x}, {alpha.y, -alpha.x, zero}};
  body.a += a;
}

/// Motion of bodies at coordinates q and speeds u; that of the parents of the first ones is there already, and where
/// bodies bend, all are asked for. With given_udot, `udot` holds the derivatives of all speeds; without, they are taken
/// as zero.
template <class T, bool given_udot, class C>
GYROSTAT_INLINE void outward(const MechanismOf<C>& mechanism, const BodyRange& range, const T* q, const T* u,
                             const T* udot, Kinematics<T>& kinematics) {
  find_angles(mechanism, range, q, kinematics.angles.data());
  if (!mechanism.flexible.empty()) [[unlikely]]
    deform<T, C>(mechanism, q, u, kinematics);
  for (std::uint32_t i = range.first; i < range.last; ++i) {
    const LinkOf<C>& link = mechanism.links[i];
    const BodyMotion<T>& inboard = kinematics.bodies[link.parent];
    BodyMotion<T>& body = kinematics.bodies[i];
    const T* body_udot = given_udot ? udot + link.u : nullptr;
    if (link.motion == JointMotion::revolute) {
      revolute_outboard<T, given_udot>(link, kinematics.angles[i], u[link.u], body_udot, inboard, body);
    } else if (link.motion == JointMotion::prismatic) {
      prismatic_outboard<T, given_udot>(link, q[link.q], u[link.u], body_udot, inboard, body);
    } else {
      Twist<T>* S = kinematics.S.data() + link.S;
      if (link.motion == JointMotion::modal) {
        node_outboard<T, given_udot, C>(mechanism, i, body_udot, inboard, kinematics);
        continue;
      }
      if (link.motion == JointMotion::floating) {
        floating_outboard(mechanism.bodies[i].R_BM, link, q + link.q, u + link.u, body, S);
      } else {
        move_outboard(mechanism, i, q + link.q, u + link.u, inboard, body, S);
      }
      if constexpr (given_udot) add_given(S, link.nu, body_udot, body);
    }
  }
  if (!mechanism.flexible.empty()) [[unlikely]]
    add_velocity_terms<T, C>(mechanism, kinematics);
}

/// Of all bodies.
template <class T, bool given_udot, class C>
GYROSTAT_INLINE void outward(const MechanismOf<C>& mechanism, const T* q, const T* u, const T* udot,
                             Kinematics<T>& kinematics) {
  outward<T, given_udot>(mechanism, all_bodies(mechanism), q, u, udot, kinematics);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
