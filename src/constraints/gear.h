// q2 - ratio q1 - offset = 0 between the coordinates of two joints of the tree.
#pragma once

#include <span>
#include <vector>

#include "gyrostat/constraints/row.h"
#include "gyrostat/dynamics/kinematics.h"

namespace gyrostat {

template <class C>
struct GearConstraint {
  std::uint32_t q1 = 0, q2 = 0, u1 = 0, u2 = 0;  // in the state
  C ratio{}, offset{};                           // [1, m/rad or rad/m], [rad or m]
  std::uint32_t first_row = 0;

  [[nodiscard]] static std::uint32_t rows() { return 1; }
  [[nodiscard]] RowPlaces places() const { return {{}, {u1, u2}}; }

  template <class D>
  [[nodiscard]] GearConstraint<D> as() const {
    return {q1, q2, u1, u2, D(ratio), D(offset), first_row};
  }
};

inline GearConstraint<double> make_constraint(const Gear& gear, const Mechanism& mechanism,
                                              std::vector<std::uint32_t>& /*paths*/) {
  const Joint &first = mechanism.system->joints[gear.joints[0]], &second = mechanism.system->joints[gear.joints[1]];
  return {first.q, second.q, first.u, second.u, gear.ratio, gear.offset, 0};
}

inline namespace GYROSTAT_PROCESSOR {

template <class T, class C, class M>
void evaluate(const GearConstraint<C>& gear, std::span<const std::uint32_t> /*paths*/, const M& /*mechanism*/,
              const Kinematics<T>& /*kinematics*/, const T* q, const T* u, const T* udot, ConstraintRow<T>* row) {
  const T ratio(gear.ratio);
  row->residual = q[gear.q2] - ratio * q[gear.q1] - T(gear.offset);
  row->rate = u[gear.u2] - ratio * u[gear.u1];
  row->acceleration = udot != nullptr ? udot[gear.u2] - ratio * udot[gear.u1] : T(0.0);
  row->on_speeds = {-ratio, T(1.0)};
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
