#include <algorithm>

#include "gyrostat/model/system.h"

namespace gyrostat {

namespace {

Loop make_loop(const JointDescription& description, const Names& names,
               const std::vector<std::uint32_t>& number_of_body, const std::vector<std::uint32_t>& number_of_joint) {
  Loop loop;
  loop.joint = make_joint(description);
  loop.position = description.position;
  if (description.type == JointType::gear) {
    loop.parent = number_of_joint[*names.joint(description.geared[0])];
    loop.child = number_of_joint[*names.joint(description.geared[1])];
  } else {
    const auto number = [&](const std::string& name) {
      return name == "world" ? 0 : number_of_body[*names.body(name)];
    };
    loop.parent = number(description.parent);
    loop.child = number(description.child);
  }
  loop.ratio = description.ratio;
  loop.offset = description.offset;
  loop.length = description.length;
  return loop;
}

/// Where a load attaches.
std::vector<const PointReference*> points_of(const LoadDescription& load) {
  if (const auto* body = std::get_if<BodyLoad>(&load)) return {&body->at};
  if (const auto* thruster = std::get_if<ThrusterLoad>(&load)) return {&thruster->at};
  if (const auto* spring = std::get_if<SpringLoad>(&load)) return {&spring->from, &spring->to};
  return {};
}

class NodeBuilder {
 public:
  explicit NodeBuilder(System& system) : system_(system) {}

  void add_body(std::uint32_t number) {
    Body& body = system_.bodies[number];
    for (const NamedPoint& point : body.points) add({point.name, number, point.position, Matrix3::Identity()});
    body.origin_node = add({"origin", number, Vector3::Zero(), Matrix3::Identity()});
    body.com_node =
        number == 0 ? body.origin_node : add({"com", number, body.mass_properties.com, Matrix3::Identity()});
  }

  /// The frames F and M of a joint, which coincide at zero coordinates.
  void add_joint(Joint& joint, std::uint32_t parent, std::uint32_t child) {
    joint.parent_node = add({joint.name, parent, joint.parent_point, Matrix3::Identity()});
    joint.child_node = add({joint.name, child, joint.child_point, joint.R_0.transpose()});
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
    system_.index.nodes.add(system_.bodies[node.body].name + "." + node.name, size());
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

void add_nodes(const Description& description, System& system) {
  NodeBuilder nodes(system);
  for (std::uint32_t i = 0; i < system.bodies.size(); ++i) nodes.add_body(i);
  for (std::uint32_t i = 1; i < system.joints.size(); ++i) {
    Joint& joint = system.joints[i];
    const std::uint32_t inboard = system.parent[i];
    nodes.add_joint(joint, joint.reversed ? i : inboard, joint.reversed ? inboard : i);
  }
  for (Loop& loop : system.loops) {
    if (loop.joint.type != JointType::gear) nodes.add_joint(loop.joint, loop.parent, loop.child);
  }
  for (const LoadDescription& load : description.loads) {
    for (const PointReference* point : points_of(load)) nodes.add_point(*point);
  }
}

}  // namespace

System build(const Description& description, const Names& names, const Topology& topology) {
  System system;
  system.name = description.name;
  const std::size_t count = topology.entries.size();
  system.parent.reserve(count);
  system.bodies.reserve(count);
  system.joints.reserve(count);
  system.parent.push_back(0);
  system.bodies.emplace_back().name = "world";
  system.joints.emplace_back();

  std::vector<std::uint32_t> number_of_body(description.bodies.size(), 0),
      number_of_joint(description.joints.size(), 0);
  std::uint32_t nq = 0, nu = 0;
  for (std::uint32_t i = 1; i < count; ++i) {
    const Topology::Entry& entry = topology.entries[i];
    const BodyDescription& body = description.bodies[entry.body];
    number_of_body[entry.body] = i;
    number_of_joint[entry.joint] = i;
    system.parent.push_back(entry.parent);
    system.bodies.push_back({body.name, {body.mass, body.com, body.inertia}, body.points, 0, 0});
    Joint joint = make_joint(description.joints[entry.joint]);
    joint.reversed = entry.reversed;
    joint.q = nq;
    joint.u = nu;
    nq += joint.nq;
    nu += joint.nu;
    system.joints.push_back(std::move(joint));
    for (const WheelDescription& wheel : body.wheels) {
      system.wheels.push_back({wheel.name, i, wheel.axis, wheel.inertia, !wheel.speed.empty(), 0, 0});
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
    for (const WheelDescription& wheel : description.bodies[topology.entries[i].body].wheels) {
      system.initial.u[system.wheels[next_wheel++].u] = wheel.rate;
    }
  }
  for (const std::uint32_t j : topology.closing) {
    system.loops.push_back(make_loop(description.joints[j], names, number_of_body, number_of_joint));
  }
  index_names(system);
  add_nodes(description, system);
  return system;
}

}  // namespace gyrostat
