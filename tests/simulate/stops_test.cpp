// Stops: bounces, rest, release, and compliant ones.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace stops_test {

using ::testing::HasSubstr;

/// A ball above a floor.
std::string ball(const std::string& fields, const std::string& method = "dopri5, tolerance: 1e-11") {
  return fmt::format(R"(gyrostat: 1
bodies: {{ball: {{mass: 2, inertia: [1, 1, 1]}}}}
joints: {{fall: {{type: prismatic, parent: world, child: ball, axis: [0, 0, 1], {}}}}}
environment: {{gravity: {{uniform: [0, 0, -9.81]}}}}
simulation: {{duration: 3, integrator: {{method: {}}}}}
output: {{interval: 0.05, record: [fall.displacement, fall.speed]}}
)",
                     fields, method);
}

TEST(Stops, OfABouncingBallHaveTheClosedFormOfItsTimes) {
  for (const char* method : {"dopri5, tolerance: 1e-11", "cvode_adams, tolerance: 1e-10", "rk4, step: 0.03"}) {
    SCOPED_TRACE(method);
    const double g = 9.81, e = 0.5, first = std::sqrt(2 / g);
    const Flight flight(ball("initial: {displacement: 1}, stops: {low: 0, restitution: 0.5}", method), {},
                        Flight::Expect::finish);
    double t = first;
    for (std::size_t n = 0; n < 8; ++n) {
      ASSERT_LT(n, flight.events.size());
      EXPECT_NEAR(flight.events[n].t, t, 1e-8) << n;
      EXPECT_EQ(flight.events[n].change.what, "bounces");
      t += 2 * std::pow(e, n + 1) * first;
    }
    EXPECT_LT(flight.events.size(), 40U);
    EXPECT_EQ(flight.events.back().change.what, "rests on its low stop");
    EXPECT_NEAR(flight.events.back().t, first * (1 + e) / (1 - e), 1e-4);
    EXPECT_EQ(flight.last("fall.speed"), 0);
    EXPECT_NEAR(flight.last("fall.displacement"), 0, 1e-9);
    EXPECT_NEAR(flight.last("driving/fall.speed"), 2 * g, 1e-9) << "the floor carries it";
    EXPECT_NEAR(flight.work_of("joints.fall"), -2 * g, 1e-7) << "all of its energy";
    EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-8);
    EXPECT_LT(flight.simulation.ledger().momentum.relative(), 1e-8);
  }
}

/// The n-th bounce of a ball that falls from height h leaves it the height e^(2n) h and the time 2 e^n v/g.
TEST(Stops, CatchWhatBouncesLowerOrShorterThanIsWorthFollowing) {
  struct Fall {
    double g, h;
    std::ptrdiff_t bounces;  // before the one that is the last
  };
  for (const Fall& fall : {Fall{9.81, 1, 16},        // 0.25^17 m is less than 1e-10 m
                           Fall{1000, 5e-4, 10}}) {  // 2 * 0.5^11 / 1000 s is less than 1e-6 s
    const Flight flight(fmt::format(R"(gyrostat: 1
bodies: {{ball: {{mass: 2, inertia: [1, 1, 1]}}}}
joints: {{fall: {{type: prismatic, parent: world, child: ball, axis: [0, 0, 1], initial: {{displacement: {}}},
         stops: {{low: 0, restitution: 0.5}}}}}}
environment: {{gravity: {{uniform: [0, 0, -{}]}}}}
simulation: {{duration: 2, integrator: {{method: dopri5, tolerance: 1e-12}}}}
output: {{interval: 0.5}}
)",
                                    fall.h, fall.g),
                        {}, Flight::Expect::finish);
    EXPECT_EQ(std::ranges::count(flight.events, "bounces", [](const RecordedEvent& e) { return e.change.what; }),
              fall.bounces);
    EXPECT_EQ(flight.events.back().change.what, "rests on its low stop");
  }
}

TEST(Stops, AtBothEndsAreMetInTurn) {
  const Flight flight(R"(gyrostat: 1
bodies: {slider: {mass: 1, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, parent: world, child: slider, axis: [1, 0, 0], initial: {speed: 1},
         stops: {low: -1, high: 2, restitution: 0.8}}}
simulation: {duration: 12, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 1}
)",
                      {}, Flight::Expect::finish);
  ASSERT_GE(flight.events.size(), 3U);
  EXPECT_NEAR(flight.events[0].t, 2, 1e-10);
  EXPECT_NEAR(flight.events[1].t, 2 + 3 / 0.8, 1e-9);
  EXPECT_NEAR(flight.events[2].t, 2 + 3 / 0.8 + 3 / 0.64, 1e-9);
}

TEST(Stops, LetGoOfWhatWouldPull) {
  const Flight flight(ball("initial: {displacement: 0}, torque: '8*t', stops: {low: 0}"), {}, Flight::Expect::finish);
  ASSERT_EQ(flight.events.size(), 1U);
  EXPECT_EQ(flight.events[0].change.what, "leaves its stop");
  const double off = 2 * 9.81 / 8;
  EXPECT_NEAR(flight.events[0].t, off, 1e-9);
  EXPECT_NEAR(flight.last("fall.displacement"), 8 * std::pow(3 - off, 3) / 12, 1e-8);
  EXPECT_NEAR(flight.at(1, "driving/fall.speed"), 2 * 9.81 - 8, 1e-9);
}

TEST(Stops, WithoutRestitutionHoldAtOnceAndSoDoesTheWorld) {
  const Flight flight(ball("initial: {displacement: 1}, stops: {low: 0}"), {}, Flight::Expect::finish);
  ASSERT_EQ(flight.events.size(), 1U);
  EXPECT_EQ(flight.events[0].change.what, "rests on its low stop");
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-9);
  EXPECT_LT(flight.simulation.ledger().momentum.relative(), 1e-9);
}

TEST(Stops, WithFrictionPullNoMoreThanItHolds) {  // lifted off against friction of 3 N
  const Flight flight(ball("initial: {displacement: 0}, torque: '8*t', stops: {low: 0}, friction: {coulomb: 3}"), {},
                      Flight::Expect::finish);
  ASSERT_EQ(flight.events.size(), 1U);
  EXPECT_EQ(flight.events[0].change.what, "slides +");
  EXPECT_NEAR(flight.events[0].t, (2 * 9.81 + 3) / 8, 1e-9);
}

/// Two arrays that run onto their stops at one instant, on a spacecraft that turns.
std::string arrays(bool swapped, double first, double second) {
  const std::string l = fmt::format(
      "l: {{type: revolute, parent: bus, child: left, parent_point: [1, 0, 0], axis: [0, 0, 1], initial: {{angle: -1, "
      "rate: 2}}, stops: {{high: 0, restitution: {}}}}}",
      first);
  const std::string r = fmt::format(
      "r: {{type: revolute, parent: bus, child: right, parent_point: [-1, 0, 0], axis: [0, 0, -1], initial: {{angle: "
      "-1, rate: 2}}, stops: {{high: 0, restitution: {}}}}}",
      second);
  return fmt::format(R"(gyrostat: 1
bodies: {{bus: {{mass: 10, inertia: [4, 5, 6]}}, left: {{mass: 1, com: [1, 0, 0], inertia: [0.1, 0.2, 0.3]}},
  right: {{mass: 1, com: [-1, 0, 0], inertia: [0.1, 0.2, 0.3]}}}}
joints:
  base: {{initial: {{velocity: [0.1, 0.2, 0.3]}}}}
  {}
  {}
simulation: {{duration: 1.5, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.1, record: [l.rate, r.rate, l.angle, bus.omega_z, base.velocity_y, system.momentum_z]}}
)",
                     swapped ? r : l, swapped ? l : r);
}

TEST(Stops, MetAtOneInstantDoNotDependOnTheirOrder) {
  const Flight one(arrays(false, 0.4, 0.4), {}, Flight::Expect::finish),
      other(arrays(true, 0.4, 0.4), {}, Flight::Expect::finish);
  ASSERT_GE(one.events.size(), 2U);
  EXPECT_NEAR(one.events[0].t, one.events[1].t, 1e-10);
  for (std::size_t k = 0; k < one.time.size(); ++k) {
    EXPECT_NEAR(one["l.rate"][k], one["r.rate"][k], 1e-9) << "by symmetry";
    EXPECT_NEAR(one["system.momentum_z"][k], 0, 1e-10);
    for (const char* name : {"l.rate", "r.rate", "bus.omega_z", "base.velocity_y"}) {
      EXPECT_NEAR(one[name][k], other[name][k], 1e-9) << name;
    }
  }
  for (const Flight* flight : {&one, &other}) {
    EXPECT_LT(flight->simulation.ledger().energy.relative(), 1e-9);
    EXPECT_LT(flight->simulation.ledger().momentum.relative(), 1e-9);
    EXPECT_LT(flight->simulation.ledger().angular_momentum.relative(), 1e-9);
  }
}

TEST(Stops, OfDifferentRestitutionMakeNoEnergy) {
  const Flight flight(arrays(false, 0.9, 0), {}, Flight::Expect::finish);
  EXPECT_LE(flight.work_of("joints.l") + flight.work_of("joints.r"), 0);
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-9);
}

TEST(Stops, OnWhichADrivePressesHaveNoSolutionAndSaySo) {
  const Flight flight(R"(gyrostat: 1
bodies: {one: {mass: 1, inertia: [1, 1, 1]}}
joints: {a: {type: revolute, parent: world, child: one, axis: [0, 0, 1], stops: {high: 0.5}}}
constraints: {motor: {coordinate: a.angle, equals: "t"}}
simulation: {duration: 1}
)");
  EXPECT_EQ(flight.outcome.kind, gyrostat::Outcome::Kind::failed);
  EXPECT_NEAR(flight.outcome.t, 0.5, 1e-9);
  EXPECT_THAT(flight.outcome.failure, HasSubstr("no impulse keeps joints.a within its stops"));
}

/// m x'' + d x' + k x = 0 while it is in contact; it leaves where k x + d x' would pull.
TEST(Stops, ThatAreCompliantPushAndNeverPull) {
  const double m = 2, k = 800, v = 1.5;
  const auto rail = [&](double damping) {
    return fmt::format(R"(gyrostat: 1
bodies: {{slider: {{mass: {}, inertia: [1, 1, 1]}}}}
joints: {{rail: {{type: prismatic, parent: world, child: slider, axis: [1, 0, 0], initial: {{speed: {}}},
         stops: {{low: -1, high: 0.3, stiffness: {}, damping: {}}}}}}}
simulation: {{duration: 1, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.01, record: [rail.displacement, rail.speed]}}
)",
                       m, v, k, damping);
  };
  const double w = std::sqrt(k / m);
  const Flight elastic(rail(0), {}, Flight::Expect::finish);
  EXPECT_NEAR(elastic.last("rail.speed"), -v, 1e-8);
  EXPECT_NEAR(elastic.last("rail.displacement"), 0.3 - v * (1 - 0.2 - std::numbers::pi / w), 1e-8);

  const double d = 20, decay = d / (2 * m), wd = std::sqrt(w * w - decay * decay);
  const double leaves = std::atan2(2 * decay * wd, -(wd * wd - decay * decay)) / wd;  // where x'' = 0
  const double out = v * std::exp(-decay * leaves) * (std::cos(wd * leaves) - decay / wd * std::sin(wd * leaves));
  const Flight damped(rail(d), {}, Flight::Expect::finish);
  EXPECT_NEAR(damped.last("rail.speed"), out, 1e-8);
  EXPECT_LT(damped.simulation.ledger().energy.relative(), 1e-8);
}

TEST(Stops, AreInCheckpoints) {
  const std::string text = ball("initial: {displacement: 1}, stops: {low: 0, restitution: 0.6}");
  const auto often = [](RunSettings& s) { s.checkpoint_interval = 0.4; };
  const Flight whole(text, often, Flight::Expect::finish);
  for (const auto& [t, bytes] : whole.checkpoints) {
    Flight again(text, often, Flight::Expect::finish);
    again.rows.clear();
    again.simulation.resume(bytes, again);
    EXPECT_EQ(again.rows.back(), whole.rows.back()) << "from " << t;
  }
}

}  // namespace stops_test
}  // namespace gyrostat::testing
