// Linear models of joints that may be held: those of the present state.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/analysis/linearize.h"

#include "support/load.h"

namespace gyrostat::testing {
namespace analysis_restraints_test {

std::vector<std::string> states_at(const std::string& fields, double t) {
  const Loaded loaded = load(R"(gyrostat: 1
bodies: {bus: {mass: 4, inertia: [3, 3, 3]}, panel: {mass: 1, inertia: [1, 1, 1]}}
joints:
  mount: {type: weld, parent: world, child: bus}
  hinge: {type: revolute, parent: bus, child: panel, axis: [0, 0, 1], stiffness: 1, )" +
                             fields + R"(}
simulation: {duration: 5, integrator: {method: dopri5}}
)");
  EXPECT_TRUE(loaded.model) << problems_of(loaded);
  const LinearModel linear = linearize(*loaded.model, point_at(*loaded.model, t), {});
  std::vector<std::string> names;
  for (const LinearVariable& state : linear.states) names.push_back(state.name);
  return names;
}

TEST(LinearModel, HasNoStatesOfAJointThatSticks) {
  using ::testing::ElementsAre;
  using ::testing::IsEmpty;
  EXPECT_THAT(states_at("torque: '0.5*t', friction: {coulomb: 1}", 1), IsEmpty());
  EXPECT_THAT(states_at("torque: '0.5*t', friction: {coulomb: 1}", 3), ElementsAre("hinge.angle", "hinge.rate"));
  EXPECT_THAT(states_at("initial: {rate: 1}, latch: {when: 'hinge.angle > 0.5'}", 0.1),
              ElementsAre("hinge.angle", "hinge.rate"));
  EXPECT_THAT(states_at("initial: {rate: 1}, latch: {when: 'hinge.angle > 0.5'}", 1), IsEmpty());
  EXPECT_THAT(states_at("torque: 2, stops: {high: 0.5}", 3), IsEmpty());
}

/// The stiffness of a hinge whose spring is 2 in one state of a machine and 5 in the other, as the linear model has it.
double stiffness_at(double t) {
  const Loaded loaded = load(R"(gyrostat: 1
bodies: {panel: {mass: 1, inertia: [1, 1, 1]}}
joints:
  hinge: {type: revolute, parent: world, child: panel, axis: [0, 0, 1], torque: "-(2*mode.soft + 5*mode.stiff)*hinge.angle"}
signals:
  mode: {modes: {states: {soft: {to: {stiff: t > 1}}, stiff: {to: {soft: "hinge.angle > 3"}}}}}
simulation: {duration: 5}
)");
  EXPECT_TRUE(loaded.model) << problems_of(loaded);
  const LinearModel linear = linearize(*loaded.model, point_at(*loaded.model, t), {});
  EXPECT_EQ(linear.A.rows(), 2);
  return -linear.A(1, 0);
}

TEST(LinearModel, KeepsTheStateOfAStateMachine) {
  EXPECT_NEAR(stiffness_at(0), 2, 1e-9);
  EXPECT_NEAR(stiffness_at(0.5), 2, 1e-9);
  EXPECT_NEAR(stiffness_at(2), 5, 1e-9);
}

TEST(LinearModel, OfAJointThatWasReleasedHasItsStatesAgain) {
  using ::testing::ElementsAre;
  using ::testing::IsEmpty;
  const std::string latch = "initial: {rate: 1}, latch: {when: 'hinge.angle > 0.5', release: 't > 2'}";
  EXPECT_THAT(states_at(latch, 1.5), IsEmpty());
  EXPECT_THAT(states_at(latch, 2.5), ElementsAre("hinge.angle", "hinge.rate"));
}

TEST(LinearModel, HasNoStateOfAWheelAtItsSpeedLimit) {
  const auto states = [](double t) {
    const Loaded loaded = load(R"yaml(gyrostat: 1
bodies: {bus: {mass: 4, inertia: [3, 3, 3], wheels: {rw: {axis: [0, 0, 1], inertia: 0.1, torque: "0.1*(1 - step(20))", speed_limit: 5}}}}
joints: {mount: {type: weld, parent: world, child: bus}}
simulation: {duration: 30}
)yaml");
    EXPECT_TRUE(loaded.model) << problems_of(loaded);
    const LinearModel linear = linearize(*loaded.model, point_at(*loaded.model, t), {});
    std::size_t of_rate = 0;
    for (const LinearVariable& state : linear.states) of_rate += state.name == "bus.rw.rate" ? 1 : 0;
    return of_rate;
  };
  EXPECT_EQ(states(2), 1U);
  EXPECT_EQ(states(10), 0U);
}

}  // namespace analysis_restraints_test
}  // namespace gyrostat::testing
