#include <algorithm>
#include <cmath>
#include <unordered_map>

#include <fmt/format.h>

#include "gyrostat/math/mass_properties.h"
#include "gyrostat/model/validate.h"

namespace gyrostat {

namespace {

constexpr double rounding = 1e-9;  // relative; what typing in a few digits may spoil is more than this

void check_inertia(const BodyDescription& body, const std::string& path, Problems& problems) {
  if (body.inertia.hasNaN() || body.inertia.isZero(0)) return;
  const Vector3 moments = principal_moments(body.inertia);
  const std::string shown = fmt::format("{:.6g}, {:.6g}, {:.6g}", moments[0], moments[1], moments[2]);
  if (moments[0] < -rounding * moments.cwiseAbs().maxCoeff()) {
    return problems.error(path, fmt::format("a principal moment is negative ({} kg m^2)", shown));
  }
  const double excess = moments[2] - moments[1] - moments[0];
  if (excess > rounding * moments[2]) {
    const std::string what = fmt::format(
        "no body has principal moments {} kg m^2: the largest exceeds the sum of the others "
        "by {:.4g} (triangle inequality)",
        shown, excess);
    if (body.accept_unphysical) return problems.warning(path, what + "; accepted, as the body says");
    return problems.error(path, what + "; check units and the signs of xy, xz, yz, or say 'accept_unphysical: true'");
  }
  if (body.mass == 0) {
    const std::string what = "inertia without mass";
    if (body.accept_unphysical) return problems.warning(path, what + "; accepted, as the body says");
    problems.error(path, what + "; give the body a mass, or say 'accept_unphysical: true'");
  }
}

void check_wheels(const BodyDescription& body, const std::string& path, Problems& problems) {
  Matrix3 rest = body.inertia;
  bool readable = !rest.hasNaN();
  for (const WheelDescription& wheel : body.wheels) {
    if (wheel.inertia <= 0) problems.error(fmt::format("{}.wheels.{}.inertia", path, wheel.name), "must be positive");
    if (wheel.radius && *wheel.radius <= 0)
      problems.error(fmt::format("{}.wheels.{}.radius", path, wheel.name), "must be positive");
    readable = readable && !std::isnan(wheel.inertia) && !wheel.axis.hasNaN();
    if (readable) rest -= wheel.inertia * wheel.axis * wheel.axis.transpose();
  }
  if (body.wheels.empty() || !readable || body.mass < 0 || body.point_mass) return;
  const double least = principal_moments(rest)[0], least_before = principal_moments(body.inertia)[0];
  if (least < -rounding * body.inertia.cwiseAbs().maxCoeff() && least_before >= 0) {
    problems.error(
        path + ".wheels",
        fmt::format("the wheels have more inertia than the body that includes them (by {:.4g} kg m^2): the inertia "
                    "of a body includes its wheels at rest",
                    -least));
  }
}

/// The largest distance from the com to anything the file places on the body [m].
std::vector<double> extents(const Description& description) {
  std::unordered_map<std::string_view, std::size_t> index;
  std::vector<double> extent(description.bodies.size(), 0);
  for (std::size_t i = 0; i < description.bodies.size(); ++i) index.emplace(description.bodies[i].name, i);
  const auto reach = [&](std::string_view name, const Vector3& point) {
    const auto found = index.find(name);
    if (found == index.end()) return;
    const double distance = (point - description.bodies[found->second].com).norm();
    if (distance > extent[found->second]) extent[found->second] = distance;
  };
  for (const JointDescription& joint : description.joints) {
    reach(joint.parent, joint.parent_point);
    reach(joint.child, joint.child_point);
  }
  for (const BodyDescription& body : description.bodies) {
    for (const NamedPoint& point : body.points) reach(body.name, point.position);
    for (const Shape& shape : body.shapes) reach(body.name, shape.at + shape.size / 2);
  }
  return extent;
}

/// A radius of gyration far from the size of the body (or, for want of that, of the largest body) is likely to be an
/// inertia in other units than the lengths.
void check_radii_of_gyration(const Description& description, Problems& problems) {
  const std::vector<double> extent = extents(description);
  const double largest = extent.empty() ? 0 : *std::max_element(extent.begin(), extent.end());
  for (std::size_t i = 0; i < description.bodies.size(); ++i) {
    const BodyDescription& body = description.bodies[i];
    const double moment = body.inertia.diagonal().maxCoeff();
    const double size = extent[i] > 1e-6 * largest ? extent[i] : largest;
    if (!(body.mass > 0 && moment > 0 && size > 0) || body.inertia.hasNaN()) continue;
    const double ratio = std::sqrt(moment / body.mass) / size;
    const bool too_large = ratio > 30, too_small = ratio < 1.0 / 300 && extent[i] > 0;
    if (!too_large && !too_small) continue;
    problems.warning(
        fmt::format("bodies.{}.inertia", body.name),
        fmt::format("the radius of gyration, {:.3g} m, is {:.3g} times the size of the body, {:.3g} m; {}?",
                    std::sqrt(moment / body.mass), ratio, size,
                    too_large ? "is the inertia in kg mm^2, kg cm^2, kg in^2 or g m^2, or are the lengths in km"
                              : "are the lengths in mm or cm"));
  }
}

}  // namespace

void validate_tables(const Description& description, Problems& problems) {
  for (const TableDescription& table : description.tables) {
    const auto unreadable_value = [](double x) { return std::isnan(x); };
    if (std::any_of(table.x.begin(), table.x.end(), unreadable_value)) continue;
    if (table.x.empty() || table.y.empty()) continue;  // reported as missing or not a list
    const std::string problem = Table::problem_of(table.x, table.y);
    if (!problem.empty()) problems.error(fmt::format("tables.{}.x", table.name), problem);
  }
}

void validate_bodies(const Description& description, Problems& problems) {
  for (const BodyDescription& body : description.bodies) {
    if (body.node_of) continue;  // without mass; with the inertia of its wheels
    const std::string path = "bodies." + body.name;
    if (body.mass < 0) problems.error(path + ".mass", "a mass cannot be negative");
    if (body.mass == 0 && body.point_mass) problems.error(path + ".mass", "a point mass must have mass");
    check_inertia(body, path + ".inertia", problems);
    check_wheels(body, path, problems);
  }
  check_radii_of_gyration(description, problems);
}

}  // namespace gyrostat
