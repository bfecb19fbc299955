#include "gyrostat/dynamics/singular_closures.h"

#include <cmath>

#include <Eigen/Cholesky>

#include "gyrostat/dynamics/constraint_jacobian.h"
#include "gyrostat/math/least_norm.h"

namespace gyrostat {

void accelerations_near_singularity(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                                    const Forces<double>& forces, Closures<double>& closures, double* udot) {
  using Eigen::Index;
  CompositeBodyData w(mechanism);
  accelerations(mechanism, kinematics, u, forces, w, udot);
  const auto nu = static_cast<Index>(mechanism.nu), n = static_cast<Index>(w.free.size()),
             m = static_cast<Index>(closures.demanded.size());
  std::vector<std::uint32_t> all(closures.demanded.size());
  for (std::uint32_t r = 0; r < all.size(); ++r) all[r] = r;
  Eigen::MatrixXd J(m, nu), Jf(m, n), M(n, n);
  find_jacobian(mechanism, kinematics, *closures.structure, closures.values, all, J);
  const Eigen::Map<Eigen::VectorXd> unrestrained(udot, nu);
  Eigen::VectorXd left(m), root_scale(m);
  for (Index r = 0; r < m; ++r) {
    root_scale[r] = std::sqrt(closures.plan->scale[static_cast<std::size_t>(r)]);
    left[r] = (closures.demanded[static_cast<std::size_t>(r)] - J.row(r).dot(unrestrained)) / root_scale[r];
  }
  for (Index a = 0; a < n; ++a) {
    const std::uint32_t k = w.free[static_cast<std::size_t>(a)];
    Jf.col(a) = J.col(k).cwiseQuotient(root_scale);
    for (Index b = 0; b <= a; ++b) M(a, b) = M(b, a) = w.mass_matrix.row(k)[w.free[static_cast<std::size_t>(b)]];
  }
  const Eigen::LLT<Eigen::MatrixXd> llt(M);
  const Eigen::MatrixXd Y = llt.matrixL().solve(Jf.transpose());  // M^-1/2 J^T
  const Eigen::VectorXd x = least_norm_solution(Y.transpose(), left, closures.dependent);
  const Eigen::VectorXd lambda = least_norm_solution(Y, x, closures.dependent).col(0).cwiseQuotient(root_scale);
  const Eigen::VectorXd added = llt.matrixU().solve(x);
  for (Index a = 0; a < n; ++a) udot[w.free[static_cast<std::size_t>(a)]] += added[a];
  for (Index r = 0; r < m; ++r) closures.multipliers[static_cast<std::size_t>(r)] = lambda[r];
}

}  // namespace gyrostat
