// Exact derivatives of accelerations against differences of accelerations.
#include "gyrostat/dynamics/derivatives.h"

#include <gtest/gtest.h>

#include "support/random_dynamics.h"

namespace gyrostat::testing {
namespace {

Eigen::VectorXd accelerations_at(const RandomCase& c, const State& state) {
  Kinematics<double> kinematics(*c.mechanism);
  ArticulatedBodyData<double> workspace(*c.mechanism);
  update(*c.mechanism, state.q.data(), state.u.data(), kinematics);
  Eigen::VectorXd udot(state.u.size());
  accelerations(*c.mechanism, kinematics, state.u.data(), c.forces, workspace, udot.data());
  return udot;
}

/// The state moved by a small step along a unit of speed k.
State moved_along(const RandomCase& c, Eigen::Index k, double step) {
  State state = c.state;
  Eigen::VectorXd unit = Eigen::VectorXd::Unit(state.u.size(), k), rate(state.q.size());
  coordinate_rates(c.system(), state.q.data(), unit.data(), rate.data());
  state.q += step * rate;
  return state;  // quaternions are off unit length by the square of the step, which central differences do not see
}

/// Fourth-order central difference.
template <class At>
Eigen::VectorXd difference(At at, double h) {
  return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h);
}

TEST(DerivativesLaw, AreThoseOfTheAccelerations) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    RandomModelOptions options = mixed_sizes(seed, 8, 40, 20);
    options.flexible = seed % 3 == 0 ? 0.5 : 0;
    const RandomCase c = RandomCase::make(seed, options);
    const auto nu = c.state.u.size();
    if (nu == 0) continue;
    Derivatives derivatives(*c.mechanism);
    differentiate(*c.mechanism, c.state.q.data(), c.state.u.data(), c.forces, derivatives);
    const Eigen::VectorXd udot = c.accelerations();
    if (udot.cwiseAbs().maxCoeff() > 1e3) continue;  // so near a singularity that differences say nothing
    for (Eigen::Index k = 0; k < nu; ++k) {
      ASSERT_NEAR(derivatives.udot[static_cast<std::size_t>(k)], udot[k], 1e-9 * (1 + udot.cwiseAbs().maxCoeff()));
    }
    for (Eigen::Index j = 0; j < nu; ++j) {
      const Eigen::VectorXd by_q =
          difference([&](double h) { return accelerations_at(c, moved_along(c, j, h)); }, 1e-4);
      const Eigen::VectorXd by_u = difference(
          [&](double h) {
            State state = c.state;
            state.u[j] += h;
            return accelerations_at(c, state);
          },
          1e-3);
      const double q_limit = 1e-6 * (1 + udot.cwiseAbs().maxCoeff() + by_q.cwiseAbs().maxCoeff());
      const double u_limit = 1e-8 * (1 + udot.cwiseAbs().maxCoeff() + by_u.cwiseAbs().maxCoeff());
      for (Eigen::Index k = 0; k < nu; ++k) {
        const auto row = static_cast<std::size_t>(k), column = static_cast<std::size_t>(j);
        ASSERT_NEAR(derivatives.by_u(row, column), by_u[k], u_limit) << "seed " << seed << " " << k << " by " << j;
        ASSERT_NEAR(derivatives.by_q(row, column), by_q[k], q_limit) << "seed " << seed << " " << k << " by " << j;
      }
    }
    ++checked;
  }
  EXPECT_GT(checked, 130);  // of 150
}

}  // namespace
}  // namespace gyrostat::testing
