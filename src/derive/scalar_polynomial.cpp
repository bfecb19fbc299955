#include "gyrostat/derive/scalar_polynomial.h"

#include <algorithm>
#include <cmath>

namespace gyrostat::scalar {

Simplifier::Simplifier(Graph& graph, std::size_t most_terms, bool join_angles)
    : graph_(graph), most_terms_(most_terms), join_angles_(join_angles) {}

namespace {

using Factors = std::vector<std::pair<Id, int>>;

/// The same factors with the power of one changed.
Factors with_power(Factors factors, Id id, int change) {
  const auto at = std::lower_bound(factors.begin(), factors.end(), std::pair(id, 0),
                                   [](const auto& a, const auto& b) { return a.first < b.first; });
  if (at == factors.end() || at->first != id) {
    factors.insert(at, {id, change});
  } else if ((at->second += change) == 0) {
    factors.erase(at);
  }
  return factors;
}

template <class Sum>
void add_to(Sum& sum, const Factors& factors, double coefficient) {
  const auto [at, is_new] = sum.try_emplace(factors, coefficient);
  if (is_new) return;
  at->second += coefficient;
  if (at->second == 0) sum.erase(at);
}

}  // namespace

Simplifier::Monomial Simplifier::product(const Monomial& a, const Monomial& b) {
  Monomial c;
  c.reserve(a.size() + b.size());
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    if (j == b.size() || (i < a.size() && a[i].first < b[j].first)) {
      c.push_back(a[i++]);
    } else if (i == a.size() || b[j].first < a[i].first) {
      c.push_back(b[j++]);
    } else {
      c.emplace_back(a[i].first, a[i].second + b[j].second);
      ++i, ++j;
    }
  }
  return c;
}

Simplifier::SumPointer Simplifier::as_factor(Id id) const {
  if (graph_.is_constant(id)) {
    auto sum = std::make_shared<Sum>();
    if (id != 0) (*sum)[{}] = graph_[id].value;
    return sum;
  }
  return std::make_shared<Sum>(Sum{{Monomial{{id, 1}}, 1.0}});
}

Simplifier::SumPointer Simplifier::sum_of(Id id, const std::vector<SumPointer>& known) {
  const Node node = graph_[id];
  switch (node.operation) {
    case Operation::add:
    case Operation::subtract: {
      const double sign = node.operation == Operation::add ? 1 : -1;
      if (known[node.a]->size() + known[node.b]->size() > most_terms_) return as_factor(id);
      auto sum = std::make_shared<Sum>(*known[node.a]);
      for (const auto& [factors, coefficient] : *known[node.b]) add_to(*sum, factors, sign * coefficient);
      merge_squares(*sum);
      return sum;
    }
    case Operation::negate: {
      auto sum = std::make_shared<Sum>(*known[node.a]);
      for (auto& [factors, coefficient] : *sum) coefficient = -coefficient;
      return sum;
    }
    case Operation::multiply: {
      const Sum &a = *known[node.a], &b = *known[node.b];
      if (a.size() * b.size() > most_terms_) return as_factor(id);
      auto sum = std::make_shared<Sum>();
      for (const auto& [first, x] : a) {
        for (const auto& [second, y] : b) add_to(*sum, product(first, second), x * y);
      }
      merge_squares(*sum);
      return sum;
    }
    default: return as_factor(id);
  }
}

/// (10): k m cos^2 x + k m sin^2 x = k m, for coefficients of one sign: nothing cancels, so nothing is lost.
void Simplifier::merge_squares(Sum& sum) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [factors, coefficient] : sum) {
      for (const auto& [id, power] : factors) {
        if (power < 2 || graph_[id].operation != Operation::cos) continue;
        const Id sine = graph_.function(Operation::sin, graph_[id].a);
        const Monomial rest = with_power(factors, id, -2), partner = with_power(rest, sine, 2);
        const auto other = sum.find(partner);
        if (other == sum.end() || (other->second > 0) != (coefficient > 0)) continue;
        const double common = std::abs(coefficient) < std::abs(other->second) ? coefficient : other->second;
        const Monomial self = factors;
        add_to(sum, self, -common);
        add_to(sum, partner, -common);
        add_to(sum, rest, common);
        changed = true;
        break;
      }
      if (changed) break;
    }
  }
}

/// (11): k cos a cos b - k sin a sin b = k cos(a + b), and the like.
void Simplifier::join_angles(Sum& sum) {
  const auto is = [&](Id id, Operation operation) { return graph_[id].operation == operation; };
  for (bool changed = true; changed;) {
    changed = false;
    for (const auto& [factors, coefficient] : sum) {
      // `changed` is asked first: then `factors` may be gone
      for (std::size_t i = 0; !changed && i < factors.size(); ++i) {
        for (std::size_t j = 0; !changed && j < factors.size(); ++j) {
          const Id x = factors[i].first, y = factors[j].first;
          if (i == j || factors[i].second < 1 || factors[j].second < 1 || !is(y, Operation::cos)) continue;
          const bool cosines = is(x, Operation::cos);
          if ((!cosines && !is(x, Operation::sin)) || (cosines && j < i)) continue;
          const Id a = graph_[x].a, b = graph_[y].a;
          if (a == b) continue;
          const Monomial self = factors, rest = with_power(with_power(self, x, -1), y, -1);
          const Id other_x = graph_.function(cosines ? Operation::sin : Operation::cos, a),
                   other_y = graph_.function(Operation::sin, b);
          const Monomial partner = with_power(with_power(rest, other_x, 1), other_y, 1);
          const auto other = sum.find(partner);
          if (other == sum.end() || std::abs(other->second) != std::abs(coefficient)) continue;
          // cos a cos b -+ sin a sin b = cos(a +- b); sin a cos b +- cos a sin b = sin(a +- b)
          const bool same = other->second == coefficient;
          const Id angle = same == cosines ? graph_.subtract(a, b) : graph_.add(a, b);
          const double k = coefficient;
          sum.erase(partner);
          sum.erase(self);
          // of a - b that became -(b - a), the sign of the sine is that of the node
          const Id joined = graph_.function(cosines ? Operation::cos : Operation::sin, angle);
          const bool negative = is(joined, Operation::negate);
          add_to(sum, with_power(rest, negative ? graph_[joined].a : joined, 1), negative ? -k : k);
          changed = true;
        }
      }
      if (changed) break;
    }
  }
}

Id Simplifier::written_product(const Monomial& factors, double coefficient) {
  Id result = 1;
  for (const auto& [id, power] : factors) {
    Id one = id;
    for (int k = 1; k < std::abs(power); ++k) one = graph_.multiply(one, id);
    result = graph_.multiply(result, one);
  }
  return graph_.multiply(graph_.constant(coefficient), result);
}

/// The factor that most terms share goes before a parenthesis, and so on within it.
Id Simplifier::written(const Sum& sum) {
  if (sum.empty()) return 0;
  if (sum.size() == 1) return written_product(sum.begin()->first, sum.begin()->second);
  std::map<Id, std::size_t> uses;
  for (const auto& [factors, coefficient] : sum) {
    for (const auto& [id, power] : factors) ++uses[id];
  }
  Id most = 0;
  std::size_t count = 1;
  for (const auto& [id, times] : uses) {
    if (times > count) most = id, count = times;
  }
  if (most == 0) {
    double common = std::abs(sum.begin()->second);
    for (const auto& [factors, coefficient] : sum) {
      if (std::abs(coefficient) != common) common = 1;
    }
    Id positive = 0, negative = 0;
    for (const auto& [factors, coefficient] : sum) {
      Id& part = coefficient > 0 ? positive : negative;
      part = graph_.add(part, written_product(factors, std::abs(coefficient) / common));
    }
    const Id difference = graph_.subtract(positive, negative);
    return graph_.multiply(graph_.constant(common), difference);
  }
  Sum inside, outside;
  for (const auto& [factors, coefficient] : sum) {
    const bool has = std::ranges::any_of(factors, [&](const auto& f) { return f.first == most; });
    if (has) {
      add_to(inside, with_power(factors, most, -1), coefficient);
    } else {
      add_to(outside, factors, coefficient);
    }
  }
  // One after the other: what is made first is written first, and the order of arguments is the compiler's.
  const Id rest = written(outside);
  return graph_.add(graph_.multiply(most, written(inside)), rest);
}

std::vector<Id> Simplifier::simplified(std::span<const Id> outputs) {
  const std::vector<bool> needed = graph_.needed_by(outputs);
  std::vector<SumPointer> sums(needed.size());
  for (Id id = 0; id < needed.size(); ++id) {
    if (needed[id]) sums[id] = sum_of(id, sums);
  }
  std::vector<Id> list;
  for (const Id id : outputs) {
    Sum sum = *sums[id];
    if (join_angles_) join_angles(sum);
    list.push_back(written(sum));
  }
  return list;
}

}  // namespace gyrostat::scalar
