// Rates of the coordinates: speeds, but for quaternions.
#pragma once

#include <algorithm>

#include "gyrostat/dynamics/mechanism.h"
#include "gyrostat/math/quaternion.h"

namespace gyrostat {

/// qdot of everything at coordinates q and speeds u.
template <class T>
void coordinate_rates(const System& system, const T* q, const T* u, T* qdot) {
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (!has_quaternion(joint.type)) {
      for (std::size_t k = 0; k < joint.nu; ++k) qdot[joint.q + k] = u[joint.u + k];
      continue;
    }
    const bool free = joint.type == JointType::free;
    for (std::size_t k = 0; free && k < 3; ++k) qdot[joint.q + k] = u[joint.u + 3 + k];
    const std::size_t first = joint.q + (free ? 3u : 0u);
    std::ranges::copy(quaternion_rates(q + first, u + joint.u), qdot + first);
  }
  for (const FlexibleBody& body : system.flexible) {
    for (std::size_t k = 0; k < body.data.modes(); ++k) qdot[body.q + k] = u[body.u + k];
  }
  for (const Wheel& wheel : system.wheels) qdot[wheel.q] = u[wheel.u];
}

}  // namespace gyrostat
