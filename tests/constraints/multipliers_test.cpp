// What multipliers exert, and which of them are unique.
#include "gyrostat/constraints/multipliers.h"

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "gyrostat/constraints/dynamics.h"

#include "support/closed_case.h"

namespace gyrostat::testing {
namespace multipliers_test {

template <class Test>
std::size_t for_closed_cases(Test test) {
  std::size_t tested = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const ClosedCase c(seed);
    const ClosedCase::Solution reference = c.dense();
    if (reference.multipliers.size() == 0 || !reference.udot.allFinite() || !(reference.residual < 1e-9)) continue;
    if (const ClosureChoice choice = c.choice(); choice.massless != 0 || choice.weakest < 1e-6) continue;
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Dynamics dynamics(c.system(), DynamicsSettings(c.system()));
    dynamics.update(c.state);
    Eigen::VectorXd udot;
    dynamics.accelerations(c.state, *c.forces, udot);
    test(c, reference, dynamics, udot);
    if (::testing::Test::HasFailure()) return tested;
    ++tested;
  }
  return tested;
}

Eigen::MatrixXd free_columns(const ClosedCase& c) {
  Eigen::MatrixXd J = c.jacobian();
  for (Eigen::Index k = 0; k < J.cols(); ++k) {
    if (!c.forces->free[static_cast<std::size_t>(k)]) J.col(k).setZero();
  }
  return J;
}

TEST(Multipliers, ThatAreNotUniqueAreThoseOfLeastNorm) {
  std::size_t ambiguous = 0;
  const std::size_t tested = for_closed_cases([&](const ClosedCase& c, const ClosedCase::Solution& reference,
                                                  const Dynamics& dynamics, const Eigen::VectorXd&) {
    const Multipliers m =
        unique_or_least(dynamics.mechanism(), dynamics.kinematics(), c.forces->free, dynamics.closures());
    const Eigen::MatrixXd J = free_columns(c);
    const auto count = J.rows();
    const Eigen::Map<const Eigen::VectorXd> values(m.values.data(), count), found(dynamics.multipliers().data(), count);
    const double scale = 1 + reference.multipliers.norm();
    EXPECT_LT((J.transpose() * (values - found)).norm(), 1e-6 * scale) << "they exert the same";
    EXPECT_LT((values - reference.multipliers).norm(), 1e-5 * scale);
    if (reference.rank == 0) {
      EXPECT_THAT(m.unique, ::testing::Each(false));
      return;
    }
    // A multiplier is unique unless its row takes part in a dependence of the rows: y J = 0.
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
    factors.setThreshold(1e-9);
    factors.compute(J.transpose());
    const Eigen::ArrayXd pivots = factors.matrixQTZ().diagonal().array().abs() / factors.maxPivot();
    if ((pivots > 1e-11 && pivots < 1e-7).any()) return;  // is it dependent? rounding decides
    const Eigen::MatrixXd onto = factors.solve(J.transpose());
    for (Eigen::Index r = 0; r < count; ++r) {
      const double part = 1 - onto.row(r).squaredNorm();  // the square of the row's part in dependences
      if (part > 1e-11 && part < 1e-7) continue;
      EXPECT_EQ(m.unique[static_cast<std::size_t>(r)], part <= 1e-11) << "row " << r;
      ambiguous += part > 1e-7 ? 1 : 0;
    }
  });
  EXPECT_GT(tested, 100U);
  EXPECT_GT(ambiguous, 20U);
}

/// The tree alone, with the forces of the multipliers added to those that act on it, moves as the closed system.
TEST(Multipliers, ExertWhatMovesTheTreeAsTheClosedSystem) {
  const std::size_t tested = for_closed_cases([](const ClosedCase& c, const ClosedCase::Solution& reference,
                                                 const Dynamics& dynamics, const Eigen::VectorXd& udot) {
    System tree = c.system();
    tree.constraints.clear();
    Forces<double> forces = *c.forces;
    add_forces(dynamics.closures(), dynamics.multipliers(), forces);
    Dynamics open(tree, DynamicsSettings(tree));
    open.update(c.state);
    Eigen::VectorXd moved;
    open.accelerations(c.state, forces, moved);
    EXPECT_LT((moved - udot).norm(), 1e-7 * (1 + reference.multipliers.norm() + udot.norm()));
  });
  EXPECT_GT(tested, 100U);
}

}  // namespace multipliers_test
}  // namespace gyrostat::testing
