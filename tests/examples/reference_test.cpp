// The references that examples are held against agree with each other and with plain integrations.
#include "examples/reference.h"

#include <gtest/gtest.h>

#include "examples/five_body_reference.h"

namespace gyrostat::testing::reference {
namespace reference_test {

constexpr double degree = std::numbers::pi / 180;

/// Euler's equations and R_NB' = R_NB [w], step by step in long double.
std::array<long double, 12> tumbled(const Vec& inertia, const Vec& rates, double t, int steps) {
  using Y = std::array<long double, 12>;
  const auto f = [&](long double, const Y& y) {
    Y d{};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      d[i] = (static_cast<long double>(inertia[j]) - inertia[k]) / inertia[i] * y[j] * y[k];
      for (std::size_t row = 0; row < 3; ++row)
        d[3 + 3 * row + i] = y[3 + 3 * row + j] * y[k] - y[3 + 3 * row + k] * y[j];
    }
    return d;
  };
  Y y = {rates[0], rates[1], rates[2], 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const long double h = static_cast<long double>(t) / steps;
  for (int s = 0; s < steps; ++s) {  // the classical rule of Runge and Kutta
    const auto moved = [&](const Y& rate, long double by) {
      Y z = y;
      for (std::size_t i = 0; i < z.size(); ++i) z[i] += by * rate[i];
      return z;
    };
    const Y k1 = f(0, y), k2 = f(0, moved(k1, h / 2)), k3 = f(0, moved(k2, h / 2)), k4 = f(0, moved(k3, h));
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }
  return y;
}

TEST(Jacobi, AgreesWithLegendresIntegralAndWithTheLimits) {
  for (const double m1 : {1.0, 0.7, 0.2, 1e-3, 1e-7}) {
    EXPECT_NEAR(complete_elliptic(m1), std::comp_ellint_1(std::sqrt(1 - m1)), 1e-8);
    for (const double phi : {-3.0, -1.2, 0.3, 1.0, 1.5, 2.5}) {
      const Jacobi j = jacobi(std::ellint_1(std::sqrt(1 - m1), phi), m1);
      EXPECT_NEAR(j.sn, std::sin(phi), 1e-14 + 1e-16 / m1) << m1 << ' ' << phi;
      EXPECT_NEAR(j.cn, std::cos(phi), 1e-14 + 1e-16 / m1) << m1 << ' ' << phi;
      EXPECT_NEAR(j.dn * j.dn, m1 + (1 - m1) * j.cn * j.cn, 1e-15);
    }
  }
}

TEST(TorqueFree, IsWhatStepsOfEulersEquationsGive) {
  const std::array<Vec, 4> inertias = {Vec{1.9, 6.2, 7.2}, Vec{7, 3, 5}, Vec{5, 7, 3}, Vec{2.79375, 5.075, 7.75625}};
  const std::array<Vec, 7> rates = {Vec{0.2, 0.4, 0.6},   Vec{-0.5, 0.1, 0.3}, Vec{0.1, -0.9, 0.2}, Vec{0.3, 0.2, -0.8},
                                    Vec{0.01, 1.2, 0.02}, Vec{0.0, 0.3, 0.7},  Vec{-0.9, -0.1, 0.0}};
  for (const Vec& inertia : inertias) {
    for (const Vec& w0 : rates) {
      const TorqueFree body(inertia, w0);
      for (const double t : {0.0, 3.7, 25.0}) {
        const std::array<long double, 12> y = tumbled(inertia, w0, t, 20000);
        const Vec w = body.rates(t);
        const Mat R = body.orientation(t);
        for (std::size_t i = 0; i < 3; ++i) {
          EXPECT_NEAR(w[i], static_cast<double>(y[i]), 3e-13);
          for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(R[i][j], static_cast<double>(y[3 + 3 * i + j]), 3e-12);
        }
      }
    }
  }
}

TEST(TorqueFree, PeriodOfASlightlyDisturbedSpinIsThatOfItsLinearisation) {
  // about the largest moment: w^2 = (Ia - Ib) (Ia - Ic) / (Ib Ic) times the spin squared
  const TorqueFree body({3, 5, 7}, {1e-6, 0, 2.0});
  EXPECT_NEAR(body.period(), 2 * std::numbers::pi / (2.0 * std::sqrt(2.0 * 4.0 / 15.0)), 1e-9);
}

TEST(Step, HasTheOrderItClaims) {
  const auto f = [](double, const std::array<double, 2>& y) -> std::array<double, 2> { return {y[1], -y[0]}; };
  const auto error = [&](int steps, std::size_t levels) {
    return std::abs(integrated<double, 2>(f, 0.0, {1, 0}, 4.0, steps, levels)[0] - std::cos(4.0));
  };
  EXPECT_NEAR(std::log2(error(8, 2) / error(16, 2)), 4, 0.4);
  EXPECT_NEAR(std::log2(error(8, 4) / error(16, 4)), 8, 0.6);
  EXPECT_LT(error(8, 8), 1e-13);
}

TEST(BallInTube, WithoutABallNutates) {
  const BallInTube b{450, 380, 300, 0.05, 754, 700, 1e-9, 0.8, 1e-9, 0};
  const double expected = nutation(450, 380, 300, 0.05, 754);
  EXPECT_NEAR(b.root({0, 1.01 * expected}).imag(), expected, 1e-9);
}

TEST(EccentricPitch, SmallEccentricityGivesTheForcedOscillation) {
  const double k = 0.7, e = 1e-5;
  for (const double f : {0.5, 2.0, 7.0}) {
    const auto [pitch, slope] = eccentric_pitch(e, k, 0, forced_pitch(e, k), f);
    EXPECT_NEAR(pitch, forced_pitch(e, k) * std::sin(f), 100 * e * e);
    EXPECT_NEAR(slope, forced_pitch(e, k) * std::cos(f), 100 * e * e);
  }
}

TEST(EccentricPitch, OnACircularOrbitLibratesAtThePitchFrequency) {
  const Librations l = librations(900, 1000, 200);
  EXPECT_NEAR(eccentric_pitch(0, 0.7, 1e-6, 0, 5.0)[0], 1e-6 * std::cos(l.pitch * 5.0), 1e-15);
}

TEST(RigidInOrbit, LibratesAtTheThreeFrequencies) {
  const double n = 1e-3, small = 1e-6;
  const RigidInOrbit body{{900, 1000, 200}, n, 0};
  const Librations l = librations(900, 1000, 200);
  const auto start = RigidInOrbit::tipped(small, 0.5 * small, n);
  EXPECT_NEAR(body.pitch_roll_yaw(0, start)[0], small, 1e-15);
  EXPECT_NEAR(body.pitch_roll_yaw(0, start)[1], 0.5 * small, 1e-15);
  // Roll is a sum of both modes' cosines (it starts at rest, without yaw, so by symmetry no sines): a four-point
  // recurrence that only the right frequencies satisfy, y(t+2h) + y(t-2h) - (c1 + c2) (y(t+h) + y(t-h)) + (2 + c1 c2) y
  // = 0.
  const double h = 700;
  std::array<double, 5> roll{};
  for (std::size_t k = 0; k < 5; ++k) {
    const double t = 1000 + h * static_cast<double>(k);
    const auto angles = body.pitch_roll_yaw(t, body.after(t, start, 100));
    EXPECT_NEAR(angles[0], small * std::cos(l.pitch * n * t), 1e-11);
    roll[k] = angles[1];
  }
  const double c1 = 2 * std::cos(l.slow * n * h), c2 = 2 * std::cos(l.fast * n * h);
  EXPECT_NEAR(roll[4] + roll[0] - (c1 + c2) * (roll[3] + roll[1]) + (2 + c1 * c2) * roll[2], 0, 1e-11);
}

TEST(RigidInOrbit, PitchesAsTheEquationInTheTrueAnomalySays) {
  const double n = 1e-3, e = 0.05, k = 0.7;
  const RigidInOrbit body{{900, 1000, 200}, n, e};
  const double slope = forced_pitch(e, k), fdot = n * (1 + e) * (1 + e) / std::pow(1 - e * e, 1.5);
  const auto start = RigidInOrbit::tipped(0, 0, fdot * (1 + slope));
  for (const double t : {500.0, 3000.0, 6000.0}) {
    const double f = true_anomaly(n * t, e),
                 turns = 2 * std::numbers::pi * std::round((n * t - f) / (2 * std::numbers::pi));
    const double pitch = body.pitch_roll_yaw(t, body.after(t, start, 200))[0];
    EXPECT_NEAR(pitch, -eccentric_pitch(e, k, 0, slope, f + turns)[0], 1e-11);
  }
}

TEST(Dumbbell, RestsAtItsEquilibriumAndSwingsAtItsFrequencies) {
  const Dumbbell d{100, 60, 0.002, 0, 100, 1.078e-3};
  const double L = d.equilibrium();
  EXPECT_NEAR(d.after(5000, {L, 0, 0, 0})[0], L, 1e-9);
  // A mode: L = Le (1 + a cos wt), pitch = b sin wt, with (A - w^2) a = 2 n w b.
  for (const double w : d.frequencies()) {
    const double A = d.stiffness / d.reduced() - 3 * d.n * d.n, a = 1e-7, b = (A - w * w) * a / (2 * d.n * w), t = 4000;
    const auto y = d.after(t, {L * (1 + a), 0, 0, b * w});
    EXPECT_NEAR(y[0] / L - 1, a * std::cos(w * t), 1e-11);
    EXPECT_NEAR(y[2], b * std::sin(w * t), 1e-11);
  }
  const Dumbbell stiff{100, 60, 1e5, 0, 100, 1.078e-3};
  EXPECT_NEAR(stiff.frequencies()[0], std::sqrt(3.0) * stiff.n, 1e-7 * stiff.n);
}

TEST(ThermalBoom, GrowsAtTheRateOfItsRoot) {
  ThermalBoom b{400, 1500, 4, 133, 10, 150, 1, 3, 3 * degree, -40 * degree};
  const std::complex<double> s = b.root();
  const double q = b.equilibrium(), t = 1000;
  // Start on the mode: q = q0 + Re(e^{st}) x, r = q0 + Re(g e^{st}) x, g = (J s^2 + d s + k) / k.
  const double x = 1e-7;
  const std::complex<double> g = (b.inertia() * s * s + b.damping * s + b.stiffness) / b.stiffness,
                             end = std::exp(s * t);
  const auto y = b.after(t, {q + x, x * s.real(), q + x * g.real()});
  EXPECT_NEAR(y[0], q + x * end.real(), 1e-5 * x);
  EXPECT_GT(s.real(), 0);
  b.sun = -b.sun;
  EXPECT_LT(b.root().real(), 0);
}

TEST(ThermalBoom, FluttersWhereRouthSays) {
  ThermalBoom b{400, 1500, 4, 133, 10, 150, 1, 3, 3 * degree, -40 * degree};
  double low = 0, high = 20;
  for (int i = 0; i < 60; ++i) {
    b.damping = (low + high) / 2;
    (b.root().real() > 0 ? low : high) = b.damping;
  }
  EXPECT_NEAR(b.feedback(), b.flutter_feedback(), 1e-12);
}

TEST(FiveBodyReference, KeepsItsMomentumWithoutJets) {
  FiveBodyCase c = five_body_case1();
  c.jets = false;
  c.duration = 6;
  for (const FiveBodySample& s : FiveBody::fly(c).samples) {
    for (const double h : s.momentum) EXPECT_NEAR(h, 0, 1e-9);
  }
}

TEST(FiveBodyReference, DoesNotDependOnItsStep) {
  FiveBodyCase c = five_body_case1();
  c.duration = 6;
  const FiveBodyFlight coarse = FiveBody::fly(c);
  c.step /= 2;
  const FiveBodyFlight fine = FiveBody::fly(c);
  ASSERT_EQ(coarse.samples.size(), fine.samples.size());
  ASSERT_EQ(coarse.pulses[1].size(), fine.pulses[1].size());
  EXPECT_NEAR(coarse.pulses[1].front(), fine.pulses[1].front(), 1e-6);
  EXPECT_NEAR(coarse.samples.back().omega[1], fine.samples.back().omega[1], 1e-9);
}

}  // namespace reference_test
}  // namespace gyrostat::testing::reference
