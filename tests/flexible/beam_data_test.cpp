// What is in the data of a beam: masses, static stiffness, names, axes.
#include "gyrostat/flexible/beam_data.h"

#include <random>

#include <gtest/gtest.h>

#include "gyrostat/flexible/modal_integrals.h"

#include "flexible/beams.h"

namespace gyrostat {
namespace {

Matrix3 lump_inertia() {
  Matrix3 I;
  I << 0.3, 0.02, -0.01, 0.02, 0.4, 0.05, -0.01, 0.05, 0.35;
  return I;
}

/// Sums of products of numbers of order 1, some thousands of terms at most.
constexpr double rounding = 1e-12;

TEST(BeamData, ModalMassIsTheUnitMatrixAsASumOverNodes) {
  BeamDescription beam = general_beam(9);
  beam.lumps.push_back({"camera", 1.1, 0.8, lump_inertia()});
  beam.lumps.push_back({"", 2.5, 0.3, Matrix3::Zero()});
  for (const ModeKind kind : {ModeKind::component, ModeKind::cantilever, ModeKind::free_free}) {
    const FlexibleData data = make_beam(beam, "camera", {"root", "tip"}, first_modes(8, kind));
    const ModalIntegrals sums = modal_integrals(data, Vector3::Zero(), FlexibleTerms::ruthless);
    const auto modes = static_cast<Eigen::Index>(data.modes());
    EXPECT_EQ(data.modes(), kind == ModeKind::component ? 20U : 8U);
    EXPECT_LT((sums.Me - Eigen::MatrixXd::Identity(modes, modes)).cwiseAbs().maxCoeff(), rounding);
    EXPECT_TRUE(data.mass.isIdentity(0));
    EXPECT_TRUE(data.stiffness.isDiagonal(0));
    for (Eigen::Index i = 1; i < modes; ++i) EXPECT_GE(data.stiffness(i, i), data.stiffness(i - 1, i - 1));
  }
}

TEST(BeamData, MassPropertiesAreThoseOfARodAndItsLumps) {
  BeamDescription beam = general_beam(3);
  beam.lumps.push_back({"camera", 1.1, 0.8, lump_inertia()});
  const MassProperties found = mass_properties(make_beam(beam, "root", {}, first_modes(2)));

  const double L = 2.5, m = 1.7 * L, jy = 0.02 * L, jz = 0.03 * L, rod = m * L * L / 12;
  const Vector3 x = (beam.to - beam.from).normalized(), y = beam.up->cross(x).normalized(), z = x.cross(y);
  const Matrix3 I = (jy + jz) * x * x.transpose() + (jy + rod) * y * y.transpose() + (jz + rod) * z * z.transpose();
  const MassProperties expected =
      combined({m, (beam.from + beam.to) / 2, I}, {0.8, beam.from + 1.1 * x, lump_inertia()});
  EXPECT_NEAR(found.mass, expected.mass, rounding);
  EXPECT_LT((found.com - expected.com).norm(), rounding);
  EXPECT_LT((found.inertia - expected.inertia).norm(), rounding);
}

TEST(BeamData, FreeModesHaveNoMomentumToSecondOrder) {
  BeamDescription beam = general_beam(6);
  beam.lumps.push_back({"camera", 1.1, 0.8, lump_inertia()});
  const FlexibleData data = make_beam(beam, "", {}, first_modes(6, ModeKind::free_free));
  EXPECT_EQ(data.frame_node, FlexibleData::floating);
  const ModalIntegrals sums = modal_integrals(data, Vector3::Zero(), FlexibleTerms::stiffened);
  EXPECT_LT(sums.Ct0.cwiseAbs().maxCoeff(), rounding);
  EXPECT_LT(sums.Cr0.cwiseAbs().maxCoeff(), rounding);
  EXPECT_LT(sums.Gm.cwiseAbs().maxCoeff(), 10 * rounding);  // second-order shapes are of order 10
  Eigen::Matrix3Xd angular = Eigen::Matrix3Xd::Zero(3, sums.Gm.cols());
  for (const FlexibleNode& node : data.nodes) {
    angular += node.mass * skew(node.position) * node.shape.translation2 + node.inertia * node.shape.rotation2;
  }
  EXPECT_LT(angular.cwiseAbs().maxCoeff(), 10 * rounding);
}

TEST(BeamData, FreeModesOfABeamRigidInTorsionTurnItAsAWhole) {
  // A lump that couples bending and rotation about x: no degree of freedom there, but the body turns.
  BeamDescription beam = unit_beam(6);
  beam.lumps.push_back({"arm", 0.8, 0.5, lump_inertia()});
  const FlexibleData data = make_beam(beam, "", {}, first_modes(3, ModeKind::free_free));
  const ModalIntegrals sums = modal_integrals(data, Vector3::Zero(), FlexibleTerms::linear);
  EXPECT_LT(sums.Ct0.cwiseAbs().maxCoeff(), rounding);
  EXPECT_LT(sums.Cr0.cwiseAbs().maxCoeff(), rounding);
  EXPECT_GT(data.nodes[0].shape.rotation.row(0).cwiseAbs().maxCoeff(), 1e-3);
}

TEST(BeamData, StaticDeflectionAtABoundaryNodeIsExact) {
  BeamDescription beam = general_beam(5);
  const double L = 2.5;
  // Rotations of section axes: forces and torques at the tip in these.
  const Vector3 x = (beam.to - beam.from).normalized(), y = beam.up->cross(x).normalized(), z = x.cross(y);
  Matrix3 R;
  R << x, y, z;
  for (const bool shear : {false, true}) {
    if (!shear) beam.shear.reset();
    if (shear) beam.shear = {{20, 30}};
    const FlexibleData data = make_beam(beam, "root", {"tip"}, first_modes(3));
    const NodeShape& tip = data.nodes[node_named(data, "tip")].shape;
    Eigen::MatrixXd shape(6, tip.translation.cols());
    shape << R.transpose() * tip.translation, R.transpose() * tip.rotation;
    const Matrix6 flexibility = shape * data.stiffness.inverse() * shape.transpose();

    Matrix6 exact = Matrix6::Zero();
    exact(0, 0) = L / 60;
    exact(3, 3) = L / 2;
    const double EIy = 3, EIz = 5;
    exact(1, 1) = L * L * L / (3 * EIz) + (shear ? L / 20 : 0);
    exact(2, 2) = L * L * L / (3 * EIy) + (shear ? L / 30 : 0);
    exact(1, 5) = exact(5, 1) = L * L / (2 * EIz);
    exact(2, 4) = exact(4, 2) = -L * L / (2 * EIy);
    exact(4, 4) = L / EIy;
    exact(5, 5) = L / EIz;
    // Rounding times the condition of five elements' strains, 25.
    EXPECT_LT((flexibility - exact).cwiseAbs().maxCoeff(), 1e-12 * exact.cwiseAbs().maxCoeff());
  }
}

TEST(BeamData, StaticDeflectionIsExactAtSeveralBoundaryNodesAndFromWithin) {
  BeamDescription beam = unit_beam(4);
  beam.stations = {{"hub", 0.37}, {"outer", 0.8}};
  const FlexibleData data = make_beam(beam, "hub", {"root", "outer"}, first_modes(0));
  const auto flexibility = [&](const std::string& at, const std::string& under) {
    const auto row = data.nodes[node_named(data, at)].shape.translation.row(2);
    const auto column = data.nodes[node_named(data, under)].shape.translation.row(2);
    return (row * data.stiffness.inverse() * column.transpose()).value();
  };
  EXPECT_NEAR(flexibility("root", "root"), std::pow(0.37, 3) / 3, 1e-13);
  EXPECT_NEAR(flexibility("outer", "outer"), std::pow(0.43, 3) / 3, 1e-13);
  EXPECT_NEAR(flexibility("outer", "root"), 0, 1e-13);
}

TEST(BeamData, NodesAreTheMeshWithStationsAndLumpsThenGaussPoints) {
  BeamDescription beam = unit_beam(4);
  beam.stations = {{"on", 0.5}, {"between", 0.6}, {"end", 1}};
  beam.lumps.push_back({"ball", 0.6 + 1e-11, 2, lump_inertia()});
  beam.lumps.push_back({"", 0.1, 1, Matrix3::Zero()});
  beam.lumps.push_back({"", 1, 3, Matrix3::Zero()});
  const FlexibleData data = make_beam(beam, "end", {}, first_modes(2));
  std::vector<std::string> names;
  std::vector<double> x, mass;
  for (const FlexibleNode& node : data.nodes) {
    names.push_back(node.name);
    x.push_back(node.position.x());
    mass.push_back(node.mass);
  }
  ASSERT_EQ(names.size(), 9U + 4 * 6);  // 0 0.1 0.25 0.5 0.6 0.75 1 and two second names; six elements
  names.resize(9);
  EXPECT_EQ(names, (std::vector<std::string>{"root", "", "", "on", "between", "ball", "", "tip", "end"}));
  const std::vector<double> expected{0, 0.1, 0.25, 0.5, 0.6, 0.6, 0.75, 1, 1};
  for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(x[i], expected[i], 1e-10);
  mass.resize(9);
  EXPECT_EQ(mass, (std::vector<double>{0, 1, 0, 0, 2, 0, 0, 3, 0}));
  EXPECT_TRUE(data.nodes[4].inertia == lump_inertia());
  EXPECT_TRUE(data.nodes[5].inertia.isZero(0));
  EXPECT_EQ(data.nodes[4].shape.translation, data.nodes[5].shape.translation);
  EXPECT_EQ(data.frame_node, 7U);
  for (const std::size_t i : {7U, 8U}) {
    const NodeShape& shape = data.nodes[i].shape;
    EXPECT_TRUE(shape.translation.isZero(0) && shape.rotation.isZero(0));
    EXPECT_TRUE(shape.translation2.isZero(0) && shape.rotation2.isZero(0));
  }
}

TEST(BeamData, SectionAxesFollowUp) {
  BeamDescription beam = unit_beam(2);
  EXPECT_TRUE(beam_model(beam).R_BS.isIdentity(0));  // z of the section is z of the body
  beam.to = Vector3(0, 0, 2);                        // along z: z of the section is x of the body
  Matrix3 expected;
  expected << 0, 0, 1, 0, -1, 0, 1, 0, 0;
  EXPECT_TRUE(beam_model(beam).R_BS.isApprox(expected, 1e-15));
  beam.to = Vector3(1e-5, 0, 2);  // nearly: z of the body still counts
  EXPECT_NEAR(beam_model(beam).R_BS(2, 2), 5e-6, 1e-10);
  beam.up = Vector3(0, 3, 0);
  EXPECT_TRUE(beam_model(beam).R_BS.col(2).isApprox(Vector3::UnitY(), 1e-15));
}

TEST(BeamData, InOtherAxesAreTheSameRotated) {
  std::mt19937_64 random(5);
  std::normal_distribution<double> normal;
  BeamDescription beam = general_beam(5);
  beam.lumps.push_back({"camera", 1.1, 0.8, lump_inertia()});
  for (int trial = 0; trial < 5; ++trial) {
    const Vector3 axis = Vector3(normal(random), normal(random), normal(random)).normalized();
    const Matrix3 R = rotation_about(axis, normal(random));
    const Vector3 shift(normal(random), normal(random), normal(random));
    BeamDescription turned = beam;
    turned.from = shift + R * beam.from;
    turned.to = shift + R * beam.to;
    turned.up = R * *beam.up;
    turned.lumps[0].inertia = R * beam.lumps[0].inertia * R.transpose();
    turned.lumps[0].inertia = (0.5 * (turned.lumps[0].inertia + turned.lumps[0].inertia.transpose())).eval();
    for (const ModeKind kind : {ModeKind::component, ModeKind::free_free}) {
      const FlexibleData a = make_beam(beam, "root", {"tip"}, first_modes(4, kind)),
                         b = make_beam(turned, "root", {"tip"}, first_modes(4, kind));
      ASSERT_EQ(a.nodes.size(), b.nodes.size());
      EXPECT_TRUE(b.stiffness.isApprox(a.stiffness, 1e-11));
      for (std::size_t i = 0; i < a.nodes.size(); ++i) {
        const NodeShape &s = a.nodes[i].shape, &t = b.nodes[i].shape;
        // Shapes are of order 1 to 30, and modes with close frequencies amplify rounding.
        EXPECT_LT((b.nodes[i].position - shift - R * a.nodes[i].position).norm(), 1e-14);
        EXPECT_LT((t.translation - R * s.translation).cwiseAbs().maxCoeff(), 1e-10);
        EXPECT_LT((t.rotation - R * s.rotation).cwiseAbs().maxCoeff(), 1e-10);
        EXPECT_LT((t.translation2 - R * s.translation2).cwiseAbs().maxCoeff(), 1e-9);
        EXPECT_LT((t.rotation2 - R * s.rotation2).cwiseAbs().maxCoeff(), 1e-9);
        EXPECT_LT((b.nodes[i].inertia - R * a.nodes[i].inertia * R.transpose()).norm(), 1e-14);
      }
    }
  }
}

TEST(BeamData, ModesOfEqualFrequencyStayInTheirPlanes) {
  BeamDescription beam = unit_beam(10);
  beam.EI = {2, 2};
  for (const ModeKind kind : {ModeKind::cantilever, ModeKind::free_free, ModeKind::component}) {
    const FlexibleData data = make_beam(beam, "root", {"tip"}, first_modes(6, kind));
    const Eigen::Matrix3Xd& tip = data.nodes[node_named(data, "tip")].shape.translation;
    for (Eigen::Index k = 0; k < tip.cols(); ++k) {  // y first, then z, each with the tip upward
      EXPECT_NEAR(tip(2 - k % 2, k), 0, 1e-13);
      EXPECT_GT(tip(1 + k % 2, k), 0) << k;
      EXPECT_NEAR(data.stiffness(k, k) / data.stiffness(k - k % 2, k - k % 2), 1, 1e-9);
    }
  }
}

}  // namespace
}  // namespace gyrostat
