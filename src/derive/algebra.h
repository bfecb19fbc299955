// Vector-dyadic algebra: scalars, vectors and dyadics as a typed tree. Nothing has components here: the equations of
// motion are made of these trees, and printers, JSON and the evaluator read the same ones.
//
// Nodes never change once they are made, so trees share their parts. The functions that make nodes check the types of
// their operands and throw AlgebraError where they do not fit.
#pragma once

#include <compare>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace gyrostat::derive {

enum class Type { scalar, vector, dyadic };
std::string_view type_name(Type type);

/// An expression whose types do not fit: a defect of the program that makes it.
struct AlgebraError : std::logic_error {
  using std::logic_error::logic_error;
};

/// What stands below a symbol: the name of a body, joint, wheel or axis, or the running index of a sum.
struct Index {
  std::string name;
  bool running = false;

  auto operator<=>(const Index&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// A symbol: which letter (an `id` of letters.h) and its indices.
struct Symbol {
  std::string letter;
  std::vector<Index> indices;

  auto operator<=>(const Symbol&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// "gamma(pan,hub)": for messages.
std::string name_of(const Symbol& symbol);

/// What a sum runs over: the bodies, joints or wheels `members`, which are those of the set `set` without `without`.
struct Range {
  std::string variable;  // i, j, w: the running index
  Symbol set;
  std::vector<std::string> members, without;

  bool operator==(const Range&) const = default;
};

enum class Operation {
  zero,        // of any type
  number,      // a scalar
  unit,        // the unit dyadic
  symbol,      //
  sum,         // of one type, two operands or more
  negative,    //
  scaled,      // scalar times anything
  dot,         // a . b: vector with vector, or with a dyadic on either side
  cross,       // a x b
  dyad,        // a b
  derivative,  // by time, in the frame of a body
  over         // the sum over a range
};
std::string_view operation_name(Operation operation);

struct Node;
using Expr = std::shared_ptr<const Node>;

struct Node {
  Operation operation = Operation::zero;
  Type type = Type::scalar;
  double value = 0;            // of a number
  Symbol symbol;               // of a symbol
  std::string frame;           // of a derivative: the name of a body, or "world"; of a scalar's, "world"
  Range range;                 // of a sum over a range
  std::vector<Expr> operands;  // in order
};

Expr zero(Type type);
Expr number(double value);
Expr unit_dyadic();
/// Throws AlgebraError where there is no such letter, or it has another number of indices.
Expr symbol(const Symbol& symbol);
/// No operand is zero(type); one is itself.
Expr sum(std::vector<Expr> operands, Type type);
Expr negative(const Expr& a);
Expr scaled(const Expr& scalar, const Expr& a);
Expr dot(const Expr& a, const Expr& b);
Expr cross(const Expr& a, const Expr& b);
Expr dyad(const Expr& a, const Expr& b);
Expr derivative(const Expr& a, const std::string& frame);
Expr over(Range range, const Expr& term);

inline bool is_zero(const Expr& a) { return a->operation == Operation::zero; }

/// Are they the same tree?
bool same(const Expr& a, const Expr& b);

/// The same operation with other operands; types are checked again.
Expr with_operands(const Node& node, std::vector<Expr> operands);

/// With `value` for the running index `variable`.
Expr instance(const Expr& a, const std::string& variable, const std::string& value);

/// How many nodes a tree has, shared ones as often as they occur.
std::size_t size_of(const Expr& a);

}  // namespace gyrostat::derive
