// What force elements have in common. A kind of element is a file with a struct of its structure and a struct template
// on the type C of its numbers:
//
//   make(description, context)         from the model
//   apply(instant, values, forces)     adds what it exerts
//   power(instant, values)             that enters the system; what changes kinetic into potential energy is left out
//   potential(instant, values, tables) if it has a potential energy
//   for_numbers(visit, e...)           calls `visit` with each number of an element and those of others in the same
//                                      place
//   outputs()                          if it has columns of its own in results
//
// and a line in the list of elements.h. In these functions: no branch on a value of T, no allocation.
#pragma once

#include <algorithm>
#include <cmath>
#include <string_view>
#include <tuple>
#include <utility>

#include "gyrostat/forces/context.h"
#include "gyrostat/forces/instant.h"

namespace gyrostat {

/// What an element is apart from its numbers, which lanes of a pack share. `tie` lists all of it.
struct ElementStructure {
  std::uint32_t source = 0;  // which entry of the ledger the element's work belongs to

  [[nodiscard]] auto tie() const { return std::tie(source); }
};

/// A column of results: the value in one slot, times that in another if there is one.
struct ElementOutput {
  std::string_view name, unit, description;
  Slot value = no_slot, factor = no_slot;
  bool peak = true;  // of those since the last record, the largest is recorded
};

/// Integral of k(x) x up to the deflection: exact, since pieces of a table are at most cubic.
inline double table_energy(const Table& table, double deflection) {
  // From zero, or from where the table begins to answer.
  const double first =
      table.outside() == Outside::error ? std::clamp(0.0, table.knots().front(), table.knots().back()) : 0;
  const double low = std::min(first, deflection), high = std::max(first, deflection);
  const auto piece = [&](double from, double to) {  // Gauss-Legendre, three points
    const double middle = (from + to) / 2, half = (to - from) / 2;
    double sum = 0;
    for (const auto& [node, weight] :
         {std::pair{0.0, 8.0 / 9}, {std::sqrt(0.6), 5.0 / 9}, {-std::sqrt(0.6), 5.0 / 9}}) {
      const double x = middle + half * node;
      sum += half * weight * table.at(x).value * x;
    }
    return sum;
  };
  double energy = 0, from = low;
  for (const double knot : table.knots()) {
    if (knot <= low || knot >= high) continue;
    energy += piece(from, knot);
    from = knot;
  }
  energy += piece(from, high);
  return deflection < first ? -energy : energy;
}

template <std::size_t N>
Dual<N> table_energy(const Table& table, const Dual<N>& x) {
  return chain(table_energy(table, x.value), table.at(x.value).value * x.value, x);
}
template <std::size_t N>
Pack<N> table_energy(const Table& table, const Pack<N>& x) {
  return by_lane(x, [&](double value) { return table_energy(table, value); });
}

/// A stiffness that is a table of the deflection. Its force -k(x) x is computed with the signals, so that its knots are
/// events as those of every table.
struct TableSpring {
  std::int32_t table = -1;  // negative: there is none
  Slot force = no_slot;

  template <class T>
  [[nodiscard]] T energy(std::span<const Table> tables, const T& deflection) const {
    return table < 0 ? T(0.0) : table_energy(tables[static_cast<std::size_t>(table)], deflection);
  }
};

}  // namespace gyrostat
