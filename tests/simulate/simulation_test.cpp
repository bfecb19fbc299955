#include <cmath>

#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace {

const std::string pendulum = R"(gyrostat: 1
bodies: {bob: {mass: 2, com: [0, 0, -1.5], inertia: [0.1, 0.1, 0.1]}}
joints: {pivot: {type: revolute, parent: world, child: bob, axis: [0, 1, 0], initial: {angle: 1e-4}}}
environment: {gravity: {uniform: [0, 0, -9.81]}}
simulation: {duration: 10, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.1}
)";

TEST(Simulation, APendulumSwingsAtItsFrequency) {
  const Flight run(pendulum);
  ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished);
  ASSERT_EQ(run.time.size(), 101u);
  const double frequency = std::sqrt(2 * 9.81 * 1.5 / (0.1 + 2 * 1.5 * 1.5));
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    // amplitude 1e-4: the cubic term of the sine shifts the phase by 1e-9
    EXPECT_NEAR(run.rows[k][run.column("pivot.angle")], 1e-4 * std::cos(frequency * run.time[k]), 2e-11);
  }
}

TEST(Simulation, RecordsAtEveryIntervalAndAtTheEnd) {
  const Flight run(pendulum, [](RunSettings& s) {
    s.until = 1.05;
    s.interval = 0.1;
  });
  ASSERT_EQ(run.time.size(), 12u);
  EXPECT_EQ(run.time[0], 0);
  EXPECT_EQ(run.time[10], 10 * 0.1);
  EXPECT_EQ(run.time[11], 1.05);
}

TEST(Simulation, TheSameRunHasTheSameBits) {
  const Flight a(pendulum), b(pendulum);
  EXPECT_EQ(a.rows, b.rows);
}

/// A damper that stops its joint within a fraction of a millisecond.
TEST(Run, OfAStiffModelByAnExplicitMethodIsGivenAHint) {
  const auto model = [](double damping) {
    return fmt::format(
        "gyrostat: 1\nbodies: {{bus: {{mass: 10, inertia: [3, 4, 5]}}, arm: {{mass: 1, com: [1, 0, 0], inertia: [0.1, "
        "0.1, "
        "0.1]}}}}\njoints: {{hinge: {{type: revolute, parent: bus, child: arm, axis: [0, 0, 1], damping: {}, "
        "stiffness: 1, "
        "initial: {{angle: 1}}}}, base: {{}}}}\nsimulation: {{duration: 20}}\n",
        damping);
  };
  for (const std::string method : {"dopri5", "cvode_adams", "cvode_bdf"}) {
    const auto by = [&](RunSettings& s) { s.integrator = {method, 1e-6, 0, 0}; };
    const Flight stiff(model(3000), by, Flight::Expect::finish), soft(model(0.1), by, Flight::Expect::finish);
    EXPECT_EQ(stiff.outcome.hint.find("cvode_bdf") != std::string::npos, method != "cvode_bdf")
        << method << " " << stiff.simulation.statistics().steps;
    EXPECT_EQ(soft.outcome.hint, "") << method;
  }
}

}  // namespace
}  // namespace gyrostat::testing
