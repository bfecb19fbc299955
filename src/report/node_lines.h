// The nodes of a flexible body as they are drawn: some or all of them, and lines between neighbours.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "gyrostat/flexible/flexible_data.h"

namespace gyrostat::report {

inline constexpr std::size_t most_drawn_nodes = 600;  // of a body

struct NodeLines {
  std::vector<std::size_t> nodes;                              // of the data, ascending
  std::vector<std::pair<std::uint32_t, std::uint32_t>> lines;  // places in `nodes`
};

/// Are there two nodes at different places, so that lines can be drawn?
bool has_node_lines(const FlexibleData& data);

/// Of nodes at one place one is drawn, a wanted one if there is one; of too many those that are far from each other.
/// Two nodes are neighbours if no third one is nearer to both than they are to each other (the relative neighbourhood
/// graph): along a beam a chain, in a rectangular mesh its edges. All nodes hang together.
NodeLines node_lines(const FlexibleData& data, const std::vector<std::size_t>& wanted);

}  // namespace gyrostat::report
