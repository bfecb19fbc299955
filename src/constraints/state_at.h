// What a constraint is evaluated at.
#pragma once

#include <cstdint>
#include <span>

#include "gyrostat/dynamics/closure_plan.h"
#include "gyrostat/dynamics/constraint_rows.h"
#include "gyrostat/dynamics/kinematics.h"

namespace gyrostat {

/// Coordinates q and speeds u, the outward pass there, at speeds' derivatives `udot`, or at none (null); and the values
/// that constraints are given.
template <class T, class M>
struct StateAt {
  const M& mechanism;
  const Kinematics<T>& kinematics;
  const T *q, *u, *udot;
  const GivenValue<T>* equals;
  std::span<const std::uint32_t> paths;  // through the tree, of all pairs of nodes
  bool frozen = false;  // the Jacobian is that of points where they are to be, not are: the same where the rows hold
  const ClosurePlan* plan = nullptr;  // only the rows that it keeps are wanted; none: all

  [[nodiscard]] bool wants(std::uint32_t row) const {
    return plan == nullptr || plan->node_of[row] != ClosurePlan::none;
  }
};

inline namespace GYROSTAT_PROCESSOR {

/// The row's function becomes its difference from the value that is given.
template <class T>
void subtract(const GivenValue<T>& given, ConstraintRow<T>& row) {
  row.residual = row.residual - given.value;
  row.rate = row.rate - given.rate;
  row.acceleration = row.acceleration - given.acceleration;
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
