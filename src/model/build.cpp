#include <algorithm>
#include <cmath>

#include "gyrostat/model/system.h"

namespace gyrostat {

namespace {

/// Where a load attaches.
std::vector<const PointReference*> points_of(const LoadDescription& load) {
  std::vector<const PointReference*> points;
  const auto add = [&]<class Member>(const FieldFormat& field, const Member& member) {
    if constexpr (std::is_same_v<Member, PointReference>) {
      if (field.form != Form::body_name) points.push_back(&member);
    }
  };
  std::visit([&](const auto& kind) { for_each_field(kind, add); }, load);
  return points;
}

class NodeBuilder {
 public:
  explicit NodeBuilder(System& system) : system_(system) {}

  void add_body(std::uint32_t number) {
    Body& body = system_.bodies[number];
    for (const NamedPoint& point : body.points) {
      index(add({point.name, number, point.position, Matrix3::Identity()}));
    }
    body.origin_node = add({"origin", number, Vector3::Zero(), Matrix3::Identity()});
    body.com_node =
        number == 0 ? body.origin_node : add({"com", number, body.mass_properties.com, Matrix3::Identity()});
  }

  /// The frames F and M of a joint, which coincide at zero coordinates.
  void add_joint(Joint& joint, std::uint32_t parent, std::uint32_t child) {
    joint.parent_node = add({joint.name, parent, joint.parent_point, Matrix3::Identity()});
    joint.child_node = add({joint.name, child, joint.child_point, joint.R_0.transpose()});
  }

  /// To be found by its name.
  void index(std::uint32_t node) {
    const Node& named = system_.nodes[node];
    system_.index.points.add(system_.bodies[named.body].name + "." + named.name, node);
  }

  /// The node of a point that a load or constraint refers to: added, if it is given by its position.
  std::uint32_t node(const PointReference& at) {
    add_point(at);
    return node_of(system_, at);
  }

  void add_point(const PointReference& at) {
    if (!at.position) return;
    const std::uint32_t body = system_.body(at.body), next = size();
    if (system_.index.positions.add(body, *at.position, next) == next) {
      system_.nodes.push_back({"", body, *at.position, Matrix3::Identity()});
    }
  }

 private:
  [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(system_.nodes.size()); }

  std::uint32_t add(Node node) {
    system_.nodes.push_back(std::move(node));
    return size() - 1;
  }

  System& system_;
};

void index_names(System& system) {
  for (std::uint32_t i = 0; i < system.bodies.size(); ++i) system.index.bodies.add(system.bodies[i].name, i);
  for (std::uint32_t i = 1; i < system.joints.size(); ++i) system.index.joints.add(system.joints[i].name, i);
  for (std::uint32_t k = 0; k < system.wheels.size(); ++k) {
    const Wheel& wheel = system.wheels[k];
    system.index.wheels.add(system.bodies[wheel.body].name + "." + wheel.name, k);
  }
}

void add_nodes(const Description& description, NodeBuilder& nodes, System& system) {
  for (std::uint32_t i = 0; i < system.bodies.size(); ++i) nodes.add_body(i);
  for (std::uint32_t i = 1; i < system.joints.size(); ++i) {
    Joint& joint = system.joints[i];
    const std::uint32_t inboard = system.parent[i];
    nodes.add_joint(joint, joint.reversed ? i : inboard, joint.reversed ? inboard : i);
  }
  for (const LoadDescription& load : description.loads) {
    for (const PointReference* point : points_of(load)) nodes.add_point(*point);
  }
}

Constraint make_constraint(const JointDescription& description, NodeBuilder& nodes, const System& system) {
  Constraint constraint{
      description.name, "joints." + description.name, std::string(type_name(description.type)), {}, {}, {}, 0};
  if (description.type == JointType::gear) {
    const Joint &first = system.joints[system.joint(description.geared[0])],
                &second = system.joints[system.joint(description.geared[1])];
    constraint.kind = Coupling{{{first.q, first.u, -description.ratio}, {second.q, second.u, 1}}};
    constraint.equals = {description.offset};
    return constraint;
  }
  CutJoint cut{make_joint(description), description.position};
  nodes.add_joint(cut.joint, system.body(description.parent), system.body(description.child));
  nodes.index(cut.joint.parent_node);
  nodes.index(cut.joint.child_node);
  if (description.type == JointType::distance) {
    constraint.kind = Distance{cut.joint.parent_node, cut.joint.child_node};
    constraint.equals = {description.length};
  } else {
    constraint.kind = std::move(cut);
  }
  return constraint;
}

/// Where a coordinate that a constraint names is in the state.
Coupling::Term term_of(const System& system, const std::string& coordinate, double coefficient) {
  const std::uint32_t q = system.coordinate(coordinate);
  for (const Wheel& wheel : system.wheels) {
    if (wheel.q == q) return {q, wheel.u, coefficient};
  }
  const Joint& joint = *std::ranges::find_if(system.joints.begin() + 1, system.joints.end(),
                                             [&](const Joint& j) { return j.q + j.nq > q; });
  return {q, joint.u + (joint.type == JointType::free ? 3U : 0U) + (q - joint.q), coefficient};
}

Constraint make_constraint(const ConstraintDescription& description, NodeBuilder& nodes, const System& system) {
  Constraint constraint{description.name, "constraints." + description.name, {}, {}, {}, {0}, 0};
  const auto set = [&]<class R>(const R& relation) {
    constraint.type = R::kind;
    if constexpr (std::is_same_v<R, CouplingRelation>) {
      Coupling coupling;
      for (const auto& [name, coefficient] : relation.coupling)
        coupling.terms.push_back(term_of(system, name, coefficient));
      constraint.kind = std::move(coupling);
    } else if constexpr (std::is_same_v<R, CoordinateRelation>) {
      constraint.kind = Coupling{{term_of(system, relation.coordinate, 1)}};
    } else if constexpr (std::is_same_v<R, DistanceRelation>) {
      constraint.kind = Distance{nodes.node(relation.from), nodes.node(relation.to)};
    } else {
      constraint.kind = PointOnFrame{system.bodies[system.body(relation.of)].origin_node, nodes.node(relation.point),
                                     relation.directions};
      constraint.equals.assign(relation.directions.size(), 0.0);
    }
  };
  std::visit(set, description.relation);
  return constraint;
}

}  // namespace

System build(const Description& description, const Topology& topology) {
  System system;
  system.name = description.name;
  const std::size_t count = topology.entries.size();
  system.parent.reserve(count);
  system.bodies.reserve(count);
  system.joints.reserve(count);
  system.parent.push_back(0);
  system.bodies.emplace_back().name = "world";
  system.joints.emplace_back();

  std::uint32_t nq = 0, nu = 0;
  for (std::uint32_t i = 1; i < count; ++i) {
    const Topology::Entry& entry = topology.entries[i];
    const BodyDescription& body = description.bodies[entry.body];
    system.parent.push_back(entry.parent);
    system.bodies.push_back({body.name, {body.mass, body.com, body.inertia}, body.points});
    if (body.node_of) system.bodies.back().node = static_cast<std::uint32_t>(body.node_of->node);
    Joint joint = make_joint(description.joints[entry.joint]);
    joint.reversed = entry.reversed;
    joint.q = nq;
    joint.u = nu;
    nq += joint.nq;
    nu += joint.nu;
    system.joints.push_back(std::move(joint));
    if (body.flexible) {
      const auto modes = static_cast<std::uint32_t>(body.flexible->data.modes());
      system.bodies.back().flexible = static_cast<std::uint32_t>(system.flexible.size());
      system.flexible.push_back({i, nq, nu, body.flexible->terms, body.flexible->data});
      nq += modes;
      nu += modes;
    }
    for (const WheelDescription& wheel : body.wheels) {
      system.wheels.push_back({wheel.name, i, wheel.axis, wheel.inertia, !wheel.speed.empty(), 0, 0,
                               wheel.friction || std::isfinite(wheel.speed_limit)});
    }
  }
  for (Wheel& wheel : system.wheels) {
    wheel.q = nq++;
    wheel.u = nu++;
  }

  system.initial.q = Eigen::VectorXd::Zero(nq);
  system.initial.u = Eigen::VectorXd::Zero(nu);
  std::size_t next_wheel = 0;
  for (std::uint32_t i = 1; i < count; ++i) {
    const JointDescription& joint = description.joints[topology.entries[i].joint];
    std::copy(joint.position.begin(), joint.position.end(), system.initial.q.begin() + system.joints[i].q);
    std::copy(joint.speed.begin(), joint.speed.end(), system.initial.u.begin() + system.joints[i].u);
    const BodyDescription& body = description.bodies[topology.entries[i].body];
    if (body.flexible) {
      const FlexibleBody& flexible = system.flexible[system.bodies[i].flexible];
      std::ranges::copy(body.flexible->position, system.initial.q.begin() + flexible.q);
      std::ranges::copy(body.flexible->rate, system.initial.u.begin() + flexible.u);
    }
    for (const WheelDescription& wheel : body.wheels) {
      system.initial.u[system.wheels[next_wheel++].u] = wheel.rate;
    }
  }
  index_names(system);
  NodeBuilder nodes(system);
  add_nodes(description, nodes, system);
  for (std::size_t k = 0; k < topology.closing.size(); ++k) {
    system.constraints.push_back(make_constraint(description.joints[topology.closing[k]], nodes, system));
    system.constraints.back().why = topology.why[k];
  }
  for (const ConstraintDescription& constraint : description.constraints) {
    system.constraints.push_back(make_constraint(constraint, nodes, system));
  }
  std::uint32_t equals = 0;
  for (Constraint& constraint : system.constraints) {
    constraint.first_equal = equals;
    equals += static_cast<std::uint32_t>(constraint.equals.size());
  }
  return system;
}

}  // namespace gyrostat
