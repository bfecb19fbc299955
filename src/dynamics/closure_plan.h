// How the articulated-body recursion solves for constraints: which rows are kept, and at which body each is eliminated.
// Integers only, made beforehand (constraints/plan.h) and shared by all scalars, so that the recursion has no branch on
// a value. docs/theory/closures.md has the equations.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace gyrostat {

/// A row is open on the bodies from those it acts on up to, and not including, the one where it is eliminated; a body
/// has a column for each row that is open on it or eliminated there.
struct ClosurePlan {
  static constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

  struct Column {
    std::uint32_t kept = 0;          // of which of the kept rows
    std::uint32_t at_parent = none;  // its column at the parent; none: the parent is the world
  };
  /// A row acts on a body.
  struct End {
    std::uint32_t column = 0, row = 0, side = 0;
  };
  /// A row acts on a speed: of a joint, by a column that it passes on; of a wheel, by any column of its body.
  struct Term {
    std::uint32_t column = 0;  // counted from the body's first
    std::uint32_t term = 0;    // of the RowStructure
  };
  /// A row that is coupled to one that is eliminated.
  struct Neighbour {
    std::uint32_t kept = 0, column = none, slot = 0;
  };
  struct Elimination {
    std::uint32_t kept = 0, column = none, diagonal = 0;
    std::uint32_t neighbours = 0, count = 0;  // where its neighbours begin, and how many they are
    std::uint32_t pairs = 0;                  // where the slots of their pairs begin: (0,0) (1,0) (1,1) (2,0) ...
  };
  struct Node {
    std::uint32_t column = 0, passed = 0;  // where its columns begin, and how many of them it passes on: the first ones
    std::uint32_t slots = 0;               // where the slots of their pairs begin, in the same order
    std::uint32_t G = 0;                   // where the products with the joint's columns begin: `passed` for each speed
    std::uint32_t ends = 0, ends_end = 0;
    std::uint32_t eliminations = 0, eliminations_end = 0;
  };

  /// Of a flexible body: the columns of its own that come from its nodes, coupled by its modes.
  struct Modal {
    std::uint32_t columns = 0, count = 0;  // where they begin in modal_columns, and how many they are
    std::uint32_t slots = 0;               // where the slots of their pairs begin in modal_slots
    std::uint32_t G = 0, N = 0;            // where their products with the modes begin, and with the loaded nodes
  };

  // --- what was chosen -----------------------------------------------------------------------------------------------

  std::vector<std::uint32_t> node_of;  // by row: the body where it is eliminated, 0 the world; none: it is redundant
  std::vector<double> scale;           // by row: the size of its pivot if its bodies were alone [1/kg or 1/(kg m^2)]

  // --- what follows --------------------------------------------------------------------------------------------------

  std::vector<std::uint32_t> kept;    // rows
  std::vector<double> inverse_scale;  // by kept row
  std::vector<Node> nodes;            // by body
  std::vector<Column> columns;
  std::vector<std::uint32_t> pair_slots;  // of the columns that a body passes on
  std::vector<End> ends;
  std::vector<std::uint32_t> first_term;  // by speed, and one more
  std::vector<Term> terms;
  std::vector<Elimination> eliminations;
  std::vector<Neighbour> neighbours;
  std::vector<std::uint32_t> neighbour_slots;   // of pairs of neighbours
  std::vector<std::uint32_t> wheel_slots;       // of pairs of the terms of a wheel, from first_wheel_slot on
  std::vector<std::uint32_t> first_wheel_slot;  // by speed; those of joints are not used
  std::vector<Modal> modal;                     // by flexible body
  std::vector<std::uint32_t> modal_columns, modal_slots;
  std::size_t slots = 0, products = 0;                // how many numbers L and G have
  std::size_t modal_products = 0, node_products = 0;  // and those of flexible bodies

  [[nodiscard]] bool empty() const { return kept.empty(); }
};

}  // namespace gyrostat
