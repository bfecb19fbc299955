// Latches, friction and stops together, on random trees: laws that hold whatever happens, and no dependence on order.
#include <algorithm>
#include <cmath>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace restraints_test {

struct RandomTree {
  std::vector<std::string> bodies, joints;

  explicit RandomTree(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-1, 1), positive(0.2, 1);
    bodies.push_back("b0: {mass: 5, inertia: [3, 4, 5], com: [0.1, -0.1, 0.2]}");
    const int count = 2 + static_cast<int>(seed % 4);
    for (int i = 1; i <= count; ++i) {
      const double m = positive(random);
      bodies.push_back(
          fmt::format("b{}: {{mass: {:.3f}, inertia: [{:.3f}, {:.3f}, {:.3f}], com: [{:.3f}, {:.3f}, 0.1]}}", i, m,
                      0.3 * m, 0.4 * m, 0.5 * m, any(random), any(random)));
      const int parent = static_cast<int>(random() % static_cast<unsigned>(i));
      const bool turns = random() % 3 != 0;
      std::string fields;
      if (random() % 2 == 0) {
        const double level = 0.3 * positive(random);
        fields += fmt::format(", friction: {{coulomb: {:.3f}, static: {:.3f}, viscous: 0.02}}", level, 1.3 * level);
      }
      if (random() % 2 == 0)
        fields += fmt::format(", stops: {{low: {:.3f}, high: {:.3f}, restitution: {}}}", -0.5 * positive(random),
                              0.5 * positive(random), random() % 2 == 0 ? 0.0 : 0.6);
      if (random() % 3 == 0)
        fields += fmt::format(", latch: {{when: 't > {:.2f}', release: 't > 2.2'}}", 1 + positive(random));
      joints.push_back(
          fmt::format("j{0}: {{type: {1}, parent: b{2}, child: b{0}, parent_point: [{3:.3f}, {4:.3f}, {5:.3f}], axis: "
                      "[{6:.3f}, {7:.3f}, "
                      "1], initial: {{{8}: {9:.3f}}}, torque: '{10:.3f}*sin({11:.3f}*t)'{12}}}",
                      i, turns ? "revolute" : "prismatic", parent, any(random), any(random), any(random), any(random),
                      any(random), turns ? "rate" : "speed", any(random), 0.6 * any(random), 2 + any(random), fields));
    }
  }

  [[nodiscard]] std::string text(const std::string& formulation) const {
    std::string all = "gyrostat: 1\nbodies:\n";
    for (const std::string& body : bodies) all += "  " + body + "\n";
    all += "joints:\n  base: {type: free, parent: world, child: b0, initial: {omega: [0.1, 0.2, -0.1]}}\n";
    for (const std::string& joint : joints) all += "  " + joint + "\n";
    return all + fmt::format(
                     "simulation: {{duration: 3, formulation: {}, integrator: {{method: dopri5, tolerance: "
                     "1e-11}}}}\noutput: {{interval: 0.5}}\n",
                     formulation);
  }
};

TEST(Restraints, OfRandomTreesKeepMomentumAndAccountForTheEnergy) {
  std::size_t events = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    const RandomTree tree(seed);
    const char* formulation = std::array{"articulated_body", "composite_body", "nested_body", "absolute"}[seed % 4];
    const Flight flight(tree.text(formulation), {}, Flight::Expect::finish);
    events += flight.events.size();
    const Ledger& ledger = flight.simulation.ledger();
    EXPECT_LT(ledger.energy.relative(), 1e-7);
    EXPECT_LT(ledger.momentum.relative(), 1e-8);
    EXPECT_LT(ledger.angular_momentum.relative(), 1e-8);
    EXPECT_LT(ledger.accelerations, 1e-8);
  }
  EXPECT_GT(events, 300U);
}

TEST(Restraints, DoNotDependOnTheOrderOfBodiesAndJoints) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree tree(seed);
    const Flight one(tree.text("articulated_body"), {}, Flight::Expect::finish);
    std::ranges::reverse(tree.joints);
    std::reverse(tree.bodies.begin() + 1, tree.bodies.end());
    const Flight other(tree.text("articulated_body"), {}, Flight::Expect::finish);
    EXPECT_EQ(one.events.size(), other.events.size());
    for (const OutputColumn& column : one.simulation.columns()) {
      if (column.name.starts_with("ledger")) continue;
      EXPECT_NEAR(one.last(column.name), other.last(column.name), 1e-6 * (1 + std::abs(one.last(column.name))))
          << column.name;
    }
  }
}

/// A slider-crank with the lengths 0.5 and 1, cut at the pin of the slider.
std::string slider_crank(const std::string& crank, const std::string& slider, double rate) {
  return fmt::format(R"yaml(gyrostat: 1
bodies:
  crank: {{mass: 1, com: [0.25, 0, 0], inertia: [0.001, 0.02, 0.02]}}
  rod: {{mass: 2, com: [0.5, 0, 0], inertia: [0.002, 0.2, 0.2]}}
  slider: {{mass: 3, inertia: [0.01, 0.01, 0.01]}}
joints:
  a: {{type: revolute, parent: world, child: crank, axis: [0, 0, 1], initial: {{angle: 30 deg, rate: {}}} {}}}
  b: {{type: revolute, parent: crank, child: rod, parent_point: [0.5, 0, 0], axis: [0, 0, 1], initial: {{angle: -44.47 deg}}}}
  c: {{type: revolute, parent: rod, child: slider, parent_point: [1, 0, 0], axis: [0, 0, 1], cut: true}}
  d: {{type: prismatic, parent: world, child: slider, axis: [1, 0, 0], initial: {{displacement: 1.4012}} {}}}
simulation: {{duration: 3, integrator: {{method: dopri5, tolerance: 1e-10}}}}
output: {{interval: 0.1, record: [a.angle, a.rate, d.displacement, d.speed]}}
)yaml",
                     rate, crank, slider);
}

void expect_balanced(const Flight& flight) {
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-8);
  EXPECT_LT(flight.simulation.ledger().momentum.relative(), 1e-8);
  EXPECT_LT(flight.simulation.ledger().accelerations, 1e-8);
  EXPECT_LT(flight.simulation.ledger().violation.position, 1e-10);
}

TEST(Restraints, OfALoopHoldItByTheForcesThatItsRatioMakes) {
  const Flight at_crank(slider_crank(", torque: '1.5*t', friction: {coulomb: 1, static: 1.5}", "", 0), {},
                        Flight::Expect::finish);
  ASSERT_EQ(at_crank.events.size(), 1U);
  EXPECT_NEAR(at_crank.events[0].t, 1, 1e-9);
  expect_balanced(at_crank);

  const Flight at_slider(slider_crank(", torque: '1.5*t'", ", friction: {coulomb: 4, static: 5}", 0), {},
                         Flight::Expect::finish);
  ASSERT_EQ(at_slider.events.size(), 1U);
  const double s = 0.5 * std::sin(at_slider["a.angle"][0]), c = 0.5 * std::cos(at_slider["a.angle"][0]);
  const double ratio = s + s * c / std::sqrt(1 - s * s);  // of the speeds of slider and crank
  EXPECT_NEAR(at_slider.events[0].t, 5 * ratio / 1.5, 1e-8);
  EXPECT_EQ(at_slider.events[0].change.what, "slides -");
  expect_balanced(at_slider);
}

TEST(Restraints, OfALoopBounceAndComeToRest) {
  const Flight bounces(slider_crank("", ", stops: {low: 0.6, restitution: 0.5}", 5), {}, Flight::Expect::finish);
  ASSERT_EQ(bounces.events.size(), 1U);
  EXPECT_EQ(bounces.events[0].change.what, "bounces");
  expect_balanced(bounces);
  const Flight rests(slider_crank(", stops: {high: 100 deg}", ", stops: {low: 0.9}", 3), {}, Flight::Expect::finish);
  ASSERT_EQ(rests.events.size(), 1U);
  EXPECT_EQ(rests.events[0].change.what, "rests on its low stop");
  EXPECT_NEAR(rests.last("a.rate"), 0, 1e-12);
  expect_balanced(rests);
}

TEST(Restraints, ThatShareALoadInALoopAreReportedWhereItIsNotDetermined) {
  const Flight flight(
      slider_crank(", torque: '1.5*t', friction: {coulomb: 1, static: 1.5}", ", friction: {coulomb: 4, static: 5}", 0));
  EXPECT_EQ(flight.outcome.kind, gyrostat::Outcome::Kind::failed);
  EXPECT_THAT(flight.outcome.failure, ::testing::HasSubstr("which of the joints that stick in a loop carry the load"));
}

const std::string held_by_all = R"yaml(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}, c: {mass: 1, inertia: [1, 1, 1]}, d: {mass: 1, inertia: [1, 1, 1]}}
joints:
  latched: {type: revolute, parent: world, child: a, axis: [0, 0, 1], torque: 0.5, latch: {when: "t < 1", release: "t > 2"}, friction: {coulomb: 1}}
  stuck: {type: revolute, parent: world, child: b, axis: [0, 0, 1], torque: t, friction: {coulomb: 1.5}}
  stopped: {type: revolute, parent: world, child: c, axis: [0, 0, 1], torque: 1, initial: {angle: 0.5}, stops: {high: 0.5}}
  loose: {type: revolute, parent: world, child: d, axis: [0, 0, 1], initial: {rate: 1}, friction: {coulomb: 0.1}}
simulation: {duration: 3}
)yaml";

TEST(Restraints, TellWhatIsHeldAtTheStart) {
  struct Begun : Observer {
    std::vector<std::pair<std::string, std::string>> states;
    void begin(const std::vector<Change>& list) override {
      for (const Change& change : list) states.emplace_back(change.name, change.what);
    }
    void record(double, std::span<const double>) override {}
    void event(double, const Change&) override {}
    void checkpoint(double, const std::string&) override {}
    bool go_on(double) override { return true; }
  } begun;
  const Loaded loaded = load(held_by_all);
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  Simulation simulation(*loaded.model, RunSettings(*loaded.model));
  EXPECT_EQ(simulation.run(begun).kind, Outcome::Kind::finished);
  EXPECT_EQ(
      begun.states,
      (std::vector<std::pair<std::string, std::string>>{
          {"joints.latched", "latched"}, {"joints.stuck", "sticks"}, {"joints.stopped", "rests on its high stop"}}));
}

TEST(Restraints, ThatHoldAJointWhenItsLatchLetsGoSaySo) {
  const Flight run(held_by_all, {}, Flight::Expect::finish);
  std::vector<std::string> changes;
  for (const RecordedEvent& event : run.events) {
    if (event.change.name == "joints.latched") changes.push_back(event.change.what);
  }
  EXPECT_EQ(changes, (std::vector<std::string>{"released", "sticks"}));
  EXPECT_EQ(run.last("latched.angle"), 0);
}

}  // namespace restraints_test
}  // namespace gyrostat::testing
