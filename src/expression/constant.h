// The value of an expression that does not change: numbers and parameters only.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <variant>

#include "gyrostat/expression/syntax.h"
#include "gyrostat/expression/units.h"

namespace gyrostat::expression {

/// A constant and, where it is known, what it measures. A plain number in a file has no known dimension: it is in
/// whatever SI unit the place it stands in asks for.
struct Constant {
  double value = 0;
  std::optional<Dimension> dimension;
};

/// The value of a name, or why there is none.
using Lookup = std::function<std::variant<Constant, std::string>(std::string_view name)>;

/// The value, checking that sums and comparisons are of like dimensions. Functions of time are complaints.
std::variant<Constant, Complaint> evaluate_constant(const Expression& expression, const Lookup& lookup);

}  // namespace gyrostat::expression
