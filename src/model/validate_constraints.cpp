#include <fmt/format.h>

#include "gyrostat/model/kind_check.h"
#include "gyrostat/model/validate.h"

namespace gyrostat {

namespace {

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
  for (const ConstraintDescription& constraint : description.constraints) {
    const std::string path = "constraints." + constraint.name;
    if (names.joint(constraint.name)) problems.error(path, "a joint has this name; give the constraint another");
    std::visit(KindCheck{path, description, names, problems}, constraint.relation);
    if (const auto* one = std::get_if<CoordinateRelation>(&constraint.relation)) {
      check_coordinate(path + ".coordinate", one->coordinate, description, names, problems);
    }
    if (const auto* several = std::get_if<CouplingRelation>(&constraint.relation)) {
      for (const auto& [name, coefficient] : several->coupling) {
        check_coordinate(fmt::format("{}.coupling.{}", path, name), name, description, names, problems);
      }
    }
  }
}

}  // namespace gyrostat
