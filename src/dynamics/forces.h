// What acts on a system at an instant, and which speeds are given instead of decided by the equations of motion: all
// that these need beside the state.
#pragma once

#include <vector>

#include "gyrostat/math/condition.h"
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

/// A value that a constraint gives to a function of the coordinates, and its derivatives by time.
template <class T>
struct GivenValue {
  T value{}, rate{}, acceleration{};  // [rad or m], per second and second squared
};

/// Entry k of `tau`, `udot` and `free` belongs to speed u[k]; entry i of `wrench` to body i.
///
/// Whether a speed is free or given is data: it may change from one evaluation to the next, and from lane to lane of a
/// pack. A locked joint is one whose accelerations are given as zero. The six speeds of a body that floats in the world
/// are free or given together: the first of them decides.
template <class T>
struct Forces {
  std::vector<T> tau;                 // forces conjugate to the speeds of joints and wheels [N m, N]
  std::vector<Wrench<T>> wrench;      // on each body: torque about its base point and force, world axes [N m, N]
  std::vector<T> udot;                // accelerations of the speeds that are given; those of free ones are not read
  std::vector<Condition<T>> free;     // the equations of motion decide the acceleration
  std::vector<GivenValue<T>> equals;  // of constraints, from their `first_equal` on

  /// No forces; free or given as the system's joints and wheels say, given accelerations zero, constraints as at t = 0.
  explicit Forces(const System& system)
      : tau(static_cast<std::size_t>(system.initial.u.size())),
        wrench(system.bodies.size()),
        udot(tau.size()),
        free(tau.size(), Condition<T>(true)) {
    for (std::size_t i = 1; i < system.joints.size(); ++i) {
      const Joint& joint = system.joints[i];
      set_free(joint.u, joint.nu, joint.motion == Motion::free);
    }
    for (const Wheel& wheel : system.wheels) set_free(wheel.u, 1, !wheel.speed_prescribed);
    for (const Constraint& constraint : system.constraints) {
      for (const double value : constraint.equals) equals.push_back({T(value), T(0.0), T(0.0)});
    }
  }

  /// The `count` speeds from number `first` on, in all lanes.
  void set_free(std::size_t first, std::size_t count, bool is_free) {
    for (std::size_t k = first; k < first + count; ++k) free[k] = Condition<T>(is_free);
  }
};

}  // namespace gyrostat
