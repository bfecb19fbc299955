#include "gyrostat/model/flexible_nodes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include <fmt/format.h>

#include "gyrostat/expression/nearest.h"
#include "gyrostat/flexible/reference_frame.h"
#include "gyrostat/format/structure.h"
#include "gyrostat/model/expressions.h"
#include "gyrostat/model/flexible_given.h"

namespace gyrostat {

namespace {

class NodeReferences {
 public:
  NodeReferences(Description& description, Problems& problems) : description_(description), problems_(problems) {
    for (BodyDescription& body : description.bodies) {
      if (body.flexible) flexible_.emplace(body.name, &body);
    }
  }

  void take() {
    if (flexible_.empty()) return;
    for (JointDescription& joint : description_.joints) {
      take(joint.parent, &joint.parent_point, fmt::format("joints.{}.parent", joint.name));
      take(joint.child, &joint.child_point, fmt::format("joints.{}.child", joint.name));
    }
    for (auto& [name, body] : flexible_) take_wheels(*body);
    for (std::size_t k = 0; k < description_.loads.size(); ++k) {
      std::visit([&](auto& load) { take_fields(load, fmt::format("loads[{}]", k)); }, description_.loads[k]);
    }
    std::vector<std::string> names = description_.output.record.value_or(std::vector<std::string>());
    for (const ExpressionAt& at : all_expressions(description_)) {
      names.insert(names.end(), at.expression->names.begin(), at.expression->names.end());
    }
    for (const std::string& name : names) observe(name);
    for (ConstraintDescription& constraint : description_.constraints) {
      std::visit([&](auto& relation) { take_fields(relation, "constraints." + constraint.name); }, constraint.relation);
    }
  }

  void add_bodies() {
    for (const auto& [name, node] : used_) {
      const std::string body = name.substr(0, end_of_body(name));
      const FlexibleNode& of = flexible_.at(body)->flexible->data.nodes[node];
      JointDescription weld;
      weld.name = name;
      weld.parent = body;
      weld.child = name;
      weld.parent_point = of.position;
      complete(weld);
      joints_.push_back(std::move(weld));
      BodyDescription added;
      added.name = name;
      added.node_of = NodeBody{body, node};
      mount(wheels_[name], added);
      bodies_.push_back(std::move(added));
    }
    std::ranges::move(bodies_, std::back_inserter(description_.bodies));
    std::ranges::move(joints_, std::back_inserter(description_.joints));
  }

 private:
  /// The dot behind the flexible body that a name begins with; the body's own name may have dots.
  [[nodiscard]] std::size_t end_of_body(const std::string& name) const {
    std::size_t dot = name.find('.');
    while (dot != std::string::npos && !flexible_.contains(name.substr(0, dot))) dot = name.find('.', dot + 1);
    return dot;
  }

  /// A wheel brings its inertia about its axis with it.
  static void mount(const std::vector<WheelDescription>& wheels, BodyDescription& body) {
    for (const WheelDescription& wheel : wheels) {
      body.inertia += wheel.inertia * wheel.axis * wheel.axis.transpose();
      body.wheels.push_back(wheel);
    }
  }

  template <class Kind>
  void take_fields(Kind& kind, const std::string& path) {
    for_each_field(kind, [&]<class Member>(const FieldFormat& field, Member& member) {
      if constexpr (std::is_same_v<Member, PointReference>) {
        const auto body = flexible_.find(member.body);
        if (body != flexible_.end() && has_node(body->second->flexible->data, member.point)) {
          member.body += "." + member.point;
          member.point.clear();
        }
        Vector3 position = member.position.value_or(Vector3::Zero());
        if (take(member.body, &position, fmt::format("{}.{}", path, field.name))) member.position = position;
      } else if constexpr (std::is_same_v<Member, std::string>) {
        Vector3 position = Vector3::Zero();
        if (field.form == Form::body_name) take(member, &position, fmt::format("{}.{}", path, field.name));
      }
    });
  }

  static bool has_node(const FlexibleData& data, const std::string& name) {
    return !name.empty() &&
           std::ranges::any_of(data.nodes, [&](const FlexibleNode& node) { return node.name == name; });
  }

  /// Wheels are on nodes.
  void take_wheels(BodyDescription& body) {
    for (WheelDescription& wheel : body.wheels) {
      const std::string path = fmt::format("bodies.{}.wheels.{}", body.name, wheel.name);
      if (wheel.node.empty()) {
        problems_.error(path, "the body is flexible: say at which 'node' of it the wheel is mounted");
        continue;
      }
      const std::string name = body.name + "." + wheel.node;
      if (const auto node = find_node(name, path + ".node")) {
        used_.emplace(name, *node);  // that of the frame too: it carries the wheel's inertia
        wheels_[name].push_back(wheel);
      }
    }
    body.wheels.clear();
  }

  /// A node that an expression names needs a body too; one that does not exist is reported where names are resolved.
  void observe(const std::string& name) {
    const std::size_t first = end_of_body(name);
    const std::size_t second = first == std::string::npos ? first : name.find('.', first + 1);
    if (second == std::string::npos) return;
    const auto body = flexible_.find(name.substr(0, first));
    const FlexibleData& data = body->second->flexible->data;
    const std::string wanted = name.substr(first + 1, second - first - 1);
    for (std::size_t node = 0; node < data.nodes.size(); ++node) {
      if (data.nodes[node].name == wanted && node != data.frame_node) used_.emplace(name.substr(0, second), node);
    }
  }

  /// The node that "BODY.NODE" of a flexible body names; reported if there is none, nothing if it is no such name.
  std::optional<std::size_t> find_node(const std::string& name, const std::string& path) {
    const std::size_t dot = end_of_body(name);
    if (dot == std::string::npos) return std::nullopt;
    const auto body = flexible_.find(name.substr(0, dot));
    const std::string wanted = name.substr(dot + 1);
    std::vector<std::string_view> known;
    const FlexibleData& data = body->second->flexible->data;
    for (std::size_t node = 0; node < data.nodes.size(); ++node) {
      if (data.nodes[node].name == wanted) return node;
      if (!data.nodes[node].name.empty()) known.push_back(data.nodes[node].name);
    }
    problems_.error(path, fmt::format("the flexible body '{}' has no node '{}'{}", body->first, wanted,
                                      did_you_mean(wanted, known)));
    return std::nullopt;
  }

  /// `point` is from the node, and becomes one from the origin where the body itself takes the node's place. True if
  /// the name is that of a node.
  bool take(std::string& name, Vector3* point, const std::string& path) {
    const auto node = find_node(name, path);
    if (!node) return false;
    const std::string body = name.substr(0, end_of_body(name));
    const FlexibleData& data = flexible_.at(body)->flexible->data;
    if (*node == data.frame_node) {
      name = body;
      *point += data.nodes[*node].position;
    } else {
      used_.emplace(name, *node);
    }
    return true;
  }

  Description& description_;
  Problems& problems_;
  std::map<std::string, BodyDescription*> flexible_;
  std::map<std::string, std::size_t> used_;
  std::map<std::string, std::vector<WheelDescription>> wheels_;  // by the body of their node
  std::vector<BodyDescription> bodies_;
  std::vector<JointDescription> joints_;
};

/// Joints on nodes become joints on the bodies.
void attach_to_bodies(Description& description) {
  for (const BodyDescription& body : description.bodies) {
    if (!body.flexible) continue;
    const std::string dotted = body.name + ".";
    for (JointDescription& joint : description.joints) {
      if (joint.parent.starts_with(dotted)) joint.parent = body.name;
      if (joint.child.starts_with(dotted)) joint.child = body.name;
    }
  }
}

/// By flexible body: the node at which the tree reaches it. Empty if its inboard joint is on its frame, or if it has
/// none.
std::map<std::string, std::string> inboard_nodes(const Description& description) {
  Description plain = description;
  attach_to_bodies(plain);
  Problems unheard;
  const Topology topology = find_topology(plain, Names(plain), unheard);
  std::map<std::string, std::string> nodes;
  for (std::size_t i = 1; i < topology.entries.size(); ++i) {
    const Topology::Entry& entry = topology.entries[i];
    const BodyDescription& body = plain.bodies[entry.body];
    if (!body.flexible) continue;
    const JointDescription& joint = description.joints[entry.joint];
    const std::string& name = entry.reversed ? joint.parent : joint.child;
    if (name.size() > body.name.size()) nodes[body.name] = name.substr(body.name.size() + 1);
  }
  return nodes;
}

/// The nodes of a body that joints use.
std::vector<std::string> joint_nodes(const Description& description, const std::string& body) {
  std::vector<std::string> nodes;
  const auto add = [&](const std::string& name) {
    if (!name.starts_with(body + ".")) return;
    const std::string node = name.substr(body.size() + 1);
    if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
  };
  for (const JointDescription& joint : description.joints) {
    add(joint.parent);
    add(joint.child);
  }
  return nodes;
}

/// The data of a beam, with its frame at the inboard node; if there is none, at its root, or floating if its modes are
/// those of the free body.
FlexibleData beam_data(const Description& description, const std::string& body, const std::string& inboard,
                       FlexibleDescription& flexible) {
  std::vector<std::string> outboard = joint_nodes(description, body);
  std::erase(outboard, inboard);
  FlexibleData data =
      make_beam(*flexible.beam, inboard.empty() ? "root" : inboard, outboard, flexible.modes, &flexible.report);
  if (data.frame_node != FlexibleData::floating || inboard.empty()) return data;
  const auto node = std::ranges::find(data.nodes, inboard, &FlexibleNode::name);
  return node == data.nodes.end() ? data : referenced_to(data, static_cast<std::size_t>(node - data.nodes.begin()));
}

/// What the description of a beam, of modes and of damping comes to.
void make_data(const Description& description, BodyDescription& body, const std::string& inboard,
               const std::string& path, Problems& problems) {
  FlexibleDescription& flexible = *body.flexible;
  if (flexible.beam) {
    try {
      flexible.data = beam_data(description, body.name, inboard, flexible);
    } catch (const std::invalid_argument& error) {
      return problems.error(path + ".beam", error.what());
    }
  }
  if (flexible.given && !take_given_data(body, inboard, path, problems)) return;
  if (flexible.data.nodes.empty()) {  // a file that cannot be read is reported already
    if (problems.errors() == 0) problems.error(path, "there are no data of the flexible body");
    return;
  }
  FlexibleData& data = flexible.data;
  const std::size_t modes = data.modes();
  if (flexible.damping_ratios.size() > 1 && flexible.damping_ratios.size() != modes) {
    problems.error(path + ".damping", fmt::format("{} ratios for {} modes", flexible.damping_ratios.size(), modes));
  } else if (!flexible.damping_ratios.empty()) {
    data.damping = Eigen::MatrixXd::Zero(data.stiffness.rows(), data.stiffness.cols());
    for (std::size_t k = 0; k < modes; ++k) {
      const auto mode = static_cast<Eigen::Index>(k);
      const double ratio = flexible.damping_ratios[flexible.damping_ratios.size() == 1 ? 0 : k];
      data.damping(mode, mode) = 2 * ratio * std::sqrt(data.stiffness(mode, mode));
    }
  } else if (flexible.rayleigh) {
    const auto [a, b] = *flexible.rayleigh;
    data.damping = b * data.stiffness;
    data.damping.diagonal().array() += a;
  }
  for (const auto& [field, list] :
       {std::pair{"initial", &flexible.position}, std::pair{"initial_rates", &flexible.rate}}) {
    if (list->empty() || list->size() == modes) continue;
    problems.error(fmt::format("{}.{}", path, field), fmt::format("{} numbers for {} modes", list->size(), modes));
  }
}

/// Compares what the file states with what the nodes have.
void compare_mass(const FlexibleDescription& flexible, const MassProperties& nodes, const std::string& path,
                  Problems& problems) {
  constexpr double relative = 1e-3;
  const double size = std::sqrt(nodes.inertia.trace() / std::max(nodes.mass, 1e-300)) + nodes.com.norm();
  if (flexible.mass && !(std::abs(*flexible.mass - nodes.mass) <= relative * nodes.mass)) {
    problems.error(path + ".mass", fmt::format("the nodes of the flexible body have {:.6g} kg, not {:.6g}; correct "
                                               "one of the two, or leave this field out",
                                               nodes.mass, *flexible.mass));
  }
  if (flexible.com && !((*flexible.com - nodes.com).norm() <= relative * size)) {
    problems.error(path + ".com", fmt::format("the mass centre of the nodes is at [{:.6g}, {:.6g}, {:.6g}]",
                                              nodes.com.x(), nodes.com.y(), nodes.com.z()));
  }
  if (flexible.inertia && !((*flexible.inertia - nodes.inertia).norm() <= relative * nodes.inertia.norm())) {
    problems.error(path + ".inertia",
                   fmt::format("the nodes have xx {:.6g}, yy {:.6g}, zz {:.6g} kg m^2 about their mass centre",
                               nodes.inertia(0, 0), nodes.inertia(1, 1), nodes.inertia(2, 2)));
  }
}

void finish_flexible(const Description& description, BodyDescription& body, const std::string& inboard,
                     Problems& problems) {
  const std::string path = fmt::format("bodies.{}.flexible", body.name);
  const std::size_t before = problems.errors_found();
  make_data(description, body, inboard, path, problems);
  if (problems.errors_found() > before || body.flexible->data.nodes.empty()) return;
  const FlexibleData& data = body.flexible->data;
  if (body.flexible->terms == FlexibleTerms::stiffened && !data.second_order) {
    return problems.error(path + ".terms",
                          "the data have no geometric stiffness, which 'stiffened' needs; use linear or ruthless");
  }
  const MassProperties all = mass_properties(data);
  compare_mass(*body.flexible, all, "bodies." + body.name, problems);
  body.mass = all.mass;
  body.com = all.com;
  body.inertia = all.inertia;
  warn_of_modes(description, body, path, problems);
  if (data.frame_node == FlexibleData::floating) return;
  const FlexibleNode& frame = data.nodes[data.frame_node];
  const bool known = std::ranges::any_of(body.points, [&](const NamedPoint& p) { return p.name == frame.name; });
  if (!frame.name.empty() && !known) body.points.push_back({frame.name, frame.position});
}

}  // namespace

void report_turned_nodes(const Description& description, const Topology& topology, Problems& problems) {
  std::map<std::string_view, std::string_view> flexible;  // by name of a node's weld
  for (const BodyDescription& body : description.bodies) {
    if (body.node_of) flexible.emplace(body.name, body.node_of->body);
  }
  if (flexible.empty()) return;
  for (const Topology::Entry& entry : topology.entries) {
    if (!entry.reversed) continue;
    const JointDescription& weld = description.joints[entry.joint];
    const auto node = flexible.find(weld.name);
    if (node == flexible.end()) continue;
    problems.error(fmt::format("bodies.{}", node->second),
                   fmt::format("the tree of bodies reaches this flexible body at '{}', but its shapes are seen from "
                               "another node; mark the joint of the loop that is to be cut with 'cut: true'",
                               weld.name));
  }
}

void add_flexible_nodes(Description& description, Problems& problems) {
  const std::size_t before = problems.errors_found();
  if (std::ranges::none_of(description.bodies, [](const BodyDescription& b) { return b.flexible.has_value(); })) return;
  std::map<std::string, std::string> inboard = inboard_nodes(description);
  bool unread = false;
  for (BodyDescription& body : description.bodies) {
    if (!body.flexible) continue;
    finish_flexible(description, body, inboard[body.name], problems);
    unread = unread || body.flexible->data.nodes.empty();
  }
  // Where there are no data, it is not known which nodes there are: joints on them are not reported too.
  if (problems.errors_found() > before || unread) return attach_to_bodies(description);
  NodeReferences nodes(description, problems);
  nodes.take();
  nodes.add_bodies();
}

}  // namespace gyrostat
