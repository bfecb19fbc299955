// Energy and momentum of random systems with loops: at an instant by exact derivatives along the motion, with the
// program's own multipliers; and in flight, by the ledger.
#include <gtest/gtest.h>

#include "gyrostat/constraints/dynamics.h"
#include "gyrostat/constraints/multipliers.h"
#include "gyrostat/dynamics/conserved.h"
#include "gyrostat/dynamics/coordinate_rates.h"

#include "support/closed_case.h"
#include "support/flight.h"
#include "support/loop_checks.h"
#include "support/random_flight.h"

namespace gyrostat::testing {
namespace closed_balance_test {

using D = Dual<1>;

/// Sums over the bodies as they move, and their rates.
Conserved<D> moving(const LoopCase& c, const Eigen::VectorXd& udot, Kinematics<D>& kinematics,
                    std::vector<BasePoint<D>>& points) {
  const auto nq = static_cast<std::size_t>(c.state.q.size()), nu = static_cast<std::size_t>(c.state.u.size());
  std::vector<double> qdot(nq);
  coordinate_rates(c.system, c.state.q.data(), c.state.u.data(), qdot.data());
  std::vector<D> q(nq), u(nu);
  for (std::size_t k = 0; k < nq; ++k)
    q[k] = chain(c.state.q[static_cast<Eigen::Index>(k)], qdot[k], D::variable(0, 0));
  for (std::size_t k = 0; k < nu; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    u[k] = chain(c.state.u[i], udot[i], D::variable(0, 0));
  }
  outward<D, false>(c.mechanism, q.data(), u.data(), nullptr, kinematics);
  find_base_points(c.mechanism, kinematics, u.data(), points);
  return conserved(c.mechanism, kinematics, u.data(), points);
}

struct Power {
  double sum = 0, size = 1;
  void add(double part) { sum += part, size += std::abs(part); }
};

/// Of generalised forces and wrenches, at the velocities of the moving system.
Power power_of(const std::vector<double>& tau, const std::vector<Wrench<double>>& wrenches, const LoopCase& c,
               const Kinematics<D>& kinematics, const std::vector<BasePoint<D>>& points) {
  const auto value = [](const Vec3<D>& a) { return Vector3(a.x.value, a.y.value, a.z.value); };
  Power power;
  for (std::size_t k = 0; k < tau.size(); ++k) power.add(tau[k] * c.state.u[static_cast<Eigen::Index>(k)]);
  for (std::size_t i = 1; i < wrenches.size(); ++i) {
    power.add(to_eigen(wrenches[i].torque).dot(value(kinematics.bodies[i].w)));
    power.add(to_eigen(wrenches[i].force).dot(value(points[i].v)));
  }
  return power;
}

/// Kinetic energy changes by the power of the forces that are given and of those that drives add; and constraint
/// forces, of the multipliers that the program finds, have the power of the drives alone: the multiplier times the rate
/// of what the constraint equals.
TEST(ClosedBalance, KineticEnergyChangesByThePowerOfForcesAndOfDrivenConstraintsAlone) {
  int checked = 0, driven = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Assembled a =
        assemble(with_loops(seed, random_description(seed, {.least_bodies = 3, .most_bodies = 10, .massless = 0})));
    Random random(seed ^ 0xba1a);
    add_relations(a.system, random);
    LoopCase c(a.system);
    if (c.state.u.size() == 0 || c.constraints.rows() == 0 || !c.has_clear_rank()) continue;
    c.forces = random_forces(a.system, random);
    const bool drives = random.chance(0.5);
    for (const Constraint& one : a.system.constraints) {
      for (std::size_t k = 0; k < one.equals.size(); ++k) {
        c.forces.equals[one.first_equal + k] = {one.equals[k], drives ? random.uniform(-1, 1) : 0,
                                                drives ? random.uniform(-5, 5) : 0};
      }
    }
    if (c.make_speeds_consistent() > 1e-10 || !c.is_possible()) continue;

    Dynamics dynamics(a.system, DynamicsSettings(a.system));
    dynamics.update(c.state);
    Eigen::VectorXd udot;
    dynamics.accelerations(c.state, c.forces, udot);
    const Multipliers m =
        unique_or_least(dynamics.mechanism(), dynamics.kinematics(), c.forces.free, dynamics.closures());
    Forces<double> exerted(a.system), acting = c.forces;
    add_forces(dynamics.closures(), m.values, exerted);
    add_forces(dynamics.closures(), m.values, acting);
    Reactions reactions(c.mechanism);
    find_reactions(c.mechanism, c.state.q.data(), c.state.u.data(), udot.data(), acting, reactions);

    Kinematics<D> kinematics(c.mechanism);
    std::vector<BasePoint<D>> points;
    const Conserved<D> sums = moving(c, udot, kinematics, points);
    Power given = power_of(c.forces.tau, c.forces.wrench, c, kinematics, points);
    for (std::size_t k = 0; k < reactions.driving.size(); ++k)
      given.add(reactions.driving[k] * c.state.u[static_cast<Eigen::Index>(k)]);
    const Power of_constraints = power_of(exerted.tau, exerted.wrench, c, kinematics, points);
    Power of_drives;
    for (std::size_t k = 0; k < a.system.constraints.size(); ++k) {
      const Constraint& one = a.system.constraints[k];
      for (std::size_t e = 0; e < one.equals.size(); ++e)
        of_drives.add(m.values[c.constraints.first_row[k] + e] * c.forces.equals[one.first_equal + e].rate);
    }
    const double size = given.size + of_constraints.size + sums.kinetic.value + udot.cwiseAbs().maxCoeff();
    ASSERT_NEAR(sums.kinetic.d[0], given.sum + of_constraints.sum, 1e-9 * size);
    ASSERT_NEAR(of_constraints.sum, of_drives.sum, 1e-8 * size);
    driven += std::abs(of_drives.sum) > 1e-3;
    ++checked;
  }
  EXPECT_GT(checked, 350);
  EXPECT_GT(driven, 50);
}

/// Loads, springs and signals of every kind act on the bodies. The ledger has energy against work, momentum and angular
/// momentum against impulse. Those that come near a singular configuration may stop.
TEST(ClosedBalance, TheLedgerBalancesInFlight) {
  int flown = 0, singular = 0;
  double moved = 0;
  for (std::uint64_t seed = 0; seed < 80; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomFlightOptions options;
    options.drives = false;
    options.most_bodies = 6;
    Description d = with_loops(seed, RandomFlight(seed, options).make());
    for (JointDescription& joint : d.joints) joint.locked = false;
    d.simulation.duration = 0.3;
    Loaded loaded = load_description(std::move(d));
    if (!loaded.model || loaded.model->system.constraints.empty()) continue;  // redundant by the text alone
    const Flight flight(std::move(loaded), [](RunSettings& s) {
      s.integrator.method = "dopri5";
      s.integrator.tolerance = 1e-10;
    });
    if (flight.outcome.kind != gyrostat::Outcome::Kind::finished ||
        flight.simulation.ledger().dependent_since < never) {
      ++singular;
      continue;
    }
    const Ledger& ledger = flight.simulation.ledger();
    EXPECT_LT(ledger.energy.relative(), 1e-7);
    EXPECT_LT(ledger.momentum.relative(), 1e-7);
    EXPECT_LT(ledger.angular_momentum.relative(), 1e-7);
    EXPECT_LT(ledger.violation.position, 1e-11);
    EXPECT_LT(ledger.accelerations, 1e-8);
    moved = std::max(moved, ledger.energy.scale);
    ++flown;
  }
  EXPECT_GT(flown, 30);
  EXPECT_LT(singular, flown / 2);
  EXPECT_GT(moved, 1);
}

}  // namespace closed_balance_test
}  // namespace gyrostat::testing
