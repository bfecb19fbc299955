// The outward pass that the recursions share: where every body is, how it turns, and the accelerations it would have if
// the speeds' derivatives were those given (none: the bias accelerations). Numbers in comments are the equations of
// docs/theory/kinematics.md.
#pragma once

#include <span>

#include "gyrostat/dynamics/mechanism.h"
#include "gyrostat/dynamics/processor.h"
#include "gyrostat/math/sincos.h"

namespace gyrostat {

/// Motion of a body, world axes. Its base point is the origin of its frame in the Mechanism.
template <class T>
struct BodyMotion {
  Mat3<T> R;      // from the frame in the Mechanism
  Vec3<T> r;      // base point from the parent's base point [m]
  Vec3<T> w;      // angular velocity [rad/s]
  Vec3<T> alpha;  // angular acceleration [rad/s^2]
  Mat3<T> W;      // [alpha]x + [w]x[w]x: the acceleration of a point at x from the base point is a + W x [1/s^2]
  Vec3<T> a;      // acceleration of the base point [m/s^2]
};

/// Motion of the outboard body for a unit speed: angular velocity, and velocity of its base point.
template <class T>
struct Column {
  Vec3<T> w, v;
};

template <class T>
struct Kinematics {
  std::vector<BodyMotion<T>> bodies;
  std::vector<Column<T>> columns;  // by speed; of joints with Subspaces::columns and floating only
  std::vector<SinCos<T>> turned;   // by body, where the joint turns about z

  explicit Kinematics(const Mechanism& mechanism)
      : bodies(mechanism.links.size()), columns(mechanism.nu), turned(mechanism.links.size()) {
    bodies[0].R = cast<T>(Matrix3(Matrix3::Identity()));
  }
};

}  // namespace gyrostat

namespace gyrostat {
inline namespace GYROSTAT_PROCESSOR {

/// The columns of joint i: those the kinematics holds, or the one made of its z.
template <class T>
const Column<T>* columns_of(const Link& link, const Kinematics<T>& kinematics, const BodyMotion<T>& body,
                            Column<T>& only) {
  if (link.subspace == Subspaces::turn) {
    only = {body.R.z, {}};
  } else if (link.subspace == Subspaces::slide) {
    only = {{}, body.R.z};
  } else {
    return kinematics.columns.data() + link.u;
  }
  return &only;
}

/// [alpha]x + [w]x[w]x
template <class T>
Mat3<T> acceleration_gradient(const Vec3<T>& alpha, const Vec3<T>& w) {
  const T xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z, xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  return {{-yy - zz, xy + alpha.z, xz - alpha.y},
          {xy - alpha.z, -xx - zz, yz + alpha.x},
          {xz + alpha.y, yz - alpha.x, -xx - yy}};
}

/// Sines and cosines of all joints that turn about z.
template <class T>
void turn_joints(const Mechanism& mechanism, std::span<const T> q, std::vector<SinCos<T>>& turned) {
  for (const std::uint32_t i : mechanism.turning) turned[i] = sincos(q[mechanism.links[i].q]);
}

/// Eight at a time: the same arithmetic as one by one.
template <>
inline void turn_joints<double>(const Mechanism& mechanism, std::span<const double> q,
                                std::vector<SinCos<double>>& turned) {
  const std::vector<std::uint32_t>& bodies = mechanism.turning;
  std::size_t k = 0;
  for (; k + Pack::lanes <= bodies.size(); k += Pack::lanes) {
    Pack angle;
    for (std::size_t j = 0; j < Pack::lanes; ++j) angle[j] = q[mechanism.links[bodies[k + j]].q];
    const SinCos<Pack> y = sincos(angle);
    for (std::size_t j = 0; j < Pack::lanes; ++j) turned[bodies[k + j]] = {y.sin[j], y.cos[j]};
  }
  for (; k < bodies.size(); ++k) turned[bodies[k]] = sincos(q[mechanism.links[bodies[k]].q]);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
