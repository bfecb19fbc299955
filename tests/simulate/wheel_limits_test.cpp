// Wheels with limits, drag and imbalance.
#include <cmath>

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace wheel_limits_test {

using ::testing::ElementsAre;

/// A wheel of 0.1 kg m^2 on a bus of 3 kg m^2, the wheel included.
std::string bus(const std::string& fields, const std::string& more = "", double duration = 10) {
  return fmt::format(R"(gyrostat: 1
tables: {{bearing: {{x: [-100, 100], y: [-5, 5]}}}}
bodies: {{bus: {{mass: 10, inertia: [3, 3, 3], wheels: {{rw: {{axis: [0, 0, 1], inertia: 0.1, {}}}}}}}}}
{}
simulation: {{duration: {}, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.5, record: [bus.rw.rate, bus.rw.angle, bus.omega_z, system.momentum_z]}}
)",
                     fields, more, duration);
}

constexpr double reduced = 1 / (1 / 0.1 + 1 / 2.9);  // relative to a bus that is free to turn

TEST(Wheels, HaveATorqueLimit) {
  const Flight flight(bus("torque: '0.5*(t - 4)', torque_limit: 1"), {}, Flight::Expect::finish);
  const double impulse = -1 * 2 - 1 + 1 + 1 * 4;  // -1 to 2 s, then -1 to 1 in 4 s, then 1
  EXPECT_NEAR(flight.last("bus.rw.rate"), impulse / reduced, 1e-8);
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-8);
}

TEST(Wheels, AreHeldAtTheirSpeedLimitUntilLessIsAsked) {
  const Flight flight(bus("rate: 10, torque: '0.4 - 0.1*t', speed_limit: 15"), {}, Flight::Expect::finish);
  std::vector<std::string> changes;
  for (const RecordedEvent& event : flight.events) changes.push_back(event.change.what);
  EXPECT_THAT(changes, ElementsAre("at its speed limit", "below its speed limit"));
  const double first = 4 - std::sqrt(16 - 2 * 5 * reduced / 0.1);  // 0.4 t - 0.05 t^2 = 5 reduced
  EXPECT_NEAR(flight.events[0].t, first, 1e-9);
  EXPECT_NEAR(flight.events[1].t, 4, 1e-9);
  EXPECT_EQ(flight.at(3, "bus.rw.rate"), 15);
  EXPECT_NEAR(flight.at(3, "driving/bus.rw.rate"), -0.1, 1e-11) << "what the motor does not give";
  EXPECT_NEAR(flight.last("bus.rw.rate"), 15 - 0.05 * 36 / reduced, 1e-8);
  for (const double h : flight["system.momentum_z"]) EXPECT_NEAR(h, 1, 1e-10);
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-9);
}

TEST(Wheels, AreHeldAtTheirLimitAgainstDrag) {  // 0.05 times the rate
  const Flight flight(bus("rate: -15, torque: -2, speed_limit: 15, drag: bearing"), {}, Flight::Expect::finish);
  EXPECT_EQ(flight.events.size(), 0U);
  EXPECT_NEAR(flight.last("driving/bus.rw.rate"), 2 - 0.75, 1e-11);
  EXPECT_EQ(flight.last("bus.rw.rate"), -15);
}

/// A panel of 0.5 kg m^2 beside the wheel on the bus latches at 5 s: the bus turns more slowly by 0.5 0.2 / 3.5 rad/s,
/// and the wheel relative to it faster by as much.
std::string with_panel(const std::string& fields) {
  return fmt::format(R"(gyrostat: 1
tables: {{bearing: {{x: [-100, 100], y: [-5, 5]}}}}
bodies:
  bus: {{mass: 10, inertia: [3, 3, 3], wheels: {{rw: {{axis: [0, 0, 1], inertia: 0.1, speed_limit: 15, {}}}}}}}
  panel: {{mass: 1, inertia: [0.5, 0.5, 0.5]}}
joints:
  base: {{}}
  hinge: {{type: revolute, parent: bus, child: panel, axis: [0, 0, 1], initial: {{rate: -0.2}}, latch: {{when: "t >= 5"}}}}
simulation: {{duration: 10, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.01, record: [bus.rw.rate, bus.omega_z, hinge.rate, system.momentum_z]}}
)",
                     fields);
}

std::vector<std::string> changes_of_wheel(const Flight& flight) {
  std::vector<std::string> list;
  for (const RecordedEvent& event : flight.events) {
    if (event.change.name == "bodies.bus.wheels.rw") list.push_back(event.change.what);
  }
  return list;
}

TEST(Wheels, AreCarriedBeyondTheirSpeedLimitByAnImpulseAndNotByTheirMotor) {
  // No drag: nothing slows it, and the motor gives nothing.
  const Flight free(with_panel("rate: 15, torque: 1"), {}, Flight::Expect::finish);
  EXPECT_THAT(changes_of_wheel(free), ElementsAre("beyond its speed limit"));
  const double jump = free.at(5.01, "bus.rw.rate") - 15;
  EXPECT_GT(jump, 0.02);  // the panel was slower, so the bus was pushed back
  EXPECT_NEAR(free.last("bus.rw.rate"), 15 + jump, 1e-11);
  EXPECT_EQ(free.at(4.99, "bus.rw.rate"), 15);
  for (const double h : free["system.momentum_z"]) EXPECT_NEAR(h, free["system.momentum_z"][0], 1e-11);
  EXPECT_LT(free.simulation.ledger().energy.relative(), 1e-9);

  // Drag of 0.05 per rad/s slows it by itself: u' = -0.05 u / reduced, where the panel turns with the bus by then.
  const double with_bus = 1 / (1 / 0.1 + 1 / 3.4);
  const Flight drag(with_panel("rate: 15, torque: 1, drag: bearing"), {}, Flight::Expect::finish);
  EXPECT_THAT(changes_of_wheel(drag), ElementsAre("beyond its speed limit", "at its speed limit"));
  double back = 0;
  for (const RecordedEvent& event : drag.events) {
    if (event.change.what == "at its speed limit") back = event.t;
  }
  EXPECT_NEAR(back, 5 + std::log((15 + jump) / 15) * with_bus / 0.05, 1e-8);
  EXPECT_EQ(drag.last("bus.rw.rate"), 15);
  EXPECT_NEAR(drag.last("driving/bus.rw.rate"), 0.75 - 1, 1e-10);
  EXPECT_LT(drag.simulation.ledger().energy.relative(), 1e-9);

  // A motor that is asked to brake does: at once, and it goes on below the limit.
  const Flight brakes(with_panel("rate: 15, torque: '1 - 1.5*step(5.001)'"), {}, Flight::Expect::finish);
  EXPECT_THAT(changes_of_wheel(brakes), ElementsAre("beyond its speed limit", "below its speed limit"));
  EXPECT_NEAR(brakes.last("bus.rw.rate"), 15 + jump - 0.5 * (10 - 5.001) / with_bus, 1e-8);
  EXPECT_LT(brakes.simulation.ledger().energy.relative(), 1e-9);
}

TEST(Wheels, AreSlowedByDrag) {
  const Flight flight(bus("rate: 50, drag: bearing"), {}, Flight::Expect::finish);
  EXPECT_NEAR(flight.last("bus.rw.rate"), 50 * std::exp(-0.05 / reduced * 10), 1e-8);
  for (const double h : flight["system.momentum_z"]) EXPECT_NEAR(h, 5, 1e-10);
  EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-8);
}

TEST(Wheels, ThatAreNotBalancedShakeTheirBodyOncePerTurn) {
  const double U = 0.001, D = 0.0002, rate = 20, height = 0.5;
  const Flight flight(R"(gyrostat: 1
bodies: {bus: {mass: 10, inertia: [3, 3, 3], wheels: {rw: {axis: [0, 0, 1], inertia: 0.1, speed: 20, at: [0, 0, 0.5],
  static_imbalance: 0.001, dynamic_imbalance: 0.0002}}}}
joints: {mount: {type: weld, parent: world, child: bus}}
simulation: {duration: 1, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.01, record: [bus.rw.angle], reactions: [mount]}
)",
                      {}, Flight::Expect::finish);
  for (std::size_t k = 0; k < flight.time.size(); ++k) {
    const Vector3 force(flight["reactions/mount.force_x"][k], flight["reactions/mount.force_y"][k],
                        flight["reactions/mount.force_z"][k]);
    const Vector3 torque(flight["reactions/mount.torque_x"][k], flight["reactions/mount.torque_y"][k],
                         flight["reactions/mount.torque_z"][k]);
    // the mount gives the opposite; e_1 is the direction at the start
    const Vector3 e1 =
        -Vector3(flight["reactions/mount.force_x"][0], flight["reactions/mount.force_y"][0], 0).normalized();
    const Vector3 turned = Eigen::AngleAxisd(rate * flight.time[k], Vector3::UnitZ()) * e1;
    EXPECT_LT((force + U * rate * rate * turned).norm(), 1e-9) << k;
    const Vector3 couple = D * rate * rate * turned + Vector3(0, 0, height).cross(U * rate * rate * turned);
    EXPECT_LT((torque + couple).norm(), 1e-9) << k;
  }
}

}  // namespace wheel_limits_test
}  // namespace gyrostat::testing
