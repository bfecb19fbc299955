// Formulations against each other, over random systems.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/constraints/dynamics.h"
#include "gyrostat/dynamics/inverse_dynamics.h"

#include "support/random_dynamics.h"

namespace gyrostat::testing {
namespace {

/// The condition of the mass matrix of the free speeds, as the pivots of its factors tell it.
double condition(const CompositeBodyData& factored) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t k = 0; k < factored.factors.size; ++k) {
    least = std::min(least, factored.factors.row(k)[k]);
    most = std::max(most, factored.factors.row(k)[k]);
  }
  return factored.factors.size == 0 ? 1 : most / least;
}

constexpr double worst_condition = 1e7;  // beyond it the digits that are left prove little; those systems are counted

double tolerance(const Eigen::VectorXd& udot, double condition) {
  return std::max(1e-10, 1e-13 * condition) * (1 + udot.cwiseAbs().maxCoeff());
}

TEST(Agreement, OfAllExactFormulationsThatTakeTheSystem) {
  int asked = 0, skipped = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const RandomCase c = RandomCase::make(seed, mixed_sizes(seed));
    if (c.state.u.size() == 0) continue;
    const DynamicsSettings settings(c.system());
    const Eigen::VectorXd articulated = c.accelerations();
    CompositeBodyData composite(*c.mechanism);
    Eigen::VectorXd udot(c.state.u.size());
    accelerations(*c.mechanism, c.kinematics, c.state.u.data(), c.forces, composite, udot.data());
    if (condition(composite) > worst_condition) {
      ++skipped;
      continue;
    }
    const double limit = tolerance(articulated, condition(composite));
    for (const std::string_view name : formulation_names) {
      if (is_linearised(name) || !outside_domain(name, c.system(), settings).empty()) continue;
      Dynamics dynamics(c.system(), settings, name);
      dynamics.update(c.state);
      dynamics.accelerations(c.state, c.forces, udot);
      // The matrix of the multipliers has the square of the constraints' condition.
      const double by_multipliers = name == "absolute" ? 1e-8 * (1 + articulated.cwiseAbs().maxCoeff()) : 0;
      ASSERT_LT((articulated - udot).cwiseAbs().maxCoeff(), std::max(limit, by_multipliers))
          << name << " seed " << seed;
      ++asked;
    }
  }
  EXPECT_GT(asked, 6 * 1900);
  EXPECT_LT(skipped, 20);  // of 2000
}

TEST(InverseDynamicsLaw, InvertsForwardDynamics) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const RandomCase c = RandomCase::make(seed, mixed_sizes(seed));
    if (c.state.u.size() == 0) continue;
    const Eigen::VectorXd udot = c.accelerations();
    InverseDynamics<double> workspace(*c.mechanism);
    Eigen::VectorXd tau(c.state.u.size());
    inverse_dynamics(*c.mechanism, c.state.q.data(), c.state.u.data(), udot.data(), c.forces, workspace, tau.data());
    const double limit = 1e-9 * (1 + udot.cwiseAbs().maxCoeff());
    for (const Link& link : c.mechanism->links) {
      for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) {
        if (!c.forces.free[k]) continue;
        ASSERT_NEAR(tau[k], c.forces.tau[k], limit) << "seed " << seed << " speed " << k;
      }
    }
    for (const WheelLink& wheel : c.mechanism->wheels) {
      if (!c.forces.free[wheel.u]) continue;
      ASSERT_NEAR(tau[wheel.u], c.forces.tau[wheel.u], limit) << "seed " << seed;
    }
    ++checked;
  }
  EXPECT_GT(checked, 1900);  // of 2000
}

TEST(MassMatrixLaw, SymmetricPositiveDefiniteAndAsProbedByInverseDynamics) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomCase c = RandomCase::make(seed, mixed_sizes(seed));
    const auto nu = c.state.u.size();
    if (nu == 0) continue;
    CompositeBodyData composite(*c.mechanism);
    Eigen::VectorXd udot(nu), zero = Eigen::VectorXd::Zero(nu), tau(nu);
    accelerations(*c.mechanism, c.kinematics, c.state.u.data(), c.forces, composite, udot.data());
    for (std::size_t k = 0; k < composite.factors.size; ++k) ASSERT_GT(composite.factors.row(k)[k], 0) << seed;
    InverseDynamics<double> workspace(*c.mechanism);
    const Forces<double> none(c.system());
    for (Eigen::Index k = 0; k < nu; ++k) {
      const Eigen::VectorXd unit = Eigen::VectorXd::Unit(nu, k);
      inverse_dynamics(*c.mechanism, c.state.q.data(), zero.data(), unit.data(), none, workspace, tau.data());
      const double scale = 1 + tau.cwiseAbs().maxCoeff();
      for (Eigen::Index l = 0; l < nu; ++l) {
        const double entry = composite.mass_matrix.row(static_cast<std::size_t>(std::max(k, l)))[std::min(k, l)];
        ASSERT_NEAR(tau[l], entry, 1e-12 * scale) << "seed " << seed << " entry " << l << ", " << k;
      }
    }
    ++checked;
  }
  EXPECT_GT(checked, 470);  // of 500
}

}  // namespace
}  // namespace gyrostat::testing
