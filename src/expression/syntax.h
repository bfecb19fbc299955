// The expression language of model files: what a text says, as a tree in an array.
//
//   expression := disjunction [ ? expression : expression ]      right associative
//   disjunction := conjunction { or conjunction }
//   conjunction := negation { and negation }
//   negation   := not negation | comparison
//   comparison := sum [ < <= > >= == != sum ]      1 where true, 0 where not; not chained
//   sum        := product { + - product }
//   product    := unary { * / unary }
//   unary      := - unary | + unary | power
//   power      := component [ ^ unary ]            right associative, binds tighter than a minus before it
//   component  := primary [ . x | y | z ]          of what stands in brackets
//   primary    := number [ unit ] | name | function(...) | ( expression ) | [ expression, expression, expression ]
//   name       := identifier { . identifier }      a parameter, a signal, bus.omega_x, pan.angle ...
//
// Values are numbers, vectors and rotations. What a name is, only the model knows: `lower_vectors` (vectors.h) turns a
// tree with vectors into trees of numbers, and everything else takes those.
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
  logical_and,  // 1 where both are not zero, 0 where not
  logical_or,
  logical_not,
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
  sinh,
  cosh,
  tanh,
  asinh,
  floor,
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
  table,
  // Of vectors and rotations; gone once a tree is lowered.
  vector,        // of three numbers
  component,     // of a vector; `name` is its number
  dot,           //
  cross,         //
  norm,          //
  unit,          // a vector of length one
  angle,         // between two vectors
  sum,           // of the components of a vector
  in,            // a vector in the axes of which `name` is the attitude, or in those of the world
  quaternion,    // a rotation: scalar part, vector part
  rotation,      // about an axis by an angle
  euler_angles,  // of a rotation, in the sequence that `name` names
  inverse,       // of a rotation
  error_vector,  // small-angle vector of a rotation relative to another one
  rotate,        // a vector by a rotation
  slerp,         // between two rotations, by a fraction
};

/// A node of the tree. Operands stand before the node in the array, so a loop over the array visits operands first.
struct Node {
  Operation operation = Operation::number;
  std::uint32_t offset = 0;  // byte in the text where it is written
  std::uint32_t operand[3] = {};
  std::uint32_t name = 0;         // index into `names`, for name and table
  std::uint32_t name_offset = 0;  // byte where that name is written
  double value = 0;               // for number, in SI
  std::uint32_t unit_length = 0;  // for number with a unit: that many bytes from name_offset on
};

struct Expression {
  std::string text;
  std::vector<Node> nodes;         // the root is the last
  std::vector<std::string> names;  // every name that occurs, once each; tables too
  char part = 0;                   // x, y, z or w where it is that component of what the text says

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

/// Is it one of vectors or rotations?
inline bool is_of_vectors(Operation operation) { return operation >= Operation::vector; }

/// Parameters and signals cannot have the name of one of these functions. (Those that came later may be names too.)
bool is_reserved(std::string_view name);

/// The function of that name, as written in expressions.
std::optional<Operation> function_named(std::string_view name);
std::string_view function_name(Operation operation);

/// Is `text` an identifier: a letter or underscore, then letters, digits, underscores?
bool is_identifier(std::string_view text);

/// Identifiers with dots between them?
bool is_dotted_name(std::string_view text);

}  // namespace gyrostat::expression
