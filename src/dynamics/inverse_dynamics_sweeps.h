// The sweeps of inverse dynamics over any scalar.
#pragma once

#include "gyrostat/dynamics/inverse_dynamics.h"
#include "gyrostat/dynamics/outward.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// What the wheels of body i add to the wrench it needs.       (5)
template <class T, class C>
GYROSTAT_INLINE void need_of_wheels(const MechanismOf<C>& mechanism, std::uint32_t i, const BodyMotion<T>& body,
                                    const T* u, const T* udot, Wrench<T>& needed, T* tau) {
  const bool gyroscopic = mechanism.links[i].gyroscopic;
  if (!gyroscopic) needed.torque -= gyroscopic_torque(mechanism.bodies[i].J, body);
  for (std::uint32_t k = mechanism.wheel_of[i]; k < mechanism.wheel_of[i + 1]; ++k) {
    const WheelOf<C>& wheel = mechanism.wheels[k];
    const Vec3<T> b = body.R_NM * wheel.axis;
    const C& inertia = wheel.inertia;
    if (gyroscopic) needed.torque += cross(body.w, (inertia * u[wheel.u]) * b);
    needed.torque += (inertia * udot[wheel.u]) * b;
    tau[wheel.u] = inertia * (udot[wheel.u] + dot(b, body.alpha));
  }
}

/// The inward sweep: what every joint transmits, for the accelerations that `kinematics` holds.
template <class T, class C>
GYROSTAT_INLINE void transmit(const MechanismOf<C>& mechanism, const Kinematics<T>& kinematics, const T* u,
                              const T* udot, const Forces<T>& forces, std::vector<Wrench<T>>& transmitted, T* tau) {
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  for (std::uint32_t i = 0; i < count; ++i) transmitted[i] = {};
  for (std::uint32_t i = count - 1; i > 0; --i) {
    const LinkOf<C>& link = mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    Wrench<T> needed = required_wrench(link.mass, moments(link, body.R_NM), body.W, body.a);  // (2)
    if (link.wheels || !link.gyroscopic) [[unlikely]]
      need_of_wheels(mechanism, i, body, u, udot, needed, tau);
    needed.torque += transmitted[i].torque - forces.wrench[i].torque;
    needed.force += transmitted[i].force - forces.wrench[i].force;
    transmitted[i] = needed;
    if (link.motion == JointMotion::revolute) {
      tau[link.u] = dot(body.R_NM.z, needed.torque);  // (4)
    } else if (link.motion == JointMotion::prismatic) {
      tau[link.u] = dot(body.R_NM.z, needed.force);
    } else {
      for (std::size_t k = link.u; k < link.u + link.nu; ++k) tau[k] = product(kinematics.S[k], needed);
    }
    transmitted[link.parent] += moved(needed, body.r);  // (3)
  }
}

template <class T, class C>
GYROSTAT_INLINE void inverse_dynamics_sweeps(const MechanismOf<C>& mechanism, const T* q, const T* u, const T* udot,
                                             const Forces<T>& forces, InverseDynamics<T>& workspace, T* tau) {
  outward<T, true>(mechanism, q, u, udot, workspace.kinematics);
  transmit(mechanism, workspace.kinematics, u, udot, forces, workspace.transmitted, tau);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
