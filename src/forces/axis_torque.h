// N-BOD's hinge torque: a sum of torques along a joint's rotation axes, wherever they point.
#pragma once

#include "gyrostat/dynamics/joint_motion.h"
#include "gyrostat/forces/element.h"

namespace gyrostat {

struct AxisTorqueStructure : ElementStructure {
  std::uint32_t joint = 0;
  std::array<Slot, 3> along = {no_slot, no_slot, no_slot};  // [N m]

  [[nodiscard]] auto tie() const { return std::tie(source, joint, along); }
};

template <class C>
struct AxisTorque : AxisTorqueStructure {
  using Structure = AxisTorqueStructure;

  static AxisTorque make(const JointDescription& description, std::uint32_t joint, ElementContext& context) {
    AxisTorque e;
    e.joint = joint;
    e.along = context.slots(description.axis_torque);
    return e;
  }

  template <class T>
  void apply(const Instant<T, C>& instant, const Values<T>& values, Forces<T>& forces) const {
    const JointOf<C>& j = instant.mechanism.joints[joint];
    const JointPosition<T> x = joint_position(j, instant.q + instant.mechanism.links[joint].q);
    const Vec3<T> torque = sum(j, x, values);
    for (std::size_t k = 0; k < j.rotations; ++k) {
      T& tau = forces.tau[instant.mechanism.links[joint].u + j.first_rotation + k];
      tau = tau + dot(x.rotation[k], torque);
    }
  }

  template <class T>
  [[nodiscard]] T power(const Instant<T, C>& instant, const Values<T>& values) const {
    const JointOf<C>& j = instant.mechanism.joints[joint];
    const JointPosition<T> x = joint_position(j, instant.q + instant.mechanism.links[joint].q);
    Vec3<T> w{};
    for (std::size_t k = 0; k < j.rotations; ++k) {
      w += instant.u[instant.mechanism.links[joint].u + j.first_rotation + k] * x.rotation[k];
    }
    return dot(sum(j, x, values), w);
  }

  template <class Visit>
  static void for_numbers(Visit, auto&...) {}

 private:
  template <class T>
  Vec3<T> sum(const JointOf<C>& j, const JointPosition<T>& x, const Values<T>& values) const {
    Vec3<T> torque{};
    for (std::size_t k = 0; k < j.rotations; ++k) torque += values.or_zero(along[k]) * x.rotation[k];
    return torque;
  }
};

}  // namespace gyrostat
