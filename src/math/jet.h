// A function of time to second order: its value, rate and acceleration, carried through arithmetic exactly.
#pragma once

#include <cmath>

#include "gyrostat/math/table.h"

namespace gyrostat {

struct Jet {
  double value = 0, rate = 0, acceleration = 0;
  bool constant = true;  // for all time, not only to second order

  Jet() = default;
  Jet(double number) : value(number) {}  // NOLINT(google-explicit-constructor): a number is constant in time
  Jet(double at, double first, double second) : value(at), rate(first), acceleration(second), constant(false) {}

  static Jet time(double t) { return {t, 1, 0}; }
};

/// f(x) with f'(x) = first, f''(x) = second. What is constant stays so, whatever the slopes.
inline Jet chain(double value, double first, double second, const Jet& x) {
  if (x.constant) return {value};
  return {value, first * x.rate, second * x.rate * x.rate + first * x.acceleration};
}

// clang-format off
inline Jet operator+(const Jet& a, const Jet& b) {
  if (a.constant && b.constant) return {a.value + b.value};
  return {a.value + b.value, a.rate + b.rate, a.acceleration + b.acceleration};
}
inline Jet operator-(const Jet& a) { return chain(-a.value, -1, 0, a); }
inline Jet operator-(const Jet& a, const Jet& b) { return a + -b; }
inline Jet operator*(const Jet& a, const Jet& b) {
  if (a.constant) return chain(a.value * b.value, a.value, 0, b);
  if (b.constant) return chain(a.value * b.value, b.value, 0, a);
  return {a.value * b.value, a.rate * b.value + a.value * b.rate, a.acceleration * b.value + 2 * a.rate * b.rate + a.value * b.acceleration};
}
inline Jet operator/(const Jet& a, const Jet& b) {
  if (b.constant) return chain(a.value / b.value, 1 / b.value, 0, a);
  const double q = a.value / b.value, rate = (a.rate - q * b.rate) / b.value;
  return {q, rate, (a.acceleration - 2 * rate * b.rate - q * b.acceleration) / b.value};
}
inline bool operator<(const Jet& a, double b) { return a.value < b; }
inline bool operator>(const Jet& a, double b) { return a.value > b; }
inline bool operator>=(const Jet& a, double b) { return a.value >= b; }
inline bool operator==(const Jet& a, double b) { return a.value == b; }
inline Jet select(bool condition, const Jet& yes, const Jet& no) { return condition ? yes : no; }

inline Jet sin(const Jet& x) { const double s = std::sin(x.value); return chain(s, std::cos(x.value), -s, x); }
inline Jet cos(const Jet& x) { const double c = std::cos(x.value); return chain(c, -std::sin(x.value), -c, x); }
inline Jet tan(const Jet& x) { const double t = std::tan(x.value), slope = 1 + t * t; return chain(t, slope, 2 * t * slope, x); }
inline Jet exp(const Jet& x) { const double e = std::exp(x.value); return chain(e, e, e, x); }
inline Jet log(const Jet& x) { return chain(std::log(x.value), 1 / x.value, -1 / (x.value * x.value), x); }
inline Jet sinh(const Jet& x) { const double s = std::sinh(x.value); return chain(s, std::cosh(x.value), s, x); }
inline Jet cosh(const Jet& x) { const double c = std::cosh(x.value); return chain(c, std::sinh(x.value), c, x); }
inline Jet tanh(const Jet& x) { const double t = std::tanh(x.value), slope = 1 - t * t; return chain(t, slope, -2 * t * slope, x); }
inline Jet asinh(const Jet& x) { const double s = 1 / std::hypot(1, x.value); return chain(std::asinh(x.value), s, -x.value * s * s * s, x); }
inline Jet floor(const Jet& x) { return {std::floor(x.value)}; }
inline Jet sqrt(const Jet& x) { const double r = std::sqrt(x.value); return chain(r, 0.5 / r, -0.25 / (r * x.value), x); }
inline Jet atan(const Jet& x) { const double s = 1 / (1 + x.value * x.value); return chain(std::atan(x.value), s, -2 * x.value * s * s, x); }
// clang-format on

inline Jet asin(const Jet& x) {
  const double slope = 1 / std::sqrt(1 - x.value * x.value);
  return chain(std::asin(x.value), slope, x.value * slope * slope * slope, x);
}
inline Jet acos(const Jet& x) {
  const double slope = -1 / std::sqrt(1 - x.value * x.value);
  return chain(std::acos(x.value), slope, x.value * slope * slope * slope, x);
}
/// The rate is (x y' - y x') / (x^2 + y^2), in every quadrant.
inline Jet atan2(const Jet& y, const Jet& x) {
  const double angle = std::atan2(y.value, x.value);
  const double turned = x.value * y.rate - y.value * x.rate,
               turning = x.value * y.acceleration - y.value * x.acceleration;
  if (x.constant && y.constant) return {angle};
  const double r2 = x.value * x.value + y.value * y.value;
  const double rate = turned / r2;
  return {angle, rate, turning / r2 - 2 * rate * (x.value * x.rate + y.value * y.rate) / r2};
}
inline Jet pow(const Jet& x, const Jet& y) {
  if (!y.constant) return x.constant && x.value == 0 && y.value > 0 ? Jet(0) : exp(y * log(x));
  const double n = y.value;
  return chain(std::pow(x.value, n), n == 0 ? 0 : n * std::pow(x.value, n - 1),
               n == 0 || n == 1 ? 0 : n * (n - 1) * std::pow(x.value, n - 2), x);
}
inline Jet lookup(const Table& table, const Jet& x) {
  const ValueAndSlope y = table.at(x.value);
  return chain(y.value, y.slope, table.curvature(x.value), x);
}
inline Jet lookup(const Table& table, const Jet& x, std::size_t segment) {
  const ValueAndSlope y = table.on(segment, x.value);
  return chain(y.value, y.slope, table.curvature_on(segment, x.value), x);
}

}  // namespace gyrostat
