// The sweeps of the articulated-body recursion over any scalar, with constants of any type that goes with it.
#pragma once

#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/flexible_sweeps.h"
#include "gyrostat/dynamics/outward.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// The pivot of a degree of freedom: e.U is set, D is its own inertia and `drive` the force that is left for it.
/// What is given is not decided by them, and its inertia stays with the parent.       (6), (7), (10)
template <class T>
GYROSTAT_INLINE void pivot(const T& drive, const T& D, const Condition<T>& free, const T& given, Eliminated<T>& e) {
  const T D_inverse = T(1.0) / D;
  e.D_inverse = select(free, D_inverse, T(0.0));
  e.udot = select(free, drive * D_inverse, given);
}

/// Eliminates it: its row and column leave the inertia, its force the bias.       (8), (9)
template <class T>
GYROSTAT_INLINE void eliminate(const Eliminated<T>& e, Articulated<T>& A) {
  const Vec3<T> torque = e.D_inverse * e.U.torque, force = e.D_inverse * e.U.force;
  subtract_square(A.inertia.I, torque, e.U.torque);
  subtract_square(A.inertia.M, force, e.U.force);
  Mat3<T>& H = A.inertia.H;
  H = {H.x - e.U.force.x * torque, H.y - e.U.force.y * torque, H.z - e.U.force.z * torque};
  A.bias.torque += e.udot * e.U.torque;
  A.bias.force += e.udot * e.U.force;
}

/// A symmetric positive definite matrix as L D L^T.
template <class T>
struct Factored3 {
  T d1, d2, d3;  // reciprocals of the pivots
  T l21, l31, l32;

  GYROSTAT_INLINE explicit Factored3(const Sym3<T>& A) {
    const T one(1.0);
    d1 = one / A.xx;
    l21 = A.xy * d1;
    l31 = A.xz * d1;
    d2 = one / (A.yy - l21 * A.xy);
    const T c32 = A.yz - l31 * A.xy;
    l32 = c32 * d2;
    d3 = one / (A.zz - l31 * A.xz - l32 * c32);
  }
  [[nodiscard]] GYROSTAT_INLINE Vec3<T> solve(const Vec3<T>& b) const {
    const T y2 = b.y - l21 * b.x, z = (b.z - l31 * b.x - l32 * y2) * d3, y = y2 * d2 - l32 * z;
    return {b.x * d1 - l21 * y - l31 * z, y, z};
  }
};

/// Acceleration of a floating body that needs `F`: solution of A [alpha; a] = F by blocks.       (12)
template <class T>
GYROSTAT_INLINE Twist<T> solved(const Inertia<T>& A, const Wrench<T>& F) {
  const Mat3<T> Ht = transposed(A.H);
  const Factored3<T> M(A.M);
  const Mat3<T> K = {M.solve(Ht.x), M.solve(Ht.y), M.solve(Ht.z)};  // M^-1 H^T
  const Sym3<T> S = {A.I.xx - dot(Ht.x, K.x), A.I.yy - dot(Ht.y, K.y), A.I.zz - dot(Ht.z, K.z),
                     A.I.xy - dot(Ht.x, K.y), A.I.xz - dot(Ht.x, K.z), A.I.yz - dot(Ht.y, K.z)};
  const Vec3<T> alpha = Factored3<T>(S).solve(F.torque - transpose_times(K, F.force));
  return {alpha, M.solve(F.force) - K * alpha};
}

/// Wheels store momentum; free ones take their part of the inertia away.   (4), (5)
template <class T, class C>
GYROSTAT_INLINE void add_wheels(const MechanismOf<C>& mechanism, std::uint32_t i, const BodyMotion<T>& body, const T* u,
                                const Forces<T>& forces, Articulated<T>& A) {
  const bool gyroscopic = mechanism.links[i].gyroscopic;
  if (!gyroscopic) A.bias.torque -= gyroscopic_torque(mechanism.bodies[i].J, body);
  for (std::uint32_t k = mechanism.wheel_of[i]; k < mechanism.wheel_of[i + 1]; ++k) {
    const WheelOf<C>& wheel = mechanism.wheels[k];
    const Vec3<T> b = body.R_NM * wheel.axis;
    const T inertia(wheel.inertia);
    const Condition<T>& free = forces.free[wheel.u];
    if (gyroscopic) A.bias.torque += cross(body.w, (inertia * u[wheel.u]) * b);
    A.bias.torque +=
        select(free, forces.tau[wheel.u] - inertia * dot(b, body.alpha), inertia * forces.udot[wheel.u]) * b;
    subtract_square(A.inertia.I, select(free, inertia, T(0.0)) * b, b);
  }
}

/// A body by itself: its inertia, and the wrench its bias acceleration needs beyond what acts on it.      (1)-(3)
/// A flexible body comes with what is outboard of its nodes.
template <class T, class C>
GYROSTAT_INLINE void add_body(const MechanismOf<C>& mechanism, std::uint32_t i, const Kinematics<T>& kinematics,
                              const T* u, const Forces<T>& forces, ArticulatedBodyData<T>& workspace,
                              Articulated<T>& A) {
  const BodyMotion<T>& body = kinematics.bodies[i];
  const LinkOf<C>& link = mechanism.links[i];
  const Moments<T> m = moments(link, body.R_NM);
  add_inertia(link, m, A.inertia);
  const Wrench<T> needed = required_wrench(link.mass, m, body.W, body.a);
  A.bias.torque += needed.torque - forces.wrench[i].torque;
  A.bias.force += needed.force - forces.wrench[i].force;
  if (link.special) [[unlikely]] {
    if (link.flexible != LinkStructure::none) {
      Articulated<T> sum = A;  // a copy: A itself stays in registers
      add_flexible<T, C>(mechanism, link.flexible, kinematics, forces, workspace, sum);
      A = sum;
    }
    add_wheels(mechanism, i, body, u, forces, A);
  }
}

/// Eliminates the degrees of freedom of a link's joint and takes what is left to the parent's base point.   (6)-(11)
/// The elimination is done there: the move does not wait for the division.
template <class T>
GYROSTAT_INLINE void eliminate_joint(const LinkStructure& link, const BodyMotion<T>& body, const Twist<T>* S,
                                     const Forces<T>& forces, Articulated<T>& A, Eliminated<T>* e) {
  const Vec3<T>&z = body.R_NM.z, &r = body.r;
  const T *tau = forces.tau.data() + link.u, *given = forces.udot.data() + link.u;
  const Condition<T>* free = forces.free.data() + link.u;
  if (link.motion == JointMotion::revolute) {
    const Wrench<T> U = {A.inertia.I * z, transpose_times(A.inertia.H, z)};
    pivot(*tau - dot(z, A.bias.torque), dot(z, U.torque), *free, *given, *e);
    e->U = moved(U, r);
    A = {moved(A.inertia, r), moved(A.bias, r)};
    eliminate(*e, A);
    return;
  }
  A = {moved(A.inertia, r), moved(A.bias, r)};
  if (link.motion == JointMotion::prismatic) {
    e->U = {A.inertia.H * z, A.inertia.M * z};
    pivot(*tau - dot(z, A.bias.force), dot(z, e->U.force), *free, *given, *e);
    eliminate(*e, A);
    return;
  }
  for (std::size_t k = link.nu; k-- > 0;) {
    const Twist<T> at_parent = {S[k].w, S[k].v - cross(S[k].w, r)};
    e[k].U = A.inertia * at_parent;
    pivot(tau[k] - product(at_parent, A.bias), product(at_parent, e[k].U), free[k], given[k], e[k]);
    eliminate(e[k], A);
  }
}

/// A floating body with all that is outboard of it: its acceleration follows at once.       (12)
template <class T>
GYROSTAT_INLINE Twist<T> floating_increment(const LinkStructure& link, const Twist<T>* S, const Forces<T>& forces,
                                            const Articulated<T>& A) {
  const T *tau = forces.tau.data() + link.u, *udot = forces.udot.data() + link.u;
  const Condition<T>& free = forces.free[link.u];
  const Vec3<T> torque = tau[0] * S[0].w + tau[1] * S[1].w + tau[2] * S[2].w, force = {tau[3], tau[4], tau[5]};
  const Twist<T> increment = solved(A.inertia, {torque - A.bias.torque, force - A.bias.force});
  const Vec3<T> alpha = udot[0] * S[0].w + udot[1] * S[1].w + udot[2] * S[2].w, a = {udot[3], udot[4], udot[5]};
  return {choose<T>(free, increment.w, alpha), choose<T>(free, increment.v, a)};
}

/// Adds to a body what its branches but the first have handed over.
template <class T>
GYROSTAT_INLINE void add_branches(const LinkStructure& link, const ArticulatedBodyData<T>& workspace,
                                  Articulated<T>& A) {
  if (link.branch_sum == 0) return;
  A.inertia += workspace.branch_sums[link.branch_sum].inertia;
  A.bias += workspace.branch_sums[link.branch_sum].bias;
}

/// Hands what is left of body i to its parent: along a chain, to the next turn of the loop; else through memory.
template <class T, class C>
GYROSTAT_INLINE void hand_over(const MechanismOf<C>& mechanism, std::uint32_t i, ArticulatedBodyData<T>& workspace,
                               Articulated<T>& A) {
  const LinkOf<C>& link = mechanism.links[i];
  if (link.parent == i - 1) return;
  Articulated<T>& sum = workspace.branch_sums[mechanism.links[link.parent].branch_sum];
  if (link.starts_sum) {
    sum = A;
  } else {
    sum.inertia += A.inertia;
    sum.bias += A.bias;
  }
  A = {};
}

/// From the tips to the base: articulated inertias. The first child of body i is i + 1, so along a chain nothing goes
/// through memory.
template <class T, class C>
GYROSTAT_INLINE void articulated_inward(const MechanismOf<C>& mechanism, const Kinematics<T>& kinematics, const T* u,
                                        const Forces<T>& forces, ArticulatedBodyData<T>& workspace) {
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  Articulated<T> A{};
  for (std::uint32_t i = count - 1; i > 0; --i) {
    const LinkOf<C>& link = mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    add_body(mechanism, i, kinematics, u, forces, workspace, A);
    add_branches(link, workspace, A);
    const Twist<T>* S = kinematics.S.data() + link.S;
    if (link.motion > JointMotion::general) {
      if (link.motion == JointMotion::modal) {
        workspace.flexible.nodes[link.modal_node] = A;
        A = {};
        continue;
      }
      workspace.floating[link.floating] = A.inertia;
      workspace.increment[i] = floating_increment(link, S, forces, A);
      A = {};
      continue;
    }
    eliminate_joint(link, body, S, forces, A, workspace.eliminated.data() + link.u);
    hand_over(mechanism, i, workspace, A);
  }
}

/// From the parent's acceleration to that of the link's body, beyond the bias; the speeds' derivatives follow from
/// drive(k), the force on each that is left when the parent moves.       (13), (14)
template <class T, class C, class Drive>
GYROSTAT_INLINE void accelerate_joint(const LinkOf<C>& link, const Kinematics<T>& kinematics, const BodyMotion<T>& body,
                                      const Eliminated<T>* e, Drive drive, Twist<T>& at, T* udot) {
  if (link.motion == JointMotion::revolute) {
    const T rate = e->udot + e->D_inverse * drive(0);
    udot[link.u] = rate;
    at.v += cross(at.w, body.r);
    at.w += rate * body.R_NM.z;
  } else if (link.motion == JointMotion::prismatic) {
    const T rate = e->udot + e->D_inverse * drive(0);
    udot[link.u] = rate;
    at.v += cross(at.w, body.r) + rate * body.R_NM.z;
  } else {
    const Twist<T>* S = kinematics.S.data() + link.S;
    for (std::size_t k = 0; k < link.nu; ++k) {
      const T rate = e[k].udot + e[k].D_inverse * drive(k);
      udot[link.u + k] = rate;
      at.w += rate * S[k].w;
      at.v += rate * (S[k].v - cross(S[k].w, body.r));
    }
    at.v += cross(at.w, body.r);
  }
}

/// The speeds' derivatives of a floating body that accelerates by `at`.
template <class T>
GYROSTAT_INLINE void accelerate_floating(const LinkStructure& link, const Twist<T>* S, const Twist<T>& at, T* udot) {
  for (std::size_t k = 0; k < 3; ++k) udot[link.u + k] = dot(S[k].w, at.w);
  udot[link.u + 3] = at.v.x;
  udot[link.u + 4] = at.v.y;
  udot[link.u + 5] = at.v.z;
}

/// From the base to the tips: accelerations.
template <class T, class C>
GYROSTAT_INLINE void articulated_outward(const MechanismOf<C>& mechanism, const Kinematics<T>& kinematics,
                                         const Forces<T>& forces, ArticulatedBodyData<T>& workspace, T* udot) {
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  Twist<T> at{};  // of the body before: the parent, along a chain
  for (std::uint32_t i = 1; i < count; ++i) {
    const LinkOf<C>& link = mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    const Eliminated<T>* e = workspace.eliminated.data() + link.u;
    if (link.motion > JointMotion::general) {
      at = workspace.increment[i];  // of a node, as its flexible body left it
      if (link.motion == JointMotion::floating) accelerate_floating(link, kinematics.S.data() + link.S, at, udot);
      if (link.special && link.flexible != LinkStructure::none)
        accelerate_modes<T, C>(mechanism, link.flexible, kinematics, workspace, workspace.increment[i], udot);
      continue;
    }
    if (link.parent != i - 1) at = workspace.increment[link.parent];
    accelerate_joint(
        link, kinematics, body, e, [&](std::size_t k) { return -product(at, e[k].U); }, at, udot);
    workspace.increment[i] = at;
    if (link.special) [[unlikely]] {
      if (link.flexible != LinkStructure::none)
        accelerate_modes<T, C>(mechanism, link.flexible, kinematics, workspace, workspace.increment[i], udot);
    }
  }
  for (const WheelOf<C>& wheel : mechanism.wheels) {  // (15)
    const BodyMotion<T>& body = kinematics.bodies[wheel.body];
    const Vec3<T> alpha = body.alpha + workspace.increment[wheel.body].w;
    const T decided = forces.tau[wheel.u] / wheel.inertia - dot(body.R_NM * wheel.axis, alpha);
    udot[wheel.u] = select(forces.free[wheel.u], decided, forces.udot[wheel.u]);
  }
}

template <class T, class C>
GYROSTAT_INLINE void articulated_body_accelerations(const MechanismOf<C>& mechanism, const Kinematics<T>& kinematics,
                                                    const T* u, const Forces<T>& forces,
                                                    ArticulatedBodyData<T>& workspace, T* udot) {
  articulated_inward(mechanism, kinematics, u, forces, workspace);
  articulated_outward(mechanism, kinematics, forces, workspace, udot);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
