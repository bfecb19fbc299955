// How attitudes are integrated: as quaternions, or as direction cosines of which six are integrated and three computed.
// The state that the rest of the program sees has quaternions of unit length in both cases. Over any scalar.
#pragma once

#include "gyrostat/dynamics/coordinate_rates.h"
#include "gyrostat/math/quaternion.h"

namespace gyrostat {

enum class Attitude { quaternion, direction_cosines };

/// First and second column of R_PC: the third is their cross product.
template <class T>
struct TwoColumns {
  Vec3<T> x, y;
};

template <class T>
Vec3<T> unit(const Vec3<T>& v) {
  using std::sqrt;
  return (T(1.0) / sqrt(dot(v, v))) * v;
}

/// Of unit length and at right angles, as near as may be to those given.
template <class T>
TwoColumns<T> orthonormal(const TwoColumns<T>& c) {
  const Vec3<T> x = unit(c.x);
  return {x, unit(c.y - dot(x, c.y) * x)};
}

/// Of a quaternion.
template <class T>
T length_of(const T* q) {
  using std::sqrt;
  return sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
}

/// Rates of the two columns of a frame that turns with angular velocity w in its own axes.
template <class T>
TwoColumns<T> column_rates(const TwoColumns<T>& c, const T* w) {
  const Vec3<T> z = cross(c.x, c.y);
  return {w[2] * c.y - w[1] * z, w[0] * z - w[2] * c.x};
}

}  // namespace gyrostat
