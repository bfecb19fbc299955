// Absolute and mixed coordinates against the other formulations and against laws, for trees. Loops are in
// absolute_loops_test.cpp.
#include "gyrostat/dynamics/absolute.h"

#include <map>

#include <gtest/gtest.h>

#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/dynamics/kane.h"
#include "gyrostat/dynamics/mixed.h"
#include "gyrostat/dynamics/reactions.h"

#include "support/assemble.h"
#include "support/random_dynamics.h"
#include "support/scene.h"

namespace gyrostat::testing {
namespace absolute_test {

template <class Constants, class Data>
struct SolvedBy {
  Constants constants;
  Data data;
  Eigen::VectorXd udot;

  SolvedBy(const System& system, const DynamicsSettings& settings, const State& state, const Forces<double>& forces)
      : constants(system, settings), data(constants), udot(state.u.size()) {
    accelerations(constants, state.q.data(), state.u.data(), forces, data, udot.data());
  }
  explicit SolvedBy(const RandomCase& c) : SolvedBy(c.system(), DynamicsSettings(c.system()), c.state, c.forces) {}
};
using Solved = SolvedBy<Absolute, AbsoluteData>;
using SolvedMixed = SolvedBy<Mixed, MixedData>;

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

double relative_error(const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
  return (a - b).cwiseAbs().maxCoeff() / (1 + b.cwiseAbs().maxCoeff());
}

/// The tolerance of 1e-8: multipliers are found from a matrix whose condition is the square of that of the constraints,
/// and systems with a condition of the mass matrix up to 1e7 are compared. The median error is 1e-15, and
/// 3e-13 is exceeded by one system in a hundred, where articulated_body loses digits too.
TEST(Absolute, AgreesWithOtherFormulationsOnRandomTreesOfAllJoints) {
  int compared = 0;
  std::map<std::pair<JointType, bool>, int> seen;
  std::vector<double> errors, mixed_errors;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const RandomCase c = RandomCase::make(seed, mixed_sizes(seed));
    if (c.state.u.size() == 0 || condition(c) > 1e7) continue;
    KaneData kane(*c.mechanism);
    Eigen::VectorXd by_kane(c.state.u.size());
    accelerations(*c.mechanism, c.kinematics, c.state.u.data(), c.forces, kane, by_kane.data());
    const Eigen::VectorXd articulated = c.accelerations();
    const Solved solved(c);
    const SolvedMixed mixed(c);
    ASSERT_LT(relative_error(solved.udot, articulated), 1e-8) << "seed " << seed;
    ASSERT_LT(relative_error(solved.udot, by_kane), 1e-8) << "seed " << seed;
    ASSERT_LT(relative_error(mixed.udot, articulated), 1e-8) << "seed " << seed;
    errors.push_back(relative_error(solved.udot, articulated));
    mixed_errors.push_back(relative_error(mixed.udot, articulated));
    for (std::size_t i = 1; i < c.system().joints.size(); ++i) {
      ++seen[{c.system().joints[i].type, c.system().joints[i].reversed}];
    }
    ++compared;
  }
  EXPECT_GT(compared, 950);
  EXPECT_EQ(seen.size(), 22U);  // every type in both directions
  for (std::vector<double>* list : {&errors, &mixed_errors}) {
    std::sort(list->begin(), list->end());
    EXPECT_LT((*list)[list->size() / 2], 1e-13);
    EXPECT_LT((*list)[list->size() * 99 / 100], 1e-11);
  }
}

/// Which speeds are free is data, and may change from one evaluation to the next; single speeds of a joint, too.
TEST(Absolute, FollowsWhatIsFreeAndWhatIsGiven) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    RandomCase c = RandomCase::make(seed, {.most_bodies = 8, .massless = 0, .wheels = 0.5});
    if (c.state.u.size() == 0) continue;
    Random random(seed);
    const Absolute constants(c.system(), DynamicsSettings(c.system()));
    AbsoluteData data(constants);
    const Mixed mixed_constants(c.system(), DynamicsSettings(c.system()));
    MixedData mixed_data(mixed_constants);
    Eigen::VectorXd udot(c.state.u.size()), mixed(c.state.u.size());
    for (int instant = 0; instant < 4; ++instant) {
      for (std::size_t k = 0; k < c.forces.free.size(); ++k) c.forces.free[k] = random.chance(0.6);
      for (const Joint& joint : c.system().joints) {  // together
        if (joint.type == JointType::free) c.forces.set_free(joint.u, joint.nu, random.chance(0.6));
      }
      if (condition(c) > 1e6) continue;
      const Eigen::VectorXd expected = c.accelerations();
      accelerations(constants, c.state.q.data(), c.state.u.data(), c.forces, data, udot.data());
      accelerations(mixed_constants, c.state.q.data(), c.state.u.data(), c.forces, mixed_data, mixed.data());
      ASSERT_LT(relative_error(udot, expected), 1e-8) << "seed " << seed << " instant " << instant;
      ASSERT_LT(relative_error(mixed, expected), 1e-8) << "seed " << seed << " instant " << instant;
      for (std::size_t k = 0; k < c.forces.free.size(); ++k) {
        const std::uint32_t decides = constants.speeds[k].decided;
        if (c.forces.free[decides]) continue;
        ASSERT_EQ(udot[static_cast<Eigen::Index>(k)], c.forces.udot[k]);
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 400);
}

TEST(Absolute, DropsGyroscopicTermsOfTheBodiesNamed) {
  int different = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomCase c = RandomCase::make(seed, {.most_bodies = 8, .massless = 0, .wheels = 0.7});
    if (c.state.u.size() == 0 || condition(c) > 1e6) continue;
    DynamicsSettings settings(c.system());
    for (std::size_t i = 1; i < settings.gyroscopic.size(); ++i) settings.gyroscopic[i] = i % 2 == 0;
    const Mechanism mechanism(c.system(), settings);
    ArticulatedBodyData<double> workspace(mechanism);
    Eigen::VectorXd expected(c.state.u.size());
    accelerations(mechanism, c.kinematics, c.state.u.data(), c.forces, workspace, expected.data());
    const Solved solved(c.system(), settings, c.state, c.forces);
    const SolvedMixed mixed(c.system(), settings, c.state, c.forces);
    ASSERT_LT(relative_error(solved.udot, expected), 1e-8) << "seed " << seed;
    ASSERT_LT(relative_error(mixed.udot, expected), 1e-8) << "seed " << seed;
    different += (expected - c.accelerations()).norm() > 1e-3;
  }
  EXPECT_GT(different, 50);
}

/// Reactions and driving forces of tree joints are those of inverse dynamics.
TEST(Absolute, FindsTheReactionsOfTreeJoints) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    RandomModelOptions options;
    options.most_bodies = 10;
    options.locked = options.prescribed = 0.2;
    options.flexible = seed % 4 == 0 ? 0.5 : 0;
    const RandomCase c = RandomCase::make(seed, options);
    if (c.state.u.size() == 0 || condition(c) > 1e6) continue;
    const Solved solved(c);
    AbsoluteReactions found;
    find_reactions(solved.constants, c.forces, solved.data, found);
    const Eigen::VectorXd udot = c.accelerations();
    Reactions expected(*c.mechanism);
    find_reactions(*c.mechanism, c.state.q.data(), c.state.u.data(), udot.data(), c.forces, expected);
    double scale = 1 + udot.cwiseAbs().maxCoeff();
    for (const Reaction& r : expected.joints) scale = std::max({scale, r.force.norm(), r.torque.norm()});
    for (std::size_t i = 1; i < expected.joints.size(); ++i) {
      if (c.system().bodies[i].node != Body::none) continue;  // what a node transmits is inside its flexible body
      ASSERT_LT((found.joints[i].force - expected.joints[i].force).norm(), 1e-8 * scale) << "seed " << seed;
      ASSERT_LT((found.joints[i].torque - expected.joints[i].torque).norm(), 1e-8 * scale) << "seed " << seed;
      ASSERT_TRUE(found.joints[i].unique);
    }
    for (std::size_t k = 0; k < found.driving.size(); ++k) {
      ASSERT_NEAR(found.driving[k], expected.driving[k], 1e-8 * scale) << "seed " << seed << " speed " << k;
    }
    ++compared;
  }
  EXPECT_GT(compared, 450);
}

/// Momentum of a free system from the accelerations of the bodies' mass centres, and power from those of all
/// coordinates, as the formulation itself has them.
TEST(Absolute, BalancesMomentumAndPowerByItsOwnAccelerations) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    RandomModelOptions options;
    options.implicit_base = 1;
    options.locked = options.prescribed = 0;
    RandomCase c = RandomCase::make(seed, options);
    if (condition(c) > 1e6) continue;
    for (Wheel wheel : c.system().wheels) c.forces.free[wheel.u] = true;
    for (std::size_t k = 0; k < 6; ++k) c.forces.tau[k] = 0;  // of the base: those would be external
    const Solved solved(c);
    const AbsoluteModel& model = solved.constants.model;
    const Eigen::VectorXd& h = solved.data.h;
    Vector3 force = Vector3::Zero(), torque = Vector3::Zero();
    double power = 0, scale = 1;
    const auto add = [&](double part) { power += part, scale += std::abs(part); };
    for (std::uint32_t i = 1; i < model.bodies.size(); ++i) {
      const AbsoluteBody& body = model.bodies[i];
      const AbsoluteMotion& motion = solved.data.state.bodies[i];
      const std::uint32_t x = solved.data.plan.x[i];
      const Vector3 a = h.segment<3>(x), alpha = h.segment<3>(x + 3), w = motion.A.transpose() * motion.w;
      Vector3 momentum = body.inertia * w, rate = body.inertia * alpha;
      for (std::uint32_t k = 0; k < body.wheels; ++k) {
        const Wheel& wheel = model.wheels[body.wheel + k];
        const double spin = c.state.u[wheel.u] + wheel.axis.dot(w), spin_rate = h[x + 6 + k];
        momentum += wheel.inertia * spin * wheel.axis;
        rate += wheel.inertia * spin_rate * wheel.axis;
        add(wheel.inertia * spin * spin_rate - c.forces.tau[wheel.u] * c.state.u[wheel.u]);
      }
      const Vector3 f = to_eigen(c.forces.wrench[i].force), t = to_eigen(c.forces.wrench[i].torque);
      const Vector3 base = motion.A * body.base;
      force += f - body.mass * a;
      torque += t + (motion.r + base).cross(f) - motion.r.cross(body.mass * a) - motion.A * (rate + w.cross(momentum));
      const Vector3 v = motion.v + solved.data.state.origin_rate[body.root];
      add(body.mass * v.dot(a) + w.dot(body.inertia * alpha) - f.dot(v + motion.w.cross(base)) - t.dot(motion.w));
    }
    for (std::uint32_t i = 1; i < model.joints.size(); ++i) {
      const AbsoluteJoint& joint = model.joints[i];
      for (std::uint32_t k = 0; k < joint.speeds(); ++k) add(-c.forces.tau[joint.u + k] * c.state.u[joint.u + k]);
    }
    EXPECT_LT(force.norm() + torque.norm(), 1e-8 * scale) << "seed " << seed;
    EXPECT_NEAR(power, 0, 1e-8 * scale) << "seed " << seed;
  }
}

/// A spacecraft far from the world's origin and fast loses no digits.
TEST(Absolute, LosesNoDigitsInOrbit) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    RandomCase c = RandomCase::make(seed, {.least_bodies = 3, .most_bodies = 8, .massless = 0, .implicit_base = 1});
    if (condition(c) > 1e5) continue;
    const Solved near(c);
    const Joint& base = c.system().joints[1];
    c.state.q.segment<3>(base.q) += Vector3(7e6, -2e6, 1e6);
    c.state.u.segment<3>(base.u + 3) += Vector3(100, 7500, -300);
    const Solved far(c);
    EXPECT_LT(relative_error(far.udot, near.udot), 1e-12) << "seed " << seed;
  }
}

/// Dense factors of small systems and sparse ones of large systems are two ways to the same.
TEST(Absolute, SolvesLongChainsAndWideTrees) {
  for (const bool wide : {false, true}) {
    Description d;
    for (int i = 0; i < 80; ++i) {
      d.bodies.push_back(rigid_body("b" + std::to_string(i), 1 + 0.01 * i, {0.2, 0.3, 0.4}, {0.1, 0.3, -0.1}));
      const std::string inner = i == 0 ? "world" : wide ? "b0" : "b" + std::to_string(i - 1);
      const Vector3 axis = Vector3(1, 0.3 * (i % 3), 0.5 * (i % 2)).normalized();
      d.joints.push_back(one_axis("j" + std::to_string(i), JointType::revolute, inner, d.bodies.back().name, axis,
                                  0.1 * (i % 7), 0.2));
      d.joints.back().parent_point = {0.2, 0.1, 0.4};
    }
    const RandomCase c = RandomCase::from(load_description(d), 5);
    const Solved solved(c);
    EXPECT_FALSE(solved.data.plan.factors.is_dense());
    EXPECT_LT(relative_error(solved.udot, c.accelerations()), 1e-8);
    d.bodies.resize(3);
    d.joints.resize(3);
    const RandomCase small = RandomCase::from(load_description(d), 5);
    const Solved dense(small);
    EXPECT_TRUE(dense.data.plan.factors.is_dense());
    EXPECT_LT(relative_error(dense.udot, small.accelerations()), 1e-11);
  }
}

TEST(Absolute, SaysWhatIsTooLarge) {
  Description d;
  d.bodies = {solid("hub")};
  d.joints = {revolute("base", "world", "hub")};
  for (int i = 0; i < 1200; ++i) {
    d.bodies.push_back(solid("b" + std::to_string(i)));
    d.joints.push_back(revolute("j" + std::to_string(i), "hub", "b" + std::to_string(i)));
  }
  const System wide = assemble(d).system;
  EXPECT_NE(outside_domain_of_absolute(wide, DynamicsSettings(wide)).find("too many joints on one body"),
            std::string::npos);
  EXPECT_EQ(outside_domain_of_mixed(wide, DynamicsSettings(wide)), "");
  for (int i = 0; i < 9000; ++i) {
    d.bodies.push_back(solid("c" + std::to_string(i)));
    d.joints.push_back(revolute("k" + std::to_string(i), "world", "c" + std::to_string(i)));
  }
  const System large = assemble(d).system;
  EXPECT_NE(outside_domain_of_absolute(large, DynamicsSettings(large)).find("10201 speeds"), std::string::npos);
  EXPECT_NE(outside_domain_of_mixed(large, DynamicsSettings(large)).find("more than the 2000"), std::string::npos);
}

/// Where nothing determines a motion there is no number to give.
TEST(Absolute, GivesNoNumberWhereMotionIsNotDetermined) {
  Description d;
  d.bodies = {solid("a"), massless("idle")};
  d.joints = {revolute("pin", "world", "a"), revolute("loose", "a", "idle", Vector3::UnitX())};
  const System system = assemble(d).system;
  const Solved solved(system, DynamicsSettings(system), system.initial, Forces<double>(system));
  const SolvedMixed mixed(system, DynamicsSettings(system), system.initial, Forces<double>(system));
  EXPECT_FALSE(solved.udot.allFinite());
  EXPECT_FALSE(mixed.udot.allFinite());
}

}  // namespace absolute_test
}  // namespace gyrostat::testing
