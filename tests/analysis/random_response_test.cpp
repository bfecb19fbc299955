// Responses to random disturbances against closed forms, Lyapunov's equation and simulated noise.
#include "gyrostat/analysis/random_response.h"

#include <cmath>
#include <numbers>

#include <gtest/gtest.h>
#include <unsupported/Eigen/KroneckerProduct>

#include "gyrostat/analysis/linearize.h"

#include "support/flight.h"
#include "support/load.h"

namespace gyrostat::testing {
namespace random_response_test {

struct Disturbed {
  Loaded loaded;
  LinearModel model;
  std::vector<RandomSource> sources;

  Disturbed(const std::string& text, std::vector<RandomSource> given, std::vector<std::string> outputs)
      : loaded(load(text)), sources(std::move(given)) {
    if (!loaded.model) throw std::runtime_error(loaded.problems.all().front().message);
    for (RandomSource& source : noise_of(*loaded.model)) sources.push_back(std::move(source));
    LinearizeSettings settings;
    for (const RandomSource& source : sources) settings.inputs.push_back(source.input);
    settings.outputs = std::move(outputs);
    model = linearize(*loaded.model, initial_point(*loaded.model), settings);
  }
  [[nodiscard]] RandomResponse find(std::optional<double> from = {}, std::optional<double> to = {}) const {
    return random_response(model, sources, from, to);
  }
};

constexpr const char* slider = R"yaml(
gyrostat: 1
bodies: {cart: {mass: 2, point_mass: true}}
joints: {rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], stiffness: 18, damping: 0.012}}
simulation: {duration: 1}
)yaml";

// One-sided density G: x^2 = G/(4 c k), v^2 = G/(4 c m). The damping ratio is 0.001.
TEST(RandomResponse, OfAnOscillatorToAWhiteForceIsTheClosedForm) {
  const double G = 0.3, m = 2, k = 18, c = 0.012;
  const Disturbed d(slider, {{"rail.force", WhiteSpectrum{G}}}, {"rail.displacement", "rail.speed"});
  const RandomResponse r = d.find();
  EXPECT_NEAR(r.outputs[0].rms, std::sqrt(G / (4 * c * k)), 1e-8 * r.outputs[0].rms);
  EXPECT_NEAR(r.outputs[1].rms, std::sqrt(G / (4 * c * m)), 1e-8 * r.outputs[1].rms);
  EXPECT_EQ(r.from, 0);
  EXPECT_TRUE(std::isinf(r.to));
  ASSERT_EQ(r.outputs[0].by_mode.size(), 1u);
  EXPECT_NEAR(r.outputs[0].by_mode[0], r.outputs[0].rms * r.outputs[0].rms, 1e-9 * r.outputs[0].by_mode[0]);
  EXPECT_LT(std::abs(r.outputs[0].rest), 1e-9 * r.outputs[0].by_mode[0]);
  // the density is G |H|^2
  for (std::size_t i = 0; i < r.frequency.size(); ++i) {
    const std::complex<double> s(0, 2 * std::numbers::pi * r.frequency[i]);
    EXPECT_NEAR(r.outputs[0].density[i], G * std::norm(1.0 / (m * s * s + c * s + k)), 1e-9 * r.outputs[0].density[i]);
  }
}

TEST(RandomResponse, OverARangeLacksWhatIsOutside) {
  const Disturbed d(slider, {{"rail.force", WhiteSpectrum{1}}}, {"rail.displacement"});
  const double all = d.find().outputs[0].rms, low = d.find(0, 0.3).outputs[0].rms,
               middle = d.find(0.3, 0.6).outputs[0].rms, high = d.find(0.6).outputs[0].rms;
  EXPECT_NEAR(low * low + middle * middle + high * high, all * all, 1e-9 * all * all);
  EXPECT_GT(middle, 0.99 * all);  // the resonance is at 0.477 Hz
}

// a y' = -a y + a n, n held: the mean over a period of the variance, from the recursion of its values at the
// beginnings.
TEST(RandomResponse, OfALagToHeldNoiseIsThatOfTheSequence) {
  const Disturbed d(R"yaml(
gyrostat: 1
bodies: {cart: {mass: 2, point_mass: true}}
joints: {rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], stiffness: 1, damping: 1}}
signals:
  n: {noise: {seed: 1, std: 0.4, period: 0.25}}
  y: {transfer_function: {input: n, numerator: [3], denominator: [1, 3]}}
simulation: {duration: 1}
)yaml",
                    {}, {"y"});
  const double a = 3, T = 0.25, phi = std::exp(-a * T), variance = 0.16;
  const double at = variance * (1 - phi) / (1 + phi);
  const double e1 = (1 - phi) / (a * T), e2 = (1 - phi * phi) / (2 * a * T);
  const double mean = at * e2 + variance * (1 - 2 * e1 + e2);
  EXPECT_NEAR(d.find().outputs[0].rms, std::sqrt(mean), 2e-6 * std::sqrt(mean));
}

constexpr const char* chain = R"yaml(
gyrostat: 1
bodies:
  a: {mass: 3, inertia: [0.4, 0.3, 0.2], com: [0.1, 0.2, 0]}
  b: {mass: 2, inertia: [0.2, 0.3, 0.4], com: [0.3, 0, 0.1]}
  c: {mass: 1, inertia: [0.1, 0.2, 0.2], com: [0.2, 0.1, 0]}
joints:
  one: {type: revolute, parent: world, child: a, axis: [0, 0, 1], stiffness: 40, damping: 0.3}
  two: {type: revolute, parent: a, child: b, parent_point: [0.5, 0, 0], axis: [0, 1, 0], stiffness: 30, damping: 0.05}
  three: {type: revolute, parent: b, child: c, parent_point: [0.6, 0, 0], axis: [0, 1, 1], stiffness: 9, damping: 0.02}
signals:
  filtered: {transfer_function: {input: three.angle, numerator: [5], denominator: [1, 5]}}
simulation: {duration: 1}
)yaml";

// A P + P A^T + B W B^T = 0, W = G/2.
TEST(RandomResponse, OfAChainSatisfiesLyapunovsEquation) {
  const Disturbed d(chain, {{"a.torque_z", WhiteSpectrum{0.2}}, {"two.torque", WhiteSpectrum{0.05}}},
                    {"three.angle", "one.rate", "filtered"});
  const RandomResponse r = d.find();
  const Eigen::MatrixXd& A = d.model.A;
  const Eigen::Index n = A.rows();
  Eigen::MatrixXd previous = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t s = 0; s < 2; ++s) {
    const Eigen::VectorXd b = d.model.B.col(static_cast<Eigen::Index>(s));
    const Eigen::MatrixXd Q = b * b.transpose() * (0.5 * std::get<WhiteSpectrum>(d.sources[s].spectrum).density);
    const Eigen::MatrixXd I = Eigen::MatrixXd::Identity(n, n);
    const Eigen::MatrixXd K = Eigen::kroneckerProduct(I, A) + Eigen::kroneckerProduct(A, I);
    const Eigen::VectorXd p = K.fullPivLu().solve(-Eigen::Map<const Eigen::VectorXd>(Q.data(), n * n));
    const Eigen::MatrixXd P = Eigen::Map<const Eigen::MatrixXd>(p.data(), n, n);
    for (Eigen::Index y = 0; y < 3; ++y) {
      const double rms = std::sqrt((d.model.C.row(y) * P * d.model.C.row(y).transpose()).value());
      EXPECT_NEAR(r.outputs[static_cast<std::size_t>(y)].by_source[s], rms, 1e-8 * rms);
    }
  }
  for (const RandomOutput& output : r.outputs) {
    double squares = 0, parts = output.rest;
    for (const double source : output.by_source) squares += source * source;
    for (const double mode : output.by_mode) parts += mode;
    EXPECT_NEAR(std::sqrt(squares), output.rms, 1e-12 * output.rms);
    EXPECT_NEAR(parts, squares, 1e-12 * squares);
    EXPECT_LT(std::abs(output.rest), 1e-8 * squares);  // nothing acts directly, and no eigenvalue is zero
  }
}

TEST(RandomResponse, ATabulatedSpectrumIsStraightInLogarithmicScales) {
  const Spectrum s = TabulatedSpectrum{{1, 10, 100}, {4, 0.04, 0.04}};
  EXPECT_NEAR(density_of(s, std::sqrt(10)), 0.4, 1e-14);
  EXPECT_NEAR(density_of(s, 50), 0.04, 1e-15);
  EXPECT_EQ(density_of(s, 1), 4);
  EXPECT_EQ(density_of(s, 100), 0.04);
  EXPECT_EQ(density_of(s, 0.99), 0);
  EXPECT_EQ(density_of(s, 101), 0);
  // far below its resonance the slider gives F/k: its mean square is the integral of the density, 4 f^-2 from 1 to 10
  const Disturbed stiff(R"yaml(
gyrostat: 1
bodies: {cart: {mass: 1e-6, point_mass: true}}
joints: {rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], stiffness: 100, damping: 1e-4}}
simulation: {duration: 1}
)yaml",
                        {{"rail.force", TabulatedSpectrum{{1, 10}, {4, 0.04}}}}, {"100*rail.displacement"});
  EXPECT_NEAR(stiff.find().outputs[0].rms, std::sqrt(4 * (1 - 0.1)), 1e-5);
}

// What the plant does with its own noise, over a long run; the error of an rms from N correlated samples is known.
TEST(RandomResponse, IsWhatTheSimulationWithNoiseDoes) {
  const std::string text = R"yaml(
gyrostat: 1
bodies: {bus: {mass: 50, inertia: [3, 3, 2]}}
joints: {pin: {type: revolute, parent: world, child: bus, axis: [0, 0, 1], torque: "-8*measured - 4*pin.rate"}}
signals:
  n: {noise: {seed: 5, std: 0.01, period: 0.05}}
  measured: "pin.angle + n"
simulation: {duration: 4000, integrator: {method: dopri5, tolerance: 1e-7}}
output: {interval: 0.0713, record: [pin.angle, pin.rate]}
)yaml";
  const Disturbed d(text, {}, {"pin.angle", "pin.rate"});
  const RandomResponse r = d.find();
  Flight flight(text);
  ASSERT_EQ(flight.outcome.kind, Outcome::Kind::finished) << flight.outcome.failure;
  for (std::size_t y = 0; y < 2; ++y) {
    const std::vector<double> column = flight.values(y == 0 ? "pin.angle" : "pin.rate");
    double squares = 0;
    for (const double x : column) squares += x * x;
    const double rms = std::sqrt(squares / static_cast<double>(column.size()));
    // 4000 s with a correlation time of about 1 s: 2000 independent squares, relative error of rms 1/sqrt(2*2000) = 1.6
    // %
    EXPECT_NEAR(rms, r.outputs[y].rms, 0.05 * rms);
  }
}

TEST(RandomResponse, OfAFreeBodyCountsFromWhereItIsTold) {
  const Disturbed d(R"yaml(
gyrostat: 1
bodies: {bus: {mass: 5, inertia: [3, 3, 2]}}
simulation: {duration: 1}
)yaml",
                    {{"bus.torque_z", WhiteSpectrum{1}}}, {"bus.omega_z"});
  const RandomResponse limited = d.find(1, 10);  // (1/2) 1/(2 pi f)^2
  const double expected = std::sqrt(0.25 / (4 * std::pow(std::numbers::pi, 2)) * (1 - 0.1));
  EXPECT_NEAR(limited.outputs[0].rms, expected, 1e-9 * expected);
  EXPECT_NEAR(limited.outputs[0].rest, expected * expected, 1e-9 * expected * expected);
  const RandomResponse all = d.find();
  EXPECT_GT(all.from, 0);
  ASSERT_EQ(all.notes.size(), 1u);
  EXPECT_NE(all.notes[0].find("low frequencies"), std::string::npos);
}

TEST(RandomResponse, OfWhatHasNoLimitIsRefused) {
  const auto message = [](const char* joint) {
    const Disturbed d(std::string(R"yaml(
gyrostat: 1
bodies: {cart: {mass: 2, point_mass: true}}
joints: {rail: {type: prismatic, parent: world, child: cart, axis: [1, 0, 0], )yaml") +
                          joint + "}}\nsimulation: {duration: 1}\n",
                      {{"rail.force", WhiteSpectrum{1}}}, {"rail.displacement"});
    try {
      static_cast<void>(d.find());
    } catch (const AnalysisError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(message("stiffness: 18").find("no damping"), std::string::npos);
  EXPECT_NE(message("stiffness: 18, torque: \"rail.speed\"").find("unstable"), std::string::npos);
  EXPECT_EQ(message("stiffness: 18, damping: 1"), "");
}

}  // namespace random_response_test
}  // namespace gyrostat::testing
