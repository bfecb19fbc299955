#include "gyrostat/model/topology.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <tuple>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/format/structure.h"
#include "gyrostat/model/expressions.h"

namespace gyrostat {

namespace {

/// Sets of connected nodes, merged as joints are taken.
class Components {
 public:
  explicit Components(std::size_t count) : root_(count) { std::iota(root_.begin(), root_.end(), 0U); }

  std::uint32_t find(std::uint32_t node) {
    while (root_[node] != node) node = root_[node] = root_[root_[node]];
    return node;
  }
  /// False if they were connected already.
  bool join(std::uint32_t a, std::uint32_t b) {
    a = find(a), b = find(b);
    if (a == b) return false;
    root_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  std::vector<std::uint32_t> root_;
};

/// Node 0 is the world, node i + 1 the body i of the description.
std::optional<std::uint32_t> node_named(const Names& names, std::string_view name) {
  if (name == "world") return 0;
  const auto body = names.body(name);
  return body ? std::optional(*body + 1) : std::nullopt;
}

struct Edge {
  std::uint32_t joint, parent, child;  // the user's parent and child, as nodes
};

/// The neighbours of each node along tree joints, in the order of the joints, in one array.
struct Neighbours {
  std::vector<std::uint32_t> begin;
  std::vector<const Edge*> edges;

  Neighbours(std::size_t nodes, const std::vector<Edge>& tree) : begin(nodes + 1, 0), edges(2 * tree.size()) {
    for (const Edge& e : tree) ++begin[e.parent + 1], ++begin[e.child + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
    for (const Edge& e : tree) {
      edges[next[e.parent]++] = &e;
      edges[next[e.child]++] = &e;
    }
  }
};

/// Depth first from the world, without recursion.
std::vector<Topology::Entry> depth_first(std::size_t nodes, const std::vector<Edge>& tree) {
  const Neighbours neighbours(nodes, tree);
  std::vector<Topology::Entry> entries;
  entries.reserve(nodes);
  entries.emplace_back();
  struct Visit {
    std::uint32_t node, parent_node, parent_entry;
    const Edge* edge;
  };
  std::vector<Visit> stack = {{0, 0, 0, nullptr}};
  while (!stack.empty()) {
    const Visit visit = stack.back();
    stack.pop_back();
    std::uint32_t entry = 0;
    if (visit.edge != nullptr) {
      entry = static_cast<std::uint32_t>(entries.size());
      entries.push_back(
          {visit.node - 1, visit.edge->joint, visit.parent_entry, visit.edge->child == visit.parent_node});
    }
    for (std::uint32_t i = neighbours.begin[visit.node + 1]; i-- > neighbours.begin[visit.node];) {
      const Edge* edge = neighbours.edges[i];
      if (edge == visit.edge) continue;
      stack.push_back({edge->parent == visit.node ? edge->child : edge->parent, visit.node, entry, edge});
    }
  }
  return entries;
}

/// What keeps a joint in the tree: something that refers to its coordinates, by field or by name; or nothing.
std::vector<std::string> coordinates_needed(const Description& description, const Names& names) {
  std::vector<std::string> needed(description.joints.size());
  const auto need = [&](std::optional<std::uint32_t> joint, std::string why) {
    if (joint && needed[*joint].empty()) needed[*joint] = std::move(why);
  };
  const auto need_named = [&](const std::string& name, const std::string& why) {
    const auto answer = names.resolve(name);
    const auto* reference = std::get_if<Reference>(&answer);
    if (reference == nullptr) return;
    const bool joint =
        reference->quantity == Quantity::joint_coordinate || reference->quantity == Quantity::joint_speed;
    if (joint) need(reference->object, why);
  };
  for (std::uint32_t j = 0; j < description.joints.size(); ++j) {
    const JointDescription& joint = description.joints[j];
    if (!joint.stiffness.empty()) need(j, "its 'stiffness'");
    if (!joint.damping.empty()) need(j, "its 'damping'");
    if (!joint.torque.empty()) need(j, "its 'torque'");
    if (!joint.axis_torque.empty()) need(j, "its 'axis_torque'");
    if (joint.prescribed.kind != Prescribed::Kind::none) need(j, "its 'prescribed'");
    if (joint.latch) need(j, "its 'latch'");
    if (joint.friction) need(j, "its 'friction'");
    if (joint.stops) need(j, "its 'stops'");
    for (const std::string& geared : joint.geared) {
      if (joint.type == JointType::gear) need(names.joint(geared), fmt::format("the gear '{}'", joint.name));
    }
  }
  for (const ConstraintDescription& constraint : description.constraints) {
    const std::string why = fmt::format("the constraint '{}'", constraint.name);
    if (const auto* one = std::get_if<CoordinateRelation>(&constraint.relation)) need_named(one->coordinate, why);
    if (const auto* several = std::get_if<CouplingRelation>(&constraint.relation)) {
      for (const auto& [name, coefficient] : several->coupling) need_named(name, why);
    }
  }
  for (const ExpressionAt& at : all_expressions(description)) {
    for (const std::string& name : at.expression->names) need_named(name, at.path);
  }
  for (const std::string& name : description.output.record.value_or(std::vector<std::string>())) {
    need_named(name, "output.record");
  }
  for (const auto& [joint, coordinates] : description.simulation.about) need(names.joint(joint), "simulation.about");
  return needed;
}

/// How many directions a joint locks.
std::size_t locked_directions(const JointDescription& joint) {
  return joint.locked ? 6 : 6 - speed_names(joint.type, joint.translations.size(), joint.rotations.size()).size();
}

/// Number of joints from the world, by node.
std::vector<std::uint32_t> distances(std::size_t nodes, const std::vector<Edge>& edges) {
  const Neighbours neighbours(nodes, edges);
  std::vector<std::uint32_t> distance(nodes, std::numeric_limits<std::uint32_t>::max());
  std::vector<std::uint32_t> open = {0};
  distance[0] = 0;
  for (std::size_t k = 0; k < open.size(); ++k) {
    const std::uint32_t node = open[k];
    for (std::uint32_t i = neighbours.begin[node]; i < neighbours.begin[node + 1]; ++i) {
      const Edge& edge = *neighbours.edges[i];
      const std::uint32_t other = edge.parent == node ? edge.child : edge.parent;
      if (distance[other] != std::numeric_limits<std::uint32_t>::max()) continue;
      distance[other] = distance[node] + 1;
      open.push_back(other);
    }
  }
  return distance;
}

/// The names of the joints on the tree's path between two nodes, the longer paths abbreviated.
std::string path_between(std::uint32_t a, std::uint32_t b, const Topology& topology, const Description& description) {
  std::vector<std::uint32_t> entry_of(description.bodies.size() + 1, 0);
  for (std::uint32_t i = 1; i < topology.entries.size(); ++i) entry_of[topology.entries[i].body + 1] = i;
  std::uint32_t i = entry_of[a], k = entry_of[b];
  std::vector<std::string_view> from_a, from_b;
  while (i != k) {  // a parent has the smaller number
    std::uint32_t& outer = i > k ? i : k;
    (i > k ? from_a : from_b).push_back(description.joints[topology.entries[outer].joint].name);
    outer = topology.entries[outer].parent;
  }
  from_a.insert(from_a.end(), from_b.rbegin(), from_b.rend());
  constexpr std::size_t most = 8;
  if (from_a.size() <= most) return fmt::format("{}", fmt::join(from_a, ", "));
  return fmt::format("{}, ... ({} joints)", fmt::join(from_a.begin(), from_a.begin() + most, ", "), from_a.size());
}

/// Are the ends of a joint connected without it?
bool is_in_loop(std::size_t nodes, const std::vector<Edge>& edges, const Edge& joint) {
  Components components(nodes);
  for (const Edge& edge : edges) {
    if (edge.joint != joint.joint) components.join(edge.parent, edge.child);
  }
  return components.find(joint.parent) == components.find(joint.child);
}

}  // namespace

bool add_base(Description& description, Problems& problems) {
  if (description.bodies.empty()) return true;
  const JointDescription* taken = nullptr;
  for (const JointDescription& joint : description.joints) {
    if (is_loop_constraint(joint.type)) continue;
    if (joint.parent == "world" || joint.child == "world") return true;
    if (joint.name == "base") taken = &joint;
  }
  if (taken != nullptr) {
    problems.error("joints.base",
                   fmt::format("no joint reaches world, and the joint that would is called 'base'; this one connects "
                               "'{}' and '{}': give it another name, or let its parent be world",
                               taken->parent, taken->child));
    return false;
  }
  JointDescription base;
  base.name = "base";
  base.type = JointType::free;
  base.parent = "world";
  base.child = description.bodies.front().name;
  complete(base);
  description.joints.insert(description.joints.begin(), std::move(base));
  return true;
}

Topology find_topology(const Description& description, const Names& names, Problems& problems) {
  const std::size_t nodes = description.bodies.size() + 1;
  std::vector<Edge> candidates, closing, tree;
  Topology topology;
  bool all_known = true;
  for (std::uint32_t j = 0; j < description.joints.size(); ++j) {
    const JointDescription& joint = description.joints[j];
    const auto parent = node_named(names, joint.parent), child = node_named(names, joint.child);
    if (is_loop_constraint(joint.type)) {
      topology.closing.push_back(j);
      continue;
    }
    all_known = all_known && parent && child;
    if (parent && child && *parent != *child) {
      candidates.push_back({j, *parent, *child});
    }
  }
  // Those that come first are in the tree.
  const std::vector<std::string> needed = candidates.size() < nodes
                                              ? std::vector<std::string>(description.joints.size())
                                              : coordinates_needed(description, names);
  const std::vector<std::uint32_t> distance = distances(nodes, candidates);
  const auto rank = [&](const Edge& e) {
    const JointDescription& joint = description.joints[e.joint];
    return std::tuple(joint.cut, needed[e.joint].empty(), 6 - locked_directions(joint),
                      std::min(distance[e.parent], distance[e.child]));
  };
  std::ranges::stable_sort(candidates, {}, rank);

  Components components(nodes);
  for (const Edge& edge : candidates) {
    const bool cut = description.joints[edge.joint].cut;
    if (components.join(edge.parent, edge.child)) {
      tree.push_back(edge);
      if (cut)
        problems.error(fmt::format("joints.{}.cut", description.joints[edge.joint].name),
                       !problems.full() && is_in_loop(nodes, candidates, edge)
                           ? "the loop is cut at another joint already; mark one joint of a loop"
                           : "the joint is not part of a loop");
    } else {
      closing.push_back(edge);
    }
  }
  std::sort(tree.begin(), tree.end(), [](const Edge& a, const Edge& b) { return a.joint < b.joint; });
  topology.entries = depth_first(nodes, tree);

  std::ranges::sort(closing, {}, &Edge::joint);
  std::map<std::uint32_t, std::string> why;
  for (const Edge& edge : closing) {
    const JointDescription& joint = description.joints[edge.joint];
    topology.closing.push_back(edge.joint);
    const bool reached = components.find(edge.parent) == components.find(0);
    const std::string others =
        reached && !problems.full() ? path_between(edge.parent, edge.child, topology, description) : std::string();
    why[edge.joint] = joint.cut ? "it is marked 'cut'"
                                : fmt::format("of this joint and {} it locks the fewest directions, {}", others,
                                              locked_directions(joint));
    if (needed[edge.joint].empty() || problems.full()) continue;
    problems.error(
        fmt::format("joints.{}", joint.name),
        fmt::format("closes a loop with {}, and has no coordinates then; {} needs them: {}", others, needed[edge.joint],
                    joint.cut
                        ? "cut the loop at another joint"
                        : "mark as 'cut: true' a joint of the loop whose coordinates nothing needs; where all are "
                          "needed, make a body of two halves and join these by a weld with 'cut: true'"));
  }
  std::sort(topology.closing.begin(), topology.closing.end());
  for (const JointDescription& joint : description.joints) {
    if (topology.closing.empty() && description.constraints.empty()) break;
    if (!joint.friction || !joint.friction->by_reaction) continue;
    problems.error(fmt::format("joints.{}.friction.reaction", joint.name),
                   "is for models without loops and constraints, whose reactions need not be unique; give 'coulomb' as "
                   "an expression");
  }
  for (const std::uint32_t j : topology.closing) topology.why.push_back(why[j]);

  if (!all_known) return topology;  // a body that seems unconnected may be one whose joint has a misspelt name
  std::vector<bool> reported(nodes, false);
  for (std::uint32_t node = 1; node < nodes; ++node) {
    const std::uint32_t root = components.find(node);
    if (root == components.find(0) || reported[root]) continue;
    reported[root] = true;
    problems.error(fmt::format("bodies.{}", description.bodies[node - 1].name),
                   "no joint connects it with the rest; give it a joint to another body, or a free joint to world");
  }
  return topology;
}

}  // namespace gyrostat
