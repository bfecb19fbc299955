// From a description to a System without validation: for tests of what comes after it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gyrostat/model/system.h"

namespace gyrostat::testing {

struct Assembled {
  Description description;  // with its base
  Problems problems;
  Topology topology;
  System system;

  /// The names of the joints that close loops.
  [[nodiscard]] std::vector<std::string> closing() const {
    std::vector<std::string> names;
    for (const std::uint32_t j : topology.closing) names.push_back(description.joints[j].name);
    return names;
  }
};

inline Assembled assemble(Description description) {
  Assembled a;
  a.description = std::move(description);
  add_base(a.description, a.problems);
  const Names names(a.description);
  a.topology = find_topology(a.description, names, a.problems);
  if (a.problems.errors() == 0) a.system = build(a.description, a.topology);
  return a;
}

/// Problems without places: "error: joints.pan: ...", one in a line.
inline std::string text_of(const Problems& problems) {
  std::string text;
  for (const Problem& p : problems.all()) {
    text += (p.severity == Severity::error ? "error: " : "warning: ") + p.path + ": " + p.message + "\n";
  }
  return text;
}

/// A body with mass and inertia.
inline BodyDescription solid(std::string name) {
  BodyDescription b;
  b.name = std::move(name);
  b.mass = 1;
  b.inertia = Matrix3::Identity();
  return b;
}

inline BodyDescription massless(std::string name) {
  BodyDescription b;
  b.name = std::move(name);
  return b;
}

inline BodyDescription point_mass(std::string name, const Vector3& at = Vector3::Zero()) {
  BodyDescription b;
  b.name = std::move(name);
  b.mass = 1;
  b.com = at;
  b.point_mass = true;
  return b;
}

/// A joint whose type has no axes.
inline JointDescription joint(std::string name, JointType type, std::string parent, std::string child) {
  JointDescription j;
  j.name = std::move(name);
  j.type = type;
  j.parent = std::move(parent);
  j.child = std::move(child);
  if (type == JointType::free) j.position = {0, 0, 0, 1, 0, 0, 0};
  if (type == JointType::spherical) j.position = {1, 0, 0, 0};
  if (has_quaternion(type)) j.speed.assign(j.position.size() - 1, 0);
  return j;
}

inline JointDescription revolute(std::string name, std::string parent, std::string child,
                                 const Vector3& axis = Vector3::UnitZ(), double angle = 0) {
  JointDescription j = joint(std::move(name), JointType::revolute, std::move(parent), std::move(child));
  j.rotations = {axis};
  j.position = {angle};
  j.speed = {0};
  return j;
}

}  // namespace gyrostat::testing
