// Joints and wheels that are free, locked or prescribed by turns, while one object computes: it must do what an object
// does that was built for that choice.
#include <stdexcept>

#include <gmock/gmock.h>

#include "gyrostat/constraints/dynamics.h"
#include "gyrostat/dynamics/reactions.h"

#include "support/eight.h"

namespace gyrostat::testing {
namespace free_or_given_test {

/// Another choice for some of the joints and wheels; the base of a system with line hinges stays free.
void choose_anew(System& system, Random& random, bool base_too) {
  for (std::size_t i = base_too ? 1 : 2; i < system.joints.size(); ++i) {
    if (random.chance(0.4))
      system.joints[i].motion =
          std::array{Motion::free, Motion::free, Motion::locked, Motion::prescribed}[random.index(4)];
  }
  for (Wheel& wheel : system.wheels) wheel.speed_prescribed = random.chance(0.5);
}

/// How near to singular the choice is: then rounding decides, and nothing is compared.
double condition(const System& system, const DynamicsSettings& settings, const Given<double>& x) {
  return pivot_ratio(Mechanism(system, settings), x);
}

void fly(const RandomCase& c, std::string_view name, std::uint64_t seed, bool base_too, int& compared) {
  Random random(seed);
  System system = c.system();
  const DynamicsSettings settings(system);
  if (!outside_domain(name, system, settings).empty()) return;
  Dynamics one(system, settings, name);
  Eigen::VectorXd udot, anew;
  for (int instant = 0; instant < 6; ++instant) {
    choose_anew(system, random, base_too);
    Given<double> x = random_given(system, random);
    State state{Eigen::Map<Eigen::VectorXd>(x.q.data(), c.state.q.size()),
                Eigen::Map<Eigen::VectorXd>(x.u.data(), c.state.u.size())};
    const double ratio = condition(system, settings, x);
    one.update(state);
    one.accelerations(state, x.forces, udot);
    Dynamics built(system, settings, name);
    built.update(state);
    built.accelerations(state, x.forces, anew);
    if (!(ratio < 1e6)) continue;
    ASSERT_LT((udot - anew).cwiseAbs().maxCoeff(), 1e-12 * ratio * (1 + anew.cwiseAbs().maxCoeff()))
        << name << " seed " << seed << " instant " << instant;
    for (std::size_t k = 0; k < x.forces.free.size(); ++k) {
      if (x.forces.free[k]) continue;
      ASSERT_NEAR(udot[static_cast<Eigen::Index>(k)], x.forces.udot[k], 1e-12) << name << " speed " << k;
    }
    ++compared;
  }
}

TEST(FreeOrGiven, MayChangeFromOneEvaluationToTheNext) {
  for (const std::string_view name :
       {"articulated_body", "composite_body", "kane", "nested_body", "absolute", "mixed"}) {
    int compared = 0;
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      const RandomCase c = RandomCase::make(seed, {.most_bodies = 10, .wheels = 0.5});
      if (c.state.u.size() > 0) fly(c, name, seed, true, compared);
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(compared, 300) << name;
  }
}

/// All exact formulations that take the system agree, whatever is free.
TEST(FreeOrGiven, IsTheSameToAllFormulations) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const RandomCase c = RandomCase::make(seed, {.most_bodies = 10, .wheels = 0.5});
    if (c.state.u.size() == 0) continue;
    Random random(seed);
    System system = c.system();
    const DynamicsSettings settings(system);
    Dynamics articulated(system, settings), composite(system, settings, "composite_body"),
        kane(system, settings, "kane"), nested(system, settings, "nested_body"), absolute(system, settings, "absolute"),
        mixed(system, settings, "mixed");
    Eigen::VectorXd expected, udot;
    for (int instant = 0; instant < 4; ++instant) {
      choose_anew(system, random, true);
      Given<double> x = random_given(system, random);
      // Single speeds of a joint, too.
      for (std::size_t i = 1; i < system.joints.size(); ++i) {
        const Joint& joint = system.joints[i];
        if (joint.type != JointType::free && joint.nu > 1 && random.chance(0.3))
          x.forces.free[joint.u] = random.chance(0.5);
      }
      const double ratio = condition(system, settings, x);
      if (!(ratio < 1e6)) continue;
      const State state{Eigen::Map<Eigen::VectorXd>(x.q.data(), c.state.q.size()),
                        Eigen::Map<Eigen::VectorXd>(x.u.data(), c.state.u.size())};
      articulated.update(state);
      articulated.accelerations(state, x.forces, expected);
      for (Dynamics* other : {&composite, &kane, &nested, &absolute, &mixed}) {
        other->update(state);
        other->accelerations(state, x.forces, udot);
        ASSERT_LT((udot - expected).cwiseAbs().maxCoeff(), 1e-12 * ratio * (1 + expected.cwiseAbs().maxCoeff()))
            << formulation_names[other->formulation().index()] << " seed " << seed;
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 500);
}

}  // namespace free_or_given_test
}  // namespace gyrostat::testing
