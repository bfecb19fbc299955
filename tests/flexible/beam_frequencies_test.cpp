// Frequencies of uniform beams against closed solutions.
#include <numbers>
#include <vector>

#include <gtest/gtest.h>

#include "flexible/beams.h"

namespace gyrostat {
namespace {

constexpr double pi = std::numbers::pi;

/// The observed order of convergence of relative errors with meshes of n and 2 n elements.
double order(double coarse, double fine) { return std::log2(std::abs(coarse / fine)); }

double relative_error(double value, double exact) { return value / exact - 1; }

/// State (v, th, M, Q) of a vibrating Timoshenko beam of unit length: v' = th + Q/kGA, th' = M/EI,
/// M' = -Q - j omega^2 th, Q' = -m omega^2 v. Returns the determinant of the conditions at the free end, with a body of
/// the given mass and inertia there, for a beam that is clamped at its root.
double timoshenko_residual(double omega, double EI, double kGA, double m, double j, double tip_mass,
                           double tip_inertia) {
  Eigen::Matrix4d A;
  A << 0, 1, 0, 1 / kGA, 0, 0, 1 / EI, 0, 0, -j * omega * omega, 0, -1, -m * omega * omega, 0, 0, 0;
  Eigen::Matrix4d power = Eigen::Matrix4d::Identity(), transfer = power;
  const double parts = 64;  // exp(A) by its series for a part, raised to that power
  for (int i = 1; i < 30; ++i) transfer += (power = (power * A / (parts * i)).eval());
  for (int i = 0; i < 6; ++i) transfer = (transfer * transfer).eval();
  const Eigen::Matrix<double, 4, 2> end = transfer.rightCols<2>();
  Eigen::Matrix2d conditions;
  conditions.row(0) = end.row(3) - tip_mass * omega * omega * end.row(0);
  conditions.row(1) = end.row(2) - tip_inertia * omega * omega * end.row(1);
  return conditions.determinant();
}

/// The first zeros above zero of a function, found in steps.
std::vector<double> zeros_of(const std::function<double(double)>& f, std::size_t count, double step) {
  std::vector<double> zeros;
  for (double x = step / 10; zeros.size() < count; x += step) {
    if (f(x) * f(x + step) < 0) zeros.push_back(zero_of(f, x, x + step));
  }
  return zeros;
}

TEST(BeamFrequencies, OfACantileverConvergeToThePublishedOnes) {
  const std::array<double, 3> published{1.875104069, 4.694091133, 7.854757438};  // beta L
  const auto exact = zeros_of([](double b) { return 1 + std::cos(b) * std::cosh(b); }, 3, 0.5);
  const Eigen::VectorXd w4 = frequencies(make_beam(unit_beam(8), "root", {}, first_modes(3))),
                        w8 = frequencies(make_beam(unit_beam(16), "root", {}, first_modes(3)));
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(exact[k], published[k], 1e-9);  // the published digits
    const auto i = static_cast<Eigen::Index>(k);
    const double coarse = relative_error(w4(i), exact[k] * exact[k]), fine = relative_error(w8(i), exact[k] * exact[k]);
    // The error of the frequency is (beta h)^4 / 1440 with cubic elements, to leading order.
    EXPECT_NEAR(fine / (std::pow(exact[k] / 16, 4) / 1440), 1, 0.05);
    EXPECT_NEAR(order(coarse, fine), 4, 0.1);
  }
}

TEST(BeamFrequencies, OfAFreeBeamConvergeToThePublishedOnes) {
  const std::array<double, 3> published{4.730040745, 7.853204624, 10.995607838};
  const auto exact = zeros_of([](double b) { return 1 - std::cos(b) * std::cosh(b); }, 3, 0.5);
  const ModeOptions options = first_modes(3, ModeKind::free_free);
  const Eigen::VectorXd w16 = frequencies(make_beam(unit_beam(16), "", {}, options)),
                        w32 = frequencies(make_beam(unit_beam(32), "", {}, options));
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(exact[k], published[k], 1e-9);
    const auto i = static_cast<Eigen::Index>(k);
    const double coarse = relative_error(w16(i), exact[k] * exact[k]),
                 fine = relative_error(w32(i), exact[k] * exact[k]);
    EXPECT_NEAR(fine / (std::pow(exact[k] / 32, 4) / 1440), 1, 0.05);
    EXPECT_NEAR(order(coarse, fine), 4, 0.1);
  }
}

TEST(BeamFrequencies, LoseFewDigitsToRoundingInFineMeshes) {
  const double exact = std::pow(zero_of([](double b) { return 1 + std::cos(b) * std::cosh(b); }, 1, 3), 2);
  // The discretisation error is (beta h)^4 / 1440: 2e-10 and 1e-12. With a matrix K, rounding alone would be of order
  // elements^4 times 1e-16: 4e-9 and 2e-7.
  for (const std::size_t elements : {80U, 300U}) {
    const double h = 1.0 / static_cast<double>(elements);
    const double error =
        relative_error(frequencies(make_beam(unit_beam(elements), "root", {}, first_modes(1)))(0), exact);
    EXPECT_NEAR(error, std::pow(1.875104 * h, 4) / 1440, 2e-11) << elements;
  }
}

TEST(BeamFrequencies, OfATimoshenkoBeamAreThoseOfItsDifferentialEquations) {
  const double kGA = 300, j = 2e-3;
  const auto exact = zeros_of([&](double w) { return timoshenko_residual(w, 1, kGA, 1, j, 0, 0); }, 4, 1);
  const auto found = [&](std::size_t elements) {
    BeamDescription beam = unit_beam(elements);
    beam.shear = {{1e8, kGA}};
    beam.rotary_inertia = {j, j};
    return frequencies(make_beam(beam, "root", {}, first_modes(4)));
  };
  const Eigen::VectorXd w16 = found(16), w32 = found(32);
  EXPECT_LT(exact[3], 0.8 * std::pow(10.99554, 2));  // shear and rotary inertia matter
  for (std::size_t k = 0; k < 4; ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const double coarse = relative_error(w16(i), exact[k]), fine = relative_error(w32(i), exact[k]);
    // Shear is constant in an element, and the shear force is not: its error in energy gives h^2 omega^2 m / (24 kGA).
    EXPECT_NEAR(fine / (std::pow(exact[k] / 32, 2) / (24 * kGA)), 1, 0.1);
    EXPECT_NEAR(order(coarse, fine), 2, 0.05);
  }
}

TEST(BeamFrequencies, OfARayleighBeamAreThoseOfItsDifferentialEquations) {
  const double j = 2e-3;
  const auto exact = zeros_of([&](double w) { return timoshenko_residual(w, 1, 1e15, 1, j, 0, 0); }, 3, 1);
  BeamDescription beam = unit_beam(32);
  beam.rotary_inertia = {j, 0};
  const Eigen::VectorXd w = frequencies(make_beam(beam, "root", {}, first_modes(3)));
  // (beta h)^4 / 1440 = 2.5e-6 for the third.
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(w(static_cast<Eigen::Index>(k)) / exact[k], 1, 5e-6);
}

TEST(BeamFrequencies, WithATipMassAreThoseOfTheTranscendentalEquation) {
  const double ratio = 0.7;
  const auto exact = zeros_of(
      [&](double b) {
        return 1 + std::cos(b) * std::cosh(b) + ratio * b * (std::cos(b) * std::sinh(b) - std::sin(b) * std::cosh(b));
      },
      3, 0.5);
  BeamDescription beam = unit_beam(32);
  beam.lumps.push_back({"ball", 1, ratio, Matrix3::Zero()});
  const Eigen::VectorXd w = frequencies(make_beam(beam, "root", {}, first_modes(3)));
  for (std::size_t k = 0; k < 3; ++k) {
    const double leading = std::pow(exact[k] / 32, 4) / 1440;  // at most: the mass at the tip has no error
    EXPECT_NEAR(w(static_cast<Eigen::Index>(k)) / (exact[k] * exact[k]), 1, 1.1 * leading + 1e-11);
  }
}

TEST(BeamFrequencies, WithATipBodyAreThoseOfItsDifferentialEquations) {
  const auto exact = zeros_of([&](double w) { return timoshenko_residual(w, 1, 1e15, 1, 0, 2, 0.3); }, 3, 1);
  BeamDescription beam = unit_beam(32);
  beam.lumps.push_back({"", 1, 2, Vector3(0, 0.3, 0).asDiagonal()});
  const Eigen::VectorXd w = frequencies(make_beam(beam, "root", {}, first_modes(3)));
  for (std::size_t k = 0; k < 3; ++k) {
    const double leading = std::pow(exact[k], 2) / std::pow(32, 4) / 1440;
    EXPECT_NEAR(w(static_cast<Eigen::Index>(k)) / exact[k], 1, 1.1 * leading + 1e-11);
  }
}

TEST(BeamFrequencies, OfExtensionAndTorsionAreThoseOfBars) {
  for (const bool torsion : {false, true}) {
    const auto found = [&](std::size_t elements) {
      BeamDescription beam = unit_beam(elements);
      beam.EI = {1e6, 1e6};
      if (torsion) {
        beam.GJ = 0.05;
        beam.rotary_inertia = {0.02, 0.03};  // 0.05 about x
      } else {
        beam.EA = 1;
      }
      return frequencies(make_beam(beam, "root", {}, first_modes(2)));
    };
    const Eigen::VectorXd w8 = found(8), w16 = found(16);
    for (Eigen::Index k = 0; k < 2; ++k) {
      const double exact = (static_cast<double>(k) + 0.5) * pi;
      const double coarse = relative_error(w8(k), exact), fine = relative_error(w16(k), exact);
      // Linear elements: (beta h)^2 / 24 to leading order, the next is (beta h)^4 / 640 or so: 1 % of it here.
      EXPECT_NEAR(fine / (std::pow(exact / 16, 2) / 24), 1, 0.02);
      EXPECT_NEAR(order(coarse, fine), 2, 0.05);
    }
  }
}

TEST(BeamFrequencies, OfAMasslessShaftWithADiscAreExact) {
  BeamDescription beam = unit_beam(7);
  beam.EI = {1e6, 1e6};
  beam.GJ = 3;
  beam.lumps.push_back({"disc", 1, 0, Vector3(0.5, 0, 0).asDiagonal()});
  ModeReport report;
  const FlexibleData data = make_beam(beam, "root", {}, first_modes(1), &report);
  EXPECT_NEAR(frequencies(data)(0), std::sqrt(3 / 0.5), 1e-13);  // sqrt(GJ / (L I)), to rounding
  EXPECT_EQ(report.massless, 6U);                                // the nodes between
  EXPECT_EQ(report.available, 1U + 2 * 14);                      // and bending
}

}  // namespace
}  // namespace gyrostat
