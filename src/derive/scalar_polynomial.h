// Expressions as sums of products: what cancels, cancels; sin^2 + cos^2 becomes 1. Numbers in comments are the rules of
// docs/theory/symbolic.md.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "gyrostat/derive/symbolic.h"

namespace gyrostat::scalar {

class Simplifier {
 public:
  /// An expression that would have more than `most_terms` terms is not multiplied out but stays as it is, a factor of
  /// others. With `join_angles`, cos a cos b - sin a sin b becomes cos(a + b) and so on.
  Simplifier(Graph& graph, std::size_t most_terms, bool join_angles);

  /// The same values, to rounding, with fewer operations if that was found.
  std::vector<Id> simplified(std::span<const Id> outputs);

 private:
  using Monomial = std::vector<std::pair<Id, int>>;  // factors and their powers, by Id
  using Sum = std::map<Monomial, double>;
  using SumPointer = std::shared_ptr<const Sum>;

  SumPointer sum_of(Id id, const std::vector<SumPointer>& known);
  SumPointer as_factor(Id id) const;
  void merge_squares(Sum& sum);
  void join_angles(Sum& sum);
  Id written(const Sum& sum);
  Id written_product(const Monomial& factors, double coefficient);
  static Monomial product(const Monomial& a, const Monomial& b);

  Graph& graph_;
  std::size_t most_terms_;
  bool join_angles_;
};

}  // namespace gyrostat::scalar
