// Dry friction by reaction where some joints stick while others slide or start: the limits of those that stick, the
// friction of those that slide and what holds follow each other.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace friction_at_rest_test {

/// A cart that slides on a rail, presses onto it with all that moves on it, and carries a link that sticks, or is
/// locked, and an arm that breaks away.
std::string cart(double mass, double x, double z, double coefficient, const char* link) {
  return fmt::format(R"yaml(gyrostat: 1
bodies:
  cart: {{mass: 1, inertia: [1, 1, 1]}}
  link: {{mass: {}, com: [{}, 0, {}], inertia: [0.01, 0.01, 0.01]}}
  arm: {{mass: 1, com: [0.2, 0, 0.3], inertia: [0.1, 0.1, 0.1]}}
joints:
  rail: {{type: prismatic, parent: world, child: cart, axis: [1, 0, 0], initial: {{speed: 20}}, friction: {{reaction: {{coefficient: {}}}}}}}
  hinge: {{type: revolute, parent: cart, child: link, axis: [0, 1, 0], {}}}
  elbow: {{type: revolute, parent: cart, child: arm, axis: [0, 1, 0], torque: "6*t", friction: {{coulomb: 2, static: 4}}}}
environment: {{gravity: {{uniform: [0, 0, -9.81]}}}}
simulation: {{duration: 1.5, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.1, record: [rail.speed, elbow.rate, hinge.rate]}}
)yaml",
                     mass, x, z, coefficient, link);
}

/// What sticks moves as if it were locked; also where the friction of the rail returns, by way of what is held, so much
/// of itself that repeated substitution would not settle (a link of 4 kg at a coefficient of 0.9).
TEST(FrictionAtRest, OfALinkOnASlidingCartIsAsGoodAsALock) {
  std::size_t started = 0;
  for (const double mass : {1.0, 4.0, 20.0}) {
    for (const auto& [x, z] : {std::pair{0.8, 0.6}, {0.5, -0.9}, {-0.8, 0.6}, {1.5, -1.5}}) {
      for (const double coefficient : {0.2, 0.5, 0.7, 0.9}) {
        SCOPED_TRACE(fmt::format("{} kg at {} {}, coefficient {}", mass, x, z, coefficient));
        const Flight sticks(cart(mass, x, z, coefficient, "friction: {coulomb: 10000}"), {}, Flight::Expect::finish);
        const Flight locked(cart(mass, x, z, coefficient, "locked: true"), {}, Flight::Expect::finish);
        ASSERT_EQ(sticks.events.size(), locked.events.size());
        for (std::size_t k = 0; k < sticks.events.size(); ++k) {
          EXPECT_NEAR(sticks.events[k].t, locked.events[k].t, 1e-8);
          EXPECT_EQ(sticks.events[k].change.what, locked.events[k].change.what);
          started += sticks.events[k].change.what.starts_with("slides") ? 1 : 0;
        }
        for (const char* column : {"rail.speed", "elbow.rate", "hinge.rate"}) {
          EXPECT_NEAR(sticks.last(column), locked.last(column), 1e-7) << column;
        }
        EXPECT_LT(sticks.simulation.ledger().energy.relative(), 1e-8);
      }
    }
  }
  EXPECT_GT(started, 20U);
}

/// The hinge's own level follows its reaction too, and it carries the least that holds.
TEST(FrictionAtRest, WithLevelsThatFollowTheReactionOfEachHoldsUpToThem) {
  const auto text = [](double coefficient) {
    return cart(4, 0.5, -0.9, 0.9,
                fmt::format("friction: {{reaction: {{coefficient: {}, radius: 0.1}}}}", coefficient).c_str());
  };
  const Flight holds(text(15), {}, Flight::Expect::finish), slides(text(2), {}, Flight::Expect::finish);
  EXPECT_EQ(holds.last("hinge.rate"), 0);
  EXPECT_NE(slides.last("hinge.rate"), 0);
  for (const Flight* flight : {&holds, &slides}) EXPECT_LT(flight->simulation.ledger().energy.relative(), 1e-7);
}

/// A cart on a rail that carries three links of 1, r and r^2 kg, which swing and stick by dry friction.
std::string chain(double r, double coefficient, const char* last = "friction: {coulomb: 1800}",
                  const char* initial = "initial: {angle: -0.7}") {
  const double m = r * r;
  return fmt::format(R"yaml(gyrostat: 1
bodies:
  cart: {{mass: 1, inertia: [1, 1, 1]}}
  p1: {{mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}
  p2: {{mass: {0}, com: [0.5, 0, 0], inertia: [{1}, {2}, {2}]}}
  p3: {{mass: {3}, com: [0.5, 0, 0], inertia: [{4}, {5}, {5}]}}
joints:
  rail: {{type: prismatic, parent: world, child: cart, axis: [1, 0, 0], initial: {{speed: 20}}, friction: {{reaction: {{coefficient: {6}}}}}}}
  j1: {{type: revolute, parent: cart, child: p1, axis: [0, 1, 0], initial: {{angle: 0.3}}, friction: {{coulomb: 3}}}}
  j2: {{type: revolute, parent: p1, child: p2, parent_point: [1, 0, 0], axis: [0, 1, 0], initial: {{angle: 0.4}}, friction: {{coulomb: {7}}}}}
  j3: {{type: revolute, parent: p2, child: p3, parent_point: [1, 0, 0], axis: [0, 1, 0], {8}, {9}}}
environment: {{gravity: {{uniform: [0, 0, -9.81]}}}}
simulation: {{duration: 1, integrator: {{method: dopri5, tolerance: 1e-9}}}}
output: {{interval: 0.01, record: [rail.speed, j1.rate, j2.rate, j3.rate]}}
)yaml",
                     r, r / 100, r / 10, m, m / 100, m / 10, coefficient, 4 * r, initial, last);
}

/// The forces that hold differ by r^2, and what is rounding for one is not for another: no friction is too little to be
/// found.
TEST(FrictionAtRest, OfAChainOfUnequalMassesIsFound) {
  for (const auto& [r, coefficient] : {std::pair{30.0, 1e-6}, {100.0, 0.05}, {300.0, 1e-6}, {300.0, 0.01}}) {
    SCOPED_TRACE(fmt::format("{} times the mass, coefficient {}", r, coefficient));
    const Flight flight(chain(r, coefficient, fmt::format("friction: {{coulomb: {}}}", 2 * r * r).c_str()), {},
                        Flight::Expect::finish);
    EXPECT_GT(flight.events.size(), 4U);
    EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-6);
    for (std::size_t k = 0; k < flight.time.size(); ++k) {
      EXPECT_LE(std::abs(flight["driving/j1.rate"][k]), 3 * (1 + 1e-9));
      EXPECT_LE(std::abs(flight["driving/j2.rate"][k]), 4 * r * (1 + 1e-9));
      EXPECT_LE(std::abs(flight["driving/j3.rate"][k]), 2 * r * r * (1 + 1e-9));
    }
  }
}

/// Where the limits that the last forces make lead nowhere: j2 starts and j3 goes on holding for some milliseconds.
TEST(FrictionAtRest, IsFoundWhereTheReactionsOfOnePatternLeadToAnother) {
  const Flight flight(chain(30, 0.4), {}, Flight::Expect::finish);
  const auto event = std::ranges::find_if(
      flight.events, [](const RecordedEvent& e) { return e.change.name == "joints.j2" && e.t > 0.61 && e.t < 0.62; });
  ASSERT_NE(event, flight.events.end());
  EXPECT_EQ(event->change.what, "slides -");
  EXPECT_NEAR(event->t, 0.614861904, 1e-6);
  const auto next = std::ranges::find_if(
      flight.events, [&](const RecordedEvent& e) { return e.change.name == "joints.j3" && e.t >= event->t; });
  ASSERT_NE(next, flight.events.end());
  EXPECT_EQ(next->change.what, "slides +");
  EXPECT_NEAR(next->t, 0.617006266, 1e-6) << "until then it holds";
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-6);
}

}  // namespace friction_at_rest_test
}  // namespace gyrostat::testing
