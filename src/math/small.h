// Vectors and matrices of three over any scalar: what the kernels that are templates on the scalar compute with. Named
// components, no loops, no storage tricks, so that a compiler keeps them in registers.
#pragma once

#include <type_traits>

#include "gyrostat/math/inline.h"
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

// Products take numbers of two types, so that constants of a recursion need not be made numbers of its scalar.
// clang-format off
template <class T> GYROSTAT_INLINE Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
template <class T> GYROSTAT_INLINE Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
template <class T> GYROSTAT_INLINE Vec3<T> operator-(const Vec3<T>& a) { return {-a.x, -a.y, -a.z}; }
template <class S, class T> GYROSTAT_INLINE auto operator*(const S& s, const Vec3<T>& a) -> Vec3<decltype(s * a.x)> { return {s * a.x, s * a.y, s * a.z}; }
template <class T> GYROSTAT_INLINE Vec3<T>& operator+=(Vec3<T>& a, const Vec3<T>& b) { return a = a + b; }
template <class T> GYROSTAT_INLINE Vec3<T>& operator-=(Vec3<T>& a, const Vec3<T>& b) { return a = a - b; }
template <class T> GYROSTAT_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T> GYROSTAT_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

template <class T> GYROSTAT_INLINE Mat3<T> operator+(const Mat3<T>& a, const Mat3<T>& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
template <class T> GYROSTAT_INLINE Mat3<T>& operator+=(Mat3<T>& a, const Mat3<T>& b) { return a = a + b; }
template <class A, class B> GYROSTAT_INLINE auto operator*(const Mat3<A>& m, const Vec3<B>& a) -> Vec3<decltype(m.x.x * a.x)> {
  return {m.x.x * a.x + m.y.x * a.y + m.z.x * a.z,
          m.x.y * a.x + m.y.y * a.y + m.z.y * a.z,
          m.x.z * a.x + m.y.z * a.y + m.z.z * a.z};
}
template <class A, class B> GYROSTAT_INLINE auto operator*(const Mat3<A>& a, const Mat3<B>& b) -> Mat3<decltype(a.x.x * b.x.x)> { return {a * b.x, a * b.y, a * b.z}; }
template <class T> GYROSTAT_INLINE Vec3<T> transpose_times(const Mat3<T>& m, const Vec3<T>& a) { return {dot(m.x, a), dot(m.y, a), dot(m.z, a)}; }

template <class T> GYROSTAT_INLINE Sym3<T> operator+(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class T> GYROSTAT_INLINE Sym3<T>& operator+=(Sym3<T>& a, const Sym3<T>& b) { return a = a + b; }
template <class T> GYROSTAT_INLINE Vec3<T> operator*(const Sym3<T>& m, const Vec3<T>& a) {
  return {m.xx * a.x + m.xy * a.y + m.xz * a.z,
          m.xy * a.x + m.yy * a.y + m.yz * a.z,
          m.xz * a.x + m.yz * a.y + m.zz * a.z};
}

template <class T> GYROSTAT_INLINE Mat3<T> transposed(const Mat3<T>& m) { return {{m.x.x, m.y.x, m.z.x}, {m.x.y, m.y.y, m.z.y}, {m.x.z, m.y.z, m.z.z}}; }

/// The same numbers in another scalar: a constant of it, or what they are if they are of that scalar already.
template <class T, class C> GYROSTAT_INLINE T cast(const C& a) requires std::is_constructible_v<T, C> { return T(a); }
template <class T, class C> GYROSTAT_INLINE Vec3<T> cast(const Vec3<C>& a) { return {T(a.x), T(a.y), T(a.z)}; }
template <class T, class C> GYROSTAT_INLINE Mat3<T> cast(const Mat3<C>& m) { return {cast<T>(m.x), cast<T>(m.y), cast<T>(m.z)}; }
template <class T, class C> GYROSTAT_INLINE Sym3<T> cast(const Sym3<C>& m) { return {T(m.xx), T(m.yy), T(m.zz), T(m.xy), T(m.xz), T(m.yz)}; }
template <class T> GYROSTAT_INLINE Vec3<T> cast(const Vector3& a) { return {T(a.x()), T(a.y()), T(a.z())}; }
template <class T> GYROSTAT_INLINE Mat3<T> cast(const Matrix3& m) {
  return {{T(m(0, 0)), T(m(1, 0)), T(m(2, 0))}, {T(m(0, 1)), T(m(1, 1)), T(m(2, 1))}, {T(m(0, 2)), T(m(1, 2)), T(m(2, 2))}};
}
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
