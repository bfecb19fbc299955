// Laws of whole flights, whatever integrates them and by whatever formulation.
#include "support/flight.h"

#include <gtest/gtest.h>

#include "support/random_flight.h"

namespace gyrostat::testing {
namespace flight_test {

bool may_lock(const Loaded& loaded) {
  return std::ranges::any_of(loaded.model.value().description.joints, [](const JointDescription& j) {
    return !has_quaternion(j.type) && j.rotations.size() == 3;
  });
}

Flight::Adjust with(const std::string& method, double tolerance, const std::string& formulation = "articulated_body") {
  return [=](RunSettings& s) {
    s.integrator = {method, tolerance, 5e-4, 0};
    s.formulation = formulation;
  };
}

/// Largest difference of anything recorded but the ledgers, relative to its size in the flight. Infinite where the
/// records are not of the same instants.
double difference(const Flight& a, const Flight& b) {
  if (a.time != b.time || a.rows.empty()) return std::numeric_limits<double>::infinity();
  double most = 0;
  for (std::size_t k = 0; k + 3 < a.simulation.columns().size(); ++k) {
    double size = 1;
    for (const auto& row : a.rows) size = std::max(size, std::abs(row[k]));
    for (std::size_t i = 0; i < a.rows.size(); ++i) most = std::max(most, std::abs(a.rows[i][k] - b.rows[i][k]) / size);
  }
  return most;
}

TEST(FlightLaw, AllIntegratorsFlyTheSame) {
  int flown = 0;
  for (std::uint64_t seed = 100; seed < 160; ++seed) {
    if (may_lock(random_flight(seed))) continue;
    const Flight reference(random_flight(seed), with("dopri5", 1e-12));
    ASSERT_EQ(reference.outcome.kind, Outcome::Kind::finished) << "seed " << seed << ": " << reference.outcome.failure;
    for (const std::string_view method : integrator_names) {
      const Flight other(random_flight(seed), with(std::string(method), 1e-9));
      ASSERT_EQ(other.outcome.kind, Outcome::Kind::finished) << method << ", seed " << seed;
      ASSERT_EQ(other.rows.size(), reference.rows.size()) << "seed " << seed;
      EXPECT_LT(difference(reference, other), 1e-5) << method << ", seed " << seed;
    }
    ++flown;
  }
  EXPECT_GT(flown, 30);
}

TEST(FlightLaw, AllExactFormulationsFlyTheSame) {
  int compared = 0;
  for (std::uint64_t seed = 200; seed < 240; ++seed) {
    const Loaded loaded = random_flight(seed);
    if (may_lock(loaded)) continue;
    const Flight reference(random_flight(seed), with("dopri5", 1e-9));
    ASSERT_EQ(reference.outcome.kind, Outcome::Kind::finished) << "seed " << seed << ": " << reference.outcome.failure;
    for (const std::string_view name : formulation_names) {
      const Model& model = *loaded.model;
      if (is_linearised(name) || !outside_domain(name, model.system, DynamicsSettings(model)).empty()) continue;
      const Flight other(random_flight(seed), with("dopri5", 1e-9, std::string(name)));
      ASSERT_EQ(other.outcome.kind, Outcome::Kind::finished) << name << ", seed " << seed;
      ASSERT_EQ(other.rows.size(), reference.rows.size()) << name << ", seed " << seed;
      EXPECT_LT(difference(reference, other), 1e-6) << name << ", seed " << seed;
      ++compared;
    }
  }
  EXPECT_GT(compared, 4 * 20);
}

TEST(FlightLaw, WithoutLoadsMomentumAndEnergyStay) {
  RandomFlightOptions options;
  options.held = 0;
  options.loads = options.drives = options.signals = false;
  int flown = 0;
  for (std::uint64_t seed = 300; seed < 340; ++seed) {
    Description d = RandomFlight(seed, options).make();
    for (BodyDescription& body : d.bodies) {
      for (WheelDescription& wheel : body.wheels) wheel.speed = {};
    }
    d.output.record = {"system.com_x",      "system.com_y",      "system.com_z", "system.momentum_x",
                       "system.momentum_y", "system.momentum_z", "system.energy"};
    Loaded loaded = load_description(std::move(d));
    if (may_lock(loaded)) continue;
    const Mechanism mechanism(loaded.model->system);
    const Flight run(std::move(loaded), with("dopri5", 1e-11));
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << "seed " << seed << ": " << run.outcome.failure;
    ASSERT_EQ(run.rows.size(), 21U) << "seed " << seed;
    ++flown;
    const double energy = run.rows[0][6];
    for (std::size_t i = 0; i < run.rows.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) {
        const double straight = run.rows[0][k] + run.time[i] * (run.rows[1][k] - run.rows[0][k]) / run.time[1];
        EXPECT_NEAR(run.rows[i][k], straight, 1e-8) << "seed " << seed;
        EXPECT_NEAR(run.rows[i][3 + k], run.rows[0][3 + k], 1e-8 * (1 + std::abs(energy))) << "seed " << seed;
      }
      EXPECT_NEAR(run.rows[i][6], energy, 1e-8 * (1 + std::abs(energy))) << "seed " << seed;
    }
  }
  EXPECT_GT(flown, 20);
}

TEST(FlightLaw, WhatSpringsAndGravityDoIsUndoneByReversingAllSpeeds) {
  const std::string model = R"yaml(gyrostat: 1
bodies:
  a: {mass: 4, com: [0.1, 0, 0], inertia: [1, 2, 2.5],
      wheels: {w: {axis: [0, 1, 0], inertia: 0.2, rate: 3, stiffness: 1}}}
  b: {mass: 1, com: [0, 1, 0], inertia: [0.5, 0.6, 0.7]}
  c: {mass: 1, com: [0, 0, 1], inertia: [0.5, 0.6, 0.7]}
joints:
  base: {initial: {omega: [0.1, 0.5, 0.2]}}
  ball: {type: spherical, parent: a, child: b, parent_point: [1, 0, 0], initial: {omega: [1, 0, 0.5]}}
  slide: {type: cylindrical, parent: b, child: c, axis: [1, 1, 0], stiffness: [3, 4],
          initial: {angle: 1, displacement: 0.2}}
loads: [{spring: {from: [a, [1, 1, 1]], to: [c, [0, 0, 2]], stiffness: 3, length: 0.5}}]
environment: {gravity: {uniform: [1, 2, 3]}}
simulation: {duration: 3}
)yaml";
  const Loaded loaded = load(model);
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Plant plant(*loaded.model, "articulated_body");
  PlantRun run(plant);
  Eigen::VectorXd y;
  run.start(y);
  const Eigen::VectorXd first = y;
  Dopri5 integrator(
      {&run,
       [](void* p, double t, const double* at, double* ydot) { static_cast<PlantRun*>(p)->derivative(t, at, ydot); },
       nullptr, plant.size()},
      {1e-12, 1e-14, 0});
  for (int way = 0; way < 2; ++way) {
    integrator.restart(0, y);
    for (double t = 0; t < 3;) {
      const Step step = integrator.step(3);
      ASSERT_EQ(step.failure, "");
      t = step.to;
    }
    y = integrator.state();
    for (std::size_t k = 0; k < plant.layout().nu; ++k) y[static_cast<Eigen::Index>(plant.layout().u + k)] *= -1;
    EXPECT_EQ((y - first).norm() > 1, way == 0);
  }
  EXPECT_LT((y - first).cwiseAbs().maxCoeff(), 1e-8);
}

}  // namespace flight_test
}  // namespace gyrostat::testing
