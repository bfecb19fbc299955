// The flyball governor of Watt: a spindle, two arms with balls, two links, and a sleeve that they lift.
//
// Reduced to two coordinates. The spindle turns at the rate w; both arms (length l, hinged at the distance a from the
// axis) make the angle s with the vertical, and so do the links (length l as well), so that the sleeve is 2 l cos s
// below the hinges. With the mass m, the mass centre at the distance c from the hinge and the moments A (about its
// length) and B (across) of an arm, those of a link with its mass centre at the distance d from the sleeve (n, AL, BL),
// the sleeve's mass M, and J of spindle and sleeve about the axis:
//   T = I(s) w^2 / 2 + H(s) s'^2 / 2
//   I = J + 2 (m (a + c sin s)^2 + A cos^2 s + B sin^2 s) + 2 (n (a + d sin s)^2 + AL cos^2 s + BL sin^2 s)
//   H = 4 M l^2 sin^2 s + 2 (m c^2 + B) + 2 (n (d^2 cos^2 s + (2 l - d)^2 sin^2 s) + BL)
//   V = -2 g (m c + n (2 l - d) + M l) cos s + k (2 l cos s - r)^2 / 2
// The link's mass centre is at a + d sin s from the axis and (2 l - d) cos s below the hinges, hence the terms with d.
// Lagrange's equations, with the torque tau on the spindle and a damper e on the sleeve, which moves at 2 l sin s s':
//   (I w)' = tau,   H s'' + H_s s'^2 / 2 - I_s w^2 / 2 + V_s + e (2 l sin s)^2 s' = 0
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/flight.h"

namespace gyrostat::testing {
namespace governor_test {

constexpr double a = 0.04, l = 0.3, g = 9.81;
constexpr double m = 0.9, c = 0.27, A = 0.001, B = 0.004;       // an arm, with its ball
constexpr double n = 0.15, d = 0.13, AL = 2e-5, BL = 0.0011;    // a link
constexpr double M = 1.3, k = 40, r = 0.5, e = 1.5;             // sleeve; its spring and damper
constexpr double J_spindle = 0.02, J_sleeve = 0.003;            // about the axis
constexpr double angle = 0.6, angle_rate = 0.4, turn_rate = 7;  // at the start

double torque(double t) { return 0.5 * std::sin(3 * t); }

struct Reduced {
  double turn = 0, angle = 0, w = 0, rate = 0;

  [[nodiscard]] Reduced derivative(double t) const {
    const double S = std::sin(angle), C = std::cos(angle);
    const double I = J_spindle + J_sleeve + 2 * (m * (a + c * S) * (a + c * S) + A * C * C + B * S * S) +
                     2 * (n * (a + d * S) * (a + d * S) + AL * C * C + BL * S * S);
    const double I_s =
        4 * (m * (a + c * S) * c * C + (B - A) * S * C) + 4 * (n * (a + d * S) * d * C + (BL - AL) * S * C);
    const double H = 4 * M * l * l * S * S + 2 * (m * c * c + B) +
                     2 * (n * (d * d * C * C + (2 * l - d) * (2 * l - d) * S * S) + BL);
    const double H_s = 8 * M * l * l * S * C + 4 * n * ((2 * l - d) * (2 * l - d) - d * d) * S * C;
    const double V_s = 2 * g * (m * c + n * (2 * l - d) + M * l) * S - k * (2 * l * C - r) * 2 * l * S;
    const double lever = 2 * l * S;
    return {w, rate, (torque(t) - I_s * rate * w) / I,
            -(H_s * rate * rate / 2 - I_s * w * w / 2 + V_s + e * lever * lever * rate) / H};
  }
  [[nodiscard]] Reduced plus(double h, const Reduced& x) const {
    return {turn + h * x.turn, angle + h * x.angle, w + h * x.w, rate + h * x.rate};
  }
};

/// By the classical method of Runge and Kutta; its error is below 1e-12 with steps of 0.1 ms.
Reduced reduced_at(double time) {
  Reduced y{0, angle, turn_rate, angle_rate};
  const int steps = static_cast<int>(std::lround(time / 1e-4));
  const double h = 1e-4;
  for (int i = 0; i < steps; ++i) {
    const double t = i * h;
    const Reduced k1 = y.derivative(t), k2 = y.plus(h / 2, k1).derivative(t + h / 2),
                  k3 = y.plus(h / 2, k2).derivative(t + h / 2), k4 = y.plus(h, k3).derivative(t + h);
    y = y.plus(h / 6, k1).plus(h / 3, k2).plus(h / 3, k3).plus(h / 6, k4);
  }
  return y;
}

/// Cut where the links meet the sleeve, or where they meet the arms.
enum class Cut { at_the_sleeve, at_the_balls };

std::string model(Cut cut, const std::string& simulation) {
  const double S = std::sin(angle), C = std::cos(angle);
  std::string text = fmt::format(
      "gyrostat: 1\nbodies:\n"
      "  spindle: {{mass: 1, inertia: [0.5, 0.5, {}]}}\n"
      "  sleeve: {{mass: {}, inertia: [0.01, 0.01, {}]}}\n",
      J_spindle, M, J_sleeve);
  std::string joints = fmt::format(
      "joints:\n  shaft: {{type: revolute, parent: world, child: spindle, axis: [0, 0, 1], torque: \"0.5*sin(3*t)\", "
      "initial: {{rate: {}}}}}\n"
      "  slide: {{type: prismatic, parent: spindle, child: sleeve, axis: [0, 0, 1], stiffness: {}, rest: {}, damping: "
      "{}, initial: {{displacement: {}, speed: {}}}}}\n",
      turn_rate, k, -r, e, -2 * l * C, 2 * l * S * angle_rate);
  for (const int side : {1, -1}) {
    const char* name = side > 0 ? "right" : "left";
    text += fmt::format("  arm_{0}: {{mass: {1}, com: [0, 0, {2}], inertia: [{3}, {3}, {4}]}}\n", name, m, -c, B, A);
    text +=
        fmt::format("  link_{0}: {{mass: {1}, com: [0, 0, {2}], inertia: [{3}, {3}, {4}]}}\n", name, n, d - l, BL, AL);
    joints += fmt::format(
        "  hinge_{0}: {{type: revolute, parent: spindle, child: arm_{0}, parent_point: [{1}, 0, 0], axis: [0, {2}, 0], "
        "initial: {{angle: {3}, rate: {4}}}}}\n",
        name, side * a, -side, angle, angle_rate);
    joints += fmt::format(
        "  ball_{0}: {{type: revolute, parent: arm_{0}, child: link_{0}, parent_point: [0, 0, {1}], axis: [0, {2}, 0], "
        "initial: {{angle: {3}, rate: {4}}}, cut: {5}}}\n",
        name, -l, -side, -2 * angle, -2 * angle_rate, cut == Cut::at_the_balls);
    joints += fmt::format(
        "  collar_{0}: {{type: revolute, parent: sleeve, child: link_{0}, parent_point: [{1}, 0, 0], child_point: [0, "
        "0, {2}], axis: [0, {3}, 0], initial: {{angle: {4}, rate: {5}}}, cut: {6}}}\n",
        name, side * a, -l, -side, -angle, -angle_rate, cut == Cut::at_the_sleeve);
  }
  return text + joints +
         fmt::format(
             "environment: {{gravity: {{uniform: [0, 0, {}]}}}}\nsimulation: {{duration: 2, {}}}\n"
             "output: {{interval: 0.5, record: [shaft.angle, shaft.rate, slide.displacement, slide.speed, "
             "hinge_right.angle, hinge_left.angle, hinge_left.rate]}}\n",
             -g, simulation);
}

void expect_motion(const Flight& flight, double tolerance) {
  ASSERT_EQ(flight.rows.size(), 5U);
  double lowest = 10, highest = 0;
  for (std::size_t i = 0; i < flight.rows.size(); ++i) {
    const Reduced y = reduced_at(flight.time[i]);
    const auto expect = [&](const char* name, double value) {
      EXPECT_NEAR(flight[name][i], value, tolerance) << name << " at " << flight.time[i];
    };
    expect("shaft.angle", y.turn);
    expect("shaft.rate", y.w);
    expect("hinge_right.angle", y.angle);
    expect("hinge_left.angle", y.angle);
    expect("hinge_left.rate", y.rate);
    expect("slide.displacement", -2 * l * std::cos(y.angle));
    expect("slide.speed", 2 * l * std::sin(y.angle) * y.rate);
    lowest = std::min(lowest, y.angle), highest = std::max(highest, y.angle);
  }
  EXPECT_GT(highest - lowest, 0.1) << "the balls rise and fall";
}

/// Steps have errors of 1e-11 relative to values up to 20; some thousand of them, each followed by a projection, add to
/// less than 1e-8.
TEST(Governor, MovesAsItsReducedEquationsWithEveryFormulationThatTakesLoops) {
  for (const char* formulation : {"articulated_body", "composite_body", "kane", "absolute", "mixed"}) {
    for (const Cut cut : {Cut::at_the_sleeve, Cut::at_the_balls}) {
      SCOPED_TRACE(
          fmt::format("{}, cut {}", formulation, cut == Cut::at_the_sleeve ? "at the sleeve" : "at the balls"));
      const Flight flight(
          model(cut, fmt::format("formulation: {}, integrator: {{method: dopri5, tolerance: 1e-11}}", formulation)), {},
          Flight::Expect::finish);
      expect_motion(flight, 1e-8);
      EXPECT_EQ(flight.simulation.plant().constraints().rows(), 10U) << "of which four are independent";
      EXPECT_LT(flight.simulation.ledger().assembled.position, 1e-12) << "closed as it is given";
    }
  }
}

/// With feedback of the violation alone, and in the projection of cvode_bdf, whose errors are larger.
TEST(Governor, MovesAsItsReducedEquationsHoweverItsLoopsAreKept) {
  expect_motion(Flight(model(Cut::at_the_sleeve,
                             "integrator: {method: dopri5, tolerance: 1e-11}, stabilization: {method: baumgarte, "
                             "alpha: 10, beta: 10}"),
                       {}, Flight::Expect::finish),
                1e-7);
  expect_motion(Flight(model(Cut::at_the_sleeve, "integrator: {method: cvode_bdf, tolerance: 1e-10}"), {},
                       Flight::Expect::finish),
                1e-5);
}

}  // namespace governor_test
}  // namespace gyrostat::testing
