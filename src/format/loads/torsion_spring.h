// A rotational spring, damper and motor between two bodies.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct TorsionSpringLoad {
  std::string from, to;
  Vector3 axis = Vector3::UnitX();       // axes of `from`
  Vector3 from_line = Vector3::UnitY();  // axes of `from`
  Vector3 to_line = Vector3::UnitY();    // axes of `to`
  Coefficient stiffness, damping;        // [N m/rad], [N m s/rad]
  double rest = 0;                       // [rad]
  Expression torque;                     // on `to`; `from` gets the opposite [N m]

  static constexpr std::string_view kind = "torsion_spring",
                                    note = "between lines of two bodies, about an axis of the first";
  static constexpr auto fields() {
    using L = TorsionSpringLoad;
    return std::tuple(
        required_field(&L::from, "from", Form::body_name, "the body in which the axis is fixed"),
        required_field(&L::to, "to", Form::body_name, "the body the torque acts on; the other gets the opposite"),
        required_field(&L::axis, "axis", Form::vector, "axes of `from`"),
        required_field(&L::from_line, "from_line", Form::vector, "the angle is measured from it; axes of `from`"),
        required_field(&L::to_line, "to_line", Form::vector, "the angle is measured to it; axes of `to`"),
        optional_field(&L::stiffness, "stiffness", Form::coefficient, "N m/rad", dimension::angular_stiffness),
        optional_field(&L::damping, "damping", Form::coefficient, "N m s/rad", dimension::angular_damping),
        optional_field(&L::rest, "rest", Form::constant, "the angle without torque, rad; default 0", dimension::angle),
        optional_field(&L::torque, "torque", Form::dynamic, "added on `to`, N m", dimension::torque));
  }
  void check(const Wrong& wrong) const {
    if (from == to && !from.empty()) wrong("to", "the torque acts between two different bodies");
    constexpr double along = 1e-6;  // sine of the least angle between line and axis
    if (axis.cross(from_line).norm() < along)
      wrong("from_line", "is along the axis, so no angle about it can be measured; give one across it");
  }
};

}  // namespace gyrostat
