// The plan of the articulated-body recursion for a system with constraints: which rows are independent, and at which
// body each is eliminated. docs/theory/closures.md says why.
#pragma once

#include <string>

#include "gyrostat/dynamics/closures.h"
#include "gyrostat/dynamics/kinematics.h"

namespace gyrostat {

/// A pivot over its scale below which a row depends on the others: rows of J that differ by less than 1e-6.
inline constexpr double redundant_pivot = 1e-12;

struct ClosureChoice {
  std::vector<std::uint32_t> node_of;  // by row, as in ClosurePlan
  std::vector<double> scale;           // the same
  double weakest = 1;                  // the smallest pivot that was taken, over its scale
  std::uint32_t massless = 0;          // a body whose joint can move without moving mass before loops are closed, or 0
};

/// Runs the recursion once with all rows, choosing. Positions are those of `kinematics`, where the constraints hold.
ClosureChoice choose_rows(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                          const std::vector<Truth>& free, const RowStructure& structure,
                          const ConstraintRows<double>& rows);

/// What follows from the choice.
ClosurePlan make_plan(const Mechanism& mechanism, const RowStructure& structure,
                      const std::vector<std::uint32_t>& node_of, const std::vector<double>& scale);

}  // namespace gyrostat
