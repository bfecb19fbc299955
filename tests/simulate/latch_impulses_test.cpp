// Latches that close together, in random loops, and one that closes a loop: momentum, energy and no dependence on
// order.
#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace latch_impulses_test {

double lost_in(const Flight& flight, const std::string& source) {
  const Ledger& ledger = flight.simulation.ledger();
  const auto found = std::ranges::find(ledger.sources, source);
  if (found == ledger.sources.end()) throw std::runtime_error("no source " + source);
  return -ledger.work[static_cast<std::size_t>(found - ledger.sources.begin())];
}

/// Two arrays of two panels that are not alike; all four hinges latch at one instant.
TEST(Latch, OfTwoArraysTogetherDoesNotDependOnTheOrderInTheFile) {
  const std::array<std::string, 4> bodies = {"left_a: {mass: 4, com: [0, 1, 0], inertia: [1.4, 0.3, 1.7]}",
                                             "left_b: {mass: 3, com: [0.1, 1, 0], inertia: [1.1, 0.2, 1.3]}",
                                             "right_a: {mass: 5, com: [0, -1.1, 0.1], inertia: [1.9, 0.4, 2.3]}",
                                             "right_b: {mass: 2, com: [0, -0.8, 0], inertia: [0.5, 0.1, 0.6]}"};
  const std::string latch = "latch: {when: 't >= 0.7'}";
  const std::array<std::string, 4> joints = {
      "la: {type: revolute, parent: bus, child: left_a, parent_point: [0, 0.5, 0], axis: [1, 0, 0], initial: {rate: "
      "0.6}, " +
          latch + "}",
      "lb: {type: revolute, parent: left_a, child: left_b, parent_point: [0, 2, 0], axis: [1, 0.2, 0], initial: {rate: "
      "-0.9}, " +
          latch + "}",
      "ra: {type: revolute, parent: bus, child: right_a, parent_point: [0, -0.5, 0], axis: [1, 0, 0.1], initial: "
      "{rate: 0.4}, " +
          latch + "}",
      "rb: {type: revolute, parent: right_a, child: right_b, parent_point: [0, -2, 0], axis: [1, 0, 0], initial: "
      "{rate: 1.1}, " +
          latch + "}"};
  const auto text = [&](const std::array<int, 4>& order) {
    std::string all = "gyrostat: 1\nbodies:\n  bus: {mass: 60, inertia: [9, 7, 8]}\n";
    for (const int k : order) all += "  " + bodies.at(static_cast<std::size_t>(k)) + "\n";
    all += "joints:\n  base: {initial: {omega: [0.05, -0.1, 0.2]}}\n";
    for (const int k : order) all += "  " + joints.at(static_cast<std::size_t>(3 - k)) + "\n";
    return all +
           "simulation: {duration: 1, integrator: {method: dopri5, tolerance: 1e-12}}\n"
           "output: {interval: 0.1, record: ['l*.rate', 'r*.rate', 'bus.omega_*', system.energy, "
           "'system.momentum_*']}\n";
  };
  const Flight first(text({0, 1, 2, 3}), {}, Flight::Expect::finish);
  for (const char* joint : {"la", "lb", "ra", "rb"}) {
    EXPECT_EQ(first.last(joint + std::string(".rate")), 0) << joint;
    EXPECT_NE(lost_in(first, std::string("joints.") + joint), 0) << joint;
  }
  for (const std::array<int, 4>& order : {std::array{3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}}) {
    const Flight other(text(order), {}, Flight::Expect::finish);
    for (std::size_t k = 0; k < first.time.size(); ++k) {
      for (const char* name : {"bus.omega_x", "bus.omega_y", "bus.omega_z", "system.energy", "system.momentum_x",
                               "system.momentum_y", "system.momentum_z"})
        EXPECT_NEAR(other[name][k], first[name][k], 1e-10) << name << " at " << first.time[k];
    }
    for (const char* joint : {"la", "lb", "ra", "rb"})
      EXPECT_NEAR(lost_in(other, std::string("joints.") + joint), lost_in(first, std::string("joints.") + joint), 1e-10)
          << joint;
  }
}

/// A free bus that tumbles, with a four-bar linkage through random points and an arm on a skew axis.
std::string random_loop(unsigned seed, const std::string& formulation) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> any(-1, 1);
  const double ax = 0.2 * any(random), ay = 0.5 + 0.2 * any(random), dx = 2 + 0.3 * any(random), dy = 0.5 * any(random);
  const double bx = ax + 0.2 * any(random), by = ay + 1 + 0.3 * any(random), cx = dx + 0.4 * any(random),
               cy = dy + 1.5 + 0.3 * any(random);
  const double crank = std::hypot(bx - ax, by - ay), rod = std::hypot(cx - bx, cy - by),
               rocker = std::hypot(cx - dx, cy - dy);
  const double of_crank = std::atan2(by - ay, bx - ax), of_rod = std::atan2(cy - by, cx - bx),
               of_rocker = std::atan2(cy - dy, cx - dx);
  return fmt::format(
      R"yaml(gyrostat: 1
bodies:
  bus: {{mass: 20, com: [{0:.3f}, 0.1, {1:.3f}], inertia: {{xx: 4, yy: 5, zz: 6, xy: {2:.3f}, yz: 0.3}}}}
  crank: {{mass: 1.2, com: [{3}, 0.05, 0.1], inertia: [0.05, 0.2, 0.2]}}
  rod: {{mass: 2, com: [{4}, 0, -0.1], inertia: [0.04, 0.5, 0.5]}}
  rocker: {{mass: 1.5, com: [{5}, 0.1, 0], inertia: [0.04, 0.3, 0.3]}}
  arm: {{mass: 2, com: [0.5, {6:.3f}, 0.2], inertia: [0.1, 0.3, 0.35]}}
joints:
  base: {{initial: {{omega: [{6:.3f}, 0.2, {7:.3f}], velocity: [0.1, 0, -0.2]}}}}
  a: {{type: revolute, parent: bus, child: crank, parent_point: [{8}, {9}, 0], axis: [0, 0, 1], initial: {{angle: {10}, rate: 1.5}},
      latch: {{when: 't > 0.3', release: 't > 0.8'}}}}
  b: {{type: revolute, parent: crank, child: rod, parent_point: [{11}, 0, 0], axis: [0, 0, 1], initial: {{angle: {12}}}}}
  c: {{type: revolute, parent: bus, child: rocker, parent_point: [{13}, {14}, 0], axis: [0, 0, 1], initial: {{angle: {15}}}}}
  d: {{type: revolute, parent: rod, child: rocker, parent_point: [{16}, 0, 0], child_point: [{17}, 0, 0], axis: [0, 0, 1], cut: true}}
  e: {{type: revolute, parent: rocker, child: arm, parent_point: [0.3, 0, 0], axis: [{7:.3f}, 1, {2:.3f}], initial: {{rate: {18:.3f}}},
      latch: {{when: 't > {19}'}}}}
simulation: {{duration: 1, formulation: {20}, integrator: {{method: dopri5, tolerance: 1e-10}}}}
output: {{interval: 0.05, record: [a.rate, b.rate, c.rate, e.rate, 'system.momentum_*', system.energy, base.velocity_x]}}
)yaml",
      0.1 * any(random), 0.1 * any(random), 0.3 * any(random), crank / 2, rod / 2, rocker / 2, 0.3 * any(random),
      0.3 * any(random), ax, ay, of_crank, crank, of_rod - of_crank, dx, dy, of_rocker, rod, rocker, any(random),
      seed % 2 == 0 ? "0.3" : "0.5", formulation);
}

TEST(Latch, InRandomLoopsKeepsMomentumAndAccountsForTheEnergy) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const char* formulation = seed % 3 == 0 ? "absolute" : seed % 3 == 1 ? "articulated_body" : "composite_body";
    SCOPED_TRACE(fmt::format("seed {}, {}", seed, formulation));
    const Flight flight(random_loop(seed, formulation), {}, Flight::Expect::finish);
    for (std::size_t k = 0; k < flight.time.size(); ++k) {
      for (const char* name : {"system.momentum_x", "system.momentum_y", "system.momentum_z"})
        EXPECT_NEAR(flight[name][k], flight[name][0], 1e-7) << name << " at " << flight.time[k];
      const double t = flight.time[k];
      if (t > 0.32 && t < 0.78) {
        for (const char* name : {"a.rate", "b.rate", "c.rate"}) EXPECT_NEAR(flight[name][k], 0, 1e-9) << name;
      }
      if (t > 0.52) {
        EXPECT_EQ(flight["e.rate"][k], 0);
      }
    }
    EXPECT_GT(std::abs(flight.at(0.25, "a.rate")), 0.1);
    const double lost = lost_in(flight, "joints.a") + lost_in(flight, "joints.e");
    EXPECT_GT(lost, 1e-3);
    EXPECT_NEAR(lost, flight["system.energy"][0] - flight.last("system.energy"), 1e-7);
    const Ledger& ledger = flight.simulation.ledger();
    EXPECT_LT(ledger.energy.relative(), 1e-7);
    EXPECT_LT(ledger.momentum.relative(), 1e-7);
    EXPECT_LT(ledger.angular_momentum.relative(), 1e-7);
    EXPECT_LT(ledger.accelerations, 1e-8);
  }
}

/// An arm of two links reaches for a fixture of its own bus. The joint between hand and fixture lets it go anywhere in
/// the plane, until its latch makes a closed frame of them: all turns as one body with the momentum there was.
TEST(Latch, ThatClosesALoopMakesOneRigidBody) {
  const Flight flight(R"yaml(gyrostat: 1
bodies:
  bus: {mass: 50, inertia: [8, 8, 8]}
  upper: {mass: 3, com: [0.5, 0, 0], inertia: [0.01, 0.25, 0.25]}
  lower: {mass: 2, com: [0.4, 0, 0], inertia: [0.01, 0.2, 0.2]}
joints:
  base: {initial: {omega: [0, 0, 0.05]}}
  shoulder: {type: revolute, parent: bus, child: upper, axis: [0, 0, 1], initial: {angle: 60 deg, rate: -0.2}}
  elbow: {type: revolute, parent: upper, child: lower, parent_point: [1, 0, 0], axis: [0, 0, 1], cut: true}
  dock: {type: planar, parent: bus, child: lower, parent_point: [1.5, 0, 0], child_point: [1, 0, 0], normal: [0, 0, 1],
         initial: {displacements: [-0.2, 0.2660254037844386], angles: [-0.6435011087932844],
                   speeds: [0.11320508075688773, -0.18], rates: [-0.1]},
         latch: {when: "dock.displacement2 < 0.02"}}
simulation: {duration: 3, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.1, record: ['dock.*', shoulder.angle, shoulder.rate, bus.omega_z, system.momentum_z, system.energy]}
)yaml",
                      {}, Flight::Expect::finish);
  const std::vector<double> closed = flight.times_of("joints.dock");
  ASSERT_EQ(closed.size(), 1U);
  EXPECT_GT(closed[0], 0.5);
  EXPECT_LT(closed[0], 2.5);
  for (const char* name : {"dock.speed1", "dock.speed2", "dock.rate", "shoulder.rate"})
    EXPECT_NEAR(flight.last(name), 0, 1e-11) << name;
  EXPECT_NEAR(flight.last("dock.displacement2"), 0.02, 1e-9);
  // The inertia of the frame about its mass centre, in the axes of the bus
  const double one = flight.last("shoulder.angle"), other = flight.last("dock.angle");
  const std::array<double, 3> mass = {50, 3, 2}, own = {8, 0.25, 0.2};
  const std::array<double, 3> x = {0, 0.5 * std::cos(one), std::cos(one) + 0.4 * std::cos(other)},
                              y = {0, 0.5 * std::sin(one), std::sin(one) + 0.4 * std::sin(other)};
  double all = 0, cx = 0, cy = 0, inertia = 0;
  for (std::size_t i = 0; i < 3; ++i) all += mass[i], cx += mass[i] * x[i], cy += mass[i] * y[i];
  for (std::size_t i = 0; i < 3; ++i)
    inertia += own[i] + mass[i] * (std::pow(x[i] - cx / all, 2) + std::pow(y[i] - cy / all, 2));
  const double momentum = flight["system.momentum_z"][0];
  EXPECT_NEAR(flight.last("system.momentum_z"), momentum, 1e-11);
  EXPECT_NEAR(flight.last("bus.omega_z"), momentum / inertia, 1e-10);
  const double energy = flight["system.energy"][0],
               drift = flight.last("system.energy") - momentum * momentum / (2 * inertia);
  EXPECT_NEAR(lost_in(flight, "joints.dock"), energy - flight.last("system.energy"), 1e-10);
  const double w1 = -0.15, w2 = -0.05,
               s60 = std::sqrt(0.75);  // of the links in the world at the start, where the bus stands still
  const double px = 3 * w1 * -0.5 * s60 + 2 * (w1 * -s60 + w2 * 0.24), py = 3 * w1 * 0.25 + 2 * (w1 * 0.5 + w2 * 0.32);
  EXPECT_NEAR(drift, (px * px + py * py) / (2 * all), 1e-10) << "what is left is the motion of the mass centre";
}

}  // namespace latch_impulses_test
}  // namespace gyrostat::testing
