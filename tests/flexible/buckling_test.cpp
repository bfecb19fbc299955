// Buckling loads from second-order shapes. A load that does work on second-order displacements changes the stiffness to
// K - load . second derivatives; it is critical when that becomes singular.
#include <numbers>

#include <Eigen/LU>
#include <gtest/gtest.h>

#include "gyrostat/flexible/modal_integrals.h"

#include "flexible/beams.h"

namespace gyrostat {
namespace {

/// The least positive load at which K - load G is singular.
double critical_load(const Eigen::MatrixXd& K, const Eigen::MatrixXd& G) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(G, K, Eigen::EigenvaluesOnly);
  return 1 / solver.eigenvalues().maxCoeff();
}

/// The same where some displacements of nodes are held: rows of `held` times eta are zero.
double critical_load(const Eigen::MatrixXd& K, const Eigen::MatrixXd& G, const Eigen::MatrixXd& held) {
  const Eigen::MatrixXd free = Eigen::FullPivLU<Eigen::MatrixXd>(held).kernel();
  return critical_load(free.transpose() * K * free, free.transpose() * G * free);
}

FlexibleData beam_with(double GJ, std::size_t modes, double EIy = 1, std::size_t elements = 40) {
  BeamDescription beam = unit_beam(elements);
  beam.EI = {EIy, 1};
  if (GJ > 0) beam.GJ = GJ;
  beam.rotary_inertia = {1e-4, 1e-4};  // so that torsion has modes
  return make_beam(beam, "root", {"tip"}, first_modes(modes));
}

TEST(Buckling, UnderATipLoadIsEulers) {
  const FlexibleData data = beam_with(0, 8, 1, 20);
  const NodeShape& tip = data.nodes[node_named(data, "tip")].shape;
  const double P = critical_load(data.stiffness, -square(tip.translation2, 0, data.modes()));
  // pi^2/4. The static modes and four normal modes of each plane; from above, as the modes are a subspace.
  EXPECT_NEAR(P / (std::numbers::pi * std::numbers::pi / 4), 1, 1e-5);
  EXPECT_GT(P, 2.4674011);
}

TEST(Buckling, UnderItsOwnWeightIsThePublishedOne) {
  const FlexibleData data = beam_with(0, 16, 1, 20);
  const ModalIntegrals sums = modal_integrals(data, Vector3::Zero(), FlexibleTerms::stiffened);
  const double weight = critical_load(data.stiffness, -square(sums.Gm, 0, data.modes()));
  EXPECT_NEAR(weight, 7.8373, 1e-4);  // Timoshenko and Gere, m g L^3 / EI; its digits
}

TEST(Buckling, OfADeepBeamSideways) {
  const double GJ = 0.7;
  const auto load = [&](std::size_t elements) {
    const FlexibleData data = beam_with(GJ, 24, 1e6, elements);  // about y, the plane of the load, it is stiff
    const NodeShape& tip = data.nodes[node_named(data, "tip")].shape;
    return critical_load(data.stiffness, square(tip.translation2, 2, data.modes())) / std::sqrt(GJ);
  };
  // Torsion is linear in an element: an error of order h^2, 2e-3 with 20 elements, which two meshes show and remove.
  const double P10 = load(10), P20 = load(20);
  EXPECT_NEAR((P10 - 4.0126) / (P20 - 4.0126), 4, 0.1);
  EXPECT_NEAR(P20 - (P10 - P20) / 3, 4.0126, 1e-4);  // Timoshenko and Gere, P L^2 / sqrt(EI GJ); its digits
}

TEST(Buckling, OfAShaftUnderATorqueWithBothEndsClamped) {
  // Greenhill: T L / EI = 2 x with tan x = x. How the torque follows the end does not matter, as the end does not tilt.
  const double x = zero_of([](double a) { return std::sin(a) - a * std::cos(a); }, 4, 4.7);
  EXPECT_NEAR(2 * x, 8.9868, 1e-4);
  const FlexibleData data = beam_with(1e3, 24);
  const NodeShape& tip = data.nodes[node_named(data, "tip")].shape;
  Eigen::MatrixXd held(5, tip.translation.cols());
  held << tip.translation.bottomRows<2>(), tip.rotation;
  const double T = critical_load(data.stiffness, square(tip.rotation2, 0, data.modes()), held);
  // With twelve normal modes of each plane: 3e-5 too high, with sixteen 1e-5.
  EXPECT_NEAR(T / (2 * x), 1, 5e-5);
  EXPECT_GT(T, 2 * x);
}

TEST(Buckling, OfAShaftUnderATorqueAtItsFreeEnd) {
  // A torque with the potential -T theta_x, theta the rotation vector, is Ziegler's semitangential one. With z = thy +
  // i thz the energy is int EI/2 |z'|^2 - T/2 Im(z* z'): z' = C exp(i T s / EI), and at the end EI z' = i T z / 2, thus
  // exp(i T L / EI) = -1 and T L / EI = pi.
  const FlexibleData data = beam_with(1e3, 16);
  const NodeShape& tip = data.nodes[node_named(data, "tip")].shape;
  const double T = critical_load(data.stiffness, square(tip.rotation2, 0, data.modes()));
  EXPECT_NEAR(T / std::numbers::pi, 1, 5e-6);  // with eight normal modes of each plane; from above
  EXPECT_GT(T, std::numbers::pi);
}

}  // namespace
}  // namespace gyrostat
