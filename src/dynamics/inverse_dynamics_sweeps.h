// The sweeps of inverse dynamics over any scalar.
#pragma once

#include "gyrostat/dynamics/flexible_sweeps.h"
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

/// What a flexible body needs beyond what its nodes transmit, and its modal forces.
template <class T, class C>
GYROSTAT_APART void need_of_modes(const FlexibleOf<C>& f, std::uint32_t number, const Kinematics<T>& kinematics,
                                  const Vec3<T>& alpha, const Vec3<T>& a, const T* udot, Wrench<T>& needed, T* tau) {
  needed += flexible_wrench(f, kinematics.deformations[number], alpha, a);
  for (std::uint32_t k = 0; k < f.modes; ++k) {
    const ModalMotion<T>& mode = kinematics.modes[f.modal + k];
    const T& rate = udot[f.u + k];
    needed.torque += rate * mode.C.torque;
    needed.force += rate * mode.C.force;
    tau[f.u + k] = tau[f.u + k] + mode.bias + dot(mode.C.torque, alpha) + dot(mode.C.force, a) + rate;
  }
}

/// Modal forces begin at zero: nodes and bodies add to them.
template <class T, class C>
GYROSTAT_INLINE void clear_modal_forces(const MechanismOf<C>& mechanism, T* tau) {
  for (const FlexibleOf<C>& f : mechanism.flexible) {
    for (std::uint32_t k = 0; k < f.modes; ++k) tau[f.u + k] = T(0.0);
  }
}

/// The forces along a joint's motion-subspace columns; of a node, its part of the modal forces.
template <class T>
GYROSTAT_INLINE void project_columns(const LinkStructure& link, const Kinematics<T>& kinematics,
                                     const Wrench<T>& needed, T* tau) {
  const Twist<T>* S = kinematics.S.data() + link.S;
  if (link.motion == JointMotion::modal) {
    for (std::size_t k = 0; k < link.nu; ++k) tau[link.u + k] = tau[link.u + k] + product(S[k], needed);
  } else {
    for (std::size_t k = 0; k < link.nu; ++k) tau[link.u + k] = product(S[k], needed);
  }
}

/// The inward sweep: what every joint transmits, for the accelerations that `kinematics` holds.
template <class T, class C>
GYROSTAT_INLINE void transmit(const MechanismOf<C>& mechanism, const Kinematics<T>& kinematics, const T* u,
                              const T* udot, const Forces<T>& forces, std::vector<Wrench<T>>& transmitted, T* tau) {
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  for (std::uint32_t i = 0; i < count; ++i) transmitted[i] = {};
  clear_modal_forces(mechanism, tau);
  for (std::uint32_t i = count - 1; i > 0; --i) {
    const LinkOf<C>& link = mechanism.links[i];
    const BodyMotion<T>& body = kinematics.bodies[i];
    Wrench<T> needed = required_wrench(link.mass, moments(link, body.R_NM), body.W, body.a);  // (2)
    if (link.special) [[unlikely]] {
      if (link.flexible != LinkStructure::none) {
        Wrench<T> sum = needed;  // a copy: `needed` itself stays in registers
        need_of_modes<T, C>(mechanism.flexible[link.flexible], link.flexible, kinematics, body.alpha, body.a, udot, sum,
                            tau);
        needed = sum;
      }
      need_of_wheels(mechanism, i, body, u, udot, needed, tau);
    }
    needed.torque += transmitted[i].torque - forces.wrench[i].torque;
    needed.force += transmitted[i].force - forces.wrench[i].force;
    transmitted[i] = needed;
    if (link.motion == JointMotion::revolute) {
      tau[link.u] = dot(body.R_NM.z, needed.torque);  // (4)
    } else if (link.motion == JointMotion::prismatic) {
      tau[link.u] = dot(body.R_NM.z, needed.force);
    } else {
      project_columns(link, kinematics, needed, tau);
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
