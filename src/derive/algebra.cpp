#include "gyrostat/derive/algebra.h"

#include <algorithm>
#include <array>
#include <utility>

#include "gyrostat/derive/letters.h"

namespace gyrostat::derive {

namespace {

Expr make_node(Operation operation, Type type, std::vector<Expr> operands) {
  Node node;
  node.operation = operation;
  node.type = type;
  node.operands = std::move(operands);
  return std::make_shared<const Node>(std::move(node));
}

[[noreturn]] void refuse_types(std::string_view operation, const Expr& a, const Expr& b) {
  throw AlgebraError(std::string(operation) + " of a " + std::string(type_name(a->type)) + " and a " +
                     std::string(type_name(b->type)));
}

}  // namespace

std::string_view type_name(Type type) {
  return type == Type::scalar ? "scalar" : type == Type::vector ? "vector" : "dyadic";
}

std::string_view operation_name(Operation operation) {
  static constexpr std::array<std::string_view, 12> names = {"zero",  "number", "unit_dyadic", "symbol",
                                                             "sum",   "minus",  "scaled",      "dot",
                                                             "cross", "dyad",   "derivative",  "sum_over"};
  return names.at(static_cast<std::size_t>(operation));
}

std::string name_of(const Symbol& symbol) {
  std::string text = symbol.letter + "(";
  for (std::size_t k = 0; k < symbol.indices.size(); ++k) text += (k == 0 ? "" : ",") + symbol.indices[k].name;
  return text + ")";
}

Expr zero(Type type) {
  static const std::array<Expr, 3> zeros = {make_node(Operation::zero, Type::scalar, {}),
                                            make_node(Operation::zero, Type::vector, {}),
                                            make_node(Operation::zero, Type::dyadic, {})};
  return zeros.at(static_cast<std::size_t>(type));
}

Expr number(double value) {
  Node node;
  node.operation = Operation::number;
  node.value = value;
  return std::make_shared<const Node>(std::move(node));
}

Expr unit_dyadic() {
  static const Expr unit = make_node(Operation::unit, Type::dyadic, {});
  return unit;
}

Expr symbol(const Symbol& symbol) {
  const Letter& of = letter(symbol.letter);
  const auto count = static_cast<int>(symbol.indices.size());
  if (of.indices >= 0 ? count != of.indices : count < 1 || count > 2)
    throw AlgebraError(name_of(symbol) + " has a wrong number of indices");
  Node node;
  node.operation = Operation::symbol;
  node.type = of.type;
  node.symbol = symbol;
  return std::make_shared<const Node>(std::move(node));
}

Expr sum(std::vector<Expr> operands, Type type) {
  for (const Expr& operand : operands) {
    if (operand->type != type)
      throw AlgebraError("a " + std::string(type_name(operand->type)) + " in a sum of type " +
                         std::string(type_name(type)));
  }
  if (operands.empty()) return zero(type);
  if (operands.size() == 1) return operands.front();
  return make_node(Operation::sum, type, std::move(operands));
}

Expr negative(const Expr& a) { return make_node(Operation::negative, a->type, {a}); }

Expr scaled(const Expr& scalar, const Expr& a) {
  if (scalar->type != Type::scalar) refuse_types("product", scalar, a);
  return make_node(Operation::scaled, a->type, {scalar, a});
}

Expr dot(const Expr& a, const Expr& b) {
  if (a->type == Type::scalar || b->type == Type::scalar) refuse_types("dot product", a, b);
  const bool vectors = a->type == Type::vector && b->type == Type::vector;
  const bool dyadics = a->type == Type::dyadic && b->type == Type::dyadic;
  return make_node(Operation::dot, vectors ? Type::scalar : dyadics ? Type::dyadic : Type::vector, {a, b});
}

Expr cross(const Expr& a, const Expr& b) {
  if (a->type != Type::vector || b->type != Type::vector) refuse_types("cross product", a, b);
  return make_node(Operation::cross, Type::vector, {a, b});
}

Expr dyad(const Expr& a, const Expr& b) {
  if (a->type != Type::vector || b->type != Type::vector) refuse_types("dyadic product", a, b);
  return make_node(Operation::dyad, Type::dyadic, {a, b});
}

Expr derivative(const Expr& a, const std::string& frame) {
  if (frame.empty()) throw AlgebraError("a derivative needs a frame");
  Node node;
  node.operation = Operation::derivative;
  node.type = a->type;
  node.frame = a->type == Type::scalar ? "world" : frame;
  node.operands = {a};
  return std::make_shared<const Node>(std::move(node));
}

Expr over(Range range, const Expr& term) {
  if (range.variable.empty()) throw AlgebraError("a sum over a set needs a running index");
  Node node;
  node.operation = Operation::over;
  node.type = term->type;
  node.range = std::move(range);
  node.operands = {term};
  return std::make_shared<const Node>(std::move(node));
}

bool same(const Expr& a, const Expr& b) {
  if (a == b) return true;
  return a->operation == b->operation && a->type == b->type && a->value == b->value && a->symbol == b->symbol &&
         a->frame == b->frame && a->range == b->range &&
         std::ranges::equal(a->operands, b->operands, [](const Expr& x, const Expr& y) { return same(x, y); });
}

Expr with_operands(const Node& node, std::vector<Expr> operands) {
  switch (node.operation) {
    case Operation::sum: return sum(std::move(operands), node.type);
    case Operation::negative: return negative(operands.at(0));
    case Operation::scaled: return scaled(operands.at(0), operands.at(1));
    case Operation::dot: return dot(operands.at(0), operands.at(1));
    case Operation::cross: return cross(operands.at(0), operands.at(1));
    case Operation::dyad: return dyad(operands.at(0), operands.at(1));
    case Operation::derivative: return derivative(operands.at(0), node.frame);
    case Operation::over: return over(node.range, operands.at(0));
    default: return std::make_shared<const Node>(node);
  }
}

Expr instance(const Expr& a, const std::string& variable, const std::string& value) {
  const auto put = [&](Symbol& symbol) {
    bool changed = false;
    for (Index& index : symbol.indices) {
      if (!index.running || index.name != variable) continue;
      index = {value, false};
      changed = true;
    }
    return changed;
  };
  if (a->operation == Operation::symbol) {
    Symbol symbol = a->symbol;
    return put(symbol) ? derive::symbol(symbol) : a;
  }
  if (a->operands.empty()) return a;
  std::vector<Expr> operands;
  bool changed = false;
  for (const Expr& operand : a->operands) {
    operands.push_back(instance(operand, variable, value));
    changed = changed || operands.back() != operand;
  }
  Node node = *a;
  if (a->operation == Operation::over) changed = put(node.range.set) || changed;
  return changed ? with_operands(node, std::move(operands)) : a;
}

std::size_t size_of(const Expr& a) {
  std::size_t size = 1;
  for (const Expr& operand : a->operands) size += size_of(operand);
  return size;
}

}  // namespace gyrostat::derive
