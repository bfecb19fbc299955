// The dimension of an expression's value, from those of its operands.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "gyrostat/expression/syntax.h"
#include "gyrostat/expression/units.h"

namespace gyrostat::expression {

/// What is known of a value's dimension: all, or nothing, or that it is a bare number (the sine in T*sin(a)), which
/// fits wherever it stands in a sum, and is a plain factor in a product.
struct KnownDimension {
  bool bare = false;
  std::optional<Dimension> dimension = {};
};

inline constexpr KnownDimension bare_number{true, std::nullopt};

/// Of a number that is written in an expression, with or without a unit.
inline KnownDimension dimension_of_number(const Expression& expression, const Node& node) {
  return node.unit_length == 0 ? bare_number : KnownDimension{false, dimension_of_unit(expression, node)};
}

/// Of an operation's result, or what is certainly wrong with its operands, in words. `exponent` is the value of the
/// second operand where that is a constant. Not for numbers, names and tables.
std::variant<KnownDimension, std::string> dimension_of(Operation operation, const KnownDimension& a,
                                                       const KnownDimension& b, const KnownDimension& c,
                                                       std::optional<double> exponent);

}  // namespace gyrostat::expression
