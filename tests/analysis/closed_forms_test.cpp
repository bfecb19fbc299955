// Linear models whose eigenvalues, gains and margins are known in closed form.
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "gyrostat/analysis/frequency_response.h"
#include "gyrostat/analysis/held_channels.h"
#include "gyrostat/analysis/root_locus.h"

#include "support/load.h"

namespace gyrostat::testing {
namespace closed_forms_test {

struct Linear {
  Loaded loaded;
  LinearModel model;

  explicit Linear(const std::string& text, const LinearizeSettings& settings = {}) : loaded(load(text)) {
    if (!loaded.model) throw std::runtime_error(loaded.problems.all().front().message);
    model = linearize(*loaded.model, initial_point(*loaded.model), settings);
  }
  [[nodiscard]] Modes modes() const { return find_modes(state_space(model).A); }
};

/// Natural frequencies of the modes that are not zero, each as often as it occurs.
std::vector<double> frequencies(const Modes& modes) {
  std::vector<double> list;
  for (const Mode& mode : modes.modes) {
    if (!mode.rigid) list.push_back(mode.natural_frequency());
  }
  return list;
}

constexpr const char* slider = R"yaml(
gyrostat: 1
bodies: {cart: {mass: 2, point_mass: true}}
joints: {rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], stiffness: 18, damping: 1.2}}
simulation: {duration: 1}
)yaml";

TEST(ClosedForms, ASpringAndAMass) {
  LinearizeSettings settings;
  settings.inputs = {"rail.force"};
  settings.outputs = {"rail.displacement", "rail.speed"};
  const Linear linear(slider, settings);
  Eigen::Matrix2d A, C = Eigen::Matrix2d::Identity();
  A << 0, 1, -9, -0.6;
  EXPECT_TRUE(linear.model.A.isApprox(A, 1e-14)) << linear.model.A;
  EXPECT_TRUE(linear.model.B.isApprox(Eigen::Vector2d(0, 0.5), 1e-14)) << linear.model.B;
  EXPECT_TRUE(linear.model.C.isApprox(C, 1e-14));
  EXPECT_TRUE(linear.model.D.isZero(0));
  EXPECT_EQ(linear.model.states[0].name, "rail.displacement");
  EXPECT_EQ(linear.model.states[1].unit, "m/s");
  EXPECT_EQ(linear.model.inputs[0].unit, "N");
  const SecondOrder& s = linear.model.second_order;
  EXPECT_NEAR(s.M(0, 0), 2, 1e-14);
  EXPECT_NEAR(s.D(0, 0), 1.2, 1e-14);
  EXPECT_NEAR(s.K(0, 0), 18, 1e-13);
  EXPECT_NEAR(s.H(0, 0), 1, 1e-14);
  const Mode mode = linear.modes().modes.at(0);
  EXPECT_NEAR(mode.natural_frequency(), 3, 1e-13);
  EXPECT_NEAR(mode.damping_ratio(), 0.1, 1e-13);
  EXPECT_NEAR(mode.time_constant(), 1 / 0.3, 1e-12);
  const std::complex<double> at = response_at(linear.model, 3)(0, 0);  // 1/(i w d)
  EXPECT_NEAR(std::abs(at - 1.0 / std::complex<double>(0, 3.6)), 0, 1e-14);
}

TEST(ClosedForms, APendulumHangsAndStandsUp) {
  for (const bool up : {false, true}) {
    const std::string text = std::string(R"yaml(
gyrostat: 1
bodies: {rod: {mass: 3, com: [0, 0, -0.5], inertia: [0.25, 0.25, 0.001], accept_unphysical: true}}
joints: {pivot: {type: revolute, parent: world, child: rod, axis: [0, 1, 0], initial: {angle: )yaml") +
                             (up ? "180 deg" : "0 deg") + R"yaml(}}}
environment: {gravity: {uniform: [0, 0, -9.81]}}
simulation: {duration: 1}
)yaml";
    const Modes modes = Linear(text).modes();
    const double w = std::sqrt(3 * 9.81 * 0.5 / (0.25 + 3 * 0.25));
    ASSERT_EQ(modes.modes.size(), up ? 2U : 1U);
    for (const double f : frequencies(modes)) EXPECT_NEAR(f, w, 1e-12);
    EXPECT_EQ(modes.modes.back().eigenvalue.real() > 0 || modes.modes.front().eigenvalue.real() > 0, up);
  }
}

/// A satellite that keeps its attitude to the vertical on a circular orbit: at t = 0 x is up, y along the track, z
/// normal to the orbit.
std::string on_orbit(double n) {
  return fmt::format(R"yaml(
gyrostat: 1
bodies: {{bus: {{mass: 100, inertia: [20, 80, 90]}}}}
joints: {{base: {{type: spherical, parent: world, child: bus, initial: {{omega: [0, 0, {:.17g}]}}}}}}
environment:
  orbit: {{semi_major_axis: 7000 km, eccentricity: 0, inclination: 0, center: earth}}
  gravity_gradient: perturbation
simulation: {{duration: 1}}
)yaml",
                     n);
}

TEST(ClosedForms, LibrationsInTheGravityGradient) {
  const double n = Orbit(load(on_orbit(0)).model->description.environment.orbit.value()).mean_motion();
  const Linear linear(on_orbit(n));
  EXPECT_LT(linear.model.rates.cwiseAbs().maxCoeff(), 1e-18);
  const double up = 20, along = 80, normal = 90;
  std::vector<double> expected = {n * std::sqrt(3 * (along - up) / normal)};
  // roll about the track, yaw about the vertical
  const double a = along * up,
               b = along * (normal - along) + 4 * (normal - up) * up + (along + up - normal) * (along + up - normal),
               c = 4 * (normal - up) * (normal - along);
  for (const double sign : {-1, 1}) {
    expected.push_back(n * std::sqrt((b + sign * std::sqrt(b * b - 4 * a * c)) / (2 * a)));
  }
  std::ranges::sort(expected);
  const Modes modes = linear.modes();
  const std::vector<double> found = frequencies(modes);
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k] / expected[k], 1, 1e-9);
  for (const Mode& mode : modes.modes) EXPECT_LT(std::abs(mode.damping_ratio()), 1e-9);
}

TEST(ClosedForms, AnAsymmetricTopTurnsStablyAboutItsOuterAxes) {
  constexpr double w = 2;
  constexpr std::array<double, 3> I = {4, 5, 7};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::array<double, 3> omega{};
    omega[axis] = w;
    const Modes modes = Linear(fmt::format(R"yaml(
gyrostat: 1
bodies: {{top: {{mass: 1, inertia: [4, 5, 7]}}}}
joints: {{pivot: {{type: spherical, parent: world, child: top, initial: {{omega: [{}, {}, {}]}}}}}}
simulation: {{duration: 1}}
)yaml",
                                           omega[0], omega[1], omega[2]))
                            .modes();
    const double a = I[axis], b = I[(axis + 1) % 3], c = I[(axis + 2) % 3];
    const double square = w * w * (a - b) * (a - c) / (b * c);  // of the nutation
    EXPECT_EQ(modes.rigid, 2U);                                 // about the spin axis
    EXPECT_EQ(modes.chains, std::vector<std::size_t>{2});
    const auto is_there = [&](std::complex<double> value) {
      return std::ranges::any_of(modes.modes, [&](const Mode& m) { return std::abs(m.eigenvalue - value) < 1e-9; });
    };
    EXPECT_TRUE(is_there({0, w}));  // the spin axis itself, seen from the body
    if (square > 0) {
      EXPECT_TRUE(is_there({0, std::sqrt(square)})) << axis;
    } else {
      EXPECT_TRUE(is_there(std::sqrt(-square)) && is_there(-std::sqrt(-square))) << axis;
    }
  }
}

TEST(ClosedForms, TheNutationOfADualSpinSatellite) {
  const Linear linear(R"yaml(
gyrostat: 1
bodies:
  bus: {mass: 50, inertia: [12, 15, 9], wheels: {rw: {axis: [0, 1, 0], inertia: 0.05, rate: 400}}}
joints: {base: {type: spherical, parent: world, child: bus}}
simulation: {duration: 1}
)yaml");
  const Modes modes = linear.modes();
  const std::vector<double> found = frequencies(modes);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_NEAR(found[0], 0.05 * 400 / std::sqrt(12 * 9), 1e-12);
  EXPECT_EQ(modes.rigid, 6U);  // of eight states: three angles, that of the wheel, two speeds about its axis
}

TEST(ClosedForms, AFreeBodyHasSixChainsOfTwoZeros) {
  const Modes modes = Linear(R"yaml(
gyrostat: 1
bodies: {bus: {mass: 412.5, com: [0.1, 0.7, -0.3], inertia: {xx: 115, yy: 316, zz: 440, xy: -14, xz: 14, yz: -34.6}, accept_unphysical: true}}
simulation: {duration: 1}
)yaml")
                          .modes();
  EXPECT_EQ(modes.rigid, 12U);
  EXPECT_EQ(modes.chains, (std::vector<std::size_t>{2, 2, 2, 2, 2, 2}));
}

/// A satellite about one axis under rate and attitude feedback with a delay, torque = -(k th + d w).
constexpr const char* servo = R"yaml(
gyrostat: 1
parameters: {k: 4, d: 2.8}
bodies: {bus: {mass: 1, inertia: [1, 1, 2]}}
joints: {pin: {type: revolute, parent: world, child: bus, axis: [0, 0, 1], torque: torque}}
signals:
  command: "-k*pin.angle - d*pin.rate"
  torque: {delay: {input: command, time: 0.05}}
simulation: {duration: 1}
)yaml";

TEST(ClosedForms, ALoopThatIsOpenedHasItsMargins) {
  LinearizeSettings settings;
  settings.open = {"command"};
  const Linear opened(servo, settings);
  // L = (d s + k) exp(-0.05 s)/(2 s^2)
  for (const double w : {0.1, 1.0, 7.0}) {
    const std::complex<double> s(0, w), L = (2.8 * s + 4.0) * std::exp(-0.05 * s) / (2.0 * s * s);
    EXPECT_LT(std::abs(-response_at(opened.model, w)(0, 0) - L), 1e-12 * std::abs(L));
  }
  const Margins margins = find_margins(opened.model, "command", true);
  ASSERT_EQ(margins.phase.size(), 1U);
  const double crossover = std::sqrt((2.8 * 2.8 + std::sqrt(std::pow(2.8, 4) + 4 * 4 * 16.0)) / 8);
  EXPECT_NEAR(margins.phase[0].frequency, crossover, 1e-9);
  const double phase = std::atan(2.8 * crossover / 4) - 0.05 * crossover;
  EXPECT_NEAR(margins.phase[0].margin, phase, 1e-9);
  ASSERT_TRUE(margins.delay);
  EXPECT_NEAR(margins.delay->margin, phase / crossover, 1e-9);
  ASSERT_FALSE(margins.gain.empty());
  const double w = margins.gain[0].frequency;  // atan(0.7 w) = 0.05 w
  EXPECT_NEAR(std::atan(0.7 * w), 0.05 * w, 1e-9);
  EXPECT_NEAR(margins.gain[0].margin, 2 * w * w / std::hypot(4, 2.8 * w), 1e-6);
}

TEST(ClosedForms, APadeApproximationIsNearTheDelayAndPassesAllFrequencies) {
  for (int order = 1; order <= 8; ++order) {
    const PadeDelay delay = pade_delay(0.4, order);
    for (const double w : {0.01, 0.5, 1.0, 2.0, 50.0}) {
      const std::complex<double> s(0, w);
      const Eigen::MatrixXcd pencil =
          s * Eigen::MatrixXcd::Identity(order, order) - delay.A.cast<std::complex<double>>();
      const std::complex<double> z = delay.D + (delay.C.cast<std::complex<double>>() *
                                                pencil.partialPivLu().solve(delay.B.cast<std::complex<double>>()))(0);
      EXPECT_NEAR(std::abs(z), 1, 1e-12);
      const double error = std::abs(z - std::exp(-0.4 * s));
      // the first term that is left out: (w T)^(2 n + 1) (n!)^2 / ((2 n)! (2 n + 1)!)
      double bound = 0.4 * w;
      for (int k = 1; k <= order; ++k) bound *= 0.16 * w * w * k * k / (2.0 * k * (2 * k - 1) * 2 * k * (2 * k + 1));
      if (bound < 0.1) {
        EXPECT_LT(error, 1.1 * bound + 1e-13) << order << " at " << w;
      }
    }
  }
}

TEST(ClosedForms, ASampledLoopIsTheOneOfDiscreteTime) {
  const Linear linear(R"yaml(
gyrostat: 1
bodies: {cart: {mass: 1, point_mass: true}}
joints: {rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], torque: force}}
signals:
  force: {sample: {input: "-9*rail.displacement - 3*rail.speed", period: 0.2}}
simulation: {duration: 1}
)yaml");
  const StateSpace discrete = discrete_state_space(linear.model);
  EXPECT_EQ(discrete.period, 0.2);
  Eigen::Matrix2d expected;  // [1 T; 0 1] - [T^2/2; T] [9 3]
  expected << 1 - 0.02 * 9, 0.2 - 0.02 * 3, -0.2 * 9, 1 - 0.2 * 3;
  EXPECT_TRUE(discrete.A.isApprox(expected, 1e-14)) << discrete.A;
}

TEST(ClosedForms, TheDescribingFunctionOfAnAmplifier) {
  // by the integral over a period
  for (const double hysteresis : {0.0, 0.3}) {
    constexpr double deadband = 0.5, amplitude = 1.3;
    std::complex<double> sum = 0;
    constexpr int points = 2'000'000;
    double output = 0;
    for (int turn = 0; turn < 2; ++turn) {
      sum = 0;
      for (int k = 0; k < points; ++k) {
        const double angle = 2 * std::numbers::pi * (k + 0.5) / points, input = amplitude * std::sin(angle);
        if (output != 0 && output * input < deadband - hysteresis) output = 0;
        if (output == 0) output = input > deadband ? 1 : input < -deadband ? -1 : 0;
        sum += output * std::complex<double>(std::sin(angle), std::cos(angle));
      }
    }
    const std::complex<double> expected = 2.0 * sum / static_cast<double>(points) / amplitude;
    EXPECT_LT(std::abs(describing_function(deadband, hysteresis, amplitude) - expected), 1e-5);
  }
  EXPECT_EQ(describing_function(0.5, 0, 0.4), 0.0);
}

TEST(ClosedForms, BranchesOfARootLocusCrossEachOther) {
  // two oscillators whose frequencies cross, mixed by a rotation of the states
  Eigen::Matrix4d mixing;
  mixing << 2, 1, 0, 1, 0, 1, 3, 0, 1, 0, 1, 1, 0, 2, 0, 1;
  const auto matrix = [&](double k) {
    Eigen::Matrix4d A = Eigen::Matrix4d::Zero();
    A(0, 1) = A(2, 3) = 1;
    A(1, 0) = -(1 + k);
    A(3, 2) = -(2 - k);
    A(1, 1) = -0.02;
    return Eigen::MatrixXd(mixing * A * mixing.inverse());
  };
  std::vector<double> values;
  for (int k = 0; k <= 20; ++k) values.push_back(k / 20.0);
  const RootLocus locus = root_locus(matrix, values);
  ASSERT_EQ(locus.branches.size(), 4U);
  for (const auto& branch : locus.branches) {
    const bool first = branch.front().real() < -1e-6;  // the damped one begins at 1 rad/s and ends at sqrt(2)
    for (std::size_t k = 0; k < branch.size(); ++k) {
      const double square = first ? 1 + locus.values[k] : 2 - locus.values[k];
      EXPECT_NEAR(std::abs(branch[k]), std::sqrt(square), 1e-9) << locus.values[k];
    }
  }
}

TEST(ClosedForms, APairThatMeetsOnTheRealAxisBecomesTwo) {
  const auto matrix = [](double k) {
    Eigen::MatrixXd A(2, 2);
    A << 0, 1, -k, -1;
    return A;
  };
  const RootLocus locus = root_locus(matrix, {0, 0.1, 0.2, 0.3, 0.4, 0.5});
  for (std::size_t k = 0; k < locus.values.size(); ++k) {
    const std::complex<double> root = std::sqrt(std::complex<double>(0.25 - locus.values[k]));
    const std::complex<double> a = locus.branches[0][k], b = locus.branches[1][k];
    EXPECT_NEAR(std::min(std::abs(a + 0.5 - root) + std::abs(b + 0.5 + root),
                         std::abs(a + 0.5 + root) + std::abs(b + 0.5 - root)),
                0, 1e-7);
  }
}

// Position and velocity have the frequency of the turning twice, in a chain: far below that of the hinge, rounding must
// not make one of the two grow.
TEST(ClosedForms, ASlowTurnBesideAFastModeDoesNotGrow) {
  const Linear linear(R"yaml(
gyrostat: 1
bodies:
  bus: {mass: 800, inertia: [600, 450, 550]}
  arm: {mass: 20, com: [0, 4, 0], inertia: [107, 4, 110]}
joints:
  base: {type: free, parent: world, child: bus, initial: {omega: [7e-5, 0, 0]}}
  root: {type: revolute, parent: bus, child: arm, parent_point: [0, 0.75, 0], axis: [1, 0, 0], stiffness: 30000, damping: 50}
simulation: {duration: 1}
)yaml");
  int turning = 0;
  for (const Mode& mode : linear.modes().modes) {
    EXPECT_FALSE(mode.grows()) << mode.eigenvalue;
    turning += std::abs(mode.natural_frequency() - 7e-5) < 1e-10 ? 1 : 0;
  }
  EXPECT_GE(turning, 2);
}

}  // namespace closed_forms_test
}  // namespace gyrostat::testing
