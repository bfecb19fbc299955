// Inputs, loops and flexible bodies of the linear model, and steady motions.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/analysis/linearize.h"
#include "gyrostat/analysis/modes.h"
#include "gyrostat/analysis/trim.h"

#include "support/closed_loops.h"
#include "support/load.h"
#include "support/random_flight.h"

namespace gyrostat::testing {
namespace steady_test {

using Index = Eigen::Index;

/// What the plant does when every input of the analysis points has a value.
TEST(Linearize, InputsActAsTheModelWithThemWrittenInto) {
  const auto text = [](double signal, double torque, double force) {
    return fmt::format(R"yaml(
gyrostat: 1
bodies:
  bus: {{mass: 20, inertia: [3, 4, 5], points: {{jet: [0.3, 0.2, -0.1]}}, wheels: {{rw: {{axis: [0, 0, 1], inertia: 0.1, rate: 50}}}}}}
  arm: {{mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.2]}}
joints:
  base: {{type: free, parent: world, child: bus, initial: {{omega: [0.1, 0.2, 0.3], velocity: [1, 0, 0]}}}}
  hinge: {{type: revolute, parent: bus, child: arm, parent_point: [1, 0, 0], axis: [0, 1, 0], torque: "-drive + {1}", initial: {{angle: 0.4, rate: 0.3}}}}
signals:
  plain: "2*hinge.angle + bus.omega_x^2"
  drive: "3*(plain + {0}) + sin(plain + {0})"
loads:
  - {{body: bus, point: jet, force: [0, "{2}", 0]}}
simulation: {{duration: 1}}
)yaml",
                       signal, torque, force);
  };
  const Loaded loaded = load(text(0, 0, 0));
  ASSERT_TRUE(loaded.model);
  LinearizeSettings settings;
  settings.inputs = {"plain", "hinge.torque", "bus.jet.force_y"};
  settings.outputs = {"drive"};
  const LinearModel linear = linearize(*loaded.model, initial_point(*loaded.model), settings);
  const auto rates = [&](int input, double h) {
    const Loaded changed = load(text(input == 0 ? h : 0, input == 1 ? h : 0, input == 2 ? h : 0));
    const Plant plant(*changed.model, "articulated_body");
    PlantRun run(plant);
    Eigen::VectorXd y, ydot(static_cast<Index>(plant.size()));
    run.start(y);
    run.derivative(0, y.data(), ydot.data());
    Eigen::VectorXd all(ydot.size() + 1);
    run.evaluate(0, y.data(), Stage::signals);
    all << ydot, run.value(plant.signals().outputs[1][0]);
    return all;
  };
  const Plant plant(*loaded.model, "articulated_body");
  for (int input = 0; input < 3; ++input) {
    const Eigen::VectorXd by = (rates(input, 1e-4) - rates(input, -1e-4)) / 2e-4;
    for (std::size_t k = 0; k < linear.coordinates; ++k) {
      const Index row = static_cast<Index>(linear.coordinates + k);
      const auto place = static_cast<Index>(plant.layout().u + linear.speeds[k]);
      const std::string& name = linear.states[static_cast<std::size_t>(row)].name;
      if (name.starts_with("base.velocity")) continue;  // in axes of the bus, which are those of the world here
      EXPECT_NEAR(linear.B(row, input), by[place], 1e-7 * (1 + std::abs(by[place]))) << name << " by " << input;
    }
    EXPECT_NEAR(linear.D(0, input), by[by.size() - 1], 1e-7);
  }
  EXPECT_EQ(linear.inputs[1].unit, "N*m");
}

/// Along perturbations that stay on the constraints, the rates change as A says, but for second-order terms.
TEST(Linearize, HoldsOnTheConstraintsOfRandomLoops) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomModelOptions options;
    options.most_bodies = 5;
    options.massless = options.point_masses = 0;
    const Loaded loaded = load_description(with_loops(seed, random_description(seed, options)));
    if (!loaded.model || loaded.model->system.constraints.empty()) continue;
    OperatingPoint point;
    LinearModel linear;
    try {
      point = initial_point(*loaded.model);
      linear = linearize(*loaded.model, point, {});
    } catch (const std::exception&) {
      continue;
    }
    const auto m = static_cast<Index>(linear.coordinates);
    if (m == 0) continue;
    const Plant plant(*loaded.model, "articulated_body");
    PlantRun run(plant);
    run.set_discrete(point.discrete);
    Random random(seed);
    Eigen::VectorXd x(2 * m);
    for (Index k = 0; k < x.size(); ++k) x[k] = random.uniform(-1, 1);
    // the state on the constraints whose independent coordinates and speeds have changed so
    const auto independent = [&](const Eigen::VectorXd& y) {
      std::vector<double> q(plant.layout().nq), u(plant.layout().nu);
      plant.layout().scatter(y.data(), q.data(), u.data());
      return std::pair(q, u);
    };
    bool simple = true;  // all independent coordinates are plain ones
    for (const std::uint32_t u : linear.speeds) {
      simple = simple && std::ranges::none_of(plant.layout().rotations,
                                              [&](const Layout::Rotation& r) { return u >= r.u && u < r.u + 3; });
    }
    for (const Joint& joint : plant.system().joints) {  // a body that turns has its position in its own axes
      if (joint.type != JointType::free) continue;
      simple = simple && std::ranges::none_of(linear.speeds,
                                              [&](std::uint32_t u) { return u >= joint.u && u < joint.u + joint.nu; });
    }
    if (!simple) continue;
    const auto place = [&](std::uint32_t u) {
      for (const Layout::Run& r : plant.layout().runs) {
        if (u >= r.u && u < r.u + r.count) return r.q + (u - r.u);
      }
      return std::size_t{0};
    };
    const auto [q0, u0] = independent(point.y);
    const auto moved = [&, q0 = q0](double h) {
      Eigen::VectorXd y = point.y;
      Eigen::VectorXd along = linear.basis * x.head(m), rates(static_cast<Index>(plant.size()));
      plant.layout().gather_rates(y.data(), q0.data(), along.data(), rates.data());
      y.head(static_cast<Index>(plant.layout().u)) += h * rates.head(static_cast<Index>(plant.layout().u));
      plant.layout().project(y.data());
      const Eigen::VectorXd speeds = linear.basis * x.tail(m);
      y.segment(static_cast<Index>(plant.layout().u), speeds.size()) += h * speeds;
      run.project(0, y.data(), 1e-15);
      return y;
    };
    const auto observe = [&, q0 = q0, u0 = u0](double h, Eigen::VectorXd& change, Eigen::VectorXd& rates) {
      const Eigen::VectorXd y = moved(h);
      Eigen::VectorXd ydot(y.size());
      run.derivative(0, y.data(), ydot.data());
      const auto [q, u] = independent(y);
      change.resize(2 * m);
      rates.resize(m);
      for (Index k = 0; k < m; ++k) {
        const std::uint32_t s = linear.speeds[static_cast<std::size_t>(k)];
        change[k] = q[place(s)] - q0[place(s)];
        change[m + k] = u[s] - u0[s];
        rates[k] = ydot[static_cast<Index>(plant.layout().u + s)];
      }
    };
    const double h = 1e-4;
    Eigen::VectorXd up, down, rates_up, rates_down;
    observe(h, up, rates_up);
    observe(-h, down, rates_down);
    const Eigen::VectorXd expected = linear.A.middleRows(m, m).leftCols(2 * m) * (up - down);
    const double size = 1 + rates_up.cwiseAbs().maxCoeff() + expected.cwiseAbs().maxCoeff() / h;
    if (size > 1e3) continue;
    EXPECT_LT((rates_up - rates_down - expected).cwiseAbs().maxCoeff(), 2e-5 * h * size) << "seed " << seed;
    ++checked;
  }
  EXPECT_GT(checked, 15);
}

TEST(Trim, APendulumUnderATorqueHangsWhereItBalances) {
  const Loaded loaded = load(R"yaml(
gyrostat: 1
bodies: {rod: {mass: 3, com: [0, 0, -0.5], inertia: [0.25, 0.25, 0.01]}}
joints: {pivot: {type: revolute, parent: world, child: rod, axis: [0, 1, 0], torque: 2, initial: {angle: 0.3, rate: 0.2}}}
environment: {gravity: {uniform: [0, 0, -9.81]}}
simulation: {duration: 1}
)yaml");
  const Trim found = trim(*loaded.model, initial_point(*loaded.model), {});
  ASSERT_TRUE(found.found());
  EXPECT_NEAR(std::abs(found.to.q[0]), std::asin(2 / (3 * 9.81 * 0.5)), 1e-11);
  EXPECT_NEAR(found.to.u[0], 0, 1e-11);
  EXPECT_TRUE(found.neutral.empty());
  TrimSettings held;
  held.hold = {"pivot.angle"};
  const Trim none = trim(*loaded.model, initial_point(*loaded.model), held);
  ASSERT_FALSE(none.found());
  EXPECT_EQ(none.left[0].name, "pivot.rate");
  held.hold = {"pivto.angle"};
  EXPECT_THROW(trim(*loaded.model, initial_point(*loaded.model), held), AnalysisError);
}

TEST(Trim, AHingedArmStandsOutWhereTheSpinHoldsItsSpring) {
  const Loaded loaded = load(R"yaml(
gyrostat: 1
bodies:
  bus: {mass: 100, inertia: [30, 30, 50]}
  a: {mass: 4, com: [0.5, 0, 0], inertia: [0.01, 0.3, 0.3]}
  b: {mass: 4, com: [-0.5, 0, 0], inertia: [0.01, 0.3, 0.3]}
joints:
  base: {type: free, parent: world, child: bus, initial: {omega: [0, 0, 3]}}
  left: {type: revolute, parent: bus, child: a, parent_point: [1, 0, 0], axis: [0, 0, 1], stiffness: 20, rest: 0.4}
  right: {type: revolute, parent: bus, child: b, parent_point: [-1, 0, 0], axis: [0, 0, 1], stiffness: 20, rest: 0.4}
simulation: {duration: 1}
)yaml");
  TrimSettings settings;
  settings.motion = SteadyMotion::spin;
  const Trim found = trim(*loaded.model, initial_point(*loaded.model), settings);
  ASSERT_TRUE(found.found()) << found.left[0].name << " " << found.left[0].rate;
  const double angle = found.to.q[loaded.model->system.coordinate("left.angle")];
  const double w = found.to.u[2];
  EXPECT_NEAR(w, 3, 1e-12);
  // m w^2 R l sin(angle) = k (rest - angle)
  EXPECT_NEAR(4 * w * w * 1 * 0.5 * std::sin(angle), 20 * (0.4 - angle), 1e-8);
  EXPECT_NEAR(found.to.q[loaded.model->system.coordinate("right.angle")], angle, 1e-9);
  // and it goes on so
  const LinearModel linear = linearize(*loaded.model, found.point, {});
  EXPECT_LT(linear.rates.cwiseAbs().maxCoeff(), 1e-9);
}

/// What rounding leaves of speeds would turn the axes to which a linear model refers.
TEST(Trim, AtRestLeavesNothingOfSpeeds) {
  const Loaded loaded = load(R"yaml(
gyrostat: 1
bodies:
  bus: {mass: 20, inertia: [3, 4, 5]}
  arm: {mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.2]}
joints:
  base: {type: free, parent: world, child: bus, initial: {omega: [0.01, -0.02, 0.03], velocity: [0.1, 0, 0.3]}}
  hinge: {type: revolute, parent: bus, child: arm, parent_point: [1, 0, 0], axis: [0, 1, 0], stiffness: 2, damping: 0.1, initial: {angle: 0.1, rate: 0.3}}
loads:
  - {body: bus, torque: ["0.01 - 2*bus.roll - 3*bus.omega_x", "-2*bus.pitch - 3*bus.omega_y", "-2*bus.yaw - 3*bus.omega_z"]}
  - {body: bus, force: ["-bus.velocity_x", "-bus.velocity_y", "-bus.velocity_z"], axes: world}
simulation: {duration: 1}
)yaml");
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Trim found = trim(*loaded.model, initial_point(*loaded.model), {});
  EXPECT_TRUE(found.failure.empty() && found.left.empty()) << found.failure;
  EXPECT_TRUE(found.to.u.isZero(0)) << found.to.u.transpose();
  const LinearModel linear = linearize(*loaded.model, found.point, {});
  EXPECT_THAT(linear.notes, ::testing::IsEmpty());
}

TEST(Trim, RefusesWhatCannotTurnSo) {
  const Loaded loaded = load(R"yaml(
gyrostat: 1
bodies: {bus: {mass: 1, inertia: [1, 1, 1]}}
simulation: {duration: 1}
)yaml");
  TrimSettings settings;
  settings.motion = SteadyMotion::orbit;
  EXPECT_THROW(trim(*loaded.model, initial_point(*loaded.model), settings), AnalysisError);
  settings.motion = SteadyMotion::spin;
  EXPECT_THROW(trim(*loaded.model, initial_point(*loaded.model), settings), AnalysisError);
}

}  // namespace steady_test
}  // namespace gyrostat::testing
