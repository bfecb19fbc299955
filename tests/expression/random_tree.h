// Random expressions, with an evaluator of their own that shares nothing with the library but the names of operations.
#pragma once

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "expression/compiled.h"

namespace gyrostat::expression::testing {

struct Tree {
  Operation operation = Operation::number;
  std::vector<Tree> operands;
  double value = 0;  // of a number
  std::string name;  // of a name
};

class RandomTrees {
 public:
  RandomTrees(unsigned seed, bool constant) : random_(seed), constant_(constant) {}

  Tree operator()(int depth) {
    if (depth == 0 || below(6) == 0) return leaf();
    const auto operation = static_cast<Operation>(2 + below(static_cast<unsigned>(Operation::table) - 1));
    using enum Operation;
    const bool of_time = operation == step || operation == ramp || operation == pulse || operation == table;
    if (constant_ && (of_time || operation == rpm)) return (*this)(depth);
    Tree tree{operation, {}, 0, ""};
    int count = operand_count(operation);
    if ((operation == min || operation == max) && below(3) == 0) count = 3;
    for (int i = 0; i < count; ++i) tree.operands.push_back((*this)(depth - 1));
    if (operation == power && below(3) != 0) {  // mostly small whole powers
      tree.operands[1] = {number, {}, static_cast<double>(below(5)), ""};
      if (below(3) == 0) tree.operands[1] = {negate, {tree.operands[1]}, 0, ""};
    }
    const bool needs_positive = operation == sqrt || operation == log || operation == power;
    if (needs_positive && below(2) == 0) tree.operands[0] = {abs, {tree.operands[0]}, 0, ""};
    const bool needs_ratio = operation == asin || operation == acos;
    if (needs_ratio && below(4) != 0) tree.operands[0] = {sin, {tree.operands[0]}, 0, ""};
    return tree;
  }

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random_); }

  /// The tree as text, with no more parentheses than the grammar needs, save a few, and spaces here and there.
  std::string text(const Tree& tree) { return text(tree, 0); }

 private:
  Tree leaf() {
    static constexpr double plain[] = {0, 1, 2, 3, 0.5, 1e-3, 12.5};
    switch (below(constant_ ? 3 : 6)) {
      case 0: return {Operation::number, {}, plain[below(7)], ""};
      case 1: return {Operation::number, {}, between(0, 3), ""};
      case 2:
        if (below(3) == 0) return {Operation::name, {}, 0, "pi"};
        return {Operation::number, {}, between(0, 1), ""};
      default: return {Operation::name, {}, 0, std::string(input_names[below(4)])};
    }
  }

  std::string space() { return below(4) == 0 ? " " : ""; }

  std::string text(const Tree& tree, int needed) {
    const auto operand = [&](std::size_t k, int level) { return text(tree.operands[k], level); };
    const auto infix = [&](int left, const char* sign, int right) {
      return operand(0, left) + space() + sign + space() + operand(1, right);
    };
    int level = 9;
    std::string s;
    using enum Operation;
    switch (tree.operation) {
      case number: s = fmt::format("{}", tree.value); break;
      case name: s = tree.name; break;
      case conditional:
        level = 0;
        s = operand(0, 1) + " ? " + operand(1, 0) + space() + ":" + operand(2, 0);
        break;
      case logical_or:
        level = 1;
        s = operand(0, 1) + " or " + operand(1, 2);
        break;
      case logical_and:
        level = 2;
        s = operand(0, 2) + " and " + operand(1, 3);
        break;
      case logical_not:
        level = 3;
        s = "not (" + operand(0, 0) + ")";
        break;
      case less:
        level = 4;
        s = infix(5, "<", 5);
        break;
      case less_equal:
        level = 4;
        s = infix(5, "<=", 5);
        break;
      case greater:
        level = 4;
        s = infix(5, ">", 5);
        break;
      case greater_equal:
        level = 4;
        s = infix(5, ">=", 5);
        break;
      case equal:
        level = 4;
        s = infix(5, "==", 5);
        break;
      case not_equal:
        level = 4;
        s = infix(5, "!=", 5);
        break;
      case add:
        level = 5;
        s = infix(5, "+", 6);
        break;
      case subtract:
        level = 5;
        s = infix(5, "-", 6);
        break;
      case multiply:
        level = 6;
        s = infix(6, "*", 7);
        break;
      case divide:
        level = 6;
        s = infix(6, "/", 7);
        break;
      case negate:
        level = 7;
        s = "-" + space() + operand(0, 7);
        break;
      case power:
        level = 8;
        s = infix(9, "^", 7);
        break;
      default: {
        s = std::string(function_name(tree.operation)) + space() + (tree.operation == table ? "(thrust," : "(");
        for (std::size_t k = 0; k < tree.operands.size(); ++k) s += (k > 0 ? "," + space() : space()) + operand(k, 0);
        s += ")";
      }
    }
    return level < needed || below(12) == 0 ? "(" + s + ")" : s;
  }

  std::mt19937_64 random_;
  bool constant_;
};

/// One evaluation, operand by operand, in long double or double. Both sides of a conditional are evaluated.
template <class Real>
struct Naive {
  Inputs<Real> inputs{};
  std::vector<int> choices{};  // what each discontinuous function decided
  bool tame = true;            // every intermediate result is an ordinary number

  bool choose(bool yes) {
    choices.push_back(yes);
    return yes;
  }

  Real operator()(const Tree& tree) {
    std::array<Real, 3> v{};
    for (std::size_t k = 0; k < tree.operands.size(); ++k) v[k] = (*this)(tree.operands[k]);
    const Real y = apply(tree, v[0], v[1], v[2]);
    tame = tame && std::isfinite(y) && std::abs(y) < Real(1e6) && (y == 0 || std::abs(y) > Real(1e-6));
    return y;
  }

 private:
  Real apply(const Tree& tree, Real a, Real b, Real c) {
    const Real t = inputs[0], pi = std::numbers::pi_v<Real>;
    using enum Operation;
    switch (tree.operation) {
      case number: return Real(tree.value);
      case name:
        for (std::size_t i = 0; i < input_names.size(); ++i) {
          if (input_names[i] == tree.name) return inputs[i];
        }
        return pi;
      case negate: return -a;
      case add: return a + b;
      case subtract: return a - b;
      case multiply: return a * b;
      case divide: return a / b;
      case power: return std::pow(a, b);
      case less: return choose(a < b) ? 1 : 0;
      case less_equal: return choose(a <= b) ? 1 : 0;
      case greater: return choose(a > b) ? 1 : 0;
      case greater_equal: return choose(a >= b) ? 1 : 0;
      case equal: return choose(a < b), choose(a == b) ? 1 : 0;
      case not_equal: return choose(a < b), choose(a == b) ? 0 : 1;
      case logical_and: return std::bit_and<int>{}(choose(a != 0), choose(b != 0));
      case logical_or: return std::bit_or<int>{}(choose(a != 0), choose(b != 0));
      case logical_not: return choose(a != 0) ? 0 : 1;
      case conditional: return choose(a != 0) ? b : c;
      case sin: return std::sin(a);
      case cos: return std::cos(a);
      case tan: return std::tan(a);
      case asin: return std::asin(a);
      case acos: return std::acos(a);
      case atan: return std::atan(a);
      case atan2: return choose(a < 0), choose(b < 0), std::atan2(a, b);
      case sqrt: return std::sqrt(a);
      case exp: return std::exp(a);
      case log: return std::log(a);
      case sinh: return std::sinh(a);
      case cosh: return std::cosh(a);
      case tanh: return std::tanh(a);
      case asinh: return std::asinh(a);
      case floor:
        choices.push_back(std::isnan(a) ? 0 : static_cast<int>(std::clamp(std::floor(a), Real(-1e9), Real(1e9))));
        return std::floor(a);
      case abs: return choose(a < 0) ? -a : a;
      case sign: return choose(a > 0) ? 1 : choose(a < 0) ? -1 : 0;
      case min:
      case max: {
        const bool low = tree.operation == min;
        Real best = choose(low ? b < a : b > a) ? b : a;
        if (tree.operands.size() == 3 && choose(low ? c < best : c > best)) best = c;
        return best;
      }
      case clamp: return choose(a < b) ? b : choose(a > c) ? c : a;
      case deg: return a * (pi / 180);
      case rpm: return a * (pi / 30);
      case step: return choose(t >= a) ? 1 : 0;
      case ramp: return choose(t >= a) ? t - a : 0;
      case pulse: return std::bit_and<int>{}(choose(t >= a), choose(t < b));
      case table: return look_up(a);
      default: break;  // of vectors
    }
    return 0;
  }

  Real look_up(Real x) {
    const std::size_t n = table_x.size();
    std::size_t s = 0;
    while (s < n && choose(x >= Real(table_x[s]))) ++s;
    if (s == 0) return Real(table_y[0]);
    if (s == n) return Real(table_y[n - 1]);
    const Real x0 = Real(table_x[s - 1]), x1 = Real(table_x[s]), y0 = Real(table_y[s - 1]), y1 = Real(table_y[s]);
    return (y0 * (x1 - x) + y1 * (x - x0)) / (x1 - x0);
  }
};

/// What a tree is worth, and how far double arithmetic may stray from it; nothing where a jump is within that reach.
struct Worth {
  double value, uncertainty;
};
inline std::optional<Worth> worth(const Tree& tree, const Inputs<double>& inputs) {
  Naive<double> rough{inputs};
  Naive<long double> fine;
  for (std::size_t i = 0; i < inputs.size(); ++i) fine.inputs[i] = static_cast<long double>(inputs[i]);
  const long double a = static_cast<long double>(rough(tree)), b = fine(tree);
  if (!rough.tame || !fine.tame || rough.choices != fine.choices) return std::nullopt;
  const double stray = static_cast<double>(std::abs(a - b));
  return Worth{static_cast<double>(b), 100 * stray + 1e-11 * (1 + std::abs(static_cast<double>(b)))};
}

}  // namespace gyrostat::expression::testing
