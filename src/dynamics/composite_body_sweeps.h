// The loops of the composite-body method; compiled by kernels.cpp.
#pragma once

#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/dynamics/free_speeds.h"
#include "gyrostat/dynamics/inverse_dynamics_sweeps.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// (1), (2): composite inertias inwards, then for every column the force that its unit acceleration needs, taken from
/// joint to joint towards the base.
[[gnu::always_inline]] inline void assemble_mass_matrix(const Mechanism& mechanism,
                                                        const Kinematics<double>& kinematics, CompositeBody& w) {
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  for (std::uint32_t i = 0; i < count; ++i) w.composite[i] = {};
  for (std::uint32_t i = count - 1; i > 0; --i) {
    const Link& link = mechanism.links[i];
    const BodyMotion<double>& body = kinematics.bodies[i];
    add_inertia(link, moments(link, body.R), w.composite[i]);
    if (link.parent != 0) w.composite[link.parent] += moved(w.composite[i], body.r);

    Column<double> only;
    const Column<double>* columns = columns_of(link, kinematics, body, only);
    for (std::size_t k = 0; k < link.nu; ++k) {
      Wrench<double> F = w.composite[i] * columns[k];
      double* row = w.mass_matrix.row(link.u + k);
      for (std::size_t l = 0; l <= k; ++l) row[link.u + l] = product(columns[l], F);
      for (std::uint32_t j = i; mechanism.links[j].parent != 0;) {
        F = moved(F, kinematics.bodies[j].r);
        j = mechanism.links[j].parent;
        const Link& inner = mechanism.links[j];
        Column<double> inner_only;
        const Column<double>* inner_columns = columns_of(inner, kinematics, kinematics.bodies[j], inner_only);
        for (std::size_t l = 0; l < inner.nu; ++l) row[inner.u + l] = product(inner_columns[l], F);
      }
    }
  }
  for (const WheelLink& wheel : mechanism.wheels) {  // (3)
    double* row = w.mass_matrix.row(wheel.u);
    row[wheel.u] = wheel.inertia;
    const Vec3<double> h = wheel.inertia * (kinematics.bodies[wheel.body].R * wheel.axis);
    for (std::uint32_t j = wheel.body; j != 0; j = mechanism.links[j].parent) {
      const Link& link = mechanism.links[j];
      Column<double> only;
      const Column<double>* columns = columns_of(link, kinematics, kinematics.bodies[j], only);
      for (std::size_t l = 0; l < link.nu; ++l) row[link.u + l] = dot(columns[l].w, h);
    }
  }
}

/// (5): M = L^T D L in place, from the tips inwards, so that rows keep their zeros.
[[gnu::always_inline]] inline void factor(CompositeBody& w) {
  LowerTriangle& M = w.factors;
  for (auto k = static_cast<std::int64_t>(M.size) - 1; k >= 0; --k) {
    double* row_k = M.row(static_cast<std::size_t>(k));
    const double per_D = 1 / row_k[k];
    for (std::int64_t i = w.inboard[static_cast<std::size_t>(k)]; i >= 0; i = w.inboard[static_cast<std::size_t>(i)]) {
      const double a = row_k[i] * per_D;
      double* row_i = M.row(static_cast<std::size_t>(i));
      for (std::int64_t j = 0; j <= i; ++j) row_i[j] -= a * row_k[j];
      row_k[i] = a;
    }
  }
}

/// (6): the right-hand side becomes the solution.
[[gnu::always_inline]] inline void solve(CompositeBody& w) {
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

[[gnu::always_inline]] inline void composite_body_accelerations(const Mechanism& mechanism,
                                                                const Kinematics<double>& kinematics, const double* u,
                                                                const Forces<double>& forces, CompositeBody& w,
                                                                double* udot) {
  assemble_mass_matrix(mechanism, kinematics, w);
  // What is given moves to the right-hand side.       (4)
  const std::size_t nu = mechanism.nu;
  transmit(mechanism, kinematics, u, w.none.data(), forces, w.through, w.bias.data());
  set_given(mechanism, forces, udot);
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
