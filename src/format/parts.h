// Values that fields of several kinds hold.
#pragma once

#include <limits>
#include <optional>
#include <string>

#include "gyrostat/expression/syntax.h"
#include "gyrostat/math/rotation.h"

namespace gyrostat {

using expression::Expression;

/// A number that stands for "unreadable, and already reported": validation passes over it.
inline const double unreadable = std::numeric_limits<double>::quiet_NaN();

/// A stiffness or damping: a constant, a table of the deflection or, of loads, an expression.
struct Coefficient {
  double value = 0;
  std::string table;           // if not empty, instead of the value
  Expression expression = {};  // the same
};

/// A point of a body: named, given by its position, or the com.
struct PointReference {
  std::string body;
  std::string point;                // a name, or empty
  std::optional<Vector3> position;  // body frame [m]; neither a name nor this: the com
};

enum class Axes { body, world };

}  // namespace gyrostat
