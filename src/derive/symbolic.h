// A scalar that records what is computed with it: the plant's templates run on it leave an expression graph behind.
// Numbers in comments are the rules of docs/theory/symbolic.md.
//
// Equal sub-expressions are one node by construction. Arithmetic with 0, 1, -1, signs and constants is simplified when
// a node is made; no rule changes a value by more than rounding does.
#pragma once

#include <cstdint>
#include <numbers>
#include <span>
#include <unordered_map>
#include <vector>

#include "gyrostat/math/dual.h"
#include "gyrostat/math/sincos.h"
#include "gyrostat/math/table.h"

namespace gyrostat::scalar {

enum class Operation : std::uint8_t {
  constant,
  symbol,  // a is its number
  add,
  subtract,
  multiply,
  divide,
  negate,
  power,
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
  less,        // 1 where a < b, else 0
  less_equal,  // a <= b
  equal,       // a == b
  both,        // of conditions: 0 or 1
  either,
  opposite,
  select,  // b where a is not 0, else c
  table,   // number b at a; c: 0 the value, 1 the slope, 2 the curvature
};

/// How many operands are nodes; they are a, then b, then c.
int operand_count(Operation operation);

using Id = std::uint32_t;

struct Node {
  Operation operation = Operation::constant;
  Id a = 0, b = 0, c = 0;
  double value = 0;  // of a constant

  bool operator==(const Node&) const = default;
};

/// Operands stand before the nodes that use them. Node 0 is the constant 0, node 1 the constant 1.
class Graph {
 public:
  Graph();

  Id constant(double value);
  /// A new variable. `positive`: it is known to be above zero, as a mass is.
  Id symbol(bool positive = false);

  Id add(Id a, Id b);
  Id subtract(Id a, Id b);
  Id multiply(Id a, Id b);
  Id divide(Id a, Id b);
  Id negate(Id a);
  Id power(Id a, Id b);
  Id function(Operation operation, Id a);
  Id atan2(Id y, Id x);
  Id compare(Operation operation, Id a, Id b);
  Id both(Id a, Id b);
  Id either(Id a, Id b);
  Id opposite(Id a);
  Id select(Id condition, Id yes, Id no);
  Id look_up(std::uint32_t table, Id x, std::uint32_t order);

  [[nodiscard]] const Node& operator[](Id id) const { return nodes_[id]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] std::size_t symbols() const { return symbols_; }
  [[nodiscard]] bool is_constant(Id id) const { return nodes_[id].operation == Operation::constant; }
  [[nodiscard]] bool is_positive(Id id) const { return positive_[id]; }

  /// Which nodes the given ones need, themselves included; by node.
  [[nodiscard]] std::vector<bool> needed_by(std::span<const Id> outputs) const;

  /// Derivatives of a node by variables: reverse mode, as nodes.
  std::vector<Id> gradient(Id output, std::span<const Id> variables);

  /// Values of all nodes. `symbols` by number.
  [[nodiscard]] std::vector<double> evaluate(std::span<const double> symbols, std::span<const Table> tables) const;

 private:
  Id make(Operation operation, Id a = 0, Id b = 0, Id c = 0, double value = 0);
  Id make_symmetric(Operation operation, Id a, Id b) { return make(operation, a < b ? a : b, a < b ? b : a); }
  [[nodiscard]] bool is(Id id, Operation operation) const { return nodes_[id].operation == operation; }

  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  std::vector<Node> nodes_;
  std::vector<bool> positive_;
  std::unordered_map<Node, Id, Hash> known_;
  std::uint32_t symbols_ = 0;
};

/// How much there is to compute.
struct OperationCount {
  std::size_t additions = 0;  // subtractions too
  std::size_t multiplications = 0, divisions = 0;
  std::size_t sines = 0;      // and cosines
  std::size_t functions = 0;  // others, and tables
  std::size_t choices = 0;    // comparisons too

  [[nodiscard]] std::size_t all() const {
    return additions + multiplications + divisions + sines + functions + choices;
  }
};
OperationCount count_operations(const Graph& graph, std::span<const Id> outputs);

/// While it lives, scalars of this thread are nodes of this graph.
class Recording {
 public:
  explicit Recording(Graph& graph);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  Graph* before_;
};

/// The graph being recorded. Precondition: there is one.
Graph& recorded();

/// The outcome of a comparison: a node that is 0 or 1.
struct Condition {
  Id id = 0;

  Condition() = default;
  Condition(bool outcome) : id(outcome ? 1 : 0) {}  // NOLINT(google-explicit-constructor)
  static Condition of(Id node) {
    Condition c;
    c.id = node;
    return c;
  }
  friend Condition operator&(Condition a, Condition b) { return of(recorded().both(a.id, b.id)); }
  friend Condition operator|(Condition a, Condition b) { return of(recorded().either(a.id, b.id)); }
  friend Condition operator!(Condition a) { return of(recorded().opposite(a.id)); }
};

/// A node as a number.
struct Symbolic {
  Id id = 0;

  Symbolic() = default;
  Symbolic(double constant) : id(constant == 0 ? 0 : recorded().constant(constant)) {}  // NOLINT
  static Symbolic of(Id node) {
    Symbolic x;
    x.id = node;
    return x;
  }

  // clang-format off
  friend Symbolic operator+(Symbolic a, Symbolic b) { return of(recorded().add(a.id, b.id)); }
  friend Symbolic operator-(Symbolic a, Symbolic b) { return of(recorded().subtract(a.id, b.id)); }
  friend Symbolic operator*(Symbolic a, Symbolic b) { return of(recorded().multiply(a.id, b.id)); }
  friend Symbolic operator/(Symbolic a, Symbolic b) { return of(recorded().divide(a.id, b.id)); }
  friend Symbolic operator-(Symbolic a) { return of(recorded().negate(a.id)); }
  friend Symbolic& operator+=(Symbolic& a, Symbolic b) { return a = a + b; }
  friend Symbolic& operator-=(Symbolic& a, Symbolic b) { return a = a - b; }
  friend Symbolic& operator*=(Symbolic& a, Symbolic b) { return a = a * b; }

  friend Condition operator<(Symbolic a, Symbolic b) { return Condition::of(recorded().compare(Operation::less, a.id, b.id)); }
  friend Condition operator>(Symbolic a, Symbolic b) { return b < a; }
  friend Condition operator<=(Symbolic a, Symbolic b) { return Condition::of(recorded().compare(Operation::less_equal, a.id, b.id)); }
  friend Condition operator>=(Symbolic a, Symbolic b) { return b <= a; }
  friend Condition operator==(Symbolic a, Symbolic b) { return Condition::of(recorded().compare(Operation::equal, a.id, b.id)); }
  friend Condition operator!=(Symbolic a, Symbolic b) { return !(a == b); }
  // clang-format on
};

// clang-format off
inline Symbolic select(Condition c, Symbolic yes, Symbolic no) { return Symbolic::of(recorded().select(c.id, yes.id, no.id)); }
inline Symbolic min(Symbolic a, Symbolic b) { return select(b < a, b, a); }
inline Symbolic max(Symbolic a, Symbolic b) { return select(a < b, b, a); }
inline Symbolic abs(Symbolic a) { return select(a < Symbolic(0.0), -a, a); }
inline Symbolic sin(Symbolic x) { return Symbolic::of(recorded().function(Operation::sin, x.id)); }
inline Symbolic cos(Symbolic x) { return Symbolic::of(recorded().function(Operation::cos, x.id)); }
inline Symbolic tan(Symbolic x) { return Symbolic::of(recorded().function(Operation::tan, x.id)); }
inline Symbolic asin(Symbolic x) { return Symbolic::of(recorded().function(Operation::asin, x.id)); }
inline Symbolic acos(Symbolic x) { return Symbolic::of(recorded().function(Operation::acos, x.id)); }
inline Symbolic atan(Symbolic x) { return Symbolic::of(recorded().function(Operation::atan, x.id)); }
inline Symbolic sqrt(Symbolic x) { return Symbolic::of(recorded().function(Operation::sqrt, x.id)); }
inline Symbolic exp(Symbolic x) { return Symbolic::of(recorded().function(Operation::exp, x.id)); }
inline Symbolic log(Symbolic x) { return Symbolic::of(recorded().function(Operation::log, x.id)); }
inline Symbolic sinh(Symbolic x) { return (exp(x) - exp(-x)) / Symbolic(2); }
inline Symbolic cosh(Symbolic x) { return (exp(x) + exp(-x)) / Symbolic(2); }
inline Symbolic tanh(Symbolic x) { return Symbolic(1) - Symbolic(2) / (exp(x + x) + Symbolic(1)); }
inline Symbolic asinh(Symbolic x) { return select(x < Symbolic(0.0), -log(sqrt(x * x + Symbolic(1)) - x), log(sqrt(x * x + Symbolic(1)) + x)); }
inline Symbolic atan2(Symbolic y, Symbolic x) { return Symbolic::of(recorded().atan2(y.id, x.id)); }
/// Of a number of turns, less what the angle beyond the last whole one is.
inline Symbolic floor(Symbolic x) { constexpr double turn = 2 * std::numbers::pi; return x - Symbolic(0.5) - atan2(-sin(Symbolic(turn) * x), -cos(Symbolic(turn) * x)) / Symbolic(turn); }
inline Symbolic pow(Symbolic x, Symbolic y) { return Symbolic::of(recorded().power(x.id, y.id)); }
inline SinCos<Symbolic> sincos(Symbolic x) { return {sin(x), cos(x)}; }
// clang-format on

}  // namespace gyrostat::scalar

namespace gyrostat {

template <>
struct ConditionOf<scalar::Symbolic> {
  using type = scalar::Condition;
};

/// A symbol stands for any value, so that what vanishes for one value need not vanish.
template <>
inline constexpr bool has_derivatives<scalar::Symbolic> = true;

}  // namespace gyrostat
