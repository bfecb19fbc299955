// The modal degrees of freedom of flexible bodies in the articulated-body recursion, over any scalar: all modes of a
// body are eliminated at once. Numbers in comments are the equations of docs/theory/flexible.md.
//
// With unit modal mass, M_ee + Pi' G Pi (G: the articulated inertias at the loaded nodes, Pi: their motion-subspace
// columns) is inverted through a matrix of six rows a node, never one of the modes: with G = L L', Q = 1 +
// (L'Pi)(L'Pi)' and N = Q^(-1/2) L',  (1 + Pi' G Pi)^-1 = 1 - (N Pi)'(N Pi).
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/deformation.h"
#include "gyrostat/dynamics/inertia.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// The articulated inertia of a node as L L'. What is zero to rounding along a direction, as along every joint's free
/// one, stays zero.
template <class T>
GYROSTAT_INLINE void factor_inertia(const Inertia<T>& A, RowOfEight<T> (&L)[6]) {
  using std::sqrt;
  const T G[6][6] = {
      {A.I.xx, A.I.xy, A.I.xz, A.H.x.x, A.H.y.x, A.H.z.x}, {A.I.xy, A.I.yy, A.I.yz, A.H.x.y, A.H.y.y, A.H.z.y},
      {A.I.xz, A.I.yz, A.I.zz, A.H.x.z, A.H.y.z, A.H.z.z}, {A.H.x.x, A.H.x.y, A.H.x.z, A.M.xx, A.M.xy, A.M.xz},
      {A.H.y.x, A.H.y.y, A.H.y.z, A.M.xy, A.M.yy, A.M.yz}, {A.H.z.x, A.H.z.y, A.H.z.z, A.M.xz, A.M.yz, A.M.zz}};
  T D[6], root[6];  // G = l D l', l with units on its diagonal
  for (std::size_t j = 0; j < 6; ++j) {
    T Dl[6];
    D[j] = G[j][j];
    for (std::size_t k = 0; k < j; ++k) {
      Dl[k] = D[k] * L[j][k];
      D[j] = D[j] - Dl[k] * L[j][k];
    }
    const auto positive = D[j] - T(1e-13) * G[j][j] > 0.0;
    const T inverse = select(positive, T(1.0) / D[j], T(0.0));
    D[j] = select(positive, D[j], T(0.0));
    for (std::size_t i = j + 1; i < 6; ++i) {
      T sum = G[i][j];
      for (std::size_t k = 0; k < j; ++k) sum = sum - L[i][k] * Dl[k];
      L[i][j] = sum * inverse;
    }
  }
  for (std::size_t j = 0; j < 6; ++j) root[j] = sqrt(D[j]);
  for (std::size_t i = 0; i < 6; ++i) {
    L[i][i] = root[i];
    for (std::size_t j = 0; j < i; ++j) L[i][j] = L[i][j] * root[j];
    for (std::size_t j = i + 1; j < 8; ++j) L[i][j] = T(0.0);
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

/// a += s b
template <class T>
GYROSTAT_INLINE void add_scaled(RowOfEight<T>& a, const T& s, const RowOfEight<T>& b) {
  for (std::size_t k = 0; k < 8; ++k) a[k] = a[k] + s * b[k];
}
/// As many numbers at a time as a register holds.
GYROSTAT_INLINE void add_scaled(RowOfEight<double>& a, double s, const RowOfEight<double>& b) {
  using Some = Pack<native_lanes>;
  const Some factor(s);
  for (std::size_t k = 0; k < 8; k += native_lanes) {
    Some x, y;
    std::memcpy(&x.v, a.v + k, sizeof x.v);
    std::memcpy(&y.v, b.v + k, sizeof y.v);
    x += factor * y;
    std::memcpy(a.v + k, &x.v, sizeof x.v);
  }
}
template <class T>
GYROSTAT_INLINE void scale(RowOfEight<T>& a, const T& s) {
  for (std::size_t k = 0; k < 8; ++k) a[k] = s * a[k];
}

/// The part of add_flexible that the inertia at the nodes makes. `chunks` rows of eight hold a row of N, Q and B; it is
/// a constant where one node is loaded.
template <class Count, class T, class C>
GYROSTAT_APART void add_loaded_nodes(const MechanismOf<C>& mechanism, const FlexibleOf<C>& f, Count chunks,
                                     const Kinematics<T>& kinematics, const ModalMotion<T>* modes, const T* force,
                                     ModalElimination<T>& w, Inertia<T>& inertia, Wrench<T>& bias) {
  using std::sqrt;
  using Row = RowOfEight<T>;
  const std::size_t n = chunks == 1 ? 6 : 6 * std::size_t{f.loaded}, m = f.modes;
  const T zero(0.0), one(1.0);
  Row* N = w.N.data() + w.first_N[f.first_loaded];        // n rows: Q^-1/2 L'
  Row* Y = w.Y.data() + 6 * std::size_t{f.first_loaded};  // n: N [A_R, Pi f], A_R = phi - Pi C'
  Row* B = w.B.data();                                    // m rows: Pi' L
  Row* Q = w.Q.data();                                    // n rows: 1 + B'B, then its factors
  for (std::size_t k = 0; k < n * chunks; ++k) N[k] = Q[k] = Row{};
  for (std::size_t k = 0; k < m * chunks; ++k) B[k] = Row{};
  std::size_t row = 0;
  for (std::uint32_t t = f.first_node; t < f.first_node + f.nodes; ++t) {
    const ModalNodeOf<C>& node = mechanism.modal_nodes[t];
    if (!node.loaded) continue;
    const Twist<T>* S = kinematics.S.data() + mechanism.links[node.body].S;
    const Vec3<T>& r = kinematics.bodies[node.body].r;
    Row L[6];  // lower triangle
    factor_inertia(w.nodes[t].inertia, L);
    Row A[6] = {{{one}},
                {{zero, one}},
                {{zero, zero, one}},
                {{zero, r.z, -r.y, one}},
                {{-r.z, zero, r.x, zero, one}},
                {{r.y, -r.x, zero, zero, zero, one}}};  // phi
    for (std::size_t a = 0; a < m; ++a) {
      const Six<T> s(S[a]);
      const Wrench<T>& c = modes[a].C;
      const Row C_f = {{-c.torque.x, -c.torque.y, -c.torque.z, -c.force.x, -c.force.y, -c.force.z, force[a], zero}};
      Row b{};
      for (std::size_t i = 0; i < 6; ++i) {
        add_scaled(A[i], s.v[i], C_f);
        add_scaled(b, s.v[i], L[i]);
      }
      T* to = &B[a * chunks][0];
      for (std::size_t k = 0; k < 6; ++k) to[row + k] = b[k];
    }
    for (std::size_t i = 0; i < 6; ++i) {
      Row& y = Y[row + i];
      T* to = &N[(row + i) * chunks][0];
      y = Row{};
      for (std::size_t k = i; k < 6; ++k) {
        add_scaled(y, L[k][i], A[k]);
        to[row + k] = L[k][i];
      }
    }
    row += 6;
  }
  for (std::size_t i = 0; i < n; ++i) (&Q[i * chunks][0])[i] = one;
  for (std::size_t a = 0; a < m; ++a) {
    const T* b = &B[a * chunks][0];
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < chunks; ++k) add_scaled(Q[i * chunks + k], b[i], B[a * chunks + k]);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {  // Q = l D l': row i of l, 1/D on its diagonal; then of N and Y
    T* q = &Q[i * chunks][0];
    for (std::size_t k = 0; k < i; ++k) {
      const T* other = &Q[k * chunks][0];
      for (std::size_t j = 0; j < k; ++j) q[k] = q[k] - q[j] * other[j];
    }
    T pivot = q[i];
    for (std::size_t k = 0; k < i; ++k) {
      const T factor = q[k] * (&Q[k * chunks][0])[k];
      pivot = pivot - factor * q[k];
      q[k] = factor;
      for (std::size_t j = 0; j < chunks; ++j) add_scaled(N[i * chunks + j], T(-factor), N[k * chunks + j]);
      add_scaled(Y[i], T(-factor), Y[k]);
    }
    q[i] = one / pivot;
  }
  for (std::size_t i = 0; i < n; ++i) {
    const T root = sqrt((&Q[i * chunks][0])[i]);
    for (std::size_t j = 0; j < chunks; ++j) scale(N[i * chunks + j], root);
    scale(Y[i], root);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Row& y = Y[i];
    const Vec3<T> torque = {y[0], y[1], y[2]}, linear = {y[3], y[4], y[5]};
    subtract_square(inertia.I, -torque, torque);
    subtract_square(inertia.M, -linear, linear);
    inertia.H = {inertia.H.x + linear.x * torque, inertia.H.y + linear.y * torque, inertia.H.z + linear.z * torque};
    bias.torque -= y[6] * torque;
    bias.force -= y[6] * linear;
  }
}

/// A flexible body with what is outboard of its nodes: its modes are eliminated, and what is left is added to A.
/// (11)-(14)
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
  using One = std::integral_constant<std::size_t, 1>;
  if (f.loaded == 1) {
    add_loaded_nodes<One, T, C>(mechanism, f, {}, kinematics, modes, force, w, inertia, A.bias);
  } else if (f.loaded > 1) {
    add_loaded_nodes<std::size_t, T, C>(mechanism, f, chunks_of(f), kinematics, modes, force, w, inertia, A.bias);
  }
  A.inertia += inertia;
}

/// The modal accelerations of a flexible body that accelerates by `increment`, and the increments of its nodes.  (15),
/// (16)
template <class T, class C>
GYROSTAT_APART void accelerate_modes(const MechanismOf<C>& mechanism, std::uint32_t number,
                                     const Kinematics<T>& kinematics, ArticulatedBodyData<T>& workspace,
                                     const Twist<T>& increment, T* udot) {
  const FlexibleOf<C>& f = mechanism.flexible[number];
  const ModalMotion<T>* modes = kinematics.modes.data() + f.modal;
  ModalElimination<T>& w = workspace.flexible;
  const std::size_t n = 6 * std::size_t{f.loaded}, chunks = chunks_of(f);
  const RowOfEight<T>* N = w.N.data() + w.first_N[f.first_loaded];
  const RowOfEight<T>* Y = w.Y.data() + 6 * std::size_t{f.first_loaded};
  const Six<T> A(increment);
  for (std::uint32_t a = 0; a < f.modes; ++a) {
    const Wrench<T>& c = modes[a].C;
    udot[f.u + a] = -w.modal_force[f.modal + a] - product(increment, c);
  }
  RowOfEight<T>* sums = w.Q.data();  // the wrenches at the nodes beyond their biases
  for (std::size_t j = 0; j < chunks; ++j) sums[j] = {};
  for (std::size_t i = 0; i < n; ++i) {
    T sum = -Y[i][6];
    for (std::size_t j = 0; j < 6; ++j) sum = sum + Y[i][j] * A.v[j];
    for (std::size_t j = 0; j < chunks; ++j) add_scaled(sums[j], sum, N[i * chunks + j]);
  }
  const T* transmitted = n > 0 ? &sums[0][0] : nullptr;
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
