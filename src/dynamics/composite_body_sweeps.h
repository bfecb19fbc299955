// The loops of the composite-body method; compiled by kernels.cpp.
#pragma once

#include <algorithm>

#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/dynamics/free_speeds.h"
#include "gyrostat/dynamics/inverse_dynamics_sweeps.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// The rows of a lower triangle, over any scalar.
template <class T>
struct TriangleRows {
  T* entries;
  std::size_t size;

  [[nodiscard]] GYROSTAT_INLINE T* row(std::size_t k) const { return entries + k * size; }
};

/// Adds the products of a wrench on body j with the motion-subspace columns of the joints from it inwards.
template <class T, class C>
GYROSTAT_INLINE void add_inboard(const MechanismOf<C>& mechanism, const Kinematics<T>& kinematics, std::uint32_t j,
                                 Wrench<T> F, T* row) {
  for (; j != 0; j = mechanism.links[j].parent) {
    const LinkOf<C>& link = mechanism.links[j];
    const BodyMotion<T>& body = kinematics.bodies[j];
    Twist<T> only;
    const Twist<T>* S = subspace_of(link, kinematics, body, only);
    for (std::size_t l = 0; l < link.nu; ++l) row[link.u + l] += product(S[l], F);
    F = moved(F, body.r);
  }
}

/// The modes of a flexible body by itself: its own inertia, unit modal mass, and what couples the two.
template <class T, class C>
GYROSTAT_APART void add_modal_rows(const MechanismOf<C>& mechanism, std::uint32_t number,
                                   const Kinematics<T>& kinematics, Inertia<T>& A, const TriangleRows<T>& M) {
  const FlexibleOf<C>& f = mechanism.flexible[number];
  const Deformation<T>& d = kinematics.deformations[number];
  const T zero(0.0), mass(f.mass);
  A.I += d.J;
  A.H += Mat3<T>{{zero, d.mc.z, -d.mc.y}, {-d.mc.z, zero, d.mc.x}, {d.mc.y, -d.mc.x, zero}};
  A.M += Sym3<T>{mass, mass, mass, zero, zero, zero};
  for (std::uint32_t a = 0; a < f.modes; ++a) {
    T* row = M.row(f.u + a);
    row[f.u + a] += T(1.0);
    add_inboard(mechanism, kinematics, f.body, kinematics.modes[f.modal + a].C, row);
  }
}

/// (1), (2): composite inertias inwards, then for every speed the wrench that its unit acceleration needs, taken from
/// joint to joint towards the base. `composite` by body; entries of M that are never written must be zero.
template <class T, class C>
GYROSTAT_INLINE void assemble_mass_matrix(const MechanismOf<C>& mechanism, const Kinematics<T>& kinematics,
                                          std::vector<Inertia<T>>& composite, const TriangleRows<T>& M) {
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  for (std::uint32_t i = 0; i < count; ++i) composite[i] = {};
  for (const FlexibleOf<C>& f : mechanism.flexible) {
    for (std::uint32_t k = f.u; k < f.u + f.modes; ++k) std::fill_n(M.row(k), k + 1, T(0.0));
  }
  for (std::uint32_t i = count - 1; i > 0; --i) {
    const LinkOf<C>& link = mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    add_inertia(link, moments(link, body.R_NM), composite[i]);
    if (link.flexible != LinkStructure::none) add_modal_rows(mechanism, link.flexible, kinematics, composite[i], M);
    if (link.parent != 0) composite[link.parent] += moved(composite[i], body.r);

    Twist<T> only;
    const Twist<T>* S = subspace_of(link, kinematics, body, only);
    for (std::size_t k = 0; k < link.nu; ++k) {
      Wrench<T> F = composite[i] * S[k];
      T* row = M.row(link.u + k);
      if (link.motion == JointMotion::modal) {
        for (std::size_t l = 0; l <= k; ++l) row[link.u + l] += product(S[l], F);
        add_inboard(mechanism, kinematics, link.parent, moved(F, body.r), row);
        continue;
      }
      for (std::size_t l = 0; l <= k; ++l) row[link.u + l] = product(S[l], F);
      for (std::uint32_t j = i; mechanism.links[j].parent != 0;) {
        F = moved(F, kinematics.bodies[j].r);
        j = mechanism.links[j].parent;
        const LinkOf<C>& inner = mechanism.links[j];
        Twist<T> inner_only;
        const Twist<T>* inner_S = subspace_of(inner, kinematics, kinematics.bodies[j], inner_only);
        for (std::size_t l = 0; l < inner.nu; ++l) row[inner.u + l] = product(inner_S[l], F);
      }
    }
  }
  for (const WheelOf<C>& wheel : mechanism.wheels) {  // (3)
    T* row = M.row(wheel.u);
    row[wheel.u] = T(wheel.inertia);
    const Vec3<T> h = T(wheel.inertia) * (kinematics.bodies[wheel.body].R_NM * wheel.axis);
    for (std::uint32_t j = wheel.body; j != 0; j = mechanism.links[j].parent) {
      const LinkOf<C>& link = mechanism.links[j];
      Twist<T> only;
      const Twist<T>* S = subspace_of(link, kinematics, kinematics.bodies[j], only);
      for (std::size_t l = 0; l < link.nu; ++l) row[link.u + l] = dot(S[l].w, h);
    }
  }
}

GYROSTAT_INLINE void assemble_mass_matrix(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                                          CompositeBodyData& w) {
  assemble_mass_matrix<double, double>(mechanism, kinematics, w.composite,
                                       TriangleRows<double>{w.mass_matrix.entries.data(), w.mass_matrix.size});
}

/// (5): M = L^T D L in place, from the tips inwards, so that rows keep their zeros.
GYROSTAT_INLINE void factor(CompositeBodyData& w) {
  LowerTriangle& M = w.factors;
  for (auto k = static_cast<std::int64_t>(M.size) - 1; k >= 0; --k) {
    double* row_k = M.row(static_cast<std::size_t>(k));
    const double D_inverse = 1 / row_k[k];
    for (std::int64_t i = w.inboard[static_cast<std::size_t>(k)]; i >= 0; i = w.inboard[static_cast<std::size_t>(i)]) {
      const double a = row_k[i] * D_inverse;
      double* row_i = M.row(static_cast<std::size_t>(i));
      for (std::int64_t j = 0; j <= i; ++j) row_i[j] -= a * row_k[j];
      row_k[i] = a;
    }
  }
}

/// (6): the right-hand side becomes the solution.
GYROSTAT_INLINE void solve(CompositeBodyData& w) {
  const LowerTriangle& L = w.factors;
  std::vector<double>& x = w.right;
  for (auto k = static_cast<std::int64_t>(L.size) - 1; k >= 0; --k) {
    const auto row = static_cast<std::size_t>(k);
    for (std::int64_t i = w.inboard[row]; i >= 0; i = w.inboard[static_cast<std::size_t>(i)]) {
      x[static_cast<std::size_t>(i)] -= L.row(row)[i] * x[row];
    }
  }
  for (std::size_t k = 0; k < L.size; ++k) {
    double sum = x[k] / L.row(k)[k];
    for (std::int64_t i = w.inboard[k]; i >= 0; i = w.inboard[static_cast<std::size_t>(i)]) {
      sum -= L.row(k)[i] * x[static_cast<std::size_t>(i)];
    }
    x[k] = sum;
  }
}

GYROSTAT_INLINE void composite_body_accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                                                  const double* u, const Forces<double>& forces, CompositeBodyData& w,
                                                  double* udot) {
  assemble_mass_matrix(mechanism, kinematics, w);
  // What is given moves to the right-hand side.       (4)
  const std::size_t nu = mechanism.nu;
  transmit(mechanism, kinematics, u, w.none.data(), forces, w.transmitted, w.bias.data());
  set_given(forces, udot);
  number_free_speeds(mechanism, forces, w);
  for (std::size_t a = 0; a < w.free.size(); ++a) {
    const std::size_t k = w.free[a];
    double known = 0;
    for (std::size_t l = 0; l < nu; ++l)
      known += (l <= k ? w.mass_matrix.row(k)[l] : w.mass_matrix.row(l)[k]) * udot[l];
    w.right[a] = forces.tau[k] - w.bias[k] - known;
    for (std::size_t b = 0; b <= a; ++b) w.factors.row(a)[b] = w.mass_matrix.row(k)[w.free[b]];
  }
  factor(w);
  solve(w);
  for (std::size_t a = 0; a < w.free.size(); ++a) udot[w.free[a]] = w.right[a];
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
