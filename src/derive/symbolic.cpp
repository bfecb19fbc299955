#include "gyrostat/derive/symbolic.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "gyrostat/expression/arithmetic.h"

namespace gyrostat::scalar {

namespace {

thread_local Graph* recording = nullptr;

/// The same operations of the expression language, in the order of Operation.
constexpr std::array<expression::Operation, 26> of_language = [] {
  using enum expression::Operation;
  return std::array{number, name,       add,   subtract,    multiply,   divide,      negate,      power, sin,
                    cos,    tan,        asin,  acos,        atan,       atan2,       sqrt,        exp,   log,
                    less,   less_equal, equal, logical_and, logical_or, logical_not, conditional, table};
}();

/// Of operands that are numbers.
double compute(Operation operation, double a, double b, double c) {
  return expression::arithmetic(of_language[static_cast<std::size_t>(operation)], a, b, c);
}

}  // namespace

int operand_count(Operation operation) {
  switch (operation) {
    case Operation::constant:
    case Operation::symbol: return 0;
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::power:
    case Operation::atan2:
    case Operation::less:
    case Operation::less_equal:
    case Operation::equal:
    case Operation::both:
    case Operation::either: return 2;
    case Operation::select: return 3;
    default: return 1;
  }
}

Recording::Recording(Graph& graph) : before_(recording) { recording = &graph; }
Recording::~Recording() { recording = before_; }
Graph& recorded() { return *recording; }

std::size_t Graph::Hash::operator()(const Node& node) const {
  std::uint64_t h = static_cast<std::uint64_t>(node.operation);
  for (const std::uint64_t x : {std::uint64_t{node.a}, std::uint64_t{node.b}, std::uint64_t{node.c},
                                std::bit_cast<std::uint64_t>(node.value)}) {
    h = (h ^ x) * 0x9e3779b97f4a7c15U;
    h ^= h >> 29U;
  }
  return h;
}

Graph::Graph() {
  make(Operation::constant, 0, 0, 0, 0.0);
  make(Operation::constant, 0, 0, 0, 1.0);
}

Id Graph::make(Operation operation, Id a, Id b, Id c, double value) {
  const Node node{operation, a, b, c, value};
  const auto [at, is_new] = known_.try_emplace(node, static_cast<Id>(nodes_.size()));
  if (!is_new) return at->second;
  bool positive = false;
  switch (operation) {
    case Operation::constant: positive = value > 0; break;
    case Operation::add:
    case Operation::multiply:
    case Operation::divide: positive = positive_[a] && positive_[b]; break;
    case Operation::exp: positive = true; break;
    default: break;
  }
  nodes_.push_back(node);
  positive_.push_back(positive);
  return at->second;
}

Id Graph::constant(double value) { return make(Operation::constant, 0, 0, 0, value == 0 ? 0.0 : value); }

Id Graph::symbol(bool positive) {
  const Id id = make(Operation::symbol, symbols_++);
  positive_[id] = positive;
  return id;
}

// --- rules (1) to (9) ------------------------------------------------------------------------------------------------

Id Graph::add(Id a, Id b) {
  if (is_constant(a) && is_constant(b)) return constant(nodes_[a].value + nodes_[b].value);
  if (a == 0) return b;
  if (b == 0) return a;
  if (a == b) return multiply(constant(2), a);
  if (is(b, Operation::negate)) return subtract(a, nodes_[b].a);
  if (is(a, Operation::negate)) return subtract(b, nodes_[a].a);
  if (is(b, Operation::subtract) && nodes_[b].b == a) return nodes_[b].a;  // a + (y - a)
  if (is(a, Operation::subtract) && nodes_[a].b == b) return nodes_[a].a;
  return make_symmetric(Operation::add, a, b);
}

Id Graph::subtract(Id a, Id b) {
  if (is_constant(a) && is_constant(b)) return constant(nodes_[a].value - nodes_[b].value);
  if (b == 0) return a;
  if (a == b) return 0;
  if (a == 0) return negate(b);
  if (is(b, Operation::negate)) return add(a, nodes_[b].a);
  if (is(a, Operation::negate)) return negate(add(nodes_[a].a, b));
  if (is(a, Operation::add) && nodes_[a].a == b) return nodes_[a].b;  // (b + y) - b
  if (is(a, Operation::add) && nodes_[a].b == b) return nodes_[a].a;
  if (is(b, Operation::subtract) && nodes_[b].a == a) return nodes_[b].b;  // a - (a - y)
  return make(Operation::subtract, a, b);
}

Id Graph::multiply(Id a, Id b) {
  if (is_constant(b)) std::swap(a, b);
  if (is_constant(a)) {
    const double k = nodes_[a].value;
    if (is_constant(b)) return constant(k * nodes_[b].value);
    if (k == 0) return 0;
    if (k == 1) return b;
    if (k == -1) return negate(b);
    if (k < 0) return negate(multiply(constant(-k), b));
    if (is(b, Operation::multiply) && is_constant(nodes_[b].a)) {
      return multiply(constant(k * nodes_[nodes_[b].a].value), nodes_[b].b);
    }
  }
  if (is(a, Operation::negate)) return negate(multiply(nodes_[a].a, b));
  if (is(b, Operation::negate)) return negate(multiply(a, nodes_[b].a));
  if (is_constant(a)) return make(Operation::multiply, a, b);
  if (is(a, Operation::multiply) && is_constant(nodes_[a].a)) return multiply(nodes_[a].a, multiply(nodes_[a].b, b));
  if (is(b, Operation::multiply) && is_constant(nodes_[b].a)) return multiply(nodes_[b].a, multiply(a, nodes_[b].b));
  return make_symmetric(Operation::multiply, a, b);
}

Id Graph::divide(Id a, Id b) {
  if (is_constant(a) && is_constant(b)) return constant(nodes_[a].value / nodes_[b].value);
  if (a == 0 || b == 1) return a;
  if (is_constant(b) && nodes_[b].value < 0) return negate(divide(a, constant(-nodes_[b].value)));
  if (is(a, Operation::negate)) return negate(divide(nodes_[a].a, b));
  if (is(b, Operation::negate)) return negate(divide(a, nodes_[b].a));
  return make(Operation::divide, a, b);
}

Id Graph::negate(Id a) {
  if (is_constant(a)) return constant(-nodes_[a].value);
  if (is(a, Operation::negate)) return nodes_[a].a;
  if (is(a, Operation::subtract)) return subtract(nodes_[a].b, nodes_[a].a);
  return make(Operation::negate, a);
}

Id Graph::power(Id a, Id b) {
  if (is_constant(a) && is_constant(b)) return constant(std::pow(nodes_[a].value, nodes_[b].value));
  if (b == 0) return 1;
  if (b == 1) return a;
  return make(Operation::power, a, b);
}

Id Graph::function(Operation operation, Id a) {
  if (is_constant(a)) return constant(compute(operation, nodes_[a].value, 0, 0));
  if (is(a, Operation::negate)) {
    if (operation == Operation::cos) return function(operation, nodes_[a].a);
    if (operation == Operation::sin || operation == Operation::tan || operation == Operation::asin ||
        operation == Operation::atan) {
      return negate(function(operation, nodes_[a].a));
    }
  }
  return make(operation, a);
}

Id Graph::atan2(Id y, Id x) {
  if (is_constant(y) && is_constant(x)) return constant(std::atan2(nodes_[y].value, nodes_[x].value));
  return make(Operation::atan2, y, x);
}

Id Graph::compare(Operation operation, Id a, Id b) {
  if (is_constant(a) && is_constant(b)) return constant(compute(operation, nodes_[a].value, nodes_[b].value, 0));
  if (a == b) return operation == Operation::less ? 0 : 1;
  if (a == 0 && positive_[b]) return operation == Operation::equal ? 0 : 1;
  if (b == 0 && positive_[a]) return 0;
  return operation == Operation::equal ? make_symmetric(operation, a, b) : make(operation, a, b);
}

Id Graph::both(Id a, Id b) {
  if (a == 0 || b == 0) return 0;
  if (is_constant(a)) return b;
  if (is_constant(b) || a == b) return a;
  return make_symmetric(Operation::both, a, b);
}

Id Graph::either(Id a, Id b) {
  if (a == 0) return b;
  if (b == 0 || a == b) return a;
  if (is_constant(a) || is_constant(b)) return 1;
  return make_symmetric(Operation::either, a, b);
}

Id Graph::opposite(Id a) {
  if (is_constant(a)) return a == 0 ? 1 : 0;
  if (is(a, Operation::opposite)) return nodes_[a].a;
  return make(Operation::opposite, a);
}

Id Graph::select(Id condition, Id yes, Id no) {
  if (yes == no) return yes;
  if (is_constant(condition)) return condition != 0 ? yes : no;
  if (is(condition, Operation::opposite)) return select(nodes_[condition].a, no, yes);
  return make(Operation::select, condition, yes, no);
}

Id Graph::look_up(std::uint32_t table, Id x, std::uint32_t order) { return make(Operation::table, x, table, order); }

std::vector<bool> Graph::needed_by(std::span<const Id> outputs) const {
  std::vector<bool> needed(nodes_.size());
  Id last = 0;
  for (const Id id : outputs) needed[id] = true, last = std::max(last, id);
  for (Id id = last + 1; id-- > 0;) {
    if (!needed[id]) continue;
    const Node& node = nodes_[id];
    const int count = operand_count(node.operation);
    if (count > 0) needed[node.a] = true;
    if (count > 1) needed[node.b] = true;
    if (count > 2) needed[node.c] = true;
  }
  return needed;
}

std::vector<Id> Graph::gradient(Id output, std::span<const Id> variables) {
  const std::vector<bool> needed = needed_by({&output, 1});
  std::vector<bool> varies(output + 1);
  for (const Id id : variables) {
    if (id <= output) varies[id] = true;
  }
  for (Id id = 0; id <= output; ++id) {
    const Node& node = nodes_[id];
    const int count = operand_count(node.operation);
    varies[id] =
        varies[id] || (count > 0 && varies[node.a]) || (count > 1 && varies[node.b]) || (count > 2 && varies[node.c]);
  }
  std::vector<Id> adjoint(output + 1, 0);
  adjoint[output] = 1;
  const auto give = [&](Id to, Id part) {
    if (varies[to]) adjoint[to] = add(adjoint[to], part);
  };
  for (Id id = output + 1; id-- > 0;) {
    if (!needed[id] || !varies[id] || adjoint[id] == 0) continue;
    const Node node = nodes_[id];
    const Id y = adjoint[id], a = node.a, b = node.b;
    const auto square = [&](Id x) { return multiply(x, x); };
    switch (node.operation) {
      case Operation::add: give(a, y), give(b, y); break;
      case Operation::subtract: give(a, y), give(b, negate(y)); break;
      case Operation::multiply:
        if (varies[a]) give(a, multiply(y, b));
        if (varies[b]) give(b, multiply(y, a));
        break;
      case Operation::divide:
        if (varies[a]) give(a, divide(y, b));
        if (varies[b]) give(b, negate(divide(multiply(y, id), b)));
        break;
      case Operation::negate: give(a, negate(y)); break;
      case Operation::power:
        if (varies[a]) give(a, multiply(y, multiply(b, power(a, subtract(b, 1)))));
        if (varies[b]) {
          const Id by_exponent = multiply(id, function(Operation::log, a));
          give(b, multiply(y, select(compare(Operation::less, 0, a), by_exponent, 0)));
        }
        break;
      case Operation::sin: give(a, multiply(y, function(Operation::cos, a))); break;
      case Operation::cos: give(a, negate(multiply(y, function(Operation::sin, a)))); break;
      case Operation::tan: give(a, multiply(y, add(1, square(id)))); break;
      case Operation::asin:
      case Operation::acos: {
        const Id slope = divide(y, function(Operation::sqrt, subtract(1, square(a))));
        give(a, node.operation == Operation::asin ? slope : negate(slope));
        break;
      }
      case Operation::atan: give(a, divide(y, add(1, square(a)))); break;
      case Operation::atan2: {
        const Id scale = divide(y, add(square(a), square(b)));
        give(a, multiply(scale, b)), give(b, negate(multiply(scale, a)));
        break;
      }
      case Operation::sqrt: give(a, divide(multiply(constant(0.5), y), id)); break;
      case Operation::exp: give(a, multiply(y, id)); break;
      case Operation::log: give(a, divide(y, a)); break;
      case Operation::select: give(b, select(a, y, 0)), give(node.c, select(a, 0, y)); break;
      case Operation::table: give(a, multiply(y, look_up(b, a, node.c + 1))); break;
      default: break;  // comparisons have no derivative
    }
  }
  std::vector<Id> list;
  for (const Id id : variables) list.push_back(id <= output ? adjoint[id] : 0);
  return list;
}

std::vector<double> Graph::evaluate(std::span<const double> symbols, std::span<const Table> tables) const {
  std::vector<double> values(nodes_.size());
  for (std::size_t id = 0; id < nodes_.size(); ++id) {
    const Node& node = nodes_[id];
    if (node.operation == Operation::constant) {
      values[id] = node.value;
    } else if (node.operation == Operation::symbol) {
      values[id] = symbols[node.a];
    } else if (node.operation == Operation::table) {
      const double x = values[node.a];
      values[id] = node.c == 0   ? tables[node.b].at(x).value
                   : node.c == 1 ? tables[node.b].at(x).slope
                                 : tables[node.b].curvature(x);
    } else {
      values[id] = compute(node.operation, values[node.a], values[node.b], values[node.c]);
    }
  }
  return values;
}

OperationCount count_operations(const Graph& graph, std::span<const Id> outputs) {
  const std::vector<bool> needed = graph.needed_by(outputs);
  OperationCount count;
  for (Id id = 0; id < needed.size(); ++id) {
    if (!needed[id]) continue;
    switch (graph[id].operation) {
      case Operation::constant:
      case Operation::symbol:
      case Operation::negate: break;  // a sign belongs to the sum or product it stands in
      case Operation::add:
      case Operation::subtract: ++count.additions; break;
      case Operation::multiply: ++count.multiplications; break;
      case Operation::divide: ++count.divisions; break;
      case Operation::sin:
      case Operation::cos: ++count.sines; break;
      case Operation::less:
      case Operation::less_equal:
      case Operation::equal:
      case Operation::both:
      case Operation::either:
      case Operation::opposite:
      case Operation::select: ++count.choices; break;
      default: ++count.functions;
    }
  }
  return count;
}

}  // namespace gyrostat::scalar
