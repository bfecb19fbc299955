// Forces and torques on bodies, thrusters, and torques between bodies, against numbers found by hand.
#include <gtest/gtest.h>

#include "support/at_start.h"

namespace gyrostat::testing {
namespace {

/// One free body of 2 kg with moments 1, 2, 2.5 kg m^2, turned a quarter about z: its x axis is the world's y.
std::string turned(const std::string& loads, const std::string& more = "") {
  return R"(gyrostat: 1
parameters: {F: 4 N}
bodies: {a: {mass: 2, inertia: [1, 2, 2.5], points: {p: [1, 0, 0]}}}
joints: {base: {initial: {orientation: {axis: [0, 0, 1], angle: 90 deg}}}}
)" + more +
         "loads:\n" + loads;
}

/// Derivatives of omega (body axes) and velocity (world axes) of the base.
void expect_base(const std::string& text, const Vector3& turning, const Vector3& moving) {
  SCOPED_TRACE(text);
  const AtStart at(text);
  expect_numbers(at.accelerations("base"), {turning.x(), turning.y(), turning.z(), moving.x(), moving.y(), moving.z()});
}

TEST(BodyLoad, AForceActsInBodyAxesAtTheComUnlessSaidOtherwise) {
  expect_base(turned("- {body: a, force: [4, 0, 0]}\n"), {0, 0, 0}, {0, 2, 0});
  expect_base(turned("- {body: a, force: [4, 0, 0], axes: body, point: com}\n"), {0, 0, 0}, {0, 2, 0});
}

TEST(BodyLoad, AForceMayBeGivenInWorldAxes) {
  expect_base(turned("- {body: a, force: [4, 0, 0], axes: world}\n"), {0, 0, 0}, {2, 0, 0});
}

TEST(BodyLoad, AForceAtANamedPointTurnsTheBody) {
  expect_base(turned("- {body: a, force: [0, 5, 0], point: p}\n"), {0, 0, 2}, {-2.5, 0, 0});
}

TEST(BodyLoad, ThePointIsInBodyAxesEvenWhereTheForceIsInWorldAxes) {
  expect_base(turned("- {body: a, force: [0, 5, 0], point: p, axes: world}\n"), {0, 0, 0}, {0, 2.5, 0});
  expect_base(turned("- {body: a, force: [4, 0, 0], point: p, axes: world}\n"), {0, 0, -1.6}, {2, 0, 0});
}

TEST(BodyLoad, AForceMayActAtAPositionWithoutAName) {
  expect_base(turned("- {body: a, force: [3, 0, 0], point: [0, 0, 2]}\n"), {0, 3, 0}, {0, 1.5, 0});
}

TEST(BodyLoad, ATorqueActsInBodyOrWorldAxes) {
  expect_base(turned("- {body: a, torque: [1, 2, 5]}\n"), {1, 1, 2}, {0, 0, 0});
  expect_base(turned("- {body: a, torque: [1, 0, 0], axes: world}\n"), {0, -0.5, 0}, {0, 0, 0});
}

TEST(BodyLoad, ATorqueKnowsNoPoint) {
  expect_base(turned("- {body: a, torque: [1, 2, 5], force: [0, 0, 0], point: [3, 4, 5]}\n"), {1, 1, 2}, {0, 0, 0});
}

TEST(BodyLoad, ForceAndTorqueOfOneLoadAndOfSeveralAddUp) {
  expect_base(turned("- {body: a, force: [0, 5, 0], point: p, torque: [1, 0, 0]}\n"), {1, 0, 2}, {-2.5, 0, 0});
  expect_base(turned("- {body: a, force: [4, 0, 0]}\n- {body: a, force: [4, 0, 0], axes: world}\n"
                     "- {body: a, torque: [1, 2, 5]}\n"),
              {1, 1, 2}, {2, 2, 0});
}

TEST(BodyLoad, ComponentsAreExpressionsOfParametersAndSignals) {
  expect_base(turned("- {body: a, force: [F, \"-s/2\", \"F*cos(t)\"]}\n", "signals: {s: 2*F}\n"), {0, 0, 0}, {2, 2, 2});
}

TEST(BodyLoad, ComponentsMaySeeTheMotion) {
  const std::string text = R"(gyrostat: 1
bodies: {a: {mass: 2, inertia: [1, 1, 1]}}
joints: {base: {initial: {velocity: [1, 2, 3], omega: [0, 0, 4]}}}
loads:
- {body: a, force: ["-2*a.velocity_x", "-2*a.velocity_y", "-2*a.velocity_z"], torque: [0, 0, "-3*a.omega_z"]}
)";
  expect_base(text, {0, 0, -12}, {-1, -2, -3});
}

/// The com is half a metre from the origin.
std::string eccentric(const std::string& load) {
  return "gyrostat: 1\nbodies: {a: {mass: 2, com: [0.5, 0, 0], inertia: [1, 2, 2.5]}}\nloads:\n- " + load + "\n";
}

TEST(BodyLoad, AtTheComItDoesNotTurnABodyWhoseOriginIsElsewhere) {
  expect_base(eccentric("{body: a, force: [0, 4, 0]}"), {0, 0, 0}, {0, 2, 0});
}

TEST(BodyLoad, AtTheOriginItTurnsABodyWhoseComIsElsewhere) {
  // torque about the com -0.5 * 4; the origin moves as the com does and turns about it
  expect_base(eccentric("{body: a, force: [0, 4, 0], point: [0, 0, 0]}"), {0, 0, -0.8}, {0, 2.4, 0});
}

TEST(BodyLoad, OnABodyWhoseJointPointIsNotItsOrigin) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 2, com: [3, 0, 0], inertia: [1, 2, 2.5]}}
joints: {hinge: {type: revolute, parent: world, child: a, child_point: [1, 0, 0], axis: [0, 0, 1]}}
loads: [{body: a, force: [0, 5, 0], point: [4, 1, 0]}]
)");
  expect_numbers(at.tau("hinge"), {0});
  expect_vector(at.force("a"), {0, 5, 0});
  expect_vector(at.torque("a"), {0, 0, 15});
  expect_numbers(at.accelerations("hinge"), {15 / (2.5 + 2 * 4)});
}

TEST(BodyLoad, OnABodyThatTheJointCallsItsParentTurnsTheCoordinateBack) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 2, inertia: [1, 2, 2.5], points: {p: [1, 0, 0]}}}
joints: {hinge: {type: revolute, parent: a, child: world, axis: [0, 0, 1], initial: {angle: 1}}}
loads: [{body: a, force: [0, 5, 0], point: p}]
)");
  expect_numbers(at.accelerations("hinge"), {-2});
}

// --- thrusters ---------------------------------------------------------------------------------------------------

TEST(Thruster, PushesTheBodyAlongItsDirectionWhateverTheLengthOfThat) {
  expect_base(turned("- {thruster: {body: a, point: p, direction: [0, 0, 2], thrust: 4}}\n"), {0, -2, 0}, {0, 0, 2});
}

TEST(Thruster, ItsDirectionTurnsWithTheBody) {
  expect_base(turned("- {thruster: {body: a, point: com, direction: [1, 0, 0], thrust: F}}\n"), {0, 0, 0}, {0, 2, 0});
}

TEST(Thruster, ItsCommandMultipliesTheThrust) {
  const auto commanded = [](const std::string& command) {
    return turned(
        "- {thruster: {body: a, point: [1, 0, 0], direction: [0, 0, 1], thrust: 4, command: " + command + "}}\n",
        "signals: {jet: \"-0.5\", idle: 0}\n");
  };
  expect_base(commanded("jet"), {0, 1, 0}, {0, 0, -1});
  expect_base(commanded("idle"), {0, 0, 0}, {0, 0, 0});
  expect_base(commanded("\"jet*jet*8\""), {0, -4, 0}, {0, 0, 4});
}

TEST(Thruster, ItsThrustMayBeAnExpression) {
  expect_base(turned("- {thruster: {body: a, point: com, direction: [0, 0, 1], thrust: \"F*(2 + 0.5*t)\"}}\n"),
              {0, 0, 0}, {0, 0, 4});
}

// --- torques between bodies --------------------------------------------------------------------------------------

/// Two free bodies; a is turned a quarter about x, so that its z axis is the world's -y.
std::string two(const std::string& load) {
  return R"(gyrostat: 1
bodies: {a: {mass: 2, inertia: [1, 2, 2.5]}, b: {mass: 3, inertia: [1, 2, 2.5], com: [1, 0, 0]}}
joints:
  at: {type: free, parent: world, child: a, initial: {orientation: {axis: [1, 0, 0], angle: 90 deg}}}
  bt: {type: free, parent: world, child: b, child_point: [1, 0, 0]}
loads: [{torque_between: )" +
         load + "}]\n";
}

TEST(TorqueBetween, ActsOnToAboutAnAxisOfFromAndFromGetsTheOpposite) {
  const AtStart at(two("{from: a, to: b, axis: [0, 0, 2], torque: 5}"));
  expect_numbers(at.accelerations("at"), {0, 0, -2, 0, 0, 0});
  expect_numbers(at.accelerations("bt"), {0, -2.5, 0, 0, 0, 0});
}

TEST(TorqueBetween, FromTheWorldHasItsAxisInTheWorld) {
  const AtStart at(two("{from: world, to: a, axis: [0, 0, 1], torque: 5}"));
  expect_numbers(at.accelerations("at"), {0, 2.5, 0, 0, 0, 0});
  expect_numbers(at.accelerations("bt"), {0, 0, 0, 0, 0, 0});
}

TEST(TorqueBetween, ToTheWorldTurnsOnlyTheOther) {
  const AtStart at(two("{from: a, to: world, axis: [0, 0, 1], torque: \"5 + t\"}"));
  expect_numbers(at.accelerations("at"), {0, 0, -2, 0, 0, 0});
  expect_numbers(at.accelerations("bt"), {0, 0, 0, 0, 0, 0});
}

}  // namespace
}  // namespace gyrostat::testing
