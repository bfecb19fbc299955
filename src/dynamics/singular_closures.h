// Accelerations where rows of the constraints are nearly dependent, and the recursion loses digits with the square of
// their distance from it: a complete orthogonal decomposition loses them only with the distance. It takes a matrix and
// allocates: for the few evaluations on the way through a singular configuration.
#pragma once

#include "gyrostat/dynamics/closures.h"
#include "gyrostat/dynamics/composite_body.h"

namespace gyrostat {

/// Derivatives of all speeds and multipliers of all rows, of least norm. `closures.plan` gives the rows' scales.
void accelerations_near_singularity(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                                    const Forces<double>& forces, Closures<double>& closures, double* udot);

}  // namespace gyrostat
