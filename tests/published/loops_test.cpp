// Mechanisms with loops whose motion is known to many digits.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace loops_test {

/// A uniform rod of 1 m and 1 kg along an axis of its body, from the origin on.
std::string rod(const std::string& name, char axis, const std::string& more = "") {
  const std::string com = axis == 'x' ? "[0.5, 0, 0]" : "[0, 0.5, 0]";
  const std::string inertia = axis == 'x' ? "[0, 1/12, 1/12]" : "[1/12, 0, 1/12]";
  return fmt::format("  {}: {{mass: 1, com: {}, inertia: {}{}}}\n", name, com, inertia, more);
}

/// IFToMM A02: windows of rods in a row, all vertical rods at 90 degrees, the upper joints moving along +x at 1 m/s.
std::string windows(int count, const std::string& simulation) {
  std::string bodies = rod("v0", 'y', ", points: {b: [0, 1, 0]}"), joints;
  joints = "  a0: {type: revolute, parent: world, child: v0, axis: [0, 0, 1], initial: {rate: -1}}\n";
  for (int k = 1; k <= count; ++k) {
    bodies += rod(fmt::format("v{}", k), 'y') + rod(fmt::format("h{}", k), 'x');
    joints += fmt::format(
        "  a{0}: {{type: revolute, parent: world, child: v{0}, parent_point: [{0}, 0, 0], axis: [0, 0, 1], initial: "
        "{{rate: "
        "-1}}}}\n  b{0}: {{type: revolute, parent: v{1}, child: h{0}, parent_point: [0, 1, 0], axis: [0, 0, 1], "
        "initial: "
        "{{rate: 1}}}}\n  c{0}: {{type: revolute, parent: h{0}, child: v{0}, parent_point: [1, 0, 0], child_point: [0, "
        "1, 0], "
        "axis: [0, 0, 1], cut: true}}\n",
        k, k - 1);
  }
  return fmt::format(
      "gyrostat: 1\nbodies:\n{}joints:\n{}environment: {{gravity: {{uniform: [0, -9.81, 0]}}}}\nsimulation: {{{}}}\n"
      "output: {{interval: 1, record: [v0.b.position_x, v0.b.position_y]}}\n",
      bodies, joints, simulation);
}

struct Place {
  double x, y;
};

void expect_place(const Flight& flight, std::size_t record, const Place& place, double tolerance) {
  EXPECT_NEAR(flight.rows.at(record)[flight.column("v0.b.position_x")], place.x, tolerance);
  EXPECT_NEAR(flight.rows.at(record)[flight.column("v0.b.position_y")], place.y, tolerance);
}

/// Once through the flat position, where the loop loses its hold for an instant.
TEST(FourBars, MoveAsPublishedWithEveryMethodAndFormulation) {
  for (const char* formulation : {"articulated_body", "composite_body", "kane"}) {
    for (const char* method :
         {"method: dopri5, tolerance: 1e-11", "method: rk4, step: 0.001", "method: cvode_bdf, tolerance: 1e-10"}) {
      SCOPED_TRACE(fmt::format("{}, {}", formulation, method));
      const std::string simulation =
          fmt::format("duration: 1, formulation: {}, integrator: {{{}}}", formulation, method);
      const Flight one(windows(1, simulation), {}, Flight::Expect::finish);
      expect_place(one, 1, {-0.260712675184, -0.965416439159}, 2e-8);
      const Flight two(windows(2, simulation), {}, Flight::Expect::finish);
      expect_place(two, 1, {-0.195020301949, -0.980799205662}, 2e-8);
      EXPECT_LT(two.simulation.ledger().energy.relative(), 1e-7);
    }
  }
}

TEST(FourBars, MoveAsPublishedWithBaumgartesFeedback) {
  const Flight one(
      windows(1,
              "duration: 1, integrator: {method: dopri5, tolerance: 1e-11}, stabilization: {method: baumgarte, "
              "alpha: 5, beta: 5}"),
      {}, Flight::Expect::finish);
  expect_place(one, 1, {-0.260712675184, -0.965416439159}, 1e-8);
  EXPECT_LT(one.simulation.ledger().violation.position, 1e-8);
  EXPECT_GT(one.simulation.ledger().violation.position, 0) << "nothing is projected";
}

/// Some twelve times through it. Each time the motion across the branch is found from what the loop hardly restrains,
/// so that errors grow to a thousandth of a per cent.
TEST(FourBars, PassTheirSingularPositionAndSaySo) {
  for (const auto& [count, place] :
       {std::pair(1, Place{0.478385057761, 0.878150178791}), std::pair(2, Place{0.328458111541, 0.944518538179})}) {
    const Flight flight(windows(count, "duration: 10, integrator: {method: rk4, step: 0.001}"), {},
                        Flight::Expect::finish);
    expect_place(flight, 10, place, 5e-5);
    EXPECT_LT(flight.simulation.ledger().dependent_since, 2) << "the run tells that it was there";
  }
}

/// Forty windows have one coordinate, the angle of the vertical rods.
TEST(FourBars, OfFortyWindowsMoveAsTheOneAngleThatTheyHave) {
  // angle a of the vertical rods from the vertical: T = (1/2) I a'^2 with I = (N+1)/3 + N, V = g ((N+1)/2 + N) cos a
  constexpr int count = 40;
  const double inertia = (count + 1) / 3.0 + count, weight = 9.81 * ((count + 1) / 2.0 + count);
  double a = 0, rate = 1;  // a grows where B moves along +x
  const double h = 1e-5;
  const auto acceleration = [&](double angle) { return weight / inertia * std::sin(angle); };
  for (int k = 0; k < 100000; ++k) {  // classical Runge-Kutta
    const double k1 = acceleration(a), k2 = acceleration(a + h / 2 * rate),
                 k3 = acceleration(a + h / 2 * rate + h * h / 4 * k1), k4 = acceleration(a + h * rate + h * h / 2 * k2);
    a += h * rate + h * h / 6 * (k1 + k2 + k3);
    rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const Flight flight(windows(count, "duration: 1, integrator: {method: dopri5, tolerance: 1e-10}"), {},
                      Flight::Expect::finish);
  expect_place(flight, 1, {std::sin(a), std::cos(a)}, 1e-7);
}

TEST(Bricard, MovesAsPublishedThoughItHasOneRowTooMany) {
  const std::string text = R"yaml(gyrostat: 1
bodies:
  b1: {mass: 1, com: [0.5, 0, 0], inertia: [1/600, 101/1200, 101/1200]}
  b2: {mass: 1, com: [0, -0.5, 0], inertia: [101/1200, 1/600, 101/1200]}
  b3: {mass: 1, com: [0, 0, 0.5], inertia: [101/1200, 101/1200, 1/600], points: {p3: [0, 0, 1]}}
  b4: {mass: 1, com: [-0.5, 0, 0], inertia: [1/600, 101/1200, 101/1200]}
  b5: {mass: 1, com: [0, 0.5, 0], inertia: [101/1200, 1/600, 101/1200]}
joints:
  j0: {type: revolute, parent: world, child: b1, axis: [0, 1, 0]CUT0}
  j1: {type: revolute, parent: b1, child: b2, parent_point: [1, 0, 0], axis: [0, 0, 1]CUT1}
  j2: {type: revolute, parent: b2, child: b3, parent_point: [0, -1, 0], axis: [1, 0, 0]CUT2}
  j3: {type: revolute, parent: b3, child: b4, parent_point: [0, 0, 1], axis: [0, 1, 0]CUT3}
  j4: {type: revolute, parent: b4, child: b5, parent_point: [-1, 0, 0], axis: [0, 0, 1]CUT4}
  j5: {type: revolute, parent: b5, child: world, parent_point: [0, 1, 0], child_point: [0, 0, 1], axis: [1, 0, 0]CUT5}
environment: {gravity: {uniform: [0, -9.81, 0]}}
simulation: {duration: 1, integrator: {method: METHOD, tolerance: 1e-11}}
output: {interval: 1, record: [b3.p3.position_x, b3.p3.position_y, b3.p3.position_z]}
)yaml";
  const auto replaced = [](std::string in, const std::string& what, const std::string& by) {
    return in.replace(in.find(what), what.size(), by);
  };
  for (int cut = 0; cut < 6; ++cut) {  // the same mechanism, cut at each of its joints
    for (const char* method : {"dopri5", "cvode_adams"}) {
      SCOPED_TRACE(fmt::format("cut at j{}, {}", cut, method));
      std::string model = replaced(text, "METHOD", method);
      for (int k = 0; k < 6; ++k) model = replaced(model, fmt::format("CUT{}", k), k == cut ? ", cut: true" : "");
      const Flight flight(model, {}, Flight::Expect::finish);
      EXPECT_NEAR(flight.rows.at(1)[flight.column("b3.p3.position_x")], 0.510501461187, 1e-9);
      EXPECT_NEAR(flight.rows.at(1)[flight.column("b3.p3.position_y")], -1.649167599395, 1e-9);
      EXPECT_NEAR(flight.rows.at(1)[flight.column("b3.p3.position_z")], 0.140123114553, 1e-9);
      EXPECT_EQ(flight.simulation.plant().constraints().rows(), 5U);
    }
  }
}

/// IFToMM A01: a point mass on a massless rod: a distance constraint in a plane.
TEST(Pendulum, SwingsAsPublishedOnADistanceConstraint) {
  for (const char* method : {"dopri5", "cvode_adams", "cvode_bdf", "ida"}) {
    SCOPED_TRACE(method);
    const Flight flight(fmt::format(R"yaml(gyrostat: 1
bodies: {{bob: {{mass: 1, point_mass: true}}}}
joints: {{plane: {{type: translation, parent: world, child: bob, axes: [[1, 0, 0], [0, 1, 0]], initial: {{displacements: [-1, 0]}}}}}}
constraints: {{rod: {{distance: {{from: [world, [0, 0, 0]], to: [bob, [0, 0, 0]]}}, equals: 1}}}}
environment: {{gravity: {{uniform: [0, -9.81, 0]}}}}
simulation: {{duration: 10, integrator: {{method: {}, tolerance: 1e-11}}}}
output: {{interval: 10}}
)yaml",
                                    method),
                        {}, Flight::Expect::finish);
    EXPECT_NEAR(flight.rows.at(1)[flight.column("plane.displacement1")], -0.27508746257611, 5e-8);
    EXPECT_NEAR(flight.rows.at(1)[flight.column("plane.displacement2")], -0.961419205099127, 5e-8);
  }
}

/// Andrews' squeezer, of the test set for initial value problems: seven bodies, three loops, thirty milliseconds.
TEST(Squeezer, MovesAsPublished) {
  const std::string model = R"yaml(gyrostat: 1
parameters: {xb: -0.03635, yb: 0.03273, xa: -0.06934, ya: -0.00227, d: 0.028, e: 0.02, rr: 0.007, ss: 0.035, zf: 0.02, zt: 0.04, u: 0.04}
bodies:
  k1: {mass: 0.04325, com: [0.00092, 0, 0], inertia: [2.194e-6, 2.194e-6, 2.194e-6]}
  k2: {mass: 0.00365, com: [-0.0115, 0, 0], inertia: [4.410e-7, 4.410e-7, 4.410e-7]}
  k3: {mass: 0.02373, com: [0.01043, -0.01874, 0], inertia: [5.255e-6, 5.255e-6, 5.255e-6], points: {d: [0.02, -0.018, 0]}}
  k4: {mass: 0.00706, com: [0, 0.01421 - e, 0], inertia: [5.667e-7, 5.667e-7, 5.667e-7]}
  k5: {mass: 0.07050, com: [0.02308, 0.00916, 0], inertia: [1.169e-5, 1.169e-5, 1.169e-5]}
  k6: {mass: 0.00706, com: [zf - 0.01421, 0, 0], inertia: [5.667e-7, 5.667e-7, 5.667e-7]}
  k7: {mass: 0.05498, com: [-0.00449, -0.01228, 0], inertia: [1.912e-5, 1.912e-5, 1.912e-5]}
joints:
  beta: {type: revolute, parent: world, child: k1, axis: [0, 0, 1], torque: 0.033, initial: {angle: -0.0617138900142764496}}
  theta: {type: revolute, parent: k1, child: k2, parent_point: [rr, 0, 0], axis: [0, 0, 1]}
  gamma: {type: revolute, parent: world, child: k3, parent_point: [xb, yb, 0], axis: [0, 0, 1], initial: {angle: 0.455279819163070380}}
  phi: {type: revolute, parent: k5, child: k4, parent_point: [zt, 0, 0], axis: [0, 0, 1], initial: {angle: 0.222668390165885885}}
  delta: {type: revolute, parent: world, child: k5, parent_point: [xa, ya, 0], axis: [0, 0, 1], initial: {angle: 0.487364979543842550}}
  omega: {type: revolute, parent: k7, child: k6, parent_point: [0, -u, 0], axis: [0, 0, 1], initial: {angle: -0.222668390165885885}}
  epsilon: {type: revolute, parent: world, child: k7, parent_point: [xa, ya, 0], axis: [0, 0, 1], initial: {angle: 1.23054744454982119}}
  p3: {type: revolute, parent: k2, child: k3, parent_point: [-d, 0, 0], child_point: [0, -ss, 0], axis: [0, 0, 1], cut: true}
  p4: {type: revolute, parent: k2, child: k4, parent_point: [-d, 0, 0], child_point: [0, -e, 0], axis: [0, 0, 1], cut: true}
  p6: {type: revolute, parent: k2, child: k6, parent_point: [-d, 0, 0], child_point: [zf, 0, 0], axis: [0, 0, 1], cut: true}
loads:
  - {spring: {from: [world, [0.014, 0.072, 0]], to: [k3, d], stiffness: 4530, length: 0.07785}}
simulation: {duration: 0.03, integrator: {method: dopri5, tolerance: 1e-12}}
output: {interval: 0.03}
)yaml";
  const std::pair<const char*, double> angles[] = {{"beta.angle", 15.8107711963},    {"theta.angle", -15.7563710598},
                                                   {"gamma.angle", 0.0408222401307}, {"phi.angle", -0.534730116323},
                                                   {"delta.angle", 0.524409965881},  {"omega.angle", 0.534730116323},
                                                   {"epsilon.angle", 1.04808074104}};
  for (const char* formulation : {"articulated_body", "composite_body", "kane"}) {
    SCOPED_TRACE(formulation);
    const Flight flight(
        model, [&](RunSettings& s) { s.formulation = formulation; }, Flight::Expect::finish);
    for (const auto& [name, angle] : angles) {
      EXPECT_NEAR(flight.rows.at(1)[flight.column(name)], angle, 2e-8) << name;
    }
  }
}

}  // namespace loops_test
}  // namespace gyrostat::testing
