// What must hold for the accelerations of any system with loops, by what knows nothing of their formulation: rows of
// src/constraints, inverse dynamics, and differences.
#pragma once

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "gyrostat/constraints/constraints.h"
#include "gyrostat/dynamics/inverse_dynamics.h"
#include "gyrostat/dynamics/mixed.h"
#include "gyrostat/dynamics/outward.h"
#include "gyrostat/math/least_norm.h"

#include "support/random_dynamics.h"

namespace gyrostat::testing {

/// A system with constraints at an instant.
struct LoopCase {
  const System& system;
  Mechanism mechanism;
  Constraints constraints;
  State state;
  Forces<double> forces;

  explicit LoopCase(const System& s)
      : system(s), mechanism(s), constraints(make_constraints(mechanism)), state(s.initial), forces(s) {}
  LoopCase(const LoopCase&) = delete;
  LoopCase& operator=(const LoopCase&) = delete;

  /// Rows at speeds u and their derivatives, or none.
  [[nodiscard]] std::vector<ConstraintRow<double>> rows(const Eigen::VectorXd& u, const double* udot = nullptr) const {
    Kinematics<double> kinematics(mechanism);
    const std::vector<double> zero(mechanism.nu, 0.0);
    outward<double, true>(mechanism, state.q.data(), u.data(), udot == nullptr ? zero.data() : udot, kinematics);
    std::vector<ConstraintRow<double>> list(constraints.rows());
    evaluate(constraints, mechanism, kinematics, state.q.data(), u.data(), udot, forces.equals.data(), list.data());
    return list;
  }

  [[nodiscard]] bool is_free(Eigen::Index speed) const { return forces.free[static_cast<std::size_t>(speed)]; }

  /// Derivatives of the rows by the speeds; columns of given speeds are zero where only free ones are asked for.
  [[nodiscard]] Eigen::MatrixXd jacobian(bool free_only = true) const {
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(constraints.rows()), state.u.size());
    const auto at_rest = rows(Eigen::VectorXd::Zero(state.u.size()));
    for (Eigen::Index k = 0; k < J.cols(); ++k) {
      if (free_only && !is_free(k)) continue;
      const auto list = rows(Eigen::VectorXd::Unit(state.u.size(), k));
      for (std::size_t r = 0; r < list.size(); ++r) J(static_cast<Eigen::Index>(r), k) = list[r].rate - at_rest[r].rate;
    }
    return J;
  }

  /// Changes the free speeds as little as makes the rates of all rows zero. The largest rate that is left.
  double make_speeds_consistent() {
    if (constraints.rows() == 0 || state.u.size() == 0) return 0;
    const Eigen::MatrixXd J = jacobian();
    const auto rates = [&] {
      Eigen::VectorXd rate(J.rows());
      const auto list = rows(state.u);
      for (Eigen::Index r = 0; r < rate.size(); ++r) rate[r] = list[static_cast<std::size_t>(r)].rate;
      return rate;
    };
    for (int pass = 0; pass < 2; ++pass) state.u -= least_norm_solution(J, rates(), 1e-7);
    return rates().cwiseAbs().maxCoeff();
  }

  /// Can free accelerations make the second derivatives of all rows zero, whatever is given?
  [[nodiscard]] bool is_possible() const {
    Eigen::VectorXd given(state.u.size()), known(static_cast<Eigen::Index>(constraints.rows()));
    for (Eigen::Index k = 0; k < given.size(); ++k)
      given[k] = is_free(k) ? 0 : forces.udot[static_cast<std::size_t>(k)];
    const auto list = rows(state.u, given.data());
    for (Eigen::Index r = 0; r < known.size(); ++r) known[r] = list[static_cast<std::size_t>(r)].acceleration;
    const Eigen::MatrixXd J = jacobian();
    const Eigen::VectorXd missed = known - J * least_norm_solution(J, known, 1e-7);
    return missed.cwiseAbs().maxCoeff() < 1e-8 * (1 + known.cwiseAbs().maxCoeff());
  }

  /// Of a formulation with kinematics of its own, by its constants and workspace.
  template <class Constants, class Data>
  Eigen::VectorXd accelerations(const Constants& constants, Data& data) const {
    Eigen::VectorXd udot(state.u.size());
    gyrostat::accelerations(constants, state.q.data(), state.u.data(), forces, data, udot.data());
    return udot;
  }
  [[nodiscard]] Eigen::VectorXd absolute() const {
    const Absolute constants(system, DynamicsSettings(system));
    AbsoluteData data(constants);
    return accelerations(constants, data);
  }
  [[nodiscard]] Eigen::VectorXd mixed() const {
    const Mixed constants(system, DynamicsSettings(system));
    MixedData data(constants);
    return accelerations(constants, data);
  }

  /// The largest second derivative of a row at these accelerations, and of its size.
  [[nodiscard]] double row_error(const Eigen::VectorXd& udot) const {
    double worst = 0;
    for (const auto& row : rows(state.u, udot.data())) worst = std::max(worst, std::abs(row.acceleration));
    return worst;
  }

  /// What is left of the forces that are missing for these accelerations, M udot + bias - tau, when the best J^T lambda
  /// is taken from them: nothing, because constraint forces do no work in any motion that the constraints allow.
  [[nodiscard]] double force_error(const Eigen::VectorXd& udot) const {
    InverseDynamics<double> workspace(mechanism);
    Eigen::VectorXd missing(state.u.size());
    inverse_dynamics(mechanism, state.q.data(), state.u.data(), udot.data(), forces, workspace, missing.data());
    for (Eigen::Index k = 0; k < missing.size(); ++k) {
      missing[k] = is_free(k) ? missing[k] - forces.tau[static_cast<std::size_t>(k)] : 0;
    }
    if (constraints.rows() == 0) return missing.cwiseAbs().maxCoeff();
    const Eigen::MatrixXd Jt = jacobian().transpose();
    return Eigen::VectorXd(missing - Jt * least_norm_solution(Jt, missing, 1e-7)).cwiseAbs().maxCoeff();
  }

  /// Singular values between noise and what is clearly there: the rank is a matter of taste.
  [[nodiscard]] bool has_clear_rank(double least = 1e-4) const {
    if (constraints.rows() == 0 || state.u.size() == 0) return true;
    const Eigen::VectorXd values = jacobian().jacobiSvd().singularValues();
    return ((values.array() > 1e-10) && (values.array() < least)).count() == 0;
  }
};

/// The weight of every body, at its mass centre.
inline void weigh(LoopCase& c, const Vector3& gravity) {
  const std::vector<Pose> X = body_poses(c.system, c.state.q);
  for (std::size_t i = 1; i < X.size(); ++i) {
    const MassProperties& body = c.system.bodies[i].mass_properties;
    const Vector3 force = body.mass * gravity, lever = X[i].R * (body.com - base_point(c.system.joints[i]));
    c.forces.wrench[i] = {cast<double>(Vector3(lever.cross(force))), cast<double>(force)};
  }
}

/// Absolute and mixed coordinates give the same.
inline void expect_both(const LoopCase& c, const Eigen::VectorXd& expected, double tolerance) {
  const double scale = 1 + expected.cwiseAbs().maxCoeff();
  const Eigen::VectorXd absolute = c.absolute(), mixed = c.mixed();
  EXPECT_LT((absolute - expected).cwiseAbs().maxCoeff(), tolerance * scale)
      << absolute.transpose() << " instead of " << expected.transpose();
  EXPECT_LT((mixed - expected).cwiseAbs().maxCoeff(), tolerance * scale)
      << mixed.transpose() << " instead of " << expected.transpose();
}

}  // namespace gyrostat::testing
