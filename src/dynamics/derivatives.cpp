#include "gyrostat/dynamics/derivatives.h"

#include <algorithm>

#include "gyrostat/dynamics/coordinate_rates.h"
#include "gyrostat/dynamics/kernels.h"

namespace gyrostat {

namespace {

std::size_t loaded_nodes(const Mechanism& mechanism) {
  std::size_t count = 0;
  for (const FlexibleOf<double>& body : mechanism.flexible) count += body.loaded;
  return count;
}

}  // namespace

DerivativesData::DerivativesData(const Mechanism& mechanism)
    : increment(mechanism.links.size()),
      transmitted(mechanism.links.size()),
      tau(mechanism.nu),
      udot(mechanism.nu),
      right(mechanism.nu),
      bias(mechanism.links.size()),
      change(mechanism.links.size()),
      has_bias(mechanism.links.size()),
      nodes(6 * loaded_nodes(mechanism)),
      motion(mechanism.links.size()) {}

Composites::Composites(const Mechanism& mechanism) : first(1), bodies(mechanism.links.size()), rows(mechanism.nu) {
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    if (mechanism.links[i].special || !mechanism.flexible.empty()) first = i + 1;
  }
}

Derivatives::Derivatives(const Mechanism& mechanism)
    : udot(mechanism.nu),
      articulated(mechanism),
      kinematics(mechanism),
      directional(mechanism),
      q(mechanism.nq),
      u(mechanism.nu),
      unit(mechanism.nu),
      qdot(mechanism.nq),
      along(mechanism.nu),
      forces(*mechanism.system),
      data(mechanism),
      composites(mechanism),
      body_of(mechanism.nu) {
  by_q.rows = by_u.rows = by_q.columns = by_u.columns = mechanism.nu;
  by_q.entries.resize(mechanism.nu * mechanism.nu);
  by_u.entries.resize(mechanism.nu * mechanism.nu);
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    std::fill_n(body_of.begin() + mechanism.links[i].u, mechanism.links[i].nu, i);
  }
  for (const WheelLink& wheel : mechanism.wheels) body_of[wheel.u] = wheel.body;
}

namespace {

constexpr std::size_t lanes = 8;

void set_forces(const Forces<double>& from, Forces<Directional>& to) {
  for (std::size_t k = 0; k < from.tau.size(); ++k) {
    to.tau[k] = from.tau[k];
    to.udot[k] = from.udot[k];
    to.free[k] = from.free[k];
  }
  for (std::size_t i = 0; i < from.wrench.size(); ++i) {
    to.wrench[i] = {cast<Directional>(from.wrench[i].torque), cast<Directional>(from.wrench[i].force)};
  }
}

/// The speeds `first` .. `first` + 7 as directions; or, with 0, no more.
void set_units(std::size_t first, double unit, std::vector<Directional>& speeds) {
  for (std::size_t j = 0; j < lanes && first + j < speeds.size(); ++j) speeds[first + j].d[j] = unit;
}

/// The bodies to which the speeds `first` .. `first` + 7 belong, up to the last that is no part of a composite. All
/// where bodies bend.
BodyRange varied_bodies(const Mechanism& mechanism, const Derivatives& w, std::size_t first) {
  if (!mechanism.flexible.empty()) return all_bodies(mechanism);
  const auto begin = w.body_of.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = begin + static_cast<std::ptrdiff_t>(std::min(lanes, w.body_of.size() - first));
  const auto [least, most] = std::minmax_element(begin, end);
  return {*least, std::max(*most + 1, w.composites.first)};
}

/// The motion of bodies that do not vary but whose children do.
void set_parents(const Mechanism& mechanism, const BodyRange& varied, Derivatives& w) {
  for (std::uint32_t i = varied.first; i < varied.last; ++i) {
    const std::uint32_t parent = mechanism.links[i].parent;
    if (parent >= varied.first) continue;
    const BodyMotion<double>& from = w.kinematics.bodies[parent];
    w.directional.bodies[parent] = {cast<Directional>(from.R_NM), cast<Directional>(from.r),
                                    cast<Directional>(from.w),    cast<Directional>(from.alpha),
                                    cast<Directional>(from.W),    cast<Directional>(from.a)};
  }
}

void differentiate_block(const Kernels& k, const Differentiated& at, const BodyRange& varied, std::size_t first,
                         JacobianRows& rows, Derivatives& w) {
  k.update_directional(at.mechanism, varied, w.q.data(), w.u.data(), w.directional);
  k.differentiate(at, varied, w.directional, w.u.data(), w.forces, {}, w.data, w.along.data());
  for (std::size_t row = 0; row < rows.rows; ++row) {
    const std::size_t count = std::min(lanes, rows.columns - first);
    std::copy_n(w.along[row].d.data(), count, rows.entries.data() + row * rows.columns + first);
  }
}

}  // namespace

void differentiate(const Mechanism& mechanism, const double* q, const double* u, const Forces<double>& forces,
                   Derivatives& w) {
  differentiate(kernels(), mechanism, q, u, forces, w);
}

void differentiate(const Kernels& k, const Mechanism& mechanism, const double* q, const double* u,
                   const Forces<double>& forces, Derivatives& w) {
  k.one.update(mechanism, q, u, w.kinematics);
  k.one.accelerations(mechanism, w.kinematics, u, forces, w.articulated, w.udot.data());
  set_forces(forces, w.forces);
  const Differentiated at{mechanism, w.kinematics, w.articulated, w.udot.data(), nullptr, &w.composites};
  k.find_composites(at, u, forces, w.composites);
  for (std::size_t j = 0; j < mechanism.nu; ++j) w.u[j] = u[j];
  for (std::size_t first = 0; first < mechanism.nu; first += lanes) {
    const BodyRange varied = varied_bodies(mechanism, w, first);
    set_parents(mechanism, varied, w);
    for (std::size_t j = 0; j < mechanism.nq; ++j) w.q[j] = q[j];
    set_units(first, 1, w.u);
    differentiate_block(k, at, varied, first, w.by_u, w);
    set_units(first, 0, w.u);
    set_units(first, 1, w.unit);  // coordinates change as speeds would have them: linearly
    coordinate_rates(*mechanism.system, w.q.data(), w.unit.data(), w.qdot.data());
    set_units(first, 0, w.unit);
    for (std::size_t j = 0; j < mechanism.nq; ++j) w.q[j].d = w.qdot[j].d;
    differentiate_block(k, at, varied, first, w.by_q, w);
  }
}

}  // namespace gyrostat
