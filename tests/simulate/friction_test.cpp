// Dry friction: sliding, sticking and starting against closed forms.
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace friction_test {

using std::numbers::pi;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A block of 2 kg on a rail in the world.
std::string block(const std::string& fields, const std::string& method = "dopri5, tolerance: 1e-11") {
  return fmt::format(R"(gyrostat: 1
bodies: {{block: {{mass: 2, inertia: [1, 1, 1]}}}}
joints: {{rail: {{type: prismatic, parent: world, child: block, axis: [1, 0, 0], {}}}}}
simulation: {{duration: 5, integrator: {{method: {}}}}}
output: {{interval: 0.25, record: [rail.displacement, rail.speed]}}
)",
                     fields, method);
}

TEST(Friction, StopsABlockAndHoldsIt) {
  for (const char* method : {"dopri5, tolerance: 1e-11", "cvode_adams, tolerance: 1e-11", "cvode_bdf, tolerance: 1e-11",
                             "rk4, step: 0.03"}) {
    SCOPED_TRACE(method);
    const Flight flight(block("initial: {speed: 5}, friction: {coulomb: 3}", method), {}, Flight::Expect::finish);
    EXPECT_THAT(flight.changes_of("joints.rail"), ElementsAre("sticks"));
    EXPECT_NEAR(flight.events[0].t, 5 * 2 / 3.0, 1e-8);
    EXPECT_NEAR(flight.last("rail.displacement"), 25 * 2 / 6.0, 1e-8);
    EXPECT_EQ(flight.last("rail.speed"), 0);
    EXPECT_NEAR(flight.work_of("joints.rail"), -25, 1e-7);
    EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-7);
    EXPECT_LT(flight.simulation.ledger().momentum.relative(), 1e-7);
  }
}

TEST(Friction, OfASlowingBlockWithAViscousPart) {  // 2 u' = -3 - 0.5 u
  const Flight flight(block("initial: {speed: 5}, friction: {coulomb: 3, viscous: 0.5}"), {}, Flight::Expect::finish);
  EXPECT_NEAR(flight.events.at(0).t, 2 / 0.5 * std::log(1 + 0.5 * 5 / 3), 1e-9);
}

TEST(Friction, HoldsUpToTheStaticLevelAndSlidesAtTheOther) {
  const Flight flight(block("torque: '2*t', friction: {coulomb: 3, static: 4}"), {}, Flight::Expect::finish);
  EXPECT_THAT(flight.changes_of("joints.rail"), ElementsAre("slides +"));
  EXPECT_NEAR(flight.events[0].t, 2, 1e-9);
  const auto moved = [](double s) { return (s * s * s / 3 + (4 - 3) * s * s / 2) / 2; };  // 2 u' = 2 s + 4 - 3
  EXPECT_NEAR(flight.last("rail.displacement"), moved(3), 1e-8);
  EXPECT_NEAR(flight.at(1, "driving/rail.speed"), -2, 1e-12) << "what holds it";
  EXPECT_EQ(flight.at(4, "driving/rail.speed"), 0) << "what slides is not held";
}

TEST(Friction, WithEqualLevelsStartsFromRestWithoutAJump) {
  const Flight flight(block("torque: '2*t', friction: {coulomb: 3}"), {}, Flight::Expect::finish);
  EXPECT_THAT(flight.changes_of("joints.rail"), ElementsAre("slides +"));
  EXPECT_NEAR(flight.events[0].t, 1.5, 1e-9);
  EXPECT_NEAR(flight.last("rail.displacement"), std::pow(3.5, 3) / 6, 1e-7);
}

TEST(Friction, WithStribecksLevelFallsWithTheSpeed) {  // a steady speed under a constant force: F = F(u)
  const double u = 0.7, force = 3 + 2 * std::exp(-(u / 0.5) * (u / 0.5)) + 4 * u;
  const Flight flight(block(fmt::format("initial: {{speed: 0.7}}, torque: {}, friction: {{coulomb: 3, static: 5, "
                                        "stribeck: 0.5, viscous: 4}}",
                                        force)),
                      {}, Flight::Expect::finish);
  EXPECT_NEAR(flight.last("rail.speed"), 0.7, 1e-9);
}

/// With a Stribeck curve sliding begins at the static level. A block breaks away at 2 s under another, which the
/// acceleration of (4 - 1) / 2 that the Coulomb level would make of it throws off, and the true one, zero at first,
/// not.
TEST(Friction, WithStribecksLevelBeginsToSlideAtTheStaticOne) {
  const Flight flight(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints:
  below: {type: prismatic, parent: world, child: a, axis: [1, 0, 0], friction: {coulomb: 1, static: 4, stribeck: 0.5}}
  above: {type: prismatic, parent: a, child: b, axis: [1, 0, 0], friction: {coulomb: 1}}
loads: [{body: a, force: ["2*t", 0, 0]}]
simulation: {duration: 4, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.5, record: [below.speed, above.speed]}
)",
                      {}, Flight::Expect::finish);
  ASSERT_EQ(flight.events.size(), 2U);
  EXPECT_EQ(flight.events[0].change.name, "joints.below");
  EXPECT_NEAR(flight.events[0].t, 2, 1e-9);
  EXPECT_EQ(flight.events[1].change.name, "joints.above");
  EXPECT_GT(flight.events[1].t, 2.1);
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-8);
}

/// The static level may be less than the load from the start on, exactly that, or more.
TEST(Friction, AtRestOnASlope) {
  const auto slope = [](double load) {
    return block(fmt::format("torque: {}, friction: {{coulomb: 1, static: 2}}", load));
  };
  EXPECT_EQ(Flight(slope(1.9), {}, Flight::Expect::finish).last("rail.speed"), 0);
  EXPECT_EQ(Flight(slope(2), {}, Flight::Expect::finish).last("rail.speed"), 0);
  EXPECT_NEAR(Flight(slope(2.1), {}, Flight::Expect::finish).last("rail.speed"), 5 * 1.1 / 2, 1e-9);
  EXPECT_NEAR(Flight(slope(-2.1), {}, Flight::Expect::finish).last("rail.speed"), -5 * 1.1 / 2, 1e-9);
}

/// The amplitude falls by 2 T / k with every half cycle, until it sticks within T / k of the middle.
TEST(Friction, OfAPendulumTakesFourTOverKPerCycle) {
  const double k = 8, I = 0.5, T = 0.3, w = std::sqrt(k / I);
  const Flight flight(fmt::format(R"(gyrostat: 1
bodies: {{bob: {{mass: 1, inertia: [1, 1, {}]}}}}
joints:
  axle: {{type: revolute, parent: world, child: bob, axis: [0, 0, 1], initial: {{angle: 1}}, stiffness: {},
         friction: {{coulomb: {}}}}}
simulation: {{duration: 12, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: {}, record: [axle.angle, axle.rate]}}
)",
                                  I, k, T, pi / w),
                      {}, Flight::Expect::finish);
  double amplitude = 1;
  std::size_t half = 0;
  for (; amplitude > T / k; ++half) {
    EXPECT_NEAR(flight["axle.angle"][half], (half % 2 == 0 ? 1 : -1) * amplitude, 1e-8) << half;
    amplitude -= 2 * T / k;
  }
  EXPECT_EQ(half, 13U);
  EXPECT_NEAR(flight.last("axle.angle"), (half % 2 == 0 ? 1 : -1) * amplitude, 1e-8) << "it stays there";
  EXPECT_EQ(flight.last("axle.rate"), 0);
  ASSERT_EQ(flight.events.size(), half) << "one event for each turn, none more";
  EXPECT_EQ(flight.events.back().change.what, "sticks");
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-9);
}

/// A block on a belt, tied by a spring: it sticks while the spring is drawn to F_s, and slides until it has the speed
/// of the belt again.
TEST(Friction, OfABlockOnABeltSticksAndSlipsForEver) {
  const double m = 2, k = 50, V = 0.3, Fs = 6, Fc = 4, w = std::sqrt(k / m);
  const Flight flight(fmt::format(R"(gyrostat: 1
bodies: {{belt: {{mass: 1, inertia: [1, 1, 1]}}, block: {{mass: {}, inertia: [1, 1, 1]}}}}
joints:
  roll: {{type: prismatic, parent: world, child: belt, axis: [1, 0, 0], prescribed: {{position: "{}*t"}}}}
  lies: {{type: prismatic, parent: belt, child: block, axis: [1, 0, 0], friction: {{coulomb: {}, static: {}}}}}
signals: {{x: roll.displacement + lies.displacement}}
loads: [{{body: block, force: ["-{}*x", 0, 0], axes: world}}]
simulation: {{duration: 10, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.05, record: [x, lies.speed]}}
)",
                                  m, V, Fc, Fs, k),
                      {}, Flight::Expect::finish);
  const double slip = 2 / w * (pi - std::atan((Fs - Fc) * w / (k * V))), stick = 2 * (Fs - Fc) / (k * V);
  double t = Fs / (k * V);
  std::size_t event = 0;
  for (; t < 10; t += slip + stick) {
    ASSERT_LT(event, flight.events.size());
    EXPECT_NEAR(flight.events[event].t, t, 1e-7);
    EXPECT_EQ(flight.events[event++].change.what, "slides -");
    if (t + slip > 10) break;
    ASSERT_LT(event, flight.events.size());
    EXPECT_NEAR(flight.events[event].t, t + slip, 1e-7);
    EXPECT_EQ(flight.events[event++].change.what, "sticks");
  }
  EXPECT_EQ(event, flight.events.size());
  EXPECT_GT(event, 6U);
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-8);
}

/// Blocks in a row, each pulling the next by a joint that sticks: they start one after another, the last first.
TEST(Friction, OfAChainBreaksAwayWhereItIsWeakest) {
  const Flight flight(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}, c: {mass: 1, inertia: [1, 1, 1]}}
joints:
  first: {type: prismatic, parent: world, child: a, axis: [1, 0, 0], friction: {coulomb: 5}}
  second: {type: prismatic, parent: a, child: b, axis: [1, 0, 0], friction: {coulomb: 3}}
  third: {type: prismatic, parent: b, child: c, axis: [1, 0, 0], friction: {coulomb: 4}}
loads: [{body: c, force: ["2*t", 0, 0]}]
simulation: {duration: 4, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.5, record: [first.speed, second.speed, third.speed]}
)",
                      {}, Flight::Expect::finish);
  // at 1.5 s the second slides with b and c as one; then 2 t - 3 = 2 a; the third needs 2 t - a = (2 t + 3) / 2 < 4:
  // to 2.5 s
  ASSERT_EQ(flight.events.size(), 2U);
  EXPECT_EQ(flight.events[0].change.name, "joints.second");
  EXPECT_NEAR(flight.events[0].t, 1.5, 1e-9);
  EXPECT_EQ(flight.events[1].change.name, "joints.third");
  EXPECT_NEAR(flight.events[1].t, 2.5, 1e-9);
  EXPECT_EQ(flight.last("first.speed"), 0);
  EXPECT_NEAR(flight.last("second.speed"), 0.5 + 1.5 * 1, 1e-8);  // b: 4 - 3
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-8);
}

/// Two that must start at one instant: neither by itself could.
TEST(Friction, OfTwoThatStartTogetherDoesNotDependOnTheirOrder) {
  const auto text = [](const char* first, const char* second) {
    return fmt::format(R"(gyrostat: 1
bodies: {{bus: {{mass: 10, inertia: [4, 5, 6]}}, left: {{mass: 1, com: [1, 0, 0], inertia: [0.1, 0.2, 0.3]}},
  right: {{mass: 1, com: [-1, 0, 0], inertia: [0.1, 0.2, 0.3]}}}}
joints:
  {}
  {}
loads: [{{body: bus, torque: [0, 0, "3*t"]}}]
simulation: {{duration: 3, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.5, record: [l.rate, r.rate, bus.omega_z]}}
)",
                       first, second);
  };
  const char* l =
      "l: {type: revolute, parent: bus, child: left, parent_point: [1, 0, 0], axis: [0, 0, 1], friction: {coulomb: "
      "0.4, "
      "static: 0.5}}";
  const char* r =
      "r: {type: revolute, parent: bus, child: right, parent_point: [-1, 0, 0], axis: [0, 0, 1], friction: {coulomb: "
      "0.4, static: 0.5}}";
  const Flight one(text(l, r), {}, Flight::Expect::finish), other(text(r, l), {}, Flight::Expect::finish);
  ASSERT_EQ(one.events.size(), 2U);
  EXPECT_EQ(one.events[0].t, one.events[1].t);
  for (std::size_t k = 0; k < one.time.size(); ++k) {
    EXPECT_NEAR(one["l.rate"][k], one["r.rate"][k], 1e-10) << "by symmetry";
    for (const char* name : {"l.rate", "r.rate", "bus.omega_z"}) EXPECT_NEAR(one[name][k], other[name][k], 1e-10);
  }
  EXPECT_LT(one.last("l.rate"), -0.1);
}

/// The bearing of a wheel: it runs down, sticks, and is torn loose by its motor.
TEST(Friction, OfAWheelKeepsTheMomentumOfTheSpacecraft) {
  const Flight flight(R"(gyrostat: 1
bodies:
  bus: {mass: 10, inertia: [3, 3, 3], wheels: {rw: {axis: [0, 0, 1], inertia: 0.1, rate: 10, torque: '0.06*ramp(10)',
        friction: {coulomb: 0.2, static: 0.3, viscous: 0.01}}}}
simulation: {duration: 18, integrator: {method: cvode_bdf, tolerance: 1e-11}}
output: {interval: 1, record: [bus.rw.rate, bus.omega_z, system.momentum_z]}
)",
                      {}, Flight::Expect::finish);
  EXPECT_THAT(flight.changes_of("bodies.bus.wheels.rw"), ElementsAre("sticks", "slides +"));
  EXPECT_NEAR(flight.times_of("bodies.bus.wheels.rw")[1], 15, 1e-7);
  for (const double h : flight["system.momentum_z"]) EXPECT_NEAR(h, 1, 1e-9);
  EXPECT_NEAR(flight.at(12, "bus.omega_z"), 1.0 / 3, 1e-8) << "the inertia of the bus has the wheel at rest in it";
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-7);
}

TEST(Friction, WhoseLevelIsAnExpressionFollowsIt) {  // preload that falls: it starts where 4 - t meets the load
  const Flight flight(block("torque: 1.5, friction: {coulomb: '4 - t'}"), {}, Flight::Expect::finish);
  EXPECT_NEAR(flight.events.at(0).t, 2.5, 1e-9);
  const Flight none(block("initial: {speed: 1}, friction: {coulomb: '-1*t'}"), {}, Flight::Expect::finish);
  EXPECT_NEAR(none.last("rail.speed"), 1, 1e-12) << "a level below zero is none";
}

TEST(Friction, GivesWayToImpulses) {  // what is finite cannot hold against a latch that closes
  const Flight flight(R"(gyrostat: 1
bodies: {bus: {mass: 4, inertia: [3, 3, 3]}, panel: {mass: 1, inertia: [1, 1, 1]}, disc: {mass: 1, inertia: [2, 2, 2]}}
joints:
  hinge: {type: revolute, parent: bus, child: panel, axis: [0, 0, 1], initial: {rate: 0.9},
          latch: {when: "hinge.angle > 0.45"}}
  brake: {type: revolute, parent: bus, child: disc, axis: [0, 0, 1], friction: {coulomb: 100}}
simulation: {duration: 1, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.1, record: [brake.rate, bus.omega_z, system.momentum_z]}
)",
                      {}, Flight::Expect::finish);
  EXPECT_THAT(flight.changes_of("joints.brake"), ElementsAre("slides -", "sticks"));
  EXPECT_NEAR(flight.last("bus.omega_z"), 0.9 / 6, 1e-9) << "all turn together at last";
  // the latch leaves bus and panel at 0.9 / 4 and the disc at rest; then 100 N m between 4 and 2 kg m^2
  EXPECT_NEAR(flight.times_of("joints.brake")[1] - flight.times_of("joints.brake")[0], 0.225 / (100.0 / 4 + 50), 1e-9);
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-9);
}

TEST(Friction, IsInCheckpoints) {
  const std::string text = block("torque: '4*sin(2*t)', friction: {coulomb: 2, static: 3}");
  const auto often = [](RunSettings& s) { s.checkpoint_interval = 0.4; };
  const Flight whole(text, often, Flight::Expect::finish);
  ASSERT_GT(whole.events.size(), 4U);
  for (const auto& [t, bytes] : whole.checkpoints) {
    Flight again(text, often, Flight::Expect::finish);
    again.rows.clear();
    again.simulation.resume(bytes, again);
    EXPECT_EQ(again.rows.back(), whole.rows.back()) << "from " << t;
  }
}

}  // namespace friction_test
}  // namespace gyrostat::testing
