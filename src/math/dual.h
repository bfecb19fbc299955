// Forward-mode dual numbers: a value and its derivatives by N variables, carried through arithmetic exactly.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

#include "gyrostat/math/table.h"

namespace gyrostat {

/// The choice between two values without a branch on the scalar: the name every scalar type answers to.
inline double select(bool condition, double yes, double no) { return condition ? yes : no; }

/// A table at a scalar.
inline double lookup(const Table& table, double x) { return table.at(x).value; }

/// The same on one of its segments, continued beyond its ends.
inline double lookup(const Table& table, double x, std::size_t segment) { return table.on(segment, x).value; }

template <std::size_t N>
struct Dual {
  double value = 0;
  std::array<double, N> d{};

  Dual() = default;
  Dual(double constant) : value(constant) {}  // NOLINT(google-explicit-constructor): a number is a dual number

  /// The variable number `i`.
  static Dual variable(double at, std::size_t i) {
    Dual x(at);
    x.d[i] = 1;
    return x;
  }
};

/// f(x) with f'(x) = slope: the chain rule.
template <std::size_t N>
Dual<N> chain(double value, double slope, const Dual<N>& x) {
  Dual<N> y(value);
  for (std::size_t i = 0; i < N; ++i) y.d[i] = slope * x.d[i];
  return y;
}

/// f(x, y) with partial derivatives fx, fy.
template <std::size_t N>
Dual<N> chain(double value, double fx, const Dual<N>& x, double fy, const Dual<N>& y) {
  Dual<N> z(value);
  for (std::size_t i = 0; i < N; ++i) z.d[i] = fx * x.d[i] + fy * y.d[i];
  return z;
}

template <std::size_t N>
Dual<N> operator+(const Dual<N>& a, const Dual<N>& b) {
  return chain(a.value + b.value, 1, a, 1, b);
}

/// The same where the slope may be infinite, as that of a root at zero: what does not vary does not, whatever the
/// slope.
template <std::size_t N>
Dual<N> chain_at_edge(double value, double slope, const Dual<N>& x) {
  Dual<N> y(value);
  for (std::size_t i = 0; i < N; ++i) y.d[i] = x.d[i] == 0 ? 0 : slope * x.d[i];
  return y;
}

template <std::size_t N>
Dual<N> chain_at_edge(double value, double fx, const Dual<N>& x, double fy, const Dual<N>& y) {
  return chain_at_edge(value, fx, x) + chain_at_edge(0, fy, y);
}

template <std::size_t N>
Dual<N> operator-(const Dual<N>& a, const Dual<N>& b) {
  return chain(a.value - b.value, 1, a, -1, b);
}
template <std::size_t N>
Dual<N> operator-(const Dual<N>& a) {
  return chain(-a.value, -1, a);
}
template <std::size_t N>
Dual<N> operator*(const Dual<N>& a, const Dual<N>& b) {
  return chain(a.value * b.value, b.value, a, a.value, b);
}
template <std::size_t N>
Dual<N> operator/(const Dual<N>& a, const Dual<N>& b) {
  const double quotient = a.value / b.value;
  return chain_at_edge(quotient, 1 / b.value, a, -quotient / b.value, b);
}

template <std::size_t N>
bool operator<(const Dual<N>& a, double b) {
  return a.value < b;
}
template <std::size_t N>
bool operator>(const Dual<N>& a, double b) {
  return a.value > b;
}
template <std::size_t N>
bool operator>=(const Dual<N>& a, double b) {
  return a.value >= b;
}
template <std::size_t N>
bool operator==(const Dual<N>& a, double b) {
  return a.value == b;
}

template <std::size_t N>
Dual<N> select(bool condition, const Dual<N>& yes, const Dual<N>& no) {
  return condition ? yes : no;
}

template <std::size_t N>
Dual<N> sin(const Dual<N>& x) {
  return chain(std::sin(x.value), std::cos(x.value), x);
}
template <std::size_t N>
Dual<N> cos(const Dual<N>& x) {
  return chain(std::cos(x.value), -std::sin(x.value), x);
}
template <std::size_t N>
Dual<N> tan(const Dual<N>& x) {
  const double t = std::tan(x.value);
  return chain(t, 1 + t * t, x);
}
template <std::size_t N>
Dual<N> asin(const Dual<N>& x) {
  return chain_at_edge(std::asin(x.value), 1 / std::sqrt(1 - x.value * x.value), x);
}
template <std::size_t N>
Dual<N> acos(const Dual<N>& x) {
  return chain_at_edge(std::acos(x.value), -1 / std::sqrt(1 - x.value * x.value), x);
}
template <std::size_t N>
Dual<N> atan(const Dual<N>& x) {
  return chain(std::atan(x.value), 1 / (1 + x.value * x.value), x);
}
template <std::size_t N>
Dual<N> atan2(const Dual<N>& y, const Dual<N>& x) {
  const double r2 = x.value * x.value + y.value * y.value;
  return chain_at_edge(std::atan2(y.value, x.value), x.value / r2, y, -y.value / r2, x);
}
template <std::size_t N>
Dual<N> sqrt(const Dual<N>& x) {
  const double root = std::sqrt(x.value);
  return chain_at_edge(root, 0.5 / root, x);
}
template <std::size_t N>
Dual<N> exp(const Dual<N>& x) {
  const double e = std::exp(x.value);
  return chain(e, e, x);
}
template <std::size_t N>
Dual<N> log(const Dual<N>& x) {
  return chain_at_edge(std::log(x.value), 1 / x.value, x);
}
/// The derivative by the exponent exists for a positive base only; elsewhere a constant exponent is taken for granted.
template <std::size_t N>
Dual<N> pow(const Dual<N>& x, const Dual<N>& y) {
  const double power = std::pow(x.value, y.value);
  const double by_base = y.value == 0 ? 0 : y.value * std::pow(x.value, y.value - 1);
  return chain_at_edge(power, by_base, x, x.value > 0 ? power * std::log(x.value) : 0, y);
}
template <std::size_t N>
Dual<N> lookup(const Table& table, const Dual<N>& x) {
  const ValueAndSlope y = table.at(x.value);
  return chain(y.value, y.slope, x);
}
template <std::size_t N>
Dual<N> lookup(const Table& table, const Dual<N>& x, std::size_t segment) {
  const ValueAndSlope y = table.on(segment, x.value);
  return chain(y.value, y.slope, x);
}

}  // namespace gyrostat
