#include "gyrostat/dynamics/absolute_rank.h"

#include <numeric>

namespace gyrostat {

AbsoluteRank::AbsoluteRank(const AbsoluteModel& model, const AbsoluteConstraints& constraints) {
  const auto rows = static_cast<Eigen::Index>(constraints.closure_rows + constraints.couplings.size());
  G.setZero(model.speeds, rows);
  remaining = G;
  size.setZero(rows);
  kept.assign(static_cast<std::size_t>(rows), false);
  candidates.reserve(kept.size());
}

void find_independent(AbsoluteRank& rank) {
  rank.remaining = rank.G;
  rank.kept.assign(rank.kept.size(), false);
  rank.kept_count = 0;
  rank.candidates.resize(rank.kept.size());
  std::iota(rank.candidates.begin(), rank.candidates.end(), 0U);
  while (!rank.candidates.empty()) {
    std::size_t best = 0;
    double most = -1;
    for (std::size_t c = 0; c < rank.candidates.size(); ++c) {
      const std::uint32_t r = rank.candidates[c];
      const double left = rank.size[r] > 0 ? rank.remaining.col(r).norm() / rank.size[r] : 0;
      if (left > most) most = left, best = c;
    }
    if (most < redundant_part) return;  // (19)
    const std::uint32_t chosen = rank.candidates[best];
    rank.kept[chosen] = true;
    ++rank.kept_count;
    rank.candidates.erase(rank.candidates.begin() + static_cast<std::ptrdiff_t>(best));
    rank.remaining.col(chosen).normalize();
    for (const std::uint32_t r : rank.candidates) {
      rank.remaining.col(r) -= rank.remaining.col(chosen).dot(rank.remaining.col(r)) * rank.remaining.col(chosen);
    }
  }
}

}  // namespace gyrostat
