// Dry friction whose level is proportional to the reaction of its joint: against closed forms, direct solutions, and
// the reactions that are computed apart.
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/plant/batch.h"

#include "support/flight.h"

namespace gyrostat::testing {
namespace reaction_friction_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr double g = 9.81;

void expect_balanced(const Flight& flight, double within = 1e-8) {
  const Ledger& ledger = flight.simulation.ledger();
  EXPECT_LT(ledger.energy.relative(), within);
  EXPECT_LT(ledger.momentum.relative(), within);
  EXPECT_LT(ledger.angular_momentum.relative(), within);
  EXPECT_LT(ledger.accelerations, 1e-10);
}

/// A block of 2 kg on an incline that falls in the direction of x.
std::string incline(double angle, const std::string& fields, const std::string& method = "dopri5, tolerance: 1e-11",
                    const std::string& formulation = "articulated_body") {
  return fmt::format(R"(gyrostat: 1
bodies: {{block: {{mass: 2, com: [0.1, 0.2, 0.3], inertia: [1, 1, 1]}}}}
joints: {{slope: {{type: prismatic, parent: world, child: block, axis: [{}, 0, {}], {}}}}}
environment: {{gravity: {{uniform: [0, 0, -{}]}}}}
simulation: {{duration: 2, formulation: {}, integrator: {{method: {}}}}}
output: {{interval: 0.25, record: [slope.displacement, slope.speed]}}
)",
                     std::cos(angle), -std::sin(angle), fields, g, formulation, method);
}

TEST(ReactionFriction, OfABlockOnAnIncline) {
  const double angle = 0.6, mu = 0.3, a = g * (std::sin(angle) - mu * std::cos(angle));
  const std::string fields = "friction: {reaction: {coefficient: 0.3, static: 0.5}}";
  for (const char* method : {"dopri5, tolerance: 1e-11", "cvode_adams, tolerance: 1e-11", "cvode_bdf, tolerance: 1e-11",
                             "rk4, step: 0.03"}) {
    SCOPED_TRACE(method);
    const Flight flight(incline(angle, fields, method), {}, Flight::Expect::finish);
    EXPECT_NEAR(flight.last("slope.displacement"), a * 4 / 2, 1e-8);
    EXPECT_NEAR(flight.work_of("joints.slope"), -mu * 2 * g * std::cos(angle) * a * 2, 1e-7);
    expect_balanced(flight);
  }
  for (const char* formulation : {"composite_body", "kane", "nested_body", "absolute", "mixed"}) {
    SCOPED_TRACE(formulation);
    const Flight flight(incline(angle, fields, "dopri5, tolerance: 1e-11", formulation), {}, Flight::Expect::finish);
    EXPECT_NEAR(flight.last("slope.displacement"), a * 4 / 2, 1e-10);
    expect_balanced(flight);
  }
}

TEST(ReactionFriction, HoldsABlockWhereTheTangentIsBelowTheStaticCoefficient) {
  const std::string fields = "friction: {reaction: {coefficient: 0.3, static: 0.5}}";
  const double steepest = std::atan(0.5);
  const Flight holds(incline(steepest - 1e-6, fields), {}, Flight::Expect::finish);
  EXPECT_EQ(holds.last("slope.speed"), 0);
  EXPECT_NEAR(holds.last("driving/slope.speed"), -2 * g * std::sin(steepest), 1e-4);
  const Flight slides(incline(steepest + 1e-6, fields), {}, Flight::Expect::finish);
  EXPECT_NEAR(slides.last("slope.speed"), 2 * g * (std::sin(steepest) - 0.3 * std::cos(steepest)), 1e-4);
}

TEST(ReactionFriction, OfABlockThatIsThrownUpTheIncline) {  // up, and back or not
  const double angle = 0.5, v = 3, up = g * (std::sin(angle) + 0.3 * std::cos(angle));
  const auto text = [&](double holds) {
    return incline(angle, fmt::format("initial: {{speed: -{}}}, friction: {{reaction: {{coefficient: 0.3, static: "
                                      "{}}}}}",
                                      v, holds));
  };
  const Flight stays(text(0.6), {}, Flight::Expect::finish), returns(text(0.5), {}, Flight::Expect::finish);
  EXPECT_THAT(stays.changes_of("joints.slope"), ElementsAre("sticks"));
  EXPECT_NEAR(stays.events.at(0).t, v / up, 1e-9);
  EXPECT_NEAR(stays.last("slope.displacement"), -v * v / (2 * up), 1e-9);
  EXPECT_THAT(returns.changes_of("joints.slope"), ElementsAre("slides +"));
  const double left = 2 - v / up, down = g * (std::sin(angle) - 0.3 * std::cos(angle));
  EXPECT_NEAR(returns.last("slope.speed"), down * left, 1e-8);
  expect_balanced(stays);
  expect_balanced(returns);
}

TEST(ReactionFriction, IsAddedToAPreloadAndAViscousPart) {  // 2 u' = 2 g sin - (1 + mu 2 g cos) - 0.5 u
  const double angle = 0.6, constant = 2 * g * std::sin(angle) - 1 - 0.3 * 2 * g * std::cos(angle);
  const Flight flight(incline(angle, "friction: {coulomb: 1, viscous: 0.5, reaction: {coefficient: 0.3}}"), {},
                      Flight::Expect::finish);
  EXPECT_NEAR(flight.last("slope.speed"), constant / 0.5 * (1 - std::exp(-0.5 * 2 / 2)), 1e-9);
  expect_balanced(flight);
}

TEST(ReactionFriction, FallsWithTheSpeedAsStribeckSays) {  // a steady speed: the force is that of the level
  const double u = 0.7, mu = 0.2 + (0.5 - 0.2) * std::exp(-(u / 0.5) * (u / 0.5));
  const Flight flight(fmt::format(R"(gyrostat: 1
bodies: {{block: {{mass: 2, inertia: [1, 1, 1]}}}}
joints: {{rail: {{type: prismatic, parent: world, child: block, axis: [1, 0, 0], initial: {{speed: {}}}, torque: {},
  friction: {{coulomb: 1, static: 2, stribeck: 0.5, viscous: 20, reaction: {{coefficient: 0.2, static: 0.5}}}}}}}}
environment: {{gravity: {{uniform: [0, 0, -{}]}}}}
simulation: {{duration: 2, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 1, record: [rail.speed]}}
)",
                                  u, 1 + std::exp(-(u / 0.5) * (u / 0.5)) + mu * 2 * g + 20 * u, g),
                      {}, Flight::Expect::finish);
  EXPECT_NEAR(flight.last("rail.speed"), u, 1e-10);
}

/// Pushed along its rail by F and across it by Q (1 + sin(w t) / 2).
TEST(ReactionFriction, OfASliderThatIsPushedSideways) {
  const double F = 6, Q = 5, w = 3, mu = 0.4, m = 2, T = 2;
  const Flight flight(fmt::format(R"yaml(gyrostat: 1
bodies: {{slider: {{mass: {}, inertia: [1, 1, 1]}}}}
joints: {{rail: {{type: prismatic, parent: world, child: slider, axis: [1, 0, 0], friction: {{reaction: {{coefficient: {}}}}}}}}}
loads: [{{body: slider, force: [{}, "3*(1 + 0.5*sin({}*t))", "-4*(1 + 0.5*sin({}*t))"]}}]
simulation: {{duration: {}, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.1, record: [rail.speed]}}
)yaml",
                                  m, mu, F, w, w, T),
                      {}, Flight::Expect::finish);
  for (std::size_t k = 0; k < flight.time.size(); ++k) {
    const double t = flight.time[k];
    EXPECT_NEAR(flight["rail.speed"][k], (F * t - mu * Q * (t + 0.5 * (1 - std::cos(w * t)) / w)) / m, 1e-9);
  }
  expect_balanced(flight);
}

/// A sleeve on a boom that turns at w: r'' = w^2 r - mu |2 w r'|, since the Coriolis force presses it onto the boom.
TEST(ReactionFriction, OfASleeveOnATurningBoom) {
  const double w = 0.5, mu = 0.4, r0 = 0.2, root = w * std::sqrt(mu * mu + 1);
  const double slow = -mu * w + root, fast = -mu * w - root;
  const auto distance = [&](double t) {
    return r0 * (slow * std::exp(fast * t) - fast * std::exp(slow * t)) / (slow - fast);
  };
  for (const char* formulation : {"articulated_body", "composite_body", "nested_body", "absolute", "kane"}) {
    SCOPED_TRACE(formulation);
    const Flight flight(fmt::format(R"yaml(gyrostat: 1
bodies: {{boom: {{mass: 12, inertia: [0.1, 40, 40]}}, sleeve: {{mass: 3, inertia: [0.02, 0.02, 0.02]}}}}
joints:
  turn: {{type: revolute, parent: world, child: boom, axis: [0, 0, 1], prescribed: {{position: {}*t}}}}
  slide: {{type: prismatic, parent: boom, child: sleeve, axis: [1, 0, 0], initial: {{displacement: {}}}, friction: {{reaction: {{coefficient: {}}}}}}}
simulation: {{duration: 6, formulation: {}, integrator: {{method: dopri5, tolerance: 1e-12}}}}
output: {{interval: 0.5, record: [slide.displacement]}}
)yaml",
                                    w, r0, mu, formulation),
                        {}, Flight::Expect::finish);
    for (std::size_t k = 0; k < flight.time.size(); ++k)
      EXPECT_NEAR(flight["slide.displacement"][k], distance(flight.time[k]), 1e-9) << "at " << flight.time[k];
    expect_balanced(flight);
  }
}

TEST(ReactionFriction, LetsGoWhereWhatPressesTheJointIsTooLittle) {  // 0.5 (4 - t) = 1 at t = 2
  const Flight flight(R"(gyrostat: 1
bodies: {slider: {mass: 2, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, parent: world, child: slider, axis: [1, 0, 0], torque: 1, friction: {reaction: {coefficient: 0.2, static: 0.5}}}}
loads: [{body: slider, force: [0, "4 - t", 0]}]
simulation: {duration: 3, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.5, record: [rail.speed]}
)",
                      {}, Flight::Expect::finish);
  EXPECT_THAT(flight.changes_of("joints.rail"), ElementsAre("slides +"));
  EXPECT_NEAR(flight.events.at(0).t, 2, 1e-8);
  EXPECT_NEAR(flight.last("rail.speed"), (1 - 0.2 * 1.5) / 2, 1e-8);
  expect_balanced(flight);
}

// --- joints that turn ------------------------------------------------------------------------------------------------

/// m of inertia I about its mass centre, at L from a journal of radius r: the scalar equation of its acceleration,
/// solved by bisection.
struct Journal {
  double m = 3, L = 0.8, I = 0.2, mu = 0.25, r = 0.1;

  [[nodiscard]] double acceleration(double angle, double rate) const {
    const double s = rate > 0 ? 1 : -1;
    const auto error = [&](double a) {
      const double along = m * (L * rate * rate + g * std::cos(angle)), across = m * (L * a + g * std::sin(angle));
      return (I + m * L * L) * a + m * g * L * std::sin(angle) + s * mu * r * std::hypot(along, across);
    };
    double low = -1e3, high = 1e3;
    for (int k = 0; k < 200; ++k) {
      const double middle = (low + high) / 2;
      (error(middle) < 0 ? low : high) = middle;
    }
    return (low + high) / 2;
  }
};

TEST(ReactionFriction, OfAPendulumInAJournal) {
  const Journal of;
  const Flight flight(fmt::format(R"(gyrostat: 1
bodies: {{bob: {{mass: {}, com: [0, 0, -{}], inertia: [{}, {}, 0.1]}}}}
joints: {{axle: {{type: revolute, parent: world, child: bob, axis: [0, 1, 0], initial: {{angle: 1.2, rate: -0.5}},
  friction: {{reaction: {{coefficient: {}, radius: {}}}}}}}}}
environment: {{gravity: {{uniform: [0, 0, -{}]}}}}
simulation: {{duration: 0.8, integrator: {{method: dopri5, tolerance: 1e-12}}}}
output: {{interval: 0.1, record: [axle.angle, axle.rate]}}
)",
                                  of.m, of.L, of.I, of.I, of.mu, of.r, g),
                      {}, Flight::Expect::finish);
  ASSERT_TRUE(flight.events.empty());
  double angle = 1.2, rate = -0.5;
  const int steps = 200;
  const double h = 0.1 / steps;
  for (std::size_t k = 0; k < flight.time.size(); ++k) {
    EXPECT_NEAR(flight["axle.angle"][k], angle, 1e-10);
    EXPECT_NEAR(flight["axle.rate"][k], rate, 1e-10);
    for (int i = 0; i < steps; ++i) {
      const double k1 = rate, l1 = of.acceleration(angle, rate);
      const double k2 = rate + h / 2 * l1, l2 = of.acceleration(angle + h / 2 * k1, k2);
      const double k3 = rate + h / 2 * l2, l3 = of.acceleration(angle + h / 2 * k2, k3);
      const double k4 = rate + h * l3, l4 = of.acceleration(angle + h * k3, k4);
      angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
      rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
    }
  }
  expect_balanced(flight);
}

/// Swings until it sticks, where friction can hold it: |m g L sin(angle)| <= mu r m g.
TEST(ReactionFriction, OfAPendulumThatComesToRest) {
  const Flight flight(R"(gyrostat: 1
bodies: {bob: {mass: 3, com: [0, 0, -0.8], inertia: [0.2, 0.2, 0.1]}}
joints: {axle: {type: revolute, parent: world, child: bob, axis: [0, 1, 0], initial: {angle: 1.2}, friction: {reaction: {coefficient: 0.25, radius: 0.1}}}}
environment: {gravity: {uniform: [0, 0, -9.81]}}
simulation: {duration: 40, integrator: {method: dopri5, tolerance: 1e-10}}
output: {interval: 1, record: [axle.angle, axle.rate]}
)",
                      {}, Flight::Expect::finish);
  EXPECT_EQ(flight.last("axle.rate"), 0);
  EXPECT_LE(std::abs(0.8 * std::sin(flight.last("axle.angle"))), 0.25 * 0.1);
  EXPECT_EQ(flight.events.back().change.what, "sticks");
  EXPECT_GT(flight.events.size(), 10U);
  expect_balanced(flight, 1e-7);
}

/// Does a model, at its start, and forces of friction that are given to the same model as motors.
std::string double_pendulum(const std::string& first, const std::string& second) {
  return fmt::format(R"(gyrostat: 1
bodies: {{a: {{mass: 2, com: [0.1, 0, -0.5], inertia: [0.2, 0.2, 0.1]}}, b: {{mass: 1, com: [0, 0.1, -0.4], inertia: [0.1, 0.1, 0.1]}}}}
joints:
  p: {{type: revolute, parent: world, child: a, axis: [0, 1, 0], initial: {{angle: 0.7, rate: 1.1}}, {}}}
  q: {{type: prismatic, parent: a, child: b, parent_point: [0, 0, -1], axis: [0.6, 0.3, 1], initial: {{displacement: 0.1, speed: -0.9}}, {}}}
environment: {{gravity: {{uniform: [0, 0, -9.81]}}}}
simulation: {{duration: 1}}
)",
                     first, second);
}

struct AtStart {
  Loaded loaded;
  Plant plant;
  PlantRun run;
  Eigen::VectorXd y, ydot;

  explicit AtStart(const std::string& text, std::string_view formulation = "articulated_body")
      : loaded(load(text)), plant(checked(loaded), formulation), run(plant) {
    run.start(y);
    ydot.resize(y.size());
    run.derivative(0, y.data(), ydot.data());
  }
  static const Model& checked(const Loaded& l) {
    if (!l.model) throw std::runtime_error(problems_of(l));
    return *l.model;
  }

  /// What the joint transmits across its axis, from the reactions that are reported: child axes.
  double across(const std::string& name) {
    const std::uint32_t body = *plant.system().index.joints.find(name);
    const Joint& joint = plant.system().joints[body];
    const Vector3 along = joint.R_0.transpose() * (joint.rotations == 1 ? joint.a[0] : joint.d[0]);
    const Vector3 force = run.reactions().joints[body].force;
    return (force - along.dot(force) * along).norm();
  }
  double udot(const std::string& name) {
    return run.udot()[plant.system().joints[*plant.system().index.joints.find(name)].u];
  }
};

TEST(ReactionFriction, OfTwoCoupledJointsAgainstADirectSolution) {
  const double mu = 0.5, r = 0.15, nu = 0.6;
  AtStart both(double_pendulum("friction: {reaction: {coefficient: 0.5, radius: 0.15}}",
                               "friction: {reaction: {coefficient: 0.6}}"));
  double f = 0, h = 0;  // by repeated solution of the model without friction, with these as motors
  for (int pass = 0; pass < 100; ++pass) {
    AtStart with(double_pendulum(fmt::format("torque: {:.17g}", -f), fmt::format("torque: {:.17g}", h)));
    f = mu * r * with.across("p");
    h = nu * with.across("q");
    if (pass < 99) continue;
    EXPECT_NEAR(both.udot("p"), with.udot("p"), 1e-11);
    EXPECT_NEAR(both.udot("q"), with.udot("q"), 1e-11);
  }
  AtStart none(double_pendulum("damping: 0", "damping: 0"));
  EXPECT_GT(std::abs(both.udot("p") - none.udot("p")), 0.05) << "friction matters";
  EXPECT_GT(std::abs(both.udot("q") - none.udot("q")), 0.5);
}

// --- random systems --------------------------------------------------------------------------------------------------

struct RandomFriction {
  std::string text;
  std::vector<double> coefficients;  // times the radius
  std::size_t joints = 0;

  /// `every_other_sticks`: the joints with even numbers stand still, and hold whatever comes.
  RandomFriction(unsigned seed, const std::string& formulation, double largest = 0.3, bool every_other_sticks = false) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> any(-1, 1), positive(0.2, 1);
    text = "gyrostat: 1\nbodies:\n  b0: {mass: 5, inertia: [3, 4, 5], com: [0.1, -0.1, 0.2]}\n";
    std::string list = "joints:\n  base: {type: free, parent: world, child: b0, initial: {omega: [0.5, 0.4, -0.6]}}\n";
    joints = 2 + seed % 4;
    for (std::size_t i = 1; i <= joints; ++i) {
      const double m = positive(random);
      const double com_y = any(random), com_x = any(random);
      text += fmt::format("  b{}: {{mass: {:.3f}, inertia: [{:.3f}, {:.3f}, {:.3f}], com: [{:.3f}, {:.3f}, 0.1]}}\n", i,
                          m, 0.3 * m, 0.4 * m, 0.5 * m, com_x, com_y);
      const bool turns = random() % 3 != 0, sticks = every_other_sticks && i % 2 == 0;
      const double coefficient = largest * positive(random), radius = turns ? 0.2 : 1;
      coefficients.push_back(coefficient * radius);
      const double frequency = 2 + any(random), torque = 0.6 * any(random), speed = sticks ? 0 : any(random);
      std::array<double, 5> place{};  // the point, and two components of the axis
      for (std::size_t k = place.size(); k-- > 0;) place[k] = any(random);
      const auto parent = random() % static_cast<unsigned>(i);
      list += fmt::format(
          "  j{0}: {{type: {1}, parent: b{2}, child: b{0}, parent_point: [{3:.3f}, {4:.3f}, {5:.3f}], axis: "
          "[{6:.3f}, {7:.3f}, 1], initial: {{{8}: {9:.3f}}}, torque: '{10:.3f}*sin({11:.3f}*t)', friction: {{coulomb: "
          "{12}, viscous: 0.02, reaction: {{coefficient: {13:.17g}, static: {14:.17g}{15}}}}}}}\n",
          i, turns ? "revolute" : "prismatic", parent, place[0], place[1], place[2], place[3], place[4],
          turns ? "rate" : "speed", speed, torque, frequency,
          sticks       ? 1e3
          : i % 2 == 0 ? 0.01
                       : 0,
          coefficient, 1.3 * coefficient, turns ? ", radius: 0.2" : "");
    }
    text += list;
    text += "loads: [{body: b1, force: [1, -2, 1.5], axes: world}]\n";
    text += fmt::format(
        "simulation: {{duration: 2, formulation: {}, integrator: {{method: dopri5, tolerance: 1e-10}}}}\noutput: "
        "{{interval: 0.5}}\n",
        formulation);
  }
};

TEST(ReactionFriction, OfRandomSystemsIsTheCoefficientTimesTheReaction) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const RandomFriction random(seed, "articulated_body", 0.5);
    AtStart at(random.text);
    ASSERT_TRUE(at.ydot.allFinite());
    for (std::size_t i = 1; i <= random.joints; ++i) {
      const double expected = random.coefficients[i - 1] * at.across(fmt::format("j{}", i));
      EXPECT_GT(expected, 1e-3);
      EXPECT_NEAR(at.run.data().friction.levels[i - 1], expected, 1e-12 * (1 + expected));
    }
    for (const char* formulation : {"composite_body", "kane", "nested_body", "augmented_body", "absolute"}) {
      if (!outside_domain(formulation, at.plant.system(), at.plant.settings()).empty()) continue;  // it only turns
      AtStart other(random.text, formulation);
      EXPECT_LT((at.ydot - other.ydot).cwiseAbs().maxCoeff(), 1e-10 * (1 + at.ydot.cwiseAbs().maxCoeff()))
          << formulation;
    }
  }
}

TEST(ReactionFriction, OfRandomSystemsAccountsForTheEnergy) {
  std::size_t events = 0;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    const char* formulation = std::array{"articulated_body", "composite_body", "nested_body", "absolute"}[seed % 4];
    const Flight flight(RandomFriction(seed, formulation).text, {}, Flight::Expect::finish);
    events += flight.events.size();
    expect_balanced(flight, 1e-6);
    for (const OutputColumn& column : flight.simulation.columns()) {
      if (column.name.starts_with("ledger")) continue;
      EXPECT_TRUE(std::isfinite(flight.last(column.name))) << column.name;
    }
  }
  EXPECT_GT(events, 30U);
}

TEST(ReactionFriction, HasExactDerivatives) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const bool some_stick = seed > 30;
    AtStart at(RandomFriction(seed, "articulated_body", 0.5, some_stick).text);
    const std::vector<std::int8_t>& sliding = at.run.discrete().sliding;
    ASSERT_EQ(std::ranges::count(sliding, 0) > 0, some_stick);
    const Eigen::Index n = at.y.size();
    Eigen::MatrixXd J(n, n), differences(n, n);
    at.run.jacobian(0.3, at.y.data(), J.data());
    const auto rates = [&](Eigen::Index k, double by) {
      Eigen::VectorXd y = at.y, ydot(n);
      y[k] += by;
      at.run.derivative(0.3, y.data(), ydot.data());
      return ydot;
    };
    for (Eigen::Index k = 0; k < n; ++k) {
      const double h = 2e-4;
      differences.col(k) = (8 * (rates(k, h) - rates(k, -h)) - (rates(k, 2 * h) - rates(k, -2 * h))) / (12 * h);
    }
    EXPECT_LT((J - differences).cwiseAbs().maxCoeff() / (1 + J.cwiseAbs().maxCoeff()), 1e-8);
  }
}

TEST(ReactionFriction, InPacksIsThatOfEachAlone) {
  const std::size_t lanes = PlantBatch::lanes();
  std::vector<std::unique_ptr<AtStart>> all;
  std::vector<const Plant*> plants;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    std::string text = double_pendulum(
        fmt::format("friction: {{reaction: {{coefficient: {}, static: 0.9, radius: 0.15}}}}",
                    0.1 + 0.05 * double(lane)),
        fmt::format("friction: {{coulomb: 0.5, static: 4, stribeck: {}, reaction: {{coefficient: 0.6, static: 0.7}}}}",
                    0.3 + 0.1 * double(lane)));
    all.push_back(std::make_unique<AtStart>(text));
    plants.push_back(&all.back()->plant);
  }
  PlantBatch batch(plants);
  const std::size_t size = plants[0]->size();
  std::vector<double> t(lanes, 0.0), y(lanes * size), ydot(lanes * size);
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    batch.set_discrete(lane, all[lane]->run.discrete());
    for (std::size_t k = 0; k < size; ++k) y[k * lanes + lane] = all[lane]->y[static_cast<Eigen::Index>(k)];
  }
  batch.derivative(t.data(), y.data(), ydot.data());
  const std::vector<double> first = ydot;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t k = 0; k < size; ++k) {
      const double alone = all[lane]->ydot[static_cast<Eigen::Index>(k)];
      EXPECT_NEAR(ydot[k * lanes + lane], alone, 1e-12 * (1 + std::abs(alone))) << lane << ", " << k;
    }
  }
  for (std::size_t k = 0; k < size; ++k) y[k * lanes + 1] *= 1.5;  // another lane: no bit of the others changes
  batch.derivative(t.data(), y.data(), ydot.data());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    for (std::size_t k = 0; k < size && lane != 1; ++k) EXPECT_EQ(ydot[k * lanes + lane], first[k * lanes + lane]);
  }
}

TEST(ReactionFriction, WithoutAnyReactionIsNone) {
  AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}}
joints: {base: {}, j: {type: prismatic, parent: a, child: b, axis: [1, 0, 0], initial: {speed: 1}, friction: {reaction: {coefficient: 0.5}}}}
simulation: {duration: 1}
)");
  EXPECT_EQ(at.udot("j"), 0);
  Eigen::MatrixXd J(at.y.size(), at.y.size());
  at.run.jacobian(0, at.y.data(), J.data());
  EXPECT_TRUE(J.allFinite());
}

TEST(ReactionFriction, IsInCheckpoints) {
  const std::string text = incline(0.2, "torque: '20*sin(9*t)', friction: {reaction: {coefficient: 0.3, static: 0.5}}");
  const auto often = [](RunSettings& s) { s.checkpoint_interval = 0.3; };
  const Flight whole(text, often, Flight::Expect::finish);
  ASSERT_GT(whole.events.size(), 4U);
  for (const auto& [t, bytes] : whole.checkpoints) {
    Flight again(text, often, Flight::Expect::finish);
    again.rows.clear();
    again.simulation.resume(bytes, again);
    EXPECT_EQ(again.rows.back(), whole.rows.back()) << "from " << t;
  }
}

/// A rod on a light slider: friction at the slider turns the rod, and that changes what presses on the rail. At its
/// steepest, 3/4 of the friction returns as reaction: a coefficient above 4/3 may have no solution or two.
std::string rod(double coefficient, double angle, double rate) {
  return fmt::format(R"(gyrostat: 1
bodies: {{slider: {{mass: 0.001, point_mass: true}}, rod: {{mass: 1, com: [0.5, 0, 0], inertia: [0.001, 0.0833333, 0.0833333]}}}}
joints:
  rail: {{type: prismatic, parent: world, child: slider, axis: [1, 0, 0], initial: {{speed: 1}}, friction: {{reaction: {{coefficient: {}}}}}}}
  pin: {{type: revolute, parent: slider, child: rod, axis: [0, 0, 1], initial: {{angle: {}, rate: {}}}}}
environment: {{gravity: {{uniform: [0, -9.81, 0]}}}}
simulation: {{duration: 1, integrator: {{method: dopri5, tolerance: 1e-9}}}}
)",
                     coefficient, angle, rate);
}

TEST(ReactionFriction, WithoutAConsistentLevelEndsTheRun) {
  const Flight at_once(rod(2, std::atan(2.0), 0));
  EXPECT_EQ(at_once.outcome.kind, gyrostat::Outcome::Kind::failed);
  EXPECT_EQ(at_once.outcome.t, 0);
  EXPECT_THAT(at_once.outcome.failure,
              HasSubstr("the friction of joints.rail is proportional to its reaction, and no level or several are "
                        "consistent with it here (Painleve's case): of each unit of friction 1.5 return by way of the "
                        "reactions; friction.reaction.coefficient is too large for this configuration"));
  const Flight later(rod(2, 1.5, -1));
  EXPECT_EQ(later.outcome.kind, gyrostat::Outcome::Kind::failed);
  EXPECT_GT(later.outcome.t, 0.1);
  EXPECT_THAT(later.outcome.failure, HasSubstr("Painleve"));
  const Flight never(rod(1.2, 1.5, -1));
  EXPECT_EQ(never.outcome.kind, gyrostat::Outcome::Kind::finished) << never.outcome.failure;
}

TEST(ReactionFriction, IsNotForTheIntegratorIda) {
  const Loaded loaded = load(incline(0.6, "friction: {reaction: {coefficient: 0.3}}", "ida, tolerance: 1e-9"));
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  EXPECT_THAT(error_of_run(*loaded.model, RunSettings(*loaded.model)),
              HasSubstr("joints.slope.friction.reaction: integrator ida has no friction by reaction"));
}

}  // namespace reaction_friction_test
}  // namespace gyrostat::testing
