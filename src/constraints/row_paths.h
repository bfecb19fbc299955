// Where the columns of a row run through the tree.
#pragma once

#include <vector>

#include "gyrostat/dynamics/constraint_rows.h"
#include "gyrostat/dynamics/mechanism.h"

namespace gyrostat {

struct RowPath {
  std::vector<std::uint32_t>
      starts;              // bodies whose columns begin here: those it acts on, or whose joint or wheel it does
  std::uint32_t home = 0;  // the innermost body that all its parts are outboard of, or it is one of; 0: the world
};

inline std::uint32_t nearest_common_ancestor(const Mechanism& mechanism, std::uint32_t a, std::uint32_t b) {
  while (a != b) {  // a parent has the smaller number
    std::uint32_t& outer = a > b ? a : b;
    outer = mechanism.links[outer].parent;
  }
  return a;
}

/// By speed: the body that its joint or wheel belongs to, and whether it is a wheel's.
struct SpeedOwner {
  std::uint32_t body = 0;
  bool wheel = false;
};
std::vector<SpeedOwner> owners_of_speeds(const Mechanism& mechanism);

/// By row.
std::vector<RowPath> find_paths(const Mechanism& mechanism, const RowStructure& structure);

}  // namespace gyrostat
