// Components of a point's position, seen from a body, have given values.
#pragma once

#include "gyrostat/format/field.h"

namespace gyrostat {

struct PointRelation {
  PointReference point;
  std::string of = "world";
  std::vector<Vector3> directions;  // unit vectors, axes of that body

  static constexpr std::string_view kind = "point", note = "[BODY, POINT]";
  static constexpr bool flat = true;
  static constexpr auto fields() {
    using R = PointRelation;
    return std::tuple(
        optional_field(&R::point, kind, Form::attachment, note),
        optional_field(&R::of, "of", Form::body_name, "the body in whose frame the point is held; default world"),
        optional_field(&R::directions, "directions", Form::vectors,
                       "one keeps the point in a plane, two on a line, three at a place; axes of that body"));
  }
  /// Which fields must be there together.
  template <class Has>
  static void check_presence(const Has& has, const Wrong& wrong) {
    if (!has("directions")) wrong("", "needs 'directions' beside 'point': one to three vectors");
  }
  void check(const Wrong& wrong) const {
    if (point.body == of && !of.empty())
      wrong("of", "the point belongs to that body; name another, in whose frame it is held");
    for (const Vector3& n : directions) {
      if (n.hasNaN()) return;
    }
    const bool two = directions.size() == 2 && directions[0].cross(directions[1]).norm() < 1e-6;
    const bool three = directions.size() == 3 && std::abs(directions[0].dot(directions[1].cross(directions[2]))) < 1e-6;
    if (two) wrong("directions", "the two directions are parallel; leave one out");
    if (three) wrong("directions", "the three directions lie in a plane; leave one out, or give independent ones");
  }
};

}  // namespace gyrostat
