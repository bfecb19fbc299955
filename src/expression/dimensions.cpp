#include "gyrostat/expression/dimensions.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace gyrostat::expression {

namespace {

using Result = std::variant<KnownDimension, std::string>;

KnownDimension with(std::optional<Dimension> dimension) { return {false, dimension}; }

bool unlike(const KnownDimension& a, const KnownDimension& b) {
  return a.dimension && b.dimension && !compatible_but_for_angle(*a.dimension, *b.dimension);
}

/// The time is often meant as a number of seconds: sin(t), 1 - t.
bool is_time(const KnownDimension& x) { return x.dimension && *x.dimension == dimension::time; }

std::string unlike_sides(const KnownDimension& a, const KnownDimension& b) {
  return fmt::format("one side is in {}, the other in {}", unit_text(*a.dimension), unit_text(*b.dimension));
}

/// Of a sum, difference or choice of two.
Result sum(const KnownDimension& a, const KnownDimension& b) {
  if (unlike(a, b)) return unlike_sides(a, b);
  if (a.bare && b.bare) return bare_number;
  if ((a.bare && is_time(b)) || (b.bare && is_time(a))) return with(std::nullopt);
  return with(a.dimension ? a.dimension : b.dimension);
}

/// No sane dimension has such powers, and no int overflows below them.
bool sane(const Dimension& d) {
  return std::max({std::abs(d.mass), std::abs(d.length), std::abs(d.time), std::abs(d.angle)}) < 1000;
}

KnownDimension product(const KnownDimension& a, const KnownDimension& b, int sign) {
  if (a.bare && b.bare) return bare_number;
  const auto factor = [](const KnownDimension& m) { return m.bare ? std::optional(dimension::none) : m.dimension; };
  const auto da = factor(a), db = factor(b);
  if (!da || !db || !sane(*da) || !sane(*db)) return with(std::nullopt);
  return with(*da * (*db ^ sign));
}

Result power(const KnownDimension& base, const KnownDimension& by, std::optional<double> exponent) {
  if (by.dimension && !is_time(by) && !compatible_but_for_angle(*by.dimension, dimension::none)) {
    return fmt::format("an exponent is a plain number, not in {}", unit_text(*by.dimension));
  }
  if (base.bare) return bare_number;
  if (base.dimension && sane(*base.dimension) && exponent && *exponent == std::round(*exponent) &&
      std::abs(*exponent) <= 9) {
    return with(*base.dimension ^ static_cast<int>(*exponent));
  }
  return with(std::nullopt);
}

KnownDimension root(const KnownDimension& x) {
  if (x.bare) return bare_number;
  if (!x.dimension) return with(std::nullopt);
  const Dimension& d = *x.dimension;
  if (d.mass % 2 != 0 || d.length % 2 != 0 || d.time % 2 != 0) return with(std::nullopt);
  return with(Dimension{d.mass / 2, d.length / 2, d.time / 2, d.angle / 2});
}

/// A function of an angle, a ratio, or the time.
Result function_of_number(Operation operation, const KnownDimension& a, const KnownDimension& result) {
  if (!a.dimension || is_time(a) || compatible_but_for_angle(*a.dimension, dimension::none)) return result;
  return fmt::format("{} takes an angle or a plain number, not {}", function_name(operation), unit_text(*a.dimension));
}

Result function_of_time(Operation operation, const KnownDimension& a, const KnownDimension& b) {
  for (const KnownDimension& x : {a, b}) {
    if (x.dimension && !compatible_but_for_angle(*x.dimension, dimension::time)) {
      return fmt::format("{} takes times in s, not {}", function_name(operation), unit_text(*x.dimension));
    }
  }
  return operation == Operation::ramp ? with(std::nullopt) : bare_number;
}

}  // namespace

Result dimension_of(Operation operation, const KnownDimension& a, const KnownDimension& b, const KnownDimension& c,
                    std::optional<double> exponent) {
  switch (operation) {
    case Operation::multiply: return product(a, b, 1);
    case Operation::divide: return product(a, b, -1);
    case Operation::power: return power(a, b, exponent);
    case Operation::sqrt: return root(a);
    case Operation::negate:
    case Operation::abs: return a;
    case Operation::add:
    case Operation::subtract:
    case Operation::min:
    case Operation::max: return sum(a, b);
    case Operation::conditional: return sum(b, c);
    case Operation::clamp: {
      Result low = sum(a, b), high = sum(a, c);
      if (std::holds_alternative<std::string>(low)) return low;
      if (std::holds_alternative<std::string>(high)) return high;
      return sum(std::get<KnownDimension>(low), std::get<KnownDimension>(high));
    }
    case Operation::less:
    case Operation::less_equal:
    case Operation::greater:
    case Operation::greater_equal:
    case Operation::equal:
    case Operation::not_equal:
      if (unlike(a, b)) return unlike_sides(a, b);
      return bare_number;
    case Operation::logical_and:
    case Operation::logical_or:
    case Operation::logical_not: return bare_number;
    case Operation::atan2:
      if (unlike(a, b)) return unlike_sides(a, b);
      return with(dimension::angle);
    case Operation::asin:
    case Operation::acos:
    case Operation::atan:
    case Operation::deg: return function_of_number(operation, a, with(dimension::angle));
    case Operation::rpm: return function_of_number(operation, a, with(dimension::angular_rate));
    case Operation::step:
    case Operation::ramp: return function_of_time(operation, a, a);
    case Operation::pulse: return function_of_time(operation, a, b);
    case Operation::sign: return bare_number;
    default: return function_of_number(operation, a, bare_number);  // sin, exp, tanh, floor ...
  }
}

}  // namespace gyrostat::expression
