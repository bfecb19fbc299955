#include "gyrostat/model/flexible_nodes.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "gyrostat/expression/nearest.h"
#include "gyrostat/format/structure.h"
#include "gyrostat/model/expressions.h"

namespace gyrostat {

namespace {

class NodeReferences {
 public:
  NodeReferences(Description& description, Problems& problems) : description_(description), problems_(problems) {
    for (const BodyDescription& body : description.bodies) {
      if (body.flexible) flexible_.emplace(body.name, &body);
    }
  }

  void take() {
    if (flexible_.empty()) return;
    for (JointDescription& joint : description_.joints) {
      take(joint.parent, &joint.parent_point, fmt::format("joints.{}.parent", joint.name));
      take(joint.child, &joint.child_point, fmt::format("joints.{}.child", joint.name));
    }
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
      const std::string body = name.substr(0, name.find('.'));
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
      bodies_.push_back(std::move(added));
    }
    std::ranges::move(bodies_, std::back_inserter(description_.bodies));
    std::ranges::move(joints_, std::back_inserter(description_.joints));
  }

 private:
  template <class Kind>
  void take_fields(Kind& kind, const std::string& path) {
    for_each_field(kind, [&]<class Member>(const FieldFormat& field, Member& member) {
      if constexpr (std::is_same_v<Member, PointReference>) {
        Vector3 position = member.position.value_or(Vector3::Zero());
        if (take(member.body, &position, fmt::format("{}.{}", path, field.name))) member.position = position;
      }
    });
  }

  /// A node that an expression names needs a body too; one that does not exist is reported where names are resolved.
  void observe(const std::string& name) {
    const std::size_t first = name.find('.'), second = name.find('.', first + 1);
    const auto body = flexible_.find(name.substr(0, first));
    if (second == std::string::npos || body == flexible_.end()) return;
    const FlexibleData& data = body->second->flexible->data;
    const std::string wanted = name.substr(first + 1, second - first - 1);
    for (std::size_t node = 0; node < data.nodes.size(); ++node) {
      if (data.nodes[node].name == wanted && node != data.frame_node) used_.emplace(name.substr(0, second), node);
    }
  }

  /// `point` is from the node, and becomes one from the origin where the body itself takes the node's place. True if the
  /// name is that of a node.
  bool take(std::string& name, Vector3* point, const std::string& path) {
    const std::size_t dot = name.find('.');
    const auto body = flexible_.find(name.substr(0, dot));
    if (dot == std::string::npos || body == flexible_.end()) return false;
    const FlexibleData& data = body->second->flexible->data;
    const std::string wanted = name.substr(dot + 1);
    std::vector<std::string_view> known;
    for (std::size_t node = 0; node < data.nodes.size(); ++node) {
      if (data.nodes[node].name != wanted) {
        if (!data.nodes[node].name.empty()) known.push_back(data.nodes[node].name);
        continue;
      }
      if (node == data.frame_node) {
        name = body->first;
        *point += data.nodes[node].position;
      } else {
        used_.emplace(name, node);
      }
      return true;
    }
    problems_.error(path, fmt::format("the body '{}' has no node '{}'{}", body->first, wanted, did_you_mean(wanted, known)));
    return false;
  }

  Description& description_;
  Problems& problems_;
  std::map<std::string, const BodyDescription*> flexible_;
  std::map<std::string, std::size_t> used_;
  std::vector<BodyDescription> bodies_;
  std::vector<JointDescription> joints_;
};

}  // namespace

void add_flexible_nodes(Description& description, Problems& problems) {
  for (BodyDescription& body : description.bodies) {
    if (!body.flexible) continue;
    const MassProperties all = mass_properties(body.flexible->data);
    body.mass = all.mass;
    body.com = all.com;
    body.inertia = all.inertia;
    const FlexibleData& data = body.flexible->data;
    if (data.frame_node == FlexibleData::floating) continue;
    const FlexibleNode& frame = data.nodes[data.frame_node];
    const bool known = std::ranges::any_of(body.points, [&](const NamedPoint& p) { return p.name == frame.name; });
    if (!frame.name.empty() && !known) body.points.push_back({frame.name, frame.position});
  }
  NodeReferences nodes(description, problems);
  nodes.take();
  nodes.add_bodies();
}

}  // namespace gyrostat
