// The nested-body equations in the axes of each tree's first body, as in those of the world.
#include <gtest/gtest.h>

#include "gyrostat/dynamics/nested_body.h"

#include "support/load.h"
#include "support/random_dynamics.h"

namespace gyrostat::testing {
namespace {

DynamicsSettings in_frame(ComputingFrame frame, DynamicsSettings settings) {
  settings.computing_frame = frame;
  return settings;
}

struct Solved {
  NestedBody constants;
  NestedBodyData workspace;
  Eigen::VectorXd udot;

  Solved(const RandomCase& c, const DynamicsSettings& settings, ComputingFrame frame)
      : constants(c.system(), in_frame(frame, settings)), workspace(constants), udot(c.state.u.size()) {
    solve(c);
  }

  void solve(const RandomCase& c) {
    udot.setConstant(std::nan(""));
    accelerations(constants, c.state.q.data(), c.state.u.data(), c.forces, workspace, udot.data());
  }

  /// Rounding, as the pivots let it grow.
  [[nodiscard]] double tolerance() const {
    const Eigen::VectorXd pivots = workspace.factors.vectorD().cwiseAbs();
    const double condition = pivots.size() == 0 ? 1 : pivots.maxCoeff() / pivots.minCoeff();
    return 1e-14 * condition * (1 + udot.cwiseAbs().maxCoeff());
  }
};

template <class Check>
void for_random_cases(std::uint64_t count, Check check) {
  for (std::uint64_t seed = 0; seed < count && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const RandomCase c = RandomCase::make(seed, {.most_bodies = seed % 10 == 0 ? 40U : 12U});
    if (c.state.u.size() > 0) check(c, DynamicsSettings(c.system()));
  }
}

TEST(ComputingFrame, DoesNotChangeTheAccelerations) {
  for_random_cases(2000, [](const RandomCase& c, const DynamicsSettings& settings) {
    const Solved in_world(c, settings, ComputingFrame::inertial), in_body(c, settings, ComputingFrame::body);
    EXPECT_LT((in_body.udot - in_world.udot).cwiseAbs().maxCoeff(), in_world.tolerance());
    EXPECT_LT((in_body.udot - c.accelerations()).cwiseAbs().maxCoeff(), in_world.tolerance());
  });
}

TEST(ComputingFrame, DoesNotChangeThemWhereGyroscopicTorquesAreLeftOut) {
  for_random_cases(300, [](const RandomCase& c, DynamicsSettings settings) {
    for (std::size_t i = 1; i < settings.gyroscopic.size(); i += 2) settings.gyroscopic[i] = false;
    const Solved in_world(c, settings, ComputingFrame::inertial), in_body(c, settings, ComputingFrame::body);
    EXPECT_LT((in_body.udot - in_world.udot).cwiseAbs().maxCoeff(), in_world.tolerance());
  });
}

TEST(ComputingFrame, IsTheFirstBodyOfEachTree) {
  std::ptrdiff_t most_trees = 0;
  for_random_cases(300, [&](const RandomCase& c, const DynamicsSettings& settings) {
    const Solved in_world(c, settings, ComputingFrame::inertial), in_body(c, settings, ComputingFrame::body);
    const std::vector<std::uint32_t>& parent = c.system().parent;
    Matrix3 R_1N;
    for (std::size_t k = 1; k < parent.size(); ++k) {
      const NestedBodyData::MovingBody &body = in_body.workspace.bodies[k], &same = in_world.workspace.bodies[k];
      if (parent[k] == 0) {
        EXPECT_EQ(to_eigen(body.R_Xk), Matrix3::Identity());
        R_1N = to_eigen(same.R_Xk).transpose();
      }
      EXPECT_LT((to_eigen(body.R_Xk) - R_1N * to_eigen(same.R_Xk)).norm(), 1e-13);
      EXPECT_LT((to_eigen(body.w) - R_1N * to_eigen(same.w)).norm(), 1e-13 * (1 + to_eigen(same.w).norm()));
      EXPECT_LT((to_eigen(body.com) - R_1N * to_eigen(same.com)).norm(), 1e-13 * (1 + to_eigen(same.com).norm()));
    }
    most_trees = std::max(most_trees, std::count(parent.begin() + 1, parent.end(), 0U));
  });
  EXPECT_GE(most_trees, 3);
}

TEST(ComputingFrame, OfAnotherInstantIsForgotten) {
  for_random_cases(50, [](const RandomCase& c, const DynamicsSettings& settings) {
    Solved solved(c, settings, ComputingFrame::body);
    const Eigen::VectorXd fresh = solved.udot;
    State other = c.state;
    other.u *= 2;
    for (const Joint& joint : c.system().joints) {
      if (!has_quaternion(joint.type)) other.q.segment(joint.q, joint.nq).array() += 1;
    }
    accelerations(solved.constants, other.q.data(), other.u.data(), Forces<double>(c.system()), solved.workspace,
                  solved.udot.data());
    solved.solve(c);
    EXPECT_EQ(solved.udot, fresh);
  });
}

TEST(ComputingFrame, IsChosenByTheModel) {
  const auto chosen = [](const std::string& simulation) {
    const Loaded loaded = load("gyrostat: 1\nbodies: {a: {mass: 1, inertia: [1, 1, 1]}}\n" + simulation);
    return DynamicsSettings(*loaded.model).computing_frame;
  };
  EXPECT_EQ(chosen(""), ComputingFrame::inertial);
  EXPECT_EQ(chosen("simulation: {computing_frame: inertial}\n"), ComputingFrame::inertial);
  EXPECT_EQ(chosen("simulation: {computing_frame: body}\n"), ComputingFrame::body);
}

}  // namespace
}  // namespace gyrostat::testing
