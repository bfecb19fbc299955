#include <gmock/gmock.h>

#include "support/closed_case.h"

namespace gyrostat::testing {
namespace closures_test {

/// Are the constraints consistent at accelerations, and not so nearly dependent that the reference loses its digits?
bool comparable(const ClosedCase::Solution& reference) {
  return reference.multipliers.size() > 0 && reference.udot.allFinite() && reference.residual < 1e-9;
}

TEST(Closures, AccelerationsAreThoseOfTheBorderedSystem) {
  std::size_t compared = 0, redundant = 0, looped = 0;
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    ClosedCase c(seed);
    const ClosedCase::Solution reference = c.dense();
    if (!comparable(reference)) continue;
    const ClosureChoice choice = c.choice();
    const ClosurePlan plan = make_plan(*c.mechanism, c.constraints.structure, choice.node_of, choice.scale);
    if (choice.massless != 0) continue;
    EXPECT_EQ(static_cast<Eigen::Index>(plan.kept.size()), reference.rank) << "seed " << seed;
    c.closures.plan = &plan;
    ArticulatedBodyData<double> workspace(*c.mechanism);
    workspace.closures.resize(plan);
    Eigen::VectorXd udot(c.state.u.size());
    accelerations(*c.mechanism, *c.kinematics, c.state.u.data(), *c.forces, c.closures, workspace, udot.data());
    const double error = (udot - reference.udot).norm() / (1 + reference.udot.norm());
    EXPECT_LT(error, 1e-8) << "seed " << seed << ", weakest pivot " << choice.weakest;
    EXPECT_NEAR(std::log10(c.closures.health), std::log10(choice.weakest), 2)
        << seed << ": another order gives other pivots";
    const Eigen::Map<const Eigen::VectorXd> lambda(c.closures.multipliers.data(), c.jacobian().rows());
    const Eigen::VectorXd exerted = c.jacobian().transpose() * lambda,
                          expected = c.jacobian().transpose() * reference.multipliers;
    for (Eigen::Index k = 0; k < exerted.size(); ++k) {
      if (!c.forces->free[static_cast<std::size_t>(k)]) continue;
      EXPECT_NEAR(exerted[k], expected[k], 1e-7 * (1 + expected.norm())) << "seed " << seed;
    }
    worst = std::max(worst, error);
    ++compared;
    redundant += plan.kept.size() < c.constraints.rows();
    looped += plan.kept.size() > 3;
  }
  EXPECT_GT(compared, 250U);
  EXPECT_GT(redundant, 20U);
  EXPECT_GT(looped, 100U);
  RecordProperty("worst", std::to_string(worst));
  std::cout << compared << " compared, " << redundant << " redundant, worst " << worst << "\n";
}

}  // namespace closures_test
}  // namespace gyrostat::testing
