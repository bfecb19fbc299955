#include "gyrostat/dynamics/absolute_flexible.h"

#include <array>
#include <cmath>

namespace gyrostat {

AbsoluteFlexible make_absolute_flexible(const FlexibleBody& body, const Vector3& com) {
  return {body.body, body.q, body.u, body.terms, modal_integrals(body.data, com, body.terms)};
}

AbsoluteNode make_absolute_node(const System& system, std::uint32_t body, std::uint32_t flexible) {
  const FlexibleBody& of = system.flexible[flexible];
  AbsoluteNode made{body, flexible, is_loaded(system, body), of.data.nodes[system.bodies[body].node]};
  made.node.position -= system.bodies[of.body].mass_properties.com;
  if (of.terms != FlexibleTerms::stiffened || !of.data.second_order) {
    made.node.shape.translation2.resize(3, 0);
    made.node.shape.rotation2.resize(3, 0);
  }
  return made;
}

namespace {

/// sin(t/2)/t as a function of x = t^2, and its first two derivatives: exact to rounding up to t = pi.
std::array<double, 3> half_sine(double x) {
  constexpr int terms = 14;
  std::array<double, 3> s = {0, 0, 0};
  double factor = 1;  // of the last term: 1 / (2^(2k+1) (2k+1)!)
  for (int k = 0; k < terms; ++k) factor /= 4.0 * (2 * k + 2) * (2 * k + 3);
  factor /= 2;
  for (int k = terms; k >= 0; --k) {
    const double coefficient = k % 2 == 0 ? factor : -factor;
    s[2] = s[2] * x + 2 * s[1];
    s[1] = s[1] * x + s[0];
    s[0] = s[0] * x + coefficient;
    factor *= 4.0 * (2 * k) * (2 * k + 1);
  }
  return s;
}

/// Sum over pairs of the modes x and y, both orders of a pair.
Vector3 sum_over_pairs(const Eigen::Matrix3Xd& pairs, const double* x, const double* y, std::size_t modes) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t a = 0; a < modes; ++a) {
    for (std::size_t b = 0; b < modes; ++b) sum += x[a] * y[b] * pairs.col(static_cast<Eigen::Index>(pair_index(a, b)));
  }
  return sum;
}

/// A shape's columns at the deformation: first order, and what second order adds.
Vector3 column_at(const Eigen::Matrix3Xd& first, const Eigen::Matrix3Xd& pairs, std::size_t b, const double* eta) {
  Vector3 column = first.col(static_cast<Eigen::Index>(b));
  if (pairs.cols() == 0) return column;
  for (std::size_t a = 0; a < static_cast<std::size_t>(first.cols()); ++a) {
    column += eta[a] * pairs.col(static_cast<Eigen::Index>(pair_index(a, b)));
  }
  return column;
}

}  // namespace

AbsoluteRotation follow_rotation_vector(const Vector3& theta, const Vector3& rate, const Vector3& second) {
  const double x = theta.squaredNorm(), x_rate = 2 * theta.dot(rate),
               x_second = 2 * (rate.squaredNorm() + theta.dot(second));
  const auto [s, s1, s2] = half_sine(x);
  const double s_rate = s1 * x_rate, s_second = s1 * x_second + s2 * x_rate * x_rate;
  const double e0 = std::cos(std::sqrt(x) / 2), e0_second = -(s_rate * x_rate + s * x_second) / 4;
  const Vector3 v = s * theta, v_second = s * second + 2 * s_rate * rate + s_second * theta;
  AbsoluteRotation made;
  made.e << e0, v;  // (1)
  made.T = 2 * e0 * s * Matrix3::Identity() + (4 * e0 * s1 + s * s) * theta * theta.transpose() +
           2 * s * s * skew(theta);                                           // (23)
  made.omega_rate = 2 * (e0 * v_second - e0_second * v + v.cross(v_second));  // (23)
  return made;
}

void find_deformation(const AbsoluteFlexible& body, const Matrix3& A, const Vector3& w, const double* eta,
                      const double* etad, AbsoluteDeformation& deformation) {
  const ModalIntegrals& I = body.integrals;
  const std::size_t m = body.modes();
  const bool deforms = body.terms != FlexibleTerms::ruthless;
  Matrix3 J = I.J0, J_rate = Matrix3::Zero();
  Vector3 mc = I.mc0, momentum_r = Vector3::Zero(), momentum_t = Vector3::Zero(), bias_r = Vector3::Zero(),
          bias_t = Vector3::Zero();
  Eigen::MatrixXd& M = deformation.M;
  M.setZero();
  for (std::size_t b = 0; b < m; ++b) {
    const auto at = static_cast<Eigen::Index>(b);
    Vector3 Cr = I.Cr0.col(at), Ct = I.Ct0.col(at), turning = Vector3::Zero();
    Matrix3 J_b = I.J1[b];  // derivative of J
    for (std::size_t a = 0; deforms && a < m; ++a) {
      const auto ab = static_cast<Eigen::Index>(a * m + b), ba = static_cast<Eigen::Index>(b * m + a),
                 pair = static_cast<Eigen::Index>(pair_index(a, b));
      Cr += eta[a] * I.Cr1.col(ab);
      Ct += eta[a] * I.Gm.col(pair);
      turning += etad[a] * (I.Cr1.col(ab) - I.Cr1.col(ba));
      J_b += eta[a] * I.J2[static_cast<std::size_t>(pair)];
      bias_r += etad[a] * etad[b] * I.Cr1.col(ab);
      bias_t += etad[a] * etad[b] * I.Gm.col(pair);
    }
    if (deforms) {
      J += 0.5 * eta[b] * (I.J1[b] + J_b);
      J_rate += etad[b] * J_b;
      mc += 0.5 * eta[b] * (I.Ct0.col(at) + Ct);
      momentum_r += etad[b] * Cr;
      momentum_t += etad[b] * Ct;
    }
    M.block<3, 1>(0, 6 + at) = A * Ct;
    M.block<3, 1>(3, 6 + at) = Cr;
    M(6 + at, 6 + at) = 1;
    deformation.force[6 + at] = 0.5 * w.dot(J_b * w) - w.dot(turning);  // (22)
  }
  M.topLeftCorner<3, 3>().diagonal().setConstant(I.mass);
  M.block<3, 3>(0, 3) = -A * skew(mc);
  M.block<3, 3>(3, 3) = J;
  M.triangularView<Eigen::StrictlyLower>() = M.transpose();
  deformation.force.head<3>() = -(A * (w.cross(w.cross(mc)) + 2 * w.cross(momentum_t) + bias_t));  // (22)
  deformation.force.segment<3>(3) = -(J_rate * w + w.cross(J * w + momentum_r) + bias_r);          // (22)
}

Eigen::Vector4d find_node_motion(const AbsoluteFlexible& body, const AbsoluteNode& node, const Matrix3& A,
                                 const Vector3& w, const double* eta, const double* etad, AbsoluteNodeMotion& motion) {
  const std::size_t m = body.modes();
  const NodeShape& shape = node.node.shape;
  const bool ruthless = body.terms == FlexibleTerms::ruthless, second = shape.translation2.cols() > 0;
  Vector3 r = node.node.position, theta = Vector3::Zero(), slide = Vector3::Zero(), turn = Vector3::Zero();
  for (std::size_t a = 0; a < m; ++a) {
    const auto at = static_cast<Eigen::Index>(a);
    const Vector3 phi = column_at(shape.translation, shape.translation2, a, eta),
                  psi = column_at(shape.rotation, shape.rotation2, a, eta);
    if (!ruthless || !node.loaded) {
      r += 0.5 * eta[a] * (shape.translation.col(at) + phi);
      theta += 0.5 * eta[a] * (shape.rotation.col(at) + psi);
    }
    slide += etad[a] * phi;
    turn += etad[a] * psi;
    motion.B.block<3, 1>(0, 6 + at) = A * phi;
    motion.B.block<3, 1>(3, 6 + at) = psi;
  }
  const Vector3 slide_rate = second ? sum_over_pairs(shape.translation2, etad, etad, m) : Vector3(Vector3::Zero()),
                turn_rate = second ? sum_over_pairs(shape.rotation2, etad, etad, m) : Vector3(Vector3::Zero());
  AbsoluteRotation rotation = follow_rotation_vector(theta, turn, turn_rate);
  if (ruthless) rotation.T.setIdentity();
  const Eigen::Vector4d& e = rotation.e;
  const Vector3 v = e.tail<3>();
  motion.R = (e[0] * e[0] - v.squaredNorm()) * Matrix3::Identity() + 2 * v * v.transpose() + 2 * e[0] * skew(v);
  motion.r = r;
  motion.B.topLeftCorner<3, 3>().setIdentity();
  motion.B.block<3, 3>(0, 3) = -A * skew(r);                  // (24)
  motion.B.block<3, 3>(3, 3) = motion.R.transpose();          // (24)
  const Matrix3 to_node = motion.R.transpose() * rotation.T;  // (24)
  for (Eigen::Index a = 0; a < static_cast<Eigen::Index>(m); ++a) {
    motion.B.block<3, 1>(3, 6 + a) = (to_node * motion.B.block<3, 1>(3, 6 + a)).eval();
  }
  motion.b.setZero();
  Vector3 across = w.cross(w.cross(r));
  if (!ruthless) {
    across += 2 * w.cross(slide) + slide_rate;
    motion.b.tail<3>() = motion.R.transpose() * (rotation.omega_rate + w.cross(rotation.T * turn));  // (25)
  }
  motion.b.head<3>() = A * across;  // (25)
  return e;
}

}  // namespace gyrostat
