// Linear models against what the nonlinear simulation does at the limit of stability, and against models of others:
// Fleischer and Likins' linearised equations, gyroscopic pairs, rotating beams, eigenvalues of random flexible craft.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gyrostat/analysis/frequency_response.h"
#include "gyrostat/analysis/linearize.h"
#include "gyrostat/analysis/modes.h"

#include "support/flight.h"
#include "support/load.h"

namespace gyrostat::testing {
namespace limits_test {

using Index = Eigen::Index;

std::string servo(double gain, double delay, double duration) {
  return fmt::format(R"yaml(
gyrostat: 1
bodies:
  bus: {{mass: 50, inertia: [3, 3, 2]}}
  boom: {{mass: 4, com: [1, 0, 0], inertia: [0.1, 1, 1]}}
joints:
  pin: {{type: revolute, parent: world, child: bus, axis: [0, 0, 1], torque: torque, initial: {{rate: 0.001}}}}
  root: {{type: revolute, parent: bus, child: boom, parent_point: [0.5, 0, 0], axis: [0, 0, 1], stiffness: 400, damping: 3}}
signals:
  command: "{}*(-20*pin.angle - 12*pin.rate)"
  torque: {{delay: {{input: command, time: {}}}}}
simulation: {{duration: {}, integrator: {{method: dopri5, tolerance: 1e-9}}}}
output: {{interval: 0.02, record: [pin.angle]}}
)yaml",
                     gain, delay, duration);
}

/// The largest angle late in a run over that of the middle: above one it grows.
double growth(double gain, double delay) {
  const Flight flight(servo(gain, delay, 30), {}, Flight::Expect::finish);
  return flight.peak("pin.angle", 25, 30) / flight.peak("pin.angle", 15, 20);
}

TEST(Limits, MarginsAreWhereTheSimulationBeginsToGrow) {
  const double delay = 0.05;
  const Loaded loaded = load(servo(1, delay, 1));
  ASSERT_TRUE(loaded.model);
  LinearizeSettings settings;
  settings.open = {"command"};
  const LinearModel opened = linearize(*loaded.model, initial_point(*loaded.model), settings);
  const Margins margins = find_margins(opened, "command", true);
  double gain = 1e300;  // the least factor above one
  for (const Crossover& c : margins.gain) {
    if (c.margin > 1) gain = std::min(gain, c.margin);
  }
  ASSERT_LT(gain, 100);
  ASSERT_TRUE(margins.delay);
  // a hundredth beyond the limit grows, a hundredth before it falls
  EXPECT_LT(growth(0.99 * gain, delay), 1) << gain;
  EXPECT_GT(growth(1.01 * gain, delay), 1) << gain;
  EXPECT_LT(growth(1, delay + 0.98 * margins.delay->margin), 1) << margins.delay->margin;
  EXPECT_GT(growth(1, delay + 1.02 * margins.delay->margin), 1) << margins.delay->margin;
}

// A mass on two equal springs in a plane that turns: w0 + Omega and w0 - Omega, the pendulum of Foucault.
TEST(Limits, AMassOnSpringsThatTurnHasTheFrequenciesOfAGyroscopicPair) {
  const double w0 = 3, Omega = 0.7;
  const Loaded loaded = load(fmt::format(R"yaml(
gyrostat: 1
bodies:
  table: {{mass: 5, inertia: [1, 1, 1]}}
  ball: {{mass: 2, point_mass: true}}
joints:
  shaft: {{type: revolute, parent: world, child: table, axis: [0, 0, 1], prescribed: {{position: "{}*t"}}}}
  springs: {{type: translation, parent: table, child: ball, axes: [[1, 0, 0], [0, 1, 0]], stiffness: {}}}
simulation: {{duration: 1}}
)yaml",
                                         Omega, 2 * w0 * w0));
  ASSERT_TRUE(loaded.model) << loaded.problems.all().front().message;
  const LinearModel linear = linearize(*loaded.model, initial_point(*loaded.model), {});
  const Modes modes = find_modes(linear.A);
  ASSERT_EQ(modes.modes.size(), 2U);
  EXPECT_NEAR(modes.modes[0].eigenvalue.imag(), w0 - Omega, 1e-12);
  EXPECT_NEAR(modes.modes[1].eigenvalue.imag(), w0 + Omega, 1e-12);
  EXPECT_NEAR(modes.modes[0].eigenvalue.real(), 0, 1e-12);
  // M = m, G = 2 m Omega J, K = m (w0^2 - Omega^2)
  const SecondOrder& s = linear.second_order;
  EXPECT_TRUE(s.M.isApprox(2 * Eigen::Matrix2d::Identity(), 1e-13)) << s.M;
  EXPECT_NEAR(std::abs(s.G(0, 1)), 2 * 2 * Omega, 1e-12);
  EXPECT_TRUE(s.D.isZero(1e-12)) << s.D;
  EXPECT_TRUE(s.K.isApprox(2 * (w0 * w0 - Omega * Omega) * Eigen::Matrix2d::Identity(), 1e-12)) << s.K;
}

// Out of the plane, hub without radius: Wright, Smith, Thresher and Wang (1982). The mesh leaves 1e-6.
TEST(Limits, ARotatingBeamHasThePublishedFrequency) {
  struct Speed {
    double gamma, first;
  };
  for (const auto& [gamma, first] : {Speed{2, 4.13731957}, Speed{6, 7.36037302}}) {
    const Loaded loaded = load(fmt::format(R"yaml(gyrostat: 1
bodies:
  hub: {{mass: 1, inertia: [1, 1, 1]}}
  blade: {{flexible: {{beam: {{to: [1, 0, 0], elements: 24, mass_per_length: 1, EI: [1, 1e6]}}, modes: {{count: 30}}}}}}
joints:
  shaft: {{type: revolute, parent: world, child: hub, axis: [0, 0, 1], prescribed: {{position: "{} * t"}}}}
  root: {{type: weld, parent: hub, child: blade.root}}
simulation: {{duration: 1}})yaml",
                                           gamma));
    ASSERT_TRUE(loaded.model);
    const LinearModel linear = linearize(*loaded.model, initial_point(*loaded.model), {});
    const Modes modes = find_modes(linear.A);
    EXPECT_NEAR(modes.modes.front().natural_frequency() / first, 1, 2e-6) << gamma;
    EXPECT_LT(std::abs(modes.modes.front().damping_ratio()), 1e-9);
  }
}

// JPL's total linearisation (Eq. 13) is a formulation of its own: its derivatives at rest are those of the linear
// model.
TEST(Limits, TheLinearModelIsThatOfFleischerAndLikins) {
  const Loaded loaded = load(R"yaml(
gyrostat: 1
bodies:
  bus: {mass: 40, inertia: {xx: 8, yy: 9, zz: 11, xy: -0.4, xz: 0.3, yz: -0.6}, com: [0.1, 0, 0.05]}
  hub: {mass: 6, inertia: [0.3, 0.4, 0.5], com: [0.1, 0.2, 0]}
  dish: {mass: 3, inertia: [0.3, 0.2, 0.25], com: [0, 0.3, 0.4]}
  boom: {mass: 2, inertia: [0.5, 0.02, 0.5], com: [0, 1, 0]}
joints:
  base: {type: free, parent: world, child: bus}
  pan: {type: revolute, parent: bus, child: hub, parent_point: [0, 0, 1], axis: [0, 0, 1], stiffness: 30, damping: 0.4, initial: {angle: 0.5}, rest: 0.5}
  tilt: {type: revolute, parent: hub, child: dish, parent_point: [0.2, 0, 0.1], axis: [1, 0, 0], stiffness: 12, damping: 0.1, initial: {angle: -0.3}, rest: -0.3}
  root: {type: revolute, parent: bus, child: boom, parent_point: [0, 1, 0], axis: [1, 0, 0], stiffness: 7, damping: 0.05}
simulation: {duration: 1}
)yaml");
  ASSERT_TRUE(loaded.model) << loaded.problems.all().front().message;
  const OperatingPoint point = initial_point(*loaded.model);
  const LinearModel linear = linearize(*loaded.model, point, {});
  const Plant plant(*loaded.model, "linear_total");
  PlantRun run(plant);
  Eigen::VectorXd y;
  run.start(y);
  const auto size = static_cast<Index>(plant.size()), m = static_cast<Index>(linear.coordinates);
  std::vector<double> q(plant.layout().nq), u(plant.layout().nu), unit(plant.layout().nu);
  plant.layout().scatter(y.data(), q.data(), u.data());
  const auto rates = [&](const Eigen::VectorXd& at) {
    Eigen::VectorXd ydot(size), speeds(m);
    run.derivative(0, at.data(), ydot.data());
    for (Index k = 0; k < m; ++k) {
      speeds[k] = ydot[static_cast<Index>(plant.layout().u + linear.speeds[static_cast<std::size_t>(k)])];
    }
    return speeds;
  };
  for (Index k = 0; k < 2 * m; ++k) {
    const std::uint32_t speed = linear.speeds[static_cast<std::size_t>(k % m)];
    Eigen::VectorXd direction = Eigen::VectorXd::Zero(size);
    if (k < m) {
      unit[speed] = 1;
      plant.layout().gather_rates(y.data(), q.data(), unit.data(), direction.data());
      unit[speed] = 0;
    } else {
      direction[static_cast<Index>(plant.layout().u + speed)] = 1;
    }
    const double h = 1e-4;
    const Eigen::VectorXd by = (rates(y + h * direction) - rates(y - h * direction)) / (2 * h);
    for (Index r = 0; r < m; ++r) {
      EXPECT_NEAR(linear.A(m + r, k), by[r], 2e-7 * (1 + std::abs(by[r])))
          << linear.states[static_cast<std::size_t>(m + r)].name << " by "
          << linear.states[static_cast<std::size_t>(k)].name;
    }
  }
}

}  // namespace limits_test
}  // namespace gyrostat::testing
