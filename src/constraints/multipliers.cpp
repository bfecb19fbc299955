#include "gyrostat/constraints/multipliers.h"

#include "gyrostat/dynamics/constraint_jacobian.h"
#include "gyrostat/math/least_norm.h"

namespace gyrostat {

Multipliers unique_or_least(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                            const std::vector<Truth>& free, const Closures<double>& closures) {
  Multipliers result{closures.multipliers, std::vector<bool>(closures.multipliers.size(), true)};
  if (closures.plan->kept.size() == closures.multipliers.size()) return result;
  if (closures.plan->kept.empty()) {  // nothing that is free moves them: J is rounding
    result.unique.assign(result.unique.size(), false);
    return result;
  }
  constexpr double dependent = 1e-9;
  const auto m = static_cast<Eigen::Index>(closures.multipliers.size());
  std::vector<std::uint32_t> all(closures.multipliers.size());
  for (std::uint32_t r = 0; r < all.size(); ++r) all[r] = r;
  Eigen::MatrixXd J(m, static_cast<Eigen::Index>(mechanism.nu));
  find_jacobian(mechanism, kinematics, *closures.structure, closures.values, all, J);
  for (Eigen::Index k = 0; k < J.cols(); ++k) {
    if (!free[static_cast<std::size_t>(k)]) J.col(k).setZero();
  }
  const Eigen::Map<const Eigen::VectorXd> found(closures.multipliers.data(), m);
  // What of each row's multiplier is determined.
  const Eigen::MatrixXd onto_rows = least_norm_solution(J.transpose(), J.transpose(), dependent);
  const Eigen::VectorXd least = onto_rows * found;
  for (Eigen::Index r = 0; r < m; ++r) {
    result.values[static_cast<std::size_t>(r)] = least[r];
    result.unique[static_cast<std::size_t>(r)] = onto_rows(r, r) > 1 - 1e-9;
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
