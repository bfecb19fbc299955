// Rules that make trees shorter. Each has a name and is tested by evaluation.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string_view>

#include "gyrostat/derive/algebra.h"
#include "gyrostat/math/rotation.h"

namespace gyrostat::derive {

/// What is known of symbols.
struct Knowledge {
  /// Symbols that are zero, or the same as another.
  std::map<Symbol, Expr> aliases;
  /// Vectors fixed in the frame of a body: their components in its axes. An axis of a joint is fixed in both bodies.
  std::map<Symbol, std::map<std::string, Vector3>> fixed;
  /// Dyadics fixed in the frame of a body, in the same way.
  std::map<Symbol, std::map<std::string, Matrix3>> fixed_dyadics;
  /// Sums over so few members are written out.
  std::size_t written_out = 2;
};

struct Rule {
  std::string_view name, what;
  /// The node in a shorter form, or nothing if the rule does not apply. Its operands are in their shortest form.
  Expr (*apply)(const Expr& node, const Knowledge& knowledge);
};

/// All rules, in the order in which they are tried.
std::span<const Rule> rules();

/// No rule applies to any part of what is returned.
Expr simplified(const Expr& expression, const Knowledge& knowledge);

}  // namespace gyrostat::derive
