// Small motion of a free-flying tree about a configuration at rest, forces taken to act where the bodies are in it
// (Fleischer and Likins 1974, Eq. 14): no transformations between bodies at all. Numbers in comments are the equations
// of docs/theory/linear_total_fixed.md.
#pragma once

#include "gyrostat/dynamics/linear_total.h"

namespace gyrostat {

struct LinearTotalFixed {
  SmallMotion small;

  LinearTotalFixed(const System& system, const DynamicsSettings& settings) : small(system, settings) {}
};

/// Derivatives of all speeds. Precondition: the workspace was made of this system. The domain is that of linear_total.
void accelerations(const System& system, const State& state, const Forces<double>& forces, LinearTotalFixed& workspace,
                   Eigen::VectorXd& udot);

}  // namespace gyrostat
