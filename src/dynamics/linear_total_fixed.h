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

struct LinearTotalFixedData {
  SmallMotionData small;

  explicit LinearTotalFixedData(const LinearTotalFixed& constants) : small(constants.small) {}
};

/// Derivatives of all speeds. The domain is that of linear_total. Throws std::invalid_argument if other joints are free
/// than those of the System.
void accelerations(const LinearTotalFixed& constants, const double* q, const double* u, const Forces<double>& forces,
                   LinearTotalFixedData& workspace, double* udot);

}  // namespace gyrostat
