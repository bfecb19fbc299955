// Runs under constraints: drives, gears, assembly, projection, events, checkpoints.
#include <numbers>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace loops_test {

using ::testing::HasSubstr;

constexpr double crank_length = 0.5, rod_length = 1;

/// A slider-crank, its loop closed to a tenth of a millimetre.
std::string slider_crank(const std::string& more, const std::string& crank = "") {
  return fmt::format(R"yaml(gyrostat: 1
bodies:
  crank: {{mass: 1, com: [0.25, 0, 0], inertia: [0.001, 0.02, 0.02]}}
  rod: {{mass: 2, com: [0.5, 0, 0], inertia: [0.002, 0.2, 0.2]}}
  slider: {{mass: 3, inertia: [0.01, 0.01, 0.01]}}
joints:
  a: {{type: revolute, parent: world, child: crank, axis: [0, 0, 1], initial: {{angle: 30 deg}}{}}}
  b: {{type: revolute, parent: crank, child: rod, parent_point: [0.5, 0, 0], axis: [0, 0, 1], initial: {{angle: -44.47 deg}}}}
  c: {{type: revolute, parent: rod, child: slider, parent_point: [1, 0, 0], axis: [0, 0, 1]}}
  d: {{type: prismatic, parent: world, child: slider, axis: [1, 0, 0], initial: {{displacement: 1.4012}}}}
{})yaml",
                     crank, more);
}

double slider_at(double angle) {
  const double across = crank_length * std::sin(angle);
  return crank_length * std::cos(angle) + std::sqrt(rod_length * rod_length - across * across);
}

TEST(Drive, MovesASliderAsTheCrankSaysAndItsWorkIsInTheLedger) {
  for (const char* method : {"dopri5", "cvode_adams", "cvode_bdf"}) {
    SCOPED_TRACE(method);
    const Flight flight(slider_crank(fmt::format(R"yaml(constraints:
  motor: {{coordinate: a.angle, equals: "pi/6 + 2*pi*t + 0.3*sin(3*t)"}}
simulation: {{duration: 3, integrator: {{method: {}, tolerance: 1e-10}}}}
output: {{interval: 0.1, record: [d.displacement, a.angle, system.energy], reactions: [motor, c]}})yaml",
                                                 method)),
                        {}, Flight::Expect::finish);
    for (std::size_t k = 0; k < flight.time.size(); ++k) {
      const double t = flight.time[k], angle = std::numbers::pi / 6 + 2 * std::numbers::pi * t + 0.3 * std::sin(3 * t);
      EXPECT_NEAR(flight.rows[k][flight.column("a.angle")], angle, 1e-8) << t;
      EXPECT_NEAR(flight.rows[k][flight.column("d.displacement")], slider_at(angle), 1e-8) << t;
    }
    const Ledger& ledger = flight.simulation.ledger();
    EXPECT_LT(ledger.energy.relative(), 1e-6);
    EXPECT_LT(ledger.violation.position, 1e-12);
    const auto motor = std::ranges::find(ledger.sources, "constraints.motor");
    ASSERT_NE(motor, ledger.sources.end());
    const double work = ledger.work[static_cast<std::size_t>(motor - ledger.sources.begin())];
    const double gained =
        flight.rows.back()[flight.column("system.energy")] - flight.rows.front()[flight.column("system.energy")];
    EXPECT_NEAR(work, gained, 1e-6 * (1 + ledger.energy.scale)) << "no other force does work";
  }
}

/// IDA keeps constraints within its tolerance, without a projection.
TEST(Ida, MovesASliderAsTheCrankSays) {
  const Flight flight(slider_crank(R"yaml(constraints:
  motor: {coordinate: a.angle, equals: "pi/6 + 2*pi*t + 0.3*sin(3*t)"}
simulation: {duration: 3, integrator: {method: ida, tolerance: 1e-10}}
output: {interval: 0.1, record: [d.displacement, a.angle, system.energy]})yaml"),
                      {}, Flight::Expect::finish);
  for (std::size_t k = 0; k < flight.time.size(); ++k) {
    const double t = flight.time[k], angle = std::numbers::pi / 6 + 2 * std::numbers::pi * t + 0.3 * std::sin(3 * t);
    EXPECT_NEAR(flight.rows[k][flight.column("d.displacement")], slider_at(angle), 1e-7) << t;
  }
  const Ledger& ledger = flight.simulation.ledger();
  EXPECT_LT(ledger.energy.relative(), 1e-6);
  EXPECT_LT(ledger.violation.position, 1e-9);
  EXPECT_GT(ledger.violation.position, 0) << "nothing is projected";
}

/// Multipliers and pivots are known whatever the formulation: the drive's work is counted, nothing is called singular.
TEST(Drive, WorksTheSameWithEveryFormulation) {
  double first = 0;
  for (const char* formulation : {"articulated_body", "composite_body", "kane", "absolute", "mixed"}) {
    SCOPED_TRACE(formulation);
    const Flight flight(slider_crank(fmt::format(R"yaml(constraints:
  motor: {{coordinate: a.angle, equals: "pi/6 + 2*t^2"}}
simulation: {{duration: 1, formulation: {}, integrator: {{method: dopri5, tolerance: 1e-9}}}}
output: {{interval: 0.1, record: [d.displacement], reactions: [motor, c]}})yaml",
                                                 formulation)),
                        {}, Flight::Expect::finish);
    const Ledger& ledger = flight.simulation.ledger();
    EXPECT_LT(ledger.energy.relative(), 1e-7);
    EXPECT_FALSE(ledger.dependent_since < 1e300) << "no singular configuration on the way";
    const double force = flight.rows.back()[flight.column("multipliers/motor")];
    if (first == 0) first = force;
    EXPECT_NEAR(force, first, 1e-6 * std::abs(first));
  }
}

/// Nothing moves, and everything is held by forces that cancel: what is left is rounding, and no reason for distrust.
TEST(Ledger, TrustsAMechanismInEquilibrium) {
  const Flight flight(R"yaml(gyrostat: 1
bodies: {bob: {mass: 1, com: [2, 0, 0], point_mass: true}}
joints: {u: {type: universal, parent: world, child: bob, axes: [[0, 0, 1], [0, 1, 0]], initial: {angles: [0.3, -0.232077683]}}}
constraints: {rod: {distance: {from: [world, [0, 0, 3]], to: [bob, com]}, equals: 3.2}}
environment: {gravity: {uniform: [0, 0, -9.81]}}
simulation: {duration: 1}
)yaml",
                      {}, Flight::Expect::finish);
  EXPECT_THAT(flight.simulation.ledger().warnings(1e-6), ::testing::IsEmpty());
}

/// The same motion prescribed: a joint that is given, and a loop to close.
TEST(Drive, IsTheSameAsAPrescribedJoint) {
  const std::string motion = "\"pi/6 + 2*t^2\"";
  const std::string settings =
      "simulation: {duration: 2, integrator: {method: dopri5, tolerance: 1e-11}}\noutput: {interval: 0.5, record: "
      "[d.displacement, "
      "d.speed], reactions: [c]}";
  const Flight driven(slider_crank("constraints: {motor: {coordinate: a.angle, equals: " + motion + "}}\n" + settings),
                      {}, Flight::Expect::finish);
  std::string text = slider_crank(settings, ", prescribed: {position: " + motion + "}");
  const std::string initial = "initial: {angle: 30 deg}, ";
  text.replace(text.find(initial), initial.size(), "");
  const Flight given(text, {}, Flight::Expect::finish);
  for (std::size_t k = 0; k < driven.rows.size(); ++k) {
    for (const char* name : {"d.displacement", "d.speed", "reactions/c.force_x", "reactions/c.force_y"}) {
      EXPECT_NEAR(driven.rows[k][driven.column(name)], given.rows[k][given.column(name)],
                  1e-7 * (1 + std::abs(given.rows[k][given.column(name)])))
          << name << " at " << driven.time[k];
    }
  }
}

TEST(Drive, WhoseRateJumpsGivesTheMechanismAnImpulse) {
  const Flight flight(slider_crank(R"yaml(constraints:
  motor: {coordinate: a.angle, equals: "pi/6 + 2*ramp(0.5)"}
simulation: {duration: 1, integrator: {method: dopri5, tolerance: 1e-10}}
output: {interval: 0.25, record: [d.displacement, d.speed, system.energy]})yaml"),
                      {}, Flight::Expect::finish);
  EXPECT_NEAR(flight.rows.at(1)[flight.column("d.speed")], 0, 1e-9);
  const double angle = std::numbers::pi / 6 + 2 * 0.5, h = 1e-6;
  EXPECT_NEAR(flight.rows.at(4)[flight.column("d.displacement")], slider_at(angle), 1e-8);
  EXPECT_NEAR(flight.rows.at(4)[flight.column("d.speed")], 2 * (slider_at(angle + h) - slider_at(angle - h)) / (2 * h),
              1e-6);
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-7);
  EXPECT_LT(flight.simulation.ledger().momentum.relative(), 1e-7);
}

/// A slider-crank on a spacecraft that turns: a drive, a reel or a gear that begins to move at 0.5 s. Forces between
/// its parts change neither momentum nor angular momentum, impulses of a kink included.
TEST(Drive, WhoseRateJumpsKeepsTheMomentumOfAFreeSpacecraft) {
  for (const char* constraint :
       {"{coordinate: a.angle, equals: 'pi/6 + 2*ramp(0.5)'}",
        "{distance: {from: [bus, [0, -1, 0]], to: [rod, [1, 0, 0]]}, equals: '1.7216 - 0.3*ramp(0.5)'}",
        "{coupling: {a.angle: 2, b.angle: 1}, equals: '0.27105 + 0.5*ramp(0.5)'}",
        "{point: [rod, [1, 0, 0]], of: bus, directions: [[1, 0.2, 0]], equals: '1.3741 - 0.3*ramp(0.5)'}"}) {
    for (const char* formulation : {"articulated_body", "composite_body", "kane", "absolute", "mixed"}) {
      SCOPED_TRACE(fmt::format("{}, {}", constraint, formulation));
      std::string text = slider_crank(fmt::format(R"yaml(constraints:
  motor: {}
simulation: {{duration: 1, formulation: {}, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.1, record: [base.velocity_x, bus.omega_z, bus.omega_x, a.rate, system.momentum_x,
  system.momentum_y, system.momentum_z, system.com_x, system.com_y, system.com_z]}})yaml",
                                                  constraint, formulation));
      for (std::size_t at = 0; (at = text.find("parent: world", at)) != std::string::npos;)
        text.replace(at, 13, "parent: bus");
      text.replace(text.find("  crank:"), 0, "  bus: {mass: 20, inertia: [4, 5, 6]}\n");
      text.replace(
          text.find("  a: {type"), 0,
          "  base: {type: free, parent: world, child: bus, initial: {omega: [0.1, 0.2, -0.1], velocity: [1, 2, 3]}}\n");
      const Flight flight(text, {}, Flight::Expect::finish);
      ASSERT_EQ(flight.rows.size(), 11U);
      const auto slope = [&](const char* name, std::size_t k) { return (flight[name][k] - flight[name][k - 1]) / 0.1; };
      for (std::size_t k = 1; k < 11; ++k) {
        for (const char* name : {"system.momentum_x", "system.momentum_y", "system.momentum_z"})
          EXPECT_NEAR(flight[name][k], flight[name][0], 1e-8) << name << " at " << flight.time[k];
        for (const char* name : {"system.com_x", "system.com_y", "system.com_z"})
          EXPECT_NEAR(slope(name, k), slope(name, 1), 1e-7) << name << " at " << flight.time[k];
      }
      EXPECT_GT(std::abs(flight["a.rate"][6] - flight["a.rate"][4]), 0.1) << "the rate jumps";
      EXPECT_GT(std::abs(flight["bus.omega_z"][6] - flight["bus.omega_z"][4]), 1e-3) << "and the bus with it";
      const Ledger& ledger = flight.simulation.ledger();
      EXPECT_LT(ledger.energy.relative(), 1e-7);
      EXPECT_LT(ledger.momentum.relative(), 1e-8);
      EXPECT_LT(ledger.angular_momentum.relative(), 1e-8);
      EXPECT_LT(ledger.violation.position, 1e-9);
    }
  }
}

TEST(Drive, WhoseValueJumpsIsRefused) {
  const Flight flight(slider_crank(R"yaml(constraints:
  motor: {coordinate: a.angle, equals: "pi/6 + 0.1*step(0.5)"}
simulation: {duration: 1})yaml"));
  EXPECT_EQ(flight.outcome.kind, gyrostat::Outcome::Kind::failed);
  EXPECT_NEAR(flight.outcome.t, 0.5, 1e-9);
  EXPECT_THAT(flight.outcome.failure, HasSubstr("constraints.motor.equals jumps by 0.1"));
}

/// A planet gear: sun, carrier, and a planet that rolls; with a gear ratio the system has one coordinate.
TEST(Gear, OfAPlanetHasTheReducedInertia) {
  const Flight flight(R"yaml(gyrostat: 1
bodies:
  carrier: {mass: 1, inertia: [0.1, 0.1, 0.1]}
  planet: {mass: 2, inertia: [0.05, 0.05, 0.05]}
joints:
  arm: {type: revolute, parent: world, child: carrier, axis: [0, 0, 1], torque: 0.7}
  pin: {type: revolute, parent: carrier, child: planet, parent_point: [0.6, 0, 0], axis: [0, 0, 1]}
  teeth: {type: gear, joints: [arm, pin], ratio: 2}
simulation: {duration: 2, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 2})yaml",
                      {}, Flight::Expect::finish);
  // the carrier turns at w, the planet at 3 w: I = 0.1 + 2 0.6^2 + 9 0.05
  const double inertia = 0.1 + 2 * 0.36 + 9 * 0.05;
  EXPECT_NEAR(flight.rows.at(1)[flight.column("arm.angle")], 0.5 * 0.7 / inertia * 4, 1e-9);
  EXPECT_NEAR(flight.rows.at(1)[flight.column("pin.angle")], 0.7 / inertia * 4, 1e-9);
}

/// A bevel gear: axes that intersect.
TEST(Gear, BetweenIntersectingAxesCouplesThemAndItsReactionIsInTheBase) {
  const Flight flight(R"yaml(gyrostat: 1
bodies:
  bus: {mass: 10, inertia: [3, 4, 5]}
  one: {mass: 1, inertia: [0.2, 0.2, 0.3]}
  two: {mass: 1, inertia: [0.4, 0.3, 0.3]}
joints:
  first: {type: revolute, parent: bus, child: one, axis: [0, 0, 1], initial: {rate: 3}}
  second: {type: revolute, parent: bus, child: two, axis: [1, 0, 0], initial: {rate: -6}}
constraints:
  bevel: {coupling: {first.angle: 2, second.angle: 1}}
loads: [{torque_between: {from: bus, to: one, axis: [0, 0, 1], torque: "0.3*sin(t)"}}]
simulation: {duration: 10, integrator: {method: dopri5, tolerance: 1e-10}}
output: {interval: 1})yaml",
                      {}, Flight::Expect::finish);
  for (const auto& row : flight.rows) {
    EXPECT_NEAR(2 * row[flight.column("first.angle")] + row[flight.column("second.angle")], 0, 1e-10);
  }
  EXPECT_LT(flight.simulation.ledger().angular_momentum.relative(), 1e-8) << "a free spacecraft";
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-7);
}

/// A wheel that is geared to a boom: exact derivatives, too.
TEST(Gear, CouplesAWheelToAJoint) {
  const Flight flight(R"yaml(gyrostat: 1
bodies:
  bus: {mass: 10, inertia: [3, 4, 5], wheels: {rotor: {axis: [0, 0, 1], inertia: 0.2}}}
  boom: {mass: 2, com: [1, 0, 0], inertia: [0.1, 0.5, 0.5]}
joints:
  hinge: {type: revolute, parent: bus, child: boom, parent_point: [0.5, 0, 0], axis: [0, 0, 1], torque: "0.2*cos(2*t)"}
constraints: {train: {coupling: {hinge.angle: 5, bus.rotor.angle: 1}}}
simulation: {duration: 5, integrator: {method: cvode_bdf, tolerance: 1e-10}}
output: {interval: 1, record: [hinge.angle, bus.rotor.angle, bus.rotor.rate, hinge.rate]})yaml",
                      {}, Flight::Expect::finish);
  double most = 0;
  for (const auto& row : flight.rows) {
    EXPECT_NEAR(5 * row[flight.column("hinge.angle")] + row[flight.column("bus.rotor.angle")], 0, 1e-11);
    EXPECT_NEAR(5 * row[flight.column("hinge.rate")] + row[flight.column("bus.rotor.rate")], 0, 1e-11);
    most = std::max(most, std::abs(row[flight.column("hinge.angle")]));
  }
  EXPECT_GT(most, 1e-3) << "it moves";
  EXPECT_LT(flight.simulation.ledger().angular_momentum.relative(), 1e-7);
}

/// The joints of a plane mechanism in space share what is across the plane; the drive's torque is unique.
TEST(Redundancy, IsToldOfWithTheConstraintsAndTheRecordedForcesThatItLeavesOpen) {
  const Flight flight(slider_crank(R"yaml(constraints:
  motor: {coordinate: a.angle, equals: "pi/6 + t"}
simulation: {duration: 0.1}
output: {interval: 0.1, reactions: [a, c, motor]})yaml"),
                      {}, Flight::Expect::finish);
  EXPECT_EQ(flight.simulation.ledger().redundant, (std::vector<Redundant>{{"c", 3}}));
  std::vector<std::string> open;
  for (const OutputColumn& column : flight.simulation.columns()) {
    if (!column.note.empty()) open.push_back(column.name);
  }
  EXPECT_THAT(open, ::testing::ElementsAre("reactions/a.force_z", "reactions/a.torque_x", "reactions/a.torque_y",
                                           "reactions/c.force_z", "reactions/c.torque_x", "reactions/c.torque_y"));
}

/// A cut joint that locks nothing has no rows; the reaction of the next one is that of the next one.
TEST(CutJoint, BesideOneThatLocksNothingHasItsOwnReaction) {
  const std::string more =
      "environment: {gravity: {uniform: [0, -9.81, 0]}}\nsimulation: {duration: 0.1}\noutput: {interval: 0.1, "
      "reactions: [c]}";
  const Flight alone(slider_crank(more), {}, Flight::Expect::finish);
  std::string text = slider_crank(more);
  text.replace(text.find("  c: {type: revolute"), 0, "  loose: {type: free, parent: rod, child: slider, cut: true}\n");
  text.replace(text.find("parent_point: [1, 0, 0], axis"), 0, "cut: true, ");
  const Flight beside(text, {}, Flight::Expect::finish);
  EXPECT_GT(std::abs(alone.last("reactions/c.force_y")), 1);
  for (const char* name : {"reactions/c.force_x", "reactions/c.force_y"}) {
    EXPECT_NEAR(beside.last(name), alone.last(name), 1e-9) << name;
  }
}

TEST(Redundancy, OfAMeshThereIsNone) {
  const Flight flight(R"yaml(gyrostat: 1
bodies: {one: {mass: 1, inertia: [1, 1, 1]}, two: {mass: 1, inertia: [1, 1, 1]}}
joints:
  a: {type: revolute, parent: world, child: one, axis: [0, 0, 1]}
  b: {type: revolute, parent: world, child: two, axis: [0, 0, 1]}
constraints: {mesh: {coupling: {a.angle: 1, b.angle: -1}}}
simulation: {duration: 0.1}
output: {interval: 0.1, reactions: [a, mesh]})yaml",
                      {}, Flight::Expect::finish);
  EXPECT_TRUE(flight.simulation.ledger().redundant.empty());
  for (const OutputColumn& column : flight.simulation.columns()) EXPECT_EQ(column.note, "") << column.name;
}

/// Two wheels that mesh, and both latch: then the mesh has nothing to hold, and its force is open. The latches are
/// events; what follows from them is none.
TEST(Redundancy, ThatComesOnTheWayMarksWhatIsRecorded) {
  const std::string text = R"yaml(gyrostat: 1
bodies: {one: {mass: 1, inertia: [1, 1, 1]}, two: {mass: 1, inertia: [1, 1, 1]}}
joints:
  a: {type: revolute, parent: world, child: one, axis: [0, 0, 1], initial: {rate: 1}, latch: {when: "t > 0.5"}}
  b: {type: revolute, parent: world, child: two, axis: [0, 0, 1], initial: {rate: 1}, latch: {when: "t > 0.5"}}
constraints: {mesh: {coupling: {a.angle: 1, b.angle: -1}}}
simulation: {duration: 1}
output: {interval: 0.25, record: [a.angle], reactions: [mesh, a]})yaml";
  const Flight flight(
      text, [](RunSettings& s) { s.checkpoint_interval = 0.75; }, Flight::Expect::finish);
  EXPECT_EQ(std::ranges::find(flight.events, "constraints", [](const auto& e) { return e.change.name; }),
            flight.events.end());
  EXPECT_TRUE(flight.simulation.ledger().redundant.empty()) << "at the start";
  for (const OutputColumn& column : flight.simulation.columns()) {
    // what the joint transmits is the sum of both, and unique
    const bool open = column.name == "multipliers/mesh" || column.name.starts_with("driving/");
    EXPECT_EQ(!column.note.empty(), open) << column.name;
  }
  ASSERT_FALSE(flight.checkpoints.empty());
  Simulation again(*flight.loaded.model, flight.settings);
  again.restore(flight.checkpoints.front().second);
  EXPECT_EQ(again.ledger().redundant, (std::vector<Redundant>{{"mesh", 1}})) << "where it goes on";
}

/// Two four-bars: one that hangs and swings a little, one that goes through its flat position. The event names the
/// joint that closes the latter, wherever it stands in the file.
TEST(Singularity, NamesTheConstraintThatLosesItsHold) {
  const auto bars = [](const std::string& k, const std::string& angle, const std::string& rate) {
    return std::pair(
        fmt::format("  l{0}: {{mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.1, 0.1]}}\n"
                    "  m{0}: {{mass: 1, com: [1, 0, 0], inertia: [0.1, 0.1, 0.1]}}\n"
                    "  r{0}: {{mass: 1, com: [0, 0.5, 0], inertia: [0.1, 0.1, 0.1]}}\n",
                    k),
        fmt::format(
            "  a{0}: {{type: revolute, parent: world, child: l{0}, axis: [0, 0, 1], initial: {{angle: {1}, rate: "
            "{2}}}}}\n"
            "  b{0}: {{type: revolute, parent: l{0}, child: m{0}, parent_point: [0, 1, 0], axis: [0, 0, 1], "
            "initial: {{angle: -{1}, rate: -{2}}}}}\n"
            "  c{0}: {{type: revolute, parent: m{0}, child: r{0}, parent_point: [2, 0, 0], child_point: [0, 1, 0], "
            "axis: [0, 0, 1], cut: true}}\n"
            "  d{0}: {{type: revolute, parent: world, child: r{0}, parent_point: [2, 0, 0], axis: [0, 0, 1], "
            "initial: {{angle: {1}, rate: {2}}}}}\n",
            k, angle, rate));
  };
  const auto hanging = bars("1", "3.1", "0.1"), flat = bars("2", "0.5", "2");
  for (const bool first : {false, true}) {
    const auto &x = first ? flat : hanging, &y = first ? hanging : flat;
    const Flight flight("gyrostat: 1\nbodies:\n" + x.first + y.first + "joints:\n" + x.second + y.second +
                            "environment: {gravity: {uniform: [0, -9.81, 0]}}\nsimulation: {duration: 1, integrator: "
                            "{method: rk4, step: 0.001}}\noutput: {interval: 0.5}\n",
                        {}, Flight::Expect::finish);
    const auto told = std::ranges::find(flight.events, "constraints", [](const auto& e) { return e.change.name; });
    ASSERT_NE(told, flight.events.end());
    EXPECT_EQ(told->change.what, "nearly dependent: 'c2'");
    const Ledger& ledger = flight.simulation.ledger();
    EXPECT_EQ(ledger.dependent_since, told->t);
    EXPECT_EQ(ledger.dependent_of, first ? 0 : 1);
    const auto angle = flight.at(told->t, "a2.angle");
    EXPECT_GT(angle, 0.5) << "on its way to a quarter turn";
  }
}

TEST(Start, IsMovedOntoTheConstraintsWhereItIsNear) {
  const Flight flight(slider_crank("simulation: {duration: 0.1}"), {}, Flight::Expect::finish);
  EXPECT_GT(flight.simulation.ledger().assembled.position, 1e-6);
  EXPECT_NEAR(flight.rows[0][flight.column("d.displacement")], slider_at(flight.rows[0][flight.column("a.angle")]),
              1e-9);
}

TEST(Start, ThatIsFarFromTheConstraintsIsRefusedWithTheRemedy) {
  std::string text = slider_crank("simulation: {duration: 0.1}");
  text.replace(text.find("1.4012"), 6, "1.2");
  const Flight flight(text);
  EXPECT_EQ(flight.outcome.kind, gyrostat::Outcome::Kind::failed);
  EXPECT_THAT(flight.outcome.failure, HasSubstr("gyrostat assemble"));
}

TEST(Start, ThatCannotBeClosedNamesTheConstraint) {
  const Flight flight(slider_crank(R"yaml(constraints:
  far: {distance: {from: [world, [0, 0, 0]], to: [slider, [0, 0, 0]]}, equals: 5}
simulation: {duration: 0.1})yaml"));
  EXPECT_EQ(flight.outcome.kind, gyrostat::Outcome::Kind::failed);
  EXPECT_THAT(flight.outcome.failure, HasSubstr("'far'"));
  EXPECT_EQ(flight.outcome.t, 0);
}

TEST(Projection, KeepsTheConstraintsOverAHundredThousandSteps) {
  const Flight flight(
      slider_crank("environment: {gravity: {uniform: [0, -9.81, 0]}}\nsimulation: {duration: 100, integrator: "
                   "{method: rk4, step: 0.001}}\noutput: {interval: 10}"),
      {}, Flight::Expect::finish);
  EXPECT_EQ(flight.simulation.statistics().steps, 100000U);
  EXPECT_LT(flight.simulation.ledger().violation.position, 1e-12);
  EXPECT_LT(flight.simulation.ledger().violation.speed, 1e-11);
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-8);
}

/// Violations are fed back for as long: they neither grow nor die out, but stay at what the steps make anew.
TEST(Baumgarte, KeepsTheConstraintsOverAHundredThousandSteps) {
  const Flight flight(R"yaml(gyrostat: 1
bodies: {bob: {mass: 1, point_mass: true}}
joints: {plane: {type: translation, parent: world, child: bob, axes: [[1, 0, 0], [0, 1, 0]], initial: {displacements: [-1, 0]}}}
constraints: {rod: {distance: {from: [world, [0, 0, 0]], to: [bob, com]}, equals: 1}}
environment: {gravity: {uniform: [0, -9.81, 0]}}
simulation: {duration: 100, integrator: {method: rk4, step: 0.001}, stabilization: {method: baumgarte, alpha: 10, beta: 10}}
output: {interval: 10}
)yaml",
                      {}, Flight::Expect::finish);
  EXPECT_EQ(flight.simulation.statistics().steps, 100000U);
  const Ledger& ledger = flight.simulation.ledger();
  EXPECT_LT(ledger.violation.position, 1e-10);
  EXPECT_LT(ledger.violation.speed, 1e-9);
  EXPECT_GT(ledger.violation.position, 0) << "nothing is projected";
  EXPECT_LT(ledger.energy.relative(), 1e-7);
}

/// A run that is resumed from any checkpoint ends with the same bits.
TEST(Checkpoint, OfARunUnderConstraintsGoesOnExactly) {
  const std::string text = slider_crank(
      "environment: {gravity: {uniform: [0, -9.81, 0]}}\nsimulation: {duration: 2, integrator: {method: dopri5, "
      "tolerance: "
      "1e-9}}\noutput: {interval: 0.5}");
  const auto adjust = [](RunSettings& s) { s.checkpoint_interval = 0.5; };
  const Flight flight(text, adjust, Flight::Expect::finish);
  ASSERT_FALSE(flight.checkpoints.empty());
  struct Rows : Observer {
    std::vector<double> last;
    void record(double, std::span<const double> row) override { last.assign(row.begin(), row.end()); }
    void event(double, const Change&) override {}
    void checkpoint(double, const std::string&) override {}
    bool go_on(double) override { return true; }
  };
  for (const auto& [t, bytes] : flight.checkpoints) {
    if (t >= flight.time.back()) continue;  // nothing is left to do
    const Loaded loaded = load(text);
    RunSettings settings(*loaded.model);
    adjust(settings);
    Simulation again(*loaded.model, settings);
    Rows rows;
    again.resume(bytes, rows);
    EXPECT_EQ(rows.last, flight.rows.back()) << "from " << t;
  }
}

}  // namespace loops_test
}  // namespace gyrostat::testing
