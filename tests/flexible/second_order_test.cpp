// Second-order shapes against the exact kinematics of beams whose strains are linear in the modal coordinates.
#include <random>

#include <gtest/gtest.h>

#include "flexible/beams.h"

namespace gyrostat {
namespace {

/// A beam of which curvature and strain are known along its axis, section axes.
struct StrainedBeam {
  const BeamModel& model;
  Eigen::VectorXd values;  // the six nodal values of each node

  /// From nodal values that are the shapes of the data at the mesh's nodes.
  StrainedBeam(const BeamModel& of, const FlexibleData& data, const Eigen::VectorXd& eta) : model(of) {
    values.resize(static_cast<Eigen::Index>(6 * model.nodes.size()));
    for (std::size_t i = 0; i < model.nodes.size(); ++i) {
      const Vector3 place = model.origin + model.nodes[i] * model.R_BS.col(0);
      std::size_t node = 0;
      while ((data.nodes[node].position - place).norm() > 1e-12) ++node;
      const auto row = static_cast<Eigen::Index>(6 * i);
      values.segment<3>(row) = model.R_BS.transpose() * data.nodes[node].shape.translation * eta;
      values.segment<3>(row + 3) = model.R_BS.transpose() * data.nodes[node].shape.rotation * eta;
    }
  }

  struct Pose {
    Matrix3 R;
    Vector3 r;
  };

  /// R' = R [k]x, r' = R (e1 + g) by Runge and Kutta's method of fourth order, from one distance to another.
  [[nodiscard]] Pose integrate(double from, double to) const {
    Pose pose{Matrix3::Identity(), Vector3::Zero()};
    const bool forward = to >= from;
    for (std::size_t count = 0; count < model.elements.size(); ++count) {
      const std::size_t e = forward ? count : model.elements.size() - 1 - count;
      const BeamElement& element = model.elements[e];
      const double start = element.start, end = start + element.length;
      const double a = std::clamp(from, start, end), b = std::clamp(to, start, end);
      if (a == b) continue;
      const int steps = 40;
      const double h = (b - a) / steps;
      for (int i = 0; i < steps; ++i) step(e, a + i * h, h, pose);
    }
    return pose;
  }

  void step(std::size_t e, double s, double h, Pose& pose) const {
    const BeamElement& element = model.elements[e];
    const auto ends = values.segment<12>(static_cast<Eigen::Index>(6 * e));
    const Vector3 g = element.strain * ends;
    const auto rate = [&](double at, const Matrix3& R) {
      const double xi = (at - element.start) / element.length;
      const Vector3 k = (element.rotation[1] + 2 * xi * element.rotation[2]) * ends / element.length;
      return std::pair<Matrix3, Vector3>(R * skew(k), R * (Vector3::UnitX() + g));
    };
    const auto [K1, k1] = rate(s, pose.R);
    const auto [K2, k2] = rate(s + h / 2, pose.R + h / 2 * K1);
    const auto [K3, k3] = rate(s + h / 2, pose.R + h / 2 * K2);
    const auto [K4, k4] = rate(s + h, pose.R + h * K3);
    pose.R += h / 6 * (K1 + 2 * K2 + 2 * K3 + K4);
    pose.r += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
};

/// The largest difference between the data's nodes and the exact kinematics, both seen from one of the nodes.
double difference(const BeamDescription& beam, const FlexibleData& data, std::size_t from, const Eigen::VectorXd& eta) {
  const BeamModel model = beam_model(beam);
  const StrainedBeam exact(model, data, eta);
  const auto distance = [&](const FlexibleNode& node) {
    return std::clamp((node.position - model.origin).dot(model.R_BS.col(0)), 0.0, model.length);
  };
  const FlexibleNode& origin = data.nodes[from];
  const Matrix3 R0 = deformed_rotation(origin, eta);
  const Vector3 r0 = deformed_position(origin, eta);
  double largest = 0;
  for (const FlexibleNode& node : data.nodes) {
    const auto pose = exact.integrate(distance(origin), distance(node));
    const Vector3 r = R0.transpose() * (deformed_position(node, eta) - r0);
    const Matrix3 R = R0.transpose() * deformed_rotation(node, eta);
    largest = std::max(largest, (r - model.R_BS * pose.r).norm());
    largest = std::max(largest, (R - model.R_BS * pose.R * model.R_BS.transpose()).norm());
  }
  return largest;
}

Eigen::VectorXd random_eta(std::size_t modes) {
  std::mt19937_64 random(3);
  std::normal_distribution<double> normal;
  Eigen::VectorXd eta(static_cast<Eigen::Index>(modes));
  for (double& value : eta) value = normal(random);
  return eta;
}

void expect_third_order(const BeamDescription& beam, const FlexibleData& data, std::size_t from) {
  ASSERT_TRUE(data.second_order);
  const Eigen::VectorXd eta = 0.02 * random_eta(data.modes());
  const double whole = difference(beam, data, from, eta), half = difference(beam, data, from, eta / 2),
               quarter = difference(beam, data, from, eta / 4);
  // The integration's error is 1e-10 of this or less. The next order, eta^4, is some percent of the remainder.
  EXPECT_GT(quarter, 1e-9);
  EXPECT_NEAR(std::log2(whole / half), 3, 0.2);
  EXPECT_NEAR(std::log2(half / quarter), 3, 0.1);
}

TEST(SecondOrderShapes, LeaveARemainderOfThirdOrder) {
  BeamDescription beam = general_beam(4);
  beam.stations = {{"hub", 1.0}};
  for (const std::string inboard : {"root", "hub", "tip"}) {
    const std::vector<std::string> boundary{inboard == "tip" ? "root" : "tip"};
    const FlexibleData data = make_beam(beam, inboard, boundary, first_modes(4));
    expect_third_order(beam, data, data.frame_node);
    expect_third_order(beam, data, 2);
  }
}

TEST(SecondOrderShapes, LeaveARemainderOfThirdOrderWithoutExtensionAndShear) {
  BeamDescription beam = general_beam(4);
  beam.EA.reset();
  beam.shear.reset();
  const FlexibleData data = make_beam(beam, "root", {"tip"}, first_modes(4));
  expect_third_order(beam, data, data.frame_node);
}

TEST(SecondOrderShapes, OfFreeModesLeaveARemainderOfThirdOrder) {
  BeamDescription beam = general_beam(4);
  beam.lumps.push_back({"ball", 1.1, 2, 0.3 * Matrix3::Identity()});
  const FlexibleData data = make_beam(beam, "", {}, first_modes(6, ModeKind::free_free));
  expect_third_order(beam, data, 0);
  expect_third_order(beam, data, node_named(data, "ball"));
}

TEST(SecondOrderShapes, ShortenAnInextensibleBeamAsItBends) {
  // G_x(s) = -int (v_a' v_b' + w_a' w_b') ds of a beam that only bends; by Gauss points, exact for a product of slopes.
  BeamDescription beam = unit_beam(6);
  beam.EI = {1, 1.3};
  const FlexibleData data = make_beam(beam, "root", {"tip"}, first_modes(3));
  const auto modes = data.modes();
  Eigen::MatrixXd shortening =
      Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(modes), static_cast<Eigen::Index>(modes));
  for (const FlexibleNode& node : data.nodes) {
    const auto slopes = node.shape.rotation.bottomRows<2>();  // w' = -thy, v' = thz
    shortening += node.mass * slopes.transpose() * slopes;    // mass per length is 1: the weight of the integration
  }
  const NodeShape& tip = data.nodes[node_named(data, "tip")].shape;
  EXPECT_TRUE(square(tip.translation2, 0, modes).isApprox(-shortening, 1e-13));
}

}  // namespace
}  // namespace gyrostat
