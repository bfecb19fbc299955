// How many ways a system with constraints can move, counted twice: by numbers of equations, and by their rank.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "gyrostat/constraints/constraints.h"
#include "gyrostat/model/system.h"

namespace gyrostat {

struct Redundant {
  std::string constraint;
  std::size_t rows = 0;  // of it that depend on others
  bool operator==(const Redundant&) const = default;
};

/// By the bodies where rows are eliminated, as ClosureChoice and ClosurePlan have them: constraints with redundant
/// rows.
std::vector<Redundant> find_redundant(const System& system, const RowLists& constraints,
                                      const std::vector<std::uint32_t>& node_of);

/// "3 of 'wrist', 2 of 'pin'"; of more than `most`, how many more there are.
std::string text_of(const std::vector<Redundant>& redundant,
                    std::size_t most = std::numeric_limits<std::size_t>::max());

struct Mobility {
  std::size_t free = 0;              // speeds of the tree that the equations of motion decide
  std::size_t rows = 0, rank = 0;    // of the constraints
  std::vector<Redundant> redundant;  // constraints of which rows depend on others
  double residual = 0;               // of the constraints, after the least change of the initial coordinates
  std::string open;                  // the constraint that cannot be closed, or empty

  /// Gruebler's count.
  [[nodiscard]] long counted() const { return static_cast<long>(free) - static_cast<long>(rows); }
  [[nodiscard]] std::size_t by_rank() const { return free - rank; }
};

/// At the initial configuration, with the loops closed.
Mobility find_mobility(const System& system);

}  // namespace gyrostat
