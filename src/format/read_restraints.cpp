// Latches, dry friction and stops: their checks are in model/validate_restraints.cpp.
#include "gyrostat/format/read_sections.h"

namespace gyrostat::reading {

LatchDescription read_joint_latch(const Value& value) {
  const Fields fields(value, format::joint_latch);
  return {fields.dynamic("when"), fields.dynamic("release")};
}

namespace {

/// Could all fields be read? If not, the one that is missed may be there under another name; that has been reported.
bool all_known(const Value& value, const ObjectFormat& format) {
  for (std::size_t i = 0; i + 1 < value.node.items.size(); i += 2) {
    if (format.find(value.node.items[i].text) == nullptr) return false;
  }
  return value.is_mapping() || value.is_null();
}

ReactionFrictionDescription read_reaction_friction(const Value& value, bool rotational) {
  const Fields fields(value, format::reaction_friction);
  ReactionFrictionDescription by_reaction;
  by_reaction.coefficient = fields.constant("coefficient");
  by_reaction.static_coefficient = fields.constant("static", by_reaction.coefficient);
  by_reaction.radius = fields.constant("radius", 1);
  if (const auto f = fields.find("radius"); f && !rotational) {
    f->error("is for joints that turn; the friction of a prismatic joint is the coefficient times the reaction");
  }
  if (rotational && !fields.has("radius")) {
    fields.missing("radius", "the torque of friction is the coefficient times this radius times the reaction");
  }
  return by_reaction;
}

}  // namespace

FrictionDescription read_friction(const Value& value, const ObjectFormat& format, bool rotational) {
  const Fields fields(value, format);
  const Dimension level = rotational ? dimension::torque : dimension::force;
  FrictionDescription friction;
  if (const auto f = fields.find("coulomb")) friction.coulomb = read_dynamic(*f, level);
  if (const auto f = fields.find("static")) friction.static_most = read_dynamic(*f, level);
  if (format.find("reaction") != nullptr) {
    if (const auto f = fields.find("reaction")) friction.by_reaction = read_reaction_friction(*f, rotational);
    if ((value.is_mapping() || value.is_null()) && !fields.has("coulomb") && !fields.has("reaction")) {
      fields.missing("coulomb", "it is required (level while it slides: N m or N), unless there is 'reaction'");
    }
  }
  if (const auto f = fields.find("viscous"))
    friction.viscous = read_constant(*f, rotational ? dimension::angular_damping : dimension::damping);
  if (const auto f = fields.find("stribeck")) {
    friction.stribeck = read_constant(*f, rotational ? dimension::angular_rate : dimension::velocity);
    if (friction.stribeck <= 0) f->error("must be positive; without it the level falls at once");
    const bool falls =
        friction.by_reaction && friction.by_reaction->static_coefficient > friction.by_reaction->coefficient;
    if (!fields.has("static") && !falls)
      f->error("the level falls from 'static' to 'coulomb' over it; give 'static' too");
  }
  return friction;
}

StopsDescription read_stops(const Value& value, bool rotational) {
  const Fields fields(value, format::stops);
  const Dimension coordinate = rotational ? dimension::angle : dimension::length;
  StopsDescription stops;
  if (!fields.has("low") && !fields.has("high") && all_known(value, format::stops))
    value.error("needs 'low' or 'high', or both");
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
