// The sweeps of the articulated-body recursion over any scalar.
#pragma once

#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/outward.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// A -= a b^T where that is symmetric
template <class T>
[[gnu::always_inline]] inline void subtract_square(Sym3<T>& A, const Vec3<T>& a, const Vec3<T>& b) {
  A = {A.xx - a.x * b.x, A.yy - a.y * b.y, A.zz - a.z * b.z, A.xy - a.x * b.y, A.xz - a.x * b.z, A.yz - a.y * b.z};
}

/// Lets one freedom go: its row and column leave the inertia, its force the bias.       (6)-(9)
template <class T>
[[gnu::always_inline]] inline void absorb(const T& drive, const T& D, Gathered<T>& A, ArticulatedColumn<T>& c) {
  c.per_D = T(1.0) / D;
  c.udot = drive * c.per_D;
  const Vec3<T> torque = c.per_D * c.U.torque, force = c.per_D * c.U.force;
  subtract_square(A.inertia.I, torque, c.U.torque);
  subtract_square(A.inertia.M, force, c.U.force);
  Mat3<T>& H = A.inertia.H;
  H = {H.x - c.U.force.x * torque, H.y - c.U.force.y * torque, H.z - c.U.force.z * torque};
  A.bias.torque += c.udot * c.U.torque;
  A.bias.force += c.udot * c.U.force;
}

/// A symmetric positive definite matrix as L D L^T.
template <class T>
struct Factored3 {
  T d1, d2, d3;  // reciprocals of the pivots
  T l21, l31, l32;

  explicit Factored3(const Sym3<T>& A) {
    const T one(1.0);
    d1 = one / A.xx;
    l21 = A.xy * d1;
    l31 = A.xz * d1;
    d2 = one / (A.yy - l21 * A.xy);
    const T c32 = A.yz - l31 * A.xy;
    l32 = c32 * d2;
    d3 = one / (A.zz - l31 * A.xz - l32 * c32);
  }
  [[nodiscard]] Vec3<T> solve(const Vec3<T>& b) const {
    const T y2 = b.y - l21 * b.x, z = (b.z - l31 * b.x - l32 * y2) * d3, y = y2 * d2 - l32 * z;
    return {b.x * d1 - l21 * y - l31 * z, y, z};
  }
};

/// Acceleration of a floating body that needs `F`: solution of A [alpha; a] = F by blocks.       (12)
template <class T>
Column<T> solved(const Inertia<T>& A, const Wrench<T>& F) {
  const Mat3<T> Ht = transposed(A.H);
  const Factored3<T> M(A.M);
  const Mat3<T> K = {M.solve(Ht.x), M.solve(Ht.y), M.solve(Ht.z)};  // M^-1 H^T
  const Sym3<T> S = {A.I.xx - dot(Ht.x, K.x), A.I.yy - dot(Ht.y, K.y), A.I.zz - dot(Ht.z, K.z),
                     A.I.xy - dot(Ht.x, K.y), A.I.xz - dot(Ht.x, K.z), A.I.yz - dot(Ht.y, K.z)};
  const Vec3<T> alpha = Factored3<T>(S).solve(F.torque - transpose_times(K, F.force));
  return {alpha, M.solve(F.force) - K * alpha};
}

/// Wheels store momentum; those that are not driven at a given rate take their part of the inertia away.   (4), (5)
template <class T>
void add_wheels(const Mechanism& mechanism, std::uint32_t i, const BodyMotion<T>& body, const T* u,
                const Forces<T>& forces, Gathered<T>& A) {
  const bool gyroscopic = mechanism.links[i].gyroscopic;
  if (!gyroscopic) A.bias.torque -= gyroscopic_torque(mechanism, i, body);
  for (std::uint32_t k = mechanism.wheel_of[i]; k < mechanism.wheel_of[i + 1]; ++k) {
    const WheelLink& wheel = mechanism.wheels[k];
    const Vec3<T> b = body.R * cast<T>(wheel.axis);
    const T inertia(wheel.inertia);
    if (gyroscopic) A.bias.torque += cross(body.w, (inertia * u[wheel.u]) * b);
    if (wheel.prescribed) {
      A.bias.torque += (inertia * forces.udot[wheel.u]) * b;
    } else {
      A.bias.torque += (forces.tau[wheel.u] - inertia * dot(b, body.alpha)) * b;
      subtract_square(A.inertia.I, inertia * b, b);
    }
  }
}

/// A body by itself: its inertia, and the wrench its bias acceleration needs beyond what acts on it.      (1)-(3)
template <class T>
[[gnu::always_inline]] inline void add_body(const Mechanism& mechanism, std::uint32_t i, const BodyMotion<T>& body,
                                            const T* u, const Forces<T>& forces, Gathered<T>& A) {
  const Link& link = mechanism.links[i];
  const Moments<T> m = moments(link, body.R);
  add_inertia(link, m, A.inertia);
  const Wrench<T> needed = required_wrench(T(link.mass), m, body.W, body.a);
  A.bias.torque += needed.torque - forces.wrench[i].torque;
  A.bias.force += needed.force - forces.wrench[i].force;
  if (link.wheels || !link.gyroscopic) [[unlikely]]
    add_wheels(mechanism, i, body, u, forces, A);
}

/// Lets the freedoms of joint i go. What is left in A is what the parent feels.
template <class T>
[[gnu::always_inline]] inline void absorb_joint(const Link& link, const BodyMotion<T>& body, const Column<T>* columns,
                                                const Forces<T>& forces, Gathered<T>& A,
                                                ArticulatedColumn<T>* articulated) {
  const Vec3<T>& z = body.R.z;
  if (link.motion == Motion::free) {
    if (link.subspace == Subspaces::turn) {
      articulated->U = {A.inertia.I * z, transpose_times(A.inertia.H, z)};
      absorb(forces.tau[link.u] - dot(z, A.bias.torque), dot(z, articulated->U.torque), A, *articulated);
    } else if (link.subspace == Subspaces::slide) {
      articulated->U = {A.inertia.H * z, A.inertia.M * z};
      absorb(forces.tau[link.u] - dot(z, A.bias.force), dot(z, articulated->U.force), A, *articulated);
    } else {
      for (std::size_t k = link.nu; k-- > 0;) {
        articulated[k].U = A.inertia * columns[k];
        absorb(forces.tau[link.u + k] - product(columns[k], A.bias), product(columns[k], articulated[k].U), A,
               articulated[k]);
      }
    }
  } else if (link.motion == Motion::prescribed) {  // (10)
    for (std::size_t k = 0; k < link.nu; ++k) {
      Column<T> given{forces.udot[link.u + k] * columns[k].w, forces.udot[link.u + k] * columns[k].v};
      A.bias += A.inertia * given;
    }
  }
}

/// From the tips to the base: articulated inertias. The first child of body i is i + 1, so along a chain nothing goes
/// through memory.
template <class T>
[[gnu::always_inline]] inline void gather(const Mechanism& mechanism, const Kinematics<T>& kinematics, const T* u,
                                          const Forces<T>& forces, ArticulatedBody<T>& workspace) {
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  Gathered<T> A{};
  for (std::uint32_t i = count - 1; i > 0; --i) {
    const Link& link = mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    add_body(mechanism, i, body, u, forces, A);
    if (link.gather != 0) {
      A.inertia += workspace.gathered[link.gather].inertia;
      A.bias += workspace.gathered[link.gather].bias;
    }
    if (link.subspace == Subspaces::floating) {
      for (std::size_t k = 0; k < 3; ++k) {
        A.bias.torque -= forces.tau[link.u + k] * kinematics.columns[link.u + k].w;
      }
      A.bias.force -= Vec3<T>{forces.tau[link.u + 3], forces.tau[link.u + 4], forces.tau[link.u + 5]};
      workspace.floating[link.floats] = A.inertia;
      workspace.rise[i] = solved(A.inertia, {-A.bias.torque, -A.bias.force});
      A = {};
      continue;
    }
    Column<T> only;
    absorb_joint(link, body, columns_of(link, kinematics, body, only), forces, A, workspace.columns.data() + link.u);
    A.inertia = moved(A.inertia, body.r);  // (11)
    A.bias = moved(A.bias, body.r);
    if (link.parent == i - 1) continue;
    Gathered<T>& place = workspace.gathered[mechanism.links[link.parent].gather];
    if (link.starts_gather) {
      place = A;
    } else {
      place.inertia += A.inertia;
      place.bias += A.bias;
    }
    A = {};
  }
}

/// From the base to the tips: accelerations.
template <class T>
[[gnu::always_inline]] inline void scatter(const Mechanism& mechanism, const Kinematics<T>& kinematics,
                                           const Forces<T>& forces, ArticulatedBody<T>& workspace, T* udot) {
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  for (std::uint32_t i = 1; i < count; ++i) {
    const Link& link = mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    const Column<T>& inboard = workspace.rise[link.parent];
    Column<T>& rise = workspace.rise[i];
    if (link.subspace == Subspaces::floating) {
      for (std::size_t k = 0; k < 3; ++k) udot[link.u + k] = dot(kinematics.columns[link.u + k].w, rise.w);
      udot[link.u + 3] = rise.v.x;
      udot[link.u + 4] = rise.v.y;
      udot[link.u + 5] = rise.v.z;
      continue;
    }
    Column<T> at = {inboard.w, inboard.v + cross(inboard.w, body.r)};  // (13)
    const ArticulatedColumn<T>* c = workspace.columns.data() + link.u;
    if (link.subspace == Subspaces::turn && link.motion == Motion::free) {
      const T rate = c->udot - c->per_D * product(at, c->U);  // (14)
      udot[link.u] = rate;
      at.w += rate * body.R.z;
    } else {
      Column<T> only;
      const Column<T>* columns = columns_of(link, kinematics, body, only);
      for (std::size_t k = 0; k < link.nu; ++k) {
        const T rate = link.motion == Motion::free     ? c[k].udot - c[k].per_D * product(at, c[k].U)
                       : link.motion == Motion::locked ? T(0.0)
                                                       : forces.udot[link.u + k];
        udot[link.u + k] = rate;
        at.w += rate * columns[k].w;
        at.v += rate * columns[k].v;
      }
    }
    rise = at;
  }
  for (const WheelLink& wheel : mechanism.wheels) {  // (15)
    const BodyMotion<T>& body = kinematics.bodies[wheel.body];
    const Vec3<T> alpha = body.alpha + workspace.rise[wheel.body].w;
    udot[wheel.u] = wheel.prescribed
                        ? forces.udot[wheel.u]
                        : forces.tau[wheel.u] * T(1 / wheel.inertia) - dot(body.R * cast<T>(wheel.axis), alpha);
  }
}

template <class T>
void articulated_body_accelerations(const Mechanism& mechanism, const Kinematics<T>& kinematics, const T* u,
                                    const Forces<T>& forces, ArticulatedBody<T>& workspace, T* udot) {
  gather(mechanism, kinematics, u, forces, workspace);
  scatter(mechanism, kinematics, forces, workspace, udot);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
