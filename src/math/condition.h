// Outcomes of comparisons, for every scalar: what `select` takes, and what is stored where a choice is data.
#pragma once

#include "gyrostat/math/inline.h"

namespace gyrostat {

/// A bool that a vector holds as an array of its own.
struct Truth {
  bool is = false;

  Truth() = default;
  GYROSTAT_INLINE constexpr Truth(bool outcome) : is(outcome) {}  // NOLINT(google-explicit-constructor)
  GYROSTAT_INLINE constexpr operator bool() const { return is; }  // NOLINT(google-explicit-constructor)
};

template <class T>
struct ConditionOf {
  using type = Truth;
};

/// One outcome for a scalar; of a pack, one for each lane. Made of a bool, which is then that of every lane.
template <class T>
using Condition = typename ConditionOf<T>::type;

/// The choice between two values without a branch on the scalar: the name every scalar type answers to.
GYROSTAT_INLINE double select(bool condition, double yes, double no) { return condition ? yes : no; }

}  // namespace gyrostat
