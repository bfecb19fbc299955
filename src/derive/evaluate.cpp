#include "gyrostat/derive/evaluate.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace gyrostat::derive {

namespace {

Value zero_value(Type type) {
  if (type == Type::vector) return Value(Vector3(Vector3::Zero()));
  if (type == Type::dyadic) return Value(Matrix3(Matrix3::Zero()));
  return Value(0.0);
}

Value plus(const Value& a, const Value& b) {
  Value c = a;
  c.scalar += b.scalar;
  c.vector += b.vector;
  c.dyadic += b.dyadic;
  return c;
}

Value times(double s, const Value& a) {
  Value c = a;
  c.scalar *= s;
  c.vector *= s;
  c.dyadic *= s;
  return c;
}

Value dot_of(const Value& a, const Value& b) {
  if (a.type == Type::vector && b.type == Type::vector) return Value(a.vector.dot(b.vector));
  if (a.type == Type::dyadic && b.type == Type::vector) return Value(Vector3(a.dyadic * b.vector));
  if (a.type == Type::vector) return Value(Vector3(b.dyadic.transpose() * a.vector));
  return Value(Matrix3(a.dyadic * b.dyadic));
}

Value cross_of(const Value& a, const Value& b) { return Value(Vector3(a.vector.cross(b.vector))); }
Value dyad_of(const Value& a, const Value& b) { return Value(Matrix3(a.vector * b.vector.transpose())); }
Value product_of(const Value& a, const Value& b) { return times(a.scalar, b); }

/// The part of the derivative in the inertial frame that is due to the turning of a frame with angular velocity w.
Value turned_by(const Value& w, const Value& a) {
  if (a.type == Type::scalar) return Value(0.0);
  if (a.type == Type::vector) return cross_of(w, a);
  Matrix3 W;
  W << 0, -w.vector.z(), w.vector.y(), w.vector.z(), 0, -w.vector.x(), -w.vector.y(), w.vector.x(), 0;
  return Value(Matrix3(W * a.dyadic - a.dyadic * W));
}

/// A bilinear product and its derivatives.
template <class Product>
Jet product_jet(const Jet& a, const Jet& b, Product product) {
  Jet c = {product(a[0], b[0])};
  if (a.size() > 1) c.push_back(plus(product(a[1], b[0]), product(a[0], b[1])));
  if (a.size() > 2) c.push_back(plus(plus(product(a[2], b[0]), product(a[0], b[2])), times(2, product(a[1], b[1]))));
  return c;
}

Jet constant_jet(Value value, std::size_t order) {
  Jet jet = {std::move(value)};
  for (std::size_t k = 0; k < order; ++k) jet.push_back(zero_value(jet.front().type));
  return jet;
}

}  // namespace

double Value::norm() const { return std::sqrt(scalar * scalar + vector.squaredNorm() + dyadic.squaredNorm()); }

Jet Evaluator::jet(const Expr& expression, std::size_t order) { return jet(*expression, order, {}); }

Jet Evaluator::of_symbol(Symbol symbol, std::size_t order, const Bindings& bindings) {
  for (Index& index : symbol.indices) {
    if (!index.running) continue;
    const auto bound = bindings.find(index.name);
    if (bound == bindings.end()) throw AlgebraError(name_of(symbol) + ": the index is outside of its sum");
    index = {bound->second, false};
  }
  if (const auto given = values_.given.find(symbol); given != values_.given.end()) {
    if (given->second.size() <= order) throw AlgebraError(name_of(symbol) + ": its derivative is not known");
    return {given->second.begin(), given->second.begin() + static_cast<std::ptrdiff_t>(order + 1)};
  }
  if (const auto known = known_.find({symbol, order}); known != known_.end()) return known->second;
  const auto definition = values_.definitions.find(symbol);
  if (definition == values_.definitions.end()) throw AlgebraError(name_of(symbol) + " is not defined");
  if (std::ranges::find(in_work_, symbol) != in_work_.end())
    throw AlgebraError(name_of(symbol) + " is defined by itself");
  in_work_.push_back(symbol);
  Jet made = jet(*definition->second, order, {});
  in_work_.pop_back();
  known_.emplace(std::pair{std::move(symbol), order}, made);
  return made;
}

Jet Evaluator::of_derivative(const Node& node, std::size_t order, const Bindings& bindings) {
  const Jet a = jet(*node.operands[0], order + 1, bindings);
  if (a.size() > 3) throw AlgebraError("derivatives beyond the second are not known");
  Jet made(a.begin() + 1, a.end());
  if (node.frame == "world" || node.type == Type::scalar) return made;
  const Jet w = of_symbol({"omega", {{node.frame, false}}}, order, bindings);
  made[0] = plus(made[0], times(-1, turned_by(w[0], a[0])));
  if (order > 0) {
    made[1] = plus(made[1], times(-1, plus(turned_by(w[1], a[0]), turned_by(w[0], a[1]))));
  }
  return made;
}

Jet Evaluator::jet(const Node& node, std::size_t order, const Bindings& bindings) {
  if (order > 2) throw AlgebraError("derivatives beyond the second are not known");
  const auto operand = [&](std::size_t k) { return jet(*node.operands[k], order, bindings); };
  switch (node.operation) {
    case Operation::zero: return constant_jet(zero_value(node.type), order);
    case Operation::number: return constant_jet(Value(node.value), order);
    case Operation::unit: return constant_jet(Value(Matrix3(Matrix3::Identity())), order);
    case Operation::symbol: return of_symbol(node.symbol, order, bindings);
    case Operation::negative: {
      Jet a = operand(0);
      for (Value& value : a) value = times(-1, value);
      return a;
    }
    case Operation::sum: {
      Jet a = operand(0);
      for (std::size_t k = 1; k < node.operands.size(); ++k) {
        const Jet b = operand(k);
        for (std::size_t n = 0; n < a.size(); ++n) a[n] = plus(a[n], b[n]);
      }
      return a;
    }
    case Operation::scaled: return product_jet(operand(0), operand(1), product_of);
    case Operation::dot: return product_jet(operand(0), operand(1), dot_of);
    case Operation::cross: return product_jet(operand(0), operand(1), cross_of);
    case Operation::dyad: return product_jet(operand(0), operand(1), dyad_of);
    case Operation::derivative: return of_derivative(node, order, bindings);
    case Operation::over: {
      Jet a = constant_jet(zero_value(node.type), order);
      Bindings inner = bindings;
      for (const std::string& member : node.range.members) {
        inner[node.range.variable] = member;
        const Jet b = jet(*node.operands[0], order, inner);
        for (std::size_t n = 0; n < a.size(); ++n) a[n] = plus(a[n], b[n]);
      }
      return a;
    }
  }
  throw AlgebraError("an operation that is not known");
}

}  // namespace gyrostat::derive
