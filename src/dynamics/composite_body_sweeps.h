// The loops of the composite-body method; compiled by kernels.cpp.
#pragma once

#include <algorithm>

#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/dynamics/free_speeds.h"
#include "gyrostat/dynamics/inverse_dynamics_sweeps.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// Adds the products of a wrench on body j with the motion-subspace columns of the joints from it inwards.
GYROSTAT_INLINE void add_inboard(const Mechanism& mechanism, const Kinematics<double>& kinematics, std::uint32_t j,
                                 Wrench<double> F, double* row) {
  for (; j != 0; j = mechanism.links[j].parent) {
    const Link& link = mechanism.links[j];
    const BodyMotion<double>& body = kinematics.bodies[j];
    Twist<double> only;
    const Twist<double>* S = subspace_of(link, kinematics, body, only);
    for (std::size_t l = 0; l < link.nu; ++l) row[link.u + l] += product(S[l], F);
    F = moved(F, body.r);
  }
}

/// The modes of a flexible body by itself: its own inertia, unit modal mass, and what couples the two.
GYROSTAT_APART void add_modal_rows(const Mechanism& mechanism, std::uint32_t number,
                                   const Kinematics<double>& kinematics, CompositeBodyData& w) {
  const FlexibleOf<double>& f = mechanism.flexible[number];
  const Deformation<double>& d = kinematics.deformations[number];
  Inertia<double>& A = w.composite[f.body];
  A.I += d.J;
  A.H += Mat3<double>{{0, d.mc.z, -d.mc.y}, {-d.mc.z, 0, d.mc.x}, {d.mc.y, -d.mc.x, 0}};
  A.M += Sym3<double>{f.mass, f.mass, f.mass, 0, 0, 0};
  for (std::uint32_t a = 0; a < f.modes; ++a) {
    double* row = w.mass_matrix.row(f.u + a);
    row[f.u + a] += 1;
    add_inboard(mechanism, kinematics, f.body, kinematics.modes[f.modal + a].C, row);
  }
}

/// (1), (2): composite inertias inwards, then for every speed the wrench that its unit acceleration needs, taken from
/// joint to joint towards the base.
GYROSTAT_INLINE void assemble_mass_matrix(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                                          CompositeBodyData& w) {
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  for (std::uint32_t i = 0; i < count; ++i) w.composite[i] = {};
  for (const FlexibleOf<double>& f : mechanism.flexible) {
    for (std::uint32_t k = f.u; k < f.u + f.modes; ++k) std::fill_n(w.mass_matrix.row(k), k + 1, 0.0);
  }
  for (std::uint32_t i = count - 1; i > 0; --i) {
    const Link& link = mechanism.links[i];
    const BodyMotion<double>& body = kinematics.bodies[i];
    add_inertia(link, moments(link, body.R_NM), w.composite[i]);
    if (link.flexible != LinkStructure::none) add_modal_rows(mechanism, link.flexible, kinematics, w);
    if (link.parent != 0) w.composite[link.parent] += moved(w.composite[i], body.r);

    Twist<double> only;
    const Twist<double>* S = subspace_of(link, kinematics, body, only);
    for (std::size_t k = 0; k < link.nu; ++k) {
      Wrench<double> F = w.composite[i] * S[k];
      double* row = w.mass_matrix.row(link.u + k);
      if (link.motion == JointMotion::modal) {
        for (std::size_t l = 0; l <= k; ++l) row[link.u + l] += product(S[l], F);
        add_inboard(mechanism, kinematics, link.parent, moved(F, body.r), row);
        continue;
      }
      for (std::size_t l = 0; l <= k; ++l) row[link.u + l] = product(S[l], F);
      for (std::uint32_t j = i; mechanism.links[j].parent != 0;) {
        F = moved(F, kinematics.bodies[j].r);
        j = mechanism.links[j].parent;
        const Link& inner = mechanism.links[j];
        Twist<double> inner_only;
        const Twist<double>* inner_S = subspace_of(inner, kinematics, kinematics.bodies[j], inner_only);
        for (std::size_t l = 0; l < inner.nu; ++l) row[inner.u + l] = product(inner_S[l], F);
      }
    }
  }
  for (const WheelLink& wheel : mechanism.wheels) {  // (3)
    double* row = w.mass_matrix.row(wheel.u);
    row[wheel.u] = wheel.inertia;
    const Vec3<double> h = wheel.inertia * (kinematics.bodies[wheel.body].R_NM * wheel.axis);
    for (std::uint32_t j = wheel.body; j != 0; j = mechanism.links[j].parent) {
      const Link& link = mechanism.links[j];
      Twist<double> only;
      const Twist<double>* S = subspace_of(link, kinematics, kinematics.bodies[j], only);
      for (std::size_t l = 0; l < link.nu; ++l) row[link.u + l] = dot(S[l].w, h);
    }
  }
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
