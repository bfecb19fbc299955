// Multipliers and reactions of random systems with loops: the same from every formulation, component by component, but
// for those that redundant constraints leave open, and all agree on which these are.
#include <gtest/gtest.h>

#include "gyrostat/constraints/dynamics.h"
#include "gyrostat/constraints/multipliers.h"
#include "gyrostat/model/determinacy.h"

#include "support/closed_case.h"
#include "support/loop_checks.h"

namespace gyrostat::testing {
namespace closed_reactions_test {

using Six = Eigen::Matrix<double, 6, 1>;

Six six(const Vector3& force, const Vector3& torque) {
  Six all;
  all << force, torque;
  return all;
}

/// What a formulation finds: of each row, of each joint of the tree and each cut joint.
struct Found {
  std::vector<double> multipliers;
  std::vector<Six> joints, cut_joints;  // by body; by constraint of the system
  std::vector<double> driving;
};

Found by(const LoopCase& c, const char* formulation, Multipliers* unique = nullptr,
         IndeterminateForces* open = nullptr) {
  Dynamics dynamics(c.system, DynamicsSettings(c.system), formulation);
  dynamics.update(c.state);
  Eigen::VectorXd udot;
  dynamics.accelerations(c.state, c.forces, udot);
  const Closures<double>& closures = dynamics.closures();
  const Multipliers m = unique_or_least(dynamics.mechanism(), dynamics.kinematics(), c.forces.free, closures);
  Forces<double> acting = c.forces;
  add_forces(closures, m.values, acting);
  Reactions reactions(dynamics.mechanism());
  find_reactions(dynamics.mechanism(), c.state.q.data(), c.state.u.data(), udot.data(), acting, reactions);
  Found found{m.values, {}, std::vector<Six>(c.system.constraints.size(), Six::Zero()), reactions.driving};
  for (const Reaction& r : reactions.joints) found.joints.push_back(six(r.force, r.torque));
  auto cut = std::get<std::vector<CutJointConstraint<double>>>(dynamics.constraints().kinds).begin();
  for (std::size_t k = 0; k < c.system.constraints.size(); ++k) {
    if (!std::holds_alternative<CutJoint>(c.system.constraints[k].kind)) continue;
    const Reaction r = reaction_of(*cut++, dynamics.mechanism(), dynamics.kinematics(), closures, m.values);
    found.cut_joints[k] = six(r.force, r.torque);
  }
  if (unique != nullptr) *unique = m;
  if (open != nullptr) {
    *open = find_indeterminate(dynamics.mechanism(), dynamics.constraints(), dynamics.kinematics(), c.state.q.data(),
                               c.forces.free, closures);
  }
  return found;
}

Found by_absolute(const LoopCase& c, AbsoluteReactions& reactions) {
  const Absolute constants(c.system, DynamicsSettings(c.system));
  AbsoluteData data(constants);
  c.accelerations(constants, data);
  find_reactions(constants, c.forces, data, reactions);
  Found found{reactions.multipliers, {}, {}, reactions.driving};
  for (const AbsoluteReaction& r : reactions.joints) found.joints.push_back(six(r.force, r.torque));
  for (const AbsoluteReaction& r : reactions.constraints) found.cut_joints.push_back(six(r.force, r.torque));
  return found;
}

/// Its multipliers are those of the closures in their order, then of the couplings; joints of the tree have none.
Found by_mixed(const LoopCase& c) {
  const Mixed constants(c.system, DynamicsSettings(c.system));
  MixedData data(constants);
  c.accelerations(constants, data);
  const AbsoluteConstraints& all = constants.absolute.constraints;
  std::vector<double> lambda(all.closure_rows + all.couplings.size(), 0.0);
  for (std::size_t k = 0; k < data.kept.size(); ++k) lambda[data.kept[k]] = data.lambda[static_cast<Eigen::Index>(k)];
  Found found{
      std::vector<double>(c.constraints.rows()), {}, std::vector<Six>(c.system.constraints.size(), Six::Zero()), {}};
  for (const AbsoluteClosure& closure : all.closures) {
    Six wrench = Six::Zero();
    for (std::uint32_t k = 0; k < closure.rows(); ++k) {
      const double value = lambda[closure.first_row + k];
      found.multipliers[c.constraints.first_row[closure.constraint] + k] = value;
      wrench += value * data.rows[closure.first_row + k].on[1];
    }
    const Vector3 force = data.state.bodies[closure.joint.C].A.transpose() * wrench.head<3>();
    found.cut_joints[closure.constraint] = six(force, wrench.tail<3>() - closure.joint.p_C.cross(force));
  }
  for (std::size_t k = 0; k < all.couplings.size(); ++k) {
    found.multipliers[c.constraints.first_row[all.couplings[k].constraint]] = lambda[all.closure_rows + k];
  }
  return found;
}

struct Seen {
  int compared = 0, rows = 0, shared_rows = 0, components = 0, open = 0, relations = 0;
};

bool any(const IndeterminateForces::Components& components) {
  return std::ranges::find(components, true) != components.end();
}

void expect_same(const Six& a, const Six& b, const IndeterminateForces::Components& open, double limit) {
  for (std::size_t k = 0; k < 6; ++k) {
    if (open[k]) continue;
    EXPECT_NEAR(a[static_cast<Eigen::Index>(k)], b[static_cast<Eigen::Index>(k)], limit) << "component " << k;
  }
}

void check_random_case(std::uint64_t seed, Seen& seen) {
  Assembled a =
      assemble(with_loops(seed, random_description(seed, {.least_bodies = 3, .most_bodies = 8, .massless = 0})));
  Random random(seed ^ 0x4eac);
  add_relations(a.system, random);
  LoopCase c(a.system);
  if (c.state.u.size() == 0 || c.constraints.rows() == 0 || !c.has_clear_rank()) return;
  c.forces = random_forces(a.system, random);
  std::fill(c.forces.udot.begin(), c.forces.udot.end(), 0.0);
  for (const Constraint& one : a.system.constraints) {
    for (std::size_t k = 0; k < one.equals.size(); ++k) c.forces.equals[one.first_equal + k] = {one.equals[k], 0, 0};
  }
  if (c.make_speeds_consistent() > 1e-10 || !c.is_possible()) return;

  Multipliers unique;
  IndeterminateForces open;
  const Found reference = by(c, "articulated_body", &unique, &open);
  double scale = 1;
  for (const Six& r : reference.joints) scale = std::max(scale, r.norm());
  for (const Six& r : reference.cut_joints) scale = std::max(scale, r.norm());
  for (const double x : reference.multipliers) scale = std::max(scale, std::abs(x));
  if (scale > 1e5) return;  // hardly any inertia in some direction: no digits to compare
  const double limit = 1e-8 * scale;

  AbsoluteReactions of_absolute;
  const std::pair<const char*, Found> others[] = {{"composite_body", by(c, "composite_body")},
                                                  {"kane", by(c, "kane")},
                                                  {"absolute", by_absolute(c, of_absolute)},
                                                  {"mixed", by_mixed(c)}};
  for (const auto& [name, other] : others) {
    SCOPED_TRACE(name);
    for (std::size_t i = 1; i < other.joints.size(); ++i) {
      SCOPED_TRACE(c.system.joints[i].name);
      expect_same(other.joints[i], reference.joints[i], open.joints[i], limit);
    }
    for (std::size_t k = 0; k < other.driving.size(); ++k) {
      if (open.driving[k]) continue;
      EXPECT_NEAR(other.driving[k], reference.driving[k], limit) << "speed " << k;
    }
    for (std::size_t k = 0; k < c.system.constraints.size(); ++k) {
      SCOPED_TRACE(c.system.constraints[k].name);
      const bool joint = std::holds_alternative<CutJoint>(c.system.constraints[k].kind);
      if (joint) expect_same(other.cut_joints[k], reference.cut_joints[k], open.cut_joints[k], limit);
      // the rows of a cut joint have other directions in absolute coordinates: its reaction is what can be compared
      if (joint && (name == std::string("absolute") || name == std::string("mixed"))) continue;
      for (std::uint32_t r = c.constraints.first_row[k]; r < c.constraints.first_row[k + 1]; ++r) {
        if (!unique.unique[r]) continue;
        EXPECT_NEAR(other.multipliers[r], reference.multipliers[r], limit) << "row " << r;
      }
    }
  }
  for (std::size_t i = 1; i < open.joints.size(); ++i) {
    EXPECT_EQ(of_absolute.joints[i].unique, !any(open.joints[i])) << c.system.joints[i].name;
    for (const bool is : open.joints[i]) ++(is ? seen.open : seen.components);
  }
  for (std::size_t k = 0; k < c.system.constraints.size(); ++k) {
    const bool joint = std::holds_alternative<CutJoint>(c.system.constraints[k].kind);
    if (joint) {
      EXPECT_EQ(of_absolute.constraints[k].unique, !any(open.cut_joints[k])) << c.system.constraints[k].name;
    }
    for (std::uint32_t r = c.constraints.first_row[k]; r < c.constraints.first_row[k + 1]; ++r) {
      ++(unique.unique[r] ? seen.rows : seen.shared_rows);
      seen.relations += !joint && unique.unique[r];
    }
  }
  ++seen.compared;
}

TEST(ClosedReactions, AreTheSameFromEveryFormulationWhereTheyAreUnique) {
  Seen seen;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    check_random_case(seed, seen);
    if (HasFailure()) return;
  }
  EXPECT_GT(seen.compared, 300);
  EXPECT_GT(seen.rows, 1000);
  EXPECT_GT(seen.relations, 100);
  EXPECT_GT(seen.shared_rows, 50);
  EXPECT_GT(seen.components, 5000);
  EXPECT_GT(seen.open, 100);
}

}  // namespace closed_reactions_test
}  // namespace gyrostat::testing
