// What depends on what: an order in which everything comes after what it needs, or the cycles that forbid one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gyrostat {

struct Ordering {
  std::vector<std::uint32_t> order;  // dependencies first; complete, but not to be relied on within a cycle
  std::vector<std::vector<std::uint32_t>>
      cycles;  // each a chain in which every one needs the next and the last the first
};

/// `needs[i]` lists what i needs. Depth first, without recursion. Nothing is in two of the cycles: of those that share
/// a member, one is reported. Linear in time and memory.
inline Ordering order_by_need(const std::vector<std::vector<std::uint32_t>>& needs) {
  enum class Mark : std::uint8_t { untouched, open, done };
  Ordering result;
  std::vector<Mark> marks(needs.size(), Mark::untouched);
  std::vector<std::size_t> place(needs.size(), 0);  // of an open one in the chain, from 1
  struct Visit {
    std::uint32_t node;
    std::size_t next = 0;      // of its needs
    std::size_t in_cycle = 0;  // the last place in the chain, up to here, that is in a cycle
  };
  std::vector<Visit> chain;
  const auto enter = [&](std::uint32_t node) {
    marks[node] = Mark::open;
    chain.push_back({node, 0, chain.empty() ? 0 : chain.back().in_cycle});
    place[node] = chain.size();
  };
  for (std::uint32_t start = 0; start < needs.size(); ++start) {
    if (marks[start] != Mark::untouched) continue;
    enter(start);
    while (!chain.empty()) {
      Visit& visit = chain.back();
      if (visit.next == needs[visit.node].size()) {
        marks[visit.node] = Mark::done;
        result.order.push_back(visit.node);
        chain.pop_back();
        continue;
      }
      const std::uint32_t needed = needs[visit.node][visit.next++];
      if (marks[needed] == Mark::untouched) {
        enter(needed);
      } else if (marks[needed] == Mark::open && visit.in_cycle < place[needed]) {
        std::vector<std::uint32_t> cycle;
        for (std::size_t i = place[needed]; i <= chain.size(); ++i) {
          cycle.push_back(chain[i - 1].node);
          chain[i - 1].in_cycle = i;
        }
        result.cycles.push_back(std::move(cycle));
      }
    }
  }
  return result;
}

/// "a -> b -> c -> a", the middle of a very long cycle left out. `name_of(i)` is the name of number i.
template <class NameOf>
std::string cycle_text(const std::vector<std::uint32_t>& cycle, NameOf name_of) {
  constexpr std::size_t most = 20;
  std::string text;
  for (std::size_t k = 0; k < cycle.size() && k < most; ++k) text += name_of(cycle[k]) + " -> ";
  if (cycle.size() > most) text += "... -> ";
  return text + name_of(cycle.front());
}

}  // namespace gyrostat
