#include <cmath>
#include <map>
#include <unordered_map>

#include <fmt/format.h>

#include "gyrostat/model/kind_check.h"
#include "gyrostat/model/validate.h"

namespace gyrostat {

namespace {

/// What gives a coordinate its motion, other than constraints; empty where it is free.
std::string given_by(const Reference& reference, const Description& description) {
  if (reference.quantity == Quantity::wheel_angle) {
    const WheelDescription& wheel = description.bodies[reference.object].wheels[reference.part];
    return wheel.speed.empty() ? "" : fmt::format("the 'speed' of the wheel '{}' is prescribed", wheel.name);
  }
  if (reference.quantity != Quantity::joint_coordinate) return {};
  const JointDescription& joint = description.joints[reference.object];
  if (joint.locked) return fmt::format("the joint '{}' is locked", joint.name);
  if (joint.prescribed.kind == Prescribed::Kind::none) return {};
  return fmt::format("the motion of the joint '{}' is prescribed", joint.name);
}

std::string given_by(const std::string& name, const Description& description, const Names& names) {
  const auto answer = names.resolve(name);
  const auto* reference = std::get_if<Reference>(&answer);
  return reference != nullptr ? given_by(*reference, description) : std::string();
}

/// The coordinates with coefficients in the ratios of a first one: equal for couplings that say the same.
std::string pattern_of(const CouplingRelation& relation) {
  std::map<std::string_view, double> sorted(relation.coupling.begin(), relation.coupling.end());
  std::string pattern;
  for (const auto& [name, coefficient] : sorted) {
    if (name.empty() || !(std::abs(coefficient) > 0)) return {};  // reported by the reader
    pattern += fmt::format("{} {:.12g} ", name, coefficient / sorted.begin()->second);
  }
  return pattern;
}

/// The two points, in either order.
std::string pattern_of(const DistanceRelation& relation) {
  const auto text_of = [](const PointReference& at) {
    if (!at.position) return fmt::format("{}: {}", at.body, at.point);
    return fmt::format("{}: {} {} {}", at.body, at.position->x(), at.position->y(), at.position->z());
  };
  const std::string from = text_of(relation.from), to = text_of(relation.to);
  return relation.from.body.empty() || relation.to.body.empty() ? "" : std::min(from, to) + " " + std::max(from, to);
}

/// A coordinate that a constraint can be linear in: of a joint, but no part of a quaternion; or the angle of a wheel.
void check_coordinate(const std::string& path, const std::string& name, const Description& description,
                      const Names& names, Problems& problems) {
  if (name.empty()) return;  // reported by the reader
  const auto answer = names.resolve(name);
  if (const auto* why = std::get_if<std::string>(&answer)) return problems.error(path, *why);
  const Reference& reference = std::get<Reference>(answer);
  if (reference.quantity == Quantity::wheel_angle) return;
  if (reference.quantity != Quantity::joint_coordinate) {
    return problems.error(path, fmt::format("'{}' is not a coordinate of a joint: those are JOINT.angle, "
                                            "JOINT.displacement and so on, and BODY.WHEEL.angle",
                                            name));
  }
  const JointDescription& joint = description.joints[reference.object];
  if (!joint.readable) return;
  const auto coordinates = coordinate_names(joint.type, joint.translations.size(), joint.rotations.size());
  if (coordinates[reference.component].name.starts_with("quaternion")) {
    problems.error(path,
                   fmt::format("the orientation of a {} joint is no coordinate that a constraint can be given; use a "
                               "gimbal joint",
                               type_name(joint.type)));
  }
}

}  // namespace

void validate_constraints(const Description& description, const Names& names, Problems& problems) {
  std::unordered_map<std::string, std::string_view> seen;  // what is related, and by which constraint
  const auto check_repetition = [&](const std::string& path, std::string what, const std::string& name) {
    const auto [first, is_new] = seen.try_emplace(std::move(what), name);
    if (!is_new && !first->first.empty())
      problems.error(path, fmt::format("repeats the constraint '{}'; remove one of the two", first->second));
  };
  for (const ConstraintDescription& constraint : description.constraints) {
    const std::string path = "constraints." + constraint.name;
    if (names.joint(constraint.name)) problems.error(path, "a joint has this name; give the constraint another");
    std::visit(KindCheck{path, description, names, problems}, constraint.relation);
    if (const auto* one = std::get_if<CoordinateRelation>(&constraint.relation)) {
      check_coordinate(path + ".coordinate", one->coordinate, description, names, problems);
      if (const std::string given = given_by(one->coordinate, description, names); !given.empty())
        problems.error(path + ".coordinate", given + "; remove that or the constraint");
      check_repetition(path + ".coordinate", one->coordinate, constraint.name);
    }
    if (const auto* distance = std::get_if<DistanceRelation>(&constraint.relation))
      check_repetition(path + ".distance", pattern_of(*distance), constraint.name);
    if (const auto* several = std::get_if<CouplingRelation>(&constraint.relation)) {
      bool free = false;
      for (const auto& [name, coefficient] : several->coupling) {
        check_coordinate(fmt::format("{}.coupling.{}", path, name), name, description, names, problems);
        free = free || given_by(name, description, names).empty();
      }
      if (!free && !several->coupling.empty())
        problems.error(path + ".coupling", "all of its coordinates are locked or prescribed; one must be free");
      check_repetition(path + ".coupling", pattern_of(*several), constraint.name);
    }
  }
}

}  // namespace gyrostat
