// The sweeps of inverse dynamics over any scalar.
#pragma once

#include "gyrostat/dynamics/inverse_dynamics.h"
#include "gyrostat/dynamics/outward.h"
#include "gyrostat/dynamics/processor.h"

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// What the wheels of body i add to the wrench it needs.       (5)
template <class T>
void need_of_wheels(const Mechanism& mechanism, std::uint32_t i, const BodyMotion<T>& body, const T* u, const T* udot,
                    Wrench<T>& needed, T* tau) {
  const bool gyroscopic = mechanism.links[i].gyroscopic;
  if (!gyroscopic) needed.torque -= gyroscopic_torque(mechanism, i, body);
  for (std::uint32_t k = mechanism.wheel_of[i]; k < mechanism.wheel_of[i + 1]; ++k) {
    const WheelLink& wheel = mechanism.wheels[k];
    const Vec3<T> b = body.R * cast<T>(wheel.axis);
    const T inertia(wheel.inertia);
    if (gyroscopic) needed.torque += cross(body.w, (inertia * u[wheel.u]) * b);
    needed.torque += (inertia * udot[wheel.u]) * b;
    tau[wheel.u] = inertia * (udot[wheel.u] + dot(b, body.alpha));
  }
}

/// The inward sweep: what every joint transmits, for the accelerations that `kinematics` holds.
template <class T>
[[gnu::always_inline]] inline void transmit(const Mechanism& mechanism, const Kinematics<T>& kinematics, const T* u,
                                            const T* udot, const Forces<T>& forces, std::vector<Wrench<T>>& through,
                                            T* tau) {
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  for (std::uint32_t i = 0; i < count; ++i) through[i] = {};
  for (std::uint32_t i = count - 1; i > 0; --i) {
    const Link& link = mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    Wrench<T> needed = required_wrench(T(link.mass), moments(link, body.R), body.W, body.a);  // (2)
    if (link.wheels || !link.gyroscopic) need_of_wheels(mechanism, i, body, u, udot, needed, tau);
    needed.torque += through[i].torque - forces.wrench[i].torque;
    needed.force += through[i].force - forces.wrench[i].force;
    through[i] = needed;
    if (link.subspace == Subspaces::turn) {
      tau[link.u] = dot(body.R.z, needed.torque);  // (4)
    } else {
      Column<T> only;
      const Column<T>* columns = columns_of(link, kinematics, body, only);
      for (std::size_t k = 0; k < link.nu; ++k) tau[link.u + k] = product(columns[k], needed);
    }
    through[link.parent] += moved(needed, body.r);  // (3)
  }
}

template <class T>
void inverse_dynamics_sweeps(const Mechanism& mechanism, const T* q, const T* u, const T* udot, const Forces<T>& forces,
                             InverseDynamics<T>& workspace, T* tau) {
  outward<T, true>(mechanism, q, u, udot, workspace.kinematics);
  transmit(mechanism, workspace.kinematics, u, udot, forces, workspace.through, tau);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
