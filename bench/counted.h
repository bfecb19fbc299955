// A scalar that counts what is done with it: the flops of a recursion are counted by running it, not by hand.
#pragma once

#include <cmath>

#include "gyrostat/math/sincos.h"

namespace gyrostat::bench {

struct Operations {
  long multiplications = 0, additions = 0, divisions = 0, sincos = 0;

  [[nodiscard]] long flops() const { return multiplications + additions; }
};

inline Operations& counter() {
  static Operations operations;
  return operations;
}

struct Counted {
  double value = 0;

  Counted() = default;
  Counted(double constant) : value(constant) {}  // NOLINT(google-explicit-constructor): a number is a scalar
};

// clang-format off
inline Counted operator+(const Counted& a, const Counted& b) { ++counter().additions; return {a.value + b.value}; }
inline Counted operator-(const Counted& a, const Counted& b) { ++counter().additions; return {a.value - b.value}; }
inline Counted operator-(const Counted& a) { return {-a.value}; }  // folded into what follows
inline Counted operator*(const Counted& a, const Counted& b) { ++counter().multiplications; return {a.value * b.value}; }
inline Counted operator/(const Counted& a, const Counted& b) { ++counter().divisions; return {a.value / b.value}; }
inline bool operator>(const Counted& a, double b) { return a.value > b; }
inline bool operator<(const Counted& a, const Counted& b) { return a.value < b.value; }
inline Counted sqrt(const Counted& x) { ++counter().divisions; return {std::sqrt(x.value)}; }  // takes what a division does
inline Counted select(bool condition, const Counted& yes, const Counted& no) { return condition ? yes : no; }
inline SinCos<Counted> sincos(const Counted& x) { ++counter().sincos; const auto y = gyrostat::sincos(x.value); return {y.sin, y.cos}; }
// clang-format on

}  // namespace gyrostat::bench
