#include <cmath>
#include <numbers>

#include <Eigen/QR>
#include <fmt/format.h>

#include "gyrostat/model/joint.h"
#include "gyrostat/model/validate.h"

namespace gyrostat {

namespace {

/// Sine of the angle between two lines below which they count as parallel.
constexpr double parallel_sine = 1e-6;

bool parallel(const Vector3& a, const Vector3& b) { return a.cross(b).norm() < parallel_sine; }

bool unread(const std::vector<Vector3>& axes) {
  for (const Vector3& axis : axes) {
    if (axis.hasNaN()) return true;
  }
  return false;
}

bool dependent(const std::vector<Vector3>& axes) {
  if (axes.size() == 2) return parallel(axes[0], axes[1]);
  return axes.size() == 3 && std::abs(axes[0].dot(axes[1].cross(axes[2]))) < parallel_sine;
}

void check_axes(const JointDescription& joint, const std::string& path, Problems& problems) {
  if (unread(joint.rotations) || unread(joint.translations)) return;
  const bool general = joint.type == JointType::general;
  const auto& a = joint.rotations;
  for (std::size_t i = 0; i + 1 < a.size(); ++i) {
    if (!parallel(a[i], a[i + 1])) continue;
    problems.error(fmt::format("{}.{}", path, general ? "rotations" : "axes"),
                   fmt::format("axes {} and {} are parallel: turns about neighbouring axes must differ", i + 1, i + 2));
    return;
  }
  if (dependent(joint.translations)) {
    problems.error(fmt::format("{}.{}", path, general ? "translations" : "axes"),
                   joint.translations.size() == 2 ? "the two axes are parallel" : "the three axes lie in a plane");
  }
  if (general && a.empty() && joint.translations.empty()) {
    problems.error(path, "a general joint needs 'translations' or 'rotations'; a joint without any is a weld");
  }
  if (a.size() != 3) return;
  for (const double angle : joint.position) {
    if (std::isnan(angle)) return;
  }
  const Joint numbered = make_joint(joint);
  const Matrix3 turned = joint_subspace(numbered, joint.position.data()).topRows<3>().rightCols<3>();
  const bool held =
      joint.locked || joint.prescribed.kind != Prescribed::Kind::none;  // then nothing is to be solved for
  if (!held && std::abs(turned.determinant()) < locked_gimbal_volume) {
    problems.error(path + ".initial",
                   fmt::format("gimbal lock: at the initial angles the three axes lie in a plane (the second "
                               "angle is {:.6g} deg); begin elsewhere, order the axes otherwise, or use a "
                               "spherical joint",
                               joint.position[joint.position.size() - 2] * 180 / std::numbers::pi));
  }
}

void check_bodies(const JointDescription& joint, const std::string& path, const Names& names, Problems& problems) {
  if (joint.type == JointType::gear) return;
  for (const auto& [field, name] : {std::pair{"parent", &joint.parent}, std::pair{"child", &joint.child}}) {
    if (*name != "world" && !name->empty() && !names.body(*name))
      problems.error(fmt::format("{}.{}", path, field), names.no_body(*name));
  }
  if (joint.parent == joint.child && !joint.parent.empty())
    problems.error(path + ".child", "a joint connects two different bodies");
}

void check_gear(const JointDescription& joint, const std::string& path, const Description& description,
                const Names& names, Problems& problems) {
  for (std::size_t i = 0; i < 2; ++i) {
    if (joint.geared[i].empty()) continue;  // reported by the reader
    const std::string where = fmt::format("{}.joints[{}]", path, i);
    const auto index = names.joint(joint.geared[i]);
    if (!index) {
      problems.error(where, names.no_joint(joint.geared[i]));
      continue;
    }
    const JointDescription& other = description.joints[*index];
    if (other.readable && other.translations.size() + other.rotations.size() != 1) {
      problems.error(where, fmt::format("a gear couples joints with one coordinate; '{}' is a {} joint", other.name,
                                        type_name(other.type)));
    }
  }
  if (joint.geared[0] == joint.geared[1] && !joint.geared[0].empty())
    problems.error(path + ".joints", "a gear couples two different joints");
  if (joint.ratio == 0) problems.error(path + ".ratio", "cannot be zero");
}

void check_coefficients(const std::vector<Coefficient>& list, const std::string& path, const Names& names,
                        Problems& problems) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].table.empty() || names.table(list[i].table)) continue;
    return problems.error(list.size() > 1 ? fmt::format("{}[{}]", path, i) : path, names.no_table(list[i].table));
  }
}

}  // namespace

void validate_joints(const Description& description, const Names& names, Problems& problems) {
  for (const JointDescription& joint : description.joints) {
    const std::string path = "joints." + joint.name;
    check_bodies(joint, path, names, problems);
    if (!joint.readable) continue;
    check_axes(joint, path, problems);
    check_coefficients(joint.stiffness, path + ".stiffness", names, problems);
    check_coefficients(joint.damping, path + ".damping", names, problems);
    if (joint.type == JointType::gear) check_gear(joint, path, description, names, problems);
    if (joint.length <= 0 && joint.type == JointType::distance) problems.error(path + ".length", "must be positive");
    if (joint.thermal && joint.thermal->time_constant <= 0)
      problems.error(path + ".thermal.time_constant", "must be positive");
    for (const double u : joint.speed) {
      if (!joint.locked || u == 0) continue;
      problems.error(path + ".initial", "the joint is locked, so its initial speed must be zero");
      break;
    }
  }
}

}  // namespace gyrostat
