// Equal and opposite torques on two bodies.
#pragma once

#include "gyrostat/format/field.h"

namespace gyrostat {

struct TorqueBetweenLoad {
  std::string from, to;
  Vector3 axis = Vector3::UnitX();  // axes of `from`
  Expression torque;                // on `to`; `from` gets the opposite [N m]

  static constexpr std::string_view kind = "torque_between", note = "equal and opposite torques on two bodies";
  static constexpr auto fields() {
    using L = TorqueBetweenLoad;
    return std::tuple(
        required_field(&L::from, "from", Form::body_name, "a body"),
        required_field(&L::to, "to", Form::body_name, "the body the torque acts on; the other gets the opposite"),
        required_field(&L::axis, "axis", Form::vector, "axes of `from`"),
        required_field(&L::torque, "torque", Form::dynamic, "N m", dimension::torque));
  }
  void check(const Wrong& wrong) const {
    if (from == to && !from.empty()) wrong("to", "the torque acts between two different bodies");
  }
};

}  // namespace gyrostat
