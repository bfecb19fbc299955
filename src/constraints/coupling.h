// A sum of coefficients times coordinates of joints of the tree and angles of wheels has a given value.
#pragma once

#include "gyrostat/constraints/state_at.h"

namespace gyrostat {

template <class C>
struct CouplingTerm {
  std::uint32_t q = 0, u = 0;  // in the state
  C coefficient{};             // [1, m/rad or rad/m]
};

template <class C>
struct CouplingConstraint {
  std::vector<CouplingTerm<C>> terms;
  std::uint32_t first_row = 0, first_equal = 0;

  [[nodiscard]] static std::uint32_t rows() { return 1; }
  [[nodiscard]] static std::array<std::uint32_t, 2> bodies() { return {0, 0}; }

  template <class Act>
  void for_numbers(Act& act) {
    for (CouplingTerm<C>& term : terms) act(term.coefficient);
  }

  template <class D>
  [[nodiscard]] CouplingConstraint<D> as() const {
    CouplingConstraint<D> other{{}, first_row, first_equal};
    for (const CouplingTerm<C>& term : terms) other.terms.push_back({term.q, term.u, D(term.coefficient)});
    return other;
  }
};

inline CouplingConstraint<double> make_constraint(const Coupling& coupling, const Mechanism& /*mechanism*/,
                                                  std::vector<std::uint32_t>& /*paths*/) {
  CouplingConstraint<double> made;
  for (const Coupling::Term& term : coupling.terms) made.terms.push_back({term.q, term.u, term.coefficient});
  return made;
}

inline namespace GYROSTAT_PROCESSOR {

template <class T, class C, class M>
void evaluate(const CouplingConstraint<C>& coupling, const StateAt<T, M>& at, ConstraintRow<T>* row) {
  T value(0.0), rate(0.0), acceleration(0.0);
  for (const CouplingTerm<C>& term : coupling.terms) {
    const T c(term.coefficient);
    value = value + c * at.q[term.q];
    rate = rate + c * at.u[term.u];
    if (at.udot != nullptr) acceleration = acceleration + c * at.udot[term.u];
  }
  row->residual = value;
  row->rate = rate;
  row->acceleration = acceleration;
  subtract(at.equals[coupling.first_equal], *row);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
