// A spring, damper or actuator between two points.
#pragma once

#include "gyrostat/format/checks.h"

namespace gyrostat {

struct SpringLoad {
  PointReference from, to;
  Coefficient stiffness, damping;  // [N/m], [N s/m]
  double length = 0;               // unstretched [m]
  Expression force;                // added along the line, tension positive [N]

  static constexpr std::string_view kind = "spring", note = "between two points";
  static constexpr auto fields() {
    using L = SpringLoad;
    return std::tuple(
        required_field(&L::from, "from", Form::attachment, "[BODY, POINT]"),
        required_field(&L::to, "to", Form::attachment, "[BODY, POINT]"),
        optional_field(&L::stiffness, "stiffness", Form::coefficient, "N/m", dimension::stiffness),
        optional_field(&L::damping, "damping", Form::coefficient, "N s/m", dimension::damping),
        optional_field(&L::length, "length", Form::constant, "unstretched, m; default 0", dimension::length),
        optional_field(&L::force, "force", Form::dynamic, "added along the line, tension positive, N",
                       dimension::force));
  }
  void check(const Wrong& wrong) const {
    not_negative(wrong, "length", length);
    if (from.body == to.body && !from.body.empty()) wrong("to", "both ends are on the same body");
  }
};

}  // namespace gyrostat
