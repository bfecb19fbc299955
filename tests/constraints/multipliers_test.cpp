// What multipliers exert, and which of them are unique.
#include "gyrostat/constraints/multipliers.h"

#include <Eigen/QR>
#include <gtest/gtest.h>

#include "gyrostat/constraints/dynamics.h"
#include "gyrostat/constraints/mobility.h"

#include "support/closed_case.h"
#include "support/load.h"

namespace gyrostat::testing {
namespace multipliers_test {

template <class Test>
std::size_t for_closed_cases(Test test) {
  std::size_t tested = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const ClosedCase c(seed);
    const ClosedCase::Solution reference = c.dense();
    if (reference.multipliers.size() == 0 || !reference.udot.allFinite() || !(reference.residual < 1e-9)) continue;
    if (const ClosureChoice choice = c.choice(); choice.massless != 0 || choice.weakest < 1e-6) continue;
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Dynamics dynamics(c.system(), DynamicsSettings(c.system()));
    dynamics.update(c.state);
    Eigen::VectorXd udot;
    dynamics.accelerations(c.state, *c.forces, udot);
    test(c, reference, dynamics, udot);
    if (::testing::Test::HasFailure()) return tested;
    ++tested;
  }
  return tested;
}

Eigen::MatrixXd free_columns(const ClosedCase& c) {
  Eigen::MatrixXd J = c.jacobian();
  for (Eigen::Index k = 0; k < J.cols(); ++k) {
    if (!c.forces->free[static_cast<std::size_t>(k)]) J.col(k).setZero();
  }
  return J;
}

TEST(Multipliers, ThatAreNotUniqueAreThoseOfLeastNorm) {
  std::size_t ambiguous = 0;
  const std::size_t tested = for_closed_cases([&](const ClosedCase& c, const ClosedCase::Solution& reference,
                                                  const Dynamics& dynamics, const Eigen::VectorXd&) {
    const Multipliers m =
        unique_or_least(dynamics.mechanism(), dynamics.kinematics(), c.forces->free, dynamics.closures());
    const Eigen::MatrixXd J = free_columns(c);
    const auto count = J.rows();
    const Eigen::Map<const Eigen::VectorXd> values(m.values.data(), count), found(dynamics.multipliers().data(), count);
    const double scale = 1 + reference.multipliers.norm();
    EXPECT_LT((J.transpose() * (values - found)).norm(), 1e-6 * scale) << "they exert the same";
    EXPECT_LT((values - reference.multipliers).norm(), 1e-5 * scale);
    if (reference.rank == 0) {
      EXPECT_THAT(m.unique, ::testing::Each(false));
      return;
    }
    // A multiplier is unique unless its row takes part in a dependence of the rows: y J = 0.
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
    factors.setThreshold(1e-9);
    factors.compute(J.transpose());
    const Eigen::ArrayXd pivots = factors.matrixQTZ().diagonal().array().abs() / factors.maxPivot();
    if ((pivots > 1e-11 && pivots < 1e-7).any()) return;  // is it dependent? rounding decides
    const Eigen::MatrixXd onto = factors.solve(J.transpose());
    for (Eigen::Index r = 0; r < count; ++r) {
      const double part = 1 - onto.row(r).squaredNorm();  // the square of the row's part in dependences
      if (part > 1e-11 && part < 1e-7) continue;
      EXPECT_EQ(m.unique[static_cast<std::size_t>(r)], part <= 1e-11) << "row " << r;
      ambiguous += part > 1e-7 ? 1 : 0;
    }
  });
  EXPECT_GT(tested, 100U);
  EXPECT_GT(ambiguous, 20U);
}

/// The tree alone, with the forces of the multipliers added to those that act on it, moves as the closed system.
TEST(Multipliers, ExertWhatMovesTheTreeAsTheClosedSystem) {
  const std::size_t tested = for_closed_cases([](const ClosedCase& c, const ClosedCase::Solution& reference,
                                                 const Dynamics& dynamics, const Eigen::VectorXd& udot) {
    System tree = c.system();
    tree.constraints.clear();
    Forces<double> forces = *c.forces;
    add_forces(dynamics.closures(), dynamics.multipliers(), forces);
    Dynamics open(tree, DynamicsSettings(tree));
    open.update(c.state);
    Eigen::VectorXd moved;
    open.accelerations(c.state, forces, moved);
    EXPECT_LT((moved - udot).norm(), 1e-7 * (1 + reference.multipliers.norm() + udot.norm()));
  });
  EXPECT_GT(tested, 100U);
}

/// What redundant constraints leave open at the initial configuration, nothing but weight acting.
struct Open {
  Loaded loaded;
  IndeterminateForces forces;
  Multipliers multipliers;

  explicit Open(const std::string& text) : loaded(load(text)) {
    if (!loaded.model) throw std::runtime_error(problems_of(loaded));
    const System& system = loaded.model->system;
    Dynamics dynamics(system, DynamicsSettings(system));
    dynamics.update(system.initial);
    Eigen::VectorXd udot;
    const Forces<double> acting(system);
    dynamics.accelerations(system.initial, acting, udot);
    forces = find_indeterminate(dynamics.mechanism(), dynamics.constraints(), dynamics.kinematics(),
                                system.initial.q.data(), acting.free, dynamics.closures());
    multipliers = unique_or_least(dynamics.mechanism(), dynamics.kinematics(), acting.free, dynamics.closures());
  }
  [[nodiscard]] const IndeterminateForces::Components& joint(const std::string& name) const {
    return forces.joints[loaded.model->system.joint(name)];
  }
};

using ::testing::Each;
using ::testing::ElementsAre;

/// A parallelogram in the plane of x and y, of revolute joints in space, with a pendulum on its coupler: what is in the
/// plane is unique, and what the pendulum's hinge transmits; forces across the plane and moments about its axes are
/// not.
TEST(Indeterminate, AreForcesAcrossThePlaneOfAFourBarAndMomentsInIt) {
  const Open open(R"yaml(gyrostat: 1
bodies:
  left: {mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.1, 0.1]}
  coupler: {mass: 1, com: [1, 0, 0], inertia: [0.1, 0.1, 0.1]}
  right: {mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.1, 0.1]}
  bob: {mass: 1, com: [0, -0.3, 0], inertia: [0.1, 0.1, 0.1]}
joints:
  a: {type: revolute, parent: world, child: left, axis: [0, 0, 1], initial: {angle: 20 deg}}
  b: {type: revolute, parent: left, child: coupler, parent_point: [0, 1, 0], axis: [0, 0, 1], initial: {angle: -20 deg}}
  c: {type: revolute, parent: coupler, child: right, parent_point: [2, 0, 0], child_point: [0, 1, 0], axis: [0, 0, 1], cut: true}
  d: {type: revolute, parent: world, child: right, parent_point: [2, 0, 0], axis: [0, 0, 1], initial: {angle: 20 deg}}
  hook: {type: revolute, parent: coupler, child: bob, parent_point: [1, 0, 0], axis: [0, 0, 1]}
constraints:
  rod: {distance: {from: [world, [1, -1, 0]], to: [bob, [0, -0.3, 0]]}, equals: "sqrt(cos(20*pi/180 + pi/2)^2 + (sin(20*pi/180 + pi/2) + 0.7)^2)"}
)yaml");
  for (const char* name : {"a", "b", "d"}) {
    EXPECT_THAT(open.joint(name), ElementsAre(false, false, true, true, true, false)) << name;
  }
  EXPECT_THAT(open.forces.cut_joints[0], ElementsAre(false, false, true, true, true, false));
  EXPECT_THAT(open.joint("hook"), Each(false));
  EXPECT_THAT(open.forces.cut_joints[1], Each(false));
  EXPECT_THAT(open.forces.driving, Each(false));
  EXPECT_TRUE(open.multipliers.unique.back()) << "of the rod";
}

/// Nothing is free: whatever holds the sledge, its drive or the rod, is open, and only that.
TEST(Indeterminate, IsWhatADriveAddsWhereARodHoldsAsWell) {
  const Open open(R"yaml(gyrostat: 1
bodies: {sledge: {mass: 1, inertia: [1, 1, 1]}, other: {mass: 1, inertia: [1, 1, 1]}}
joints:
  slide: {type: prismatic, parent: world, child: sledge, axis: [1, 0, 0], initial: {displacement: 2}, locked: true}
  beside: {type: prismatic, parent: world, child: other, axis: [1, 0, 0], locked: true}
constraints: {rod: {distance: {from: [world, [0, 0, 0]], to: [sledge, [0, 0, 0]]}, equals: 2}}
)yaml");
  const System& system = open.loaded.model->system;
  EXPECT_TRUE(open.forces.driving[system.joints[system.joint("slide")].u]);
  EXPECT_FALSE(open.forces.driving[system.joints[system.joint("beside")].u]);
  EXPECT_THAT(open.joint("slide"), ElementsAre(true, false, false, false, false, false));
  EXPECT_THAT(open.joint("beside"), Each(false));
  EXPECT_THAT(open.multipliers.unique, Each(false));
}

/// Two couplings of which one is twice the other, by way of a third: their multipliers are open, all reactions unique.
TEST(Indeterminate, IsNoReactionWhereOnlyCouplingsDependOnEachOther) {
  const Open open(R"yaml(gyrostat: 1
bodies:
  one: {mass: 1, inertia: [1, 1, 1], com: [0.1, 0.2, 0]}
  two: {mass: 1, inertia: [1, 1, 1], com: [0.1, 0.2, 0]}
  three: {mass: 1, inertia: [1, 1, 1], com: [0.1, 0.2, 0]}
joints:
  a: {type: revolute, parent: world, child: one, axis: [0, 0, 1]}
  b: {type: revolute, parent: world, child: two, axis: [0, 0, 1]}
  c: {type: revolute, parent: world, child: three, axis: [0, 0, 1]}
constraints:
  ab: {coupling: {a.angle: 1, b.angle: -1}}
  bc: {coupling: {b.angle: 1, c.angle: -1}}
  ac: {coupling: {a.angle: 1, c.angle: -1}}
)yaml");
  EXPECT_THAT(open.multipliers.unique, ElementsAre(false, false, false));
  for (const char* name : {"a", "b", "c"}) EXPECT_THAT(open.joint(name), Each(false)) << name;
}

TEST(Redundant, AreTextAsInfoHasIt) {
  const std::vector<Redundant> list = {{"wrist", 3}, {"pin", 2}, {"a", 1}};
  EXPECT_EQ(text_of(list), "3 of 'wrist', 2 of 'pin', 1 of 'a'");
  EXPECT_EQ(text_of(list, 3), "3 of 'wrist', 2 of 'pin', 1 of 'a'");
  EXPECT_EQ(text_of(list, 1), "3 of 'wrist' and of 2 more");
}

}  // namespace multipliers_test
}  // namespace gyrostat::testing
