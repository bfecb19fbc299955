#include "gyrostat/dynamics/mixed.h"

#include <limits>

#include <Eigen/Cholesky>
#include <fmt/format.h>

namespace gyrostat {

namespace {

constexpr Eigen::Index most_mixed_speeds = 2000;

}  // namespace

std::string outside_domain_of_mixed(const System& system, const DynamicsSettings& /*settings*/) {
  if (system.initial.u.size() > most_mixed_speeds) {
    return fmt::format("{} speeds are more than the {} for which its matrices are kept; use articulated_body",
                       system.initial.u.size(), most_mixed_speeds);
  }
  return too_many_constraints(system);
}

Mixed::Mixed(const System& system, const DynamicsSettings& settings) : absolute(system, settings) {
  std::vector<std::uint32_t> length(system.bodies.size(), 0);
  for (std::size_t i = 1; i < length.size(); ++i) {
    length[i] = length[system.parent[i]] + system.joints[i].nu;
    longest_path = std::max(longest_path, length[i]);
    singular = singular || absolute.singular[i];
  }
}

MixedData::MixedData(const Mixed& constants)
    : state(constants.absolute.model),
      rows(constants.absolute.constraints.closure_rows),
      rank(constants.absolute.model, constants.absolute.constraints),
      unknown(constants.absolute.model.speeds),
      h0(constants.absolute.model.bodies.size(), Vector6::Zero()) {
  const auto speeds = static_cast<Eigen::Index>(unknown.size()), constraints = rank.G.cols();
  B.setZero(6, constants.longest_path);
  MB = B;
  path.reserve(constants.longest_path);
  about.setZero(constants.longest_path);
  M.setZero(speeds, speeds);
  f.setZero(speeds);
  z = f;
  Y.setZero(speeds, constraints);
  S.setZero(constraints, constraints);
  for (Eigen::VectorXd* x : {&gamma, &lambda, &step}) x->setZero(constraints);
  kept.reserve(static_cast<std::size_t>(constraints));
}

namespace {

void number_unknowns(const Absolute& constants, const Forces<double>& forces, MixedData& data) {
  data.unknowns = 0;
  for (std::size_t k = 0; k < data.unknown.size(); ++k) {
    data.unknown[k] = is_given(constants, forces, k) ? MixedData::not_free : data.unknowns++;
  }
}

/// (3): outward, with the accelerations that are given.
void find_known_accelerations(const AbsoluteModel& model, const Forces<double>& forces, MixedData& data) {
  for (std::uint32_t i = 1; i < model.bodies.size(); ++i) {
    const AbsoluteJoint& joint = model.joints[i];
    const AbsoluteJointMotion& motion = data.state.joints[i];
    const AbsoluteMotion &P = data.state.bodies[joint.P], &C = data.state.bodies[joint.C];
    const Vector3 s_P = P.A * joint.p_P + motion.zeta, s_C = C.A * joint.p_C;
    Vector3 turn = motion.w_PC_rate, slide = 2 * P.w.cross(motion.zeta_rate);
    for (std::uint32_t k = 0; k < joint.speeds(); ++k) {
      if (data.unknown[joint.u + k] != MixedData::not_free) continue;
      const bool turns = k - joint.first_rotation < joint.rotations;
      (turns ? turn : slide) += forces.udot[joint.u + k] * motion.column[k];
    }
    const std::uint32_t inboard = model.bodies[i].parent;
    const double sign = joint.reversed ? -1 : 1;
    const Vector3 alpha = data.state.bodies[inboard].A * data.h0[inboard].tail<3>();
    const Vector3 alpha_i = alpha + sign * turn;
    const Vector3 &alpha_P = joint.reversed ? alpha_i : alpha, &alpha_C = joint.reversed ? alpha : alpha_i;
    const Vector3 a_PC =
        alpha_P.cross(s_P) + P.w.cross(P.w.cross(s_P)) + slide - alpha_C.cross(s_C) - C.w.cross(C.w.cross(s_C));
    data.h0[i] << data.h0[inboard].head<3>() + sign * a_PC, data.state.bodies[i].A.transpose() * alpha_i;  // (3)
  }
}

/// (1), (2): the columns of body i for the free speeds between it and the world.
void find_columns(const AbsoluteModel& model, std::uint32_t i, MixedData& data) {
  const AbsoluteMotion& body = data.state.bodies[i];
  data.path.clear();
  for (std::uint32_t j = i; j != 0; j = model.bodies[j].parent) {
    const AbsoluteJoint& joint = model.joints[j];
    const AbsoluteJointMotion& motion = data.state.joints[j];
    const double sign = joint.reversed ? -1 : 1;
    for (std::uint32_t k = 0; k < joint.speeds(); ++k) {
      if (data.unknown[joint.u + k] == MixedData::not_free) continue;
      const Vector3 axis = sign * motion.column[k];
      auto column = data.B.col(static_cast<Eigen::Index>(data.path.size()));
      if (k - joint.first_rotation < joint.rotations) {
        column << axis.cross(body.r - motion.point), body.A.transpose() * axis;  // (1)
      } else {
        column << axis, Vector3::Zero();  // (2)
      }
      data.path.push_back(data.unknown[joint.u + k]);
    }
  }
}

/// What body i and its wheels add to (4) and (5).
void add_body_with_wheels(const Absolute& constants, std::uint32_t i, const double* u, const Forces<double>& forces,
                          MixedData& data) {
  const AbsoluteBody& body = constants.model.bodies[i];
  const auto count = static_cast<Eigen::Index>(data.path.size());
  const auto B = data.B.leftCols(count);
  auto MB = data.MB.leftCols(count);
  MB.topRows<3>() = body.mass * B.topRows<3>();
  MB.bottomRows<3>().noalias() = body.inertia * B.bottomRows<3>();
  Vector6 force = body_force(constants, data.state, i, u, forces);
  force.head<3>() -= body.mass * data.h0[i].head<3>();
  force.tail<3>() -= body.inertia * data.h0[i].tail<3>();
  for (Eigen::Index a = 0; a < count; ++a) {
    const std::uint32_t at = data.path[static_cast<std::size_t>(a)];
    data.f[at] += B.col(a).dot(force);  // (5)
    for (Eigen::Index b = 0; b <= a; ++b) {
      const std::uint32_t other = data.path[static_cast<std::size_t>(b)];
      data.M(std::max(at, other), std::min(at, other)) += B.col(a).dot(MB.col(b));  // (4)
    }
  }
  for (std::uint32_t k = body.wheel; k < body.wheel + body.wheels; ++k) {
    const Wheel& wheel = constants.model.wheels[k];
    const std::uint32_t own = data.unknown[wheel.u];
    double known = wheel.axis.dot(data.h0[i].tail<3>());
    if (own == MixedData::not_free) known += forces.udot[wheel.u];
    auto about = data.about.head(count);
    about.noalias() = B.bottomRows<3>().transpose() * wheel.axis;
    for (Eigen::Index a = 0; a < count; ++a) {
      const std::uint32_t at = data.path[static_cast<std::size_t>(a)];
      data.f[at] -= wheel.inertia * known * about[a];  // (6)
      for (Eigen::Index b = 0; b <= a; ++b) {
        const std::uint32_t other = data.path[static_cast<std::size_t>(b)];
        data.M(std::max(at, other), std::min(at, other)) += wheel.inertia * about[a] * about[b];  // (6)
      }
      if (own != MixedData::not_free) data.M(own, at) += wheel.inertia * about[a];
    }
    if (own == MixedData::not_free) continue;
    data.M(own, own) += wheel.inertia;
    data.f[own] -= wheel.inertia * known;
  }
}

/// What the kept constraints ask of the free speeds: Y = J^T, and gamma.
void find_constraints(const Absolute& constants, const Forces<double>& forces, MixedData& data) {
  const AbsoluteConstraints& constraints = constants.constraints;
  for (const AbsoluteClosure& closure : constraints.closures) {
    find_rows(constants.model, data.state, closure, data.rows.data() + closure.first_row);
  }
  find_by_speeds(
      constants.model, constraints, data.state, data.rows.data(),
      [&](std::uint32_t k) { return data.unknown[k] == MixedData::not_free; }, data.rank);
  find_independent(data.rank);
  data.kept.clear();
  const auto keep = [&](std::uint32_t r, double gamma) {
    const auto at = static_cast<Eigen::Index>(data.kept.size());
    for (std::size_t k = 0; k < data.unknown.size(); ++k) {
      if (data.unknown[k] != MixedData::not_free) data.Y(data.unknown[k], at) = data.rank.G(static_cast<int>(k), r);
    }
    data.gamma[at] = gamma;
    data.kept.push_back(r);
  };
  for (const AbsoluteClosure& closure : constraints.closures) {
    for (std::uint32_t k = 0; k < closure.rows(); ++k) {
      const std::uint32_t r = closure.first_row + k;
      if (!data.rank.kept[r]) continue;
      const AbsoluteRow& row = data.rows[r];
      const double given =
          closure.kind == AbsoluteClosure::Kind::joint ? 0 : forces.equals[closure.first_equal + k].acceleration;
      keep(r, given + row.gamma - row.on[0].dot(data.h0[closure.joint.P]) - row.on[1].dot(data.h0[closure.joint.C]));
    }
  }
  for (std::uint32_t k = 0; k < constraints.couplings.size(); ++k) {
    const std::uint32_t r = constraints.closure_rows + k;
    if (!data.rank.kept[r]) continue;
    const AbsoluteCoupling& coupling = constraints.couplings[k];
    double gamma = forces.equals[coupling.first_equal].acceleration;
    for (const AbsoluteCoupling::Term& term : coupling.terms) {
      if (data.unknown[term.u] == MixedData::not_free) gamma -= term.coefficient * forces.udot[term.u];
    }
    keep(r, gamma);
  }
}

/// Where bodies lack mass, loops may be all that determines their motion: constraints stand in for it, as in absolute
/// (16).
void stand_in(const Absolute& constants, MixedData& data) {
  const Eigen::Index n = data.unknowns;
  for (std::size_t c = 0; c < data.kept.size(); ++c) {
    const auto at = static_cast<Eigen::Index>(c);
    const auto J = data.Y.col(at).head(n);
    const double size = J.squaredNorm() / constants.inertia_scale;
    data.M.topLeftCorner(n, n).selfadjointView<Eigen::Lower>().rankUpdate(J, 1 / size);
    data.f.head(n) += data.gamma[at] / size * J;
  }
}

/// (7), (8): multipliers in two steps, and the free accelerations in `z`. False if the motion is not determined.
bool solve_mixed(MixedData& data) {
  const Eigen::Index n = data.unknowns, m = static_cast<Eigen::Index>(data.kept.size());
  Eigen::Ref<Eigen::MatrixXd> M = data.M.topLeftCorner(n, n);
  const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> masses(M);
  if (masses.info() != Eigen::Success) return false;
  auto z = data.z.head(n), f = data.f.head(n);
  auto Y = data.Y.topLeftCorner(n, m);
  M.triangularView<Eigen::Lower>().solveInPlace(f);
  z = f;
  if (m > 0) {
    M.triangularView<Eigen::Lower>().solveInPlace(Y);
    Eigen::Ref<Eigen::MatrixXd> S = data.S.topLeftCorner(m, m);
    S.setZero();
    S.selfadjointView<Eigen::Lower>().rankUpdate(Y.transpose());  // (7)
    const Eigen::LLT<Eigen::Ref<Eigen::MatrixXd>> multipliers(S);
    if (multipliers.info() != Eigen::Success) return false;
    data.lambda.setZero();
    auto step = data.step.head(m);
    for (int pass = 0; pass < 2; ++pass) {  // the second time takes out what rounding left
      step = data.gamma.head(m);
      step.noalias() -= Y.transpose() * z;
      S.triangularView<Eigen::Lower>().solveInPlace(step);
      S.triangularView<Eigen::Lower>().transpose().solveInPlace(step);
      data.lambda.head(m) += step;
      z = f;
      z.noalias() += Y * data.lambda.head(m);  // (8)
    }
  }
  M.triangularView<Eigen::Lower>().transpose().solveInPlace(z);
  return true;
}

}  // namespace

void accelerations(const Mixed& constants, const double* q, const double* u, const Forces<double>& forces,
                   MixedData& data, double* udot) {
  const Absolute& absolute = constants.absolute;
  const AbsoluteModel& model = absolute.model;
  number_unknowns(absolute, forces, data);
  find_motion(model, q, u, data.state);
  find_known_accelerations(model, forces, data);
  data.M.topLeftCorner(data.unknowns, data.unknowns).setZero();
  for (std::size_t k = 0; k < data.unknown.size(); ++k) {
    if (data.unknown[k] != MixedData::not_free) data.f[data.unknown[k]] = forces.tau[k];
  }
  for (std::uint32_t i = 1; i < model.bodies.size(); ++i) {
    find_columns(model, i, data);
    add_body_with_wheels(absolute, i, u, forces, data);
  }
  if (data.rank.G.cols() > 0) {
    find_constraints(absolute, forces, data);
    if (constants.singular) stand_in(absolute, data);
  }
  const bool solved = solve_mixed(data);
  for (std::size_t k = 0; k < data.unknown.size(); ++k) {
    udot[k] = data.unknown[k] == MixedData::not_free ? forces.udot[k]
              : solved                               ? data.z[data.unknown[k]]
                                                     : std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace gyrostat
