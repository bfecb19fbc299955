// A model whose equations are derived, at a random state with random forces.
#pragma once

#include <algorithm>
#include <memory>

#include <Eigen/LU>

#include "gyrostat/derive/equations.h"
#include "gyrostat/dynamics/nested_body.h"

#include "support/random_dynamics.h"

namespace gyrostat::testing {

/// Loads on every body and motors on every speed that is free, so that the equations have all their terms; what they
/// exert is chosen by `random_forces`.
inline Description with_loads(Description d) {
  for (const BodyDescription& body : d.bodies) {
    BodyLoad load;
    load.at.body = body.name;
    load.force.assign(3, expression::constant(1));
    load.torque.assign(3, expression::constant(1));
    d.loads.emplace_back(load);
  }
  for (JointDescription& joint : d.joints) {
    if (joint.locked || joint.prescribed.kind != Prescribed::Kind::none || is_loop_constraint(joint.type) || joint.cut)
      continue;
    joint.torque.assign(joint.speed.size(), expression::constant(1));
  }
  for (BodyDescription& body : d.bodies) {
    for (WheelDescription& wheel : body.wheels) {
      if (wheel.speed.empty()) wheel.torque = expression::constant(1);
    }
  }
  return d;
}

struct DeriveCase {
  RandomCase random;
  derive::Document document;

  static std::unique_ptr<DeriveCase> make(std::uint64_t seed, const RandomModelOptions& options = {}) {
    return from(load_description(with_loads(random_description(seed, options))), seed);
  }
  static std::unique_ptr<DeriveCase> from(Loaded loaded, std::uint64_t seed) {
    RandomCase random = RandomCase::from(std::move(loaded), seed);
    derive::Document document = derive::derive_equations(*random.loaded.model);
    silence(document, random);
    return std::unique_ptr<DeriveCase>(new DeriveCase{std::move(random), std::move(document), 1});
  }

  /// Nothing acts where the model has neither load nor spring nor motor.
  static void silence(const derive::Document& document, RandomCase& random) {
    const System& system = random.system();
    const auto is_there = [&](const derive::Symbol& symbol) {
      return std::ranges::find(document.definitions, symbol, &derive::Definition::symbol) != document.definitions.end();
    };
    for (const derive::Unknown& one : document.unknowns) {
      derive::Symbol tau = one.speed;
      tau.letter = tau.letter == "u" ? "tau" : tau.letter == "v" ? "f" : "tau_w";
      if (!is_there(tau)) random.forces.tau[one.index] = 0;
    }
    const std::vector<Pose> X_N = body_poses(system, random.state.q);
    for (std::uint32_t k = 1; k < system.bodies.size(); ++k) {
      Wrench<double>& wrench = random.forces.wrench[k];
      const derive::Index name{system.bodies[k].name, false};
      if (!is_there({"F", {name}})) wrench.force = {};
      if (is_there({"T", {name}})) continue;
      const Vector3 alpha = X_N[k].R * (system.bodies[k].mass_properties.com - base_point(system.joints[k]));
      wrench.torque = cast<double>(Vector3(alpha.cross(to_eigen(wrench.force))));
    }
  }

  [[nodiscard]] const System& system() const { return random.system(); }

  [[nodiscard]] Eigen::VectorXd nested() const {
    const NestedBody constants(system(), DynamicsSettings(*random.loaded.model));
    NestedBodyData workspace(constants);
    Eigen::VectorXd udot = Eigen::VectorXd::Zero(random.state.u.size());
    accelerations(constants, random.state.q.data(), random.state.u.data(), random.forces, workspace, udot.data());
    return udot;
  }

  [[nodiscard]] derive::Values values(const Eigen::VectorXd& udot) const {
    return derive::values_at(document, system(), random.state, udot, random.forces);
  }

  double condition = 1;  // of the matrix that `solved` solved with

  /// The accelerations that the reduced equations give: their left and right sides evaluated, and solved.
  [[nodiscard]] Eigen::VectorXd solved() {
    Eigen::VectorXd udot = Eigen::VectorXd::Zero(random.state.u.size());
    std::vector<const derive::Unknown*> unknown;
    for (const derive::Unknown& one : document.unknowns) {
      if (one.given) {
        udot[one.index] = random.forces.udot[one.index];
      } else {
        unknown.push_back(&one);
      }
    }
    std::vector<const derive::Equation*> rows;
    for (const derive::Equation& equation : document.equations) {
      if (equation.kind == derive::EquationKind::reduced) rows.push_back(&equation);
    }
    const auto n = static_cast<Eigen::Index>(unknown.size());
    EXPECT_EQ(rows.size(), unknown.size());
    if (rows.size() != unknown.size()) return udot;
    Eigen::MatrixXd A(n, n);
    Eigen::VectorXd b(n);
    const auto side = [&](derive::Evaluator& evaluate, const std::vector<derive::Term>& terms) {
      return evaluate(derive::total(terms, derive::Type::scalar)).scalar;
    };
    derive::Values given = values(udot);
    {
      derive::Evaluator evaluate(given);
      for (Eigen::Index r = 0; r < n; ++r) {
        const derive::Equation& row = *rows[static_cast<std::size_t>(r)];
        b[r] = side(evaluate, row.right) - side(evaluate, row.left);  // the left is linear in the unknowns
      }
    }
    for (Eigen::Index c = 0; c < n; ++c) {
      const derive::Symbol& speed = unknown[static_cast<std::size_t>(c)]->speed;
      given.given[speed][1].scalar = 1;
      derive::Evaluator evaluate(given);
      for (Eigen::Index r = 0; r < n; ++r) A(r, c) = side(evaluate, rows[static_cast<std::size_t>(r)]->left);
      given.given[speed][1].scalar = 0;
    }
    EXPECT_LT((A - A.transpose()).norm(), 1e-12 * (1 + A.norm()));
    condition = n == 0 ? 1 : 1 / A.fullPivLu().rcond();
    const Eigen::VectorXd x = n == 0 ? Eigen::VectorXd() : Eigen::VectorXd(A.fullPivLu().solve(b));
    for (Eigen::Index k = 0; k < n; ++k) udot[unknown[static_cast<std::size_t>(k)]->index] = x[k];
    return udot;
  }
};

}  // namespace gyrostat::testing
