// Rates of the coordinates: speeds, but for quaternions.
#pragma once

#include "gyrostat/dynamics/mechanism.h"

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
    // qdot = 1/2 q * (0, omega), omega in the child's axes
    const T* e = q + joint.q + (free ? 3 : 0);
    const T* w = u + joint.u;
    T* edot = qdot + joint.q + (free ? 3 : 0);
    const T half(0.5);
    edot[0] = -half * (e[1] * w[0] + e[2] * w[1] + e[3] * w[2]);
    edot[1] = half * (e[0] * w[0] + e[2] * w[2] - e[3] * w[1]);
    edot[2] = half * (e[0] * w[1] + e[3] * w[0] - e[1] * w[2]);
    edot[3] = half * (e[0] * w[2] + e[1] * w[1] - e[2] * w[0]);
  }
  for (const Wheel& wheel : system.wheels) qdot[wheel.q] = u[wheel.u];
}

}  // namespace gyrostat
