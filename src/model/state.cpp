#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/model/system.h"

namespace gyrostat {

namespace {

template <class NamesOf>
std::vector<StateEntry> entries(const System& system, NamesOf names_of, std::string_view wheel_quantity,
                                std::string_view wheel_unit, std::string_view mode_suffix, std::string_view mode_unit) {
  std::vector<StateEntry> list;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    for (auto& quantity : names_of(joint.type, joint.translations, joint.rotations)) {
      list.push_back({joint.name + "." + quantity.name, quantity.unit, joint.motion});
    }
    if (system.bodies[i].flexible == Body::none) continue;
    const std::size_t modes = system.flexible[system.bodies[i].flexible].data.modes();
    for (std::size_t k = 1; k <= modes; ++k) {
      list.push_back({fmt::format("{}.mode{}{}", system.bodies[i].name, k, mode_suffix), mode_unit, Motion::free});
    }
  }
  for (const Wheel& wheel : system.wheels) {
    list.push_back({system.bodies[wheel.body].name + "." + wheel.name + "." + std::string(wheel_quantity), wheel_unit,
                    wheel.speed_prescribed ? Motion::prescribed : Motion::free});
  }
  return list;
}

}  // namespace

std::vector<StateEntry> coordinate_entries(const System& system) {
  return entries(system, coordinate_names, "angle", "rad", "", "kg^0.5 m");
}
std::vector<StateEntry> speed_entries(const System& system) {
  return entries(system, speed_names, "rate", "rad/s", "_rate", "kg^0.5 m/s");
}

DegreesOfFreedom count_degrees_of_freedom(const System& system) {
  DegreesOfFreedom f;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    (joint.motion == Motion::free ? f.free : joint.motion == Motion::locked ? f.locked : f.prescribed) += joint.nu;
  }
  for (const Wheel& wheel : system.wheels) ++(wheel.speed_prescribed ? f.wheels_prescribed : f.wheels);
  for (const FlexibleBody& body : system.flexible) f.modes += body.data.modes();
  return f;
}

bool is_loaded(const System& system, std::uint32_t node_body) {
  if (!system.bodies[node_body].mass_properties.inertia.isZero(0)) return true;  // of wheels
  if (node_body + 1 < system.parent.size() && system.parent[node_body + 1] == node_body) return true;
  return std::ranges::any_of(system.constraints, [&](const Constraint& constraint) {
    const auto [a, b] = bodies_of(system, constraint);
    return a == node_body || b == node_body;
  });
}

std::size_t count_bodies(const System& system) {
  return static_cast<std::size_t>(std::ranges::count_if(system.bodies.begin() + 1, system.bodies.end(),
                                                        [](const Body& b) { return b.node == Body::none; }));
}

std::uint32_t body_of_speed(const System& system, std::uint32_t u) {
  for (const Wheel& wheel : system.wheels) {
    if (wheel.u == u) return wheel.body;
  }
  for (const FlexibleBody& body : system.flexible) {
    if (u >= body.u && u < body.u + body.data.modes()) return body.body;
  }
  const auto after = std::ranges::find_if(system.joints.begin() + 1, system.joints.end(),
                                          [&](const Joint& joint) { return joint.u + joint.nu > u; });
  return static_cast<std::uint32_t>(after - system.joints.begin());
}

std::array<std::uint32_t, 2> bodies_of(const System& system, const Constraint& constraint) {
  std::array<std::uint32_t, 2> nodes{};
  if (const auto* coupling = std::get_if<Coupling>(&constraint.kind)) {
    return {body_of_speed(system, coupling->terms.front().u), body_of_speed(system, coupling->terms.back().u)};
  }
  if (const auto* cut = std::get_if<CutJoint>(&constraint.kind))
    nodes = {cut->joint.parent_node, cut->joint.child_node};
  if (const auto* rod = std::get_if<Distance>(&constraint.kind)) nodes = {rod->parent_node, rod->child_node};
  if (const auto* point = std::get_if<PointOnFrame>(&constraint.kind)) nodes = {point->frame_node, point->point_node};
  return {system.nodes[nodes[0]].body, system.nodes[nodes[1]].body};
}

std::vector<Pose> body_poses(const System& system, const Eigen::VectorXd& q) {
  std::vector<Pose> X_N(system.bodies.size());
  for (std::size_t i = 1; i < X_N.size(); ++i) {
    const std::uint32_t parent = system.parent[i];
    if (system.bodies[i].node != Body::none) {
      const FlexibleBody& body = system.flexible[system.bodies[parent].flexible];
      X_N[i] = X_N[parent] * node_pose(body.data.nodes[system.bodies[i].node], q.data() + body.q, body.terms,
                                       is_loaded(system, static_cast<std::uint32_t>(i)));
      continue;
    }
    X_N[i] = X_N[parent] * tree_pose(system.joints[i], q.data() + system.joints[i].q);
  }
  return X_N;
}

MassProperties total_mass_properties(const System& system, const Eigen::VectorXd& q) {
  const std::vector<Pose> X_N = body_poses(system, q);
  MassProperties total;
  for (std::size_t i = 1; i < X_N.size(); ++i) {
    total = combined(total, in_frame(X_N[i], system.bodies[i].mass_properties));
  }
  return total;
}

}  // namespace gyrostat
