// Motions that are imposed: their accelerations, and what it takes to drive them.
#include <cmath>

#include <gtest/gtest.h>

#include "support/at_start.h"

namespace gyrostat::testing {
namespace {

/// A body of 2 kg and 2.5 kg m^2 about z that slides along z or turns about it, as told.
std::string driven(const std::string& type, const std::string& motion, const std::string& more = "") {
  return R"(gyrostat: 1
parameters: {A: 0.1}
tables:
  cubic: {x: [-1, 0, 1, 2], y: [-1, 0, 1, 8], interpolation: cubic}
  bent: {x: [-1, 0.5, 2], y: [0, 3, 12]}
signals: {command: "1.5*t^2 + t", of_command: "2*command"}
bodies: {a: {mass: 2, inertia: [1, 2, 2.5]}}
joints: {j: {type: )" +
         type + ", axis: [0, 0, 1], parent: world, child: a, prescribed: {" + motion + "}" + more + "}}\n";
}

/// Position, speed, acceleration and driving force of the prismatic joint with that position.
void expect_motion(const std::string& position, double q, double u, double udot) {
  SCOPED_TRACE(position);
  const AtStart at(driven("prismatic", "position: \"" + position + "\""));
  EXPECT_NEAR(at.state.q[0], q, 1e-14);
  EXPECT_NEAR(at.state.u[0], u, 1e-14);
  expect_numbers(at.accelerations("j"), {udot});
  expect_numbers(at.driving("j"), {2 * udot});
}

TEST(PrescribedPosition, ItsSecondDerivativeIsTheAcceleration) {
  expect_motion("0.1*sin(2*t)+0.05*t^2", 0, 0.2, 0.1);
  expect_motion("A*cos(2*t)+0.05*t^2", 0.1, 0, -0.3);
  expect_motion("0.1*sin(2*t + 1)", 0.1 * std::sin(1), 0.2 * std::cos(1), -0.4 * std::sin(1));
  expect_motion("exp(3*t)/9", 1 / 9.0, 1 / 3.0, 1);
  expect_motion("sqrt(1 + t)", 1, 0.5, -0.25);
  expect_motion("(1 + t)^2.5", 1, 2.5, 3.75);
  expect_motion("1/(1 + t)", 1, -1, 2);
  expect_motion("1*atan2(t, 1 + t)", 0, 1, -2);
  expect_motion("2", 2, 0, 0);
}

TEST(PrescribedPosition, FollowsATable) {
  expect_motion("table(cubic, t + 0.5)", 0.125, 0.75, 3);
  expect_motion("table(cubic, 2*t + 0.5)", 0.125, 1.5, 12);
  expect_motion("table(cubic, 0.5 + t^2)", 0.125, 0, 1.5);
  expect_motion("table(bent, t)", 2, 2, 0);
}

TEST(PrescribedPosition, MayBeASignalOfTime) {
  expect_motion("of_command", 0, 2, 6);
  expect_motion("command + of_command", 0, 3, 9);
}

TEST(PrescribedPosition, ChoosesItsBranchAtTheStart) {
  expect_motion("t < 1 ? t^2 : 0", 0, 0, 2);
  expect_motion("max(t^2, -1)", 0, 0, 2);
  expect_motion("3*ramp(0)", 0, 3, 0);
  expect_motion("3*ramp(1) + step(0)", 1, 0, 0);
  expect_motion("clamp(t^2, -1, 1)", 0, 0, 2);
}

TEST(PrescribedPosition, OfARevoluteJointNeedsATorque) {
  const AtStart at(driven("revolute", "position: \"deg(90) + 2*t^2\""));
  expect_numbers(at.accelerations("j"), {4});
  expect_numbers(at.driving("j"), {10});
  expect_vector(at.reaction("j").torque, {0, 0, 10});
}

TEST(PrescribedAcceleration, NeedsItsForce) {
  const AtStart at(driven("prismatic", "acceleration: 3", ", initial: {displacement: 1, speed: 5}"));
  EXPECT_EQ(at.state.q[0], 1);
  EXPECT_EQ(at.state.u[0], 5);
  expect_numbers(at.accelerations("j"), {3});
  expect_numbers(at.driving("j"), {6});
}

TEST(PrescribedAcceleration, MaySeeTheMotion) {
  const AtStart at(driven("prismatic", "acceleration: \"-4*j.displacement - j.speed + of_command\"",
                          ", initial: {displacement: 1, speed: 5}"));
  expect_numbers(at.accelerations("j"), {-9});
  expect_numbers(at.driving("j"), {-18});
}

TEST(PrescribedAcceleration, OfSeveralCoordinatesIsAList) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 2, inertia: [1, 2, 2.5]}, b: {mass: 2, inertia: [1, 2, 2.5]}}
joints:
  j: {type: spherical, parent: world, child: a, prescribed: {acceleration: [1, 2, 3]}}
  base: {type: free, parent: world, child: b, prescribed: {acceleration: [1, 2, 3, 4, 5, 6]}}
)");
  expect_numbers(at.accelerations("j"), {1, 2, 3});
  expect_numbers(at.driving("j"), {1, 4, 7.5});
  expect_numbers(at.accelerations("base"), {1, 2, 3, 4, 5, 6});
  expect_numbers(at.driving("base"), {1, 4, 7.5, 8, 10, 12});
}

TEST(PrescribedPosition, OfSeveralCoordinatesIsAList) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 2, inertia: [1, 2, 2.5]}}
joints: {j: {type: cylindrical, axis: [0, 0, 1], parent: world, child: a,
  prescribed: {position: ["t^2", "3*t + 4*t^2"]}}}
)");
  expect_numbers(at.accelerations("j"), {2, 8});
  expect_numbers(at.driving("j"), {5, 16});
}

TEST(Driving, IsWhatTheOtherForcesLeaveToBeDone) {
  const AtStart at(
      driven("prismatic", "position: \"0.5 + 2*t + 1.5*t^2\"", ", stiffness: 10, rest: 0.1, damping: 4, torque: 7") +
      "environment: {gravity: {uniform: [0, 0, -10]}}\nloads: [{body: a, force: [0, 0, 2]}]\n");
  expect_numbers(at.accelerations("j"), {3});
  expect_numbers(at.driving("j"), {2 * 3 + 20 - 2 - (7 - 4 - 8)});
}

TEST(Driving, ACarrierThatIsPushedAlongReactsOnItsFreeBase) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 6, inertia: [1, 2, 2.5]}, b: {mass: 2, inertia: [1, 2, 2.5]}}
joints:
  base: {}
  j: {type: prismatic, axis: [0, 0, 1], parent: a, child: b, prescribed: {position: "2*t^2"}}
)");
  expect_numbers(at.accelerations("base"), {0, 0, 0, 0, 0, -1});  // the com stays: 6 (-1) + 2 (3) = 0
  expect_numbers(at.accelerations("j"), {4});
  expect_numbers(at.driving("j"), {6});
}

TEST(Driving, OfAJointWhoseChildIsNearerTheBaseHasTheUsersSign) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 6, inertia: [1, 2, 2.5]}, b: {mass: 2, inertia: [1, 2, 2.5]}}
joints:
  base: {}
  j: {type: prismatic, axis: [0, 0, 1], parent: b, child: a, prescribed: {position: "2*t^2"}}
)");
  expect_numbers(at.accelerations("base"), {0, 0, 0, 0, 0, 1});
  expect_numbers(at.accelerations("j"), {4});
  expect_numbers(at.driving("j"), {6});
}

TEST(PrescribedWheel, FollowsItsSpeedWhateverTheExpression) {
  const AtStart at(R"(gyrostat: 1
signals: {w: 10*sin(2*t)}
bodies: {a: {mass: 2, inertia: [1, 2, 2.5], wheels: {u: {axis: [0, 0, 1], inertia: 0.5, speed: w},
  v: {axis: [0, 0, 1], inertia: 0.5, speed: 7}}}}
joints: {j: {type: weld, parent: world, child: a}}
)");
  EXPECT_DOUBLE_EQ(at.wheel_acceleration("a.u"), 20);
  EXPECT_DOUBLE_EQ(at.wheel_acceleration("a.v"), 0);
  EXPECT_DOUBLE_EQ(at.reactions.driving[at.wheel("a.u").u], 10);
  EXPECT_DOUBLE_EQ(at.reactions.driving[at.wheel("a.v").u], 0);
  expect_vector(at.reaction("j").torque, {0, 0, 10});
}

}  // namespace
}  // namespace gyrostat::testing
