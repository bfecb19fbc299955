// The augmented-body equations against another formulation and against laws of mechanics.
#include "gyrostat/dynamics/augmented_body.h"

#include "dynamics/free_flyer.h"
#include "support/load.h"

namespace gyrostat {
namespace {

using testing::accelerations_by;
using testing::assemble;
using testing::Assembled;
using testing::description_of;
using testing::difference;
using testing::expect_laws;
using testing::for_random_free_flyers;
using testing::joint;
using testing::massless;
using testing::Random;
using testing::reference_accelerations;
using testing::revolute;
using testing::solid;

/// Where a massless body comes close to turning alone, accelerations are huge and digits few: that is left out.
void expect_agreement(const System& system, const DynamicsSettings& settings, const Forces<double>& forces) {
  const Eigen::VectorXd reference = reference_accelerations(system, settings, system.initial, forces);
  if (reference.cwiseAbs().maxCoeff() > 1e4) return;
  EXPECT_EQ(outside_domain_of_augmented_body(system, settings), "");
  EXPECT_LT(difference(accelerations_by<AugmentedBody>(system, settings, system.initial, forces), reference), 1e-10);
}

TEST(AugmentedBody, AgreesWithTheArticulatedBodyRecursion) {
  for_random_free_flyers({}, 600, [](const System& system, const Forces<double>& forces, Random&) {
    expect_agreement(system, DynamicsSettings(system), forces);
  });
}

TEST(AugmentedBody, AgreesOnLargeTrees) {
  for_random_free_flyers({.least_bodies = 30, .most_bodies = 60}, 30,
                         [](const System& system, const Forces<double>& forces, Random&) {
                           expect_agreement(system, DynamicsSettings(system), forces);
                         });
}

TEST(AugmentedBody, AgreesOnTreesOfMasslessAndReversedBodies) {
  for_random_free_flyers({.reversed = 0.7, .massless = 0.6}, 200,
                         [](const System& system, const Forces<double>& forces, Random&) {
                           expect_agreement(system, DynamicsSettings(system), forces);
                         });
}

TEST(AugmentedBody, AgreesWithGyroscopicTorquesLeftOut) {
  for_random_free_flyers({}, 200, [](const System& system, const Forces<double>& forces, Random& random) {
    DynamicsSettings settings(system);
    for (std::size_t i = 1; i < settings.gyroscopic.size(); ++i) settings.gyroscopic[i] = random.chance(0.5);
    expect_agreement(system, settings, forces);
  });
}

TEST(AugmentedBody, MomentumChangesByExternalForcesAndEnergyByPower) {
  for_random_free_flyers({.prescribed = 0}, 200, [](const System& system, const Forces<double>& forces, Random&) {
    const DynamicsSettings settings(system);
    const State& state = system.initial;
    expect_laws(system, state, forces, accelerations_by<AugmentedBody>(system, settings, state, forces), true);
  });
}

TEST(AugmentedBody, PrescribedJointsMoveAsGivenAndMomentumKeepsItsLaw) {
  for_random_free_flyers({.prescribed = 0.5}, 200, [](const System& system, const Forces<double>& forces, Random&) {
    const Eigen::VectorXd udot =
        accelerations_by<AugmentedBody>(system, DynamicsSettings(system), system.initial, forces);
    expect_laws(system, system.initial, forces, udot, false);
    for (std::size_t i = 1; i < system.joints.size(); ++i) {
      const Joint& moved = system.joints[i];
      if (moved.motion == Motion::free) continue;
      for (std::uint32_t k = moved.u; k < moved.u + moved.nu; ++k) {
        EXPECT_EQ(udot[k], moved.motion == Motion::locked ? 0 : forces.udot[k]);
      }
    }
  });
}

TEST(AugmentedBody, PrescribedJointsAreNotAmongTheUnknowns) {
  Assembled a = assemble(description_of({solid("a"), solid("b"), solid("c")},
                                        {revolute("ab", "a", "b"), revolute("bc", "b", "c", Vector3::UnitX())}));
  const AugmentedBody constants(a.system, DynamicsSettings(a.system));
  AugmentedBodyData workspace(constants);
  Forces<double> forces(a.system);
  const State& state = a.system.initial;
  Eigen::VectorXd udot(state.u.size());
  const auto order = [&] {
    accelerations(constants, state.q.data(), state.u.data(), forces, workspace, udot.data());
    return workspace.order;
  };
  EXPECT_EQ(order(), 5U);
  forces.free[6] = false;
  EXPECT_EQ(order(), 4U);
  forces.free[7] = false;
  EXPECT_EQ(order(), 3U);
}

TEST(AugmentedBody, HingesMayBeFreeOrGivenByTurns) {
  for_random_free_flyers({}, 200, [](const System& system, const Forces<double>& given, Random& random) {
    const DynamicsSettings settings(system);
    const AugmentedBody constants(system, settings);
    AugmentedBodyData workspace(constants);
    Eigen::VectorXd udot(system.initial.u.size());
    for (int instant = 0; instant < 4; ++instant) {
      Forces<double> forces = given;
      for (std::size_t i = 2; i < system.joints.size(); ++i) {
        const Joint& hinge = system.joints[i];
        if (random.chance(0.5)) forces.set_free(hinge.u, hinge.nu, random.chance(0.5));
      }
      accelerations(constants, system.initial.q.data(), system.initial.u.data(), forces, workspace, udot.data());
      const Eigen::VectorXd reference = reference_accelerations(system, settings, system.initial, forces);
      if (!(reference.cwiseAbs().maxCoeff() < 1e4)) continue;
      EXPECT_LT(difference(udot, reference), 1e-9);
    }
  });
}

TEST(AugmentedBody, SaysThatItsBaseMustStayFree) {
  const Assembled a = assemble(description_of({solid("a"), solid("b")}, {revolute("ab", "a", "b")}));
  const AugmentedBody constants(a.system, DynamicsSettings(a.system));
  AugmentedBodyData workspace(constants);
  Forces<double> forces(a.system);
  forces.set_free(0, 6, false);
  Eigen::VectorXd udot(a.system.initial.u.size());
  EXPECT_THROW(
      accelerations(constants, a.system.initial.q.data(), a.system.initial.u.data(), forces, workspace, udot.data()),
      std::invalid_argument);
}

TEST(AugmentedBody, BarycentreIsTheMassCentreOfTheAugmentedBody) {
  // Two bodies of 1 kg joined 2 m and 1 m from their mass centres: each has 1 kg more at the hinge.
  JointDescription hinge = revolute("hinge", "a", "b");
  hinge.parent_point = {2, 0, 0};
  hinge.child_point = {-1, 0, 0};
  const Assembled a = assemble(description_of({solid("a"), solid("b")}, {hinge}));
  const AugmentedBody workspace(a.system, DynamicsSettings(a.system));
  const HingedBody &base = workspace.tree.bodies[0], &outer = workspace.tree.bodies[1];
  EXPECT_NEAR(to_eigen(base.D).norm(), 1, 1e-15);
  EXPECT_NEAR(to_eigen(outer.D).norm(), 0.5, 1e-15);
  EXPECT_NEAR(base.Phi.zz, 1 + 2 * 1 * 1, 1e-14);
  EXPECT_NEAR(outer.Phi.zz, 1 + 2 * 0.5 * 0.5, 1e-14);
}

std::string outside(Description description) {
  const Assembled a = assemble(std::move(description));
  return outside_domain_of_augmented_body(a.system, DynamicsSettings(a.system));
}

TEST(AugmentedBody, SaysWhatItCannotTake) {
  JointDescription slide = joint("slide", JointType::prismatic, "a", "b");
  slide.translations = {Vector3::UnitX()};
  slide.position = slide.speed = {0};
  EXPECT_EQ(outside(description_of({solid("a"), solid("b")}, {slide})), "joint 'slide' translates");

  const JointDescription apart = joint("apart", JointType::free, "a", "b");
  EXPECT_EQ(outside(description_of({solid("a"), solid("b")}, {apart})), "joint 'apart' translates");

  EXPECT_EQ(outside(description_of({solid("a")}, {revolute("pin", "world", "a")})),
            "joint 'pin' of the base is not free");

  JointDescription base = joint("base", JointType::free, "world", "a");
  const JointDescription other = joint("other", JointType::free, "world", "b");
  EXPECT_EQ(outside(description_of({solid("a"), solid("b")}, {base, other})),
            "joint 'other' is a second one at the world");

  base.locked = true;
  EXPECT_EQ(outside(description_of({solid("a")}, {base})), "joint 'base' of the base is locked");

  base.locked = false;
  base.prescribed = {Prescribed::Kind::acceleration, std::vector(6, expression::constant(0))};
  EXPECT_EQ(outside(description_of({solid("a")}, {base})), "joint 'base' of the base is prescribed");

  BodyDescription wheeled = solid("a");
  wheeled.wheels.emplace_back();
  wheeled.wheels.back().name = "rw";
  EXPECT_EQ(outside(description_of({wheeled})), "body 'a' has wheel 'rw'");

  JointDescription closing = revolute("closing", "a", "c");
  closing.cut = true;
  EXPECT_EQ(outside(description_of({solid("a"), solid("b"), solid("c")},
                                   {revolute("ab", "a", "b"), revolute("bc", "b", "c"), closing})),
            "joint 'closing' closes a loop");

  EXPECT_EQ(outside(description_of({massless("a")})), "no body has mass");
  EXPECT_EQ(outside({}), "there are no bodies");
}

}  // namespace
}  // namespace gyrostat
