// Numbers of a tree under construction, with the arithmetic that vectors and rotations need.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/expression/arithmetic.h"
#include "gyrostat/expression/syntax.h"

namespace gyrostat::expression {

/// Nodes of numbers; what follows from plain numbers alone, and products with 0 and 1, are not computed again.
class ScalarPool {
 public:
  using Index = std::uint32_t;

  explicit ScalarPool(std::string text) { tree_.text = std::move(text); }

  /// Where the nodes that follow are written.
  std::uint32_t offset = 0;

  [[nodiscard]] std::size_t size() const { return tree_.nodes.size(); }

  Index number(double value) {
    Node node{Operation::number, offset, {}, 0, 0, value, 0};
    return push(node);
  }
  Index name(std::string_view name, std::uint32_t name_offset) {
    Node node{Operation::name, offset, {}, intern(name), name_offset, 0, 0};
    return push(node);
  }
  /// A node as it is, with other operands.
  Index copy(const Node& node, std::array<Index, 3> operands, std::string_view name) {
    Node copied = node;
    copied.offset = offset;
    std::copy(operands.begin(), operands.end(), copied.operand);
    if (!name.empty()) copied.name = intern(name);
    return push(copied);
  }

  Index of(Operation operation, Index a, Index b = 0, Index c = 0) {
    const int count = operand_count(operation);
    if (is_plain(a) && (count < 2 || is_plain(b)) && (count < 3 || is_plain(c)) && operation != Operation::step &&
        operation != Operation::ramp && operation != Operation::pulse) {
      return number(arithmetic(operation, value(a), count > 1 ? value(b) : 0, count > 2 ? value(c) : 0));
    }
    Node node{operation, offset, {a, b, c}, 0, 0, 0, 0};
    return push(node);
  }
  Index sum(Index a, Index b) {
    if (is(a, 0)) return b;
    return is(b, 0) ? a : of(Operation::add, a, b);
  }
  Index difference(Index a, Index b) {
    if (is(b, 0)) return a;
    return is(a, 0) ? negative(b) : of(Operation::subtract, a, b);
  }
  Index product(Index a, Index b) {
    if (is(a, 0) || is(b, 1)) return a;
    return is(b, 0) || is(a, 1) ? b : of(Operation::multiply, a, b);
  }
  Index quotient(Index a, Index b) { return is(a, 0) || is(b, 1) ? a : of(Operation::divide, a, b); }
  Index negative(Index a) { return of(Operation::negate, a); }
  Index root(Index a) { return of(Operation::sqrt, a); }
  Index choice(Index condition, Index yes, Index no) { return of(Operation::conditional, condition, yes, no); }

  /// The tree of one node, without what it does not need.
  [[nodiscard]] Expression extract(Index root, char part) const {
    std::vector<bool> needed(root + 1);
    needed[root] = true;
    for (Index i = root + 1; i-- > 0;) {
      if (!needed[i]) continue;
      for (int k = 0; k < operand_count(tree_.nodes[i].operation); ++k) needed[tree_.nodes[i].operand[k]] = true;
    }
    Expression result{tree_.text, {}, {}, part};
    std::vector<Index> place(root + 1);
    for (Index i = 0; i <= root; ++i) {
      if (!needed[i]) continue;
      Node node = tree_.nodes[i];
      for (int k = 0; k < operand_count(node.operation); ++k) node.operand[k] = place[node.operand[k]];
      if (node.operation == Operation::name || node.operation == Operation::table)
        node.name = intern_in(result.names, tree_.names[node.name]);
      place[i] = static_cast<Index>(result.nodes.size());
      result.nodes.push_back(node);
    }
    return result;
  }

 private:
  Index push(const Node& node) {
    tree_.nodes.push_back(node);
    return static_cast<Index>(tree_.nodes.size() - 1);
  }
  /// A number without a unit.
  [[nodiscard]] bool is_plain(Index i) const {
    return tree_.nodes[i].operation == Operation::number && tree_.nodes[i].unit_length == 0;
  }
  [[nodiscard]] bool is(Index i, double wanted) const { return is_plain(i) && value(i) == wanted; }
  [[nodiscard]] double value(Index i) const { return tree_.nodes[i].value; }

  static std::uint32_t intern_in(std::vector<std::string>& names, std::string_view name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
    names.emplace_back(name);
    return static_cast<std::uint32_t>(names.size() - 1);
  }
  std::uint32_t intern(std::string_view name) { return intern_in(tree_.names, name); }

  Expression tree_;
};

// --- vectors, and rotations by their quaternions ---------------------------------------------------------------------

using Triple = std::array<ScalarPool::Index, 3>;
using Quadruple = std::array<ScalarPool::Index, 4>;  // scalar part first
using Nine = std::array<Triple, 3>;                  // a matrix by rows

inline Triple sum(ScalarPool& p, const Triple& a, const Triple& b) {
  return {p.sum(a[0], b[0]), p.sum(a[1], b[1]), p.sum(a[2], b[2])};
}
inline Triple scaled(ScalarPool& p, ScalarPool::Index k, const Triple& v) {
  return {p.product(k, v[0]), p.product(k, v[1]), p.product(k, v[2])};
}
inline Triple quotient(ScalarPool& p, const Triple& v, ScalarPool::Index k) {
  return {p.quotient(v[0], k), p.quotient(v[1], k), p.quotient(v[2], k)};
}
inline ScalarPool::Index dot(ScalarPool& p, const Triple& a, const Triple& b) {
  return p.sum(p.sum(p.product(a[0], b[0]), p.product(a[1], b[1])), p.product(a[2], b[2]));
}
inline Triple cross(ScalarPool& p, const Triple& a, const Triple& b) {
  const auto part = [&](std::size_t i, std::size_t j) {
    return p.difference(p.product(a[i], b[j]), p.product(a[j], b[i]));
  };
  return {part(1, 2), part(2, 0), part(0, 1)};
}
inline ScalarPool::Index norm(ScalarPool& p, const Triple& v) { return p.root(dot(p, v, v)); }
inline Triple times(ScalarPool& p, const Nine& m, const Triple& v) {
  return {dot(p, m[0], v), dot(p, m[1], v), dot(p, m[2], v)};
}
inline Nine transposed(const Nine& m) {
  return {{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}};
}

inline Triple vector_part(const Quadruple& q) { return {q[1], q[2], q[3]}; }
inline Quadruple conjugate(ScalarPool& p, const Quadruple& q) {
  return {q[0], p.negative(q[1]), p.negative(q[2]), p.negative(q[3])};
}
inline Quadruple product(ScalarPool& p, const Quadruple& a, const Quadruple& b) {
  const Triple va = vector_part(a), vb = vector_part(b);
  const Triple v = sum(p, sum(p, scaled(p, a[0], vb), scaled(p, b[0], va)), cross(p, va, vb));
  return {p.difference(p.product(a[0], b[0]), dot(p, va, vb)), v[0], v[1], v[2]};
}
/// R = 1 + 2 w [v] + 2 [v][v] for q = (w, v) of length one.
inline Nine to_matrix(ScalarPool& p, const Quadruple& q) {
  const auto two = p.number(2), one = p.number(1);
  const auto twice = [&](std::size_t i, std::size_t j) { return p.product(two, p.product(q[i], q[j])); };
  const auto xx = twice(1, 1), yy = twice(2, 2), zz = twice(3, 3), xy = twice(1, 2), xz = twice(1, 3), yz = twice(2, 3),
             wx = twice(0, 1), wy = twice(0, 2), wz = twice(0, 3);
  return {{{p.difference(one, p.sum(yy, zz)), p.difference(xy, wz), p.sum(xz, wy)},
           {p.sum(xy, wz), p.difference(one, p.sum(xx, zz)), p.difference(yz, wx)},
           {p.difference(xz, wy), p.sum(yz, wx), p.difference(one, p.sum(xx, yy))}}};
}

}  // namespace gyrostat::expression
