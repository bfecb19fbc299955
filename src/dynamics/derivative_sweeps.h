// The sweeps of the derivatives; compiled by kernels.cpp.
#pragma once

#include <cstring>

#include "gyrostat/dynamics/inverse_dynamics_sweeps.h"
#include "gyrostat/dynamics/outboard_sweeps.h"
#include "gyrostat/dynamics/solve_sweeps.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// Outwards: what udot adds to the bias accelerations, with the derivatives that the geometry gives it. `plain` are
/// those of bodies that do not vary.       (3)
template <class T>
GYROSTAT_INLINE void find_increments(const Mechanism& mechanism, const BodyRange& varied,
                                     const Kinematics<T>& kinematics, const T* udot, const Twist<double>* plain,
                                     Twist<T>* increment) {
  Twist<T> at{};
  for (std::uint32_t i = varied.first; i < varied.last; ++i) {
    const Link& link = mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    if (link.parent < varied.first) {
      at = {cast<T>(plain[link.parent].w), cast<T>(plain[link.parent].v)};
    } else if (link.parent != i - 1) {
      at = increment[link.parent];
    }
    at.v += cross(at.w, body.r);
    if (link.motion == JointMotion::revolute) {
      at.w += udot[link.u] * body.R_NM.z;
    } else if (link.motion == JointMotion::prismatic) {
      at.v += udot[link.u] * body.R_NM.z;
    } else {
      for (std::uint32_t k = 0; k < link.nu; ++k) {
        at.w += udot[link.u + k] * kinematics.S[link.S + k].w;
        at.v += udot[link.u + k] * kinematics.S[link.S + k].v;
      }
    }
    increment[i] = at;
  }
}

/// Inwards: inverse dynamics at these accelerations. `transmitted` begins as what bodies outboard of the varied ones
/// hand over, and `tau` as zero.
template <class T>
GYROSTAT_INLINE void transmit_increments(const Mechanism& mechanism, const BodyRange& varied,
                                         const Kinematics<T>& kinematics, const T* u, const T* udot,
                                         const Forces<T>& forces, const Wrench<T>* exerted, const Twist<T>* increment,
                                         Wrench<T>* transmitted, T* tau) {
  for (std::uint32_t i = varied.last; i-- > varied.first;) {
    const Link& link = mechanism.links[i];
    const BodyMotion<T>& bias = kinematics.bodies[i];
    const Vec3<T>& w = increment[i].w;
    Wrench<T> needed =
        required_wrench(link.mass, moments(link, bias.R_NM), incremented(bias.W, w), bias.a + increment[i].v);
    if (link.special) [[unlikely]] {
      BodyMotion<T> body = bias;
      body.alpha += w;
      if (link.flexible != LinkStructure::none) {
        Wrench<T> sum = needed;  // a copy: `needed` itself stays in registers
        need_of_modes<T, double>(mechanism.flexible[link.flexible], link.flexible, kinematics, body.alpha,
                                 bias.a + increment[i].v, udot, sum, tau);
        needed = sum;
      }
      need_of_wheels(mechanism, i, body, u, udot, needed, tau);
    }
    needed.torque += transmitted[i].torque - forces.wrench[i].torque;
    needed.force += transmitted[i].force - forces.wrench[i].force;
    if (exerted != nullptr) {
      needed.torque -= exerted[i].torque;
      needed.force -= exerted[i].force;
    }
    if (link.motion == JointMotion::revolute) {
      tau[link.u] = dot(bias.R_NM.z, needed.torque);
    } else if (link.motion == JointMotion::prismatic) {
      tau[link.u] = dot(bias.R_NM.z, needed.force);
    } else {
      project_columns(link, kinematics, needed, tau);
    }
    transmitted[link.parent] += moved(needed, bias.r);
  }
}

/// What the multipliers at the point exert on the bodies, and what is left of the rows at the point's accelerations.
GYROSTAT_INLINE void differentiate_rows(const Differentiated& at, const Closures<Directional>& closures,
                                        DerivativesData& w) {
  const ClosurePlan& plan = *at.closures->plan;
  const RowStructure& structure = *at.closures->structure;
  for (Wrench<Directional>& wrench : w.exerted) wrench = {};
  for (Directional& reached : w.reached) reached = Directional(0.0);
  for (std::size_t t = 0; t < structure.terms.size(); ++t) {
    Directional& reached = w.reached[structure.terms[t].row];
    reached = reached + at.closures->values.coefficients[t] * w.udot[structure.terms[t].u];
  }
  for (std::size_t k = 0; k < plan.kept.size(); ++k) {
    const std::uint32_t row = plan.kept[k];
    Directional left = closures.demanded[row] - w.reached[row];
    for (std::size_t side = 0; side < 2; ++side) {
      const std::uint32_t body = structure.bodies[row][side];
      if (body == 0) continue;
      const Wrench<Directional>& F = closures.values.rows[row].on_bodies[side];
      left = left - product(w.increment[body], F);
      w.exerted[body].torque += at.closures->multipliers[row] * F.torque;
      w.exerted[body].force += at.closures->multipliers[row] * F.force;
    }
    w.y[k].lanes = left.d;
  }
}

/// The derivatives of udot along eight directions.       (2)
GYROSTAT_INLINE void derivative_sweeps(const Differentiated& at, const BodyRange& varied,
                                       const Kinematics<Directional>& kinematics, const Directional* u,
                                       const Forces<Directional>& forces, const Closures<Directional>& closures,
                                       DerivativesData& w, Directional* udot) {
  const Mechanism& mechanism = at.mechanism;
  const std::size_t nu = mechanism.nu;
  for (std::size_t k = 0; k < nu; ++k) {
    w.udot[k] = forces.free[k] ? Directional(0.0) : forces.udot[k];
    w.udot[k].value = at.udot[k];
    w.tau[k] = Directional(0.0);
    w.right[k].lanes = forces.tau[k].d;
  }
  for (std::uint32_t i = varied.first; i < varied.last; ++i) {
    w.transmitted[i] = {};
    if (mechanism.links[i].parent < varied.first) w.transmitted[mechanism.links[i].parent] = {};
  }
  find_increments(mechanism, varied, kinematics, w.udot.data(), at.articulated.increment.data(), w.increment.data());
  if (at.closures != nullptr) differentiate_rows(at, closures, w);
  for (std::size_t from = 0; from < 8; from += native_lanes) move_outboard(at, varied, kinematics, from, w);
  transmit_increments(mechanism, varied, kinematics, u, w.udot.data(), forces,
                      at.closures != nullptr ? w.exerted.data() : nullptr, w.increment.data(), w.transmitted.data(),
                      w.tau.data());
  for (std::size_t k = 0; k < nu; ++k) {
    for (std::size_t j = 0; j < 8; ++j) w.right[k].lanes[j] -= w.tau[k].d[j];
  }
  for (std::size_t from = 0; from < 8; from += native_lanes) {
    std::memset(w.has_bias.data(), 0, w.has_bias.size());
    for (std::uint32_t i = varied.first; i < varied.last; ++i) {  // further inward the wrench is a bias force
      const std::uint32_t parent = mechanism.links[i].parent;
      if (parent >= varied.first || w.has_bias[parent] != 0) continue;
      const Wrench<Directional>& F = w.transmitted[parent];
      add_bias({derivative(F.torque, from), derivative(F.force, from)}, parent, from, w);
    }
    solve_directions(at, forces.free.data(), from, w);
  }
  for (std::size_t k = 0; k < nu; ++k) {
    udot[k] = w.udot[k];
    if (forces.free[k]) udot[k].d = w.right[k].lanes;
  }
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
