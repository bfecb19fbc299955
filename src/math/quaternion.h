// Quaternions over any scalar: w, x, y, z as in Quaternion.
#pragma once

#include <array>
#include <cmath>

#include "gyrostat/math/condition.h"
#include "gyrostat/math/small.h"

namespace gyrostat {

/// The quaternion of a rotation, with w >= 0: Shepperd's choice of the largest component, so that nothing cancels.
template <class T>
std::array<T, 4> quaternion_of(const Mat3<T>& R) {
  using std::sqrt;
  const T one(1.0), trace = R.x.x + R.y.y + R.z.z;
  const std::array<T, 4> squares = {one + trace, one + R.x.x + R.x.x - trace, one + R.y.y + R.y.y - trace,
                                    one + R.z.z + R.z.z - trace};  // 4 w^2, 4 x^2, ...
  const T wx = R.y.z - R.z.y, wy = R.z.x - R.x.z, wz = R.x.y - R.y.x;
  const T xy = R.y.x + R.x.y, xz = R.z.x + R.x.z, yz = R.z.y + R.y.z;
  const std::array<std::array<T, 4>, 4> products = {
      {{squares[0], wx, wy, wz}, {wx, squares[1], xy, xz}, {wy, xy, squares[2], yz}, {wz, xz, yz, squares[3]}}};
  T largest = squares[0];
  std::array<T, 4> q = products[0];
  for (std::size_t i = 1; i < 4; ++i) {
    const auto larger = squares[i] - largest > 0.0;
    largest = select(larger, squares[i], largest);
    for (std::size_t k = 0; k < 4; ++k) q[k] = select(larger, products[i][k], q[k]);
  }
  const T scale = select(q[0] < 0.0, T(-0.5), T(0.5)) / sqrt(largest);
  for (T& component : q) component = scale * component;
  return q;
}

/// Rates of a quaternion q_PC whose frame C turns with angular velocity w in its own axes: 1/2 q * (0, w).
template <class T>
std::array<T, 4> quaternion_rates(const T* q, const T* w) {
  const T half(0.5);
  return {-half * (q[1] * w[0] + q[2] * w[1] + q[3] * w[2]), half * (q[0] * w[0] + q[2] * w[2] - q[3] * w[1]),
          half * (q[0] * w[1] + q[3] * w[0] - q[1] * w[2]), half * (q[0] * w[2] + q[1] * w[1] - q[2] * w[0])};
}

}  // namespace gyrostat
