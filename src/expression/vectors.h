// Vectors and rotations of expressions: checked, and turned into trees of numbers.
//
// A vector carries the axes it is expressed in, a rotation R_AB those it takes components from (B) and to (A). Vectors
// of different axes cannot be added. What is left is arithmetic: no program, printer or derivative knows of vectors.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gyrostat/expression/syntax.h"

namespace gyrostat::expression {

enum class Type : std::uint8_t { number, vector, rotation };

struct ValueKind {
  Type type = Type::number;
  std::string axes = {};  // of a vector; A of a rotation R_AB. "world", "orbit" or a body; empty: fits any
  std::string from = {};  // B of a rotation R_AB
};

/// What a name stands for.
struct Symbol {
  ValueKind kind;
  std::vector<std::string> components = {};  // names of its numbers: 1, 3, or 4 with the scalar part first
  std::vector<std::string> matrix = {};      // of a rotation: names of its elements by rows, where they have some
  std::string definition = {};               // or an expression that is the same thing
  bool unclear = false;                      // what it is could not be found out, and why has been reported
};

/// Nothing for a name that means nothing.
using FindSymbol = std::function<std::optional<Symbol>(std::string_view name)>;

/// Numbers only. Where a name means nothing or is unclear, an expression of those that mean nothing stands for the
/// whole, as a number.
struct Lowered {
  ValueKind kind;
  std::vector<Expression> components;  // as many as those of a symbol
  bool unknown_names = false;
};

/// The letters of components: "x" "y" "z", and "w" before them for a rotation; none for a number.
std::string_view component_letters(Type type);

std::variant<Lowered, Complaint> lower_vectors(const Expression& expression, const FindSymbol& find);

/// "a vector in axes of bus", "a number"
std::string kind_text(const ValueKind& kind);
/// "world axes", "axes of bus"
std::string axes_text(std::string_view axes);

/// The sequences of Euler angles: zyx, zxz ... Is it one of the twelve?
bool is_euler_sequence(std::string_view text);
/// "'zyy' is not a sequence of axes; there are xyz, ..."
std::string no_euler_sequence(std::string_view text);

}  // namespace gyrostat::expression
