// Forward-mode dual numbers: a value and its derivatives by N variables, carried through arithmetic exactly.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include "gyrostat/math/condition.h"
#include "gyrostat/math/table.h"
#include "gyrostat/math/vectors.h"

namespace gyrostat {

/// A table at a scalar.
inline double lookup(const Table& table, double x) { return table.at(x).value; }

/// The same on one of its segments, continued beyond its ends.
inline double lookup(const Table& table, double x, std::size_t segment) { return table.on(segment, x).value; }

template <std::size_t N>
struct Dual {
  double value = 0;
  std::array<double, N> d{};

  Dual() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): a number is a dual number
  GYROSTAT_INLINE Dual(double constant) : value(constant) {}

  /// The variable number `i`.
  static Dual variable(double at, std::size_t i) {
    Dual x(at);
    x.d[i] = 1;
    return x;
  }
};

/// Does a scalar carry derivatives?
template <class T>
inline constexpr bool has_derivatives = false;
template <std::size_t N>
inline constexpr bool has_derivatives<Dual<N>> = true;

/// y[i] = f(x[i]...), as many at a time as a register holds. Written without a loop, so that a compiler keeps duals in
/// registers.
template <std::size_t N, class Function, class... X>
GYROSTAT_INLINE void by_register(std::array<double, N>& y, Function f, const X&... x) {
  constexpr std::size_t width = N % GYROSTAT_LANES == 0 ? GYROSTAT_LANES : N % 2 == 0 ? 2 : 1;
  if constexpr (width == 1) {
    for (std::size_t i = 0; i < N; ++i) y[i] = f(x[i]...);
  } else {
    using Doubles = typename Vectors<width>::Doubles;
    const auto part = [&](std::size_t from) GYROSTAT_ALWAYS_INLINE {
      const auto load = [from](const std::array<double, N>& a) GYROSTAT_ALWAYS_INLINE {
        Doubles v;
        __builtin_memcpy(&v, a.data() + from, sizeof v);
        return v;
      };
      const Doubles result = f(load(x)...);
      __builtin_memcpy(y.data() + from, &result, sizeof result);
    };
    [&]<std::size_t... k>(std::index_sequence<k...>) GYROSTAT_ALWAYS_INLINE { (part(k * width), ...); }
    (std::make_index_sequence<N / width>{});
  }
}

/// f(x) with f'(x) = slope: the chain rule.
template <std::size_t N>
GYROSTAT_INLINE Dual<N> chain(double value, double slope, const Dual<N>& x) {
  Dual<N> y(value);
  by_register(
      y.d, [slope](const auto& d) GYROSTAT_ALWAYS_INLINE { return slope * d; }, x.d);
  return y;
}

/// f(x, y) with partial derivatives fx, fy.
template <std::size_t N>
GYROSTAT_INLINE Dual<N> chain(double value, double fx, const Dual<N>& x, double fy, const Dual<N>& y) {
  Dual<N> z(value);
  by_register(
      z.d, [fx, fy](const auto& dx, const auto& dy) GYROSTAT_ALWAYS_INLINE { return fx * dx + fy * dy; }, x.d, y.d);
  return z;
}

/// The same where the slope may be infinite, as that of a root at zero: what does not vary does not, whatever the
/// slope.
template <std::size_t N>
GYROSTAT_INLINE Dual<N> chain_at_edge(double value, double slope, const Dual<N>& x) {
  Dual<N> y(value);
  by_register(
      y.d, [slope](const auto& d) GYROSTAT_ALWAYS_INLINE { return d == 0.0 ? 0.0 * d : slope * d; }, x.d);
  return y;
}

template <std::size_t N>
GYROSTAT_INLINE Dual<N> operator+(const Dual<N>& a, const Dual<N>& b) {
  return chain(a.value + b.value, 1, a, 1, b);
}

template <std::size_t N>
GYROSTAT_INLINE Dual<N> chain_at_edge(double value, double fx, const Dual<N>& x, double fy, const Dual<N>& y) {
  return chain_at_edge(value, fx, x) + chain_at_edge(-0.0, fy, y);  // with 0, a value of -0 would lose its sign
}

template <std::size_t N>
GYROSTAT_INLINE Dual<N> operator-(const Dual<N>& a, const Dual<N>& b) {
  return chain(a.value - b.value, 1, a, -1, b);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> operator-(const Dual<N>& a) {
  return chain(-a.value, -1, a);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> operator*(const Dual<N>& a, const Dual<N>& b) {
  return chain(a.value * b.value, b.value, a, a.value, b);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> operator/(const Dual<N>& a, const Dual<N>& b) {
  const double quotient = a.value / b.value;
  return chain_at_edge(quotient, 1 / b.value, a, -quotient / b.value, b);
}

// With numbers that do not vary.
// clang-format off
template <std::size_t N> GYROSTAT_INLINE Dual<N> operator+(Dual<N> a, double b) { a.value += b; return a; }
template <std::size_t N> GYROSTAT_INLINE Dual<N> operator+(double a, Dual<N> b) { b.value += a; return b; }
template <std::size_t N> GYROSTAT_INLINE Dual<N> operator-(Dual<N> a, double b) { a.value -= b; return a; }
template <std::size_t N> GYROSTAT_INLINE Dual<N> operator-(double a, const Dual<N>& b) { return chain(a - b.value, -1, b); }
template <std::size_t N> GYROSTAT_INLINE Dual<N> operator*(const Dual<N>& a, double b) { return chain(a.value * b, b, a); }
template <std::size_t N> GYROSTAT_INLINE Dual<N> operator*(double a, const Dual<N>& b) { return chain(a * b.value, a, b); }
template <std::size_t N> GYROSTAT_INLINE Dual<N> operator/(const Dual<N>& a, double b) { return chain_at_edge(a.value / b, 1 / b, a); }
// clang-format on

template <std::size_t N>
GYROSTAT_INLINE bool operator<(const Dual<N>& a, const Dual<N>& b) {
  return a.value < b.value;
}
template <std::size_t N>
GYROSTAT_INLINE bool operator<(const Dual<N>& a, double b) {
  return a.value < b;
}
template <std::size_t N>
GYROSTAT_INLINE bool operator>(const Dual<N>& a, double b) {
  return a.value > b;
}
template <std::size_t N>
GYROSTAT_INLINE bool operator>=(const Dual<N>& a, double b) {
  return a.value >= b;
}
template <std::size_t N>
GYROSTAT_INLINE bool operator==(const Dual<N>& a, double b) {
  return a.value == b;
}

template <std::size_t N>
GYROSTAT_INLINE Dual<N> select(bool condition, const Dual<N>& yes, const Dual<N>& no) {
  return condition ? yes : no;
}

template <std::size_t N>
GYROSTAT_INLINE Dual<N> sin(const Dual<N>& x) {
  return chain(std::sin(x.value), std::cos(x.value), x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> cos(const Dual<N>& x) {
  return chain(std::cos(x.value), -std::sin(x.value), x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> tan(const Dual<N>& x) {
  const double t = std::tan(x.value);
  return chain(t, 1 + t * t, x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> asin(const Dual<N>& x) {
  return chain_at_edge(std::asin(x.value), 1 / std::sqrt(1 - x.value * x.value), x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> acos(const Dual<N>& x) {
  return chain_at_edge(std::acos(x.value), -1 / std::sqrt(1 - x.value * x.value), x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> atan(const Dual<N>& x) {
  return chain(std::atan(x.value), 1 / (1 + x.value * x.value), x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> atan2(const Dual<N>& y, const Dual<N>& x) {
  const double r2 = x.value * x.value + y.value * y.value;
  return chain_at_edge(std::atan2(y.value, x.value), x.value / r2, y, -y.value / r2, x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> sqrt(const Dual<N>& x) {
  const double root = std::sqrt(x.value);
  return chain_at_edge(root, 0.5 / root, x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> exp(const Dual<N>& x) {
  const double e = std::exp(x.value);
  return chain(e, e, x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> log(const Dual<N>& x) {
  return chain_at_edge(std::log(x.value), 1 / x.value, x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> sinh(const Dual<N>& x) {
  return chain(std::sinh(x.value), std::cosh(x.value), x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> cosh(const Dual<N>& x) {
  return chain(std::cosh(x.value), std::sinh(x.value), x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> tanh(const Dual<N>& x) {
  const double t = std::tanh(x.value);
  return chain(t, 1 - t * t, x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> asinh(const Dual<N>& x) {
  return chain(std::asinh(x.value), 1 / std::hypot(1, x.value), x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> floor(const Dual<N>& x) {
  return Dual<N>(std::floor(x.value));
}
/// The derivative by the exponent exists for a positive base only; elsewhere a constant exponent is taken for granted.
template <std::size_t N>
GYROSTAT_INLINE Dual<N> pow(const Dual<N>& x, const Dual<N>& y) {
  const double power = std::pow(x.value, y.value);
  const double by_base = y.value == 0 ? 0 : y.value * std::pow(x.value, y.value - 1);
  return chain_at_edge(power, by_base, x, x.value > 0 ? power * std::log(x.value) : 0, y);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> lookup(const Table& table, const Dual<N>& x) {
  const ValueAndSlope y = table.at(x.value);
  return chain(y.value, y.slope, x);
}
template <std::size_t N>
GYROSTAT_INLINE Dual<N> lookup(const Table& table, const Dual<N>& x, std::size_t segment) {
  const ValueAndSlope y = table.on(segment, x.value);
  return chain(y.value, y.slope, x);
}

}  // namespace gyrostat
