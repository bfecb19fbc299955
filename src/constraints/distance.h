// Two nodes keep a distance: (p.p - length^2) / (2 length) = 0, p from the parent's node to the child's. At the
// distance, this grows as the distance does; it is smooth where the nodes meet.
#pragma once

#include "gyrostat/constraints/node_pair.h"

namespace gyrostat {

template <class C>
struct DistanceConstraint {
  NodePair<C> nodes;
  C length{};  // [m]
  std::uint32_t first_row = 0;

  [[nodiscard]] static std::uint32_t rows() { return 1; }
  [[nodiscard]] RowPlaces places() const { return {{nodes.a.body, nodes.b.body}, {}}; }

  template <class D>
  [[nodiscard]] DistanceConstraint<D> as() const {
    return {nodes.template as<D>(), D(length), first_row};
  }
};

inline DistanceConstraint<double> make_constraint(const Distance& distance, const Mechanism& mechanism,
                                                  std::vector<std::uint32_t>& paths) {
  return {make_pair(mechanism, distance.parent_node, distance.child_node, paths), distance.length, 0};
}

inline namespace GYROSTAT_PROCESSOR {

template <class T, class C, class M>
void evaluate(const DistanceConstraint<C>& distance, std::span<const std::uint32_t> paths, const M& mechanism,
              const Kinematics<T>& kinematics, const T* /*q*/, const T* u, const T* /*udot*/, ConstraintRow<T>* row) {
  const RelativeMotion<T> m = relative_motion(distance.nodes, paths, mechanism, kinematics, u);
  const T length(distance.length), inverse = T(1.0) / length;
  row->residual = T(0.5) * (dot(m.p, m.p) * inverse - length);
  row->rate = dot(m.p, m.v) * inverse;
  row->acceleration = (dot(m.p, m.acceleration) + dot(m.v, m.v)) * inverse;
  exert(m, inverse * m.p, m.p, {}, *row);
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
