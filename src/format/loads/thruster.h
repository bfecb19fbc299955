// A force fixed in a body, switched by a command.
#pragma once

#include "gyrostat/format/field.h"

namespace gyrostat {

struct ThrusterLoad {
  PointReference at;
  Vector3 direction = Vector3::UnitX();  // of the force on the body, body axes
  Expression thrust;                     // [N]
  Expression command;                    // factor; empty: 1

  static constexpr std::string_view kind = "thruster", note = "a force fixed in a body, switched by a command";
  static constexpr auto fields() {
    using L = ThrusterLoad;
    return std::tuple(required_field(&L::at, "body", Form::body_name, "where it is mounted"),
                      required_field(&L::at, "point", Form::point, "a name, [x, y, z], or com", dimension::length),
                      required_field(&L::direction, "direction", Form::vector, "of the force on the body, body axes"),
                      required_field(&L::thrust, "thrust", Form::dynamic, "N", dimension::force),
                      optional_field(&L::command, "command", Form::dynamic, "factor of the thrust; default 1"));
  }
  void check(const Wrong& /*wrong*/) const {}
};

}  // namespace gyrostat
