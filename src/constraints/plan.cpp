#include "gyrostat/constraints/plan.h"

#include <algorithm>
#include <map>
#include <set>

#include "gyrostat/constraints/row_paths.h"

namespace gyrostat {

namespace {

constexpr std::uint32_t none = ClosurePlan::none;

/// The columns of every body: those it passes on first.
struct Columns {
  std::vector<std::vector<std::uint32_t>> passed, eliminated;  // by body: kept rows

  Columns(const Mechanism& mechanism, const std::vector<RowPath>& paths, const ClosurePlan& plan)
      : passed(mechanism.links.size()), eliminated(mechanism.links.size()) {
    for (std::uint32_t k = 0; k < plan.kept.size(); ++k) {
      const std::uint32_t node = plan.node_of[plan.kept[k]];
      if (node != 0) eliminated[node].push_back(k);
      for (std::uint32_t body : paths[plan.kept[k]].starts) {
        for (; body != node; body = mechanism.links[body].parent) {
          if (!passed[body].empty() && passed[body].back() == k) break;  // two parts of the row have met
          passed[body].push_back(k);
        }
      }
    }
  }

  /// Where a row's column is among those of its body.
  [[nodiscard]] std::uint32_t place(std::uint32_t body, std::uint32_t kept) const {
    const auto in = std::ranges::find(passed[body], kept);
    if (in != passed[body].end()) return static_cast<std::uint32_t>(in - passed[body].begin());
    const auto& list = eliminated[body];
    return static_cast<std::uint32_t>(passed[body].size() +
                                      static_cast<std::size_t>(std::ranges::find(list, kept) - list.begin()));
  }
};

/// Which rows are coupled in L, and where their numbers are.
class Coupled {
 public:
  explicit Coupled(std::size_t rows) : neighbours_(rows) {}

  std::uint32_t slot(std::uint32_t a, std::uint32_t b) {
    if (a != b) neighbours_[a].insert(b), neighbours_[b].insert(a);
    const auto [at, is_new] = slots_.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(slots_.size()));
    return at->second;
  }
  void remove(std::uint32_t a) {
    for (const std::uint32_t b : neighbours_[a]) neighbours_[b].erase(a);
  }
  [[nodiscard]] const std::set<std::uint32_t>& neighbours(std::uint32_t a) const { return neighbours_[a]; }
  [[nodiscard]] std::size_t slots() const { return slots_.size(); }

 private:
  std::vector<std::set<std::uint32_t>> neighbours_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> slots_;
};

/// The eliminations at a body: those with the fewest neighbours first.
void add_eliminations(std::uint32_t body, std::vector<std::uint32_t> rows, const Columns& columns, Coupled& coupled,
                      ClosurePlan& plan) {
  ClosurePlan::Node& node = plan.nodes[body];
  const auto column_of = [&](std::uint32_t kept) { return body == 0 ? none : node.column + columns.place(body, kept); };
  node.eliminations = static_cast<std::uint32_t>(plan.eliminations.size());
  while (!rows.empty()) {
    const auto least =
        std::ranges::min_element(rows, {}, [&](std::uint32_t k) { return coupled.neighbours(k).size(); });
    const std::uint32_t k = *least;
    rows.erase(least);
    ClosurePlan::Elimination e{k,
                               column_of(k),
                               coupled.slot(k, k),
                               static_cast<std::uint32_t>(plan.neighbours.size()),
                               0,
                               static_cast<std::uint32_t>(plan.neighbour_slots.size())};
    const std::vector<std::uint32_t> around(coupled.neighbours(k).begin(), coupled.neighbours(k).end());
    e.count = static_cast<std::uint32_t>(around.size());
    for (std::size_t a = 0; a < around.size(); ++a) {
      plan.neighbours.push_back({around[a], column_of(around[a]), coupled.slot(k, around[a])});
      for (std::size_t b = 0; b <= a; ++b) plan.neighbour_slots.push_back(coupled.slot(around[a], around[b]));
    }
    coupled.remove(k);
    plan.eliminations.push_back(e);
  }
  node.eliminations_end = static_cast<std::uint32_t>(plan.eliminations.size());
}

void add_pairs(const std::vector<std::uint32_t>& rows, Coupled& coupled, std::vector<std::uint32_t>& slots) {
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) slots.push_back(coupled.slot(rows[a], rows[b]));
  }
}

/// The columns that the nodes of a flexible body pass to it are coupled by its modes.
void add_modal(const Mechanism& mechanism, std::uint32_t body, const Columns& columns, Coupled& coupled,
               ClosurePlan& plan) {
  const FlexibleStructure& flexible = mechanism.flexible[mechanism.links[body].flexible];
  ClosurePlan::Modal& modal = plan.modal[mechanism.links[body].flexible];
  std::set<std::uint32_t> rows;
  for (std::uint32_t t = flexible.first_node; t < flexible.first_node + flexible.nodes; ++t) {
    const std::vector<std::uint32_t>& passed = columns.passed[mechanism.modal_nodes[t].body];
    rows.insert(passed.begin(), passed.end());
  }
  modal.columns = static_cast<std::uint32_t>(plan.modal_columns.size());
  modal.count = static_cast<std::uint32_t>(rows.size());
  modal.slots = static_cast<std::uint32_t>(plan.modal_slots.size());
  modal.G = static_cast<std::uint32_t>(plan.modal_products);
  modal.N = static_cast<std::uint32_t>(plan.node_products);
  for (const std::uint32_t row : rows) plan.modal_columns.push_back(plan.nodes[body].column + columns.place(body, row));
  add_pairs({rows.begin(), rows.end()}, coupled, plan.modal_slots);
  plan.modal_products += rows.size() * flexible.modes;
  plan.node_products += rows.size() * 6 * flexible.loaded;
}

}  // namespace

ClosurePlan make_plan(const Mechanism& mechanism, const RowStructure& structure,
                      const std::vector<std::uint32_t>& node_of, const std::vector<double>& scale) {
  const auto count = static_cast<std::uint32_t>(mechanism.links.size());
  const std::vector<RowPath> paths = find_paths(mechanism, structure);
  ClosurePlan plan;
  plan.node_of = node_of;
  plan.scale = scale;
  std::vector<std::uint32_t> kept_of(node_of.size(), none);
  for (std::uint32_t r = 0; r < node_of.size(); ++r) {
    if (node_of[r] == none) continue;
    kept_of[r] = static_cast<std::uint32_t>(plan.kept.size());
    plan.kept.push_back(r);
    plan.inverse_scale.push_back(1 / scale[r]);
  }
  plan.nodes.resize(count);
  plan.modal.resize(mechanism.flexible.size());
  const Columns columns(mechanism, paths, plan);
  for (std::uint32_t i = 1; i < count; ++i) {
    ClosurePlan::Node& node = plan.nodes[i];
    node.column = static_cast<std::uint32_t>(plan.columns.size());
    node.passed = static_cast<std::uint32_t>(columns.passed[i].size());
    node.G = static_cast<std::uint32_t>(plan.products);
    if (mechanism.links[i].motion != JointMotion::modal)
      plan.products += std::size_t{mechanism.links[i].nu} * node.passed;
    const std::uint32_t parent = mechanism.links[i].parent;
    for (const std::uint32_t k : columns.passed[i]) {  // the parent has a smaller number: its columns are there
      plan.columns.push_back({k, parent == 0 ? none : plan.nodes[parent].column + columns.place(parent, k)});
    }
    for (const std::uint32_t k : columns.eliminated[i]) plan.columns.push_back({k, none});
    node.ends = static_cast<std::uint32_t>(plan.ends.size());
    for (std::uint32_t c = node.column; c < plan.columns.size(); ++c) {
      const std::uint32_t row = plan.kept[plan.columns[c].kept];
      for (std::uint32_t side = 0; side < 2; ++side) {
        if (structure.bodies[row][side] == i) plan.ends.push_back({c, row, side});
      }
    }
    node.ends_end = static_cast<std::uint32_t>(plan.ends.size());
  }
  const std::vector<SpeedOwner> owners = owners_of_speeds(mechanism);
  std::vector<std::vector<ClosurePlan::Term>> terms(mechanism.nu);
  for (std::uint32_t t = 0; t < structure.terms.size(); ++t) {
    const RowStructure::SpeedTerm& term = structure.terms[t];
    if (kept_of[term.row] == none) continue;
    terms[term.u].push_back({columns.place(owners[term.u].body, kept_of[term.row]), t});
  }
  for (const auto& list : terms) {
    plan.first_term.push_back(static_cast<std::uint32_t>(plan.terms.size()));
    plan.terms.insert(plan.terms.end(), list.begin(), list.end());
  }
  plan.first_term.push_back(static_cast<std::uint32_t>(plan.terms.size()));

  // In the order of the recursion: which pairs of rows are coupled when.
  Coupled coupled(plan.kept.size());
  plan.first_wheel_slot.resize(mechanism.nu);
  for (std::uint32_t i = count - 1; i > 0; --i) {
    for (std::uint32_t n = mechanism.wheel_of[i]; n < mechanism.wheel_of[i + 1]; ++n) {
      const std::uint32_t u = mechanism.wheels[n].u;
      plan.first_wheel_slot[u] = static_cast<std::uint32_t>(plan.wheel_slots.size());
      std::vector<std::uint32_t> rows;
      for (const ClosurePlan::Term& term : terms[u])
        rows.push_back(plan.columns[plan.nodes[i].column + term.column].kept);
      add_pairs(rows, coupled, plan.wheel_slots);
    }
    if (mechanism.links[i].flexible != LinkStructure::none) add_modal(mechanism, i, columns, coupled, plan);
    add_eliminations(i, columns.eliminated[i], columns, coupled, plan);
    if (mechanism.links[i].motion == JointMotion::modal) continue;  // its columns are coupled at its parent
    plan.nodes[i].slots = static_cast<std::uint32_t>(plan.pair_slots.size());
    add_pairs(columns.passed[i], coupled, plan.pair_slots);
  }
  std::vector<std::uint32_t> at_world;
  for (std::uint32_t k = 0; k < plan.kept.size(); ++k) {
    if (node_of[plan.kept[k]] == 0) at_world.push_back(k);
  }
  add_eliminations(0, at_world, columns, coupled, plan);
  plan.slots = coupled.slots();
  return plan;
}

}  // namespace gyrostat
