// Models written with vectors against the same models written in numbers.
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "gyrostat/signals/noise.h"

#include "support/flight.h"

namespace gyrostat::testing {
namespace vectors_test {

/// A craft with a hinged panel in an orbit, turned by a law.
std::string craft(const std::string& signals, const std::string& loads, const std::string& more = "") {
  return "gyrostat: 1\n"
         "parameters: {kp: 2, kd: 5, offset: [0.1, -0.2, 0.3]}\n"
         "bodies:\n"
         "  bus: {mass: 100, inertia: [10, 12, 8], points: {jet: [1, 0.5, 0]}}\n"
         "  panel: {mass: 5, inertia: [1, 2, 3]}\n"
         "joints:\n"
         "  base: {type: free, parent: world, child: bus, initial: {orientation: {euler: {sequence: zyx, angles: [0.3, "
         "-0.2, "
         "0.5]}}, omega: [0.1, -0.05, 0.2]}}\n"
         "  hinge: {type: revolute, parent: bus, child: panel, parent_point: [0, 1, 0], axis: [0, 0, 1], stiffness: 3, "
         "initial: {angle: 0.4}}\n"
         "environment:\n"
         "  orbit: {semi_major_axis: 7000 km, eccentricity: 0.02, inclination: 51 deg, raan: 20 deg, "
         "argument_of_periapsis: 40 deg}\n"
         "  gravity_gradient: perturbation\n"
         "  sun: {direction: [0.6, 0, 0.8]}\n"
         "signals:\n" +
         signals + "loads:\n" + loads +
         "simulation: {duration: 5, integrator: {method: dopri5, tolerance: 1e-10}}\n"
         "output: {interval: 0.5" +
         more + "}\n";
}

void expect_same(const Flight& a, const std::string& name_a, const Flight& b, const std::string& name_b,
                 double allowed) {
  const auto x = a.values(name_a), y = b.values(name_b);
  ASSERT_EQ(x.size(), y.size());
  ASSERT_GT(x.size(), 5U);
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(x[k], y[k], allowed) << name_a << " at record " << k;
}

TEST(Vectors, AControlLawIsThatWrittenInNumbers) {
  const Flight vectors(craft("  e: \"error_vector(bus.attitude, quaternion(1, 0, 0, 0))\"\n",
                             "  - {body: bus, torque: \"-kp*e - kd*bus.omega\"}\n"));
  const Flight numbers(
      craft("  s: \"bus.quaternion_w < 0 ? -2 : 2\"\n  e: \"s*bus.quaternion_x\"\n",
            "  - {body: bus, torque: [\"-kp*s*bus.quaternion_x - kd*bus.omega_x\", "
            "\"-kp*s*bus.quaternion_y - kd*bus.omega_y\", \"-kp*s*bus.quaternion_z - kd*bus.omega_z\"]}\n"));
  for (const std::string name : {"bus.omega_x", "bus.omega_y", "bus.omega_z", "hinge.angle"})
    expect_same(vectors, name, numbers, name, 1e-12);
  expect_same(vectors, "e.x", numbers, "e", 1e-12);
}

TEST(Vectors, AForceOfTheWorldIsExpressedInTheBody) {
  const Flight in_bus(craft("", "  - {body: bus, force: \"in(bus, 3*sun.direction)\", point: jet}\n"));
  const Flight in_world(craft("", "  - {body: bus, force: \"3*sun.direction\", point: jet, axes: world}\n"));
  const Flight numbers(craft("", "  - {body: bus, force: [1.8, 0, 2.4], point: jet, axes: world}\n"));
  for (const std::string name : {"bus.omega_x", "bus.omega_z", "hinge.angle"}) {
    expect_same(in_bus, name, numbers, name, 1e-9);
    expect_same(in_world, name, numbers, name, 1e-13);
  }
}

TEST(Vectors, TheOrbitsAxesPointAlongAgainstTheNormalAndDown) {
  const Flight run(
      craft("  down: \"rotate(orbit.attitude, [0, 0, 1])\"\n"
            "  difference: \"norm(down - orbit.nadir)\"\n"
            "  normal: \"rotate(orbit.attitude, [0, -1, 0])\"\n"
            "  along: \"dot(rotate(orbit.attitude, [1, 0, 0]), cross(normal, -orbit.nadir))\"\n"
            "  relative: \"attitude(orbit, bus)\"\n"
            "  back: \"norm(in(orbit, in(bus, orbit.nadir)) - [0, 0, 1])\"\n",
            "  - {body: bus, torque: \"0*rotate(inverse(relative), [0, 0, 1])\", axes: body}\n"));
  for (const double x : run.values("difference")) EXPECT_NEAR(x, 0, 1e-14);
  for (const double x : run.values("back")) EXPECT_NEAR(x, 0, 1e-14);
  for (const double x : run.values("along")) EXPECT_NEAR(x, 1, 1e-14);
  const double i = 51 * M_PI / 180, raan = 20 * M_PI / 180;
  EXPECT_NEAR(run.values("normal.x")[3], std::sin(i) * std::sin(raan), 1e-14);
  EXPECT_NEAR(run.values("normal.y")[3], -std::sin(i) * std::cos(raan), 1e-14);
  EXPECT_NEAR(run.values("normal.z")[3], std::cos(i), 1e-14);
}

TEST(Vectors, BlocksTakeThemComponentByComponent) {
  const std::string loads = "  - {body: bus, torque: \"-kd*bus.omega\"}\n";
  const Flight vectors(
      craft("  sum: {integral: bus.omega, initial: [1, 2, 3]}\n"
            "  limited: {saturate: {input: \"10*bus.omega\", low: -1, high: [0.5, 1, 1.5]}}\n"
            "  sampled: {sample: {input: bus.attitude, period: 0.7}}\n"
            "  late: {delay: {input: bus.omega, time: 0.3}}\n"
            "  noisy: {noise: {seed: 3, std: [1, 2, 3], period: 0.5}}\n"
            "  filtered: {low_pass: {input: sum, time_constant: 0.4}}\n"
            "  given: [1, t, \"sin(t)\"]\n",
            loads));
  const Flight numbers(
      craft("  sx: {integral: bus.omega_x, initial: 1}\n"
            "  sz: {integral: bus.omega_z, initial: 3}\n"
            "  lx: {saturate: {input: \"10*bus.omega_x\", low: -1, high: 0.5}}\n"
            "  lz: {saturate: {input: \"10*bus.omega_z\", low: -1, high: 1.5}}\n"
            "  qw: {sample: {input: bus.quaternion_w, period: 0.7}}\n"
            "  qz: {sample: {input: bus.quaternion_z, period: 0.7}}\n"
            "  dy: {delay: {input: bus.omega_y, time: 0.3}}\n"
            "  fz: {low_pass: {input: sz, time_constant: 0.4}}\n"
            "  gz: \"sin(t)\"\n",
            loads));
  expect_same(vectors, "sum.x", numbers, "sx", 1e-9);
  expect_same(vectors, "sum.z", numbers, "sz", 1e-9);
  expect_same(vectors, "limited.x", numbers, "lx", 1e-9);
  expect_same(vectors, "limited.z", numbers, "lz", 1e-9);
  expect_same(vectors, "sampled.w", numbers, "qw", 1e-9);
  expect_same(vectors, "sampled.z", numbers, "qz", 1e-9);
  expect_same(vectors, "late.y", numbers, "dy", 1e-9);
  expect_same(vectors, "filtered.z", numbers, "fz", 1e-9);
  expect_same(vectors, "given.z", numbers, "gz", 1e-9);
  EXPECT_EQ(vectors.values("noisy.x")[0], normal_number(3, 0));
  EXPECT_NE(vectors.values("noisy.y")[0], 2 * normal_number(3, 0)) << "each component has a stream of its own";
  EXPECT_EQ(vectors.values("noisy.y")[0], 2 * normal_number(3 + (1ULL << 40U), 0));
}

TEST(Vectors, AreRecordedByTheirNames) {
  const Flight run(craft("  e: \"bus.omega + offset\"\n", "  - {body: bus, torque: [0, 0, 0.1]}\n",
                         ", record: [bus.omega, e, bus.euler_zyx, bus.jet.position, hinge.angle]"));
  const auto columns = [&] {
    std::vector<std::string> names;
    for (const auto& column : run.simulation.columns()) names.push_back(column.name);
    return names;
  }();
  const std::vector<std::string> expected = {"bus.omega_x", "bus.omega_y", "bus.omega_z",    "e.x",
                                             "e.y",         "e.z",         "bus.euler_zyx.x"};
  for (const std::string& name : expected) EXPECT_NE(std::ranges::find(columns, name), columns.end()) << name;
  EXPECT_NEAR(run.values("bus.euler_zyx.x")[0], 0.3, 1e-14);
  EXPECT_NEAR(run.values("bus.euler_zyx.y")[0], -0.2, 1e-14);
  EXPECT_NEAR(run.values("bus.euler_zyx.z")[0], 0.5, 1e-14);
  EXPECT_NEAR(run.values("e.z")[0], 0.2 + 0.3, 1e-14);
}

TEST(Vectors, StandForMomentsAndForInitialValues) {
  const auto text = [](const char* inertia, const char* displacements, const char* speeds) {
    return fmt::format(R"(gyrostat: 1
parameters: {{I: [1, 2, 2.5], at: [0.1, 0.2, 0.3], spin: [0, 0, 2]}}
bodies: {{one: {{mass: 3, inertia: {}}}}}
joints: {{j: {{type: general, parent: world, child: one, translations: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], rotations: [[1, 0, 0]],
  initial: {{displacements: {}, speeds: {}, rates: [0.3]}}}}}}
simulation: {{duration: 1}}
output: {{record: ['j.*', system.energy]}}
)",
                       inertia, displacements, speeds);
  };
  const Flight vectors(text("2*I", "at", "\"cross(spin, at)\""), {}, Flight::Expect::finish);
  const Flight lists(text("[2, 4, 5]", "[0.1, 0.2, 0.3]", "[-0.4, 0.2, 0]"), {}, Flight::Expect::finish);
  EXPECT_EQ(vectors.rows, lists.rows);
}

TEST(Vectors, ParametersMayBeVectors) {
  const std::string model =
      "gyrostat: 1\n"
      "parameters: {arm: [1, 0, 2], twice: \"2*arm\", length: \"norm(arm)\", third: \"arm.z + twice.x\"}\n"
      "bodies: {b: {mass: length, com: arm, inertia: [1, 1, 1]}}\n"
      "signals: {s: \"dot(twice, [1, 1, 1]) + third\"}\n"
      "simulation: {duration: 1}\n";
  const Flight run(model);
  EXPECT_NEAR(run.values("s")[0], 6 + 4, 1e-14);
  EXPECT_NEAR(run.loaded.model->description.bodies[0].mass, std::sqrt(5.0), 1e-15);
  EXPECT_EQ(run.loaded.model->description.bodies[0].com, Vector3(1, 0, 2));
}

TEST(Vectors, ATorqueOfABallIsInTheChildsAxes) {
  const auto model = [](const std::string& torque) {
    return "gyrostat: 1\n"
           "bodies: {b: {mass: 1, inertia: [1, 2, 3]}}\n"
           "joints: {j: {type: spherical, parent: world, child: b, initial: {omega: [0.1, 0.2, 0.3]}, torque: " +
           torque +
           "}}\n"
           "simulation: {duration: 3}\n";
  };
  const Flight vector(model("\"-2*b.omega\"")), list(model("[\"-2*b.omega_x\", \"-2*b.omega_y\", \"-2*b.omega_z\"]"));
  expect_same(vector, "b.omega_y", list, "b.omega_y", 1e-13);
}

}  // namespace vectors_test
}  // namespace gyrostat::testing
