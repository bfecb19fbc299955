// Random trees with random constraints: formulations against each other, and the laws that constraints obey.
#include <Eigen/QR>
#include <gtest/gtest.h>

#include "gyrostat/constraints/dynamics.h"

#include "support/closed_case.h"

namespace gyrostat::testing {
namespace loops_test {

/// Systems whose constraints are consistent at accelerations.
template <class Test>
std::size_t for_closed_cases(std::uint64_t count, Test test) {
  std::size_t tested = 0;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    const ClosedCase c(seed);
    const ClosedCase::Solution reference = c.dense();
    if (reference.multipliers.size() == 0 || !reference.udot.allFinite() || !(reference.residual < 1e-9)) continue;
    const ClosureChoice choice = c.choice();
    if (choice.massless != 0 || choice.weakest < 1e-6) continue;  // digits are lost near a singularity
    test(c, reference, seed);
    ++tested;
  }
  return tested;
}

TEST(Loops, AllFormulationsThatTakeThemAgree) {
  const std::size_t tested =
      for_closed_cases(500, [](const ClosedCase& c, const ClosedCase::Solution& reference, std::uint64_t seed) {
        const DynamicsSettings settings(c.system());
        std::vector<double> exerted;
        for (const char* name : {"articulated_body", "composite_body", "kane"}) {
          Dynamics dynamics(c.system(), settings, name);
          dynamics.update(c.state);
          Eigen::VectorXd udot;
          dynamics.accelerations(c.state, *c.forces, udot);
          EXPECT_LT((udot - reference.udot).norm(), 1e-8 * (1 + reference.udot.norm())) << name << ", seed " << seed;
          const Eigen::Map<const Eigen::VectorXd> lambda(dynamics.multipliers().data(), reference.multipliers.size());
          const Eigen::VectorXd forces = c.jacobian().transpose() * lambda,
                                expected = c.jacobian().transpose() * reference.multipliers;
          for (Eigen::Index k = 0; k < forces.size(); ++k) {
            if (!c.forces->free[static_cast<std::size_t>(k)]) continue;
            EXPECT_NEAR(forces[k], expected[k], 1e-7 * (1 + expected.norm())) << name << ", seed " << seed;
          }
        }
      });
  EXPECT_GT(tested, 150U);
}

/// A constraint that stands still does no work: the power of its force is its multiplier times J u, and J u = 0 for all
/// speeds that it allows.
TEST(Loops, ForcesOfConstraintsDoNoWorkInMotionsThatTheyAllow) {
  const std::size_t tested =
      for_closed_cases(300, [](const ClosedCase& c, const ClosedCase::Solution& reference, std::uint64_t seed) {
        const Eigen::MatrixXd J = c.jacobian();
        Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod(J);
        const Eigen::VectorXd allowed = c.state.u - cod.solve(J * c.state.u);
        const Eigen::VectorXd forces = J.transpose() * reference.multipliers;
        EXPECT_NEAR(forces.dot(allowed), 0, 1e-9 * (1 + forces.norm() * allowed.norm())) << "seed " << seed;
      });
  EXPECT_GT(tested, 100U);
}

/// The rows' accelerations, evaluated at the accelerations found, are those demanded.
TEST(Loops, AccelerationsKeepTheConstraintsThatArePlannedForAndTheRedundantOnes) {
  const std::size_t tested =
      for_closed_cases(300, [](const ClosedCase& c, const ClosedCase::Solution&, std::uint64_t seed) {
        Dynamics dynamics(c.system(), DynamicsSettings(c.system()));
        dynamics.update(c.state);
        Eigen::VectorXd udot;
        dynamics.accelerations(c.state, *c.forces, udot);
        Kinematics<double> kinematics(*c.mechanism);
        InverseDynamics<double> inverse(*c.mechanism);
        std::vector<double> tau(c.mechanism->nu);
        inverse_dynamics(*c.mechanism, c.state.q.data(), c.state.u.data(), udot.data(), *c.forces, inverse, tau.data());
        std::vector<ConstraintRow<double>> rows(c.constraints.rows());
        evaluate(c.constraints, *c.mechanism, inverse.kinematics, c.state.q.data(), c.state.u.data(), udot.data(),
                 c.forces->equals.data(), rows.data());
        for (const ConstraintRow<double>& row : rows) {
          EXPECT_NEAR(row.acceleration, 0, 1e-8 * (1 + udot.norm())) << "seed " << seed;
        }
      });
  EXPECT_GT(tested, 100U);
}

}  // namespace loops_test
}  // namespace gyrostat::testing
