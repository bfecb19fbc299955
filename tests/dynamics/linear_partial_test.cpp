// The partially linearised equations against the exact ones, and the appendage they find.
#include "gyrostat/dynamics/linear_partial.h"

#include <numeric>

#include "dynamics/free_flyer.h"

namespace gyrostat {
namespace {

using testing::accelerations_by;
using testing::assemble;
using testing::Assembled;
using testing::description_of;
using testing::difference;
using testing::for_random_free_flyers;
using testing::joint;
using testing::Random;
using testing::revolute;
using testing::solid;

DynamicsSettings randomly_linearized(const System& system, Random& random, double probability = 0.6) {
  DynamicsSettings settings(system);
  for (std::uint32_t i = 2; i < system.joints.size(); ++i) {
    if (random.chance(probability)) settings.linearized.push_back(i);
  }
  return settings;
}

TEST(LinearPartial, IsExactWhereLinearizedJointsAreAtTheirPlace) {
  for_random_free_flyers({}, 300, [](const System& system, const Forces<double>& forces, Random& random) {
    const DynamicsSettings settings = randomly_linearized(system, random);
    const Eigen::VectorXd exact = accelerations_by<AugmentedBody>(system, settings, system.initial, forces);
    if (exact.cwiseAbs().maxCoeff() > 1e4) return;
    EXPECT_LT(difference(accelerations_by<LinearPartial>(system, settings, system.initial, forces), exact), 1e-10);
  });
}

TEST(LinearPartial, IsExactWithGyroscopicTorquesLeftOut) {
  for_random_free_flyers({}, 100, [](const System& system, const Forces<double>& forces, Random& random) {
    DynamicsSettings settings = randomly_linearized(system, random);
    for (std::size_t i = 1; i < settings.gyroscopic.size(); ++i) settings.gyroscopic[i] = random.chance(0.5);
    const Eigen::VectorXd exact = accelerations_by<AugmentedBody>(system, settings, system.initial, forces);
    if (exact.cwiseAbs().maxCoeff() > 1e4) return;
    EXPECT_LT(difference(accelerations_by<LinearPartial>(system, settings, system.initial, forces), exact), 1e-10);
  });
}

TEST(LinearPartial, WithNothingLinearizedIsTheAugmentedBodyForm) {
  for_random_free_flyers({}, 30, [](const System& system, const Forces<double>& forces, Random&) {
    const DynamicsSettings settings(system);
    EXPECT_EQ(accelerations_by<LinearPartial>(system, settings, system.initial, forces),
              accelerations_by<AugmentedBody>(system, settings, system.initial, forces));
    EXPECT_TRUE(LinearPartial(system, settings).appendage.empty());
  });
}

/// The error of the accelerations where linearised joints are `size` from their place and move and accelerate as
/// little; everything else is large. The torques on them that make it so are found from the exact equations.
double error(const System& system, const DynamicsSettings& settings, Forces<double> forces, double size,
             std::uint64_t seed) {
  Random random(seed);
  State state = system.initial;
  Eigen::VectorXd shift = Eigen::VectorXd::Zero(state.u.size());
  std::vector<std::uint32_t> driven;
  for (const std::uint32_t i : settings.linearized) {
    const Joint& small = system.joints[i];
    for (std::uint32_t k = small.u; k < small.u + small.nu; ++k) {
      shift[k] = random.uniform(-1, 1);
      state.u[k] = small.motion == Motion::locked ? 0 : size * random.uniform(-1, 1);
      forces.udot[k] = small.motion == Motion::locked ? 0 : size * random.uniform(-1, 1);
      if (small.motion == Motion::free) driven.push_back(k);
    }
  }
  state.q = testing::after(system, state.q, shift, size);
  const auto n = static_cast<Eigen::Index>(driven.size());
  Eigen::MatrixXd response(n, n);
  for (const std::uint32_t k : driven) forces.tau[k] = 0;
  const Eigen::VectorXd undriven = accelerations_by<AugmentedBody>(system, settings, state, forces)(driven);
  for (Eigen::Index j = 0; j < n; ++j) {
    Forces<double> one = forces;
    one.tau[driven[static_cast<std::size_t>(j)]] = 1;
    response.col(j) = accelerations_by<AugmentedBody>(system, settings, state, one)(driven) - undriven;
  }
  Eigen::VectorXd wanted(n);
  for (double& a : wanted) a = size * random.uniform(-1, 1);
  const Eigen::VectorXd torque = n == 0 ? wanted : response.fullPivLu().solve(wanted - undriven).eval();
  for (Eigen::Index j = 0; j < n; ++j) forces.tau[driven[static_cast<std::size_t>(j)]] = torque[j];
  return (accelerations_by<LinearPartial>(system, settings, state, forces) -
          accelerations_by<AugmentedBody>(system, settings, state, forces))
      .cwiseAbs()
      .maxCoeff();
}

TEST(LinearPartial, HalvingTheSmallMotionQuartersTheError) {
  int compared = 0;
  for_random_free_flyers({.massless = 0.1}, 300, [&](const System& system, const auto& forces, Random& random) {
    const DynamicsSettings settings = randomly_linearized(system, random);
    const Eigen::VectorXd exact = accelerations_by<AugmentedBody>(system, settings, system.initial, forces);
    if (exact.cwiseAbs().maxCoeff() > 30) return;
    const auto seed = random.index(1U << 30U);
    EXPECT_LT(error(system, settings, forces, 1e-4, seed), 0.3 * error(system, settings, forces, 2e-4, seed) + 1e-10);
    ++compared;
  });
  EXPECT_GT(compared, 150);
}

/// Bodies b0, b1, ..; body i hangs on `parents[i - 1]` by the joint number i + 1. Names and numbers are those of a
/// depth-first walk.
System tree(const std::vector<int>& parents) {
  std::vector<BodyDescription> bodies = {solid("b0")};
  std::vector<JointDescription> joints;
  for (std::size_t i = 0; i < parents.size(); ++i) {
    bodies.push_back(solid("b" + std::to_string(i + 1)));
    const std::string parent = "b" + std::to_string(parents[i]);
    joints.push_back(revolute("j" + std::to_string(i + 1), parent, bodies.back().name));
    joints.back().parent_point = {1, 2, 3};
  }
  return assemble(description_of(std::move(bodies), std::move(joints))).system;
}

std::vector<std::uint32_t> appendage(const System& system, const std::vector<std::uint32_t>& linearized) {
  DynamicsSettings settings(system);
  settings.linearized = linearized;
  return LinearPartial(system, settings).appendage;
}

using Joints = std::vector<std::uint32_t>;

TEST(LinearPartial, FindsTheLargestTerminalAppendage) {
  const System chain = tree({0, 1, 2, 3});  // joints 2 .. 5 in a row
  EXPECT_EQ(appendage(chain, {2, 3, 4, 5}), (Joints{2, 3, 4, 5}));
  EXPECT_EQ(appendage(chain, {4, 5}), (Joints{4, 5}));
  EXPECT_EQ(appendage(chain, {2, 4, 5}), (Joints{4, 5}));
  EXPECT_EQ(appendage(chain, {2, 3}), Joints{}) << "something that moves hangs on them";

  const System branches = tree({0, 1, 2, 0, 4, 0});  // joints 2 3 4, joints 5 6, joint 7, all on the base
  EXPECT_EQ(appendage(branches, {3, 4, 5}), (Joints{3, 4}));
  EXPECT_EQ(appendage(branches, {4, 5, 6}), (Joints{5, 6}));
  EXPECT_EQ(appendage(branches, {3, 4, 6, 7}), (Joints{3, 4}));
  EXPECT_EQ(appendage(branches, {5, 6, 7}), (Joints{5, 6, 7})) << "on one body they are one";
  EXPECT_EQ(appendage(branches, {4, 7}), Joints{7}) << "the first of equals: the base comes first";
}

TEST(LinearPartial, CountsFreedomsNotJoints) {
  System system = tree({0, 1, 0, 3, 4});  // joints 2 3 and 4 5 6 on the base
  system.joints[2].motion = Motion::free;
  EXPECT_EQ(appendage(system, {3, 5, 6}), (Joints{5, 6}));
  system.joints[5].motion = Motion::locked;
  system.joints[6].motion = Motion::prescribed;
  EXPECT_EQ(appendage(system, {3, 5, 6}), Joints{3});
}

TEST(LinearPartial, WeldsBelongToWhatCarriesThem) {
  JointDescription weld = joint("weld", JointType::weld, "b1", "b2");
  weld.parent_point = {0, 1, 0};
  const System system = assemble(description_of({solid("b0"), solid("b1"), solid("b2"), solid("b3")},
                                                {revolute("j1", "b0", "b1"), weld, revolute("j3", "b2", "b3")}))
                            .system;
  EXPECT_EQ(appendage(system, {2, 4}), (Joints{2, 4}));
  EXPECT_EQ(appendage(system, {4}), (Joints{4}));
}

TEST(LinearPartial, SolvesForWhatIsOutsideTheAppendage) {
  const System chain = tree({0, 1, 2, 3});
  DynamicsSettings settings(chain);
  settings.linearized = {3, 4, 5};
  const LinearPartial constants(chain, settings);
  LinearPartialData workspace(constants);
  Eigen::VectorXd udot(chain.initial.u.size());
  accelerations(constants, chain.initial.q.data(), chain.initial.u.data(), Forces<double>(chain), workspace,
                udot.data());
  EXPECT_EQ(workspace.rest.order, 4U);
  EXPECT_EQ(constants.inside.size(), 3U);
}

TEST(LinearPartial, SaysWhatItCannotTake) {
  const System chain = tree({0, 1});
  DynamicsSettings settings(chain);
  settings.linearized = {2};
  EXPECT_EQ(outside_domain_of_linear_partial(chain, settings), "");
  settings.linearized = {1, 2};
  EXPECT_EQ(outside_domain_of_linear_partial(chain, settings), "joint 'base' of the base cannot be linearised");
  const Assembled held = assemble(description_of({solid("a")}, {revolute("pin", "world", "a")}));
  EXPECT_EQ(outside_domain_of_linear_partial(held.system, DynamicsSettings(held.system)),
            "joint 'pin' of the base is not free");
}

/// Outside the appendage anything may be free or given by turns; inside, as it was built.
TEST(LinearPartial, TakesOtherChoicesOutsideTheAppendage) {
  const System chain = tree({0, 1, 2, 3});
  DynamicsSettings settings(chain);
  settings.linearized = {4, 5};
  const LinearPartial constants(chain, settings);
  LinearPartialData workspace(constants);
  Forces<double> forces(chain);
  for (double& tau : forces.tau) tau = 1;
  const State& state = chain.initial;
  Eigen::VectorXd udot(state.u.size());
  const auto evaluate = [&] {
    accelerations(constants, state.q.data(), state.u.data(), forces, workspace, udot.data());
  };
  evaluate();
  forces.free[chain.joints[2].u] = false;
  forces.udot[chain.joints[2].u] = 0.7;
  evaluate();
  System built = chain;
  built.joints[2].motion = Motion::prescribed;
  EXPECT_LT(difference(udot, accelerations_by<LinearPartial>(built, settings, state, forces)), 1e-12);
  forces.free[chain.joints[5].u] = false;
  try {
    evaluate();
    ADD_FAILURE() << "nothing was said";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find("joint '" + chain.joints[5].name + "' free"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace gyrostat
