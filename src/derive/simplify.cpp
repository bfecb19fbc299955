#include "gyrostat/derive/simplify.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace gyrostat::derive {

namespace {

bool is(const Expr& a, Operation operation) { return a->operation == operation; }

bool is_product(const Expr& a) {
  return is(a, Operation::scaled) || is(a, Operation::dot) || is(a, Operation::cross) || is(a, Operation::dyad);
}

Expr nested_sum(const Expr& a, const Knowledge& /*known*/) {
  if (!is(a, Operation::sum)) return nullptr;
  const auto is_nested = [](const Expr& term) {
    return is(term, Operation::sum) || (is(term, Operation::negative) && is(term->operands[0], Operation::sum));
  };
  if (std::ranges::none_of(a->operands, is_nested)) return nullptr;
  std::vector<Expr> terms;
  for (const Expr& term : a->operands) {
    if (is(term, Operation::sum)) {
      terms.insert(terms.end(), term->operands.begin(), term->operands.end());
    } else if (is_nested(term)) {
      for (const Expr& inner : term->operands[0]->operands) terms.push_back(negative(inner));
    } else {
      terms.push_back(term);
    }
  }
  return sum(std::move(terms), a->type);
}

Expr zero_term(const Expr& a, const Knowledge& /*known*/) {
  if (!is(a, Operation::sum) || std::ranges::none_of(a->operands, is_zero)) return nullptr;
  std::vector<Expr> terms = a->operands;
  std::erase_if(terms, is_zero);
  return sum(std::move(terms), a->type);
}

Expr opposite_terms(const Expr& a, const Knowledge& /*known*/) {
  if (!is(a, Operation::sum)) return nullptr;
  for (std::size_t i = 0; i < a->operands.size(); ++i) {
    if (!is(a->operands[i], Operation::negative)) continue;
    for (std::size_t k = 0; k < a->operands.size(); ++k) {
      if (k == i || !same(a->operands[k], a->operands[i]->operands[0])) continue;
      std::vector<Expr> terms;
      for (std::size_t n = 0; n < a->operands.size(); ++n) {
        if (n != i && n != k) terms.push_back(a->operands[n]);
      }
      return sum(std::move(terms), a->type);
    }
  }
  return nullptr;
}

Expr zero_factor(const Expr& a, const Knowledge& /*known*/) {
  const bool linear =
      is_product(a) || is(a, Operation::negative) || is(a, Operation::derivative) || is(a, Operation::over);
  return linear && std::ranges::any_of(a->operands, is_zero) ? zero(a->type) : nullptr;
}

Expr number_zero(const Expr& a, const Knowledge& /*known*/) {
  return is(a, Operation::number) && a->value == 0 ? zero(Type::scalar) : nullptr;
}

Expr unit_factor(const Expr& a, const Knowledge& /*known*/) {
  if (!is(a, Operation::scaled)) return nullptr;
  const auto is_one = [](const Expr& b) { return is(b, Operation::number) && b->value == 1; };
  if (is_one(a->operands[0])) return a->operands[1];
  return is_one(a->operands[1]) ? a->operands[0] : nullptr;
}

Expr negative_number(const Expr& a, const Knowledge& /*known*/) {
  return is(a, Operation::number) && a->value < 0 ? negative(number(-a->value)) : nullptr;
}

Expr number_factors(const Expr& a, const Knowledge& /*known*/) {
  if (!is(a, Operation::scaled)) return nullptr;
  const Expr &s = a->operands[0], &b = a->operands[1];
  if (is(s, Operation::number) && is(b, Operation::number)) return number(s->value * b->value);
  // The number of a product stands first.
  if (is(b, Operation::number)) return scaled(b, s);
  if (!is(b, Operation::scaled) || !is(b->operands[0], Operation::number)) return nullptr;
  if (is(s, Operation::number)) return scaled(number(s->value * b->operands[0]->value), b->operands[1]);
  return scaled(b->operands[0], scaled(s, b->operands[1]));
}

Expr double_negative(const Expr& a, const Knowledge& /*known*/) {
  return is(a, Operation::negative) && is(a->operands[0], Operation::negative) ? a->operands[0]->operands[0] : nullptr;
}

Expr negative_sum(const Expr& a, const Knowledge& /*known*/) {
  if (!is(a, Operation::negative) || !is(a->operands[0], Operation::sum)) return nullptr;
  std::vector<Expr> terms;
  for (const Expr& term : a->operands[0]->operands) terms.push_back(negative(term));
  return sum(std::move(terms), a->type);
}

Expr sign_out(const Expr& a, const Knowledge& /*known*/) {
  if (!is_product(a) && !is(a, Operation::derivative) && !is(a, Operation::over)) return nullptr;
  std::vector<Expr> operands = a->operands;
  bool minus = false, changed = false;
  for (Expr& operand : operands) {
    if (!is(operand, Operation::negative)) continue;
    operand = operand->operands[0];
    minus = !minus;
    changed = true;
  }
  if (!changed) return nullptr;
  const Expr made = with_operands(*a, std::move(operands));
  return minus ? negative(made) : made;
}

/// A scalar factor stands before the vectors' product: a x (s b) is s (a x b).
Expr scalar_out(const Expr& a, const Knowledge& /*known*/) {
  if (!is(a, Operation::dot) && !is(a, Operation::cross) && !is(a, Operation::dyad)) return nullptr;
  for (std::size_t k = 0; k < 2; ++k) {
    if (!is(a->operands[k], Operation::scaled)) continue;
    std::vector<Expr> operands = a->operands;
    operands[k] = a->operands[k]->operands[1];
    return scaled(a->operands[k]->operands[0], with_operands(*a, std::move(operands)));
  }
  return nullptr;
}

Expr self_cross(const Expr& a, const Knowledge& /*known*/) {
  return is(a, Operation::cross) && same(a->operands[0], a->operands[1]) ? zero(Type::vector) : nullptr;
}

Expr unit_dyadic_factor(const Expr& a, const Knowledge& /*known*/) {
  if (!is(a, Operation::dot)) return nullptr;
  if (is(a->operands[0], Operation::unit)) return a->operands[1];
  return is(a->operands[1], Operation::unit) ? a->operands[0] : nullptr;
}

Expr derivative_of_constant(const Expr& a, const Knowledge& /*known*/) {
  if (!is(a, Operation::derivative)) return nullptr;
  const Expr& of = a->operands[0];
  return is(of, Operation::number) || is(of, Operation::unit) ? zero(a->type) : nullptr;
}

/// The components of two symbols in a frame in which both are fixed.
std::optional<std::pair<Vector3, Vector3>> in_one_frame(const Expr& a, const Expr& b, const Knowledge& known) {
  if (!is(a, Operation::symbol) || !is(b, Operation::symbol)) return {};
  const auto x = known.fixed.find(a->symbol), y = known.fixed.find(b->symbol);
  if (x == known.fixed.end() || y == known.fixed.end()) return {};
  for (const auto& [frame, components] : x->second) {
    if (const auto there = y->second.find(frame); there != y->second.end()) return std::pair{components, there->second};
  }
  return {};
}

constexpr double exactness = 4e-16;  // of products of unit vectors

Expr derivative_of_fixed(const Expr& a, const Knowledge& known) {
  if (!is(a, Operation::derivative) || !is(a->operands[0], Operation::symbol)) return nullptr;
  const auto fixed = known.fixed.find(a->operands[0]->symbol);
  return fixed != known.fixed.end() && fixed->second.contains(a->frame) ? zero(a->type) : nullptr;
}

Expr fixed_dot(const Expr& a, const Knowledge& known) {
  if (!is(a, Operation::dot)) return nullptr;
  const auto pair = in_one_frame(a->operands[0], a->operands[1], known);
  if (!pair) return nullptr;
  const double product = pair->first.dot(pair->second), size = pair->first.norm() * pair->second.norm();
  if (std::abs(product) <= exactness * size) return zero(Type::scalar);
  const bool unit = std::abs(pair->first.norm() - 1) <= exactness && std::abs(pair->second.norm() - 1) <= exactness;
  if (!unit || std::abs(std::abs(product) - 1) > exactness) return nullptr;
  return number(product > 0 ? 1 : -1);
}

/// a . D . b with all three fixed in one body.
Expr fixed_dyadic(const Expr& a, const Knowledge& known) {
  if (!is(a, Operation::dot) || a->type != Type::scalar || !is(a->operands[1], Operation::dot)) return nullptr;
  const Expr &x = a->operands[0], &D = a->operands[1]->operands[0], &y = a->operands[1]->operands[1];
  if (!is(D, Operation::symbol) || D->type != Type::dyadic) return nullptr;
  const auto found = known.fixed_dyadics.find(D->symbol);
  if (found == known.fixed_dyadics.end() || !is(x, Operation::symbol) || !is(y, Operation::symbol)) return nullptr;
  const auto left = known.fixed.find(x->symbol), right = known.fixed.find(y->symbol);
  if (left == known.fixed.end() || right == known.fixed.end()) return nullptr;
  for (const auto& [frame, components] : found->second) {
    const auto u = left->second.find(frame), v = right->second.find(frame);
    if (u == left->second.end() || v == right->second.end()) continue;
    const double size = u->second.norm() * components.norm() * v->second.norm();
    return std::abs(u->second.dot(components * v->second)) <= exactness * size ? zero(Type::scalar) : nullptr;
  }
  return nullptr;
}

Expr fixed_cross(const Expr& a, const Knowledge& known) {
  if (!is(a, Operation::cross)) return nullptr;
  const auto pair = in_one_frame(a->operands[0], a->operands[1], known);
  if (!pair) return nullptr;
  const double size = pair->first.norm() * pair->second.norm();
  return pair->first.cross(pair->second).norm() <= exactness * size ? zero(Type::vector) : nullptr;
}

Expr alias(const Expr& a, const Knowledge& known) {
  if (!is(a, Operation::symbol)) return nullptr;
  const auto found = known.aliases.find(a->symbol);
  return found == known.aliases.end() ? nullptr : found->second;
}

Expr without_zeros(const Expr& a, const Knowledge& known) {
  if (!is(a, Operation::over)) return nullptr;
  Range range = a->range;
  std::erase_if(range.members, [&](const std::string& member) {
    const bool vanishes = is_zero(simplified(instance(a->operands[0], range.variable, member), known));
    if (vanishes) range.without.push_back(member);
    return vanishes;
  });
  return range.members.size() == a->range.members.size() ? nullptr : over(std::move(range), a->operands[0]);
}

Expr short_range(const Expr& a, const Knowledge& known) {
  if (!is(a, Operation::over) || a->range.members.size() > known.written_out) return nullptr;
  std::vector<Expr> terms;
  for (const std::string& member : a->range.members)
    terms.push_back(instance(a->operands[0], a->range.variable, member));
  return sum(std::move(terms), a->type);
}

constexpr std::array all_rules = {
    Rule{"alias", "a symbol that is zero, or the same as another, is replaced", alias},
    Rule{"number_zero", "the number 0 is zero", number_zero},
    Rule{"negative_number", "the sign of a number stands before it", negative_number},
    Rule{"nested_sum", "a sum within a sum is written out", nested_sum},
    Rule{"zero_term", "x + 0 is x", zero_term},
    Rule{"opposite_terms", "x - x is zero", opposite_terms},
    Rule{"zero_factor", "a product with zero, and zero's negative, derivative and sum, are zero", zero_factor},
    Rule{"double_negative", "-(-x) is x", double_negative},
    Rule{"negative_sum", "-(x + y) is -x - y", negative_sum},
    Rule{"sign_out", "the sign of a factor stands before the product", sign_out},
    Rule{"scalar_out", "a scalar factor stands before a product of vectors", scalar_out},
    Rule{"unit_factor", "1 x is x", unit_factor},
    Rule{"number_factors", "numbers of a product are multiplied and stand first", number_factors},
    Rule{"self_cross", "a x a is zero", self_cross},
    Rule{"unit_dyadic_factor", "the unit dyadic's product with a vector is the vector", unit_dyadic_factor},
    Rule{"derivative_of_constant", "the derivative of a number or of the unit dyadic is zero", derivative_of_constant},
    Rule{"derivative_of_fixed", "the derivative in a frame of a vector fixed there is zero", derivative_of_fixed},
    Rule{"fixed_dot", "the product of vectors fixed in one body is a number if it is 0, or 1 or -1 of unit vectors",
         fixed_dot},
    Rule{"fixed_dyadic", "a . D . b of a dyadic and vectors fixed in one body is left out if it is zero", fixed_dyadic},
    Rule{"fixed_cross", "parallel vectors fixed in one body have no cross product", fixed_cross},
    Rule{"without_zeros", "members of a sum's set whose terms vanish are left out", without_zeros},
    Rule{"short_range", "a sum over few members is written out", short_range},
};

}  // namespace

std::span<const Rule> rules() { return all_rules; }

Expr simplified(const Expr& expression, const Knowledge& knowledge) {
  Expr now = expression;
  if (!now->operands.empty()) {
    std::vector<Expr> operands;
    bool changed = false;
    for (const Expr& operand : now->operands) {
      operands.push_back(simplified(operand, knowledge));
      changed = changed || operands.back() != operand;
    }
    if (changed) now = with_operands(*now, std::move(operands));
  }
  for (const Rule& rule : all_rules) {
    if (const Expr next = rule.apply(now, knowledge)) return simplified(next, knowledge);
  }
  return now;
}

}  // namespace gyrostat::derive
