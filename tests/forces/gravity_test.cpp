// Uniform gravity: free fall, pendulums, weights, and its energy.
#include <gtest/gtest.h>

#include "support/at_start.h"

namespace gyrostat::testing {
namespace {

const std::string down = "environment: {gravity: {uniform: [0, 0, -10]}}\n";

TEST(Gravity, AFreeBodyFallsAndDoesNotTurn) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 2, com: [1, 2, 3], inertia: [1, 2, 2.5]}}
joints: {base: {child_point: [0, 5, 0], initial: {orientation: {axis: [1, 1, 0], angle: 1}}}}
environment: {gravity: {uniform: [1, 2, -9.81]}}
)");
  expect_numbers(at.accelerations("base"), {0, 0, 0, 1, 2, -9.81});
  expect_vector(at.reaction("base").force, {0, 0, 0});
}

TEST(Gravity, AFallingMechanismKeepsItsShape) {
  const AtStart at(R"(gyrostat: 1
bodies:
  a: {mass: 2, com: [1, 2, 3], inertia: [1, 2, 2.5], wheels: {w: {axis: [1, 2, 3], inertia: 0.1}}}
  knuckle: {mass: 0}
  b: {mass: 5, com: [1, 1, 1], inertia: [1, 2, 2.5]}
  c: {mass: 3, point_mass: true}
joints:
  base: {initial: {orientation: {axis: [1, 1, 0], angle: 1}, velocity: [1, 2, 3]}}
  j: {type: revolute, parent: a, child: knuckle, axis: [0, 0, 1]}
  k: {type: revolute, parent: b, child: knuckle, axis: [0, 1, 0], parent_point: [1, 0, 0], initial: {angle: 1}}
  l: {type: prismatic, parent: b, child: c, axis: [1, 0, 0], initial: {displacement: 2}}
)" + down);
  expect_numbers(at.accelerations("base"), {0, 0, 0, 0, 0, -10}, 1e-10);
  for (const char* name : {"j", "k", "l"}) expect_numbers(at.accelerations(name), {0}, 1e-10);
  EXPECT_NEAR(at.wheel_acceleration("a.w"), 0, 1e-10);
}

TEST(Gravity, APendulumHeldOutLevelFallsWithItsMomentAboutTheHinge) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 3, com: [2, 0, 0], inertia: [1, 1, 1]}}
joints: {hinge: {type: revolute, parent: world, child: a, axis: [0, 1, 0]}}
)" + down);
  const double acceleration = 60.0 / 13;  // m g l over 1 + m l^2
  expect_numbers(at.accelerations("hinge"), {acceleration});
  expect_vector(at.reaction("hinge").force, {0, 0, 30 - 3 * 2 * acceleration});
  expect_vector(at.reaction("hinge").torque, {0, 0, 0});
  EXPECT_DOUBLE_EQ(at.potential, 0);
}

TEST(Gravity, APendulumAtAnAngle) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 3, com: [2, 0, 0], inertia: [1, 1, 1]}}
joints: {hinge: {type: revolute, parent: world, child: a, axis: [0, 1, 0], initial: {angle: 60 deg}}}
)" + down);
  expect_numbers(at.accelerations("hinge"), {60 * 0.5 / 13});
  EXPECT_NEAR(at.potential, -30 * 2 * std::sqrt(0.75), 1e-12);
}

TEST(Gravity, APointMassOnAThreadFallsLikeAPendulum) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 3, com: [2, 0, 0], point_mass: true}}
joints: {hinge: {type: revolute, parent: world, child: a, axis: [0, 1, 0]}}
)" + down);
  expect_numbers(at.accelerations("hinge"), {5});
}

TEST(Gravity, AHangingBodyWeighs) {
  for (const char* joint : {"type: spherical", "type: weld", "type: revolute, axis: [1, 2, 0]",
                            "type: prismatic, axis: [0, 0, 1], locked: true"}) {
    SCOPED_TRACE(joint);
    const AtStart at(
        "gyrostat: 1\nbodies: {a: {mass: 3, com: [0, 0, -2], inertia: [1, 1, 1]}}\n"
        "joints: {hook: {parent: world, child: a, parent_point: [1, 2, 3], " +
        std::string(joint) + "}}\n" + down);
    expect_vector(at.reaction("hook").force, {0, 0, 30});
    expect_vector(at.reaction("hook").torque, {0, 0, 0});
    EXPECT_DOUBLE_EQ(at.potential, 30);
  }
}

TEST(Gravity, ABeamClampedAtItsEndNeedsATorque) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 3, com: [2, 0, 0], inertia: [1, 1, 1]}, b: {mass: 1, point_mass: true}}
joints:
  wall: {type: weld, parent: world, child: a}
  end: {type: weld, parent: a, child: b, parent_point: [4, 0, 0]}
)" + down);
  expect_vector(at.reaction("wall").force, {0, 0, 40});
  expect_vector(at.reaction("wall").torque, {0, -100, 0});
  expect_vector(at.reaction("end").force, {0, 0, 10});
}

TEST(Gravity, AReactionIsThatOnTheUsersChild) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 3, inertia: [1, 1, 1]}}
joints: {hook: {type: weld, parent: a, child: world}}
)" + down);
  expect_vector(at.reaction("hook").force, {0, 0, -30});
}

TEST(Gravity, ASpringCarriesTheWeight) {
  const AtStart at(R"(gyrostat: 1
bodies: {a: {mass: 3, inertia: [1, 1, 1]}}
joints: {slide: {type: prismatic, parent: world, child: a, axis: [0, 0, 1], stiffness: 60,
  initial: {displacement: -0.5}}}
)" + down);
  expect_numbers(at.accelerations("slide"), {0});
  EXPECT_DOUBLE_EQ(at.potential, -15 + 7.5);
}

TEST(Gravity, AnAtwoodMachineOfAMasslessDrum) {  // masses on a beam about its middle: (m1 - m2) g r / ((m1 + m2) r^2)
  const AtStart at(R"(gyrostat: 1
bodies:
  beam: {mass: 0}
  left: {mass: 3, point_mass: true}
  right: {mass: 1, point_mass: true}
joints:
  axle: {type: revolute, parent: world, child: beam, axis: [0, 1, 0]}
  l: {type: weld, parent: beam, child: left, parent_point: [2, 0, 0]}
  r: {type: weld, parent: beam, child: right, parent_point: [-2, 0, 0]}
)" + down);
  expect_numbers(at.accelerations("axle"), {2.5});
}

TEST(Gravity, WithoutItNothingFalls) {
  const AtStart at("gyrostat: 1\nbodies: {a: {mass: 2, com: [1, 2, 3], inertia: [1, 2, 2.5]}}\n");
  expect_numbers(at.accelerations("base"), {0, 0, 0, 0, 0, 0});
  EXPECT_EQ(at.potential, 0);
}

}  // namespace
}  // namespace gyrostat::testing
