// What may hold joints and wheels in a run. Numbers that could not be read are NaN, and no comparison with them is
// true.
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/model/validate.h"

namespace gyrostat {

namespace {

/// The value of an expression that is a number and nothing else, or NaN.
double number_of(const Expression& e) {
  return e.nodes.size() == 1 && e.nodes[0].operation == expression::Operation::number ? e.nodes[0].value : unreadable;
}

void check_friction(const FrictionDescription& friction, const std::string& path, Problems& problems) {
  const double slides = number_of(friction.coulomb), holds = number_of(friction.static_most);
  if (slides < 0) problems.error(path + ".coulomb", "must not be negative");
  if (const auto& by_reaction = friction.by_reaction) {
    const std::string at = path + ".reaction";
    if (by_reaction->coefficient < 0) problems.error(at + ".coefficient", "must not be negative");
    if (by_reaction->static_coefficient < by_reaction->coefficient) {
      problems.error(at + ".static", "must not be below 'coefficient': what slides would stop where it cannot stay");
    }
    if (by_reaction->radius <= 0) problems.error(at + ".radius", "must be positive");
  }
  if (friction.viscous < 0) problems.error(path + ".viscous", "must not be negative");
  if (holds < slides) {
    problems.error(path + ".static", "must not be below 'coulomb': what slides would stop where it cannot stay");
  }
}

void check_stops(const StopsDescription& stops, double initial, const std::string& path, Problems& problems) {
  if (stops.low >= stops.high) return problems.error(path + ".high", "must be greater than 'low'");
  if (stops.restitution < 0 || stops.restitution >= 1) {
    problems.error(path + ".restitution", "must be at least 0 and less than 1");
  }
  if (stops.stiffness && *stops.stiffness <= 0) problems.error(path + ".stiffness", "must be positive");
  if (stops.damping < 0) problems.error(path + ".damping", "must not be negative");
  const bool rigid = !stops.stiffness;
  if (rigid && (initial < stops.low || initial > stops.high)) {
    problems.error(
        path, fmt::format("the initial coordinate, {:.6g}, is beyond {}; begin within the stops by 'initial'", initial,
                          initial < stops.low ? "'low'" : "'high'"));
  }
}

void check_wheel(const WheelDescription& wheel, const std::string& path, const Names& names, Problems& problems) {
  if (wheel.friction) check_friction(*wheel.friction, path + ".friction", problems);
  if (wheel.torque_limit < 0) problems.error(path + ".torque_limit", "must not be negative");
  if (std::isfinite(wheel.torque_limit) && wheel.torque.empty()) {
    problems.error(path + ".torque_limit", "the wheel has no motor; give it a 'torque'");
  }
  if (wheel.speed_limit <= 0) problems.error(path + ".speed_limit", "must be positive");
  if (wheel.speed_limit > 0 && std::abs(wheel.rate) > wheel.speed_limit) {
    problems.error(path + ".rate", fmt::format("is beyond the speed limit, {:.6g} rad/s", wheel.speed_limit));
  }
  if (!wheel.drag.empty() && !names.table(wheel.drag)) problems.error(path + ".drag", names.no_table(wheel.drag));
  if (wheel.static_imbalance < 0) problems.error(path + ".static_imbalance", "must not be negative");
  if (wheel.dynamic_imbalance < 0) problems.error(path + ".dynamic_imbalance", "must not be negative");
}

}  // namespace

void validate_restraints(const Description& description, const Names& names, Problems& problems) {
  for (const BodyDescription& body : description.bodies) {
    for (const WheelDescription& wheel : body.wheels) {
      check_wheel(wheel, fmt::format("bodies.{}.wheels.{}", body.name, wheel.name), names, problems);
    }
  }
  for (const JointDescription& joint : description.joints) {
    if (!joint.readable || (!joint.latch && !joint.friction && !joint.stops)) continue;
    const std::size_t speeds = speed_names(joint.type, joint.translations.size(), joint.rotations.size()).size();
    for (const auto& [field, there] : {std::pair{"latch", joint.latch.has_value()},
                                       {"friction", joint.friction.has_value()},
                                       {"stops", joint.stops.has_value()}}) {
      if (!there) continue;
      const std::string path = fmt::format("joints.{}.{}", joint.name, field);
      if (joint.locked) problems.error(path, "the joint is locked, so nothing else can hold it; remove one of the two");
      if (joint.prescribed.kind != Prescribed::Kind::none) {
        problems.error(path, "the motion of the joint is prescribed, and nothing can hold it; remove one of the two");
      }
      if (speeds != 1 && std::string_view(field) != "latch") {
        problems.error(path, fmt::format("is for joints with one coordinate; this one has {}", speeds));
      }
    }
    const std::string path = "joints." + joint.name;
    if (joint.friction) check_friction(*joint.friction, path + ".friction", problems);
    if (joint.stops && speeds == 1) check_stops(*joint.stops, joint.position[0], path + ".stops", problems);
  }
}

}  // namespace gyrostat
