// Components of a node's position, seen from a frame fixed in another body, have given values: n.p - c = 0 for each
// direction n fixed in node a; p from node a to node b. One direction keeps the point in a plane, two on a line, three
// at a place.
#pragma once

#include "gyrostat/constraints/node_pair.h"

namespace gyrostat {

template <class C>
struct PointOnFrameConstraint {
  NodePair<C> nodes;
  std::array<Vec3<C>, 3> directions;  // unit vectors, axes of body a
  std::uint32_t count = 0;
  std::uint32_t first_row = 0, first_equal = 0;

  [[nodiscard]] std::uint32_t rows() const { return count; }
  [[nodiscard]] std::array<std::uint32_t, 2> bodies() const { return {nodes.a.body, nodes.b.body}; }

  template <class Act>
  void for_numbers(Act& act) {
    nodes.for_numbers(act);
    for (Vec3<C>& n : directions) for_vector(act, n);
  }

  template <class D>
  [[nodiscard]] PointOnFrameConstraint<D> as() const {
    PointOnFrameConstraint<D> other{nodes.template as<D>(), {}, count, first_row, first_equal};
    for (std::size_t k = 0; k < directions.size(); ++k) other.directions[k] = cast<D>(directions[k]);
    return other;
  }
};

inline PointOnFrameConstraint<double> make_constraint(const PointOnFrame& point, const Mechanism& mechanism,
                                                      std::vector<std::uint32_t>& paths) {
  PointOnFrameConstraint<double> made{make_pair(mechanism, point.frame_node, point.point_node, paths), {}, 0, 0, 0};
  const Matrix3 R = axes_of(mechanism, point.frame_node);
  for (const Vector3& n : point.directions) made.directions[made.count++] = cast<double>(Vector3(R * n));
  return made;
}

inline namespace GYROSTAT_PROCESSOR {

template <class T, class C, class M>
void evaluate(const PointOnFrameConstraint<C>& point, const StateAt<T, M>& at, ConstraintRow<T>* row) {
  const RelativeMotion<T> m = relative_motion(point.nodes, at);
  const SeenFromBody<T> seen = seen_from_a(m);
  Vec3<T> r = m.p;
  for (std::uint32_t k = 0; k < point.count && at.frozen; ++k) {
    const Vec3<T> n = m.a.R_NM * cast<T>(point.directions[k]);
    r -= (dot(n, m.p) - at.equals[point.first_equal + k].value) * n;
  }
  for (std::uint32_t k = 0; k < point.count; ++k, ++row) {
    if (!at.wants(point.first_row + k)) continue;
    follow_direction(m, seen, m.a.R_NM * cast<T>(point.directions[k]), r, *row);
    subtract(at.equals[point.first_equal + k], *row);
  }
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
