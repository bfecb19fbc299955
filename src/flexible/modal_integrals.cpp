#include "gyrostat/flexible/modal_integrals.h"

namespace gyrostat {

namespace {

/// 2 (u.v) 1 - u v' - v u'
Matrix3 second_moment(const Vector3& u, const Vector3& v) {
  return 2 * u.dot(v) * Matrix3::Identity() - u * v.transpose() - v * u.transpose();
}

/// [x]x I - I [x]x: how an inertia changes with a turn about x.
Matrix3 turning(const Vector3& x, const Matrix3& I) { return skew(x) * I - I * skew(x); }

void add_node(const FlexibleNode& node, const Vector3& c, bool second_order, ModalIntegrals& sum) {
  const Eigen::Matrix3Xd &Phi = node.shape.translation, &Psi = node.shape.rotation;
  const Matrix3& I = node.inertia;
  const double m = node.mass;
  sum.mass += m;
  sum.mc0 += m * c;
  sum.J0 += I + 0.5 * m * second_moment(c, c);
  sum.Me += m * Phi.transpose() * Phi + Psi.transpose() * I * Psi;
  const Eigen::Index modes = Phi.cols();
  for (Eigen::Index a = 0; a < modes; ++a) {
    const Vector3 phi = Phi.col(a), psi = Psi.col(a);
    const Matrix3 turned = turning(psi, I);
    sum.Ct0.col(a) += m * phi;
    sum.Cr0.col(a) += I * psi + m * c.cross(phi);
    sum.J1[static_cast<std::size_t>(a)] += m * second_moment(c, phi) + turned;
    for (Eigen::Index b = 0; b < modes; ++b) {
      const Vector3 phi_b = Phi.col(b), psi_b = Psi.col(b);
      const auto pair = static_cast<Eigen::Index>(pair_index(static_cast<std::size_t>(a), static_cast<std::size_t>(b)));
      sum.Cr1.col(a * modes + b) += m * phi.cross(phi_b) + 0.5 * I * psi.cross(psi_b) + turned * psi_b;
      if (second_order) {
        const Vector3 G = node.shape.translation2.col(pair), H = node.shape.rotation2.col(pair);
        sum.Cr1.col(a * modes + b) += m * c.cross(G) + I * H;
      }
      if (b > a) continue;
      Matrix3& J2 = sum.J2[static_cast<std::size_t>(pair)];
      J2 += m * second_moment(phi, phi_b) + 0.5 * (turning(psi, turning(psi_b, I)) + turning(psi_b, turned));
      if (second_order) {
        const Vector3 G = node.shape.translation2.col(pair), H = node.shape.rotation2.col(pair);
        J2 += m * second_moment(c, G) + turning(H, I);
        sum.Gm.col(pair) += m * G;
      }
    }
  }
}

}  // namespace

ModalIntegrals modal_integrals(const FlexibleData& data, const Vector3& point, FlexibleTerms terms) {
  const auto modes = static_cast<Eigen::Index>(data.modes());
  const auto pairs = static_cast<Eigen::Index>(pair_count(data.modes()));
  ModalIntegrals sum;
  sum.Ct0 = sum.Cr0 = Eigen::Matrix3Xd::Zero(3, modes);
  sum.J1.assign(data.modes(), Matrix3::Zero());
  sum.J2.assign(pair_count(data.modes()), Matrix3::Zero());
  sum.Cr1 = Eigen::Matrix3Xd::Zero(3, modes * modes);
  sum.Gm = Eigen::Matrix3Xd::Zero(3, pairs);
  sum.Me = Eigen::MatrixXd::Zero(modes, modes);
  const bool second_order = terms == FlexibleTerms::stiffened && data.second_order;
  for (const FlexibleNode& node : data.nodes) {
    if (node.mass != 0 || !node.inertia.isZero(0)) add_node(node, node.position - point, second_order, sum);
  }
  return sum;
}

Pose node_pose(const FlexibleNode& node, const double* eta, FlexibleTerms terms, bool loaded) {
  Vector3 r = node.position, theta = Vector3::Zero();
  const Eigen::Index modes = terms == FlexibleTerms::ruthless && loaded ? 0 : node.shape.translation.cols();
  const bool second_order = terms == FlexibleTerms::stiffened && node.shape.translation2.cols() > 0;
  for (Eigen::Index a = 0; a < modes; ++a) {
    r += eta[a] * node.shape.translation.col(a);
    theta += eta[a] * node.shape.rotation.col(a);
    for (Eigen::Index b = 0; second_order && b < modes; ++b) {
      const auto pair = static_cast<Eigen::Index>(pair_index(static_cast<std::size_t>(a), static_cast<std::size_t>(b)));
      r += 0.5 * eta[a] * eta[b] * node.shape.translation2.col(pair);
      theta += 0.5 * eta[a] * eta[b] * node.shape.rotation2.col(pair);
    }
  }
  const double angle = theta.norm();
  return {angle > 0 ? rotation_about(theta / angle, angle) : Matrix3(Matrix3::Identity()), r};
}

MassProperties mass_properties(const FlexibleData& data) {
  MassProperties all;
  for (const FlexibleNode& node : data.nodes) all = combined(all, {node.mass, node.position, node.inertia});
  return all;
}

}  // namespace gyrostat
