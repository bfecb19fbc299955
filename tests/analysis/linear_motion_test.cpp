// The linear model beside the nonlinear simulation: what it leaves out is of second order in the disturbance.
#include "gyrostat/analysis/linear_motion.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gyrostat/analysis/trim.h"

#include "support/load.h"

namespace gyrostat::testing {
namespace linear_motion_test {

/// Runs a model with a linear model beside it, and keeps the largest difference of each quantity.
class Beside : public Observer {
 public:
  Beside(const Model& model, const LinearMotionSettings& settings)
      : simulation_(model, RunSettings(model)), motion_(model, settings), linear_(motion_.columns().size()) {
    for (const OutputColumn& column : motion_.columns()) {
      const auto same = std::ranges::find(simulation_.columns(), column.name, &OutputColumn::name);
      places_.push_back(static_cast<std::size_t>(same - simulation_.columns().begin()));
      differences.push_back(0);
    }
    outcome = simulation_.run(*this);
  }

  void record(double t, std::span<const double> row) override {
    advance(t);
    motion_.fill(linear_);
    for (std::size_t k = 0; k < places_.size(); ++k) {
      differences[k] = std::max(differences[k], std::abs(row[places_[k]] - linear_[k]));
      largest = std::max(largest, std::abs(row[places_[k]]));
    }
  }
  void event(double, const Change&) override {}
  void checkpoint(double, const std::string&) override {}
  bool go_on(double t) override {
    advance(t);
    return true;
  }

  [[nodiscard]] double worst() const { return *std::ranges::max_element(differences); }
  [[nodiscard]] const LinearModel& model() const { return motion_.model(); }

  std::vector<double> differences;
  double largest = 0;
  Outcome outcome;

 private:
  void advance(double t) {
    if (!started_) motion_.start(simulation_.state_vector(), simulation_.discrete());
    started_ = true;
    motion_.advance(t);
    motion_.follow(simulation_.discrete());
  }

  Simulation simulation_;
  LinearMotion motion_;
  std::vector<double> linear_;
  std::vector<std::size_t> places_;
  bool started_ = false;
};

Loaded valid(const std::string& text) {
  Loaded loaded = load(text);
  if (!loaded.model) throw std::runtime_error(loaded.problems.all().front().message);
  return loaded;
}

/// The steady motion of the model without disturbance.
OperatingPoint steady(const std::string& text, SteadyMotion motion) {
  const Loaded loaded = valid(text);
  TrimSettings settings;
  settings.motion = motion;
  const Trim found = trim(*loaded.model, initial_point(*loaded.model), settings);
  EXPECT_TRUE(found.found()) << found.residual;
  return found.point;
}

/// `text` gives the model with a disturbance of a size. Half of it leaves a quarter of the difference, or less.
template <class Text>
void expect_second_order(const Text& text, SteadyMotion motion, double size, double largest_ratio = 0.27) {
  const OperatingPoint about = steady(text(0), motion);
  double before = 0;
  for (int halved = 0; halved < 3; ++halved, size *= 0.5) {
    const Loaded loaded = valid(text(size));
    const Beside beside(*loaded.model, {about, {}, 3});
    ASSERT_EQ(beside.outcome.kind, Outcome::Kind::finished) << beside.outcome.failure;
    EXPECT_GT(beside.worst(), 1e-8);  // more than the integrators leave
    EXPECT_LT(beside.worst(), 0.1 * size);
    if (halved > 0) {
      EXPECT_LT(beside.worst() / before, largest_ratio) << "disturbance " << size;
    }
    before = beside.worst();
  }
}

TEST(LinearMotion, OfAPendulumUnderATorque) {
  const auto text = [](double size) {
    return fmt::format(R"yaml(
gyrostat: 1
bodies: {{rod: {{mass: 3, com: [0, 0, -0.5], inertia: [0.25, 0.25, 0.01]}}}}
joints: {{pivot: {{type: revolute, parent: world, child: rod, axis: [0, 1, 0], torque: 8, damping: 0.2, initial: {{angle: {}}}}}}}
environment: {{gravity: {{uniform: [0, 0, -9.81]}}}}
simulation: {{duration: 3, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.1, record: [pivot.angle, pivot.rate]}}
)yaml",
                       size + 0.5751);
  };
  expect_second_order(text, SteadyMotion::rest, 0.05);
}

// Platform and arm with a controller that has states; the base is free.
TEST(LinearMotion, OfASpacecraftWithItsControl) {
  const auto text = [](double size) {
    return fmt::format(R"yaml(
gyrostat: 1
parameters: {{size: {}}}
bodies:
  bus: {{mass: 20, inertia: [3, 4, 5], wheels: {{rw: {{axis: [0, 0, 1], inertia: 0.05, rate: 40, torque: "-0.02*held"}}}}}}
  arm: {{mass: 2, com: [0.5, 0.1, 0], inertia: [0.1, 0.2, 0.2]}}
joints:
  base: {{type: free, parent: world, child: bus, initial: {{omega: [size, "-size/2", "size/3"]}}}}
  hinge: {{type: revolute, parent: bus, child: arm, parent_point: [1, 0, 0], axis: [0, 1, 0], initial: {{angle: size, rate: "-size"}},
          torque: "-6*filtered - 2*hinge.rate + size*ramp(0.5)"}}
signals:
  filtered: {{transfer_function: {{input: hinge.angle, numerator: [20], denominator: [1, 20]}}}}
  held: {{integral: bus.omega_z}}
simulation: {{duration: 2, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.1, record: [hinge.angle, hinge.rate, bus.omega_x, bus.omega_y, bus.omega_z, bus.quaternion_x, bus.quaternion_y, bus.position_x, bus.position_z, filtered, held, bus.rw.rate]}}
)yaml",
                       size);
  };
  expect_second_order(text, SteadyMotion::rest, 0.05);
}

// In axes that turn with it; attitude and position are compared in the world's.
TEST(LinearMotion, OfASpin) {
  const auto text = [](double size) {
    return fmt::format(R"yaml(
gyrostat: 1
parameters: {{size: {}}}
bodies:
  bus: {{mass: 20, inertia: [3, 4, 6]}}
  arm: {{mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.2, 0.2]}}
joints:
  base: {{type: free, parent: world, child: bus, initial: {{omega: [size, "size/2", 1.5], position: ["size", 0, 0]}}}}
  hinge: {{type: revolute, parent: bus, child: arm, parent_point: [1, 0, 0], axis: [0, 1, 0], stiffness: 8, damping: 0.5, initial: {{rate: size}}}}
simulation: {{duration: 4, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.1, record: [hinge.angle, bus.omega_x, bus.omega_y, bus.omega_z, bus.quaternion_w, bus.quaternion_x, bus.quaternion_z, bus.position_x, bus.position_y, bus.velocity_z]}}
)yaml",
                       size);
  };
  expect_second_order(text, SteadyMotion::spin, 0.02);
}

TEST(LinearMotion, OfALibrationInTheGravityGradient) {
  const auto text = [](double size) {
    return fmt::format(R"yaml(
gyrostat: 1
parameters: {{size: {}}}
bodies: {{bus: {{mass: 20, inertia: [7, 6, 2]}}}}
joints:
  base: {{type: free, parent: world, child: bus, initial: {{orientation: {{euler: {{sequence: zyx, angles: ["size", "-1.5707963267948966 + size", 0]}}}}, omega: [0.0010780076124668337, 0, 0]}}}}
environment:
  orbit: {{semi_major_axis: 7000 km, eccentricity: 0, inclination: 0}}
  gravity_gradient: perturbation
simulation: {{duration: 3000, integrator: {{method: dopri5, tolerance: 1e-12}}}}
output: {{interval: 100, record: [bus.quaternion_w, bus.quaternion_x, bus.quaternion_y, bus.quaternion_z]}}
)yaml",
                       size);
  };
  expect_second_order(text, SteadyMotion::orbit, 0.04);
}

TEST(LinearMotion, OfALinkage) {
  const auto text = [](double size) {
    return fmt::format(R"yaml(
gyrostat: 1
bodies:
  crank: {{mass: 1, com: [0.25, 0, 0], inertia: [0.01, 0.05, 0.05]}}
  coupler: {{mass: 2, com: [0.5, 0, 0], inertia: [0.01, 0.2, 0.2]}}
  rocker: {{mass: 1, com: [0.4, 0, 0], inertia: [0.01, 0.1, 0.1]}}
joints:
  a: {{type: revolute, parent: world, child: crank, axis: [0, 0, 1], initial: {{angle: 1.2}}, stiffness: 20, rest: 1.2, damping: 0.4, torque: "{}*pulse(0, 0.3)"}}
  b: {{type: revolute, parent: crank, child: coupler, parent_point: [0.5, 0, 0], axis: [0, 0, 1], initial: {{angle: -0.8598}}}}
  c: {{type: revolute, parent: world, child: rocker, parent_point: [1.1, 0, 0], axis: [0, 0, 1], initial: {{angle: 1.5409}}}}
  d: {{type: revolute, parent: coupler, child: rocker, parent_point: [1, 0, 0], child_point: [0.8, 0, 0], axis: [0, 0, 1]}}
simulation: {{duration: 2, integrator: {{method: dopri5, tolerance: 1e-11}}}}
output: {{interval: 0.1, record: [a.angle, b.angle, c.angle, a.rate, b.rate, c.rate]}}
)yaml",
                       size);
  };
  expect_second_order(text, SteadyMotion::rest, 1);  // N m
}

// Where everything is linear, nothing is left out: steps, ramps and noise included.
TEST(LinearMotion, IsExactForWhatIsLinear) {
  const Loaded loaded = valid(R"yaml(
gyrostat: 1
bodies: {cart: {mass: 2, point_mass: true}}
joints: {rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], stiffness: 18, torque: command, initial: {displacement: 0.3, speed: -1}}}
signals:
  sensor: {noise: {seed: 2, std: 0.05, period: 0.13}}
  measured: "rail.displacement + sensor"
  mean: {integral: measured}
  command: "-3*measured - 2*rail.speed - mean + 2*step(1.1) - ramp(2) + 0.2*sin(5*t)"
simulation: {duration: 4, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.05}
)yaml");
  const Beside beside(*loaded.model, {initial_point(*loaded.model), {}, 3});
  ASSERT_EQ(beside.outcome.kind, Outcome::Kind::finished) << beside.outcome.failure;
  EXPECT_GT(beside.largest, 1);
  std::size_t k = 0;
  for (const double difference : beside.differences) EXPECT_LT(difference, 2e-9) << k++;
}

// The command passes a delay, and a step in it arrives late; the approximation of the delay is what is left.
TEST(LinearMotion, FollowsACommandThroughADelay) {
  const auto worst = [](int order) {
    const Loaded loaded = valid(R"yaml(
gyrostat: 1
bodies: {cart: {mass: 2, point_mass: true}}
joints: {rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], stiffness: 3, damping: 2, torque: late}}
signals:
  command: "0.5*sin(2*t) - rail.displacement"
  late: {delay: {input: command, time: 0.2}}
simulation: {duration: 6, integrator: {method: dopri5, tolerance: 1e-11}}
output: {interval: 0.05, record: [rail.displacement, rail.speed]}
)yaml");
    return Beside(*loaded.model, {initial_point(*loaded.model), {}, order}).worst();
  };
  EXPECT_LT(worst(2), 2e-3);
  EXPECT_LT(worst(5), 2e-4);
  EXPECT_LT(worst(5), 0.5 * worst(2));
}

TEST(LinearMotion, RefusesConstraintsThatAreFunctionsOfTime) {
  const Loaded loaded = valid(R"yaml(
gyrostat: 1
bodies: {cart: {mass: 2, inertia: [1, 1, 1]}}
joints: {rail: {type: cylindrical, parent: world, child: cart, axis: [1, 0, 0]}}
constraints: {drive: {coordinate: rail.displacement, equals: "sin(t)"}}
simulation: {duration: 1}
)yaml");
  try {
    const LinearMotion motion(*loaded.model, {initial_point(*loaded.model), {}, 3});
    FAIL();
  } catch (const AnalysisError& error) {
    EXPECT_NE(std::string(error.what()).find("drive"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("function of time"), std::string::npos) << error.what();
  }
}

}  // namespace linear_motion_test
}  // namespace gyrostat::testing
