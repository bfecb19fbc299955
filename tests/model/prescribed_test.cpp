// Where prescribed motions begin: the value of the given function at t = 0, and its rate by the chain rule.
#include <cmath>
#include <numbers>

#include "support/load.h"

namespace gyrostat {
namespace {

using ::testing::HasSubstr;

const std::string bodies = R"(gyrostat: 1
parameters: {w: 2 rad/s, A: 30 deg}
tables: {f: {x: [-1, 0, 1], y: [0, 0.5, 2], interpolation: linear}}
bodies:
  a: {mass: 10, inertia: [1, 1, 1], wheels: {rw: {axis: [0, 0, 1], inertia: 0.1, speed: "100 + 7*t"}}}
  b: {mass: 5, com: [1, 0, 0], inertia: [1, 1, 1]}
)";

Loaded with_position(const std::string& position, const std::string& signals = "") {
  return testing::load(bodies +
                       "joints:\n  base: {type: weld}\n  j: {type: revolute, parent: a, child: b, axis: [0, 0, 1], "
                       "prescribed: {position: \"" +
                       position + "\"}}\n" + signals);
}

TEST(PrescribedState, IsTheFunctionAndItsRateAtTheStart) {
  const Loaded loaded = with_position("A*sin(w*t + pi/6) + 0.1*t^2");
  ASSERT_TRUE(loaded.model) << testing::problems_of(loaded);
  const double A = std::numbers::pi / 6;
  EXPECT_NEAR(loaded.model->system.initial.q[0], A * std::sin(std::numbers::pi / 6), 1e-15);
  EXPECT_NEAR(loaded.model->system.initial.u[0], A * 2 * std::cos(std::numbers::pi / 6), 1e-15);
}

TEST(PrescribedState, GoesThroughSignalsInAnyOrderAndTables) {
  const Loaded loaded =
      with_position("2*s2", "signals: {s2: \"s1 + table(f, t)\", s1: \"deg(90) + 3*t\", other: \"a.omega_x\"}\n");
  ASSERT_TRUE(loaded.model) << testing::problems_of(loaded);
  EXPECT_NEAR(loaded.model->system.initial.q[0], 2 * (std::numbers::pi / 2 + 0.5), 1e-15);
  EXPECT_NEAR(loaded.model->system.initial.u[0], 2 * (3 + 1.5), 1e-15);
}

TEST(PrescribedState, OfAWheelIsItsRate) {
  const Loaded loaded = with_position("0");
  ASSERT_TRUE(loaded.model);
  EXPECT_EQ(loaded.model->system.initial.u[loaded.model->system.wheels[0].u], 100);
}

TEST(PrescribedState, IsWhereTheMassOfTheWholeIs) {
  const Loaded loaded = with_position("deg(90) + 1*t");
  ASSERT_TRUE(loaded.model);
  const Vector3 com = total_mass_properties(loaded.model->system, loaded.model->system.initial.q).com;
  EXPECT_LT((com - Vector3(0, 1.0 / 3, 0)).norm(), 1e-15);
}

TEST(PrescribedState, ThatIsNotFiniteIsAnError) {
  EXPECT_EQ(testing::problems_of(with_position("1/t")),
            "m.yaml:9:84: error: joints.j.prescribed.position: is not finite at t = 0 (value inf, rate -inf)\n");
  EXPECT_THAT(testing::problems_of(with_position("sqrt(t)")), HasSubstr("is not finite at t = 0 (value 0, rate inf)"));
}

TEST(PrescribedState, CannotComeFromABlock) {
  EXPECT_THAT(testing::problems_of(with_position("s", "signals: {s: {noise: {seed: 1, std: 1, period: 1}}}\n")),
              HasSubstr("a prescribed motion is an expression of t"));
}

}  // namespace
}  // namespace gyrostat
