// Latches, dry friction and stops: their checks are in model/validate_restraints.cpp.
#include "gyrostat/format/read_sections.h"

namespace gyrostat::reading {

LatchDescription read_joint_latch(const Value& value) {
  const Fields fields(value, format::joint_latch);
  return {fields.dynamic("when"), fields.dynamic("release")};
}

FrictionDescription read_friction(const Value& value, const ObjectFormat& format, bool rotational) {
  const Fields fields(value, format);
  const Dimension level = rotational ? dimension::torque : dimension::force;
  FrictionDescription friction;
  if (const auto f = fields.find("coulomb")) friction.coulomb = read_dynamic(*f, level);
  if (const auto f = fields.find("static")) friction.static_most = read_dynamic(*f, level);
  if (const auto f = fields.find("viscous"))
    friction.viscous = read_constant(*f, rotational ? dimension::angular_damping : dimension::damping);
  if (const auto f = fields.find("stribeck")) {
    friction.stribeck = read_constant(*f, rotational ? dimension::angular_rate : dimension::velocity);
    if (!fields.has("static")) f->error("the level falls from 'static' to 'coulomb' over it; give 'static' too");
  }
  return friction;
}

StopsDescription read_stops(const Value& value, bool rotational) {
  const Fields fields(value, format::stops);
  const Dimension coordinate = rotational ? dimension::angle : dimension::length;
  StopsDescription stops;
  if (const auto f = fields.find("low")) stops.low = read_constant(*f, coordinate);
  if (const auto f = fields.find("high")) stops.high = read_constant(*f, coordinate);
  stops.restitution = fields.constant("restitution");
  if (const auto f = fields.find("stiffness")) {
    stops.stiffness = read_constant(*f, rotational ? dimension::angular_stiffness : dimension::stiffness);
    if (const auto rigid = fields.find("restitution")) {
      rigid->error("a stop with 'stiffness' is compliant and loses energy by 'damping'; remove one of the two");
    }
  }
  if (const auto f = fields.find("damping")) {
    stops.damping = read_constant(*f, rotational ? dimension::angular_damping : dimension::damping);
    if (!fields.has("stiffness")) f->error("a rigid stop has 'restitution'; a compliant one needs 'stiffness'");
  }
  return stops;
}

}  // namespace gyrostat::reading
