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

/// What second-order shapes would add, from unit loads. `point` is from the body's origin, to which the loads refer.
void add_unit_loads(const UnitLoads& loads, const Vector3& point, ModalIntegrals& sum) {
  const Eigen::Index modes = sum.Ct0.cols();
  for (Eigen::Index a = 0; a < modes; ++a) {
    for (Eigen::Index b = 0; b <= a; ++b) {
      const auto pair = static_cast<Eigen::Index>(pair_index(static_cast<std::size_t>(a), static_cast<std::size_t>(b)));
      const auto mean = [&](const Eigen::MatrixXd& K) { return 0.5 * (K(a, b) + K(b, a)); };
      const auto &t = loads.acceleration, &r = loads.angular_acceleration;
      const Vector3 Gm(mean(t[0]), mean(t[1]), mean(t[2]));
      const Vector3 turning = Vector3(mean(r[0]), mean(r[1]), mean(r[2])) - point.cross(Gm);
      Matrix3 J2;  // 1/2 w' J2 w = -W_k K_w,k
      for (std::size_t k = 0; k < 6; ++k) {
        const auto [i, j] = UnitLoads::products[k];
        J2(i, j) = J2(j, i) = (i == j ? -2 : -1) * mean(loads.spin[k]);
      }
      sum.Gm.col(pair) += Gm;
      sum.J2[static_cast<std::size_t>(pair)] += J2 - second_moment(point, Gm);
      sum.Cr1.col(a * modes + b) += turning;
      if (a != b) sum.Cr1.col(b * modes + a) += turning;
    }
  }
}

void add_integrals(const MassIntegrals& given, const Vector3& point, ModalIntegrals& sum) {
  const Eigen::Index modes = sum.Ct0.cols();
  sum.Ct0 += given.momentum;
  sum.Cr0 += given.angular_momentum - skew(point) * given.momentum;
  for (Eigen::Index a = 0; a < modes; ++a) {
    const auto place = static_cast<std::size_t>(a);
    const Matrix3 L = given.first[place] - point * given.momentum.col(a).transpose();
    sum.J1[place] += 2 * L.trace() * Matrix3::Identity() - L - L.transpose();
    for (Eigen::Index b = 0; b < modes; ++b) {
      const Matrix3& N = given.second[static_cast<std::size_t>(a * modes + b)];
      sum.Cr1.col(a * modes + b) += Vector3(N(1, 2) - N(2, 1), N(2, 0) - N(0, 2), N(0, 1) - N(1, 0));
      if (b > a) continue;
      sum.J2[pair_index(place, static_cast<std::size_t>(b))] += 2 * N.trace() * Matrix3::Identity() - N - N.transpose();
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
    if (node.mass == 0 && node.inertia.isZero(0)) continue;
    add_node(node, node.position - point, second_order && !data.unit_loads, sum);
  }
  if (data.integrals) {
    add_integrals(*data.integrals, point, sum);
    sum.Me = data.mass;
  }
  if (second_order && data.unit_loads) add_unit_loads(*data.unit_loads, point, sum);
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
