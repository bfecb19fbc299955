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

}  // namespace analysis_restraints_test
}  // namespace gyrostat::testing
