#include "gyrostat/constraints/multipliers.h"

#include <cmath>

#include "gyrostat/dynamics/constraint_jacobian.h"
#include "gyrostat/math/least_norm.h"

namespace gyrostat {

namespace {

/// A row whose multiplier is determined but for this part.
constexpr double undetermined = 1e-9;

/// A change of unit size of the multipliers changes a force if it does by more than this.
constexpr double changed = 1e-7;

/// What of each row's multiplier is determined: the projector onto the range of J, of the speeds that are free. Zero
/// where nothing that is free moves the constraints, and J is rounding.
Eigen::MatrixXd determined_part(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                                const std::vector<Truth>& free, const Closures<double>& closures) {
  constexpr double dependent = 1e-9;
  const auto m = static_cast<Eigen::Index>(closures.multipliers.size());
  if (closures.plan->kept.empty()) return Eigen::MatrixXd::Zero(m, m);
  std::vector<std::uint32_t> all(closures.multipliers.size());
  for (std::uint32_t r = 0; r < all.size(); ++r) all[r] = r;
  Eigen::MatrixXd J(m, static_cast<Eigen::Index>(mechanism.nu));
  find_jacobian(mechanism, kinematics, *closures.structure, closures.values, all, J);
  for (Eigen::Index k = 0; k < J.cols(); ++k) {
    if (!free[static_cast<std::size_t>(k)]) J.col(k).setZero();
  }
  return least_norm_solution(J.transpose(), J.transpose(), dependent);
}

bool is_determined(const Eigen::MatrixXd& part, Eigen::Index row) { return part(row, row) > 1 - undetermined; }

std::array<double, 6> components_of(const Reaction& r) {
  return {r.force.x(), r.force.y(), r.force.z(), r.torque.x(), r.torque.y(), r.torque.z()};
}

}  // namespace

Multipliers unique_or_least(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                            const std::vector<Truth>& free, const Closures<double>& closures) {
  Multipliers result{closures.multipliers, std::vector<bool>(closures.multipliers.size(), true)};
  if (closures.plan->kept.size() == closures.multipliers.size()) return result;
  const Eigen::MatrixXd part = determined_part(mechanism, kinematics, free, closures);
  const Eigen::Map<const Eigen::VectorXd> found(closures.multipliers.data(), part.rows());
  const Eigen::VectorXd least = part * found;
  for (Eigen::Index r = 0; r < part.rows(); ++r) {
    result.values[static_cast<std::size_t>(r)] = least[r];
    result.unique[static_cast<std::size_t>(r)] = is_determined(part, r);
  }
  return result;
}

IndeterminateForces find_indeterminate(const Mechanism& mechanism, const Constraints& constraints,
                                       const Kinematics<double>& kinematics, const double* q,
                                       const std::vector<Truth>& free, const Closures<double>& closures) {
  const std::size_t count = mechanism.system->constraints.size();
  IndeterminateForces result{std::vector<IndeterminateForces::Components>(mechanism.links.size()),
                             std::vector<IndeterminateForces::Components>(count), std::vector<bool>(mechanism.nu)};
  if (closures.plan->kept.size() == closures.multipliers.size()) return result;
  const Eigen::MatrixXd part = determined_part(mechanism, kinematics, free, closures);
  const std::vector<double> at_rest(mechanism.nu, 0.0);
  // Nothing else acts, and nothing moves: without them there are no reactions.
  const auto reactions_to = [&](const std::vector<double>& multipliers) {
    Forces<double> forces(*mechanism.system);
    forces.free = free;
    add_forces(closures, multipliers, forces);
    Reactions reactions(mechanism);
    find_reactions(mechanism, q, at_rest.data(), at_rest.data(), forces, reactions);
    return reactions;
  };
  for (Eigen::Index r = 0; r < part.rows(); ++r) {
    if (is_determined(part, r)) continue;
    const Eigen::VectorXd direction =
        (Eigen::VectorXd::Unit(part.rows(), r) - part.col(r)).normalized();  // orthogonal to the range of J
    const std::vector<double> idle(direction.begin(), direction.end());      // exerts nothing on what is free
    const Reactions with = reactions_to(idle);
    for (std::size_t i = 1; i < with.joints.size(); ++i) {
      const auto now = components_of(with.joints[i]);
      for (std::size_t k = 0; k < 6; ++k) {
        if (std::abs(now[k]) > changed) result.joints[i][k] = true;
      }
    }
    for (std::size_t k = 0; k < with.driving.size(); ++k) {
      if (std::abs(with.driving[k]) > changed) result.driving[k] = true;
    }
    auto cut = std::get<std::vector<CutJointConstraint<double>>>(constraints.kinds).begin();  // in the system's order
    for (std::size_t c = 0; c < count; ++c) {
      if (!std::holds_alternative<CutJoint>(mechanism.system->constraints[c].kind)) continue;
      const auto now = components_of(reaction_of(*cut++, mechanism, kinematics, closures, idle));
      for (std::size_t k = 0; k < 6; ++k) {
        if (std::abs(now[k]) > changed) result.cut_joints[c][k] = true;
      }
    }
  }
  return result;
}

Reaction reaction_of(const CutJointConstraint<double>& joint, const Mechanism& mechanism,
                     const Kinematics<double>& kinematics, const Closures<double>& closures,
                     const std::vector<double>& multipliers) {
  Wrench<double> on_child{};
  for (std::uint32_t r = joint.first_row; r < joint.first_row + joint.rows(); ++r) {
    on_child.torque += multipliers[r] * closures.values.rows[r].on_bodies[1].torque;
    on_child.force += multipliers[r] * closures.values.rows[r].on_bodies[1].force;
  }
  const std::uint32_t child = joint.nodes.b.body;
  const Mat3<double>& R_NM = kinematics.bodies[child].R_NM;
  const Vec3<double> lever = R_NM * joint.nodes.b.lever;
  const Matrix3 R_NC = to_eigen(R_NM) * to_eigen(mechanism.bodies[child].R_BM).transpose();
  const Vector3 force = to_eigen(on_child.force), torque = to_eigen(on_child.torque - cross(lever, on_child.force));
  return {R_NC.transpose() * force, R_NC.transpose() * torque};
}

}  // namespace gyrostat
