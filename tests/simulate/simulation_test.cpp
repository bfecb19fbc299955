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

std::uint64_t steps_of(const std::string& model, double longest) {
  const Flight flight(
      model,
      [&](RunSettings& s) {
        s.integrator.longest_step = longest;
        s.until = 1;
      },
      Flight::Expect::finish);
  return flight.simulation.statistics().steps;
}

/// Thresholds that are watched and delays shorten steps further; they do not make them longer.
TEST(Simulation, NoStepIsLongerThanItsUserAllows) {
  const std::string watched = pendulum +
                              "signals: {high: \"pivot.angle > 5e-5 ? 1 : 0\"}\n"
                              "loads: [{body: bob, torque: [0, 1e-9*high, 0]}]\n",
                    delayed = pendulum +
                              "signals: {late: {delay: {input: pivot.angle, time: 0.05}}}\n"
                              "loads: [{body: bob, torque: [0, 1e-9*late, 0]}]\n";
  for (const std::string& model : {pendulum, watched, delayed}) {
    SCOPED_TRACE(model);
    const std::uint64_t free = steps_of(model, 0);
    EXPECT_LT(free, 300U);
    EXPECT_GE(steps_of(model, 0.002), 500U);
    EXPECT_EQ(steps_of(model, 1), free);
  }
  EXPECT_GE(steps_of(delayed, 0.2), 20U) << "no step passes over the delay";
}

struct Silent : Observer {
  void record(double, std::span<const double>) override {}
  void event(double, const Change&) override {}
  void checkpoint(double, const std::string&) override {}
  bool go_on(double) override { return true; }
};

/// Between steps only the values of signals come from the lane; poses are those of the instant as well.
TEST(Simulation, AsALaneShowsTheMotionOfItsInstant) {
  const Loaded loaded = load(pendulum +
                             "signals: {high: \"pivot.angle > 5e-5 ? 1 : 0\"}\n"
                             "loads: [{body: bob, torque: [0, 1e-9*high, 0]}]\n");
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const auto rates = [&](bool observed) {
    RunSettings settings(*loaded.model);
    settings.as_lane = true;
    settings.records = settings.keeps_ledger = observed;
    Simulation simulation(*loaded.model, settings);
    const auto reference = simulation.plant().names().resolve("bob.omega_y");
    const ValueSource source = source_of(simulation.plant(), std::get<Reference>(reference));
    Silent silent;
    simulation.begin(silent);
    std::vector<double> list;
    for (const double t : {0.3, 0.7, 1.1, 1.6}) {
      EXPECT_EQ(simulation.advance(t, silent).kind, gyrostat::Outcome::Kind::finished);
      list.push_back(simulation.value(source));
    }
    return list;
  };
  const std::vector<double> expected = rates(true), shown = rates(false);
  for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(shown[k], expected[k], 1e-12) << k;
  EXPECT_GT(std::abs(expected[0]), 1e-6);
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
