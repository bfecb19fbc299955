#include <Eigen/Cholesky>

#include "gyrostat/dynamics/absolute.h"

namespace gyrostat {

namespace {

/// A combination of multipliers changes a reaction if it does by more than this, for changes of unit size.
constexpr double changed = 1e-7;

/// Wrenches on the children of joints and of closures at their coms, h's axes, for a list of multipliers.
struct Wrenches {
  std::vector<Vector6> joints, closures;
};

Wrenches exerted(const Absolute& constants, const AbsoluteData& data, const Eigen::VectorXd& lambda) {
  Wrenches sum{std::vector<Vector6>(constants.model.bodies.size(), Vector6::Zero()),
               std::vector<Vector6>(constants.constraints.closures.size(), Vector6::Zero())};
  std::size_t closure = 0;
  for (std::uint32_t e = 0; e < data.plan.equations.size(); ++e) {
    const AbsoluteEquation& equation = data.plan.equations[e];
    for (std::uint32_t p = equation.first; p < equation.end; ++p) {
      const AbsolutePart& part = data.plan.parts[p];
      if (part.of_wheel) continue;
      const Vector6 wrench = lambda[e] * part.coefficient * data.rows[part.number].on[1];
      if (part.number < constants.joint_rows()) {
        sum.joints[part.number / 6] += wrench;
        continue;
      }
      const auto& closures = constants.constraints.closures;
      const std::uint32_t row = part.number - constants.joint_rows();
      while (closure + 1 < closures.size() && closures[closure + 1].first_row <= row) ++closure;
      sum.closures[closure] += wrench;
    }
  }
  return sum;
}

/// Combinations of multipliers that exert nothing: a column for each redundant equation.       (20)
Eigen::MatrixXd find_idle(const Absolute& constants, const AbsoluteData& data) {
  const AbsolutePlan& plan = data.plan;
  const auto count = static_cast<Eigen::Index>(plan.equations.size());
  Eigen::MatrixXd idle(count, static_cast<Eigen::Index>(data.rank.kept.size() - data.rank.kept_count));
  Eigen::VectorXd d(plan.coordinates), column(count);
  const Eigen::VectorXd zero = Eigen::VectorXd::Zero(count);
  Eigen::Index k = 0;
  for (std::uint32_t e = plan.first_constraint; e < plan.equations.size(); ++e) {
    if (data.is_kept(plan.equations[e], e)) continue;
    find_equation(constants, data, e, d);
    divide_by_masses(constants, data, d);
    find_errors(data, zero, d, column);  // minus D M^-1 d
    plan.factors.solve(column.data());
    column[e] = 1;
    idle.col(k++) = column.normalized();
  }
  return idle;
}

/// Which reactions the idle combinations change.
void mark_unique(const Absolute& constants, const AbsoluteData& data, const Eigen::MatrixXd& idle,
                 AbsoluteReactions& reactions) {
  for (Eigen::Index k = 0; k < idle.cols(); ++k) {
    const Wrenches change = exerted(constants, data, idle.col(k));
    for (std::size_t i = 1; i < change.joints.size(); ++i) {
      if (change.joints[i].norm() > changed) reactions.joints[i].unique = false;
    }
    for (std::size_t c = 0; c < change.closures.size(); ++c) {
      if (change.closures[c].norm() > changed) {
        reactions.constraints[constants.constraints.closures[c].constraint].unique = false;
      }
    }
    for (std::size_t c = 0; c < constants.constraints.couplings.size(); ++c) {
      const std::uint32_t e =
          data.plan.first_constraint + constants.constraints.closure_rows + static_cast<std::uint32_t>(c);
      if (std::abs(idle(e, k)) > changed) {
        reactions.constraints[constants.constraints.couplings[c].constraint].unique = false;
      }
    }
  }
}

/// From the com to the joint point p_C, in C's axes.
void report(const Vector6& wrench, const AbsoluteMotion& C, const Vector3& p_C, AbsoluteReaction& reaction) {
  reaction.force = C.A.transpose() * wrench.head<3>();
  reaction.torque = wrench.tail<3>() - p_C.cross(reaction.force);
}

/// Multipliers in the order of the system's constraints.
void order_multipliers(const Absolute& constants, const AbsolutePlan& plan, const Eigen::VectorXd& lambda,
                       AbsoluteReactions& reactions) {
  const AbsoluteConstraints& all = constants.constraints;
  const std::size_t count = all.closures.size() + all.couplings.size();
  reactions.first.assign(count + 1, 0);
  for (const AbsoluteClosure& closure : all.closures) reactions.first[closure.constraint + 1] = closure.rows();
  for (const AbsoluteCoupling& coupling : all.couplings) reactions.first[coupling.constraint + 1] = 1;
  for (std::size_t k = 0; k < count; ++k) reactions.first[k + 1] += reactions.first[k];
  reactions.multipliers.assign(reactions.first[count], 0);
  std::uint32_t e = plan.first_constraint;
  for (const AbsoluteClosure& closure : all.closures) {
    for (std::uint32_t k = 0; k < closure.rows(); ++k) {
      reactions.multipliers[reactions.first[closure.constraint] + k] = lambda[e++];
    }
  }
  for (const AbsoluteCoupling& coupling : all.couplings) {
    reactions.multipliers[reactions.first[coupling.constraint]] = lambda[e++];
  }
}

}  // namespace

void find_reactions(const Absolute& constants, const Forces<double>& forces, const AbsoluteData& data,
                    AbsoluteReactions& reactions) {
  const AbsoluteModel& model = constants.model;
  const AbsoluteConstraints& constraints = constants.constraints;
  reactions.joints.assign(model.bodies.size(), {});
  reactions.constraints.assign(constraints.closures.size() + constraints.couplings.size(), {});
  Eigen::VectorXd lambda = data.lambda;
  if (data.rank.kept_count < data.rank.kept.size()) {
    const Eigen::MatrixXd idle = find_idle(constants, data);
    lambda -= idle * (idle.transpose() * idle).ldlt().solve(idle.transpose() * lambda);  // (20)
    mark_unique(constants, data, idle, reactions);
  }
  const Wrenches sum = exerted(constants, data, lambda);
  for (std::uint32_t i = 1; i < model.bodies.size(); ++i) {
    const AbsoluteJoint& joint = model.joints[i];
    Vector6 wrench = sum.joints[i];
    for (std::uint32_t k = 0; k < joint.speeds(); ++k) wrench += forces.tau[joint.u + k] * data.rows[6 * i + k].on[1];
    report(wrench, data.state.bodies[joint.C], joint.p_C, reactions.joints[i]);
  }
  for (std::size_t c = 0; c < constraints.closures.size(); ++c) {
    const AbsoluteJoint& joint = constraints.closures[c].joint;
    report(sum.closures[c], data.state.bodies[joint.C], joint.p_C,
           reactions.constraints[constraints.closures[c].constraint]);
  }
  order_multipliers(constants, data.plan, lambda, reactions);
  reactions.driving.assign(model.speeds, 0);
  for (std::uint32_t e = 0; e < data.plan.first_constraint; ++e) {
    const AbsoluteEquation& equation = data.plan.equations[e];
    if (equation.given == AbsoluteEquation::Given::speed) reactions.driving[equation.index] = lambda[e];
  }
}

}  // namespace gyrostat
