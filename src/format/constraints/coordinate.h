// A coordinate of a joint, or the angle of a wheel, has a given value: a drive.
#pragma once

#include "gyrostat/format/field.h"

namespace gyrostat {

struct CoordinateRelation {
  std::string coordinate;  // "crank.angle"

  static constexpr std::string_view kind = "coordinate",
                                    note = "a coordinate of a joint: JOINT.angle, JOINT.displacement";
  static constexpr bool flat = true;
  static constexpr auto fields() {
    return std::tuple(optional_field(&CoordinateRelation::coordinate, kind, Form::coordinate_name, note));
  }
  void check(const Wrong&) const {}
};

}  // namespace gyrostat
