// Gauss-Legendre quadrature over a step.
#pragma once

#include <array>

namespace gyrostat {

/// Nodes and weights on [0, 1]: exact to the fifth power of the step.
inline constexpr std::array<double, 3> gauss_nodes = {0.11270166537925831, 0.5, 0.88729833462074169};
inline constexpr std::array<double, 3> gauss_weights = {5.0 / 18, 8.0 / 18, 5.0 / 18};

}  // namespace gyrostat
