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
    system.bodies.push_back({body.name, {body.mass, body.com, body.inertia}, body.points});
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
  return system;
}

}  // namespace gyrostat
