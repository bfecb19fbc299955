// Prescribed motions that bend: the speeds of the rest of the spacecraft jump, and momentum is kept.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace {

/// A bus of inertia 3 about z and a panel of inertia 1, hinged where both have their mass centres.
std::string concentric(const std::string& position, const std::string& method, const std::string& base = "{}") {
  return fmt::format(R"(gyrostat: 1
bodies:
  bus: {{mass: 4, inertia: [3, 3, 3]}}
  panel: {{mass: 1, inertia: [1, 1, 1]}}
joints:
  base: {{initial: {}}}
  hinge: {{type: revolute, parent: bus, child: panel, axis: [0, 0, 1], prescribed: {{position: "{}"}}}}
simulation: {{duration: 3, integrator: {{method: {}, {}}}}}
output: {{interval: 0.3, record: [bus.omega_z, hinge.angle, hinge.rate, system.momentum_z]}}
)",
                     base, position, method, method == "rk4" ? "step: 0.07" : "tolerance: 1e-11");
}

/// Nothing in line: every axis takes part in a jump.
std::string skew(const std::string& more) {
  return R"(gyrostat: 1
bodies:
  bus: {mass: 10, inertia: {xx: 4, yy: 5, zz: 6, xy: 0.3, xz: -0.2, yz: 0.4}, com: [0.1, 0.2, -0.1]}
  arm: {mass: 2, inertia: [0.5, 0.7, 0.4], com: [0.6, 0, 0.1]}
  tip: {mass: 1, inertia: [0.1, 0.2, 0.2], com: [0, 0.3, 0]}
joints:
  base: {initial: {omega: [0.1, -0.2, 0.3], velocity: [0.1, 0.2, 0.3]}}
  elbow: {type: revolute, parent: arm, child: tip, parent_point: [1.2, 0, 0], axis: [0, 1, 1], initial: {rate: 0.4}}
)" + more +
         R"(
simulation: {duration: 2, integrator: {method: dopri5, tolerance: 1e-11}}
output:
  interval: 0.1
  record: [system.momentum_x, system.momentum_y, system.momentum_z, system.com_x, bus.omega_x, elbow.rate]
)";
}

TEST(Kinks, ARampOfAHingeMakesTheRateOfTheBusJump) {
  for (const char* method : {"dopri5", "cvode_adams", "cvode_bdf", "rk4"}) {
    const Flight run(concentric("0.8*ramp(1.01) - 0.8*ramp(2.02)", method));
    ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      const bool turning = run.time[k] > 1.01 && run.time[k] < 2.02;
      EXPECT_NEAR(run.values("bus.omega_z")[k], turning ? -0.2 : 0, 1e-12) << method << " at " << run.time[k];
      EXPECT_NEAR(run.values("hinge.rate")[k], turning ? 0.8 : 0, 1e-12);
      EXPECT_NEAR(run.values("system.momentum_z")[k], 0, 1e-12);
    }
    ASSERT_EQ(run.events.size(), 2u);
    EXPECT_EQ(run.events[0].t, 1.01);
    EXPECT_EQ(run.events[1].t, 2.02);
    EXPECT_EQ(run.events[0].change.what, "ramp");
  }
}

TEST(Kinks, TheEventNamesTheJoint) {
  const Flight run(concentric("0.8*ramp(1)", "dopri5"));
  ASSERT_EQ(run.events.size(), 1u);
  EXPECT_THAT(run.events[0].change.name, ::testing::StartsWith("joints.hinge.prescribed"));
}

TEST(Kinks, ASpinningSpacecraftKeepsItsMomentum) {
  const Flight run(concentric("0.8*ramp(1)", "dopri5", "{omega: [0, 0, 0.5]}"));
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    EXPECT_NEAR(run.values("system.momentum_z")[k], 2, 1e-11);
    EXPECT_NEAR(run.values("bus.omega_z")[k], run.time[k] < 1 ? 0.5 : 0.3, 1e-11);
  }
}

TEST(Kinks, AtInstantsThatAreNotKnownBeforehand) {  // |t^2 - 1| bends at 1: its rate jumps from -2 to 2
  for (const char* method : {"dopri5", "cvode_adams", "rk4"}) {
    const Flight run(concentric("0.1*abs(t*t - 1)", method));
    for (std::size_t k = 0; k < run.time.size(); ++k) {
      const double t = run.time[k], rate = t < 1 ? -0.2 * t : 0.2 * t;
      EXPECT_NEAR(run.values("hinge.rate")[k], rate, 1e-11) << method;
      EXPECT_NEAR(run.values("bus.omega_z")[k], -rate / 4, 1e-9) << method << " at " << t;
    }
    ASSERT_EQ(run.events.size(), 1u);
    EXPECT_NEAR(run.events[0].t, 1, 1e-12);
  }
}

TEST(Kinks, OfATableAreJoltsToo) {
  for (const char* method : {"dopri5", "cvode_adams", "rk4"}) {
    for (const char* x : {"t", "2*t - t"}) {  // the knots' instants known beforehand, and not
      std::string text = concentric(fmt::format("table(path, {})", x), method);
      text += "tables: {path: {x: [0, 1.01, 2.02, 4], y: [0, 0, 0.808, 0.808]}}\n";
      const Flight run(text);
      ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
      for (std::size_t k = 0; k < run.time.size(); ++k) {
        const bool turning = run.time[k] > 1.01 && run.time[k] < 2.02;
        EXPECT_NEAR(run.values("hinge.rate")[k], turning ? 0.8 : 0, 1e-12);
        EXPECT_NEAR(run.values("bus.omega_z")[k], turning ? -0.2 : 0, 1e-9)
            << method << ", " << x << " at " << run.time[k];
      }
    }
  }
}

TEST(Kinks, AJoltIsAStepForADelay) {
  std::string text = concentric("0.8*ramp(1)", "rk4");
  text += "signals: {d: {delay: {input: bus.omega_z, time: 0.515}}, i: {integral: d}}\n";
  text.replace(text.find("[bus.omega_z, "), 14, "[i, bus.omega_z, ");
  const Flight run(text);
  EXPECT_NEAR(run.last("i"), -0.2 * (3 - 1.515), 1e-12);
}

TEST(Kinks, OfASkewArmMomentumIsKept) {
  const Flight run(
      skew("  shoulder: {type: revolute, parent: bus, child: arm, parent_point: [0.5, 0, 0.3], axis: [1, 0, "
           "2], prescribed: {position: \"0.2 + ramp(0.33) - 2*ramp(0.77)\"}}"));
  ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
  for (const char* axis : {"system.momentum_x", "system.momentum_y", "system.momentum_z"}) {
    for (const double value : run.values(axis)) EXPECT_NEAR(value, run.values(axis)[0], 1e-8) << axis;
  }
  const double speed = run.values("system.com_x")[1] - run.values("system.com_x")[0];
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    EXPECT_NEAR(run.values("system.com_x")[k], run.values("system.com_x")[0] + speed * static_cast<double>(k), 1e-8);
  }
  EXPECT_GT(std::abs(run.values("elbow.rate")[4] - run.values("elbow.rate")[3]), 0.05)
      << "the rate of the elbow jumps too";
}

TEST(Kinks, SeveralAtOneInstantAreOneJolt) {
  const Flight run(
      skew("  shoulder: {type: universal, parent: bus, child: arm, parent_point: [0.5, 0, 0.3], axes: [[1, 0, "
           "0], [0, 1, 0]], prescribed: {position: [\"ramp(0.5)\", \"-0.5*ramp(0.5)\"]}}"));
  ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
  for (const char* axis : {"system.momentum_x", "system.momentum_y", "system.momentum_z"}) {
    for (const double value : run.values(axis)) EXPECT_NEAR(value, run.values(axis)[0], 1e-8) << axis;
  }
}

TEST(Kinks, AStepOfAPositionIsRefusedWhereItComes) {
  const Flight run(concentric("0.2*step(1.25)", "dopri5"));
  ASSERT_EQ(run.outcome.kind, Outcome::Kind::failed);
  EXPECT_EQ(run.outcome.t, 1.25);
  EXPECT_THAT(run.outcome.failure, ::testing::HasSubstr("joints.hinge.prescribed.position jumps by 0.2"));
}

TEST(Kinks, APositionThatIsAlreadyOnItsWayAtTheStartIsNoKink) {
  const Flight run(concentric("0.8*ramp(-1)", "dopri5"));
  EXPECT_EQ(run.outcome.kind, Outcome::Kind::finished);
  EXPECT_TRUE(run.events.empty());
  EXPECT_EQ(run.values("hinge.angle")[0], 0.8);
  EXPECT_EQ(run.values("hinge.rate")[0], 0.8);
  EXPECT_NEAR(run.values("bus.omega_z")[0], 0, 1e-15) << "the initial values are what they are";
}

TEST(Kinks, APrescribedAccelerationMayStep) {
  std::string text = concentric("0", "dopri5");
  text.replace(text.find("position: \"0\""), 13, "acceleration: \"0.4*step(1)\"");
  const Flight run(text);
  ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    EXPECT_NEAR(run.values("bus.omega_z")[k], -0.1 * std::max(0.0, run.time[k] - 1), 1e-11);
  }
}

std::string wheel(const std::string& speed) {
  return R"(gyrostat: 1
bodies: {bus: {mass: 4, inertia: [3, 3, 3], wheels: {rw: {axis: [0, 0, 1], inertia: 0.1, speed: ")" +
         speed + R"("}}}}
simulation: {duration: 3, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.3, record: [bus.omega_z, bus.rw.rate, bus.rw.angle, system.momentum_z]}
)";
}

TEST(Kinks, AWheelsSpeedMayBend) {
  const Flight run(wheel("10*ramp(1) - 10*ramp(2)"));
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    const double t = run.time[k], speed = 10 * std::clamp(t - 1, 0.0, 1.0);
    EXPECT_NEAR(run.values("bus.rw.rate")[k], speed, 1e-12);
    EXPECT_NEAR(run.values("bus.omega_z")[k], -0.1 * speed / 3, 1e-10);
    const double angle = t < 1 ? 0 : t < 2 ? 5 * (t - 1) * (t - 1) : 5 + 10 * (t - 2);
    EXPECT_NEAR(run.values("bus.rw.angle")[k], angle, 1e-8);
  }
}

TEST(Kinks, AWheelsSpeedMayJumpAndTheBusJumpsAgainstIt) {
  const Flight run(wheel("30*step(1)"));
  ASSERT_EQ(run.outcome.kind, Outcome::Kind::finished) << run.outcome.failure;
  for (std::size_t k = 0; k < run.time.size(); ++k) {
    EXPECT_NEAR(run.values("bus.omega_z")[k], run.time[k] < 1 ? 0 : -1, 1e-11);
    EXPECT_NEAR(run.values("system.momentum_z")[k], 0, 1e-11);
    EXPECT_NEAR(run.values("bus.rw.angle")[k], 30 * std::max(0.0, run.time[k] - 1), 1e-9);
  }
}

TEST(Kinks, AnotherThingThatTheJoltPushesOverAThresholdSwitchesAtOnce) {
  std::string text = concentric("0.8*ramp(1)", "dopri5");
  text.replace(text.find("output:"), 7,
               "signals: {s: \"bus.omega_z < -0.1\"}\nloads: [{body: bus, torque: [0, 0, 0*s]}]\noutput:");
  text.replace(text.find("[bus.omega_z, "), 14, "[s, bus.omega_z, ");
  const Flight run(text);
  const std::vector<double> expected = {1};
  EXPECT_EQ(run.times_of("signals.s"), expected);
}

}  // namespace
}  // namespace gyrostat::testing
