// The motion of a system at an instant, as force elements and sensors see it. Over any scalar T, with constants of type
// C.
#pragma once

#include <span>

#include "gyrostat/dynamics/conserved.h"
#include "gyrostat/dynamics/nodes.h"
#include "gyrostat/forces/observable.h"

namespace gyrostat {

using expression::Slot;

/// Values of signals and expressions, by slot.
template <class T>
struct Values {
  const T* slots = nullptr;

  const T& operator[](Slot slot) const { return slots[slot]; }
  [[nodiscard]] T or_zero(Slot slot) const { return slot == no_slot ? T(0.0) : slots[slot]; }
  [[nodiscard]] Vec3<T> vector(const std::array<Slot, 3>& at) const {
    return {or_zero(at[0]), or_zero(at[1]), or_zero(at[2])};
  }
};

template <class T, class C>
struct Instant {
  const MechanismOf<C>& mechanism;
  const NodeOf<C>* nodes;
  const T* q;
  const T* u;
  const Kinematics<T>& kinematics;
  const std::vector<BasePoint<T>>& base_points;
  T t;  // [s]

  /// World axes, from the axes M of a body.
  [[nodiscard]] Vec3<T> from_M(std::uint32_t body, const Vec3<T>& v) const { return kinematics.bodies[body].R_NM * v; }
  /// World axes, from the body axes B.
  [[nodiscard]] Vec3<T> from_body(std::uint32_t body, const Vec3<T>& v) const {
    return from_M(body, transpose_times(cast<T>(mechanism.bodies[body].R_BM), v));
  }
  /// Body axes B, from world axes.
  [[nodiscard]] Vec3<T> in_body(std::uint32_t body, const Vec3<T>& v) const {
    return cast<T>(mechanism.bodies[body].R_BM) * transpose_times(kinematics.bodies[body].R_NM, v);
  }
  [[nodiscard]] Mat3<T> R_NB(std::uint32_t body) const {
    return kinematics.bodies[body].R_NM * cast<T>(transposed(mechanism.bodies[body].R_BM));
  }
  [[nodiscard]] const Vec3<T>& angular_velocity(std::uint32_t body) const { return kinematics.bodies[body].w; }

  /// From the base point of a node's body to the node, world axes [m].
  [[nodiscard]] Vec3<T> lever(std::uint32_t node) const { return from_M(nodes[node].body, cast<T>(nodes[node].p)); }
  [[nodiscard]] Vec3<T> position(std::uint32_t node) const { return base_points[nodes[node].body].p + lever(node); }
  [[nodiscard]] Vec3<T> velocity(std::uint32_t node) const {
    const std::uint32_t body = nodes[node].body;
    return base_points[body].v + cross(angular_velocity(body), lever(node));
  }
};

/// A force at a node, world axes.
template <class T, class C>
void apply_force(const Instant<T, C>& instant, std::uint32_t node, const Vec3<T>& force, Forces<T>& forces) {
  Wrench<T>& wrench = forces.wrench[instant.nodes[node].body];
  wrench.force += force;
  wrench.torque += cross(instant.lever(node), force);
}

/// From the world's origin [m].
template <class T, class C>
Vec3<T> mass_centre(const Instant<T, C>& instant) {
  const Vec3<T> first = instant.base_points.size() > 1 ? instant.base_points[1].p : Vec3<T>{};
  Vec3<T> moment{};
  T mass(0.0);
  for (std::uint32_t i = 1; i < instant.mechanism.links.size(); ++i) {
    const LinkOf<C>& link = instant.mechanism.links[i];
    moment += instant.from_M(i, cast<T>(link.mc)) + T(link.mass) * (instant.base_points[i].p - first);
    mass = mass + T(link.mass);
  }
  return first + select(mass > 0.0, T(1.0) / mass, T(0.0)) * moment;
}

}  // namespace gyrostat
