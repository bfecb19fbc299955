// A joint of any type that is not in the tree. Its frame F is fixed in the parent (node a), M in the child (node b);
// the joint lets M's origin move along its translation axes d_i, fixed in F, and turns M by rotations about its axes
// a_i in sequence. What is left is locked, and makes the rows:
//   translations: n.p - c = 0 for each direction n, fixed in F, orthogonal to all d_i; p from F's origin to M's   (1)
//   rotations:    x.y - c = 0 with x fixed in F and y fixed in M:                                                 (2)
//     no axis      three rows, the axes y z, z x, x y of F and M, which are orthogonal pairs
//     one axis a   two rows: x two directions orthogonal to a, and y = a
//     two axes     one row: x = a1, y = a2, which keep their angle; divided by its sine, so that J has unit size
//     three axes   no row
// A locked joint has no axes that move: c and y are those of its coordinates. (2) holds also where M is turned by half
// a turn from where it belongs; what assembles a configuration looks at that.
#pragma once

#include <array>

#include "gyrostat/constraints/node_pair.h"

namespace gyrostat {

template <class C>
struct CutJointConstraint {
  struct Translation {
    Vec3<C> n;  // unit vector, axes of the parent
    C c{};      // [m]
  };
  struct Rotation {
    Vec3<C> x, y;  // axes of the parent, of the child
    C c{};
  };

  NodePair<C> nodes;
  std::array<Translation, 3> translations;
  std::array<Rotation, 3> rotations;
  std::uint8_t translation_count = 0, rotation_count = 0;
  std::uint32_t first_row = 0, first_equal = 0;  // it has no values that are given from outside

  [[nodiscard]] std::uint32_t rows() const { return translation_count + rotation_count; }
  [[nodiscard]] std::array<std::uint32_t, 2> bodies() const { return {nodes.a.body, nodes.b.body}; }

  template <class Act>
  void for_numbers(Act& act) {
    nodes.for_numbers(act);
    for (std::size_t k = 0; k < 3; ++k) {
      for_vector(act, translations[k].n), act(translations[k].c);
      for_vector(act, rotations[k].x), for_vector(act, rotations[k].y), act(rotations[k].c);
    }
  }

  template <class D>
  [[nodiscard]] CutJointConstraint<D> as() const {
    CutJointConstraint<D> other{nodes.template as<D>(), {},        {},         translation_count,
                                rotation_count,         first_row, first_equal};
    for (std::size_t k = 0; k < 3; ++k) {
      other.translations[k] = {cast<D>(translations[k].n), D(translations[k].c)};
      other.rotations[k] = {cast<D>(rotations[k].x), cast<D>(rotations[k].y), D(rotations[k].c)};
    }
    return other;
  }
};

CutJointConstraint<double> make_constraint(const CutJoint& cut, const Mechanism& mechanism,
                                           std::vector<std::uint32_t>& paths);

inline namespace GYROSTAT_PROCESSOR {

template <class T, class C, class M>
void evaluate(const CutJointConstraint<C>& joint, const StateAt<T, M>& at, ConstraintRow<T>* row) {
  const RelativeMotion<T> m = relative_motion(joint.nodes, at);
  const SeenFromBody<T> seen = seen_from_a(m);
  Vec3<T> r = m.p;
  for (std::size_t k = 0; k < joint.translation_count && at.frozen; ++k) {
    const Vec3<T> n = m.a.R_NM * cast<T>(joint.translations[k].n);
    r -= (dot(n, m.p) - T(joint.translations[k].c)) * n;
  }
  std::uint32_t number = joint.first_row;
  for (std::size_t k = 0; k < joint.translation_count; ++k, ++row) {
    if (!at.wants(number++)) continue;
    follow_direction(m, seen, m.a.R_NM * cast<T>(joint.translations[k].n), r, *row);  // (1)
    row->residual = row->residual - T(joint.translations[k].c);
  }
  const Vec3<T> w = m.b.w - m.a.w, alpha = m.b.alpha - m.a.alpha - cross(m.a.w, w);  // seen from the parent
  const T w2 = dot(w, w);
  for (std::size_t k = 0; k < joint.rotation_count; ++k, ++row) {
    if (!at.wants(number++)) continue;
    const Vec3<T> x = m.a.R_NM * cast<T>(joint.rotations[k].x), y = m.b.R_NM * cast<T>(joint.rotations[k].y);
    const Vec3<T> g = cross(y, x);
    const T cosine = dot(x, y);
    row->residual = cosine - T(joint.rotations[k].c);  // (2)
    row->rate = dot(w, g);
    row->acceleration = dot(alpha, g) + dot(w, x) * dot(w, y) - w2 * cosine;
    row->on_bodies = {Wrench<T>{-g, {}}, Wrench<T>{g, {}}};
  }
}

}  // namespace GYROSTAT_PROCESSOR
}  // namespace gyrostat
