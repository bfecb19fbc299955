// Exact derivatives of accelerations against differences of accelerations.
#include "gyrostat/dynamics/derivatives.h"

#include <gtest/gtest.h>

#include "gyrostat/dynamics/kernels.h"

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

/// By one direction after another, with every body treated as one that varies.
struct WithoutComposites {
  const Kernels& kernels;
  const RandomCase& c;
  const Derivatives& at;
  Kinematics<Directional> kinematics{*c.mechanism};
  DerivativesData data{*c.mechanism};
  Forces<Directional> forces{c.system()};
  std::vector<Directional> q, u, udot;

  WithoutComposites(const Kernels& k, const RandomCase& of, const Derivatives& point)
      : kernels(k), c(of), at(point), q(of.state.q.begin(), of.state.q.end()), u(of.state.u.begin(), of.state.u.end()) {
    udot.resize(u.size());
    for (std::size_t j = 0; j < u.size(); ++j) {
      forces.tau[j] = c.forces.tau[j], forces.udot[j] = c.forces.udot[j], forces.free[j] = c.forces.free[j];
    }
    for (std::size_t i = 0; i < forces.wrench.size(); ++i) {
      forces.wrench[i] = {cast<Directional>(c.forces.wrench[i].torque), cast<Directional>(c.forces.wrench[i].force)};
    }
  }
  void differentiate() {
    const BodyRange all = all_bodies(*c.mechanism);
    kernels.update_directional(*c.mechanism, all, q.data(), u.data(), kinematics);
    kernels.differentiate({*c.mechanism, at.kinematics, at.articulated, at.udot.data()}, all, kinematics, u.data(),
                          forces, {}, data, udot.data());
  }
  std::vector<Directional> by_q(std::size_t speed) {
    std::vector<Directional> unit(u.size()), rates(q.size());
    unit[speed] = 1.0;
    coordinate_rates(c.system(), q.data(), unit.data(), rates.data());
    for (std::size_t j = 0; j < q.size(); ++j) q[j].d[0] = rates[j].value;
    differentiate();
    for (Directional& coordinate : q) coordinate.d = {};
    return udot;
  }
  std::vector<Directional> by_u(std::size_t speed) {
    u[speed].d[0] = 1;
    differentiate();
    u[speed].d[0] = 0;
    return udot;
  }
};

/// What moves as one may be treated as one: to rounding, and by every processor's recursions.
TEST(DerivativesLaw, AreTheSameWithAndWithoutComposites) {
  int checked = 0, outboard = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    RandomModelOptions options = mixed_sizes(seed, 8, 40, 2);
    if (seed % 4 == 0)
      options.wheels = 0;  // bodies with wheels are in no composite, nor are those numbered before them
    const RandomCase c = RandomCase::make(seed, options);
    const std::size_t nu = c.mechanism->nu;
    Derivatives derivatives(*c.mechanism);
    if (nu == 0 || c.accelerations().cwiseAbs().maxCoeff() > 1e3) continue;
    for (const Kernels* k : available_kernels()) {
      differentiate(*k, *c.mechanism, c.state.q.data(), c.state.u.data(), c.forces, derivatives);
      WithoutComposites whole(*k, c, derivatives);
      for (std::size_t j = 0; j < nu; ++j) {
        const auto expect_column = [&](const std::vector<Directional>& expected, const JacobianRows& rows) {
          double most = 1;
          for (const Directional& x : expected) most = std::max(most, std::abs(x.d[0]));
          for (std::size_t row = 0; row < nu; ++row) {
            ASSERT_NEAR(rows(row, j), expected[row].d[0], 1e-10 * most)
                << k->processor << ", seed " << seed << ": " << row << " by " << j;
          }
        };
        expect_column(whole.by_q(j), derivatives.by_q);
        expect_column(whole.by_u(j), derivatives.by_u);
      }
    }
    ++checked;
    if (derivatives.composites.first + 8 < c.mechanism->links.size()) ++outboard;
  }
  EXPECT_GT(checked, 50);  // of 60
  EXPECT_GT(outboard, 5);  // have bodies beyond the eight directions of a block
}

}  // namespace
}  // namespace gyrostat::testing
