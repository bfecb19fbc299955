#include "gyrostat/dynamics/kane.h"

#include <utility>

#include "gyrostat/dynamics/constraint_jacobian.h"
#include "gyrostat/dynamics/free_speeds.h"

namespace gyrostat {

namespace {

/// Those of its parent, carried along, and those of its own joint.       (1), (2)
void find_partial_velocities(const Mechanism& mechanism, const Kinematics<double>& kinematics, std::uint32_t i,
                             KaneData& w) {
  const Link& link = mechanism.links[i];
  const BodyMotion<double>& body = kinematics.bodies[i];
  if (link.parent != 0) {
    w.omega[i] = w.omega[link.parent];
    w.v[i].noalias() = -skew(to_eigen(body.r)) * w.omega[i];
    w.v[i] += w.v[link.parent];
  }
  Twist<double> only;
  const Twist<double>* S = subspace_of(link, kinematics, body, only);
  for (std::uint32_t k = 0; k < link.nu; ++k) {
    w.omega[i].col(link.u + k) = to_eigen(S[k].w);
    w.v[i].col(link.u + k) = to_eigen(S[k].v);
  }
}

/// A flexible body moves with its frame and by its modes.
void add_modes(const Mechanism& mechanism, const Kinematics<double>& kinematics, std::uint32_t number, KaneData& w) {
  const FlexibleOf<double>& f = mechanism.flexible[number];
  const Deformation<double>& d = kinematics.deformations[number];
  const BodyMotion<double>& motion = kinematics.bodies[f.body];
  const KaneData::Partials &omega = w.omega[f.body], &v = w.v[f.body];
  const Vector3 alpha = to_eigen(motion.alpha), a = to_eigen(motion.a), mc = to_eigen(d.mc);
  const Matrix3 J = to_eigen(d.J);
  w.times_inertia.noalias() = J * omega;
  w.times_inertia.noalias() += skew(mc) * v;
  w.matrix.noalias() += omega.transpose() * w.times_inertia;
  w.at_com.noalias() = -skew(mc) * omega;
  w.at_com += f.mass * v;
  w.matrix.noalias() += v.transpose() * w.at_com;
  w.right.noalias() -= omega.transpose() * (to_eigen(d.bias.torque) + J * alpha + mc.cross(a));
  w.right.noalias() -= v.transpose() * (to_eigen(d.bias.force) + alpha.cross(mc) + f.mass * a);
  for (std::uint32_t k = 0; k < f.modes; ++k) {
    const ModalMotion<double>& mode = kinematics.modes[f.modal + k];
    const Vector3 Cr = to_eigen(mode.C.torque), Ct = to_eigen(mode.C.force);
    const std::uint32_t u = f.u + k;
    w.matrix.row(u).noalias() += Cr.transpose() * omega;
    w.matrix.row(u).noalias() += Ct.transpose() * v;
    w.matrix.col(u).noalias() += omega.transpose() * Cr;
    w.matrix.col(u).noalias() += v.transpose() * Ct;
    w.matrix(u, u) += 1;
    w.right[u] -= mode.bias + Cr.dot(alpha) + Ct.dot(a);
  }
}

/// What body i adds to the dynamic matrix and to the right-hand side.
void add_body(const Mechanism& mechanism, const Kinematics<double>& kinematics, std::uint32_t i,
              const Forces<double>& forces, KaneData& w) {
  const BodyMotion<double>& motion = kinematics.bodies[i];
  const BodyNumbers<double>& constants = mechanism.bodies[i];
  const bool flexible = mechanism.links[i].flexible != LinkStructure::none;
  if (flexible) add_modes(mechanism, kinematics, mechanism.links[i].flexible, w);
  const double mass = flexible ? 0 : constants.mass_properties.mass;
  const Matrix3 R_NB = to_eigen(motion.R_NM) * to_eigen(constants.R_BM).transpose();
  const Matrix3 J =
      flexible ? Matrix3::Zero() : Matrix3(R_NB * to_eigen(constants.mass_properties.inertia) * R_NB.transpose());
  const Vector3 c = R_NB * to_eigen(constants.mass_properties.com - constants.base);
  const Vector3 omega = to_eigen(motion.w), alpha = to_eigen(motion.alpha);
  const Vector3 a_com = to_eigen(motion.a) + alpha.cross(c) + omega.cross(omega.cross(c));

  w.at_com.noalias() = -skew(c) * w.omega[i];
  w.at_com += w.v[i];
  w.times_inertia.noalias() = J * w.omega[i];
  w.matrix.noalias() += w.omega[i].transpose() * w.times_inertia;  // (3)
  w.matrix.noalias() += mass * w.at_com.transpose() * w.at_com;

  const Vector3 force = to_eigen(forces.wrench[i].force);
  Vector3 torque = to_eigen(forces.wrench[i].torque) - c.cross(force) - J * alpha;
  if (mechanism.links[i].gyroscopic) torque -= omega.cross(J * omega);
  w.right.noalias() += w.omega[i].transpose() * torque;  // (4)
  w.right.noalias() += w.at_com.transpose() * (force - mass * a_com);
}

/// A wheel turns with its body and by itself.       (5)
void add_wheel(const Mechanism& mechanism, const Kinematics<double>& kinematics, const WheelLink& wheel,
               const double* u, KaneData& w) {
  const BodyMotion<double>& motion = kinematics.bodies[wheel.body];
  const Vector3 axis = to_eigen(motion.R_NM) * to_eigen(wheel.axis);
  w.matrix.row(wheel.u).noalias() += wheel.inertia * axis.transpose() * w.omega[wheel.body];
  w.matrix.col(wheel.u).noalias() += wheel.inertia * w.omega[wheel.body].transpose() * axis;
  w.matrix(wheel.u, wheel.u) = wheel.inertia;
  w.right[wheel.u] -= wheel.inertia * axis.dot(to_eigen(motion.alpha));
  if (!mechanism.links[wheel.body].gyroscopic) return;
  const Vector3 torque = to_eigen(motion.w).cross(wheel.inertia * u[wheel.u] * axis);
  w.right.noalias() -= w.omega[wheel.body].transpose() * torque;
}

/// Triangular form with partial pivoting, then back substitution: `b` becomes the solution.       (7)
void eliminate(Eigen::Ref<Eigen::MatrixXd> A, Eigen::Ref<Eigen::VectorXd> b) {
  const Eigen::Index n = b.size();
  for (Eigen::Index k = 0; k < n; ++k) {
    Eigen::Index pivot = 0;
    A.col(k).tail(n - k).cwiseAbs().maxCoeff(&pivot);
    if (pivot != 0) {
      A.row(k).swap(A.row(k + pivot));
      std::swap(b[k], b[k + pivot]);
    }
    A.col(k).tail(n - k - 1) /= A(k, k);
    for (Eigen::Index j = k + 1; j < n; ++j) A.col(j).tail(n - k - 1) -= A(k, j) * A.col(k).tail(n - k - 1);
    b.tail(n - k - 1) -= b[k] * A.col(k).tail(n - k - 1);
  }
  for (Eigen::Index k = n; k-- > 0;) {
    b[k] /= A(k, k);
    b.head(k) -= b[k] * A.col(k).head(k);
  }
}

}  // namespace

KaneData::KaneData(const Mechanism& mechanism) {
  const auto nu = static_cast<Eigen::Index>(mechanism.nu);
  free.reserve(mechanism.nu);
  omega.assign(mechanism.links.size(), Partials::Zero(3, nu));
  v = omega;
  at_com = times_inertia = Partials::Zero(3, nu);
  matrix.resize(nu, nu);
  right.resize(nu);
  free_matrix.resize(nu, nu);
  free_right.resize(nu);
}

namespace {

/// The equations of all bodies, with what is given on the right; those of the free speeds begin `free_matrix`.
/// Returns how many there are.
Eigen::Index assemble(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                      const Forces<double>& forces, KaneData& w, double* udot) {
  w.matrix.setZero();
  for (Eigen::Index k = 0; k < w.right.size(); ++k) w.right[k] = forces.tau[static_cast<std::size_t>(k)];
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    find_partial_velocities(mechanism, kinematics, i, w);
    add_body(mechanism, kinematics, i, forces, w);
  }
  for (const WheelLink& wheel : mechanism.wheels) add_wheel(mechanism, kinematics, wheel, u, w);

  set_given(forces, udot);  // (6)
  list_free_speeds(forces, w.free);
  const Eigen::Map<Eigen::VectorXd> all(udot, w.right.size());
  w.right.noalias() -= w.matrix * all;
  const auto n = static_cast<Eigen::Index>(w.free.size());
  for (Eigen::Index a = 0; a < n; ++a) {
    const std::uint32_t k = w.free[static_cast<std::size_t>(a)];
    w.free_right[a] = w.right[k];
    for (Eigen::Index b = 0; b < n; ++b) w.free_matrix(b, a) = w.matrix(w.free[static_cast<std::size_t>(b)], k);
  }
  return n;
}

}  // namespace

void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, KaneData& w, double* udot) {
  const Eigen::Index n = assemble(mechanism, kinematics, u, forces, w, udot);
  eliminate(w.free_matrix.topLeftCorner(n, n), w.free_right.head(n));
  for (Eigen::Index a = 0; a < n; ++a) udot[w.free[static_cast<std::size_t>(a)]] = w.free_right[a];
}

/// The equations are bordered by the rows, whose multipliers are unknowns too.       (8)
void accelerations(const Mechanism& mechanism, const Kinematics<double>& kinematics, const double* u,
                   const Forces<double>& forces, Closures<double>& closures, KaneData& w, double* udot) {
  const std::vector<std::uint32_t>& kept = closures.plan->kept;
  const auto rows = static_cast<Eigen::Index>(kept.size()), nu = static_cast<Eigen::Index>(mechanism.nu);
  if (w.free_matrix.rows() != nu + rows) {
    w.free_matrix.resize(nu + rows, nu + rows);
    w.free_right.resize(nu + rows);
    w.J.resize(rows, nu);
  }
  const Eigen::Index n = assemble(mechanism, kinematics, u, forces, w, udot);
  find_jacobian(mechanism, kinematics, *closures.structure, closures.values, kept, w.J);
  const Eigen::Map<const Eigen::VectorXd> given(udot, nu);
  w.free_matrix.block(n, n, rows, rows).setZero();
  for (Eigen::Index r = 0; r < rows; ++r) {
    w.free_right[n + r] = closures.demanded[kept[static_cast<std::size_t>(r)]] - w.J.row(r).dot(given);
    for (Eigen::Index a = 0; a < n; ++a) {
      w.free_matrix(n + r, a) = w.J(r, w.free[static_cast<std::size_t>(a)]);
      w.free_matrix(a, n + r) = -w.free_matrix(n + r, a);
    }
  }
  eliminate(w.free_matrix.topLeftCorner(n + rows, n + rows), w.free_right.head(n + rows));
  for (Eigen::Index a = 0; a < n; ++a) udot[w.free[static_cast<std::size_t>(a)]] = w.free_right[a];
  for (Eigen::Index r = 0; r < rows; ++r) closures.multipliers[kept[static_cast<std::size_t>(r)]] = w.free_right[n + r];
}

}  // namespace gyrostat
