// Vectors and matrices of three over any scalar: what the kernels that are templates on the scalar compute with. Named
// components, no loops, no storage tricks, so that a compiler keeps them in registers.
#pragma once

#include "gyrostat/math/rotation.h"

namespace gyrostat {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};
};

/// Columns. For a rotation R_AB they are B's axes in A.
template <class T>
struct Mat3 {
  Vec3<T> x, y, z;
};

/// A symmetric matrix.
template <class T>
struct Sym3 {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
};

// clang-format off
template <class T> Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
template <class T> Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
template <class T> Vec3<T> operator-(const Vec3<T>& a) { return {-a.x, -a.y, -a.z}; }
template <class T> Vec3<T> operator*(const T& s, const Vec3<T>& a) { return {s * a.x, s * a.y, s * a.z}; }
template <class T> Vec3<T>& operator+=(Vec3<T>& a, const Vec3<T>& b) { return a = a + b; }
template <class T> Vec3<T>& operator-=(Vec3<T>& a, const Vec3<T>& b) { return a = a - b; }
template <class T> T dot(const Vec3<T>& a, const Vec3<T>& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T> Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T> Mat3<T> operator+(const Mat3<T>& a, const Mat3<T>& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
template <class T> Mat3<T>& operator+=(Mat3<T>& a, const Mat3<T>& b) { return a = a + b; }
template <class T> Vec3<T> operator*(const Mat3<T>& m, const Vec3<T>& a) {
  return {m.x.x * a.x + m.y.x * a.y + m.z.x * a.z,
          m.x.y * a.x + m.y.y * a.y + m.z.y * a.z,
          m.x.z * a.x + m.y.z * a.y + m.z.z * a.z};
}
template <class T> Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) { return {a * b.x, a * b.y, a * b.z}; }
template <class T> Vec3<T> transpose_times(const Mat3<T>& m, const Vec3<T>& a) { return {dot(m.x, a), dot(m.y, a), dot(m.z, a)}; }

template <class T> Sym3<T> operator+(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class T> Sym3<T>& operator+=(Sym3<T>& a, const Sym3<T>& b) { return a = a + b; }
template <class T> Vec3<T> operator*(const Sym3<T>& m, const Vec3<T>& a) {
  return {m.xx * a.x + m.xy * a.y + m.xz * a.z,
          m.xy * a.x + m.yy * a.y + m.yz * a.z,
          m.xz * a.x + m.yz * a.y + m.zz * a.z};
}

/// The same numbers as constants of another scalar.
template <class T> Vec3<T> cast(const Vector3& a) { return {T(a.x()), T(a.y()), T(a.z())}; }
template <class T> Vec3<T> cast(const Vec3<double>& a) { return {T(a.x), T(a.y), T(a.z)}; }
template <class T> Mat3<T> cast(const Matrix3& m) { return {cast<T>(Vector3(m.col(0))), cast<T>(Vector3(m.col(1))), cast<T>(Vector3(m.col(2)))}; }
template <class T> Mat3<T> cast(const Mat3<double>& m) { return {cast<T>(m.x), cast<T>(m.y), cast<T>(m.z)}; }
template <class T> Sym3<T> cast(const Sym3<double>& m) { return {T(m.xx), T(m.yy), T(m.zz), T(m.xy), T(m.xz), T(m.yz)}; }
// clang-format on

inline Vector3 to_eigen(const Vec3<double>& a) { return {a.x, a.y, a.z}; }
inline Matrix3 to_eigen(const Mat3<double>& m) {
  Matrix3 e;
  e << to_eigen(m.x), to_eigen(m.y), to_eigen(m.z);
  return e;
}
inline Matrix3 to_eigen(const Sym3<double>& m) {
  Matrix3 e;
  e << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
  return e;
}
inline Sym3<double> symmetric(const Matrix3& m) { return {m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2)}; }

}  // namespace gyrostat
