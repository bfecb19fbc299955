#include "support/bordered.h"

#include <cmath>

#include <Eigen/Cholesky>
#include <Eigen/QR>

namespace gyrostat::testing {

BorderedSolution solution(const Bordered& bordered) {
  const auto& [M, J, forces, demanded, scale] = bordered;
  const Eigen::LLT<LongMatrix> llt(M);
  LongMatrix Y = llt.matrixL().solve(J.transpose());  // M^-1/2 J'
  LongVector over_scale(J.rows());
  for (Eigen::Index r = 0; r < J.rows(); ++r)
    over_scale[r] = 1 / std::sqrt(static_cast<long double>(scale[static_cast<std::size_t>(r)]));
  Y *= over_scale.asDiagonal();
  const LongVector unconstrained = llt.solve(forces);
  Eigen::CompleteOrthogonalDecomposition<LongMatrix> cod;
  cod.setThreshold(1e-7L);
  cod.compute(Y.transpose());
  const bool none = cod.maxPivot() < 1e-7L;  // the threshold is relative to it
  LongVector x = cod.solve(LongVector(over_scale.asDiagonal() * (demanded - J * unconstrained)));
  if (none) x.setZero();
  const LongVector udot = unconstrained + LongVector(llt.matrixU().solve(x));
  BorderedSolution s;
  s.udot = udot.cast<double>();
  s.rank = none ? 0 : cod.rank();
  s.residual = static_cast<double>((J * udot - demanded).norm());
  Eigen::CompleteOrthogonalDecomposition<LongMatrix> transposed;
  transposed.setThreshold(1e-7L);
  transposed.compute(J.transpose());
  s.multipliers = transposed.solve(LongVector(M * udot - forces)).cast<double>();
  if (none) s.multipliers.setZero();
  return s;
}

}  // namespace gyrostat::testing
