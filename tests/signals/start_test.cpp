// Signals at the start: every kind of block, chains of them, and every name that an expression may use.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "gyrostat/signals/noise.h"

#include "support/at_start.h"

namespace gyrostat::testing {
namespace {

/// The value of an expression at the start: the x component of a load on the body. `more` are further sections.
double value(const std::string& expression, const std::string& more) {
  const AtStart at("gyrostat: 1\n" + more + "loads: [{body: bus, force: [\"" + expression +
                   "\", 0, 0], axes: world}]\n");
  return at.force("bus").x();
}

// --- blocks ------------------------------------------------------------------------------------------------------

const std::string one_body = R"(bodies: {bus: {mass: 2, inertia: [1, 2, 2.5]}}
parameters: {P: 3}
tables: {bent: {x: [0, 1, 3], y: [0, 2, 8]}, held: {x: [0, 1], y: [5, 6], outside: hold}}
)";

double block(const std::string& signals, const std::string& expression = "s") {
  return value(expression, one_body + "signals: {" + signals + "}\n");
}

TEST(Start, AnExpressionHasItsValue) {
  EXPECT_DOUBLE_EQ(block("s: \"2*P + t + 1\""), 7);
  EXPECT_DOUBLE_EQ(block("s: \"pi*cos(t)\""), std::numbers::pi);
  EXPECT_DOUBLE_EQ(block("s: \"table(bent, 2)\""), 5);
  EXPECT_DOUBLE_EQ(block("s: 4"), 4);
}

TEST(Start, ItIsTimeZero) {
  EXPECT_EQ(block("s: t"), 0);
  EXPECT_EQ(block("s: \"step(0)\""), 1);
  EXPECT_EQ(block("s: \"step(0.001)\""), 0);
  EXPECT_EQ(block("s: \"ramp(-2)\""), 2);
  EXPECT_EQ(block("s: \"pulse(0, 1)\""), 1);
  EXPECT_EQ(block("s: \"pulse(-1, 0)\""), 0);
}

TEST(Start, AnIntegralHasItsInitialValue) {
  EXPECT_EQ(block("s: {integral: 7, initial: 3}"), 3);
  EXPECT_EQ(block("s: {integral: 7}"), 0);
}

TEST(Start, ATransferFunctionHasItsInitialOutput) {
  EXPECT_EQ(block("s: {transfer_function: {input: 7, numerator: [1], denominator: [2, 1], initial: 3}}"), 3);
  EXPECT_EQ(block("s: {transfer_function: {input: 7, numerator: [1], denominator: [2, 1]}}"), 0);
}

TEST(Start, AStateSpaceBlockHasTheOutputOfItsInitialState) {
  const std::string ab = "inputs: [7, P], a: [[0, 1], [-1, 0]], b: [[1, 0], [0, 1]], ";
  EXPECT_EQ(block("s: {state_space: {" + ab + "c: [[10, 100]], initial: [2, 3]}}"), 320);
  EXPECT_EQ(block("s: {state_space: {" + ab + "c: [[10, 100]], d: [[1, 1000]], initial: [2, 3]}}"), 3327);
  EXPECT_EQ(block("s: {state_space: {" + ab + "c: [[10, 100]]}}"), 0);
}

TEST(Start, AStateSpaceBlockMayHaveSeveralOutputs) {
  const std::string s =
      "u: {state_space: {inputs: [7], a: [[1]], b: [[1]], c: [[10], [20]], d: [[0], [1]], initial: [2], outputs: [y, "
      "z]}}, v: {integral: 0, initial: 5}, s: \"u.y + 1000*u.z + 1e6*v\"";
  EXPECT_EQ(block(s), 20 + 47000 + 5e6);
}

TEST(Start, ASwitchingAmplifierIsOnWithTheSignOfAnInputBeyondTheDeadband) {
  const auto amplifier = [](const std::string& input) {
    return block("s: {switching_amplifier: {input: \"" + input + "\", deadband: 0.5, hysteresis: 0.1}}");
  };
  EXPECT_EQ(amplifier("0.6"), 1);
  EXPECT_EQ(amplifier("-0.6"), -1);
  EXPECT_EQ(amplifier("0.45"), 0);
  EXPECT_EQ(amplifier("-0.45"), 0);
  EXPECT_EQ(amplifier("0.5"), 0) << "it must exceed the deadband";
  EXPECT_EQ(amplifier("0"), 0);
}

TEST(Start, ASaturationLimits) {
  const auto saturate = [](const std::string& input) {
    return block("s: {saturate: {input: \"" + input + "\", low: -2, high: 3}}");
  };
  EXPECT_EQ(saturate("-5"), -2);
  EXPECT_EQ(saturate("1"), 1);
  EXPECT_EQ(saturate("5"), 3);
}

TEST(Start, DelaysAndSamplesHoldTheirInput) {
  EXPECT_EQ(block("s: {delay: {input: \"7 + t\", time: 2}}"), 7);
  EXPECT_EQ(block("s: {sample: {input: \"7 + t\", period: 0.1}}"), 7);
}

TEST(Start, APidHasItsProportionalAndItsInitialIntegralPart) {
  EXPECT_EQ(block("s: {pid: {input: 7, kp: 2}}"), 14);
  EXPECT_EQ(block("s: {pid: {input: 7, kp: 2, ki: 10, initial: 0.5}}"), 19);
  EXPECT_EQ(block("s: {pid: {input: 7, kp: 2, ki: 10, initial: 0.5, low: -5, high: 15}}"), 15);
  EXPECT_EQ(block("s: {pid: {input: -7, kp: 2, low: -5, high: 15}}"), -5);
  EXPECT_EQ(block("s: {pid: {input: -7, kp: 2, low: -50}}"), -14);
  EXPECT_EQ(block("s: {pid: {input: -7, kp: 2, low: -5}}"), -5);
  EXPECT_EQ(block("s: {pid: {input: 7, kp: 2, high: 5}}"), 5);
}

TEST(Start, ATableBlockLooksUp) {
  EXPECT_EQ(block("s: {table: {x: \"t + 2\", table: bent}}"), 5);
  EXPECT_EQ(block("s: {table: {x: 9, table: held}}"), 6);
  EXPECT_TRUE(std::isnan(block("s: {table: {x: 9, table: bent}}")));
}

TEST(Start, NoiseHasItsFirstValue) {
  EXPECT_EQ(block("s: {noise: {seed: 1, std: 5, period: 0.1}}"), 5 * normal_number(1, 0));
}

TEST(Start, PluginsAreNotCalled) {
  EXPECT_EQ(block("s: {plugin: {library: ./none.so, function: f, inputs: [t], outputs: [y, z], period: 0.1}}",
                  "7 + s.y + s.z"),
            7);
}

TEST(Start, ChainsOfBlocksWorkInAnyOrder) {
  const std::vector<std::string> links = {"a: \"4 + t\"",
                                          "b: {saturate: {input: \"2*a\", low: 0, high: 7}}",
                                          "c: {delay: {input: \"b + 1\", time: 1}}",
                                          "d: {sample: {input: c, period: 1}}",
                                          "e: \"d*d\"",
                                          "f: {pid: {input: e, kp: 0.5}}",
                                          "g: {table: {x: \"f/16\", table: bent}}",
                                          "s: \"g + a\""};
  std::string forwards, backwards, mixed;
  for (std::size_t k = 0; k < links.size(); ++k) {
    forwards += links[k] + ", ";
    backwards = links[k] + ", " + backwards;
    mixed += links[k * 3 % links.size()] + ", ";
  }
  for (const std::string& order : {forwards, backwards, mixed}) {  // 4, 7, 8, 8, 64, 32, 5
    EXPECT_DOUBLE_EQ(block(order), 9) << order;
  }
}

TEST(Start, ALongChainOfBlocksBackwardsArrives) {
  std::string chain = "s: {saturate: {input: s0, low: -100, high: 100}}";
  for (int k = 0; k < 200; ++k) {
    chain += ", s" + std::to_string(k) + ": {delay: {input: s" + std::to_string(k + 1) + ", time: 1}}";
  }
  EXPECT_EQ(block(chain + ", s200: 42"), 42);
}

TEST(Start, ACircleThroughAnIntegralIsNoCircle) {
  EXPECT_DOUBLE_EQ(block("x: {integral: \"s - x\", initial: 2}, s: \"3*x + 1\""), 7);
  EXPECT_DOUBLE_EQ(block("a: {integral: b, initial: 2}, b: {integral: \"-a\", initial: 5}, s: \"a + 10*b\""), 52);
}

TEST(Start, SignalsReachEveryKindOfLoad) {
  const AtStart at(R"(gyrostat: 1
bodies:
  bus: {mass: 1, inertia: [1, 1, 1], wheels: {w: {axis: [0, 0, 1], inertia: 0.5, torque: s}}}
  b: {mass: 1, inertia: [1, 1, 1]}
  c: {mass: 1, inertia: [1, 1, 1]}
joints:
  jb: {type: weld, parent: world, child: bus}
  j: {type: prismatic, parent: world, child: b, axis: [1, 0, 0], torque: "2*s", parent_point: [1, 0, 0]}
  k: {type: revolute, parent: world, child: c, axis: [1, 0, 0], axis_torque: "3*s"}
signals: {s: {integral: 0, initial: 7}}
loads:
- {spring: {from: [world, [0, 0, 0]], to: [b, com], force: "-s"}}
- {torque_between: {from: world, to: c, axis: [1, 0, 0], torque: "10*s"}}
- {thruster: {body: c, point: com, direction: [0, 0, 1], thrust: s, command: "s/7"}}
)");
  EXPECT_DOUBLE_EQ(at.wheel_acceleration("bus.w"), 14);
  expect_numbers(at.accelerations("j"), {21});
  expect_numbers(at.accelerations("k"), {91});
  expect_vector(at.force("c"), {0, 0, 7});
}

TEST(Start, AsksAgainAtAnotherState) {
  AtStart at("gyrostat: 1\n" + one_body +
             "signals: {s: {saturate: {input: \"2*bus.velocity_x\", low: -9, high: 9}}}\n" +
             "loads: [{body: bus, force: [s, 0, 0]}]\n");
  EXPECT_EQ(at.force("bus").x(), 0);
  for (const auto& [speed, expected] : {std::pair{2.0, 4.0}, {5.0, 9.0}, {-1.0, -2.0}, {0.0, 0.0}}) {
    at.state.u[3] = speed;
    at.update();
    EXPECT_EQ(at.force("bus").x(), expected);
  }
}

// --- names -------------------------------------------------------------------------------------------------------

/// The bus is turned a quarter about z (its x axis is the world's y) and moves; an arm of 1 kg turns on its y axis.
const std::string moving = R"(bodies:
  bus:
    mass: 3
    inertia: [1, 2, 2.5]
    points: {tip: [0, 2, 0]}
    wheels: {w: {axis: [1, 0, 0], inertia: 0.5, rate: 8}, v: {axis: [0, 1, 0], inertia: 0.5, rate: 9}}
  arm: {mass: 1, com: [0, 0, 2], inertia: [0.1, 0.2, 0.3], points: {end: [0, 0, 4]}}
joints:
  base:
    initial: {position: [10, 20, 30], orientation: {axis: [0, 0, 1], angle: 90 deg},
      omega: [0, 0, 2], velocity: [1, 2, 3]}
  hinge: {type: revolute, parent: bus, child: arm, axis: [0, 1, 0], parent_point: [1, 0, 0],
    initial: {angle: 90 deg, rate: 5}}
environment: {sun: {direction: [0, 3, 4]}, gravity: {uniform: [0, 0, -10]}}
)";

void expect_name(const std::string& name, double expected) {
  EXPECT_NEAR(value(name, moving + "signals: {s: 1}\n"), expected, 1e-12) << name;
}

void expect_vector_name(const std::string& name, const Vector3& expected) {
  expect_name(name + "x", expected.x());
  expect_name(name + "y", expected.y());
  expect_name(name + "z", expected.z());
}

TEST(Names, OfJoints) {
  expect_name("hinge.angle", std::numbers::pi / 2);
  expect_name("hinge.rate", 5);
  expect_vector_name("base.omega_", {0, 0, 2});
  expect_vector_name("base.velocity_", {1, 2, 3});
  expect_vector_name("base.position_", {10, 20, 30});
  expect_name("base.quaternion_w", std::sqrt(0.5));
  expect_name("base.quaternion_z", std::sqrt(0.5));
  expect_name("base.quaternion_x", 0);
}

TEST(Names, OfABodysMotion) {
  expect_vector_name("bus.omega_", {0, 0, 2});
  expect_vector_name("bus.position_", {10, 20, 30});
  expect_vector_name("bus.velocity_", {1, 2, 3});
}

TEST(Names, OfABodyOutboard) {
  // The hinge is at [10, 21, 30] and moves with [1, 2, 3] + 2 z x [0, 1, 0]. The arm's z axis is the bus's x axis, the
  // world's y; its x axis is the world's -z; its y axis the world's -x. It turns with 2 z and 5 about its y axis.
  expect_vector_name("arm.position_", {10, 21, 30});
  expect_vector_name("arm.velocity_", {-1, 2, 3});
  expect_vector_name("arm.omega_", {-2, 5, 0});
}

TEST(Names, OfABodysOrientation) {
  expect_name("bus.quaternion_w", std::sqrt(0.5));
  expect_name("bus.quaternion_x", 0);
  expect_name("bus.quaternion_y", 0);
  expect_name("bus.quaternion_z", std::sqrt(0.5));
}

TEST(Names, OfDirectionCosines) {
  // C takes world components to body components: the world's y is the body's x.
  const double C[3][3] = {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}};
  const double C_arm[3][3] = {{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}};
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const std::string name = ".C" + std::to_string(i + 1) + std::to_string(j + 1);
      expect_name("bus" + name, C[i][j]);
      expect_name("arm" + name, C_arm[i][j]);
    }
  }
}

TEST(Names, OfPoints) {
  expect_vector_name("bus.tip.position_", {8, 20, 30});
  expect_vector_name("bus.tip.velocity_", {1, -2, 3});
  // four metres along the world's y from the hinge, which turns with [-5, 0, 2] rad/s
  expect_vector_name("arm.end.position_", {10, 25, 30});
  expect_vector_name("arm.end.velocity_", {-1 - 8, 2, 3 - 20});
}

TEST(Names, OfWheels) {
  expect_name("bus.w.rate", 8);
  expect_name("bus.v.rate", 9);
  expect_name("bus.w.angle", 0);
  const std::string text = "gyrostat: 1\n" + moving + "loads: [{body: bus, force: [bus.v.angle, 0, 0], axes: world}]\n";
  const AtStart turned(text, [](AtStart& at) { at.state.q[at.wheel("bus.v").q] = 0.25; });
  EXPECT_EQ(turned.force("bus").x(), 0.25);
}

TEST(Names, OfTheWholeSystem) {
  // 3 kg at [10, 20, 30] with [1, 2, 3], 1 kg at [10, 23, 30] with [-1, 2, 3] + [-5, 0, 2] x [0, 2, 0] = [-5, 2, -7].
  expect_vector_name("system.com_", {10, 20.75, 30});
  // Spin of the bus: [0, 0, 5] and wheels 4 along its x (world y), 4.5 along its y (world -x); of the arm, in its axes
  // [-0.2, 1, 0], in the world's [-1, 0, 0.2]. About the com, reduced mass 0.75 kg: [0, 3, 0] x [-6, 0, -10].
  expect_vector_name("system.momentum_", {-4.5 - 1 - 22.5, 4, 5 + 0.2 + 13.5});
  const double bus = 0.5 * 3 * 14 + 0.5 * 2.5 * 4 + 0.5 * 0.5 * (64 + 81);
  const double arm = 0.5 * (25 + 4 + 49) + 0.5 * (0.1 * 4 + 0.2 * 25);
  expect_name("system.energy", bus + arm + 4 * 10 * 30);
}

TEST(Names, OfTheSun) { expect_vector_name("sun.", {0, 0.6, 0.8}); }

TEST(Names, OfTimeAndConstants) {
  expect_name("t", 0);
  expect_name("pi", std::numbers::pi);
  expect_name("s", 1);
}

TEST(Names, OfJointsWithSeveralCoordinates) {
  const std::string several =
      R"(bodies:
  bus: {mass: 3, inertia: [1, 2, 2.5]}
  b: {mass: 3, inertia: [1, 2, 2.5]}
  c: {mass: 3, inertia: [1, 2, 2.5]}
joints:
  g: {type: gimbal, parent: world, child: b, axes: [[0, 0, 1], [0, 1, 0], [1, 0, 0]],
    initial: {angles: [0.1, 0.2, 0.3], rates: [1, 2, 3]}}
  p: {type: planar, parent: c, child: bus, normal: [0, 0, 1],
    initial: {displacements: [4, 5], speeds: [6, 7], angle: 0.8, rate: 9}}
  f: {type: cylindrical, parent: world, child: c, axis: [0, 0, 1],
    initial: {angle: 0.5, displacement: 1.5, rate: 2.5, speed: 3.5}}
)";
  for (const auto& [name, expected] : std::vector<std::pair<std::string, double>>{{"g.angle1", 0.1},
                                                                                  {"g.angle2", 0.2},
                                                                                  {"g.angle3", 0.3},
                                                                                  {"g.rate1", 1},
                                                                                  {"g.rate3", 3},
                                                                                  {"p.displacement1", 4},
                                                                                  {"p.displacement2", 5},
                                                                                  {"p.speed2", 7},
                                                                                  {"p.angle", 0.8},
                                                                                  {"p.rate", 9},
                                                                                  {"f.angle", 0.5},
                                                                                  {"f.displacement", 1.5},
                                                                                  {"f.rate", 2.5},
                                                                                  {"f.speed", 3.5}}) {
    EXPECT_NEAR(value(name, several), expected, 1e-15) << name;
  }
}

TEST(Names, InBlocksMeanTheSame) {
  EXPECT_NEAR(value("s", moving + "signals: {s: {saturate: {input: \"arm.end.velocity_z + 1*hinge.rate\", low: -100, "
                                  "high: 100}}}\n"),
              -12, 1e-12);
}

TEST(Names, OfTheOrbitAreThoseOfItsFirstInstant) {
  const std::string orbit = one_body + "environment: {orbit: {semi_major_axis: 7000 km, eccentricity: 0.1}}\n";
  EXPECT_DOUBLE_EQ(value("orbit.radius", orbit), 6.3e6);  // at periapsis
  EXPECT_DOUBLE_EQ(value("orbit.true_anomaly", orbit), 0);
  EXPECT_DOUBLE_EQ(value("orbit.nadir_x", orbit), -1);
}

}  // namespace
}  // namespace gyrostat::testing
