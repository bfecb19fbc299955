#include <numbers>

#include <gmock/gmock.h>

#include "gyrostat/constraints/closed_system.h"
#include "gyrostat/constraints/dynamics.h"

#include "support/closed_case.h"
#include "support/load.h"

namespace gyrostat::testing {
namespace closures_test {

/// Are the constraints consistent at accelerations, and not so nearly dependent that the reference loses its digits?
bool comparable(const ClosedCase::Solution& reference) {
  return reference.multipliers.size() > 0 && reference.udot.allFinite() && reference.residual < 1e-9;
}

TEST(Closures, AccelerationsAreThoseOfTheBorderedSystem) {
  std::size_t compared = 0, redundant = 0, looped = 0;
  double worst = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    ClosedCase c(seed);
    const ClosedCase::Solution reference = c.dense();
    if (!comparable(reference)) continue;
    const ClosureChoice choice = c.choice();
    const ClosurePlan plan = make_plan(*c.mechanism, c.constraints.structure, choice.node_of, choice.scale);
    if (choice.massless != 0) continue;
    EXPECT_EQ(static_cast<Eigen::Index>(plan.kept.size()), reference.rank) << "seed " << seed;
    c.closures.plan = &plan;
    ArticulatedBodyData<double> workspace(*c.mechanism);
    workspace.closures.resize(plan);
    Eigen::VectorXd udot(c.state.u.size());
    accelerations(*c.mechanism, *c.kinematics, c.state.u.data(), *c.forces, c.closures, workspace, udot.data());
    const double error = (udot - reference.udot).norm() / (1 + reference.udot.norm());
    EXPECT_LT(error, 1e-8) << "seed " << seed << ", weakest pivot " << choice.weakest;
    EXPECT_NEAR(std::log10(c.closures.health), std::log10(choice.weakest), 2)
        << seed << ": another order gives other pivots";
    const Eigen::Map<const Eigen::VectorXd> lambda(c.closures.multipliers.data(), c.jacobian().rows());
    const Eigen::VectorXd exerted = c.jacobian().transpose() * lambda,
                          expected = c.jacobian().transpose() * reference.multipliers;
    for (Eigen::Index k = 0; k < exerted.size(); ++k) {
      if (!c.forces->free[static_cast<std::size_t>(k)]) continue;
      EXPECT_NEAR(exerted[k], expected[k], 1e-7 * (1 + expected.norm())) << "seed " << seed;
    }
    worst = std::max(worst, error);
    ++compared;
    redundant += plan.kept.size() < c.constraints.rows();
    looped += plan.kept.size() > 3;
  }
  EXPECT_GT(compared, 250U);
  EXPECT_GT(redundant, 20U);
  EXPECT_GT(looped, 100U);
  RecordProperty("worst", std::to_string(worst));
  std::cout << compared << " compared, " << redundant << " redundant, worst " << worst << "\n";
}

/// What a row would give its bodies if they were alone and turned about their mass centres with the mean of their
/// moments: by the bodies' poses and mass properties.
TEST(Closures, HaveScalesOfBodiesThatAreAlone) {
  int checked = 0, of_massless = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const ClosedCase c(seed, {.most_bodies = 8, .massless = seed % 2 == 0 ? 0.0 : 0.4});
    const System& system = c.system();
    const std::vector<Pose> X_N = body_poses(system, c.state.q);
    double mass = 0, inertia = 0;  // of the whole: in place of those of bodies without
    for (std::uint32_t i = 1; i < system.bodies.size(); ++i) {
      const MassProperties& own = system.bodies[i].mass_properties;
      const Vector3 arm = own.com - base_point(system.joints[i]);
      mass += own.mass;
      inertia += own.inertia.trace() / 2 + own.mass * arm.squaredNorm();
    }
    const ClosureChoice choice = c.choice();
    std::vector<double> expected(c.constraints.rows(), 0.0);
    for (std::size_t r = 0; r < expected.size(); ++r) {
      for (std::size_t side = 0; side < 2; ++side) {
        const std::uint32_t body = c.constraints.structure.bodies[r][side];
        if (body == 0) continue;
        const Wrench<double>& F = c.closures.values.rows[r].on_bodies[side];
        const MassProperties& own = system.bodies[body].mass_properties;
        const Vector3 arm = X_N[body].R * (own.com - base_point(system.joints[body]));
        const Vector3 force = to_eigen(F.force), torque = to_eigen(F.torque) - arm.cross(force);
        const double turning = own.inertia.trace() / 2;
        of_massless += own.mass == 0;
        expected[r] += force.squaredNorm() / (own.mass > 0 ? own.mass : mass) +
                       torque.squaredNorm() / (turning > 0 ? turning : inertia);
      }
    }
    for (std::size_t t = 0; t < c.constraints.structure.terms.size(); ++t) {
      const auto [row, u] = c.constraints.structure.terms[t];
      double own = 0;
      for (const Wheel& wheel : system.wheels) own = wheel.u == u ? wheel.inertia : own;
      for (std::uint32_t i = 1; i < system.joints.size() && own == 0; ++i) {
        const Joint& joint = system.joints[i];
        if (u < joint.u || u >= joint.u + joint.nu) continue;
        const Vector6 column =
            tree_subspace(joint, c.state.q.data() + joint.q).col(u - joint.u);  // at the origin, B axes
        own = column.dot(spatial_inertia(system.bodies[i].mass_properties) * column);
        const Vector3 w = column.head<3>(), v = column.tail<3>() + w.cross(base_point(joint));
        of_massless += !(own > 1e-14);
        if (!(own > 1e-14)) own = w.squaredNorm() * inertia + v.squaredNorm() * mass;
      }
      expected[row] += std::pow(c.closures.values.coefficients[t], 2) / own;
    }
    for (std::size_t r = 0; r < expected.size(); ++r) {
      if (!(expected[r] > 0)) continue;
      EXPECT_NEAR(choice.scale[r] / expected[r], 1, 1e-9) << "seed " << seed << " row " << r;
      ++checked;
    }
  }
  EXPECT_GT(checked, 300);
  EXPECT_GT(of_massless, 20);
}

/// A pendulum whose end is held in two directions, of which one resists at a time.
struct HeldPendulum {
  Loaded loaded = load(R"yaml(gyrostat: 1
bodies: {arm: {mass: 2, com: [1, 0, 0], inertia: [0.1, 0.2, 0.3]}}
joints: {pin: {type: revolute, parent: world, child: arm, axis: [0, 0, 1]}}
constraints: {end: {point: [arm, [1, 0, 0]], of: world, directions: [[1, 0, 0], [0, 1, 0]], equals: [1, 0]}}
simulation: {duration: 1}
)yaml");
  State state;
  Forces<double> forces;

  HeldPendulum() : state(loaded.model->system.initial), forces(loaded.model->system) { forces.tau[0] = 5; }

  void turn(double angle) {
    state.q[0] = angle;
    forces.equals[0].value = std::cos(angle);
    forces.equals[1].value = std::sin(angle);
  }
};

TEST(Closures, AreSolvedWithAllRowsWhereThoseThatAreKeptDoNotResist) {
  HeldPendulum p;
  ASSERT_TRUE(p.loaded.model) << problems_of(p.loaded);
  const Mechanism mechanism(p.loaded.model->system);
  const Constraints constraints = make_constraints(mechanism);
  Kinematics<double> kinematics(mechanism);
  Closures<double> closures = make_closures<double>(constraints);
  const auto evaluate_at = [&](double angle) {
    p.turn(angle);
    update(mechanism, p.state.q.data(), p.state.u.data(), kinematics);
    evaluate_closures(constraints, mechanism, kinematics, p.state.q.data(), p.state.u.data(), p.forces, {}, closures);
  };
  evaluate_at(0);
  const ClosurePlan plan = plan_closures(mechanism, kinematics, p.forces.free, closures);
  EXPECT_THAT(plan.kept, ::testing::ElementsAre(1U)) << "the one across the arm";
  closures.plan = &plan;
  ArticulatedBodyData<double> workspace(mechanism);
  workspace.closures.resize(plan);
  double udot = 1;
  int solved = 0;
  const auto solve_at = [&](double angle) {
    evaluate_at(angle);
    solved = 0;
    solve_closed(constraints, mechanism, kinematics, p.state.q.data(), p.state.u.data(), p.forces, {}, closures, [&] {
      ++solved;
      accelerations(mechanism, kinematics, p.state.u.data(), p.forces, closures, workspace, &udot);
    });
  };
  solve_at(0.1);
  EXPECT_EQ(solved, 1);
  EXPECT_NEAR(udot, 0, 1e-12);
  EXPECT_NEAR(closures.multipliers[1] * std::cos(0.1), -5, 1e-10);
  solve_at(std::numbers::pi / 2);
  EXPECT_EQ(solved, 2);
  EXPECT_NEAR(udot, 0, 1e-12);
  EXPECT_NEAR(closures.multipliers[0], 5, 1e-10);
}

TEST(Closures, ArePlannedAnewWhereTheRowsThatAreKeptDoNotResist) {
  HeldPendulum p;
  ASSERT_TRUE(p.loaded.model) << problems_of(p.loaded);
  Dynamics dynamics(p.loaded.model->system, DynamicsSettings(p.loaded.model->system));
  Eigen::VectorXd udot;
  for (const auto& [angle, kept] : {std::pair{0.0, 1U}, {0.5, 1U}, {std::numbers::pi / 2, 0U}, {1.4, 0U}}) {
    p.turn(angle);
    dynamics.update(p.state);
    dynamics.accelerations(p.state, p.forces, udot);
    EXPECT_NEAR(udot[0], 0, 1e-12) << angle;
    EXPECT_THAT(dynamics.closures().plan->kept, ::testing::ElementsAre(kept)) << angle;
    EXPECT_NEAR(dynamics.multipliers()[kept] * (kept == 0 ? -std::sin(angle) : std::cos(angle)), -5, 1e-10) << angle;
    EXPECT_EQ(dynamics.multipliers()[1 - kept], 0) << angle;
  }
}

/// Baumgarte's feedback, number by number.
TEST(Closures, DemandWhatTheFeedbackAsksFor) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    ClosedCase c(seed);
    Random random(seed);
    for (double& q : c.state.q) q += random.uniform(-1e-3, 1e-3);  // so that something is violated
    update(*c.mechanism, c.state.q.data(), c.state.u.data(), *c.kinematics);
    const Baumgarte feedback{3, 5};
    evaluate_closures(c.constraints, *c.mechanism, *c.kinematics, c.state.q.data(), c.state.u.data(), *c.forces,
                      feedback, c.closures);
    for (std::size_t r = 0; r < c.constraints.rows(); ++r) {
      const ConstraintRow<double>& row = c.closures.values.rows[r];
      EXPECT_NEAR(c.closures.demanded[r], -row.acceleration - 6 * row.rate - 25 * row.residual,
                  1e-12 * (1 + std::abs(row.acceleration)));
      checked += std::abs(row.residual) > 1e-9 && std::abs(row.rate) > 1e-9;
    }
  }
  EXPECT_GT(checked, 20);
}

}  // namespace closures_test
}  // namespace gyrostat::testing
