// Compiled once for each kind of processor, with GYROSTAT_PROCESSOR its name: the rows of all constraints.
#include "gyrostat/constraints/rows_kernel.h"

#define GYROSTAT_STRING(name) #name
#define GYROSTAT_NAME(name) GYROSTAT_STRING(name)

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

namespace {

[[GYROSTAT_WHOLE]] void evaluate_rows(const Constraints& constraints, const Mechanism& mechanism,
                                      const Kinematics<double>& kinematics, const double* q, const double* u,
                                      const GivenValue<double>* equals, const ClosurePlan* plan,
                                      ConstraintRow<double>* rows) {
  evaluate(constraints, mechanism, kinematics, q, u, static_cast<const double*>(nullptr), equals, rows, false, plan);
}

}  // namespace

extern const RowsKernel rows_kernel;
const RowsKernel rows_kernel = {GYROSTAT_NAME(GYROSTAT_PROCESSOR), evaluate_rows};

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
