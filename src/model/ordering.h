// What depends on what: an order in which everything comes after what it needs, or the cycles that forbid one.
#pragma once

#include <cstdint>
#include <vector>

namespace gyrostat {

struct Ordering {
  std::vector<std::uint32_t> order;  // dependencies first; complete, but not to be relied on within a cycle
  std::vector<std::vector<std::uint32_t>>
      cycles;  // each a chain in which every one needs the next and the last the first
};

/// `needs[i]` lists what i needs. Depth first, without recursion; cycles that share a member are reported once.
inline Ordering order_by_need(const std::vector<std::vector<std::uint32_t>>& needs) {
  enum class Mark : std::uint8_t { untouched, open, done, in_cycle };
  Ordering result;
  std::vector<Mark> marks(needs.size(), Mark::untouched);
  struct Visit {
    std::uint32_t node;
    std::size_t next;  // of its needs
  };
  std::vector<Visit> chain;
  for (std::uint32_t start = 0; start < needs.size(); ++start) {
    if (marks[start] != Mark::untouched) continue;
    chain.push_back({start, 0});
    marks[start] = Mark::open;
    while (!chain.empty()) {
      Visit& visit = chain.back();
      if (visit.next == needs[visit.node].size()) {
        if (marks[visit.node] == Mark::open) marks[visit.node] = Mark::done;
        result.order.push_back(visit.node);
        chain.pop_back();
        continue;
      }
      const std::uint32_t needed = needs[visit.node][visit.next++];
      if (marks[needed] == Mark::untouched) {
        marks[needed] = Mark::open;
        chain.push_back({needed, 0});
      } else if (marks[needed] == Mark::open) {
        std::vector<std::uint32_t> cycle;
        std::size_t first = chain.size() - 1;
        while (chain[first].node != needed) --first;
        for (std::size_t i = first; i < chain.size(); ++i) {
          cycle.push_back(chain[i].node);
          marks[chain[i].node] = Mark::in_cycle;
        }
        result.cycles.push_back(std::move(cycle));
      }
    }
  }
  return result;
}

}  // namespace gyrostat
