// A force and a torque on a body.
#pragma once

#include <vector>

#include "gyrostat/format/field.h"

namespace gyrostat {

struct BodyLoad {
  PointReference at;
  std::vector<Expression> force, torque;  // three each, or empty [N, N m]
  Axes axes = Axes::body;

  static constexpr std::string_view kind = "body", note = "the body a force or torque acts on";
  static constexpr bool flat = true;
  static constexpr auto fields() {
    using L = BodyLoad;
    return std::tuple(optional_field(&L::at, "body", Form::body_name, note),
                      optional_field(&L::force, "force", Form::dynamic_vector, "N", dimension::force),
                      optional_field(&L::torque, "torque", Form::dynamic_vector, "N m", dimension::torque),
                      optional_field(&L::at, "point", Form::point,
                                     "where the force acts: a name, [x, y, z], or com (default)", dimension::length),
                      choice_field(&L::axes, "axes", format::axes, "body (default) or world"));
  }
  /// What is wrong with the fields that are there; `has(name)` tells which.
  template <class Has>
  static void check_presence(const Has& has, const Wrong& wrong) {
    if (!has("force") && !has("torque")) wrong("", "needs a 'force' or a 'torque'");
    if (has("point") && !has("force")) wrong("point", "only a force acts at a point");
  }
  void check(const Wrong& /*wrong*/) const {}
};

}  // namespace gyrostat
