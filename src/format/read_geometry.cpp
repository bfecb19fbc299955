#include <cmath>

#include <fmt/format.h>

#include "gyrostat/format/read_fields.h"

namespace gyrostat::reading {

Matrix3 read_orientation(const Value& value) {
  Matrix3 failed = Matrix3::Identity();
  const Fields fields(value, format::orientation);
  const auto kind = fields.kind();
  if (!kind) return failed;
  if (fields.has("angle") != (*kind == "axis")) {
    value.error(*kind == "axis" ? "an axis needs an angle" : "an angle needs an axis");
    return failed;
  }
  const Value inside = *fields.find(*kind);
  if (*kind == "axis") {
    const Vector3 axis = read_direction(inside);
    const double angle = fields.constant("angle");
    return axis.hasNaN() || std::isnan(angle) ? failed : rotation_about(axis, angle);
  }
  if (*kind == "quaternion") {
    const std::vector<double> q = read_constant_list(inside, dimension::none);
    if (q.size() != 4) {
      if (inside.is_list()) inside.error(fmt::format("expected 4 numbers [w, x, y, z], got {}", q.size()));
      return failed;
    }
    const Quaternion quaternion{q[0], q[1], q[2], q[3]};
    const double length = norm(quaternion);
    if (std::isnan(length)) return failed;
    if (!(std::abs(length - 1) < 1e-3)) {
      inside.error(fmt::format("a quaternion has length 1; this one has {:.6g}", length));
      return failed;
    }
    return to_rotation(normalised(quaternion));
  }
  if (*kind == "euler") {
    const Fields euler(inside, format::euler);
    std::string sequence = euler.text("sequence");
    const std::vector<double> angles = euler.constant_list("angles");
    if (!euler.has("sequence") || !euler.has("angles")) return failed;
    if (sequence == "bryant") sequence = "xyz";
    if (sequence == "classic") sequence = "zxz";
    if (angles.size() != 3) {
      if (euler.find("angles")->is_list())
        euler.find("angles")->error(fmt::format("expected 3 angles, got {}", angles.size()));
      return failed;
    }
    const auto R = rotation_from_euler(sequence, {angles[0], angles[1], angles[2]});
    if (!R)
      euler.find("sequence")->error("expected three of x, y, z without an immediate repetition, bryant or classic");
    return R && !R->hasNaN() ? *R : failed;
  }
  const std::size_t errors = inside.context.problems.errors_found();
  const auto rows = read_matrix(inside);
  if (rows.size() != 3 || rows[0].size() != 3) {
    if (inside.context.problems.errors_found() == errors) inside.error("expected 3 rows of 3 numbers");
    return failed;
  }
  Matrix3 R;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) R(i, j) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  }
  if (R.hasNaN()) return failed;
  if (const double distance = distance_from_rotation(R); !(distance < 1e-3)) {
    inside.error(distance == 2 ? "not a rotation: its determinant is not positive"
                               : fmt::format("not a rotation: its rows are not orthonormal (off by {:.2g})", distance));
    return failed;
  }
  return to_rotation(to_quaternion(R));  // orthonormal to rounding
}

Matrix3 read_inertia(const Value& value) {
  if (value.is_mapping()) {
    const Fields f(value, format::inertia);
    const double xx = f.constant("xx"), yy = f.constant("yy"), zz = f.constant("zz");
    const double xy = f.constant("xy"), xz = f.constant("xz"), yz = f.constant("yz");
    Matrix3 m;
    m << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    return m;
  }
  if (may_be_vector(value)) return read_vector(value, dimension::inertia).asDiagonal();
  constexpr std::string_view forms = "{xx, yy, zz, xy, xz, yz}, 3 principal moments, or a 3x3 matrix";
  const bool matrix =
      value.is_list() && !value.node.items.empty() && value.node.items[0].kind == YamlNode::Kind::sequence;
  if (!value.is_list() || value.node.items.size() != 3) {
    if (!value.is_list()) value.expected(forms);
    if (value.is_list()) value.error(fmt::format("expected {}, got a list of {}", forms, value.node.items.size()));
    return Matrix3::Constant(unreadable);
  }
  if (!matrix) return read_vector(value, dimension::inertia).asDiagonal();
  Matrix3 m;
  for (std::size_t i = 0; i < 3; ++i)
    m.row(static_cast<Eigen::Index>(i)) = read_vector(value.item(i), dimension::inertia);
  if (m.hasNaN()) return m;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < i; ++j) {
      if (std::abs(m(i, j) - m(j, i)) <= 1e-9 * m.cwiseAbs().maxCoeff()) continue;
      value.error(
          fmt::format("not symmetric: element [{}][{}] is {}, element [{}][{}] is {}", i, j, m(i, j), j, i, m(j, i)));
      return Matrix3::Constant(unreadable);
    }
  }
  return 0.5 * (m + m.transpose());
}

}  // namespace gyrostat::reading
