// Constraints as the equations of motion see them: rows, each one scalar equation s(q, t) = 0.
#pragma once

#include <array>
#include <vector>

#include "gyrostat/dynamics/forces.h"

namespace gyrostat {

/// Where rows act: on at most two bodies, or on speeds. The same for all evaluations.
struct RowStructure {
  /// A row acts on a speed: a coupling.
  struct SpeedTerm {
    std::uint32_t row = 0, u = 0;

    bool operator==(const SpeedTerm&) const = default;
  };

  std::vector<std::array<std::uint32_t, 2>> bodies;  // by row: the user's parent first; 0: the world, or none
  std::vector<SpeedTerm> terms;                      // in the order of their rows

  // Defined out of line: what is compiled for special processors must not copy or destroy vectors by code of its own.
  RowStructure();
  RowStructure(const RowStructure& other);
  RowStructure(RowStructure&& other) noexcept;
  RowStructure& operator=(const RowStructure& other);
  RowStructure& operator=(RowStructure&& other) noexcept;
  ~RowStructure();

  [[nodiscard]] std::size_t rows() const { return bodies.size(); }
  bool operator==(const RowStructure&) const = default;
};

/// A row at a state. With V_i = [w; v at the base point] of body i, world axes, and c_k the coefficients of its terms,
///   ds/dt = rate = on_bodies[0].V_a + on_bodies[1].V_b + sum c_k u_k - (rate that is given)             (J u - ...)
///   d2s/dt2 = acceleration                                                                       (J udot + bias - ...)
/// A multiplier lambda exerts lambda times on_bodies, and lambda times c_k on the speeds.
template <class T>
struct ConstraintRow {
  T residual{};                        // [m or rad]
  T rate{};                            // [m/s or rad/s]
  T acceleration{};                    // at the speeds' derivatives of the outward pass; where they are zero, the bias
  std::array<Wrench<T>, 2> on_bodies;  // torque about the base point and force, world axes
};

template <class T>
struct ConstraintRows {
  std::vector<ConstraintRow<T>> rows;
  std::vector<T> coefficients;  // by term of the structure
};

}  // namespace gyrostat
