// Latches, friction and stops together, on random trees: laws that hold whatever happens, and no dependence on order.
#include <algorithm>
#include <cmath>
#include <numbers>
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

/// Each stop that is struck frees the other, which comes back to it after 3 us, then after 20 ns, and so on: both hold.
TEST(Restraints, TwoStopsThatFreeEachOtherComeToRest) {
  const Flight flight(R"yaml(gyrostat: 1
bodies:
  b0: {mass: 5, inertia: [3, 4, 5], com: [0.1, -0.1, 0.2]}
  b1: {mass: 0.255, inertia: [0.076, 0.102, 0.127], com: [0.329, -0.612, 0.1]}
  b2: {mass: 0.332, inertia: [0.100, 0.133, 0.166], com: [0.265, -0.959, 0.1]}
  b3: {mass: 0.878, inertia: [0.264, 0.351, 0.439], com: [0.436, 0.204, 0.1]}
  b4: {mass: 0.924, inertia: [0.277, 0.370, 0.462], com: [0.585, 0.124, 0.1]}
  b5: {mass: 0.468, inertia: [0.140, 0.187, 0.234], com: [0.004, 0.441, 0.1]}
joints:
  base: {type: free, parent: world, child: b0, initial: {omega: [0.1, 0.2, -0.1]}}
  j1: {type: prismatic, parent: b0, child: b1, parent_point: [-0.974, -0.025, 0.884], axis: [0.702, 0.460, 1], initial: {speed: -0.783}, torque: '0.473*sin(2.714*t)'}
  j2: {type: revolute, parent: b1, child: b2, parent_point: [-0.362, -0.777, -0.832], axis: [0.425, 0.199, 1], initial: {rate: -0.889}, torque: '-0.024*sin(1.803*t)', friction: {coulomb: 0.247, static: 0.321, viscous: 0.02}, stops: {low: -0.404, high: 0.427, restitution: 0.6}}
  j3: {type: revolute, parent: b1, child: b3, parent_point: [0.593, -0.873, -0.271], axis: [-0.860, -0.361, 1], initial: {rate: -0.859}, torque: '-0.252*sin(2.580*t)', stops: {low: -0.495, high: 0.235, restitution: 0}}
  j4: {type: revolute, parent: b1, child: b4, parent_point: [-0.474, 0.954, 0.331], axis: [0.988, -0.360, 1], initial: {rate: 0.578}, torque: '-0.342*sin(2.902*t)'}
  j5: {type: revolute, parent: b1, child: b5, parent_point: [-0.544, -0.085, -0.431], axis: [0.458, -0.450, 1], initial: {rate: -0.808}, torque: '0.569*sin(1.179*t)', stops: {low: -0.122, high: 0.360, restitution: 0}}
simulation: {duration: 3, formulation: absolute, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.5}
)yaml",
                      {}, Flight::Expect::finish);
  EXPECT_LT(flight.events.size(), 20U);
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-10);
  EXPECT_LT(flight.simulation.ledger().momentum.relative(), 1e-10);
  EXPECT_LT(flight.simulation.ledger().angular_momentum.relative(), 1e-10);
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

/// At its dead centres the slider stands for an instant, and no friction holds it there: the crank goes on.
TEST(Restraints, OfALoopPassItsDeadCentres) {
  for (const char* crank : {", torque: 2", ", torque: 2, friction: {coulomb: 0.2, static: 0.3}"}) {
    SCOPED_TRACE(crank);
    const Flight flight(slider_crank(crank, ", friction: {coulomb: 0.5, static: 0.8}", 5), {}, Flight::Expect::finish);
    ASSERT_GE(flight.events.size(), 3U);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_EQ(flight.events[k].change.name, "joints.d");
      EXPECT_EQ(flight.events[k].change.what, k % 2 == 0 ? "slides +" : "slides -");
      EXPECT_NEAR(std::sin(flight.at(flight.events[k].t, "a.angle")), 0, 0.4) << "at the nearest record";
    }
    expect_balanced(flight);
  }
}

/// Friction at the crank, the rod and the slider, under a load to and fro: all that sticks, slides, turns back and
/// passes dead centres is accounted for.
TEST(Restraints, InEveryJointOfALoopAccountForTheEnergy) {
  std::size_t events = 0;
  for (const double crank : {0.3, 1.0}) {
    for (const double slider : {0.5, 2.0}) {
      for (const double rod : {0.1, 0.5}) {
        SCOPED_TRACE(fmt::format("{} {} {}", crank, rod, slider));
        std::string text = slider_crank(
            fmt::format(", torque: '4*sin(3.1*t)', friction: {{coulomb: {}, static: {}}}", crank, 1.3 * crank),
            fmt::format(", friction: {{coulomb: {}, static: {}}}", slider, 1.2 * slider), 0);
        const std::string angle = "initial: {angle: -44.47 deg}";
        text.replace(text.find(angle), angle.size(), angle + fmt::format(", friction: {{coulomb: {}}}", rod));
        const Flight flight(text, {}, Flight::Expect::finish);
        events += flight.events.size();
        expect_balanced(flight);
      }
    }
  }
  EXPECT_GT(events, 60U);
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

/// Which of them carries how much is not determined; that they hold together is: the power of the motor against those
/// of all frictions in the one motion that there is.
TEST(Restraints, ThatShareALoadInALoopHoldUpToTheSumOfTheirPowers) {
  const Flight flight(
      slider_crank(", torque: '1.5*t', friction: {coulomb: 1, static: 1.5}", ", friction: {coulomb: 4, static: 5}", 0),
      {}, Flight::Expect::finish);
  const double s = 0.5 * std::sin(flight["a.angle"][0]), c = 0.5 * std::cos(flight["a.angle"][0]);
  const double ratio = s + s * c / std::sqrt(1 - s * s);  // of the speeds of slider and crank
  ASSERT_EQ(flight.events.size(), 2U);
  EXPECT_NEAR(flight.events[0].t, (1.5 + 5 * ratio) / 1.5, 1e-8);
  EXPECT_EQ(flight.events[1].t, flight.events[0].t);
  EXPECT_EQ(flight.events[0].change.what, "slides +");
  EXPECT_EQ(flight.events[1].change.what, "slides -");
  EXPECT_GT(flight.last("a.rate"), 0.1);
  expect_balanced(flight);
}

/// A parallelogram with friction at a and c: the speeds of its joints are equal but for their signs.
std::string parallelogram(const char* load, const char* right, double duration = 7) {
  return fmt::format(R"yaml(gyrostat: 1
bodies:
  left: {{mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1]}}
  right: {{mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1]}}
  top: {{mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}
joints:
  a: {{type: revolute, parent: world, child: left, axis: [0, 0, 1], initial: {{angle: 0.3}}, torque: "{}", friction: {{coulomb: 0.5}}}}
  b: {{type: revolute, parent: world, child: right, parent_point: [1, 0, 0], axis: [0, 0, 1], {}}}
  c: {{type: revolute, parent: left, child: top, parent_point: [0, 1, 0], axis: [0, 0, 1], initial: {{angle: -0.3}}, friction: {{coulomb: 0.5}}}}
  d: {{type: revolute, parent: top, child: right, parent_point: [1, 0, 0], child_point: [0, 1, 0], axis: [0, 0, 1], cut: true}}
simulation: {{duration: {}, integrator: {{method: dopri5, tolerance: 1e-10}}}}
output: {{interval: 0.05, record: [a.angle, a.rate, b.rate, c.rate]}}
)yaml",
                     load, right, duration);
}

/// Friction takes the sum of all levels, and all joints stick and slide together.
TEST(Restraints, OfASymmetricFourBarStickAndSlideTogether) {
  const char* right = "initial: {angle: 0.3}, friction: {coulomb: 0.5}";
  const Flight flight(parallelogram("2.5*sin(t)", right), {}, Flight::Expect::finish);
  ASSERT_GE(flight.events.size(), 9U);
  EXPECT_EQ(flight.events.size() % 3, 0U);
  EXPECT_NEAR(flight.events[0].t, std::asin(1.5 / 2.5), 1e-8);
  for (std::size_t k = 0; k < flight.events.size(); k += 3) {
    EXPECT_EQ(flight.events[k].t, flight.events[k + 1].t) << k;
    EXPECT_EQ(flight.events[k].t, flight.events[k + 2].t) << k;
  }
  // 2.5 sin(t) - 1.5 over the inertia of all about one axle: 2 (0.1 + 0.25) + 1
  const double t0 = flight.events[0].t, t = 1.5;
  EXPECT_NEAR(flight.at(t, "a.rate"), (2.5 * (std::cos(t0) - std::cos(t)) - 1.5 * (t - t0)) / 1.7, 1e-7);
  for (std::size_t k = 0; k < flight.time.size(); ++k) EXPECT_NEAR(flight["a.rate"][k], flight["b.rate"][k], 1e-8);
  expect_balanced(flight);
  EXPECT_TRUE(Flight(parallelogram("1.499", right), {}, Flight::Expect::finish).events.empty()) << "all three carry";
}

/// Where every joint of a loop has friction, none can be cut: a bar is, into halves that a weld joins. It breaks away
/// where the load is the sum of all four levels.
TEST(Restraints, OfALoopWithFrictionInEveryJointStickAndSlideTogether) {
  const Flight flight(R"yaml(gyrostat: 1
bodies:
  left: {mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1]}
  right: {mass: 0.5, com: [0, 0.5, 0], inertia: [0.05, 0.005, 0.05]}
  half: {mass: 0.5, com: [0, -0.5, 0], inertia: [0.05, 0.005, 0.05]}
  top: {mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}
joints:
  a: {type: revolute, parent: world, child: left, axis: [0, 0, 1], initial: {angle: 0.3}, torque: "2.5*sin(t)", friction: {coulomb: 0.5}}
  b: {type: revolute, parent: world, child: right, parent_point: [1, 0, 0], axis: [0, 0, 1], initial: {angle: 0.3}, friction: {coulomb: 0.5}}
  c: {type: revolute, parent: left, child: top, parent_point: [0, 1, 0], axis: [0, 0, 1], initial: {angle: -0.3}, friction: {coulomb: 0.5}}
  d: {type: revolute, parent: top, child: half, parent_point: [1, 0, 0], axis: [0, 0, 1], initial: {angle: 0.3}, friction: {coulomb: 0.5}}
  whole: {type: weld, parent: half, child: right, child_point: [0, 1, 0], cut: true}
simulation: {duration: 7, integrator: {method: dopri5, tolerance: 1e-10}}
output: {interval: 0.05, record: [a.rate, b.rate, c.rate, d.rate]}
)yaml",
                      {}, Flight::Expect::finish);
  ASSERT_GE(flight.events.size(), 12U);
  EXPECT_EQ(flight.events.size() % 4, 0U);
  const double t0 = std::asin(2.0 / 2.5), t = 1.5;
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(flight.events[k].t, t0, 1e-8) << flight.events[k].change.name;
  for (std::size_t k = 0; k < flight.events.size(); k += 4) EXPECT_EQ(flight.events[k].t, flight.events[k + 3].t) << k;
  // 2.5 sin(t) - 2 over the inertia of all about one axle: 2 (0.1 + 0.25) + 1
  const double rate = (2.5 * (std::cos(t0) - std::cos(t)) - 2 * (t - t0)) / 1.7;
  EXPECT_NEAR(flight.at(t, "a.rate"), rate, 1e-7);
  EXPECT_NEAR(flight.at(t, "d.rate"), rate, 1e-7);
  EXPECT_NEAR(flight.at(t, "c.rate"), -rate, 1e-7);
  for (const char* joint : {"joints.c", "joints.d"})
    EXPECT_NEAR(flight.work_of(joint), flight.work_of("joints.b"), 1e-8) << "equal levels at equal speeds";
  expect_balanced(flight);
}

std::vector<std::string> events_of(const Flight& flight) {
  std::vector<std::string> list;
  for (const RecordedEvent& event : flight.events) {
    if (event.change.name.find('.') != event.change.name.rfind('.')) continue;  // a condition of a latch
    list.push_back(fmt::format("{:.9g} {} {}", event.t, event.change.name, event.change.what));
  }
  return list;
}

/// The latch carries what friction does not: which of them carries how much is not determined, that all stands still
/// is.
TEST(Restraints, OfALoopThatALatchHoldsStickUntilItIsReleased) {
  const Flight flight(parallelogram("2.2", "initial: {angle: 0.3}, latch: {when: 't < 1', release: 't >= 3'}", 4.5), {},
                      Flight::Expect::finish);
  EXPECT_THAT(events_of(flight),
              ::testing::UnorderedElementsAre("3 joints.b released", "3 joints.a slides +", "3 joints.c slides -"));
  for (std::size_t k = 0; k < flight.time.size() && flight.time[k] <= 3; ++k) EXPECT_EQ(flight["a.rate"][k], 0);
  EXPECT_NEAR(flight.at(4, "a.rate"), (2.2 - 1) / 1.7, 1e-8);
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-8);
}

/// Nothing can move, whatever friction does, and rounding does not move it.
TEST(Restraints, OfALoopThatIsLockedStayWhereTheyAre) {
  for (const char* load : {"0", "2.2*sin(t)", "1e6*t"}) {
    SCOPED_TRACE(load);
    const Flight flight(parallelogram(load, "initial: {angle: 0.3}, locked: true"), {}, Flight::Expect::finish);
    EXPECT_TRUE(flight.events.empty()) << events_of(flight).front();
    EXPECT_EQ(flight.last("a.rate"), 0);
  }
}

/// A latch holds the loop, friction in it sticks, and an arm on it breaks away and stops: what cannot move, by whatever
/// force, is not decided upon by rounding.
TEST(Restraints, OfALoopThatIsHeldStayWhileAnArmOnItMoves) {
  std::size_t events = 0;
  for (const double level : {0.2, 0.7, 0.9}) {
    for (const char* hold : {"latch: {when: 't < 9'}", "locked: true", "friction: {coulomb: 50}"}) {
      for (const char* formulation : {"articulated_body", "composite_body", "kane", "absolute"}) {
        SCOPED_TRACE(fmt::format("{} {} {}", level, hold, formulation));
        const Flight flight(fmt::format(R"yaml(gyrostat: 1
bodies:
  left: {{mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1]}}
  right: {{mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1]}}
  top: {{mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}
  arm: {{mass: 1, com: [0.3, 0.1, 0], inertia: [0.02, 0.1, 0.1]}}
joints:
  a: {{type: revolute, parent: world, child: left, axis: [0, 0, 1], initial: {{angle: 0.3}}, {}}}
  b: {{type: revolute, parent: world, child: right, parent_point: [1, 0, 0], axis: [0, 0, 1], initial: {{angle: 0.3}}, friction: {{coulomb: 0.5}}, stops: {{low: -1, high: 0.31}}}}
  c: {{type: revolute, parent: left, child: top, parent_point: [0, 1, 0], axis: [0, 0, 1], initial: {{angle: -0.3}}, friction: {{coulomb: 0.5}}}}
  d: {{type: revolute, parent: top, child: right, parent_point: [1, 0, 0], child_point: [0, 1, 0], axis: [0, 0, 1], cut: true}}
  e: {{type: revolute, parent: top, child: arm, parent_point: [0.5, 0, 0], axis: [0, 0, 1], initial: {{angle: 0.1}}, torque: "1.5*cos(2*t)", friction: {{coulomb: {}}}}}
simulation: {{duration: 6, formulation: {}, integrator: {{method: dopri5, tolerance: 1e-8}}}}
output: {{interval: 0.1, record: [a.rate, b.rate, c.rate, e.rate]}}
)yaml",
                                        hold, level, formulation),
                            {}, Flight::Expect::finish);
        for (const char* joint : {"joints.a", "joints.b", "joints.c"})
          EXPECT_THAT(flight.changes_of(joint), ::testing::IsEmpty()) << joint;
        for (const char* rate : {"a.rate", "b.rate", "c.rate"}) EXPECT_NEAR(flight.last(rate), 0, 1e-12) << rate;
        events += flight.changes_of("joints.e").size();
        EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-6);
      }
    }
  }
  EXPECT_GT(events, 100U);
}

/// One joint rests on its stop as another of the loop latches: the impulse of the stop could move nothing, and rounding
/// is no speed towards it.
TEST(Restraints, OfALoopRestOnAStopWhenALatchCloses) {
  for (const char* method : {"dopri5, tolerance: 1e-8", "cvode_adams, tolerance: 1e-8", "cvode_bdf, tolerance: 1e-8"}) {
    for (const char* formulation : {"articulated_body", "composite_body", "kane", "absolute"}) {
      SCOPED_TRACE(fmt::format("{} {}", method, formulation));
      const Flight flight(fmt::format(R"yaml(gyrostat: 1
bodies:
  bus: {{mass: 20, inertia: [4, 5, 6]}}
  left: {{mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1]}}
  right: {{mass: 0.93, com: [0, 0.5, 0], inertia: [0.1, 0.01, 0.1]}}
  top: {{mass: 2.57, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1]}}
  arm: {{mass: 2.45, com: [0.3, 0.1, 0], inertia: [0.02, 0.1, 0.1]}}
joints:
  base: {{type: free, parent: world, child: bus}}
  a: {{type: revolute, parent: bus, child: left, axis: [0, 0, 1], initial: {{angle: 0.3}}, torque: "2.45*sin(0.60*t)", damping: 0.01}}
  b: {{type: revolute, parent: bus, child: right, parent_point: [1, 0, 0], axis: [0, 0, 1], initial: {{angle: 0.3}}, friction: {{coulomb: 0.466, static: 0.623}}, stops: {{low: -0.60, high: 0.77, restitution: 0.50}}}}
  c: {{type: revolute, parent: left, child: top, parent_point: [0, 1, 0], axis: [0, 0, 1], initial: {{angle: -0.3}}, friction: {{coulomb: 0.217, static: 0.229}}, latch: {{when: 't > 3.23', release: 't > 3.68'}}}}
  d: {{type: revolute, parent: top, child: right, parent_point: [1, 0, 0], child_point: [0, 1, 0], axis: [0, 0, 1], cut: true}}
  e: {{type: revolute, parent: top, child: arm, parent_point: [0.5, 0, 0], axis: [0, 0, 1], initial: {{angle: 0.1}}, torque: "1.85*cos(1.85*t)", friction: {{coulomb: 0.811, static: 0.844, stribeck: 0.169}}, latch: {{when: 't > 3.68', release: 't > 4.16'}}}}
simulation: {{duration: 3.6, formulation: {}, integrator: {{method: {}}}}}
output: {{interval: 0.1, record: [a.rate, b.angle, b.rate, c.rate]}}
)yaml",
                                      formulation, method),
                          {}, Flight::Expect::finish);
      EXPECT_EQ(flight.changes_of("joints.b").back(), "rests on its high stop");
      EXPECT_EQ(flight.changes_of("joints.c").back(), "latched");
      EXPECT_NEAR(flight.last("b.angle"), 0.77, 1e-6);
      for (const char* rate : {"a.rate", "b.rate", "c.rate"}) EXPECT_NEAR(flight.last(rate), 0, 1e-7) << rate;
      EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-6);
    }
  }
}

/// What a drive moves stands for an instant where it turns back, and no friction holds it there.
TEST(Restraints, OfALoopThatIsDrivenTurnBackWithIt) {
  const Flight flight(parallelogram("0", "prescribed: {position: '0.3 + 0.2*(1 - cos(2*t))'}"), {},
                      Flight::Expect::finish);
  const double half = std::numbers::pi / 2;
  ASSERT_EQ(flight.events.size(), 8U);
  for (std::size_t k = 0; k < 8; ++k) {
    EXPECT_NEAR(flight.events[k].t, half * static_cast<double>(1 + k / 2), 1e-8);
    const bool at_a = flight.events[k].change.name == "joints.a", forward = k / 2 % 2 == 1;
    EXPECT_EQ(flight.events[k].change.what, at_a == forward ? "slides +" : "slides -");
  }
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-8);
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
