#include "gyrostat/flexible/reference_frame.h"

#include <random>

#include <gtest/gtest.h>

#include "gyrostat/flexible/modal_integrals.h"

#include "flexible/beams.h"

namespace gyrostat {
namespace {

FlexibleData laden_beam(const std::string& inboard, const std::vector<std::string>& boundary,
                        const ModeOptions& options) {
  BeamDescription beam = general_beam(4);
  beam.lumps.push_back({"hub", 0, 3, 0.5 * Matrix3::Identity()});
  beam.lumps.push_back({"ball", 2.5, 1.2, 0.3 * Matrix3::Identity()});
  return make_beam(beam, inboard, boundary, options);
}

/// Frequencies of the free body, from its 6 + m equations of motion without deformation; the six zeros are left out.
Eigen::VectorXd free_frequencies(const FlexibleData& data) {
  const ModalIntegrals sums = modal_integrals(data, Vector3::Zero(), FlexibleTerms::ruthless);
  const auto m = static_cast<Eigen::Index>(data.modes());
  Eigen::MatrixXd M(6 + m, 6 + m), K = Eigen::MatrixXd::Zero(6 + m, 6 + m);
  M << sums.J0, skew(sums.mc0), sums.Cr0, -skew(sums.mc0), sums.mass * Matrix3::Identity(), sums.Ct0,
      sums.Cr0.transpose(), sums.Ct0.transpose(), sums.Me;
  K.bottomRightCorner(m, m) = data.stiffness;
  return frequencies(K, M).tail(m);
}

/// The new modal coordinates of a deformation: strains are the same, so eta_new = Y^-1 eta with stiffness kept. Found
/// from the first-order shapes.
Eigen::VectorXd same_deformation(const FlexibleData& from, const FlexibleData& to, const Eigen::VectorXd& eta) {
  const NodeShape& frame = from.nodes[to.frame_node].shape;
  const auto rows = static_cast<Eigen::Index>(6 * to.nodes.size());
  Eigen::MatrixXd shapes(rows, eta.size());
  Eigen::VectorXd values(rows);
  for (std::size_t i = 0; i < to.nodes.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(6 * i);
    const Vector3 d = from.nodes[i].position - from.nodes[to.frame_node].position, turn = frame.rotation * eta;
    const NodeShape& old = from.nodes[i].shape;
    shapes.middleRows<3>(row) = to.nodes[i].shape.translation;
    shapes.middleRows<3>(row + 3) = to.nodes[i].shape.rotation;
    values.segment<3>(row) = (old.translation - frame.translation) * eta - turn.cross(d);
    values.segment<3>(row + 3) = old.rotation * eta - turn;
  }
  const Eigen::VectorXd found = shapes.colPivHouseholderQr().solve(values);
  EXPECT_LT((shapes * found - values).norm(), 1e-10 * values.norm());  // it is a combination of them
  return found;
}

TEST(ReferencedTo, IsTheSameDeformationToThirdOrder) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> normal;
  for (const ModeKind kind : {ModeKind::component, ModeKind::free_free}) {
    const FlexibleData data = laden_beam("root", {"tip"}, first_modes(3, kind));
    const std::size_t tip = node_named(data, "tip");
    const FlexibleData seen = referenced_to(data, tip);
    ASSERT_EQ(seen.frame_node, tip);
    EXPECT_TRUE(seen.second_order);
    Eigen::VectorXd eta(static_cast<Eigen::Index>(data.modes()));
    for (double& value : eta) value = 0.02 * normal(random);
    const auto difference = [&](double part) {
      const Eigen::VectorXd old = part * eta, now = same_deformation(data, seen, old);
      const Matrix3 R0 = deformed_rotation(data.nodes[tip], old);
      const Vector3 r0 = deformed_position(data.nodes[tip], old);
      double largest = 0;
      for (std::size_t i = 0; i < data.nodes.size(); ++i) {
        const Vector3 r = data.nodes[tip].position + R0.transpose() * (deformed_position(data.nodes[i], old) - r0);
        const Matrix3 R = R0.transpose() * deformed_rotation(data.nodes[i], old);
        largest = std::max(largest, (deformed_position(seen.nodes[i], now) - r).norm());
        largest = std::max(largest, (deformed_rotation(seen.nodes[i], now) - R).norm());
      }
      return largest;
    };
    const double whole = difference(1), half = difference(0.5), quarter = difference(0.25);
    EXPECT_GT(quarter, 1e-11);  // far above rounding
    EXPECT_NEAR(std::log2(whole / half), 3, 0.2);
    EXPECT_NEAR(std::log2(half / quarter), 3, 0.1);
  }
}

TEST(ReferencedTo, TheOtherEndOfAllModesIsTheBeamClampedThere) {
  // 24 modes are all deformations of the mesh, whichever end is clamped; the lumps are at the ends.
  const FlexibleData root = laden_beam("root", {}, first_modes(24)), tip = laden_beam("tip", {}, first_modes(24));
  const FlexibleData seen = referenced_to(root, node_named(root, "tip"));
  EXPECT_EQ(seen.frame_node, tip.frame_node);
  for (Eigen::Index k = 0; k < 24; ++k) {
    EXPECT_NEAR(seen.stiffness(k, k) / tip.stiffness(k, k), 1, 1e-9);  // frequencies over a range of 1000
  }
  // The second-order shapes too, with the signs that each chose for itself. Shapes are of order 1 to 10.
  for (std::size_t i = 0; i < seen.nodes.size(); ++i) {
    const NodeShape &a = seen.nodes[i].shape, &b = tip.nodes[i].shape;
    for (Eigen::Index k = 0; k < 4; ++k) {
      const auto pair = static_cast<Eigen::Index>(pair_index(static_cast<std::size_t>(k), static_cast<std::size_t>(k)));
      EXPECT_LT((a.translation.col(k).cwiseAbs() - b.translation.col(k).cwiseAbs()).norm(), 1e-8);
      EXPECT_LT((a.translation2.col(pair) - b.translation2.col(pair)).norm(), 1e-8);
      EXPECT_LT((a.rotation2.col(pair) - b.rotation2.col(pair)).norm(), 1e-8);
    }
  }
}

TEST(ReferencedTo, AnotherNodeIsTheSameFreeBody) {
  for (const ModeKind kind : {ModeKind::component, ModeKind::free_free}) {
    const FlexibleData data = laden_beam("root", {"tip"}, first_modes(4, kind));
    const Eigen::VectorXd expected = free_frequencies(data);
    if (kind == ModeKind::free_free) {
      EXPECT_TRUE(expected.isApprox(frequencies(data), 1e-11));  // the modes of the free body are these
    }
    for (const std::size_t node : {std::size_t{2}, node_named(data, "tip")}) {
      const FlexibleData seen = referenced_to(data, node);
      const ModalIntegrals sums = modal_integrals(seen, Vector3::Zero(), FlexibleTerms::linear);
      const auto m = static_cast<Eigen::Index>(seen.modes());
      EXPECT_LT((sums.Me - Eigen::MatrixXd::Identity(m, m)).cwiseAbs().maxCoeff(), 1e-11);
      EXPECT_TRUE(free_frequencies(seen).isApprox(expected, 1e-10));
    }
  }
}

TEST(ReferencedTo, ItsOwnNodeIsTheSameBody) {
  const FlexibleData data = laden_beam("root", {"tip"}, first_modes(4));
  const FlexibleData seen = referenced_to(data, data.frame_node);
  EXPECT_TRUE(seen.stiffness.isApprox(data.stiffness, 1e-12));
  for (std::size_t i = 0; i < data.nodes.size(); ++i) {
    const NodeShape &a = seen.nodes[i].shape, &b = data.nodes[i].shape;
    EXPECT_LT((a.translation - b.translation).cwiseAbs().maxCoeff(), 1e-11);
    EXPECT_LT((a.rotation2 - b.rotation2).cwiseAbs().maxCoeff(), 1e-10);
  }
}

TEST(ReferencedTo, KeepsDampingAndDoesWithoutSecondOrder) {
  FlexibleData data = laden_beam("root", {"tip"}, first_modes(2));
  data.damping = 0.01 * data.stiffness;
  data.second_order = false;
  for (FlexibleNode& node : data.nodes) {
    node.shape.translation2.resize(3, 0);
    node.shape.rotation2.resize(3, 0);
  }
  const FlexibleData seen = referenced_to(data, node_named(data, "tip"));
  EXPECT_FALSE(seen.second_order);
  EXPECT_EQ(seen.nodes[0].shape.translation2.cols(), 0);
  EXPECT_TRUE(seen.damping.isApprox(0.01 * seen.stiffness, 1e-11));  // proportional damping stays so
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(ReferencedTo, SaysWhyItCannot) {
  FlexibleData data = laden_beam("root", {}, first_modes(2));
  EXPECT_EQ(message_of([&] { referenced_to(data, 99); }),
            "node 99 of a flexible body is wanted, it has " + std::to_string(data.nodes.size()));
  BeamDescription light = unit_beam(1);
  light.mass_per_length = 0;
  light.lumps.push_back({"ball", 1, 2, Matrix3::Zero()});
  const FlexibleData spring = make_beam(light, "root", {}, first_modes(1));
  EXPECT_EQ(message_of([&] { referenced_to(spring, node_named(spring, "tip")); }),
            "1 of 1 modes of a flexible body move no mass when they are seen from node 'tip'");
  data.stiffness(0, 0) = 0;
  EXPECT_EQ(message_of([&] { referenced_to(data, 1); }),
            "a flexible body is wanted in another frame, but its stiffness is not positive definite");
}

}  // namespace
}  // namespace gyrostat
