// Two points keep a distance.
#pragma once

#include "gyrostat/format/field.h"

namespace gyrostat {

struct DistanceRelation {
  PointReference from, to;

  static constexpr std::string_view kind = "distance", note = "of two points";
  static constexpr std::string_view format_name = "distance_between";
  static constexpr auto fields() {
    using R = DistanceRelation;
    return std::tuple(required_field(&R::from, "from", Form::attachment, "[BODY, POINT]"),
                      required_field(&R::to, "to", Form::attachment, "[BODY, POINT]"));
  }
  void check(const Wrong& wrong) const {
    if (from.body == to.body && !from.body.empty())
      wrong("to", "both ends are on the same body, where points keep their distance anyway");
  }
};

}  // namespace gyrostat
