// Powers and outside forces against the rates of energy and momentum along the motion, by differences.
#include <numeric>

#include <gtest/gtest.h>

#include "gyrostat/forces/external.h"
#include "gyrostat/plant/run.h"

#include "support/flight.h"
#include "support/random_flight.h"

namespace gyrostat::testing {
namespace {

/// Energy, momentum, angular momentum about the mass centre.
using Sums = Eigen::Matrix<double, 7, 1>;

class Moving {
 public:
  explicit Moving(const Model& model) : plant(model, "articulated_body"), run(plant), ydot(plant.size()) {
    run.start(y);
    run.derivative(0, y.data(), ydot.data());
  }

  Sums sums(double t) {
    const Eigen::VectorXd there = y + t * ydot;
    run.evaluate(t, there.data(), Stage::signals);
    const Conserved<double>& c = run.conserved();
    Sums s;
    s << c.kinetic + run.potential_energy(), to_eigen(c.linear), to_eigen(c.angular_com);
    return s;
  }

  /// Central differences of fourth order. The step is short, since where a stop is met or a curve has a corner within
  /// it there is no slope.
  Sums rates() {
    const double h = 2e-5;
    return (8 * (sums(h) - sums(-h)) - (sums(2 * h) - sums(-2 * h))) / (12 * h);
  }

  /// What the ledger says flows in; `scale` becomes the size of its parts.
  Sums flows(double& scale) {
    run.evaluate(0, y.data(), Stage::acceleration);
    std::vector<double> powers(plant.signals().forces.sources.size(), 0.0);
    add_powers<double, double>(plant.constants().elements, run.instant(), run.values(), powers);
    const Reactions& reactions = run.reactions();
    for (std::size_t k = 0; k < reactions.driving.size(); ++k) {
      powers.push_back(reactions.driving[k] * run.instant().u[k]);
    }
    for (const double p : powers) scale += std::abs(p);
    const External external = find_external(run.instant(), run.forces(), reactions.workspace.transmitted);
    Sums s;
    s << std::accumulate(powers.begin(), powers.end(), 0.0), to_eigen(external.force), to_eigen(external.torque);
    return s;
  }

  Plant plant;
  PlantRun run;
  Eigen::VectorXd y, ydot;
};

void expect_balance(const Loaded& loaded, std::uint64_t seed) {
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  Moving moving(*loaded.model);
  if (moving.plant.layout().nu == 0) return;
  double scale = 1 + moving.sums(0).norm() + moving.ydot.norm();
  const Sums flows = moving.flows(scale), rates = moving.rates();
  // differences leave 1e-16 / h of what they are taken of, and h^4
  EXPECT_NEAR(flows[0], rates[0], 1e-9 * scale) << "power, seed " << seed;
  EXPECT_LT((flows - rates).segment<3>(1).norm(), 1e-9 * scale) << "force, seed " << seed;
  EXPECT_LT((flows - rates).tail<3>().norm(), 1e-9 * scale) << "torque, seed " << seed;
}

void expect_balance_of_random_models(const RandomFlightOptions& options, std::uint64_t first) {
  for (std::uint64_t seed = first; seed < first + 300; ++seed) expect_balance(random_flight(seed, options), seed);
}

TEST(Power, OfAllLoadsChangesTheEnergyOfWhatFliesFreely) {
  RandomFlightOptions options;
  options.held = 0;
  options.drives = false;
  expect_balance_of_random_models(options, 0);
}

TEST(Power, OfAllLoadsAndDrivesChangesTheEnergyOfWhatTheWorldHolds) {
  RandomFlightOptions options;
  options.held = 1;
  options.most_bodies = 8;
  expect_balance_of_random_models(options, 1000);
}

TEST(Power, OfTheGradientOfGravityIsCounted) {
  RandomFlightOptions options;
  options.gradient = GravityGradient::perturbation;
  expect_balance_of_random_models(options, 2000);
}

TEST(Power, OfTheCentreOfAttractionIsPotentialEnergy) {
  RandomFlightOptions options;
  options.held = 0;
  options.gradient = GravityGradient::full;
  for (std::uint64_t seed = 3000; seed < 3200; ++seed) {
    Description d = RandomFlight(seed, options).make();
    // near by, so that energies and momenta do not drown what changes them
    d.environment.orbit->semi_major_axis = 20;
    d.environment.orbit->mu = 300;
    expect_balance(load_description(std::move(d)), seed);
  }
}

TEST(Power, OfDrivesWithinAFreeFlyerDoesNotMoveItAsAWhole) {
  RandomFlightOptions options;
  options.held = 0;
  options.loads = options.signals = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Loaded loaded = random_flight(seed, options);
    Moving moving(*loaded.model);
    double scale = 0;
    if (held_by_world(moving.plant.mechanism(), moving.run.discrete().free)) continue;
    const Sums flows = moving.flows(scale);
    EXPECT_LT(flows.tail<6>().norm(), 1e-12 * (1 + moving.sums(0).norm())) << seed;
  }
}

TEST(Power, OfAThermalSpringIsThatOfItsMovingRest) {
  // at rest, deflected by 0.2 - 0.5, while the rest goes to 0.5: only the rest moves, and takes energy along
  const Loaded loaded = load(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {j: {type: revolute, parent: world, child: a, axis: [0, 0, 1], initial: {angle: 0.2}, stiffness: 7,
             thermal: {time_constant: 4, steady: 0.5}}}
simulation: {duration: 1}
)");
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  Moving moving(*loaded.model);
  double scale = 0;
  const double rest = 0, rate = (0.5 - rest) / 4;
  EXPECT_NEAR(moving.flows(scale)[0], -7 * (0.2 - rest) * rate, 1e-14);
  EXPECT_NEAR(moving.rates()[0], -7 * (0.2 - rest) * rate, 1e-10);
}

TEST(Power, OfAForceOnAFreeJointComesFromOutside) {
  const Loaded loaded = load(R"(gyrostat: 1
bodies: {a: {mass: 2, com: [0, 0.5, 0], inertia: [1, 2, 2.5]}}
joints: {base: {torque: [1, 2, 3, 4, 5, 6],
                initial: {orientation: {axis: [1, 0, 0], angle: 90 deg}, velocity: [1, 0, 0]}}}
simulation: {duration: 1}
)");
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  Moving moving(*loaded.model);
  double scale = 0;
  const Sums flows = moving.flows(scale);
  EXPECT_NEAR(flows[0], 4, 1e-14);
  EXPECT_LT((flows.segment<3>(1) - Vector3(4, 5, 6)).norm(), 1e-14);
  // body y is world z: (1, 2, 3) of the body is (1, -3, 2) of the world, and the force acts at -0.5 z from the com
  const Vector3 torque = Vector3(1, -3, 2) + Vector3(0, 0, -0.5).cross(Vector3(4, 5, 6));
  EXPECT_LT((flows.tail<3>() - torque).norm(), 1e-13);
}

TEST(HeldByWorld, IsEverythingButAFreeFlyer) {
  const auto held = [](const std::string& joint) {
    const Loaded loaded =
        load("gyrostat: 1\nbodies: {a: {mass: 2, inertia: [1, 2, 2.5]}}\njoints: {j: {" + joint + "}}\n");
    const Mechanism mechanism(loaded.model.value().system);
    return held_by_world(mechanism, Forces<double>(loaded.model->system).free);
  };
  EXPECT_FALSE(held("type: free, parent: world, child: a"));
  EXPECT_TRUE(held("type: free, parent: world, child: a, locked: true"));
  EXPECT_TRUE(held("type: spherical, parent: world, child: a"));
  EXPECT_TRUE(held("type: weld, parent: world, child: a"));
}

}  // namespace
}  // namespace gyrostat::testing
