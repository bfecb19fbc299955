// What acts on a system at an instant, and what it is made to do: all that the equations of motion need beside the
// state.
#pragma once

#include <vector>

#include "gyrostat/math/small.h"
#include "gyrostat/model/system.h"

namespace gyrostat {

template <class T>
struct Wrench {
  Vec3<T> torque, force;
};

/// The base point of body i is the point of its inboard joint that is fixed in the body: the joint's child_point, or
/// its parent_point where the joint is reversed. Forces on a body are taken to it.
inline const Vector3& base_point(const Joint& joint) { return joint.reversed ? joint.parent_point : joint.child_point; }

/// Entry k of `tau` and `udot` belongs to speed u[k]; entry i of `wrench` to body i.
template <class T>
struct Forces {
  std::vector<T> tau;             // forces conjugate to the speeds of joints and wheels [N m, N]
  std::vector<Wrench<T>> wrench;  // on each body: torque about its base point and force, world axes [N m, N]
  std::vector<T> udot;            // given accelerations of prescribed joints and wheels; the others are not read

  explicit Forces(const System& system)
      : tau(static_cast<std::size_t>(system.initial.u.size())), wrench(system.bodies.size()), udot(tau.size()) {}
};

}  // namespace gyrostat
