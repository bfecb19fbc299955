#include "gyrostat/analysis/independent.h"

#include <algorithm>

#include <Eigen/LU>
#include <Eigen/QR>

namespace gyrostat {

Independent choose_independent(std::span<const std::uint32_t> speeds, std::span<const Truth> free,
                               const Eigen::MatrixXd& residuals, const Eigen::MatrixXd& rates) {
  using Index = Eigen::Index;
  const Index n = static_cast<Index>(speeds.size()), rows = residuals.rows();
  Independent result;
  std::vector<std::size_t> dependent;
  if (rows > 0) {
    std::vector<std::size_t> candidates;
    for (std::size_t k = 0; k < speeds.size(); ++k) {
      if (free[speeds[k]]) candidates.push_back(k);
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(residuals(Eigen::all, candidates));
    qr.setThreshold(1e-10);
    if (qr.rank() < rows) {
      throw AnalysisError(
          "the constraints are singular at the operating point: their rows depend on each other there and not "
          "nearby; linearise at another one");
    }
    for (Index k = 0; k < rows; ++k) {
      dependent.push_back(candidates[static_cast<std::size_t>(qr.colsPermutation().indices()[k])]);
    }
  }
  std::ranges::sort(dependent);
  for (std::size_t k = 0; k < speeds.size(); ++k) {
    if (!std::ranges::binary_search(dependent, k)) result.chosen.push_back(k);
  }
  const auto m = static_cast<Index>(result.chosen.size());
  result.basis.setZero(n, m);
  result.by_coordinates.setZero(n, m);
  result.basis(result.chosen, Eigen::all).setIdentity();
  if (rows == 0) return result;
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(residuals(Eigen::all, dependent));
  result.basis(dependent, Eigen::all) = -lu.solve(Eigen::MatrixXd(residuals(Eigen::all, result.chosen)));
  result.by_coordinates(dependent, Eigen::all) = -lu.solve(rates * result.basis);
  return result;
}

}  // namespace gyrostat
