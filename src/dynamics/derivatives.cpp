#include "gyrostat/dynamics/derivatives.h"

#include <algorithm>

#include "gyrostat/dynamics/coordinate_rates.h"

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
      nodes(6 * loaded_nodes(mechanism)) {}

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
      data(mechanism) {
  by_q.rows = by_u.rows = by_q.columns = by_u.columns = mechanism.nu;
  by_q.entries.resize(mechanism.nu * mechanism.nu);
  by_u.entries.resize(mechanism.nu * mechanism.nu);
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

/// The speeds `first` .. `first` + 7 as directions.
void set_units(std::size_t first, std::vector<Directional>& speeds) {
  for (Directional& speed : speeds) speed.d = {};
  for (std::size_t j = 0; j < lanes && first + j < speeds.size(); ++j) speeds[first + j].d[j] = 1;
}

void differentiate_block(const Differentiated& at, std::size_t first, JacobianRows& rows, Derivatives& w) {
  update(at.mechanism, w.q.data(), w.u.data(), w.directional);
  differentiate(at, w.directional, w.u.data(), w.forces, {}, w.data, w.along.data());
  for (std::size_t k = 0; k < rows.rows; ++k) {
    const std::size_t count = std::min(lanes, rows.columns - first);
    std::copy_n(w.along[k].d.data(), count, rows.entries.data() + k * rows.columns + first);
  }
}

}  // namespace

void differentiate(const Mechanism& mechanism, const double* q, const double* u, const Forces<double>& forces,
                   Derivatives& w) {
  update(mechanism, q, u, w.kinematics);
  accelerations(mechanism, w.kinematics, u, forces, w.articulated, w.udot.data());
  set_forces(forces, w.forces);
  const Differentiated at{mechanism, w.kinematics, w.articulated, w.udot.data()};
  for (std::size_t k = 0; k < mechanism.nq; ++k) w.q[k] = q[k];
  for (std::size_t k = 0; k < mechanism.nu; ++k) w.u[k] = u[k];
  for (std::size_t first = 0; first < mechanism.nu; first += lanes) {
    set_units(first, w.u);
    differentiate_block(at, first, w.by_u, w);
  }
  for (Directional& speed : w.u) speed.d = {};
  for (std::size_t first = 0; first < mechanism.nu; first += lanes) {
    set_units(first, w.unit);  // coordinates change as speeds would have them: linearly
    coordinate_rates(*mechanism.system, w.q.data(), w.unit.data(), w.qdot.data());
    for (std::size_t k = 0; k < mechanism.nq; ++k) w.q[k].d = w.qdot[k].d;
    differentiate_block(at, first, w.by_q, w);
    for (Directional& coordinate : w.q) coordinate.d = {};
  }
}

}  // namespace gyrostat
