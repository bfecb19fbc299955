// Constraints at an instant, as a formulation takes them, and the multipliers that it finds.
#pragma once

#include "gyrostat/dynamics/closure_plan.h"
#include "gyrostat/dynamics/constraint_rows.h"
#include "gyrostat/dynamics/inertia.h"

namespace gyrostat {

/// A smallest pivot, over its scale, below which the recursion loses half its digits; and one below which rows may be
/// nearly dependent, or hold something heavy by something light.
inline constexpr double weak_pivot = 1e-8, suspect_pivot = 1e-4;

template <class T>
struct Closures {
  const RowStructure* structure = nullptr;  // none: a tree
  const ClosurePlan* plan = nullptr;
  ConstraintRows<T> values;
  std::vector<T> demanded;     // by row: J udot is to be this
  std::vector<T> multipliers;  // by row; zero of rows that are redundant
  T health{1.0};               // the smallest pivot of an elimination over its scale; 1 if nothing tells
  double weak = weak_pivot;    // below this pivot an orthogonal decomposition of all rows replaces the recursion
  bool whole = true;           // `values` has all rows, not only those that the plan keeps
  double dependent = 1e-8;     // near a singularity: combinations of rows that move less, relatively, do not restrain

  [[nodiscard]] bool empty() const { return structure == nullptr; }
};

/// What the articulated-body recursion computes of the rows.
template <class T>
struct ClosureData {
  std::vector<Wrench<T>> K;  // by column: the articulated transmission of the row's wrench, at the body's base point
  std::vector<Twist<T>> X;   // by column, of floating bodies: the acceleration that K makes
  std::vector<T> G;          // products of columns with motion subspaces
  std::vector<T> modal_G;    // products of columns with the modes of a flexible body
  std::vector<T> modal_N;    // and what these make of its loaded nodes: N Pi times them
  std::vector<T> L;          // by slot: the rows' own compliance [1/kg, 1/(kg m^2)]
  std::vector<T> pivot;      // by kept row: the reciprocal of its L when it is eliminated
  std::vector<T> y;          // by kept row: what is left of `demanded`
  std::vector<T> lambda;     // by kept row

  /// Room for a plan.
  void resize(const ClosurePlan& plan) {
    K.resize(plan.columns.size());
    X.resize(plan.columns.size());
    G.resize(plan.products);
    modal_G.resize(plan.modal_products);
    modal_N.resize(plan.node_products);
    L.resize(plan.slots);
    pivot.resize(plan.kept.size());
    y.resize(plan.kept.size());
    lambda.resize(plan.kept.size());
  }
};

}  // namespace gyrostat
