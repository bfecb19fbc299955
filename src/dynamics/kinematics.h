// The outward pass that the recursions share: where every body is, how it turns, and the accelerations it would have if
// the speeds' derivatives were those given (none: the bias accelerations). Numbers in comments are the equations of
// docs/theory/kinematics.md.
#pragma once

#include <algorithm>
#include <span>

#include "gyrostat/dynamics/mechanism.h"
#include "gyrostat/dynamics/processor.h"
#include "gyrostat/math/sincos.h"

namespace gyrostat {

/// The bodies first .. last - 1.
struct BodyRange {
  std::uint32_t first = 1, last = 1;
};

/// All of them but the world.
template <class C>
BodyRange all_bodies(const MechanismOf<C>& mechanism) {
  return {1, static_cast<std::uint32_t>(mechanism.links.size())};
}

/// Motion of a body, world axes. M is its frame in the Mechanism, with the origin at its base point.
template <class T>
struct BodyMotion {
  Mat3<T> R_NM;
  Vec3<T> r;      // base point from the parent's base point [m]
  Vec3<T> w;      // angular velocity [rad/s]
  Vec3<T> alpha;  // angular acceleration [rad/s^2]
  Mat3<T> W;      // [alpha]x + [w]x[w]x: the acceleration of a point at x from the base point is a + W x [1/s^2]
  Vec3<T> a;      // acceleration of the base point [m/s^2]
};

/// A spatial motion vector of a body at its base point, world axes: a column of a motion subspace (velocities for a
/// unit speed), or an acceleration.
template <class T>
struct Twist {
  Vec3<T> w, v;  // angular; of the base point
};

/// A node of a flexible body relative to the body's frame, in its axes M.
template <class T>
struct NodeMotion {
  Mat3<T> R;          // from the node's axes
  Vec3<T> r;          // from the base point [m]
  Twist<T> velocity;  // of the node
  Twist<T> bias;      // its acceleration while the modal rates keep their values
};

/// A flexible body at an instant, about its base point, world axes. Momenta are per unit of velocity.
template <class T>
struct Deformation {
  Sym3<T> J;           // [kg m^2]
  Sym3<T> J_rate;      // in axes M [kg m^2/s]
  Vec3<T> mc;          // [kg m]
  Wrench<T> momentum;  // of the modal rates: angular, linear
  Wrench<T> bias;      // the wrench that the velocities need
};

/// A mode of a flexible body at an instant.
template <class T>
struct ModalMotion {
  Wrench<T> C;      // what a unit acceleration of the mode needs at the base point, world axes
  Sym3<T> J;        // how the inertia changes with the mode, axes M
  Vec3<T> turning;  // the modal force per angular velocity, axes M
  T bias{};         // the modal force that the velocities need
};

template <class T>
struct Kinematics {
  std::vector<BodyMotion<T>> bodies;
  std::vector<Twist<T>> S;        // from a link's `S` on: motion-subspace columns; not of revolute and prismatic joints
  std::vector<SinCos<T>> angles;  // by body, of revolute joints
  std::vector<Deformation<T>> deformations;  // of flexible bodies
  std::vector<ModalMotion<T>> modes;         // of all flexible bodies, from their `modal` on
  std::vector<NodeMotion<T>> nodes;          // of all flexible bodies
  std::vector<T> sums;                       // room for those over pairs of modes, of one body

  template <class C>
  explicit Kinematics(const MechanismOf<C>& mechanism)
      : bodies(mechanism.links.size()),
        S(mechanism.columns),
        angles(mechanism.links.size()),
        deformations(mechanism.flexible.size()),
        modes(mechanism.modes),
        nodes(mechanism.modal_nodes.size()) {
    bodies[0].R_NM = cast<T>(Matrix3(Matrix3::Identity()));
    std::size_t most = 0;
    for (const FlexibleStructure& body : mechanism.flexible) most = std::max<std::size_t>(most, body.modes);
    sums.resize(2 * ModalRow{most}.size());
  }
};

}  // namespace gyrostat

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// The motion-subspace columns of a link's joint: those the kinematics holds, or the one made of its z, in `only`.
template <class T>
GYROSTAT_INLINE const Twist<T>* subspace_of(const LinkStructure& link, const Kinematics<T>& kinematics,
                                            const BodyMotion<T>& body, Twist<T>& only) {
  if (link.motion == JointMotion::revolute) {
    only = {body.R_NM.z, {}};
  } else if (link.motion == JointMotion::prismatic) {
    only = {{}, body.R_NM.z};
  } else {
    return kinematics.S.data() + link.S;
  }
  return &only;
}

/// [alpha]x + [w]x[w]x
template <class T>
GYROSTAT_INLINE Mat3<T> acceleration_gradient(const Vec3<T>& alpha, const Vec3<T>& w) {
  const T xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z, xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return {{-yy - zz, xy + alpha.z, xz - alpha.y},
          {xy - alpha.z, -xx - zz, yz + alpha.x},
          {xz + alpha.y, yz - alpha.x, -xx - yy}};
}

/// The revolute joints inboard of some bodies: where they begin and end among all.
struct RevoluteRange {
  std::size_t first = 0, last;

  template <class C>
  GYROSTAT_INLINE RevoluteRange(const MechanismOf<C>& mechanism, const BodyRange& bodies)
      : last(mechanism.revolute.size()) {
    while (first < last && mechanism.revolute[first] < bodies.first) ++first;
    while (last > first && mechanism.revolute[last - 1] >= bodies.last) --last;
  }
};

/// Sines and cosines of the angles of revolute joints.
template <class T, class C>
GYROSTAT_INLINE void find_angles(const MechanismOf<C>& mechanism, const BodyRange& range, const T* q,
                                 SinCos<T>* angles) {
  const RevoluteRange some(mechanism, range);
  for (std::size_t k = some.first; k < some.last; ++k) {
    const std::uint32_t i = mechanism.revolute[k];
    angles[i] = sincos(q[mechanism.links[i].q]);
  }
}

/// As many at a time as a register holds: the same arithmetic as one by one.
template <class C>
GYROSTAT_INLINE void find_angles(const MechanismOf<C>& mechanism, const BodyRange& range, const double* q,
                                 SinCos<double>* angles) {
  const std::uint32_t* bodies = mechanism.revolute.data();
  const RevoluteRange some(mechanism, range);
  const std::size_t count = some.last;
  std::size_t k = some.first;
  for (; k + native_lanes <= count; k += native_lanes) {
    Pack<native_lanes> angle;
    for (std::size_t j = 0; j < native_lanes; ++j) angle[j] = q[mechanism.links[bodies[k + j]].q];
    const SinCos<Pack<native_lanes>> y = sincos(angle);
    for (std::size_t j = 0; j < native_lanes; ++j) angles[bodies[k + j]] = {y.sin[j], y.cos[j]};
  }
  for (; k < count; ++k) angles[bodies[k]] = sincos(q[mechanism.links[bodies[k]].q]);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
