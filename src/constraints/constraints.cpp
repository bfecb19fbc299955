#include "gyrostat/constraints/constraints.h"

#include <algorithm>
#include <array>

#include "gyrostat/constraints/rows_kernel.h"
#include "gyrostat/dynamics/in_use.h"

namespace gyrostat {

namespace baseline {
extern const RowsKernel rows_kernel;
}
#ifdef GYROSTAT_PROCESSORS
namespace haswell {
extern const RowsKernel rows_kernel;
}
namespace avx512 {
extern const RowsKernel rows_kernel;
}
#endif

const RowsKernel& rows_kernel_in_use() {
#ifdef GYROSTAT_PROCESSORS
  static const RowsKernel& chosen = in_use(baseline::rows_kernel, {&haswell::rows_kernel, &avx512::rows_kernel});
  return chosen;
#else
  return baseline::rows_kernel;
#endif
}

namespace {

AttachedNode<double> attached(const Mechanism& mechanism, std::uint32_t number) {
  const Node& node = mechanism.system->nodes[number];
  const Matrix3 R_MB = to_eigen(mechanism.bodies[node.body].R_BM).transpose();
  const Vector3 base = to_eigen(mechanism.bodies[node.body].base);
  return {node.body, cast<double>(Vector3(R_MB * (node.p - base)))};
}

/// Unit vectors orthogonal to those given (of unit length, independent) and to each other.
std::vector<Vector3> complement(const std::vector<Vector3>& given) {
  if (given.empty()) return {Vector3::UnitX(), Vector3::UnitY(), Vector3::UnitZ()};
  if (given.size() == 1) {
    const Vector3 first = given[0].unitOrthogonal();
    return {first, given[0].cross(first).normalized()};
  }
  if (given.size() == 2) return {given[0].cross(given[1]).normalized()};
  return {};
}

/// X_FM of a joint at coordinates q.
Pose frames_at(const Joint& joint, const double* q) {
  Pose X_FM = joint_pose(joint, q);
  X_FM.p += X_FM.R * joint.child_point - joint.parent_point;
  X_FM.R *= joint.R_0.transpose();
  return X_FM;
}

}  // namespace

RowLists::RowLists() = default;
RowLists::RowLists(const RowLists& other) = default;
RowLists::RowLists(RowLists&& other) noexcept = default;
RowLists& RowLists::operator=(const RowLists& other) = default;
RowLists& RowLists::operator=(RowLists&& other) noexcept = default;
RowLists::~RowLists() = default;

std::size_t RowLists::constraint_of(std::size_t row) const {
  return static_cast<std::size_t>(std::ranges::upper_bound(first_row, row) - first_row.begin()) - 1;
}

Matrix3 axes_of(const Mechanism& mechanism, std::uint32_t node) {
  const Node& of = mechanism.system->nodes[node];
  return to_eigen(mechanism.bodies[of.body].R_BM).transpose() * of.R;
}

NodePair<double> make_pair(const Mechanism& mechanism, std::uint32_t node_a, std::uint32_t node_b,
                           std::vector<std::uint32_t>& paths) {
  NodePair<double> pair{attached(mechanism, node_a), attached(mechanism, node_b), 0, 0, 0};
  std::vector<std::uint32_t> from_a;
  pair.path = static_cast<std::uint32_t>(paths.size());
  std::uint32_t a = pair.a.body, b = pair.b.body;
  while (a != b) {  // a parent has the smaller number
    std::uint32_t& outer = a > b ? a : b;
    (a > b ? from_a : paths).push_back(outer);
    outer = mechanism.links[outer].parent;
  }
  pair.turn = static_cast<std::uint32_t>(paths.size());
  paths.insert(paths.end(), from_a.begin(), from_a.end());
  pair.end = static_cast<std::uint32_t>(paths.size());
  return pair;
}

CutJointConstraint<double> make_constraint(const CutJoint& cut, const Mechanism& mechanism,
                                           std::vector<std::uint32_t>& paths) {
  const Joint& joint = cut.joint;
  CutJointConstraint<double> constraint;
  constraint.nodes = make_pair(mechanism, joint.parent_node, joint.child_node, paths);

  // The axes along and about which it moves. A quaternion stands for three of rotation, a free joint has three of both.
  std::vector<Vector3> d(joint.d.begin(), joint.d.begin() + joint.translations);
  std::vector<Vector3> a(joint.a.begin(), joint.a.begin() + joint.rotations);
  if (has_quaternion(joint.type)) a.resize(3);
  if (joint.type == JointType::free) d.resize(3);
  Pose held;  // X_FM where nothing moves
  if (joint.motion != Motion::free) {
    d.clear(), a.clear();
    held = frames_at(joint, cut.position.data());
  }

  const Matrix3 R_F = axes_of(mechanism, joint.parent_node), R_M = axes_of(mechanism, joint.child_node);
  for (const Vector3& n : complement(d)) {
    constraint.translations[constraint.translation_count++] = {cast<double>(Vector3(R_F * n)), n.dot(held.p)};
  }
  const auto add = [&](const Vector3& x, const Vector3& y, double c) {
    constraint.rotations[constraint.rotation_count++] = {cast<double>(Vector3(R_F * x)), cast<double>(Vector3(R_M * y)),
                                                         c};
  };
  if (a.empty()) {
    for (int k = 0; k < 3; ++k) add(Vector3::Unit((k + 1) % 3), held.R.transpose() * Vector3::Unit((k + 2) % 3), 0);
  } else if (a.size() == 1) {
    for (const Vector3& x : complement(a)) add(x, a[0], 0);
  } else if (a.size() == 2) {
    const double sine = a[0].cross(a[1]).norm();
    add(a[0] / sine, a[1], a[0].dot(a[1]) / sine);
  }
  return constraint;
}

bool same_structure(const Constraints& a, const Constraints& b) {
  const auto lengths = [](const Constraints& c) {
    return std::apply([](const auto&... lists) { return std::array{lists.size()...}; }, c.kinds);
  };
  const auto& cut_a = std::get<std::vector<CutJointConstraint<double>>>(a.kinds);
  const auto& cut_b = std::get<std::vector<CutJointConstraint<double>>>(b.kinds);
  const auto same = [](const auto& x, const auto& y) { return x.translation_count == y.translation_count; };
  return a.structure == b.structure && a.first_row == b.first_row && lengths(a) == lengths(b) &&
         std::ranges::equal(cut_a, cut_b, same);
}

Constraints make_constraints(const Mechanism& mechanism) {
  Constraints constraints;
  for (const Constraint& one : mechanism.system->constraints) {
    const auto first = static_cast<std::uint32_t>(constraints.rows());
    constraints.first_row.push_back(first);
    std::visit(
        [&](const auto& kind) {
          auto made = make_constraint(kind, mechanism, constraints.paths);
          made.first_row = first;
          made.first_equal = one.first_equal;
          RowStructure& structure = constraints.structure;
          structure.bodies.insert(structure.bodies.end(), made.rows(), made.bodies());
          for (std::uint32_t k = 0; k < made.rows(); ++k) {
            constraints.equal_of.push_back(one.equals.empty() ? no_equal : one.first_equal + k);
          }
          if constexpr (requires { made.terms; }) {
            for (const auto& term : made.terms) structure.terms.push_back({first, term.u});
          }
          std::get<std::vector<decltype(made)>>(constraints.kinds).push_back(made);
        },
        one.kind);
  }
  constraints.first_row.push_back(static_cast<std::uint32_t>(constraints.rows()));
  return constraints;
}

}  // namespace gyrostat
