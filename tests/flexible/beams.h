// Beams for tests, and what is known of them.
#pragma once

#include <cmath>
#include <functional>

#include <Eigen/Eigenvalues>

#include "gyrostat/flexible/beam_data.h"

namespace gyrostat {

/// Along x, length, mass and stiffness about y (deflection along z) 1; so stiff about z that these modes are high.
inline BeamDescription unit_beam(std::size_t elements) {
  BeamDescription beam;
  beam.to = Vector3::UnitX();
  beam.elements = elements;
  beam.mass_per_length = 1;
  beam.EI = {1, 1e6};
  return beam;
}

/// With every stiffness and inertia, in oblique axes.
inline BeamDescription general_beam(std::size_t elements) {
  BeamDescription beam;
  beam.from = Vector3(0.3, -0.2, 0.5);
  beam.to = beam.from + 2.5 * Vector3(0.6, 0.48, -0.64);
  beam.up = Vector3(0.2, 0.5, 1);
  beam.elements = elements;
  beam.mass_per_length = 1.7;
  beam.EI = {3, 5};
  beam.GJ = 2;
  beam.EA = 60;
  beam.shear = {{20, 30}};
  beam.rotary_inertia = {0.02, 0.03};
  return beam;
}

inline ModeOptions first_modes(std::size_t count, ModeKind kind = ModeKind::component) {
  return {kind, ModeCount{count}};
}

/// Circular frequencies [rad/s].
inline Eigen::VectorXd frequencies(const FlexibleData& data) { return data.stiffness.diagonal().cwiseSqrt(); }

/// Of K x = omega^2 M x, ascending.
inline Eigen::VectorXd frequencies(const Eigen::MatrixXd& K, const Eigen::MatrixXd& M) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solver(K, M, Eigen::EigenvaluesOnly);
  return solver.eigenvalues().cwiseMax(0).cwiseSqrt();
}

/// A zero of f between a and b, where its sign differs.
inline double zero_of(const std::function<double(double)>& f, double a, double b) {
  const bool rising = f(a) < 0;
  for (int i = 0; i < 100; ++i) {
    const double middle = (a + b) / 2;
    ((f(middle) < 0) == rising ? a : b) = middle;
  }
  return (a + b) / 2;
}

inline std::size_t node_named(const FlexibleData& data, const std::string& name) {
  std::size_t i = 0;
  while (data.nodes.at(i).name != name) ++i;
  return i;
}

/// Second derivatives of a pair as a matrix: component 0, 1 or 2 of translation2 or rotation2.
inline Eigen::MatrixXd square(const Eigen::Matrix3Xd& pairs, Eigen::Index component, std::size_t modes) {
  const auto n = static_cast<Eigen::Index>(modes);
  Eigen::MatrixXd G(n, n);
  for (std::size_t a = 0; a < modes; ++a) {
    for (std::size_t b = 0; b < modes; ++b) {
      G(static_cast<Eigen::Index>(a), static_cast<Eigen::Index>(b)) =
          pairs(component, static_cast<Eigen::Index>(pair_index(a, b)));
    }
  }
  return G;
}

/// 1/2 eta' G eta
inline Vector3 quadratic(const Eigen::Matrix3Xd& pairs, const Eigen::VectorXd& eta) {
  const auto modes = static_cast<std::size_t>(eta.size());
  Vector3 sum;
  for (Eigen::Index i = 0; i < 3; ++i) sum(i) = 0.5 * eta.dot(square(pairs, i, modes) * eta);
  return sum;
}

inline Vector3 deformed_position(const FlexibleNode& node, const Eigen::VectorXd& eta) {
  return node.position + node.shape.translation * eta + quadratic(node.shape.translation2, eta);
}

inline Matrix3 deformed_rotation(const FlexibleNode& node, const Eigen::VectorXd& eta) {
  const Vector3 theta = node.shape.rotation * eta + quadratic(node.shape.rotation2, eta);
  return theta.isZero(0) ? Matrix3(Matrix3::Identity()) : rotation_about(theta.normalized(), theta.norm());
}

}  // namespace gyrostat
