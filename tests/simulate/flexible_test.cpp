// Runs with flexible bodies: what the ledger says of them, statics, wheels and loops on nodes, gravity.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace flexible_test {

using ::testing::HasSubstr;

/// A free hub with a panel, which begins bent.
std::string hub_and_panel(const std::string& terms, const std::string& more) {
  return fmt::format(R"yaml(gyrostat: 1
bodies:
  hub: {{mass: 40, inertia: [8, 10, 12]}}
  panel:
    flexible:
      beam: {{to: [4, 0, 0], elements: 8, mass_per_length: 2, EI: [300, 500], GJ: 200, rotary_inertia: 0.05, tip_mass: 1}}
      modes: {{count: 5}}
      terms: {}
      initial: [0.05, 0.02, 0.002, 0, 0]
joints:
  base: {{type: free, parent: world, child: hub, initial: {{omega: [0.1, 0.3, 0.2], velocity: [1, 0, 0]}}}}
  hinge: {{type: revolute, parent: hub, child: panel, child_node: root, parent_point: [1, 0, 0], axis: [0, 1, 0], stiffness: 30}}
{})yaml",
                     terms, more);
}

TEST(FlexibleFlight, KeepsEnergyAndMomentumWhereItDerivesFromALagrangian) {
  for (const char* terms : {"linear", "stiffened"}) {
    for (const char* formulation : {"articulated_body", "composite_body", "kane", "absolute"}) {
      SCOPED_TRACE(fmt::format("{}, {}", terms, formulation));
      const Flight flight(
          hub_and_panel(terms,
                        fmt::format("simulation: {{duration: 10, formulation: {}, integrator: {{method: cvode_adams, "
                                    "tolerance: 1e-10}}}}\noutput: {{interval: 1}}",
                                    formulation)),
          {}, Flight::Expect::finish);
      const Ledger& ledger = flight.simulation.ledger();
      EXPECT_LT(ledger.energy.relative(), 1e-7);
      EXPECT_LT(ledger.angular_momentum.relative(), 1e-7);
    }
  }
}

TEST(FlexibleFlight, SaysThatRuthlessDoesNot) {
  const Flight flight(
      hub_and_panel(
          "ruthless",
          "simulation: {duration: 10, integrator: {method: cvode_adams, tolerance: 1e-10}}\noutput: {interval: 1}"),
      {}, Flight::Expect::finish);
  EXPECT_GT(flight.simulation.ledger().energy.relative(), 1e-5);
}

/// A cantilever sags by m g L^4 / (8 EI) under its weight and F L^3 / (3 EI) under a force at its tip, at rest at last.
/// The static mode of the tip is not among the modes: five modes have the force's sag to 2e-4, its
/// slope to 5e-3.
TEST(FlexibleStatics, SagUnderWeightAndUnderAForceAtTheTip) {
  for (const bool weight : {true, false}) {
    const Flight flight(fmt::format(R"yaml(gyrostat: 1
bodies:
  boom: {{flexible: {{beam: {{to: [2, 0, 0], elements: 8, mass_per_length: 0.5, EI: 400}}, modes: {{count: 10}}, damping: 0.7}}}}
joints: {{root: {{type: weld, parent: world, child: boom.root}}}}
{}
simulation: {{duration: 20, integrator: {{method: cvode_bdf, tolerance: 1e-9}}}}
output: {{interval: 5, record: [boom.tip.position_z, boom.tip.pitch]}})yaml",
                                    weight ? "environment: {gravity: {uniform: [0, 0, -9.81]}}"
                                           : "loads: [{body: boom, point: tip, force: [0, 0, -1], axes: world}]"),
                        {}, Flight::Expect::finish);
    const double sag = weight ? 0.5 * 9.81 * 16 / (8 * 400) : 8.0 / (3 * 400);
    const double turn = weight ? 0.5 * 9.81 * 8 / (6 * 400) : 4.0 / (2 * 400);
    EXPECT_NEAR(flight.rows.back()[flight.column("boom.tip.position_z")] / -sag, 1, 1e-3);
    EXPECT_NEAR(flight.rows.back()[flight.column("boom.tip.pitch")] / turn, 1, 1e-2);
    EXPECT_LT(flight.simulation.ledger().energy.relative(), 1e-6);
  }
}

TEST(FlexibleFlight, WithAWheelOnANodeKeepsItsMomentum) {
  const Flight flight(R"yaml(gyrostat: 1
bodies:
  hub: {mass: 40, inertia: [8, 10, 12]}
  boom:
    flexible: {beam: {to: [3, 0, 0], elements: 6, mass_per_length: 1, EI: 200, GJ: 100, rotary_inertia: 0.02, tip_mass: 2}, modes: {count: 6}}
    wheels: {rotor: {node: tip, axis: [1, 0, 0], inertia: 0.05, rate: 100, torque: "0.02*sin(t)"}}
joints:
  base: {type: free, parent: world, child: hub, initial: {omega: [0, 0.2, 0]}}
  root: {type: weld, parent: hub, child: boom, child_node: root, parent_point: [0.5, 0, 0]}
simulation: {duration: 5, integrator: {method: cvode_adams, tolerance: 1e-10}}
output: {interval: 0.5, record: [boom.tip.rotor.rate, boom.tip.omega_x, boom.mode1]})yaml",
                      {}, Flight::Expect::finish);
  const Ledger& ledger = flight.simulation.ledger();
  EXPECT_LT(ledger.energy.relative(), 1e-8);
  EXPECT_LT(ledger.angular_momentum.relative(), 1e-8);
  double most = 0;
  for (const auto& row : flight.rows) most = std::max(most, std::abs(row[flight.column("boom.mode1")]));
  EXPECT_GT(most, 1e-3) << "the gyroscopic torque bends the boom";
}

/// A four-bar with a flexible coupler: with a stiff one it is the rigid mechanism.
TEST(FlexibleLoop, OfAFourBarTendsToTheRigidMechanism) {
  const auto model = [](const std::string& coupler, const std::string& node) {
    return fmt::format(R"yaml(gyrostat: 1
bodies:
  crank: {{mass: 1, com: [0.25, 0, 0], inertia: [0.001, 0.02, 0.02]}}
  coupler: {}
  rocker: {{mass: 1.5, com: [0.5, 0, 0], inertia: [0.002, 0.13, 0.13]}}
joints:
  a: {{type: revolute, parent: world, child: crank, axis: [0, 0, 1], initial: {{angle: 60 deg}}}}
  b: {{type: revolute, parent: crank, child: coupler{}, parent_point: [0.5, 0, 0], axis: [0, 0, 1], initial: {{angle: -0.6192361181668125}}}}
  d: {{type: revolute, parent: world, child: rocker, parent_point: [1.2, 0, 0], axis: [0, 0, 1], initial: {{angle: 1.3358839361745458}}}}
  c: {{type: revolute, parent: coupler{}, child: rocker, parent_point: [{}, 0, 0], child_point: [1, 0, 0], axis: [0, 0, 1], cut: true}}
environment: {{gravity: {{uniform: [0, -9.81, 0]}}}}
simulation: {{duration: 0.5, integrator: {{method: cvode_bdf, tolerance: 1e-9}}}}
output: {{interval: 0.1, record: [a.angle, d.angle]}})yaml",
                       coupler, node.empty() ? "" : ".root", node.empty() ? "" : ".tip", node.empty() ? "1.3" : "0");
  };
  const auto last = [](const Flight& flight) { return flight.rows.back()[flight.column("a.angle")]; };
  // A slender rod as a rigid body: 2 kg, about its middle m L^2 / 12.
  const Flight rigid(model("{mass: 2, com: [0.65, 0, 0], inertia: [0, 0.28166666666666667, 0.28166666666666667]}", ""),
                     {}, Flight::Expect::finish);
  std::array<double, 2> differences{};
  for (const std::size_t k : {0U, 1U}) {
    const double EI = k == 0 ? 1e3 : 1e4;
    const Flight flight(model(fmt::format("{{flexible: {{beam: {{to: [1.3, 0, 0], elements: 4, mass_per_length: "
                                          "1.5384615384615385, EI: {}}}, modes: {{count: 2}}, damping: 0.1}}}}",
                                          EI),
                              "nodes"),
                        {}, Flight::Expect::finish);
    differences[k] = std::abs(last(flight) - last(rigid));
    const Ledger& ledger = flight.simulation.ledger();
    EXPECT_LT(ledger.energy.relative(), 1e-6);
    EXPECT_LT(ledger.violation.position, 1e-10);
  }
  EXPECT_LT(differences[0], 1e-2);
  EXPECT_LT(differences[1], differences[0] / 6) << "in proportion to the compliance, " << differences[0];
}

TEST(FlexibleFlight, InOrbitKeepsItsEnergyUnderAttraction) {
  for (const char* gradient : {"full", "perturbation"}) {
    SCOPED_TRACE(gradient);
    const Flight flight(
        fmt::format(R"yaml(gyrostat: 1
bodies:
  hub: {{mass: 40, inertia: [8, 10, 12]}}
  boom: {{flexible: {{beam: {{to: [0, 0, 60], elements: 10, mass_per_length: 0.3, EI: 4000, tip_mass: 5}}, modes: {{count: 4}}}}}}
joints:
  base: {{type: free, parent: world, child: hub, initial: {{orientation: {{axis: [0, 1, 0], angle: 70 deg}}{}}}}}
  root: {{type: weld, parent: hub, child: boom.root}}
environment: {{orbit: {{semi_major_axis: 7000 km, eccentricity: 0}}, gravity_gradient: {}}}
simulation: {{duration: 600, integrator: {{method: cvode_adams, tolerance: 1e-11}}}}
output: {{interval: 60, record: [boom.tip.position_z, boom.mode1]}})yaml",
                    std::string_view(gradient) == "full" ? ", position: [7.0e6, 0, 0], velocity: [0, 7546, 0]" : "",
                    gradient),
        {}, Flight::Expect::finish);
    const Ledger& ledger = flight.simulation.ledger();
    EXPECT_LT(ledger.energy.relative(), 1e-9);
    double most = 0;
    for (const auto& row : flight.rows) most = std::max(most, std::abs(row[flight.column("boom.mode1")]));
    EXPECT_GT(most, 1e-7) << "the gradient bends the boom";
  }
}

TEST(FlexibleFormulation, IsRefusedByNameWhereItIsNotTaken) {
  for (const char* formulation : {"nested_body", "augmented_body", "mixed", "linear_total"}) {
    const Loaded loaded = load_text(
        "m.yaml", hub_and_panel("stiffened", fmt::format("simulation: {{duration: 1, formulation: {}}}", formulation)));
    ASSERT_TRUE(loaded.model);
    EXPECT_THAT(error_of_run(*loaded.model, RunSettings(*loaded.model)), HasSubstr("'panel'")) << formulation;
  }
}

}  // namespace flexible_test
}  // namespace gyrostat::testing
