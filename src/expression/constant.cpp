#include "gyrostat/expression/constant.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>
#include <vector>

#include <fmt/format.h>

#include "gyrostat/expression/arithmetic.h"

namespace gyrostat::expression {

namespace {

/// What is known of a dimension while an expression is evaluated: nothing, that it is a bare number (2 in 2*K), or all.
struct Measured {
  double value = 0;
  bool bare = false;
  std::optional<Dimension> dimension;
};

Measured with(double value, std::optional<Dimension> dimension) { return {value, false, dimension}; }
Measured bare(double value) { return {value, true, std::nullopt}; }

/// The dimension of a sum, difference, choice or comparison of two; nothing is known unless one side is.
std::optional<Dimension> common(const Measured& a, const Measured& b) {
  return a.dimension ? a.dimension : b.dimension;
}

bool unlike(const Measured& a, const Measured& b) {
  return a.dimension && b.dimension && !compatible_but_for_angle(*a.dimension, *b.dimension);
}

/// No sane dimension has such powers, and no int overflows below them.
bool sane(const Dimension& d) {
  return std::max({std::abs(d.mass), std::abs(d.length), std::abs(d.time), std::abs(d.angle)}) < 1000;
}

Measured product(double value, const Measured& a, const Measured& b, int sign) {
  if (a.bare && b.bare) return bare(value);
  const auto factor = [](const Measured& m) { return m.bare ? std::optional(dimension::none) : m.dimension; };
  const auto da = factor(a), db = factor(b);
  if (!da || !db || !sane(*da) || !sane(*db)) return with(value, std::nullopt);
  return with(value, *da * (*db ^ sign));
}

Measured power(double value, const Measured& base, const Measured& exponent) {
  if (base.bare) return bare(value);
  if (base.dimension && sane(*base.dimension) && exponent.value == std::round(exponent.value) &&
      std::abs(exponent.value) <= 9) {
    return with(value, *base.dimension ^ static_cast<int>(exponent.value));
  }
  return with(value, std::nullopt);
}

Measured root(double value, const Measured& x) {
  if (x.bare) return bare(value);
  if (!x.dimension) return with(value, std::nullopt);
  const Dimension& d = *x.dimension;
  if (d.mass % 2 != 0 || d.length % 2 != 0 || d.time % 2 != 0) return with(value, std::nullopt);
  return with(value, Dimension{d.mass / 2, d.length / 2, d.time / 2, d.angle / 2});
}

}  // namespace

std::variant<Constant, Complaint> evaluate_constant(const Expression& expression, const Lookup& lookup) {
  std::vector<Measured> results(expression.nodes.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Node& node = expression.nodes[i];
    const Measured& a = results[node.operand[0]];
    const Measured& b = results[node.operand[1]];
    const Measured& c = results[node.operand[2]];
    const auto value = [&] { return arithmetic(node.operation, a.value, b.value, c.value); };
    const auto unlike_complaint = [&](const Measured& one, const Measured& other) {
      return Complaint{node.offset, fmt::format("one side is in {}, the other in {}", unit_text(*one.dimension),
                                                unit_text(*other.dimension))};
    };
    Measured& y = results[i];
    switch (node.operation) {
      case Operation::number: y = bare(node.value); break;
      case Operation::name: {
        if (expression.names[node.name] == "pi") {
          y = bare(std::numbers::pi);
          break;
        }
        const auto found = lookup(expression.names[node.name]);
        if (const auto* why = std::get_if<std::string>(&found)) return Complaint{node.offset, *why};
        const auto& constant = std::get<Constant>(found);
        if (std::isnan(constant.value)) return constant;  // a value that could not be read, and was reported
        y = with(constant.value, constant.dimension);
        break;
      }
      case Operation::step:
      case Operation::ramp:
      case Operation::pulse:
        return Complaint{node.offset, fmt::format("{} depends on time, but a constant is needed here",
                                                  function_name(node.operation))};
      case Operation::table: return Complaint{node.offset, "a table cannot be used in a constant"};
      case Operation::multiply: y = product(value(), a, b, 1); break;
      case Operation::divide: y = product(value(), a, b, -1); break;
      case Operation::power: y = power(value(), a, b); break;
      case Operation::sqrt: y = root(value(), a); break;
      case Operation::add:
      case Operation::subtract:
      case Operation::min:
      case Operation::max:
      case Operation::less:
      case Operation::less_equal:
      case Operation::greater:
      case Operation::greater_equal:
      case Operation::equal:
      case Operation::not_equal:
      case Operation::atan2: {
        if (unlike(a, b)) return unlike_complaint(a, b);
        const bool keeps = node.operation == Operation::add || node.operation == Operation::subtract ||
                           node.operation == Operation::min || node.operation == Operation::max;
        y = keeps && !(a.bare && b.bare) ? with(value(), common(a, b)) : bare(value());
        break;
      }
      case Operation::negate:
      case Operation::abs:
        y = a;
        y.value = value();
        break;
      case Operation::conditional:
        if (unlike(b, c)) return unlike_complaint(b, c);
        y = b.bare && c.bare ? bare(value()) : with(value(), common(b, c));
        break;
      case Operation::clamp:
        if (unlike(a, b)) return unlike_complaint(a, b);
        if (unlike(a, c)) return unlike_complaint(a, c);
        if (unlike(b, c)) return unlike_complaint(b, c);
        y = a.bare && b.bare && c.bare ? bare(value()) : with(value(), a.dimension ? a.dimension : common(b, c));
        break;
      case Operation::deg: y = with(value(), dimension::angle); break;
      case Operation::rpm: y = with(value(), dimension::angular_rate); break;
      default:  // functions of an angle or a ratio
        y = bare(value());
        break;
    }
    if (!std::isfinite(y.value)) return Complaint{node.offset, "the result is not a finite number"};
  }
  const Measured& result = results.back();
  return Constant{result.value, result.dimension};
}

}  // namespace gyrostat::expression
