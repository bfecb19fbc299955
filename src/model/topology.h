// From a list of joints in any order to a tree: which joint is inboard of which body, and which joints close loops.
#pragma once

#include <cstdint>
#include <vector>

#include "gyrostat/format/problem.h"
#include "gyrostat/model/names.h"

namespace gyrostat {

/// If no joint reaches the world, the first body gets a free joint `base`. False, and reported, if a joint has that
/// name.
bool add_base(Description& description, Problems& problems);

/// The spanning tree. Entry i describes body i of the System: 0 is the world, parents come before children, and the
/// bodies outboard of body i follow it without a gap (depth first).
struct Topology {
  struct Entry {
    std::uint32_t body = 0;    // in the description
    std::uint32_t joint = 0;   // its inboard joint, in the description
    std::uint32_t parent = 0;  // in this list
    bool reversed = false;     // the user's child is the inboard body
  };
  std::vector<Entry> entries;          // entry 0 stands for the world
  std::vector<std::uint32_t> closing;  // joints that close loops, in the description; gear and distance among them

  /// Why a joint that closes a loop was chosen: "it is marked `cut`", "it locks the fewest directions".
  std::vector<std::string> why;  // in the same order; empty for gears and distances
};

/// Of the joints of a loop, one becomes a constraint: the one marked `cut`, else one whose coordinates nothing in the
/// model refers to, and of those the one that locks the fewest directions; of equal ones, the one that makes the tree
/// shallow. Bodies that no joint connects with the world are reported. Joints whose bodies do not exist are passed
/// over.
Topology find_topology(const Description& description, const Names& names, Problems& problems);

}  // namespace gyrostat
