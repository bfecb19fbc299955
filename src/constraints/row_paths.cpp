#include "gyrostat/constraints/row_paths.h"

#include <algorithm>

namespace gyrostat {

std::vector<SpeedOwner> owners_of_speeds(const Mechanism& mechanism) {
  std::vector<SpeedOwner> owners(mechanism.nu);
  for (std::uint32_t i = 1; i < mechanism.links.size(); ++i) {
    const Link& link = mechanism.links[i];
    for (std::uint32_t k = link.u; k < link.u + link.nu; ++k) owners[k] = {i, false};
  }
  for (const WheelLink& wheel : mechanism.wheels) owners[wheel.u] = {wheel.body, true};
  return owners;
}

std::vector<RowPath> find_paths(const Mechanism& mechanism, const RowStructure& structure) {
  const std::vector<SpeedOwner> owners = owners_of_speeds(mechanism);
  std::vector<RowPath> paths(structure.rows());
  std::vector<std::vector<std::uint32_t>> parts(structure.rows());  // their nearest common ancestor is the home
  for (std::size_t r = 0; r < paths.size(); ++r) {
    const auto [a, b] = structure.bodies[r];
    if (a == 0 && b == 0) continue;
    parts[r] = {a, b};
    for (const std::uint32_t body : {a, b}) {
      if (body != 0) paths[r].starts.push_back(body);
    }
  }
  for (const RowStructure::SpeedTerm& term : structure.terms) {
    const SpeedOwner& owner = owners[term.u];
    paths[term.row].starts.push_back(owner.body);
    parts[term.row].push_back(owner.wheel ? owner.body : mechanism.links[owner.body].parent);
  }
  for (std::size_t r = 0; r < paths.size(); ++r) {
    std::vector<std::uint32_t>& starts = paths[r].starts;
    std::ranges::sort(starts);
    starts.erase(std::unique(starts.begin(), starts.end()), starts.end());
    if (parts[r].empty()) continue;
    std::uint32_t home = parts[r].front();
    for (const std::uint32_t part : parts[r]) home = nearest_common_ancestor(mechanism, home, part);
    paths[r].home = home;
  }
  return paths;
}

}  // namespace gyrostat
