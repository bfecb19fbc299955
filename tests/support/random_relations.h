// Random models with constraints that are no joints.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "support/assemble.h"
#include "support/random_model.h"

namespace gyrostat::testing {

/// Adds constraints of every kind that is no joint, with the values that they have where the model begins: constant, or
/// functions of time that begin there.
inline Description with_relations(std::uint64_t seed, Description d) {
  Random random(seed ^ 0x4e1a71);
  const Assembled tree = assemble(d);
  const System& system = tree.system;
  const std::vector<Pose> X_N = body_poses(system, system.initial.q);
  const auto equals = [&](double value) {
    const double amplitude = random.uniform(0.1, 0.5), phase = random.uniform(-1, 1);
    if (random.chance(0.4)) return expression::constant(value);
    return expression::parse(fmt::format("{0} + {1}*sin(2*t + {2}) - {1}*sin({2})", value, amplitude, phase))
        .expression;
  };
  const auto any_body = [&] { return static_cast<std::uint32_t>(random.index(system.bodies.size())); };
  const std::uint32_t a = any_body(), b = any_body();
  if (a != b && random.chance(0.6)) {
    PointRelation point;
    point.point.body = system.bodies[b].name;
    point.point.position = b == 0 ? Vector3(Vector3::Zero()) : Vector3(random.vector());
    point.of = system.bodies[a].name;
    const Vector3 p = X_N[a].R.transpose() * (X_N[b] * *point.point.position - X_N[a].p);
    ConstraintDescription rail{"rail", {}, {}};
    const std::size_t count = random.between(1, 3);
    for (std::size_t k = 0; k < count; ++k) {
      point.directions.push_back(random.direction());
      rail.equals.push_back(equals(point.directions.back().dot(p)));
    }
    rail.relation = point;
    d.constraints.push_back(rail);
  }
  const std::uint32_t from = any_body(), to = any_body();
  if (from != to && random.chance(0.6)) {
    DistanceRelation distance;
    distance.from.body = system.bodies[from].name, distance.to.body = system.bodies[to].name;
    distance.from.position = random.vector(), distance.to.position = random.vector();
    const double length = (X_N[to] * *distance.to.position - X_N[from] * *distance.from.position).norm();
    d.constraints.push_back({"strut", distance, {equals(length)}});
  }
  // Coordinates that nothing gives their motion yet, but quaternions.
  std::vector<std::size_t> coordinates;
  const std::vector<StateEntry> names = coordinate_entries(system);
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (names[k].motion == Motion::free && names[k].name.find("quaternion") == std::string::npos)
      coordinates.push_back(k);
  }
  for (std::size_t k = 0; k < coordinates.size(); ++k) std::swap(coordinates[k], coordinates[random.index(k + 1)]);
  const auto value = [&](std::size_t q) { return system.initial.q[static_cast<Eigen::Index>(q)]; };
  if (coordinates.size() > 4 && random.chance(0.5)) {
    CouplingRelation coupling;
    double sum = 0;
    for (std::size_t k = 0; k < random.between(2, 3); ++k) {
      const double coefficient = random.uniform(0.5, 2);
      coupling.coupling.emplace_back(names[coordinates[k]].name, coefficient);
      sum += coefficient * value(coordinates[k]);
    }
    d.constraints.push_back({"mirror", coupling, {equals(sum)}});
  }
  if (coordinates.size() > 2 && random.chance(0.5)) {
    const std::size_t q = coordinates.back();
    d.constraints.push_back({"drive", CoordinateRelation{names[q].name}, {equals(value(q))}});
  }
  // q2 = ratio q1 + offset, of joints with one coordinate
  std::vector<const Joint*> single;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    if (system.joints[i].nq == 1 && system.joints[i].motion == Motion::free) single.push_back(&system.joints[i]);
  }
  if (single.size() >= 2 && random.chance(0.8)) {
    const std::size_t first = random.index(single.size()), step = 1 + random.index(single.size() - 1);
    const Joint &one = *single[first], &other = *single[(first + step) % single.size()];
    JointDescription gear;
    gear.name = "gears";
    gear.type = JointType::gear;
    gear.geared = {one.name, other.name};
    gear.ratio = random.uniform(-2, 2);
    gear.offset = value(other.q) - gear.ratio * value(one.q);
    d.joints.push_back(gear);
  }
  return d;
}

}  // namespace gyrostat::testing
