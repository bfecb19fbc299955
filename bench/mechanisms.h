// The mechanisms of the benchmarks: free-flying trees of rigid bodies and hinges, and states to evaluate them at. The
// same arguments give the same mechanism everywhere.
#pragma once

#include <cstdint>
#include <numbers>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "gyrostat/model/load.h"

namespace gyrostat::bench {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  double between(double low, double high) {
    return low + (high - low) * 0x1p-53 * static_cast<double>(engine_() >> 11U);
  }

  /// In the cube of this half edge.
  Vector3 vector(double half_edge) {
    Vector3 v;
    for (double& x : v) x = between(-half_edge, half_edge);
    return v;
  }

  /// Uniform over all rotations.
  Quaternion rotation() {
    for (;;) {
      const Quaternion q{between(-1, 1), between(-1, 1), between(-1, 1), between(-1, 1)};
      if (const double length = norm(q); length > 0.1 && length <= 1) return normalised(q);
    }
  }

 private:
  std::mt19937_64 engine_;
};

/// Its inertia is that of a box in a random orientation, so it is that of some body.
inline BodyDescription random_body(std::string name, Random& random) {
  BodyDescription body;
  body.name = std::move(name);
  body.mass = random.between(1, 5);
  body.com = random.vector(0.3);
  const Vector3 edges = Vector3::Constant(0.6) + random.vector(0.4), squares = edges.cwiseAbs2();
  const Matrix3 R = to_rotation(random.rotation());
  const Vector3 moments = body.mass / 12 * (Vector3::Constant(squares.sum()) - squares);
  body.inertia = R * moments.asDiagonal() * R.transpose();
  body.inertia = (0.5 * (body.inertia + body.inertia.transpose())).eval();
  return body;
}

/// Bodies b0, b1, ...: b0 flies freely, b_i hangs on b_parent(i) by a hinge about x, y, z in turn.
template <class Parent>
Description free_flying(std::size_t count, std::uint64_t seed, Parent parent) {
  Random random(seed);
  Description model;
  for (std::size_t i = 0; i < count; ++i) {
    model.bodies.push_back(random_body("b" + std::to_string(i), random));
    JointDescription joint;
    joint.name = "j" + std::to_string(i);
    joint.child = model.bodies.back().name;
    joint.child_point = random.vector(0.3);
    if (i == 0) {
      joint.type = JointType::free;
      joint.parent = "world";
      joint.position = {0, 0, 0, 1, 0, 0, 0};
      joint.speed.assign(6, 0);
    } else {
      joint.type = JointType::revolute;
      joint.parent = "b" + std::to_string(parent(i));
      joint.parent_point = random.vector(0.5);
      joint.rotations = {Vector3::Unit(static_cast<Eigen::Index>((i - 1) % 3))};
      joint.position = {0};
      joint.speed = {0};
    }
    model.joints.push_back(joint);
  }
  return model;
}

inline Description chain(std::size_t count, std::uint64_t seed) {
  return free_flying(count, seed, [](std::size_t i) { return i - 1; });
}

inline Description binary_tree(std::size_t count, std::uint64_t seed) {
  return free_flying(count, seed, [](std::size_t i) { return (i - 1) / 2; });
}

/// A free body with a tower of bays on it. A bay is a parallelogram: two cranks that are hinged on the platform below,
/// and the next platform, hinged on both; the hinge on the right crank closes the loop.
inline Description tower(std::size_t bays, std::uint64_t seed, bool closed = true) {
  Random random(seed);
  Description model = chain(1, seed);
  std::string below = model.bodies[0].name;
  const auto hinge = [&](std::string name, const std::string& parent, const std::string& child, const Vector3& at,
                         const Vector3& of_child) {
    JointDescription joint;
    joint.name = std::move(name);
    joint.type = JointType::revolute;
    joint.parent = parent;
    joint.child = child;
    joint.parent_point = at;
    joint.child_point = of_child;
    joint.rotations = {Vector3::UnitY()};
    joint.position = {0};
    joint.speed = {0};
    model.joints.push_back(joint);
  };
  for (std::size_t k = 0; k < bays; ++k) {
    const std::string number = std::to_string(k), left = "left" + number, right = "right" + number,
                      platform = "platform" + number;
    for (const std::string& name : {left, right, platform}) model.bodies.push_back(random_body(name, random));
    hinge(left, below, left, {-0.5, 0, 0.1}, {0, 0, 0});
    hinge(platform, left, platform, {0, 0, 1}, {-0.5, 0, 0});
    hinge(right, below, right, {0.5, 0, 0.1}, {0, 0, 0});
    if (closed) {
      hinge("closure" + number, right, platform, {0, 0, 1}, {0.5, 0, 0});
      model.joints.back().cut = true;
    }
    below = platform;
  }
  return model;
}

/// Beams on hinges, each on the tip of the one before it; the first on the world.
inline Description flexible_chain(std::size_t count, std::size_t modes, FlexibleTerms terms) {
  Description model;
  for (std::size_t i = 0; i < count; ++i) {
    BodyDescription body;
    body.name = "b" + std::to_string(i);
    BeamDescription beam;
    beam.to = {2, 0, 0};
    beam.elements = 10;
    beam.mass_per_length = 2;
    beam.EI = {500, 800};
    beam.GJ = 300;
    beam.rotary_inertia = {0.01, 0.01};
    body.flexible.emplace();
    body.flexible->beam = beam;
    body.flexible->modes.kind = ModeKind::cantilever;
    body.flexible->modes.selection = ModeCount{modes};
    body.flexible->terms = terms;
    model.bodies.push_back(std::move(body));
    JointDescription joint;
    joint.name = "j" + std::to_string(i);
    joint.type = JointType::revolute;
    joint.rotations = {Vector3(0, 0.6, 0.8)};
    joint.parent = i == 0 ? "world" : "b" + std::to_string(i - 1) + ".tip";
    joint.child = "b" + std::to_string(i) + ".root";
    model.joints.push_back(std::move(joint));
  }
  return model;
}

inline System system_of(Description description) {
  Loaded loaded = load_description(std::move(description));
  if (!loaded.model) throw std::invalid_argument(loaded.problems.all().at(0).message);
  return std::move(loaded.model->system);
}

/// Any attitude, any angles, small deformations; speeds up to 1 rad/s and 1 m/s.
inline State random_state(const System& system, std::uint64_t seed) {
  Random random(seed);
  State state = system.initial;
  for (double& q : state.q) q = random.between(-std::numbers::pi, std::numbers::pi);
  for (double& u : state.u) u = random.between(-1, 1);
  for (const FlexibleBody& body : system.flexible) {
    state.q.segment(body.q, static_cast<Eigen::Index>(body.data.modes())) *= 3e-4;
  }
  for (const Joint& joint : system.joints) {
    if (!has_quaternion(joint.type)) continue;
    const auto [w, x, y, z] = random.rotation();
    state.q.segment<4>(joint.q + joint.nq - 4) << w, x, y, z;
  }
  return state;
}

/// Of a tower, closed or not: its loops are closed, and stay closed.
inline State tower_state(const System& system, std::uint64_t seed) {
  State state = random_state(system, seed);
  for (const Joint& joint : system.joints) {
    if (joint.type != JointType::revolute) continue;
    Random random(1000 * seed + std::stoul(joint.name.substr(joint.name.find_first_of("0123456789"))));  // of the bay
    const double sign = joint.name.starts_with("platform") ? -1 : 1;
    state.q[joint.q] = sign * random.between(0.3, 1);
    state.u[joint.u] = sign * random.between(-1, 1);
  }
  return state;
}

}  // namespace gyrostat::bench
