// The choice of rows against compliances J M^-1 J^T by the mass matrix, and where rows run through the tree.
#include <algorithm>
#include <set>

#include <Eigen/Cholesky>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/constraints/plan.h"
#include "gyrostat/constraints/row_paths.h"

#include "support/closed_case.h"
#include "support/load.h"

namespace gyrostat::testing {
namespace choose_rows_test {

using Number = long double;
using Matrix = Eigen::Matrix<Number, -1, -1>;

ClosedCase make_case(std::uint64_t seed) {
  if (seed % 2 == 0) return flexible_closed_case(seed, 0.03);
  return ClosedCase(seed, {.most_bodies = 7, .massless = 0});
}

/// The choice among some of the rows.
ClosureChoice choice_among(const ClosedCase& c, const std::vector<std::size_t>& rows) {
  RowStructure structure;
  ConstraintRows<double> values;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    structure.bodies.push_back(c.constraints.structure.bodies[rows[k]]);
    values.rows.push_back(c.closures.values.rows[rows[k]]);
    for (std::size_t t = 0; t < c.constraints.structure.terms.size(); ++t) {
      const RowStructure::SpeedTerm& term = c.constraints.structure.terms[t];
      if (term.row != rows[k]) continue;
      structure.terms.push_back({static_cast<std::uint32_t>(k), term.u});
      values.coefficients.push_back(c.closures.values.coefficients[t]);
    }
  }
  return choose_rows(*c.mechanism, *c.kinematics, c.forces->free, structure, values);
}

/// J M^-1 J^T of rows where body `node` stands still and its modes and wheels, and what is outboard of it, may move; of
/// the world: where all may.
Matrix compliance(const ClosedCase& c, const std::vector<std::size_t>& rows, std::uint32_t node) {
  std::vector<bool> moves(c.mechanism->nu, false);
  const auto mark = [&](bool is, std::uint32_t first, std::uint32_t count) {
    if (is) std::fill_n(moves.begin() + first, count, true);
  };
  const auto on = [&](std::uint32_t body) { return node == 0 || (body >= node && body < c.mechanism->end[node]); };
  for (std::uint32_t i = 1; i < c.mechanism->links.size(); ++i) {
    const Link& link = c.mechanism->links[i];
    if (link.motion != JointMotion::modal) mark(on(i) && i != node, link.u, link.nu);
  }
  for (const FlexibleOf<double>& body : c.mechanism->flexible) mark(on(body.body), body.u, body.modes);
  for (const WheelLink& wheel : c.mechanism->wheels) mark(on(wheel.body), wheel.u, 1);
  std::vector<Eigen::Index> moving;
  for (std::size_t k = 0; k < moves.size(); ++k) {
    if (moves[k] && c.forces->free[k]) moving.push_back(static_cast<Eigen::Index>(k));
  }
  const Eigen::MatrixXd J = c.jacobian(), M = c.mass();
  const auto n = static_cast<Eigen::Index>(moving.size());
  Matrix part(n, n), of_rows(static_cast<Eigen::Index>(rows.size()), n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Eigen::Index column = moving[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < n; ++j) part(i, j) = M(column, moving[static_cast<std::size_t>(j)]);
    for (Eigen::Index r = 0; r < of_rows.rows(); ++r)
      of_rows(r, i) = J(static_cast<Eigen::Index>(rows[static_cast<std::size_t>(r)]), column);
  }
  if (n == 0) return Matrix::Zero(of_rows.rows(), of_rows.rows());
  return of_rows * part.llt().solve(Matrix(of_rows.transpose()));
}

/// Pivots over scales when rows are eliminated in this order: the smallest, but no more than one.
double weakest(const Matrix& L, const std::vector<double>& scale, const std::vector<Eigen::Index>& order) {
  Matrix left = L;
  Number least = 1;
  for (const Eigen::Index r : order) {
    least = std::min(least, left(r, r) / scale[static_cast<std::size_t>(r)]);
    left -= (left.col(r) * left.row(r) / left(r, r)).eval();
  }
  return static_cast<double>(least);
}

TEST(ChosenRows, HavePivotsThatAreTheirCompliance) {
  int alone = 0, at_bodies = 0, flexible = 0, weak = 0;
  for (std::uint64_t seed = 0; seed < 240; ++seed) {
    const ClosedCase c = make_case(seed);
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const std::vector<RowPath> paths = find_paths(*c.mechanism, c.constraints.structure);
    for (std::size_t r = 0; r < c.constraints.rows(); ++r) {
      const ClosureChoice choice = choice_among(c, {r});
      if (choice.massless != 0) continue;
      const std::uint32_t node = choice.node_of[0];
      const Number found = compliance(c, {r}, node == ClosurePlan::none ? 0 : node)(0, 0) / choice.scale[0];
      if (node == ClosurePlan::none) {
        EXPECT_LT(found, 1e-9) << "row " << r << " is dropped";
        continue;
      }
      const double expected = static_cast<double>(std::min(Number(1), found));
      EXPECT_NEAR(choice.weakest, expected, 1e-9 + 1e-6 * expected) << "row " << r;
      // What closes a loop within the system is eliminated where the loop begins if its pivot is good there, or as good
      // as it gets.
      const std::uint32_t home = paths[r].home;
      const Number at_home = compliance(c, {r}, home)(0, 0) / choice.scale[0];
      if (home == 0 || at_home > 1.1e-3L) {
        EXPECT_EQ(node, home) << "row " << r;
      }
      weak += home != 0 && node == home && at_home < 0.9e-3L;
      ++alone;
      at_bodies += node != 0;
      flexible += !c.system().flexible.empty();
    }
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(alone, 500);
  EXPECT_GT(at_bodies, 100);
  EXPECT_GT(flexible, 200);
  EXPECT_GT(weak, 0);
}

TEST(ChosenRows, InPairsHavePivotsOfOneOrderOrTheOther) {
  int pairs = 0;
  for (std::uint64_t seed = 0; seed < 160; ++seed) {
    const ClosedCase c = make_case(seed);
    const auto count = static_cast<std::size_t>(c.constraints.rows());
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    for (std::size_t r = 0; r < count; ++r) {
      const std::size_t s = (r + 1 + seed % 3) % count;
      if (s == r) continue;
      const ClosureChoice choice = choice_among(c, {r, s});
      if (choice.massless != 0 || choice.node_of[0] != choice.node_of[1]) continue;
      if (choice.node_of[0] == ClosurePlan::none) continue;
      const Matrix L = compliance(c, {r, s}, choice.node_of[0]);
      const double one = weakest(L, choice.scale, {0, 1}), other = weakest(L, choice.scale, {1, 0});
      const double error = std::min(std::abs(choice.weakest - one), std::abs(choice.weakest - other));
      EXPECT_LT(error, 1e-9 + 1e-6 * choice.weakest)
          << "rows " << r << ", " << s << ": " << choice.weakest << ", not " << one << " or " << other;
      ++pairs;
    }
    if (::testing::Test::HasFailure()) return;
  }
  EXPECT_GT(pairs, 300);
}

/// A joint that moves no more than rounding of what it carries, held together, is named: 1e-13 of the traces of that
/// inertia. A light shaft with a heavy rod that turns freely about the same axis, 2 m above; a light carriage on which
/// another slides in the same direction.
TEST(ChosenRows, NameAJointThatMovesOnlyRoundingOfWhatItCarries) {
  const auto massless_of = [](const char* first, const std::string& second, const char* type, const std::string& own) {
    const Loaded loaded = load(fmt::format(R"yaml(gyrostat: 1
bodies:
  light: {{mass: {}}}
  heavy: {}
joints:
  first: {{type: {}, parent: world, child: light, axis: [0, 0, 1]}}
  second: {{type: {}, parent: light, child: heavy, parent_point: [0, 0, 2], axis: [0, 0, 1]}}
constraints: {{mesh: {{coupling: {{first.{}: 1, second.{}: 2}}}}}}
)yaml",
                                           own, second, type, type, first, first));
    EXPECT_TRUE(loaded.model) << problems_of(loaded);
    if (!loaded.model) return std::string("none");
    const System& system = loaded.model->system;
    const Mechanism mechanism(system);
    const Constraints constraints = make_constraints(mechanism);
    const Forces<double> forces(system);
    Kinematics<double> kinematics(mechanism);
    update(mechanism, system.initial.q.data(), system.initial.u.data(), kinematics);
    ConstraintRows<double> rows = make_rows<double>(constraints);
    evaluate(constraints, mechanism, kinematics, system.initial.q.data(), system.initial.u.data(),
             static_cast<const double*>(nullptr), forces.equals.data(), rows.rows.data());
    const ClosureChoice choice = choose_rows(mechanism, kinematics, forces.free, constraints.structure, rows);
    return choice.massless == 0 ? std::string() : system.joints[choice.massless].name;
  };
  // 1 + 1, 3 + 3, and 1 kg at 2 m in two directions: 16
  const std::string rod = "{mass: 1, inertia: [3, 3, 1e-3]}", cargo = "{mass: 1, inertia: [1, 1, 1]}";
  EXPECT_EQ(massless_of("angle", rod, "revolute", "1, inertia: [1, 1, 1.5e-12]"), "first");
  EXPECT_EQ(massless_of("angle", rod, "revolute", "1, inertia: [1, 1, 1.7e-12]"), "");
  EXPECT_EQ(massless_of("displacement", cargo, "prismatic", "2.9e-13, point_mass: true"), "first");
  EXPECT_EQ(massless_of("displacement", cargo, "prismatic", "3.1e-13, point_mass: true"), "");
}

/// Where all that a row acts on has an ancestor in common, or is it: the one farthest from the world.
TEST(RowPaths, MeetAtTheNearestCommonAncestorOfAllParts) {
  int inner = 0, coupled = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const ClosedCase c(seed, {.most_bodies = 7, .massless = 0});
    const RowStructure& structure = c.constraints.structure;
    const std::vector<RowPath> paths = find_paths(*c.mechanism, structure);
    for (std::uint32_t r = 0; r < structure.rows(); ++r) {
      std::vector<std::uint32_t> parts;
      std::set<std::uint32_t> starts;
      if (structure.bodies[r][0] + structure.bodies[r][1] > 0) {
        for (const std::uint32_t body : structure.bodies[r]) {
          parts.push_back(body);
          if (body != 0) starts.insert(body);
        }
      }
      for (const RowStructure::SpeedTerm& term : structure.terms) {
        if (term.row != r) continue;
        const auto wheel = std::ranges::find(c.system().wheels, term.u, &Wheel::u);
        if (wheel != c.system().wheels.end()) {
          starts.insert(wheel->body);
          parts.push_back(wheel->body);
          continue;
        }
        for (std::uint32_t i = 1; i < c.system().joints.size(); ++i) {
          const Joint& joint = c.system().joints[i];
          if (term.u < joint.u || term.u >= joint.u + joint.nu) continue;
          starts.insert(i);
          parts.push_back(c.mechanism->links[i].parent);
        }
      }
      std::uint32_t home = 0;
      for (std::uint32_t i = 1; i < c.mechanism->links.size(); ++i) {
        const auto outboard = [&](std::uint32_t part) { return part >= i && part < c.mechanism->end[i]; };
        if (std::ranges::all_of(parts, outboard)) home = i;  // the last is the farthest
      }
      EXPECT_EQ(paths[r].home, home) << "seed " << seed << " row " << r;
      EXPECT_THAT(paths[r].starts, ::testing::ElementsAreArray(starts)) << "seed " << seed << " row " << r;
      inner += home != 0;
      coupled += structure.bodies[r][0] + structure.bodies[r][1] == 0;
    }
  }
  EXPECT_GT(inner, 100);
  EXPECT_GT(coupled, 20);
}

}  // namespace choose_rows_test
}  // namespace gyrostat::testing
