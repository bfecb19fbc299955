#include "gyrostat/dynamics/composite_body.h"

#include <algorithm>

#include "gyrostat/dynamics/composite_body_sweeps.h"
#include "gyrostat/dynamics/constraint_jacobian.h"
#include "gyrostat/dynamics/singular_closures.h"

namespace gyrostat {

CompositeBodyData::CompositeBodyData(const Mechanism& mechanism)
    : composite(mechanism.links.size()),
      transmitted(mechanism.links.size()),
      mass_matrix(mechanism.nu),
      factors(mechanism.nu),
      inboard(mechanism.nu),
      place(mechanism.nu),
      last(mechanism.links.size()),
      bias(mechanism.nu),
      none(mechanism.nu),
      right(mechanism.nu) {
  free.reserve(mechanism.nu);
}

/// The accelerations without constraints, and what the multipliers add: the compliance of the rows is J M^-1 J^T.   (7)
void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, Closures<double>& closures, CompositeBodyData& w, double* udot) {
  accelerations(mechanism, kinematics, u, forces, w, udot);
  const std::vector<std::uint32_t>& kept = closures.plan->kept;
  const auto rows = static_cast<Eigen::Index>(kept.size()), n = static_cast<Eigen::Index>(w.free.size());
  const auto nu = static_cast<Eigen::Index>(mechanism.nu);
  w.J.resize(rows, nu);
  w.M_inverse_Jt.resize(n, rows);
  w.left.resize(rows);
  find_jacobian(mechanism, kinematics, *closures.structure, closures.values, kept, w.J);
  for (Eigen::Index r = 0; r < rows; ++r) {
    double reached = 0;
    for (Eigen::Index k = 0; k < nu; ++k) reached += w.J(r, k) * udot[k];
    w.left[r] = closures.demanded[kept[static_cast<std::size_t>(r)]] - reached;
    for (std::size_t a = 0; a < w.free.size(); ++a) w.right[a] = w.J(r, w.free[a]);
    solve(w);
    for (Eigen::Index a = 0; a < n; ++a) w.M_inverse_Jt(a, r) = w.right[static_cast<std::size_t>(a)];
  }
  for (Eigen::Index a = 0; a < n; ++a) {
    if (w.free[static_cast<std::size_t>(a)] != a) w.J.col(a) = w.J.col(w.free[static_cast<std::size_t>(a)]);
  }
  w.JM_inverse_Jt.noalias() = w.J.leftCols(n) * w.M_inverse_Jt;
  w.compliance.compute(w.JM_inverse_Jt);
  closures.health = 1;
  for (Eigen::Index r = 0; r < rows; ++r) {
    const double pivot = w.compliance.matrixLLT()(r, r);
    closures.health =
        std::min(closures.health, pivot * pivot * closures.plan->inverse_scale[static_cast<std::size_t>(r)]);
  }
  if (w.compliance.info() != Eigen::Success) closures.health = 0;
  if (closures.whole && !(closures.health > closures.weak)) {
    return accelerations_near_singularity(mechanism, kinematics, u, forces, closures, udot);
  }
  w.compliance.solveInPlace(w.left);
  for (Eigen::Index r = 0; r < rows; ++r) {
    closures.multipliers[kept[static_cast<std::size_t>(r)]] = w.left[r];
    for (Eigen::Index a = 0; a < n; ++a) udot[w.free[static_cast<std::size_t>(a)]] += w.M_inverse_Jt(a, r) * w.left[r];
  }
}

void number_free_speeds(const Mechanism& mechanism, const Forces<double>& forces, CompositeBodyData& w) {
  list_free_speeds(forces, w.free);
  w.factors.size = w.free.size();
  std::ranges::fill(w.place, -1);
  for (std::size_t a = 0; a < w.free.size(); ++a) w.place[w.free[a]] = static_cast<std::int64_t>(a);
  w.last[0] = -1;
  for (std::size_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    w.last[i] = w.last[link.parent];
    if (link.motion == JointMotion::modal) continue;  // its speeds are those of its parent
    for (std::size_t k = link.u; k < link.u + link.nu; ++k) {
      if (w.place[k] < 0) continue;
      w.inboard[static_cast<std::size_t>(w.place[k])] = w.last[i];
      w.last[i] = w.place[k];
    }
    if (link.flexible == LinkStructure::none) continue;
    const FlexibleOf<double>& f = mechanism.flexible[link.flexible];
    for (std::size_t k = f.u; k < f.u + f.modes; ++k) {
      w.inboard[static_cast<std::size_t>(w.place[k])] = w.last[i];
      w.last[i] = w.place[k];
    }
  }
  for (const WheelLink& wheel : mechanism.wheels) {
    const std::int64_t place = w.place[wheel.u];
    if (place >= 0) w.inboard[static_cast<std::size_t>(place)] = w.last[wheel.body];
  }
}

}  // namespace gyrostat
