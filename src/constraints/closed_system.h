// The constraints of a system at a state: evaluated, and planned for.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "gyrostat/constraints/constraints.h"
#include "gyrostat/constraints/plan.h"
#include "gyrostat/constraints/rows_kernel.h"

namespace gyrostat {

/// Room for the rows of a system; of a tree, none. `constraints` must stay where it is.
template <class T, class C>
Closures<T> make_closures(const ConstraintsOf<C>& constraints) {
  Closures<T> closures;
  if (constraints.rows() == 0) return closures;
  closures.structure = &constraints.structure;
  closures.values = make_rows<T>(constraints);
  closures.demanded.resize(constraints.rows());
  closures.multipliers.resize(constraints.rows());
  return closures;
}

/// Feedback of violated constraints: the accelerations of rows are to be -2 alpha rate - beta^2 residual.
struct Baumgarte {
  double alpha = 0, beta = 0;  // [1/s]
};

/// A model whose constraints cannot be solved for.
struct ClosureError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The choice of rows at a configuration as a plan. Throws ClosureError, naming the joint, where the recursion cannot
/// solve: what moves no mass before its loop is closed.
ClosurePlan plan_closures(const Mechanism& mechanism, const Kinematics<double>& kinematics,
                          const std::vector<Truth>& free, const Closures<double>& closures);

inline namespace GYROSTAT_PROCESSOR {

/// The rows, all or those that the plan keeps, and what is demanded of their accelerations. `kinematics` is the outward
/// pass without given derivatives.
template <class T, class C, class M>
void evaluate_closures(const ConstraintsOf<C>& constraints, const M& mechanism, const Kinematics<T>& kinematics,
                       const T* q, const T* u, const Forces<T>& forces, const Baumgarte& feedback,
                       Closures<T>& closures) {
  ConstraintRow<T>* rows = closures.values.rows.data();
  const ClosurePlan* plan = closures.whole ? nullptr : closures.plan;
  if constexpr (std::is_same_v<T, double>) {
    rows_kernel_in_use().evaluate(constraints, mechanism, kinematics, q, u, forces.equals.data(), plan, rows);
  } else {
    evaluate(constraints, mechanism, kinematics, q, u, static_cast<const T*>(nullptr), forces.equals.data(), rows,
             false, plan);
  }
  const T alpha(2 * feedback.alpha), beta(feedback.beta * feedback.beta);
  for (std::size_t r = 0; r < closures.demanded.size(); ++r) {
    const ConstraintRow<T>& row = closures.values.rows[r];
    closures.demanded[r] = -(row.acceleration + alpha * row.rate + beta * row.residual);
  }
}

}  // namespace GYROSTAT_PROCESSOR

/// Evaluates the rows that the plan keeps and solves with them; where they have become nearly dependent, with all rows.
template <class Solve>
void solve_closed(const Constraints& constraints, const Mechanism& mechanism, const Kinematics<double>& kinematics,
                  const double* q, const double* u, const Forces<double>& forces, const Baumgarte& feedback,
                  Closures<double>& closures, Solve solve) {
  std::ranges::fill(closures.multipliers, 0.0);  // those of rows that the plan does not keep
  const auto once = [&](bool whole) {
    closures.whole = whole;
    evaluate_closures(constraints, mechanism, kinematics, q, u, forces, feedback, closures);
    solve();
  };
  once(false);
  if (!(closures.health > closures.weak)) once(true);
}

}  // namespace gyrostat
