// Finding the parts of a System by name.
#include <stdexcept>

#include <fmt/format.h>

#include "gyrostat/expression/nearest.h"
#include "gyrostat/model/system.h"

namespace gyrostat {

namespace {

template <class List>
std::vector<std::string_view> listed(const List& list, std::size_t first) {
  std::vector<std::string_view> names;
  for (std::size_t i = first; i < list.size(); ++i) names.push_back(list[i].name);
  return names;
}

template <class Names>
[[noreturn]] void unknown(std::string_view what, std::string_view name, const Names& known) {
  throw std::out_of_range(fmt::format("no {} '{}'{}", what, name, did_you_mean(name, known)));
}

/// The place of "JOINT.QUANTITY" or "BODY.WHEEL.QUANTITY" in the state.
template <class NamesOf>
std::uint32_t place_in_state(const System& system, std::string_view what, std::string_view name, NamesOf quantities_of,
                             std::uint32_t Joint::*joint_place, std::uint32_t Wheel::*wheel_place,
                             std::string_view wheel_quantity, std::vector<StateEntry> (*entries)(const System&)) {
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) {
    const std::string_view object = name.substr(0, dot), quantity = name.substr(dot + 1);
    if (const auto number = system.index.joints.find(object)) {
      const Joint& joint = system.joints[*number];
      std::uint32_t place = joint.*joint_place;
      for (const NamedQuantity& q : quantities_of(joint.type, joint.translations, joint.rotations)) {
        if (q.name == quantity) return place;
        ++place;
      }
    }
    const auto wheel = system.index.wheels.find(object);
    if (wheel && quantity == wheel_quantity) return system.wheels[*wheel].*wheel_place;
  }
  const std::vector<StateEntry> all = entries(system);
  unknown(what, name, listed(all, 0));
}

}  // namespace

std::uint32_t System::body(std::string_view named) const {
  if (const auto number = index.bodies.find(named)) return *number;
  unknown("body", named, listed(bodies, 0));
}

std::uint32_t System::joint(std::string_view named) const {
  if (const auto number = index.joints.find(named)) return *number;
  for (const Constraint& constraint : constraints) {
    if (constraint.name == named)
      throw std::out_of_range(
          fmt::format("the joint '{}' closes a loop: it is not among the joints of the tree", named));
  }
  unknown("joint", named, listed(joints, 1));
}

std::uint32_t System::wheel(std::string_view named) const {
  if (const auto number = index.wheels.find(named)) return *number;
  std::vector<std::string> known;
  for (const Wheel& w : wheels) known.push_back(bodies[w.body].name + "." + w.name);
  unknown("wheel", named, known);
}

namespace {

/// The origin, the mass centre, or the point of a joint of the tree: found without an index of their names.
std::optional<std::uint32_t> unnamed_point(const System& system, std::string_view named) {
  std::size_t dot = named.rfind('.');  // the names of bodies and of joints may have dots
  while (dot != std::string_view::npos && dot > 0 && !system.index.bodies.find(named.substr(0, dot)))
    dot = named.rfind('.', dot - 1);
  if (dot == std::string_view::npos) return std::nullopt;
  const auto body = system.index.bodies.find(named.substr(0, dot));
  const std::string_view part = named.substr(dot + 1);
  if (!body) return std::nullopt;
  if (part == "origin") return system.bodies[*body].origin_node;
  if (part == "com") return system.bodies[*body].com_node;
  const auto number = system.index.joints.find(part);
  if (!number) return std::nullopt;
  const Joint& joint = system.joints[*number];
  for (const std::uint32_t node : {joint.parent_node, joint.child_node}) {
    if (system.nodes[node].body == *body) return node;
  }
  return std::nullopt;
}

}  // namespace

std::uint32_t System::node(std::string_view named) const {
  if (const auto number = index.points.find(named)) return *number;
  if (const auto number = unnamed_point(*this, named)) return *number;
  std::vector<std::string> known;
  for (const Node& n : nodes) {
    if (!n.name.empty()) known.push_back(bodies[n.body].name + "." + n.name);
  }
  unknown("node", named, known);
}

std::uint32_t System::coordinate(std::string_view named) const {
  return place_in_state(*this, "coordinate", named, coordinate_names, &Joint::q, &Wheel::q, "angle",
                        coordinate_entries);
}

std::uint32_t System::speed(std::string_view named) const {
  return place_in_state(*this, "speed", named, speed_names, &Joint::u, &Wheel::u, "rate", speed_entries);
}

std::uint32_t node_of(const System& system, const PointReference& reference) {
  const std::uint32_t body = system.body(reference.body);
  if (reference.position) {
    if (const auto node = system.index.positions.find(body, *reference.position)) return *node;
    throw std::out_of_range(fmt::format("no load of the model refers to the position ({}, {}, {}) of '{}'",
                                        reference.position->x(), reference.position->y(), reference.position->z(),
                                        reference.body));
  }
  if (reference.point.empty()) return system.bodies[body].com_node;
  return system.node(reference.body + "." + reference.point);
}

}  // namespace gyrostat
