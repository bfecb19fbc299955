// The expression language of model files: what a text says, as a tree in an array.
//
//   expression := conditional                      a ? b : c   (right associative)
//   comparison := sum [ < <= > >= == != sum ]      1 where true, 0 where not; not chained
//   sum        := product { + - product }
//   product    := unary { * / unary }
//   unary      := - unary | + unary | power
//   power      := primary [ ^ unary ]              right associative, binds tighter than a minus before it
//   primary    := number | name | function(...) | ( expression )
//   name       := identifier { . identifier }      a parameter, a signal, bus.omega_x, pan.angle ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace gyrostat::expression {

/// Longer or deeper texts are refused: no input makes the parser run out of stack.
inline constexpr std::size_t max_length = 10'000;  // bytes
inline constexpr int max_depth = 100;              // parentheses, signs and function calls inside each other

enum class Operation : std::uint8_t {
  number,
  name,
  negate,
  add,
  subtract,
  multiply,
  divide,
  power,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  not_equal,
  conditional,
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  atan2,
  sqrt,
  exp,
  log,
  abs,
  sign,
  min,
  max,
  clamp,
  deg,
  rpm,
  step,
  ramp,
  pulse,
  table
};

/// A node of the tree. Operands stand before the node in the array, so a loop over the array visits operands first.
struct Node {
  Operation operation = Operation::number;
  std::uint32_t offset = 0;  // byte in the text where it is written
  std::uint32_t operand[3] = {};
  std::uint32_t name = 0;         // index into `names`, for name and table
  std::uint32_t name_offset = 0;  // byte where that name is written
  double value = 0;               // for number
};

struct Expression {
  std::string text;
  std::vector<Node> nodes;         // the root is the last
  std::vector<std::string> names;  // every name that occurs, once each; tables too

  [[nodiscard]] bool empty() const { return nodes.empty(); }
};

/// What is wrong with a text and where.
struct Complaint {
  std::size_t offset = 0;  // byte in the text
  std::string message;
};

struct Parsed {
  Expression expression;
  std::optional<Complaint> complaint;
};

Parsed parse(std::string_view text);

/// An expression that is a number and nothing else.
Expression constant(double value);

/// How many operands an operation takes.
int operand_count(Operation operation);

/// The function of that name, as written in expressions.
std::optional<Operation> function_named(std::string_view name);
std::string_view function_name(Operation operation);

/// Is `text` an identifier: a letter or underscore, then letters, digits, underscores?
bool is_identifier(std::string_view text);

}  // namespace gyrostat::expression
