// No impulse makes energy: latches that close while stops are met, with restitutions of all sizes.
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace impulse_energy_test {

/// Two discs about one axis. The second, which stands still, is latched to the first when that meets its stop: what is
/// left of the speed, a seventh, is what bounces. Restitution of the speed before would make six times the energy.
TEST(Impulses, OfALatchThatClosesAsAStopIsMetLoseEnergy) {
  const Flight flight(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [6, 6, 6]}}
joints:
  first: {type: revolute, parent: world, child: a, axis: [0, 0, 1], initial: {rate: 0.7}, stops: {high: 0.5, restitution: 0.9}}
  second: {type: revolute, parent: a, child: b, axis: [0, 0, 1], initial: {rate: -0.7}, latch: {when: "first.angle >= 0.5"}}
simulation: {duration: 1, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.1, record: [first.rate, second.rate, system.energy]}
)",
                      {}, Flight::Expect::finish);
  ASSERT_GE(flight.events.size(), 2U);
  EXPECT_EQ(flight.last("second.rate"), 0);
  EXPECT_NEAR(flight["system.energy"][0], 0.7 * 0.7 / 2, 1e-12);
  EXPECT_NEAR(std::abs(flight.last("first.rate")), 0.9 * 0.1, 1e-10);
  EXPECT_NEAR(flight.last("system.energy"), 7 * 0.09 * 0.09 / 2, 1e-10);
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-9);
}

/// Free systems without motors and springs: whatever happens, their kinetic energy never grows.
TEST(Impulses, OfRandomSystemsNeverMakeEnergy) {
  std::size_t events = 0, together = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-1, 1), positive(0.2, 1);
    std::string text = "gyrostat: 1\nbodies:\n  b0: {mass: 5, inertia: [3, 4, 5], com: [0.1, -0.1, 0.2]}\n", joints;
    const unsigned count = 3 + seed % 3;
    for (unsigned i = 1; i <= count; ++i) {
      // the first two are light and meet stops; the others are heavy, and latch to one of them when one does
      const bool light = i < 3;
      const double m = (light ? 0.3 : 4) * positive(random);
      text += fmt::format("  b{}: {{mass: {:.3f}, inertia: [{:.3f}, {:.3f}, {:.3f}], com: [{:.3f}, {:.3f}, 0.1]}}\n", i,
                          m, 0.3 * m, 0.4 * m, 0.5 * m, 0.3 * any(random), 0.3 * any(random));
      const std::string what =
          light ? fmt::format("stops: {{low: -0.2, high: 0.3, restitution: {:.2f}}}", 0.99 - 0.4 * positive(random))
                : fmt::format("latch: {{when: 'abs(j{}.angle - 0.05) >= 0.25'}}", 1 + random() % 2);
      joints += fmt::format(
          "  j{0}: {{type: revolute, parent: b{1}, child: b{0}, parent_point: [{2:.3f}, {3:.3f}, {4:.3f}], axis: "
          "[{5:.3f}, {6:.3f}, 1], initial: {{rate: {7:.3f}}}, {8}}}\n",
          i, light ? 0 : 1 + random() % 2, 0.3 * any(random), 0.3 * any(random), 0.3 * any(random), 0.3 * any(random),
          0.3 * any(random), any(random), what);
    }
    text += "joints:\n  base: {initial: {omega: [0.3, -0.2, 0.4]}}\n" + joints +
            "simulation: {duration: 2.5, integrator: {method: dopri5, tolerance: 1e-10}}\n"
            "output: {interval: 0.02, record: [system.energy]}\n";
    const Flight flight(text, {}, Flight::Expect::finish);
    events += flight.events.size();
    for (std::size_t k = 1; k < flight.events.size(); ++k) {
      const bool both = flight.events[k].t == flight.events[k - 1].t &&
                        (flight.events[k].change.what == "bounces") != (flight.events[k - 1].change.what == "bounces");
      together += both ? 1 : 0;
    }
    for (std::size_t k = 1; k < flight.time.size(); ++k) {
      EXPECT_LE(flight["system.energy"][k], flight["system.energy"][k - 1] + 1e-8) << "at " << flight.time[k];
    }
    EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-7);
  }
  EXPECT_GT(events, 300U);
  EXPECT_GT(together, 10U);
}

}  // namespace impulse_energy_test
}  // namespace gyrostat::testing
