// The Jacobian of constraint rows by all speeds, as a matrix: for formulations with matrices, and for assembly.
#pragma once

#include <span>

#include "gyrostat/dynamics/constraint_rows.h"
#include "gyrostat/dynamics/kinematics.h"

namespace gyrostat {

/// Row k of J belongs to rows[k]. `kinematics` is an outward pass at the configuration of `values`.
void find_jacobian(const Mechanism& mechanism, const Kinematics<double>& kinematics, const RowStructure& structure,
                   const ConstraintRows<double>& values, std::span<const std::uint32_t> rows,
                   Eigen::Ref<Eigen::MatrixXd> J);

}  // namespace gyrostat
