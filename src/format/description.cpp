#include "gyrostat/format/description.h"

namespace gyrostat {

namespace {

void append(std::vector<NamedQuantity>& list, std::string_view name, std::size_t count, std::string_view unit,
            bool rotational) {
  for (std::size_t i = 1; i <= count; ++i) {
    list.push_back({std::string(name) + (count > 1 ? std::to_string(i) : ""), unit, rotational});
  }
}

void append_components(std::vector<NamedQuantity>& list, std::string_view name, std::string_view letters,
                       std::string_view unit, bool rotational) {
  for (const char letter : letters) list.push_back({std::string(name) + "_" + letter, unit, rotational});
}

}  // namespace

Description::Description() = default;
Description::Description(const Description& other) = default;
Description::Description(Description&& other) noexcept = default;
Description& Description::operator=(const Description& other) = default;
Description& Description::operator=(Description&& other) noexcept = default;
Description::~Description() = default;

std::vector<NamedQuantity> coordinate_names(JointType type, std::size_t translations, std::size_t rotations) {
  std::vector<NamedQuantity> list;
  if (type == JointType::free) append_components(list, "position", "xyz", "m", false);
  if (has_quaternion(type)) append_components(list, "quaternion", "wxyz", "1", true);
  if (type == JointType::cylindrical) append(list, "angle", rotations, "rad", true);
  append(list, "displacement", translations, "m", false);
  if (type != JointType::cylindrical) append(list, "angle", rotations, "rad", true);
  return list;
}

std::vector<NamedQuantity> speed_names(JointType type, std::size_t translations, std::size_t rotations) {
  std::vector<NamedQuantity> list;
  if (has_quaternion(type)) append_components(list, "omega", "xyz", "rad/s", true);
  if (type == JointType::free) append_components(list, "velocity", "xyz", "m/s", false);
  if (type == JointType::cylindrical) append(list, "rate", rotations, "rad/s", true);
  append(list, "speed", translations, "m/s", false);
  if (type != JointType::cylindrical) append(list, "rate", rotations, "rad/s", true);
  return list;
}

JointsByName joints_by_name(const std::vector<JointDescription>& joints) {
  JointsByName index;
  for (const JointDescription& joint : joints) index.emplace(joint.name, &joint);
  return index;
}

std::optional<Dimension> dimension_of(const Relation& relation, const JointsByName& joints) {
  if (std::holds_alternative<DistanceRelation>(relation) || std::holds_alternative<PointRelation>(relation))
    return dimension::length;
  const auto* one = std::get_if<CoordinateRelation>(&relation);
  const std::size_t dot = one == nullptr ? std::string::npos : one->coordinate.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const std::string_view owner = std::string_view(one->coordinate).substr(0, dot);
  const auto found = joints.find(owner);
  if (found == joints.end() && owner.find('.') != std::string_view::npos) return dimension::angle;  // of a wheel
  if (found == joints.end()) return std::nullopt;
  const JointDescription& joint = *found->second;
  for (const NamedQuantity& q : coordinate_names(joint.type, joint.translations.size(), joint.rotations.size())) {
    if (q.name == std::string_view(one->coordinate).substr(dot + 1))
      return q.rotational ? dimension::angle : dimension::length;
  }
  return std::nullopt;
}

}  // namespace gyrostat
