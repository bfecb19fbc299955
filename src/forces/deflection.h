// Springs and dampers: their deflection, coefficient and energy, over any scalar.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "gyrostat/forces/actions.h"

namespace gyrostat {

template <class T>
T rest_of(const SpeedAction& action, std::span<const T> values) {
  return action.thermal == nothing ? T(action.rest) : values[action.thermal];
}

template <class T>
T at_deflection(const Actions& actions, const Instant<T>& instant, const DeflectionCoefficient& c,
                const T& deflection) {
  if (c.table < 0) return T(c.value);
  const Table& table = actions.tables[static_cast<std::size_t>(c.table)];
  return instant.segments.empty() ? lookup(table, deflection) : lookup(table, deflection, instant.segments[c.place]);
}

/// The line between the ends of a spring.
template <class T>
struct SpringLine {
  T distance{};       // [m]
  T rate{};           // of the distance [m/s]; zero without a direction
  Vec3<T> direction;  // from `from` to `to`, unit length; zero without a direction
};

template <class T>
SpringLine<T> spring_line(const SpringAction& spring, const Instant<T>& instant) {
  using std::sqrt;
  const Vec3<T> along =
      instant.position(spring.to.body, spring.to.point) - instant.position(spring.from.body, spring.from.point);
  SpringLine<T> line;
  line.distance = sqrt(dot(along, along));
  if (!(line.distance > 0.0)) return line;
  line.direction = (T(1.0) / line.distance) * along;
  line.rate = dot(line.direction, instant.velocity(spring.to.body, spring.to.point) -
                                      instant.velocity(spring.from.body, spring.from.point));
  return line;
}

/// Integral of k(x) x up to the deflection: exact for a constant and for tables, whose pieces are at most cubic.
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

template <class T>
T spring_energy(const Actions& actions, const DeflectionCoefficient& c, const T& deflection) {
  if (c.table < 0) return T(0.5 * c.value) * deflection * deflection;
  const Table& table = actions.tables[static_cast<std::size_t>(c.table)];
  if constexpr (std::is_same_v<T, double>) {
    return table_energy(table, deflection);
  } else {
    return chain(table_energy(table, deflection.value), table.at(deflection.value).value * deflection.value,
                 deflection);
  }
}

}  // namespace gyrostat
