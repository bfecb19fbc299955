// The totally linearised equations against the exact ones near the configuration they are about.
#include "gyrostat/dynamics/linear_total.h"

#include "gyrostat/dynamics/linear_total_fixed.h"

#include "dynamics/free_flyer.h"

namespace gyrostat {
namespace linear_total_test {

using testing::accelerations_by;
using testing::assemble;
using testing::Assembled;
using testing::description_of;
using testing::difference;
using testing::for_random_free_flyers;
using testing::joint;
using testing::Random;
using testing::revolute;
using testing::SmallCase;
using testing::solid;

/// The difference of a formulation from the exact one.
template <class Formulation>
double error(const System& system, const DynamicsSettings& settings, const SmallCase& at) {
  const Eigen::VectorXd exact = accelerations_by<AugmentedBody>(system, settings, at.state, at.forces);
  return (accelerations_by<Formulation>(system, settings, at.state, at.forces) - exact).cwiseAbs().maxCoeff();
}

/// Systems whose equations are far from singular where they start, so that small means small.
template <class Check>
void for_well_conditioned(std::uint64_t count, Check check) {
  for_random_free_flyers({.massless = 0.1}, count, [&](const System& system, const Forces<double>& forces, Random& r) {
    const DynamicsSettings settings(system);
    const Eigen::VectorXd udot = accelerations_by<AugmentedBody>(system, settings, system.initial, forces);
    if (udot.cwiseAbs().maxCoeff() < 30) check(system, settings, forces, r);
  });
}

TEST(LinearTotal, IsExactAtRestInTheConfigurationItIsAbout) {
  for_random_free_flyers({}, 200, [](const System& system, const Forces<double>& forces, Random& random) {
    const DynamicsSettings settings(system);
    State state{system.initial.q, Eigen::VectorXd::Zero(system.initial.u.size())};
    state.q.segment<4>(3) = random.quaternion();
    const Eigen::VectorXd exact = accelerations_by<AugmentedBody>(system, settings, state, forces);
    if (exact.cwiseAbs().maxCoeff() > 1e4) return;
    EXPECT_LT(difference(accelerations_by<LinearTotal>(system, settings, state, forces), exact), 1e-10);
    EXPECT_LT(difference(accelerations_by<LinearTotalFixed>(system, settings, state, forces), exact), 1e-10);
  });
}

TEST(LinearTotal, HalvingTheMotionQuartersTheError) {
  int compared = 0;
  for_well_conditioned(300, [&](const System& system, const DynamicsSettings& settings, const auto&, Random& random) {
    const auto seed = random.index(1U << 30U);
    const SmallCase large(system, settings.about, 2e-4, seed), small(system, settings.about, 1e-4, seed);
    EXPECT_LT(error<LinearTotal>(system, settings, small), 0.3 * error<LinearTotal>(system, settings, large) + 1e-12);
    EXPECT_LT(error<LinearTotalFixed>(system, settings, small),
              0.3 * error<LinearTotalFixed>(system, settings, large) + 1e-12);
    ++compared;
  });
  EXPECT_GT(compared, 150);
}

/// Forces of a uniform field on all bodies, however large, turn nothing.
SmallCase in_uniform_field(const System& system, const Eigen::VectorXd& about, double size, std::uint64_t seed) {
  SmallCase at(system, about, size, seed);
  const Vector3 field(3, -5, 8);
  const std::vector<Pose> X_N = body_poses(system, at.state.q);
  for (std::size_t i = 1; i < X_N.size(); ++i) {
    const MassProperties& body = system.bodies[i].mass_properties;
    const Vector3 force = body.mass * field, lever = X_N[i].R * (body.com - base_point(system.joints[i]));
    at.forces.wrench[i] = {cast<double>(Vector3(lever.cross(force))), cast<double>(force)};
  }
  return at;
}

TEST(LinearTotal, TransformationsMakeLargeBalancedForcesRightToFirstOrder) {
  int compared = 0, first_order = 0;
  for_well_conditioned(200, [&](const System& system, const DynamicsSettings& settings, const auto&, Random& random) {
    const auto seed = random.index(1U << 30U);
    const SmallCase large = in_uniform_field(system, settings.about, 2e-4, seed);
    const SmallCase small = in_uniform_field(system, settings.about, 1e-4, seed);
    EXPECT_LT(error<LinearTotal>(system, settings, small), 0.3 * error<LinearTotal>(system, settings, large) + 1e-12);
    const double fixed = error<LinearTotalFixed>(system, settings, small);
    if (fixed > 0.4 * error<LinearTotalFixed>(system, settings, large) && fixed > 1e-6) ++first_order;
    ++compared;
  });
  EXPECT_GT(first_order, compared / 2) << "without them it is right to the lowest order only";
}

/// Large torques in pairs across every joint, with the joint's drive holding them: nothing accelerates, exactly where
/// the axes are. What is left is what the linearised axes get wrong.
SmallCase with_torques_held(const System& system, const Eigen::VectorXd& about, double size, std::uint64_t seed) {
  SmallCase at(system, about, size, seed);
  Random random(seed + 1);
  const Mechanism mechanism(system);
  Kinematics<double> kinematics(mechanism);
  update(mechanism, at.state.q.data(), at.state.u.data(), kinematics);
  for (std::uint32_t i = 2; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    const Vec3<double> torque = {random.uniform(-5, 5), random.uniform(-5, 5), random.uniform(-5, 5)};
    at.forces.wrench[i].torque += torque;
    at.forces.wrench[link.parent].torque -= torque;
    Twist<double> only;
    const Twist<double>* columns = subspace_of(link, kinematics, kinematics.bodies[i], only);
    for (std::size_t k = 0; k < link.nu; ++k) at.forces.tau[link.u + k] -= dot(columns[k].w, torque);
  }
  return at;
}

TEST(LinearTotal, TurnsTheAxesThatLargeTorquesAreHeldAbout) {
  int compared = 0, first_order = 0;
  for_well_conditioned(200, [&](const System& system, const DynamicsSettings& settings, const auto&, Random& random) {
    const auto seed = random.index(1U << 30U);
    const SmallCase large = with_torques_held(system, settings.about, 2e-4, seed);
    const SmallCase small = with_torques_held(system, settings.about, 1e-4, seed);
    EXPECT_LT(error<LinearTotal>(system, settings, small), 0.3 * error<LinearTotal>(system, settings, large) + 1e-12);
    const double fixed = error<LinearTotalFixed>(system, settings, small);
    if (fixed > 0.4 * error<LinearTotalFixed>(system, settings, large) && fixed > 1e-6) ++first_order;
    ++compared;
  });
  EXPECT_GT(first_order, compared / 2) << "without them it is right to the lowest order only";
}

TEST(LinearTotal, IsAboutAConfigurationThatIsNotTheInitialOne) {
  for_well_conditioned(50, [](const System& system, DynamicsSettings settings, const auto&, Random& random) {
    Eigen::VectorXd far = Eigen::VectorXd::Zero(system.initial.u.size());
    for (Eigen::Index k = 6; k < far.size(); ++k) far[k] = random.uniform(-0.3, 0.3);
    settings.about = testing::after(system, system.initial.q, far, 1);
    const SmallCase at(system, settings.about, 1e-5, 7);
    EXPECT_LT(error<LinearTotal>(system, settings, at), 1e-6);
    EXPECT_LT(error<LinearTotalFixed>(system, settings, at), 1e-6);
  });
}

TEST(LinearTotal, SaysWhatItCannotTake) {
  JointDescription slide = joint("slide", JointType::prismatic, "a", "b");
  slide.translations = {Vector3::UnitX()};
  slide.position = slide.speed = {0};
  const Assembled sliding = assemble(description_of({solid("a"), solid("b")}, {slide}));
  EXPECT_EQ(outside_domain_of_linear_total(sliding.system, DynamicsSettings(sliding.system)),
            "joint 'slide' translates");
  const Assembled turning = assemble(description_of({solid("a"), solid("b")}, {revolute("turn", "a", "b")}));
  EXPECT_EQ(outside_domain_of_linear_total(turning.system, DynamicsSettings(turning.system)), "");
}

template <class Constants>
void expect_refusal_of_another_choice() {
  const Assembled a = assemble(description_of({solid("a"), solid("b")}, {revolute("ab", "a", "b")}));
  const Constants constants(a.system, DynamicsSettings(a.system));
  auto workspace = testing::data_of(constants);
  Forces<double> forces(a.system);
  Eigen::VectorXd udot(a.system.initial.u.size());
  const auto evaluate = [&] {
    accelerations(constants, a.system.initial.q.data(), a.system.initial.u.data(), forces, workspace, udot.data());
  };
  EXPECT_NO_THROW(evaluate());
  forces.free[6] = false;
  EXPECT_THROW(evaluate(), std::invalid_argument);
}

TEST(LinearTotal, KeepsTheChoiceOfFreeJointsItWasBuiltWith) {
  expect_refusal_of_another_choice<LinearTotal>();
  expect_refusal_of_another_choice<LinearTotalFixed>();
}

}  // namespace linear_total_test
}  // namespace gyrostat
