// The types of joints: one line each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace gyrostat {

enum class JointType {
  weld,
  revolute,
  prismatic,
  cylindrical,
  universal,
  gimbal,
  spherical,
  translation,
  planar,
  general,
  free,
  gear,
  distance  // loop constraints only
};

/// What the model file and the description of a joint of a type have.
struct JointFields {
  std::string_view type;
  std::string_view axes;                                       // "axis", "axes", "normal", or empty
  std::uint8_t least = 0, most = 0;                            // how many axes that field has
  std::uint8_t least_translations = 0, most_translations = 0;  // axes of the description
  std::uint8_t least_rotations = 0, most_rotations = 0;
};

/// In the order of JointType.
inline constexpr std::array<JointFields, 13> joint_type_table = {{
    {"weld", "", 0, 0, 0, 0, 0, 0},
    {"revolute", "axis", 1, 1, 0, 0, 1, 1},
    {"prismatic", "axis", 1, 1, 1, 1, 0, 0},
    {"cylindrical", "axis", 1, 1, 1, 1, 1, 1},
    {"universal", "axes", 2, 2, 0, 0, 2, 2},
    {"gimbal", "axes", 3, 3, 0, 0, 3, 3},
    {"spherical", "", 0, 0, 0, 0, 0, 0},
    {"translation", "axes", 1, 3, 1, 3, 0, 0},
    {"planar", "normal", 1, 1, 2, 2, 1, 1},
    {"general", "", 0, 0, 0, 3, 0, 3},
    {"free", "", 0, 0, 0, 0, 0, 0},
    {"gear", "", 0, 0, 0, 0, 0, 0},
    {"distance", "", 0, 0, 0, 0, 0, 0},
}};

constexpr const JointFields& joint_fields(JointType type) { return joint_type_table[static_cast<std::size_t>(type)]; }
constexpr const JointFields& joint_fields(std::string_view type) {
  return *std::find_if(joint_type_table.begin(), joint_type_table.end() - 1,
                       [&](const JointFields& f) { return f.type == type; });
}
constexpr std::string_view type_name(JointType type) { return joint_fields(type).type; }

namespace format {

inline constexpr auto joint_types = [] {
  std::array<std::string_view, joint_type_table.size()> names;
  std::transform(joint_type_table.begin(), joint_type_table.end(), names.begin(),
                 [](const JointFields& f) { return f.type; });
  return names;
}();

}  // namespace format

}  // namespace gyrostat
