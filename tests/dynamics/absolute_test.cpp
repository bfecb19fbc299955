// Absolute coordinates against the other formulations, and against laws, for trees. Loops are in
// absolute_loops_test.cpp.
#include "gyrostat/dynamics/absolute.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/dynamics/formulation.h"
#include "gyrostat/dynamics/reactions.h"

#include "support/assemble.h"
#include "support/random_dynamics.h"
#include "support/scene.h"

namespace gyrostat::testing {
namespace {

/// The condition of the mass matrix of the free speeds, as the pivots of its factors tell it.
double condition(const RandomCase& c) {
  CompositeBodyData composite(*c.mechanism);
  Eigen::VectorXd udot(c.state.u.size());
  accelerations(*c.mechanism, c.kinematics, c.state.u.data(), c.forces, composite, udot.data());
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (std::size_t k = 0; k < composite.factors.size; ++k) {
    least = std::min(least, composite.factors.row(k)[k]);
    most = std::max(most, composite.factors.row(k)[k]);
  }
  return composite.factors.size == 0 ? 1 : most / least;
}

struct Solved {
  Absolute constants;
  AbsoluteData data;
  Eigen::VectorXd udot;

  Solved(const System& system, const State& state, const Forces<double>& forces)
      : constants(system, DynamicsSettings(system)), data(constants), udot(state.u.size()) {
    accelerations(constants, state.q.data(), state.u.data(), forces, data, udot.data());
  }
  explicit Solved(const RandomCase& c) : Solved(c.system(), c.state, c.forces) {}
};

TEST(Absolute, AgreesOnRandomTreesOfAllJoints) {
  int compared = 0;
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const RandomCase c = RandomCase::make(seed, mixed_sizes(seed));
    if (c.state.u.size() == 0 || condition(c) > 1e7) continue;
    const Eigen::VectorXd expected = c.accelerations();
    const Solved solved(c);
    const double error = (expected - solved.udot).cwiseAbs().maxCoeff() / (1 + expected.cwiseAbs().maxCoeff());
    if (!(error <= worst)) {
      worst = error;
      std::cerr << seed << " " << error << " cond " << condition(c) << " bodies " << c.system().body_count() << "\n";
    }
    ++compared;
  }
  EXPECT_GT(compared, 950);
  EXPECT_LT(worst, 1e-8);
}

}  // namespace
}  // namespace gyrostat::testing
