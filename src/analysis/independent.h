// The coordinates that constraints leave independent, and how the others follow them: (4) and (5) of
// docs/theory/linear_model.md.
#pragma once

#include <span>

#include "gyrostat/analysis/linear_model.h"
#include "gyrostat/math/condition.h"

namespace gyrostat {

struct Independent {
  std::vector<std::size_t> chosen;  // among those that move
  Eigen::MatrixXd basis;            // of what moves, by independent speed
  Eigen::MatrixXd by_coordinates;   // speeds by independent coordinate, while the independent speeds stay
};

/// `residuals` and `rates` are derivatives of the constraints' by the coordinates that belong to `speeds`. Those that
/// are not free, as their accelerations are given, are never dependent. Throws AnalysisError where the constraints are
/// singular.
Independent choose_independent(std::span<const std::uint32_t> speeds, std::span<const Truth> free,
                               const Eigen::MatrixXd& residuals, const Eigen::MatrixXd& rates);

}  // namespace gyrostat
