// What each operation of the language computes on plain numbers, apart from those that need time or tables.
#pragma once

#include <cmath>
#include <numbers>

#include "gyrostat/expression/syntax.h"

namespace gyrostat::expression {

inline constexpr double radians_per_degree = std::numbers::pi / 180;
inline constexpr double radians_per_second_per_rpm = std::numbers::pi / 30;

/// For constants and for folding; `Program` does the same by its instructions.
inline double arithmetic(Operation operation, double a, double b = 0, double c = 0) {
  switch (operation) {
    case Operation::negate: return -a;
    case Operation::add: return a + b;
    case Operation::subtract: return a - b;
    case Operation::multiply: return a * b;
    case Operation::divide: return a / b;
    case Operation::power: return std::pow(a, b);
    case Operation::less: return a < b;
    case Operation::less_equal: return a <= b;
    case Operation::greater: return a > b;
    case Operation::greater_equal: return a >= b;
    case Operation::equal: return a == b;
    case Operation::not_equal: return a != b;
    case Operation::logical_and: return a != 0 && b != 0;
    case Operation::logical_or: return a != 0 || b != 0;
    case Operation::logical_not: return a == 0;
    case Operation::conditional: return a != 0 ? b : c;
    case Operation::sin: return std::sin(a);
    case Operation::cos: return std::cos(a);
    case Operation::tan: return std::tan(a);
    case Operation::asin: return std::asin(a);
    case Operation::acos: return std::acos(a);
    case Operation::atan: return std::atan(a);
    case Operation::atan2: return std::atan2(a, b);
    case Operation::sqrt: return std::sqrt(a);
    case Operation::exp: return std::exp(a);
    case Operation::log: return std::log(a);
    case Operation::sinh: return std::sinh(a);
    case Operation::cosh: return std::cosh(a);
    case Operation::tanh: return std::tanh(a);
    case Operation::asinh: return std::asinh(a);
    case Operation::floor: return std::floor(a);
    case Operation::abs: return std::abs(a);
    case Operation::sign: return a > 0 ? 1 : a < 0 ? -1 : 0;
    case Operation::min: return a <= b ? a : b;
    case Operation::max: return a >= b ? a : b;
    case Operation::clamp: return a < b ? b : a > c ? c : a;
    case Operation::deg: return a * radians_per_degree;
    case Operation::rpm: return a * radians_per_second_per_rpm;
    default: return std::nan("");
  }
}

}  // namespace gyrostat::expression
