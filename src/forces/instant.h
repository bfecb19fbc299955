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

/// A body's mass and its moments about the base point, world axes.
template <class T>
struct BodyMass {
  T mass;         // [kg]
  Moments<T> at;  // [kg m], [kg m^2]
};

/// Of an inertia: the second moments.
template <class T>
Sym3<T> second_moments(const Sym3<T>& J) {
  const T half = T(0.5) * (J.xx + J.yy + J.zz);
  return {half - J.xx, half - J.yy, half - J.zz, T(0.0) - J.xy, T(0.0) - J.xz, T(0.0) - J.yz};
}

template <class T, class C>
BodyMass<T> mass_of(const Instant<T, C>& instant, std::uint32_t body) {
  const LinkOf<C>& link = instant.mechanism.links[body];
  if (link.flexible == LinkStructure::none) {
    return {T(link.mass), moments(link, instant.kinematics.bodies[body].R_NM)};
  }
  const Deformation<T>& d = instant.kinematics.deformations[link.flexible];
  return {T(instant.mechanism.flexible[link.flexible].mass), {d.mc, second_moments(d.J)}};
}

/// A mode of a flexible body as gravity sees it, world axes: what it adds to the first moment, and to the second
/// moments along the direction n and in all.
template <class T>
struct ModalMass {
  Vec3<T> mc;        // [kg m per unit of eta]
  T along_n, trace;  // [kg m^2 per unit of eta]
};

/// Calls `act` with the number of each modal speed of a body and its ModalMass.
template <class T, class C, class Act>
void for_modes(const Instant<T, C>& instant, std::uint32_t body, const Vec3<T>& n, Act act) {
  const LinkOf<C>& link = instant.mechanism.links[body];
  if (link.flexible == LinkStructure::none) return;
  const FlexibleOf<C>& f = instant.mechanism.flexible[link.flexible];
  const Vec3<T> n_M = transpose_times(instant.kinematics.bodies[body].R_NM, n);
  for (std::uint32_t a = 0; a < f.modes; ++a) {
    const ModalMotion<T>& mode = instant.kinematics.modes[f.modal + a];
    const Sym3<T> E = second_moments(mode.J);
    act(f.u + a, ModalMass<T>{mode.C.force, dot(n_M, E * n_M), E.xx + E.yy + E.zz});
  }
}

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
    const BodyMass<T> body = mass_of(instant, i);
    moment += body.at.mc + body.mass * (instant.base_points[i].p - first);
    mass = mass + body.mass;
  }
  return first + select(mass > 0.0, T(1.0) / mass, T(0.0)) * moment;
}

}  // namespace gyrostat
