// Joints that latch in a run: impulses, reactions, release.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace latch_test {

using ::testing::HasSubstr;

constexpr std::array exact_formulations = {"articulated_body", "composite_body", "kane", "nested_body",
                                           "augmented_body",   "absolute",       "mixed"};

/// A bus of inertia 3 about z and a panel of inertia 1, hinged where both have their mass centres.
std::string door(const std::string& latch, const std::string& more = "", const std::string& formulation = "kane",
                 const std::string& method = "dopri5, tolerance: 1e-11") {
  return fmt::format(R"(gyrostat: 1
bodies:
  bus: {{mass: 4, inertia: [3, 3, 3]}}
  panel: {{mass: 1, inertia: [1, 1, 1]}}
joints:
  base: {{initial: {{omega: [0, 0, 0.1]}}}}
  hinge: {{type: revolute, parent: bus, child: panel, axis: [0, 0, 1], initial: {{rate: 0.8}}, latch: {} {}}}
simulation: {{duration: 2, formulation: {}, integrator: {{method: {}}}}}
output: {{interval: 0.1, record: [bus.omega_z, hinge.angle, hinge.rate, system.momentum_z, system.energy]}}
)",
                     latch, more, formulation, method);
}

TEST(Latch, OfADoorKeepsTheMomentumAndLosesTheEnergyOfTheRelativeMotion) {
  for (const char* formulation : exact_formulations) {
    SCOPED_TRACE(formulation);
    const Flight flight(door("{when: 'hinge.angle > 0.5'}", "", formulation), {}, Flight::Expect::finish);
    ASSERT_EQ(flight.events.size(), 2U);  // the comparison, and the latch
    EXPECT_NEAR(flight.events[1].t, 0.625, 1e-10);
    EXPECT_EQ(flight.events[1].change.name, "joints.hinge");
    EXPECT_EQ(flight.events[1].change.what, "latched");
    for (std::size_t k = 0; k < flight.time.size(); ++k) {
      const bool latched = flight.time[k] > 0.625;
      EXPECT_NEAR(flight["bus.omega_z"][k], latched ? 1.2 / 4 : 0.1, 1e-11);  // 3 0.1 + 1 0.9 over 3 + 1
      EXPECT_NEAR(flight["hinge.rate"][k], latched ? 0 : 0.8, 1e-11);
      EXPECT_NEAR(flight["system.momentum_z"][k], 1.2, 1e-11);
      if (latched) {
        EXPECT_NEAR(flight["hinge.angle"][k], 0.5, 1e-11);
      }
    }
    const double before = 0.5 * 3 * 0.01 + 0.5 * 0.81, after = 0.5 * 4 * 0.09;
    EXPECT_NEAR(flight.work_of("joints.hinge"), after - before, 1e-11);
    EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-10);
    EXPECT_LT(flight.simulation.ledger().angular_momentum.relative(), 1e-10);
    EXPECT_LT(flight.simulation.ledger().accelerations, 1e-10);
  }
}

TEST(Latch, WorksWithEveryIntegrator) {
  for (const char* method : {"cvode_adams", "cvode_bdf", "dopri5", "ida", "rk4, step: 0.03"}) {
    SCOPED_TRACE(method);
    const Flight flight(door("{when: 'hinge.angle - 0.5'}", "", "articulated_body", method), {},
                        Flight::Expect::finish);
    ASSERT_EQ(flight.events.size(), 1U);
    EXPECT_NEAR(flight.events[0].t, 0.625, 1e-7);
    EXPECT_NEAR(flight.last("bus.omega_z"), 0.3, 1e-7);
    EXPECT_EQ(flight.last("hinge.rate"), 0);
  }
}

TEST(Latch, IsReleasedAndTheReactionIsWhatHeldIt) {
  const Flight flight(door("{when: 'hinge.angle > 0.5', release: 't > 1.5'}", ", torque: '0.2*step(1)'"), {},
                      Flight::Expect::finish);
  EXPECT_NEAR(flight.at(0.9, "driving/hinge.rate"), 0, 1e-12);
  EXPECT_NEAR(flight.at(1.2, "driving/hinge.rate"), -0.2, 1e-12) << "on a bus that is not pushed against";
  EXPECT_NEAR(flight.at(1.2, "hinge.rate"), 0, 0);
  EXPECT_EQ(flight.events.back().change.what, "released");
  const double relative = 0.2 * (1 + 1.0 / 3);  // both are free to turn
  EXPECT_NEAR(flight.last("hinge.rate"), 0.5 * relative, 1e-9);
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-9);
}

TEST(Latch, WhoseReleaseHoldsIsNotClosed) {
  const Flight flight(door("{when: 'hinge.angle > 0.5', release: 1}"), {}, Flight::Expect::finish);
  EXPECT_NEAR(flight.last("hinge.rate"), 0.8, 1e-11);
}

TEST(Latch, AtTheStartHoldsWhatDoesNotMove) {
  const Flight moving(door("{when: 1}"));
  EXPECT_EQ(moving.outcome.kind, gyrostat::Outcome::Kind::failed);
  EXPECT_EQ(moving.outcome.t, 0);
  EXPECT_THAT(moving.outcome.failure, HasSubstr("joints.hinge is latched at t = 0"));

  const Flight flight(R"(gyrostat: 1
bodies: {bus: {mass: 4, inertia: [3, 3, 3]}, panel: {mass: 1, inertia: [1, 1, 1]}}
joints:
  hinge: {type: revolute, parent: bus, child: panel, axis: [0, 0, 1], stiffness: 2, rest: 1,
          latch: {when: "t < 0.5", release: "t >= 0.5"}}
simulation: {duration: 1, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.1, record: [hinge.angle, hinge.rate]}
)",
                      {}, Flight::Expect::finish);
  EXPECT_EQ(flight.at(0.4, "hinge.rate"), 0);
  EXPECT_NEAR(flight.at(0.4, "driving/hinge.rate"), -2, 1e-12);
  const double w = std::sqrt(2 * (1 + 1.0 / 3));
  EXPECT_NEAR(flight.last("hinge.angle"), 1 - std::cos(0.5 * w), 1e-9);
}

/// Nothing in line, joints of several kinds: each is latched while all move.
std::string skew(const std::string& more, const std::string& formulation) {
  return fmt::format(R"(gyrostat: 1
bodies:
  bus: {{mass: 10, inertia: {{xx: 4, yy: 5, zz: 6, xy: 0.3, xz: -0.2, yz: 0.4}}, com: [0.1, 0.2, -0.1],
        wheels: {{rw: {{axis: [1, 0, 0], inertia: 0.1, rate: 20}}}}}}
  arm: {{mass: 2, inertia: [0.5, 0.7, 0.4], com: [0.6, 0, 0.1]}}
  tip: {{mass: 1, inertia: [0.1, 0.2, 0.2], com: [0, 0.3, 0]}}
  slide: {{mass: 1, inertia: [0.1, 0.1, 0.1], com: [0.1, 0, 0]}}
  ball: {{mass: 2, inertia: [0.3, 0.2, 0.1], com: [0, 0, 0.4]}}
joints:
  base: {{initial: {{omega: [0.1, -0.2, 0.3], velocity: [0.1, 0.2, 0.3]}}}}
  shoulder: {{type: universal, parent: bus, child: arm, parent_point: [1, 0, 0], axes: [[0, 0, 1], [0, 1, 0]],
             initial: {{rates: [0.5, -0.3]}} {0}}}
  elbow: {{type: revolute, parent: arm, child: tip, parent_point: [1.2, 0, 0], axis: [0, 1, 1], initial: {{rate: 0.4}}
           {0}}}
  rail: {{type: prismatic, parent: bus, child: slide, parent_point: [0, 1, 0], axis: [1, 1, 0], initial: {{speed: 0.2}}
          {0}}}
  neck: {{type: spherical, parent: bus, child: ball, parent_point: [0, 0, 1], initial: {{omega: [0.2, 0.1, 0.5]}} {0}}}
simulation: {{duration: 1, formulation: {1}, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.1, record: [system.momentum_x, system.momentum_y, system.momentum_z, base.velocity_x, bus.omega_x,
  shoulder.rate1, shoulder.rate2, elbow.rate, rail.speed, neck.omega_x, bus.rw.rate, system.energy]}}
)",
                     more, formulation);
}

TEST(Latch, OfAnyJointKeepsMomentumWhetherOneOrAllClose) {
  for (const char* formulation : {"articulated_body", "kane", "nested_body", "absolute", "mixed"}) {
    SCOPED_TRACE(formulation);
    const Flight flight(skew(", latch: {when: 't > 0.45'}", formulation), {}, Flight::Expect::finish);
    for (std::size_t k = 0; k < flight.time.size(); ++k) {
      for (const char* name : {"system.momentum_x", "system.momentum_y", "system.momentum_z"})
        EXPECT_NEAR(flight[name][k], flight[name][0], 1e-8) << name << " at " << flight.time[k];
      if (flight.time[k] < 0.45) continue;
      for (const char* name : {"shoulder.rate1", "shoulder.rate2", "elbow.rate", "rail.speed", "neck.omega_x"})
        EXPECT_EQ(flight[name][k], 0) << name;
    }
    const Ledger& ledger = flight.simulation.ledger();
    EXPECT_LT(ledger.energy.relative(), 1e-9);
    EXPECT_LT(ledger.momentum.relative(), 1e-9);
    EXPECT_LT(ledger.angular_momentum.relative(), 1e-9);
    EXPECT_LT(ledger.accelerations, 1e-9);
    double lost = 0;
    for (const char* joint : {"shoulder", "elbow", "rail", "neck"})
      lost += flight.work_of(std::string("joints.") + joint);
    EXPECT_NEAR(lost, flight.last("system.energy") - flight["system.energy"][0], 1e-9);
  }
}

TEST(Latch, InALoopStopsTheWholeMechanism) {
  const auto four_bar = [](const std::string& latch, const std::string& more) {
    return fmt::format(R"(gyrostat: 1
bodies:
  bus: {{mass: 30, inertia: [5, 6, 7]}}
  crank: {{mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}
  rod: {{mass: 2, com: [1, 0, 0], inertia: [0.01, 0.6, 0.6]}}
  rocker: {{mass: 1.5, com: [0.75, 0, 0], inertia: [0.01, 0.3, 0.3]}}
joints:
  a: {{type: revolute, parent: bus, child: crank, axis: [0, 0, 1], initial: {{angle: 90 deg, rate: 2}} {}}}
  b: {{type: revolute, parent: crank, child: rod, parent_point: [1, 0, 0], axis: [0, 0, 1], initial: {{angle: -1.1}}}}
  c: {{type: revolute, parent: bus, child: rocker, parent_point: [2, 0, 0], axis: [0, 0, 1],
       initial: {{angle: 1.7}} {}}}
  d: {{type: revolute, parent: rod, child: rocker, parent_point: [2, 0, 0], child_point: [1.5, 0, 0], axis: [0, 0, 1], cut: true}}
simulation: {{duration: 1, integrator: {{method: dopri5, tolerance: 1e-10}}}}
output: {{interval: 0.1, record: [a.angle, a.rate, b.rate, c.rate, bus.omega_z, system.momentum_z, system.energy]}}
)",
                       latch, more);
  };
  const std::string assembled = four_bar("", "");
  Loaded loaded = load(assembled);
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  for (const auto& [first, second] :
       {std::pair{", latch: {when: 't > 0.5', release: 't > 0.8'}", ""},
        {", latch: {when: 't > 0.5', release: 't > 0.8'}", ", latch: {when: 't > 0.5', release: 't > 0.8'}"}}) {
    const Plant plant(*loaded.model, "articulated_body");
    const Assembly closed = assemble(plant.mechanism(), plant.constraints(), loaded.model->system.initial,
                                     Forces<double>(loaded.model->system).free, {});
    Loaded latched = load(four_bar(first, second));
    ASSERT_TRUE(latched.model) << problems_of(latched);
    const Flight flight(
        std::move(latched), [&](RunSettings& s) { s.initial = closed.state; }, Flight::Expect::finish);
    for (std::size_t k = 0; k < flight.time.size(); ++k) {
      EXPECT_NEAR(flight["system.momentum_z"][k], flight["system.momentum_z"][0], 1e-8);
      if (flight.time[k] < 0.55 || flight.time[k] > 0.75) continue;
      for (const char* name : {"a.rate", "b.rate", "c.rate"}) EXPECT_NEAR(flight[name][k], 0, 1e-10) << name;
    }
    EXPECT_GT(std::abs(flight.at(0.4, "c.rate")), 0.1);
    EXPECT_LT(flight.work_of("joints.a"), -0.1);
    const Ledger& ledger = flight.simulation.ledger();
    EXPECT_LT(ledger.energy.relative(), 1e-7);
    EXPECT_LT(ledger.angular_momentum.relative(), 1e-8);
    EXPECT_LT(ledger.violation.position, 1e-8);
  }
}

TEST(Latch, AgainstADriveHasNoSolutionAndSaysSo) {
  const Flight flight(R"(gyrostat: 1
bodies: {one: {mass: 1, inertia: [1, 1, 1]}}
joints:
  a: {type: revolute, parent: world, child: one, axis: [0, 0, 1], initial: {rate: 1}, latch: {when: "t > 0.5"}}
constraints: {motor: {coordinate: a.angle, equals: t}}
simulation: {duration: 1}
)");
  EXPECT_EQ(flight.outcome.kind, gyrostat::Outcome::Kind::failed);
  EXPECT_NEAR(flight.outcome.t, 0.5, 1e-9);
  EXPECT_THAT(flight.outcome.failure, HasSubstr("motor"));
}

TEST(Latch, IsInCheckpoints) {
  const std::string text = door("{when: 'hinge.angle > 0.5', release: 't > 1.5'}", ", torque: '0.2*step(1)'");
  Flight whole(
      text, [](RunSettings& s) { s.checkpoint_interval = 0.3; }, Flight::Expect::finish);
  ASSERT_GE(whole.checkpoints.size(), 4U);
  for (const auto& [t, bytes] : whole.checkpoints) {
    Flight again(
        text, [](RunSettings& s) { s.checkpoint_interval = 0.3; }, Flight::Expect::finish);
    again.rows.clear();
    again.simulation.resume(bytes, again);
    ASSERT_FALSE(again.rows.empty());
    EXPECT_EQ(again.rows.back(), whole.rows.back()) << "from " << t;
  }
}

TEST(Latch, IsRefusedByFormulationsThatFactorOnce) {
  for (const char* formulation : {"linear_total", "linear_total_fixed"}) {
    const Loaded loaded = load(door("{when: 'hinge.angle > 0.5'}", "", formulation));
    ASSERT_TRUE(loaded.model) << problems_of(loaded);
    EXPECT_THAT(error_of_run(*loaded.model, RunSettings(*loaded.model)), HasSubstr("joint 'hinge' may be held"));
  }
}

}  // namespace latch_test
}  // namespace gyrostat::testing
