#include "gyrostat/dynamics/reactions.h"

#include "gyrostat/dynamics/joint_motion.h"

namespace gyrostat {

namespace {

/// From the joint point to the base point of the outboard body, world axes: where a joint is reversed and slides, they
/// are apart.
Vector3 base_from_joint_point(const JointOf<double>& joint, const double* q, const Matrix3& R_outboard) {
  if (!joint.reversed) return Vector3::Zero();
  return -(R_outboard * to_eigen(joint_position(joint, q).displacement));
}

}  // namespace

void find_reactions(const Mechanism& mechanism, const double* q, const double* u, const double* udot,
                    const Forces<double>& forces, Reactions& reactions) {
  inverse_dynamics(mechanism, q, u, udot, forces, reactions.workspace, reactions.driving.data());
  const Kinematics<double>& kinematics = reactions.workspace.kinematics;
  const auto user_axes = [&](std::uint32_t i) {
    return Matrix3(to_eigen(kinematics.bodies[i].R_NM) * to_eigen(mechanism.bodies[i].R_BM).transpose());
  };
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    const JointOf<double>& joint = mechanism.joints[i];
    const Wrench<double>& transmitted = reactions.workspace.transmitted[i];
    const Matrix3 R_outboard = user_axes(i);
    const Matrix3 R_NC = joint.reversed ? user_axes(link.parent) : R_outboard;
    const Vector3 lever = base_from_joint_point(joint, q + link.q, R_outboard);
    const double sign = joint.reversed ? -1 : 1;  // the outboard body is the user's child, or its parent
    const Vector3 force = to_eigen(transmitted.force), torque = to_eigen(transmitted.torque) + lever.cross(force);
    reactions.joints[i] = {sign * (R_NC.transpose() * force), sign * (R_NC.transpose() * torque)};  // (6)
  }
  for (std::size_t k = 0; k < mechanism.nu; ++k) {
    reactions.driving[k] = forces.free[k] ? 0 : reactions.driving[k] - forces.tau[k];  // (7)
  }
}

}  // namespace gyrostat
