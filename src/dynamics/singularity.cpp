#include "gyrostat/dynamics/singularity.h"

#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "gyrostat/dynamics/joint_motion.h"

namespace gyrostat {

std::optional<std::string> find_gimbal_lock(const Mechanism& mechanism, const double* q) {
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const Joint& joint = mechanism.system->joints[i];
    if (joint.rotations != 3 || joint.motion != Motion::free) continue;
    const JointPosition<double> x = joint_position(joint, q + joint.q);
    const double volume = dot(x.turn[0], cross(x.turn[1], x.turn[2]));
    if (std::abs(volume) >= locked_gimbal_volume) continue;
    const double angle = q[joint.q + x.first_turn + 1u];
    return fmt::format(
        "joint '{}' is at gimbal lock: at angle2 = {:.9g} deg its first and third axes lie in one plane with the "
        "second, "
        "and its rates do not determine the motion; use a spherical joint, or axes in another order",
        joint.name, angle * 180 / std::numbers::pi);
  }
  return std::nullopt;
}

std::optional<std::string> find_singularity(const Mechanism& mechanism, const double* q,
                                            const ArticulatedBody<double>& workspace, const double* udot) {
  if (auto lock = find_gimbal_lock(mechanism, q)) return lock;
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    const std::string& name = mechanism.system->joints[i].name;
    const bool eliminated = link.motion == Motion::free && link.subspace != Subspaces::floating;
    for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) {
      if (eliminated && !(workspace.columns[k].per_D > 0 && std::isfinite(workspace.columns[k].per_D))) {
        return fmt::format("joint '{}' can move at this configuration without moving any mass", name);
      }
      if (!std::isfinite(udot[k])) return fmt::format("the acceleration of joint '{}' is not finite", name);
    }
  }
  for (const Wheel& wheel : mechanism.system->wheels) {
    if (!std::isfinite(udot[wheel.u])) {
      return fmt::format("the acceleration of wheel '{}.{}' is not finite", mechanism.system->bodies[wheel.body].name,
                         wheel.name);
    }
  }
  return std::nullopt;
}

}  // namespace gyrostat
