// All constraints of a system: their residuals, Jacobians and bias accelerations, over any scalar.
#pragma once

#include <limits>
#include <span>
#include <tuple>
#include <vector>

#include "gyrostat/constraints/coupling.h"
#include "gyrostat/constraints/cut_joint.h"
#include "gyrostat/constraints/distance.h"
#include "gyrostat/constraints/point_on_frame.h"

namespace gyrostat {

/// The kinds of constraint, each in a file of its own.
template <class C>
using ConstraintKinds = std::tuple<std::vector<CutJointConstraint<C>>,  //
                                   std::vector<CouplingConstraint<C>>,  //
                                   std::vector<DistanceConstraint<C>>,  //
                                   std::vector<PointOnFrameConstraint<C>>>;

/// A row without a value that is given from outside: of a cut joint.
inline constexpr std::uint32_t no_equal = std::numeric_limits<std::uint32_t>::max();

/// Lists of indices that go with the rows.
struct RowLists {
  std::vector<std::uint32_t> paths;      // through the tree, shared by the kinds
  std::vector<std::uint32_t> first_row;  // by constraint of the System, and one more
  std::vector<std::uint32_t> equal_of;   // by row: which of Forces::equals gives its value, or none of them

  /// Of the System, that a row belongs to.
  [[nodiscard]] std::size_t constraint_of(std::size_t row) const;

  // Defined out of line: what is compiled for special processors must not copy or destroy vectors by code of its own.
  RowLists();
  RowLists(const RowLists& other);
  RowLists(RowLists&& other) noexcept;
  RowLists& operator=(const RowLists& other);
  RowLists& operator=(RowLists&& other) noexcept;
  ~RowLists();
};

/// Constants. C is the type of their numbers: double, or a scalar whose lanes or derivatives differ. Built once.
template <class C>
struct ConstraintsOf : RowLists {
  ConstraintKinds<C> kinds;
  RowStructure structure;

  [[nodiscard]] std::size_t rows() const { return structure.rows(); }

  /// Where all its numbers are, in an order that is the same for all constraints of one structure.
  [[nodiscard]] std::vector<C*> numbers() {
    std::vector<C*> list;
    const auto add = [&list](C& number) { list.push_back(&number); };
    const auto all_of = [&](auto& kind) {
      for (auto& one : kind) one.for_numbers(add);
    };
    std::apply([&](auto&... lists) { (all_of(lists), ...); }, kinds);
    return list;
  }

  /// The same with its numbers as constants of D.
  template <class D>
  [[nodiscard]] ConstraintsOf<D> as() const {
    const auto converted = [](const auto& list) {
      std::vector<decltype(list[0].template as<D>())> other;
      for (const auto& one : list) other.push_back(one.template as<D>());
      return other;
    };
    ConstraintsOf<D> made;
    static_cast<RowLists&>(made) = *this;
    made.kinds = std::apply([&](const auto&... lists) { return ConstraintKinds<D>(converted(lists)...); }, kinds);
    made.structure = structure;
    return made;
  }
};
using Constraints = ConstraintsOf<double>;

/// Could the constraints be lanes of one pack?
bool same_structure(const Constraints& a, const Constraints& b);

/// Rows of the constraints; the coefficients of their terms, which do not change, are set.
template <class T, class C>
ConstraintRows<T> make_rows(const ConstraintsOf<C>& constraints) {
  ConstraintRows<T> made;
  made.rows.resize(constraints.rows());
  for (const CouplingConstraint<C>& one : std::get<std::vector<CouplingConstraint<C>>>(constraints.kinds)) {
    for (const CouplingTerm<C>& term : one.terms) made.coefficients.push_back(T(term.coefficient));
  }
  return made;
}

/// Of the system the mechanism was made of. A cut joint whose motion is prescribed is held where it begins.
Constraints make_constraints(const Mechanism& mechanism);

inline namespace GYROSTAT_PROCESSOR {

/// Every row at coordinates q and speeds u. `kinematics` is the outward pass there, at speeds' derivatives `udot`, or
/// at none (null); `equals` the values of Forces; `frozen` and `plan` as in StateAt.
template <class T, class C, class M>
void evaluate(const ConstraintsOf<C>& constraints, const M& mechanism, const Kinematics<T>& kinematics, const T* q,
              const T* u, const T* udot, const GivenValue<T>* equals, ConstraintRow<T>* rows, bool frozen = false,
              const ClosurePlan* plan = nullptr) {
  const StateAt<T, M> at{mechanism, kinematics, q, u, udot, equals, constraints.paths, frozen, plan};
  const auto all_of = [&](const auto& list) {
    for (const auto& one : list) evaluate(one, at, rows + one.first_row);
  };
  std::apply([&](const auto&... lists) { (all_of(lists), ...); }, constraints.kinds);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
