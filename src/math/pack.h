// Eight doubles as one scalar: the same text of a kernel works on eight systems at once. Every lane does what the
// scalar kernel does; no lane looks at another.
#pragma once

#include <cmath>
#include <cstddef>

#include "gyrostat/math/table.h"

namespace gyrostat {

/// Aligned in itself: the compiler's own alignment of vectors depends on the processor it compiles for, and parts of a
/// program compiled for different ones share packs.
struct alignas(64) Pack {
  static constexpr std::size_t lanes = 8;
  using Doubles [[gnu::vector_size(64)]] = double;
  using Longs [[gnu::vector_size(64)]] = long;

  /// The outcome of a comparison in each lane.
  struct Mask {
    Longs on{};
  };

  Doubles v{};

  Pack() = default;
  Pack(double everywhere) : v(everywhere - Doubles{}) {}  // NOLINT(google-explicit-constructor): a number in every lane
  explicit Pack(const Doubles& values) : v(values) {}

  double& operator[](std::size_t lane) { return reinterpret_cast<double*>(&v)[lane]; }
  double operator[](std::size_t lane) const { return reinterpret_cast<const double*>(&v)[lane]; }
};

inline Pack operator+(const Pack& a, const Pack& b) { return Pack(a.v + b.v); }
inline Pack operator-(const Pack& a, const Pack& b) { return Pack(a.v - b.v); }
inline Pack operator-(const Pack& a) { return Pack(-a.v); }
inline Pack operator*(const Pack& a, const Pack& b) { return Pack(a.v * b.v); }
inline Pack operator/(const Pack& a, const Pack& b) { return Pack(a.v / b.v); }

inline Pack::Mask operator<(const Pack& a, double b) { return {a.v < Pack(b).v}; }
inline Pack::Mask operator>(const Pack& a, double b) { return {a.v > Pack(b).v}; }
inline Pack::Mask operator>=(const Pack& a, double b) { return {a.v >= Pack(b).v}; }
inline Pack::Mask operator==(const Pack& a, double b) { return {a.v == Pack(b).v}; }

inline Pack select(const Pack::Mask& condition, const Pack& yes, const Pack& no) {
  return Pack(condition.on ? yes.v : no.v);
}
inline Pack select(bool condition, const Pack& yes, const Pack& no) { return condition ? yes : no; }

template <class Function>
Pack by_lane(const Pack& x, Function f) {
  Pack y;
  for (std::size_t i = 0; i < Pack::lanes; ++i) y[i] = f(x[i]);
  return y;
}
template <class Function>
Pack by_lane(const Pack& a, const Pack& b, Function f) {
  Pack y;
  for (std::size_t i = 0; i < Pack::lanes; ++i) y[i] = f(a[i], b[i]);
  return y;
}

// clang-format off
inline Pack sin(const Pack& x) { return by_lane(x, [](double a) { return std::sin(a); }); }
inline Pack cos(const Pack& x) { return by_lane(x, [](double a) { return std::cos(a); }); }
inline Pack tan(const Pack& x) { return by_lane(x, [](double a) { return std::tan(a); }); }
inline Pack asin(const Pack& x) { return by_lane(x, [](double a) { return std::asin(a); }); }
inline Pack acos(const Pack& x) { return by_lane(x, [](double a) { return std::acos(a); }); }
inline Pack atan(const Pack& x) { return by_lane(x, [](double a) { return std::atan(a); }); }
inline Pack sqrt(const Pack& x) { return by_lane(x, [](double a) { return std::sqrt(a); }); }
inline Pack exp(const Pack& x) { return by_lane(x, [](double a) { return std::exp(a); }); }
inline Pack log(const Pack& x) { return by_lane(x, [](double a) { return std::log(a); }); }
inline Pack atan2(const Pack& y, const Pack& x) { return by_lane(y, x, [](double a, double b) { return std::atan2(a, b); }); }
inline Pack pow(const Pack& x, const Pack& y) { return by_lane(x, y, [](double a, double b) { return std::pow(a, b); }); }
inline Pack lookup(const Table& table, const Pack& x) { return by_lane(x, [&](double a) { return table.at(a).value; }); }
// clang-format on

}  // namespace gyrostat
