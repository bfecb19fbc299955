// The modal degrees of freedom of flexible bodies in the articulated-body recursion, over any scalar: all modes of a body
// are eliminated at once. Numbers in comments are the equations of docs/theory/flexible.md.
//
// With unit modal mass, M_ee + Pi' G Pi (G: the articulated inertias at the loaded nodes, Pi: their motion-subspace
// columns) is inverted through a matrix of six rows a node, never one of the modes: with G = L L', Q = 1 + (L'Pi)(L'Pi)'
// and N = Q^(-1/2) L',  (1 + Pi' G Pi)^-1 = 1 - (N Pi)'(N Pi).
#pragma once

#include <cmath>

#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/deformation.h"
#include "gyrostat/dynamics/inertia.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// The articulated inertia of a node as L L'. What is zero to rounding along a direction, as along every joint's free one, stays zero.
template <class T>
GYROSTAT_INLINE void factor_inertia(const Inertia<T>& A, T (&L)[6][6]) {
  using std::sqrt;
  const T G[6][6] = {{A.I.xx, A.I.xy, A.I.xz, A.H.x.x, A.H.y.x, A.H.z.x}, {A.I.xy, A.I.yy, A.I.yz, A.H.x.y, A.H.y.y, A.H.z.y},
                     {A.I.xz, A.I.yz, A.I.zz, A.H.x.z, A.H.y.z, A.H.z.z}, {A.H.x.x, A.H.x.y, A.H.x.z, A.M.xx, A.M.xy, A.M.xz},
                     {A.H.y.x, A.H.y.y, A.H.y.z, A.M.xy, A.M.yy, A.M.yz}, {A.H.z.x, A.H.z.y, A.H.z.z, A.M.xz, A.M.yz, A.M.zz}};
  for (std::size_t j = 0; j < 6; ++j) {
    T pivot = G[j][j];
    for (std::size_t k = 0; k < j; ++k) pivot = pivot - L[j][k] * L[j][k];
    const auto positive = pivot > T(1e-13) * G[j][j];
    const T root = sqrt(select(positive, pivot, T(1.0)));
    const T inverse = select(positive, T(1.0) / root, T(0.0));
    L[j][j] = select(positive, root, T(0.0));
    for (std::size_t i = j + 1; i < 6; ++i) {
      T sum = G[i][j];
      for (std::size_t k = 0; k < j; ++k) sum = sum - L[i][k] * L[j][k];
      L[i][j] = sum * inverse;
    }
  }
}

/// Six numbers of a motion or of a wrench.
template <class T>
struct Six {
  T v[6];

  GYROSTAT_INLINE explicit Six(const Twist<T>& m) : v{m.w.x, m.w.y, m.w.z, m.v.x, m.v.y, m.v.z} {}
  GYROSTAT_INLINE explicit Six(const Wrench<T>& F)
      : v{F.torque.x, F.torque.y, F.torque.z, F.force.x, F.force.y, F.force.z} {}
};

/// What body `f` needs for the motion it has, with its modes: rigid part, and by mode.       (10)
template <class T, class C>
GYROSTAT_INLINE Wrench<T> flexible_wrench(const FlexibleOf<C>& f, const Deformation<T>& d, const Vec3<T>& alpha,
                                          const Vec3<T>& a) {
  return {d.bias.torque + d.J * alpha + cross(d.mc, a), d.bias.force + cross(alpha, d.mc) + f.mass * a};
}

/// The part of add_flexible that the inertia at the nodes makes.
template <class T, class C>
GYROSTAT_INLINE void add_loaded_nodes(const MechanismOf<C>& mechanism, const FlexibleOf<C>& f,
                                      const Kinematics<T>& kinematics, const ModalMotion<T>* modes, const T* force,
                                      ModalElimination<T>& w, Inertia<T>& inertia, Wrench<T>& bias) {
  using std::sqrt;
  const std::size_t n = 6 * f.loaded, m = f.modes;
  T* N = w.N.data() + w.first_N[f.first_loaded];              // n x n, lower triangle of blocks
  T* Y = w.Y.data() + 36 * std::size_t{f.first_loaded};       // n x 6
  T* y = w.y.data() + 6 * std::size_t{f.first_loaded};        // n
  T* B = w.B.data();                                          // n x m: L' Pi
  T* Q = w.Q.data();                                          // n x n
  T* R = w.R.data();                                          // n x 7: L' [A_R, Pi f]
  std::size_t row = 0;
  for (std::uint32_t t = f.first_node; t < f.first_node + f.nodes; ++t) {
    const ModalNodeOf<C>& node = mechanism.modal_nodes[t];
    if (!node.loaded) continue;
    const Twist<T>* S = kinematics.S.data() + mechanism.links[node.body].S;
    const Vec3<T>& r = kinematics.bodies[node.body].r;
    T L[6][6];
    factor_inertia(w.nodes[t].inertia, L);
    // A_R = phi - Pi C', and Pi f.
    T AR[6][7];
    const T zero(0.0), one(1.0);
    const T phi[6][6] = {{one, zero, zero, zero, zero, zero}, {zero, one, zero, zero, zero, zero}, {zero, zero, one, zero, zero, zero},
                         {zero, r.z, -r.y, one, zero, zero}, {-r.z, zero, r.x, zero, one, zero}, {r.y, -r.x, zero, zero, zero, one}};
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) AR[i][j] = phi[i][j];
      AR[i][6] = zero;
    }
    for (std::size_t a = 0; a < m; ++a) {
      const Six<T> s(S[a]), c(modes[a].C);
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t j = 0; j < 6; ++j) AR[i][j] = AR[i][j] - s.v[i] * c.v[j];
        AR[i][6] = AR[i][6] + s.v[i] * force[a];
      }
      for (std::size_t i = 0; i < 6; ++i) {
        T sum = zero;
        for (std::size_t k = i; k < 6; ++k) sum = sum + L[k][i] * s.v[k];
        B[(row + i) * m + a] = sum;
      }
    }
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 7; ++j) {
        T sum = zero;
        for (std::size_t k = i; k < 6; ++k) sum = sum + L[k][i] * AR[k][j];
        R[(row + i) * 7 + j] = sum;
      }
      for (std::size_t j = 0; j < n; ++j) N[(row + i) * n + j] = zero;
      for (std::size_t k = i; k < 6; ++k) N[(row + i) * n + row + k] = L[k][i];
    }
    row += 6;
  }
  // Q = 1 + B B' = F F', in place.
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      T sum(i == j ? 1.0 : 0.0);
      for (std::size_t a = 0; a < m; ++a) sum = sum + B[i * m + a] * B[j * m + a];
      for (std::size_t k = 0; k < j; ++k) sum = sum - Q[i * n + k] * Q[j * n + k];
      Q[i * n + j] = i == j ? T(sqrt(sum)) : T(sum * Q[j * n + j]);
      if (i == j) Q[i * n + i] = T(1.0) / Q[i * n + i];  // reciprocals on the diagonal
    }
  }
  // N = F^-1 L', and the same of R.
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      const T q = Q[i * n + k];
      for (std::size_t j = 0; j < n; ++j) N[i * n + j] = N[i * n + j] - q * N[k * n + j];
      for (std::size_t j = 0; j < 7; ++j) R[i * 7 + j] = R[i * 7 + j] - q * R[k * 7 + j];
    }
    for (std::size_t j = 0; j < n; ++j) N[i * n + j] = N[i * n + j] * Q[i * n + i];
    for (std::size_t j = 0; j < 7; ++j) R[i * 7 + j] = R[i * 7 + j] * Q[i * n + i];
    const T* r = R + i * 7;
    for (std::size_t j = 0; j < 6; ++j) Y[i * 6 + j] = r[j];
    y[i] = r[6];
    const Vec3<T> torque = {r[0], r[1], r[2]}, linear = {r[3], r[4], r[5]};
    subtract_square(inertia.I, -torque, torque);
    subtract_square(inertia.M, -linear, linear);
    inertia.H = {inertia.H.x + linear.x * torque, inertia.H.y + linear.y * torque, inertia.H.z + linear.z * torque};
    bias.torque -= r[6] * torque;
    bias.force -= r[6] * linear;
  }
}

/// A flexible body with what is outboard of its nodes: its modes are eliminated, and what is left is added to A.  (11)-(14)
template <class T, class C>
GYROSTAT_APART void add_flexible(const MechanismOf<C>& mechanism, std::uint32_t number, const Kinematics<T>& kinematics,
                                 const Forces<T>& forces, ArticulatedBodyData<T>& workspace, Articulated<T>& A) {
  using std::sqrt;
  const FlexibleOf<C>& f = mechanism.flexible[number];
  const BodyMotion<T>& body = kinematics.bodies[f.body];
  const Deformation<T>& d = kinematics.deformations[number];
  const ModalMotion<T>* modes = kinematics.modes.data() + f.modal;
  ModalElimination<T>& w = workspace.flexible;
  T* force = w.modal_force.data() + f.modal;

  const Wrench<T> needed = flexible_wrench(f, d, body.alpha, body.a);
  A.bias += needed;
  Inertia<T> inertia{};
  inertia.I = d.J;
  const T zero(0.0);
  inertia.H = {{zero, d.mc.z, -d.mc.y}, {-d.mc.z, zero, d.mc.x}, {d.mc.y, -d.mc.x, zero}};
  inertia.M = {T(f.mass), T(f.mass), T(f.mass), zero, zero, zero};
  for (std::uint32_t a = 0; a < f.modes; ++a) {
    const Wrench<T>& c = modes[a].C;
    force[a] = dot(c.torque, body.alpha) + dot(c.force, body.a) + modes[a].bias - forces.tau[f.u + a];
  }
  for (std::uint32_t t = f.first_node; t < f.first_node + f.nodes; ++t) {
    const ModalNodeOf<C>& node = mechanism.modal_nodes[t];
    const Wrench<T>& bias = w.nodes[t].bias;
    const Twist<T>* S = kinematics.S.data() + mechanism.links[node.body].S;
    for (std::uint32_t a = 0; a < f.modes; ++a) force[a] = force[a] + product(S[a], bias);
    A.bias += moved(bias, kinematics.bodies[node.body].r);
  }
  for (std::uint32_t a = 0; a < f.modes; ++a) {
    const Wrench<T>& c = modes[a].C;
    subtract_square(inertia.I, c.torque, c.torque);
    subtract_square(inertia.M, c.force, c.force);
    inertia.H = {inertia.H.x - c.force.x * c.torque, inertia.H.y - c.force.y * c.torque,
                 inertia.H.z - c.force.z * c.torque};
    A.bias.torque -= force[a] * c.torque;
    A.bias.force -= force[a] * c.force;
  }
  if (f.loaded > 0) add_loaded_nodes(mechanism, f, kinematics, modes, force, w, inertia, A.bias);
  A.inertia += inertia;
}

/// The modal accelerations of a flexible body that accelerates by `increment`, and the increments of its nodes.  (15), (16)
template <class T, class C>
GYROSTAT_APART void accelerate_modes(const MechanismOf<C>& mechanism, std::uint32_t number,
                                     const Kinematics<T>& kinematics, ArticulatedBodyData<T>& workspace,
                                     const Twist<T>& increment, T* udot) {
  const FlexibleOf<C>& f = mechanism.flexible[number];
  const ModalMotion<T>* modes = kinematics.modes.data() + f.modal;
  ModalElimination<T>& w = workspace.flexible;
  const std::size_t n = 6 * f.loaded;
  const T* N = w.N.data() + w.first_N[f.first_loaded];
  const T* Y = w.Y.data() + 36 * std::size_t{f.first_loaded};
  const T* y = w.y.data() + 6 * std::size_t{f.first_loaded};
  const Six<T> A(increment);
  for (std::uint32_t a = 0; a < f.modes; ++a) {
    const Wrench<T>& c = modes[a].C;
    udot[f.u + a] = -w.modal_force[f.modal + a] - product(increment, c);
  }
  T* transmitted = w.R.data();  // n: the wrenches at the nodes beyond their biases
  for (std::size_t j = 0; j < n; ++j) transmitted[j] = T(0.0);
  for (std::size_t i = 0; i < n; ++i) {
    T sum = -y[i];
    for (std::size_t j = 0; j < 6; ++j) sum = sum + Y[i * 6 + j] * A.v[j];
    for (std::size_t j = 0; j < n; ++j) transmitted[j] = transmitted[j] + N[i * n + j] * sum;
  }
  std::size_t row = 0;
  for (std::uint32_t t = f.first_node; t < f.first_node + f.nodes; ++t) {
    const ModalNodeOf<C>& node = mechanism.modal_nodes[t];
    if (!node.loaded) continue;
    const Twist<T>* S = kinematics.S.data() + mechanism.links[node.body].S;
    const T* F = transmitted + row;
    const Wrench<T> wrench = {{F[0], F[1], F[2]}, {F[3], F[4], F[5]}};
    for (std::uint32_t a = 0; a < f.modes; ++a) udot[f.u + a] = udot[f.u + a] - product(S[a], wrench);
    row += 6;
  }
  for (std::uint32_t t = f.first_node; t < f.first_node + f.nodes; ++t) {
    const std::uint32_t i = mechanism.modal_nodes[t].body;
    const Twist<T>* S = kinematics.S.data() + mechanism.links[i].S;
    Twist<T> at_node = {increment.w, increment.v + cross(increment.w, kinematics.bodies[i].r)};
    for (std::uint32_t a = 0; a < f.modes; ++a) {
      at_node.w += udot[f.u + a] * S[a].w;
      at_node.v += udot[f.u + a] * S[a].v;
    }
    workspace.increment[i] = at_node;
  }
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
