// The rows of all constraints by code for the processor that is there.
#pragma once

#include "gyrostat/constraints/constraints.h"

namespace gyrostat {

struct RowsKernel {
  const char* processor;
  void (*evaluate)(const Constraints&, const Mechanism&, const Kinematics<double>&, const double* q, const double* u,
                   const GivenValue<double>* equals, const ClosurePlan* plan, ConstraintRow<double>* rows);
};

/// Of the same processor as the recursions in use.
const RowsKernel& rows_kernel_in_use();

}  // namespace gyrostat
