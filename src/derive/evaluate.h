// The numerical value of a tree: what is printed is what is evaluated.
#pragma once

#include <map>
#include <vector>

#include "gyrostat/derive/algebra.h"
#include "gyrostat/math/rotation.h"

namespace gyrostat::derive {

/// A scalar, or the components of a vector or dyadic in world axes.
struct Value {
  Type type = Type::scalar;
  double scalar = 0;
  Vector3 vector = Vector3::Zero();
  Matrix3 dyadic = Matrix3::Zero();

  Value() = default;
  explicit Value(double s) : scalar(s) {}
  explicit Value(const Vector3& v) : type(Type::vector), vector(v) {}
  explicit Value(const Matrix3& d) : type(Type::dyadic), dyadic(d) {}

  /// The square root of the sum of squares of all components.
  [[nodiscard]] double norm() const;
};

/// A value and its first and second derivative by time in the inertial frame, as far as they are known.
using Jet = std::vector<Value>;

/// What symbols are. One with a value needs no definition; of the others the definition is evaluated.
struct Values {
  std::map<Symbol, Jet> given;
  std::map<Symbol, Expr> definitions;

  void set(const Symbol& symbol, double value) { given[symbol] = {Value(value)}; }
  void set(const Symbol& symbol, const Vector3& value) { given[symbol] = {Value(value)}; }
  void set(const Symbol& symbol, const Matrix3& value) { given[symbol] = {Value(value)}; }
};

/// Throws AlgebraError where a symbol has neither value nor definition, or a derivative is needed that is not known.
/// Definitions are evaluated once for all trees that one Evaluator is asked for.
class Evaluator {
 public:
  explicit Evaluator(const Values& values) : values_(values) {}

  Value operator()(const Expr& expression) { return jet(expression, 0).front(); }

  /// The value and as many derivatives as `order` says, at most two.
  Jet jet(const Expr& expression, std::size_t order);

 private:
  using Bindings = std::map<std::string, std::string>;
  Jet jet(const Node& node, std::size_t order, const Bindings& bindings);
  Jet of_symbol(Symbol symbol, std::size_t order, const Bindings& bindings);
  Jet of_derivative(const Node& node, std::size_t order, const Bindings& bindings);

  const Values& values_;
  std::map<std::pair<Symbol, std::size_t>, Jet> known_;
  std::vector<Symbol> in_work_;  // to find definitions that need themselves
};

}  // namespace gyrostat::derive
