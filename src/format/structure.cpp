#include "gyrostat/format/structure.h"

#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "gyrostat/format/format.h"
#include "gyrostat/format/limits.h"

namespace gyrostat {

namespace {

template <class List>
void check_names(const List& list, std::string_view section, Problems& problems) {
  std::unordered_set<std::string_view> seen;
  for (const auto& entry : list) {
    const bool is_name = expression::is_dotted_name(entry.name) && entry.name.size() <= limits::name_length;
    if (!is_name || is_reserved(entry.name.substr(0, entry.name.find('.'))))
      problems.error(std::string(section), fmt::format("'{}' cannot be a name", entry.name));
    if (!seen.insert(entry.name).second)
      problems.error(std::string(section), fmt::format("'{}' is defined twice", entry.name));
  }
}

/// Finite, and of a size that can be computed with.
bool sane(double x) { return x == 0 || (std::abs(x) >= limits::smallest && std::abs(x) <= limits::largest); }

template <class Numbers>
bool all_sane(const Numbers& numbers) {
  return std::all_of(numbers.begin(), numbers.end(), sane);
}

bool all_unit(const std::vector<Vector3>& axes) {
  return std::all_of(axes.begin(), axes.end(), [](const Vector3& a) { return std::abs(a.norm() - 1) < 1e-9; });
}

void check_joint(const JointDescription& joint, Problems& problems) {
  const std::string path = "joints." + joint.name;
  const JointFields& counts = joint_fields(joint.type);
  const std::size_t translations = joint.translations.size(), rotations = joint.rotations.size();
  if (translations < counts.least_translations || translations > counts.most_translations ||
      rotations < counts.least_rotations || rotations > counts.most_rotations) {
    return problems.error(path, fmt::format("a {} joint does not have {} translation and {} rotation axes",
                                            type_name(joint.type), translations, rotations));
  }
  if (!all_unit(joint.translations) || !all_unit(joint.rotations)) problems.error(path, "axes must be of unit length");
  if (!all_sane(joint.parent_point) || !all_sane(joint.child_point) || !all_sane(joint.position) ||
      !all_sane(joint.speed) || !sane(joint.length) || !sane(joint.ratio)) {
    problems.error(path, "points, coordinates and speeds must be numbers that can be computed with");
  }
  if (!(distance_from_rotation(joint.orientation) < 1e-9)) problems.error(path + ".orientation", "must be a rotation");
  const auto coordinates = coordinate_names(joint.type, translations, rotations).size();
  const auto speeds = speed_names(joint.type, translations, rotations).size();
  const auto check_size = [&](std::string_view field, std::size_t size, std::size_t wanted, bool may_be_empty) {
    if (size == wanted || (size == 0 && may_be_empty)) return;
    problems.error(fmt::format("{}.{}", path, field), fmt::format("has {} entries, expected {}", size, wanted));
  };
  check_size("position", joint.position.size(), coordinates, false);
  check_size("speed", joint.speed.size(), speeds, false);
  check_size("stiffness", joint.stiffness.size(), speeds, true);
  check_size("damping", joint.damping.size(), speeds, true);
  check_size("rest", joint.rest.size(), speeds, true);
  check_size("torque", joint.torque.size(), speeds, true);
  check_size("axis_torque", joint.axis_torque.size(), rotations, true);
  check_size("prescribed", joint.prescribed.motion.size(), speeds, joint.prescribed.kind == Prescribed::Kind::none);
  const bool damped_by_table =
      std::ranges::any_of(joint.damping, [](const Coefficient& c) { return !c.table.empty(); });
  if (has_quaternion(joint.type) && (!joint.stiffness.empty() || damped_by_table || joint.thermal)) {
    problems.error(path, fmt::format("a {} joint has no springs and no tables of a deflection", type_name(joint.type)));
  }
  if (has_quaternion(joint.type) && joint.position.size() == coordinates) {
    const double* q = joint.position.data() + (joint.type == JointType::free ? 3 : 0);
    if (!(std::abs(norm(Quaternion{q[0], q[1], q[2], q[3]}) - 1) < 1e-9)) {
      problems.error(path + ".position", "the quaternion must be of unit length");
    }
  }
}

}  // namespace

void complete(JointDescription& joint) {
  const std::size_t translations = joint.translations.size(), rotations = joint.rotations.size();
  if (joint.position.empty()) {
    joint.position.assign(coordinate_names(joint.type, translations, rotations).size(), 0);
    if (has_quaternion(joint.type)) joint.position[joint.type == JointType::free ? 3 : 0] = 1;
  }
  if (joint.speed.empty()) joint.speed.assign(speed_names(joint.type, translations, rotations).size(), 0);
}

void complete(Description& description) {
  for (JointDescription& joint : description.joints) complete(joint);
}

void validate_structure(const Description& description, Problems& problems) {
  check_names(description.parameters, "parameters", problems);
  check_names(description.tables, "tables", problems);
  check_names(description.bodies, "bodies", problems);
  check_names(description.joints, "joints", problems);
  check_names(description.constraints, "constraints", problems);
  check_names(description.signals, "signals", problems);
  if (description.bodies.size() > limits::bodies)
    problems.error("bodies", fmt::format("the limit is {}", limits::bodies));
  for (const BodyDescription& body : description.bodies) {
    check_names(body.points, fmt::format("bodies.{}.points", body.name), problems);
    check_names(body.wheels, fmt::format("bodies.{}.wheels", body.name), problems);
    if (!sane(body.mass) || !all_sane(body.com) || !all_sane(body.inertia.reshaped())) {
      problems.error("bodies." + body.name, "mass, com and inertia must be numbers that can be computed with");
    }
    for (const NamedPoint& point : body.points) {
      if (!all_sane(point.position))
        problems.error(fmt::format("bodies.{}.points.{}", body.name, point.name), "must be finite");
    }
    for (const WheelDescription& wheel : body.wheels) {
      const std::string path = fmt::format("bodies.{}.wheels.{}", body.name, wheel.name);
      if (!all_unit({wheel.axis})) problems.error(path + ".axis", "must be of unit length");
      if (!sane(wheel.inertia) || !sane(wheel.rate)) problems.error(path, "inertia and rate must be finite");
      if ((wheel.at && !all_sane(*wheel.at)) || (wheel.radius && !sane(*wheel.radius)))
        problems.error(path, "at and radius must be finite");
    }
    if (!body.inertia.isApprox(body.inertia.transpose(), 1e-12))
      problems.error("bodies." + body.name + ".inertia", "not symmetric");
  }
  for (const JointDescription& joint : description.joints) check_joint(joint, problems);
  for (std::size_t i = 0; i < description.loads.size(); ++i) {
    const auto check = [&]<class Member>(const FieldFormat& field, const Member& member) {
      if constexpr (std::is_same_v<Member, std::vector<Expression>>) {
        if (field.form == Form::dynamic_vector && !member.empty() && member.size() != 3)
          problems.error(fmt::format("loads[{}]", i), "a force or torque has three components");
      }
    };
    std::visit([&](const auto& load) { for_each_field(load, check); }, description.loads[i]);
  }
}

}  // namespace gyrostat
