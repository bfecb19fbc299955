// Two nodes keep a distance: |p| - length = 0, p from the parent's node to the child's. Its multiplier is the force
// that pushes them apart. Where the nodes meet it has no direction.
#pragma once

#include <cmath>

#include "gyrostat/constraints/node_pair.h"

namespace gyrostat {

template <class C>
struct DistanceConstraint {
  NodePair<C> nodes;
  std::uint32_t first_row = 0, first_equal = 0;

  [[nodiscard]] static std::uint32_t rows() { return 1; }
  [[nodiscard]] std::array<std::uint32_t, 2> bodies() const { return {nodes.a.body, nodes.b.body}; }

  template <class Act>
  void for_numbers(Act& act) {
    nodes.for_numbers(act);
  }

  template <class D>
  [[nodiscard]] DistanceConstraint<D> as() const {
    return {nodes.template as<D>(), first_row, first_equal};
  }
};

inline DistanceConstraint<double> make_constraint(const Distance& distance, const Mechanism& mechanism,
                                                  std::vector<std::uint32_t>& paths) {
  return {make_pair(mechanism, distance.parent_node, distance.child_node, paths), 0, 0};
}

inline namespace GYROSTAT_PROCESSOR {

template <class T, class C, class M>
void evaluate(const DistanceConstraint<C>& distance, const StateAt<T, M>& at, ConstraintRow<T>* row) {
  using std::sqrt;
  const RelativeMotion<T> m = relative_motion(distance.nodes, at);
  const T length = sqrt(dot(m.p, m.p)), inverse = T(1.0) / length;
  const Vec3<T> n = inverse * m.p;
  row->residual = length;
  row->rate = dot(n, m.v);
  row->acceleration = dot(n, m.acceleration) + (dot(m.v, m.v) - row->rate * row->rate) * inverse;
  exert(m, n, m.p, *row);
  subtract(at.equals[distance.first_equal], *row);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
