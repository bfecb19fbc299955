// Loops: the rows hold with the accelerations that another solution gives, and multipliers balance the equations.
#include <map>

#include <Eigen/QR>

#include "gyrostat/model/prescribed.h"

#include "derive/derive_case.h"
#include "support/closed_case.h"
#include "support/load.h"
#include "support/random_relations.h"

namespace gyrostat::derive {
namespace loops_test {

using ::gyrostat::testing::ClosedCase;
using ::gyrostat::testing::Random;

/// Rates and accelerations of what rows are given, zero where that never changes, and speeds that the constraints
/// allow; those of locked joints are zero. How far they are from it, relative to all rates.
double make_compatible(ClosedCase& c, Random& random) {
  const System& system = c.system();
  std::vector<Eigen::Index> movable;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& j = system.joints[i];
    if (j.motion == Motion::locked) c.state.u.segment(j.u, j.nu).setZero();
    for (Eigen::Index k = j.u; k < j.u + j.nu && j.motion != Motion::locked; ++k) movable.push_back(k);
  }
  for (const Wheel& wheel : system.wheels) movable.push_back(wheel.u);
  const Names names(c.a.description);
  for (GivenValue<double>& given : c.forces->equals) given.rate = given.acceleration = 0;
  for (const PrescribedTarget& target : prescribed_targets(c.a.description, names, system)) {
    if (!target.constraint || !changes_with_time(*target.expression, names)) continue;
    c.forces->equals[target.equal].rate = random.uniform(-1, 1);
    c.forces->equals[target.equal].acceleration = random.uniform(-1, 1);
  }
  const auto rates = [&] {
    update(*c.mechanism, c.state.q.data(), c.state.u.data(), *c.kinematics);
    evaluate(c.constraints, *c.mechanism, *c.kinematics, c.state.q.data(), c.state.u.data(),
             static_cast<const double*>(nullptr), c.forces->equals.data(), c.closures.values.rows.data());
    Eigen::VectorXd list(static_cast<Eigen::Index>(c.constraints.rows()));
    for (Eigen::Index r = 0; r < list.size(); ++r) list[r] = c.closures.values.rows[static_cast<std::size_t>(r)].rate;
    return list;
  };
  const Eigen::VectorXd wrong = rates();
  const Eigen::MatrixXd J = c.jacobian();
  Eigen::MatrixXd part(J.rows(), static_cast<Eigen::Index>(movable.size()));
  for (Eigen::Index k = 0; k < part.cols(); ++k) part.col(k) = J.col(movable[static_cast<std::size_t>(k)]);
  if (part.size() > 0) {
    const Eigen::VectorXd change = part.completeOrthogonalDecomposition().solve(wrong);
    for (Eigen::Index k = 0; k < part.cols(); ++k) c.state.u[movable[static_cast<std::size_t>(k)]] -= change[k];
  }
  const double left = rates().norm();
  for (std::size_t r = 0; r < c.constraints.rows(); ++r)
    c.closures.demanded[r] = -c.closures.values.rows[r].acceleration;
  return left;
}

std::vector<Symbol> multipliers(const Document& document) {
  std::vector<Symbol> list;
  for (const Definition& d : document.definitions) {
    if (d.symbol.letter == "lambda") list.push_back(d.symbol);
  }
  return list;
}

/// The loop equations hold, and there are multipliers with which the reduced ones do.
void expect_closed(const Document& document, Values values) {
  std::vector<const Equation*> reduced;
  for (const Symbol& lambda : multipliers(document)) values.set(lambda, 0.0);
  double largest = 1;
  {
    Evaluator evaluate(values);
    for (const Equation& e : document.equations) {
      if (e.kind == EquationKind::reduced) reduced.push_back(&e);
      if (e.kind != EquationKind::loop && e.kind != EquationKind::reduced) continue;
      for (const auto* side : {&e.left, &e.right}) {
        for (const Term& term : *side) largest = std::max(largest, evaluate(term.value).norm());
      }
    }
    for (const Equation& e : document.equations) {
      if (e.kind != EquationKind::loop) continue;
      const double left = evaluate(total(e.left, e.type)).scalar, right = evaluate(total(e.right, e.type)).scalar;
      EXPECT_LT(std::abs(left - right), 1e-8 * largest) << e.title;
    }
  }
  const auto residuals = [&] {
    Evaluator evaluate(values);
    Eigen::VectorXd r(static_cast<Eigen::Index>(reduced.size()));
    for (Eigen::Index k = 0; k < r.size(); ++k) {
      const Equation& e = *reduced[static_cast<std::size_t>(k)];
      r[k] = evaluate(total(e.left, e.type)).scalar - evaluate(total(e.right, e.type)).scalar;
    }
    return r;
  };
  const std::vector<Symbol> all = multipliers(document);
  const Eigen::VectorXd open = residuals();
  Eigen::MatrixXd G(open.size(), static_cast<Eigen::Index>(all.size()));
  for (Eigen::Index k = 0; k < G.cols(); ++k) {
    const Symbol& lambda = all[static_cast<std::size_t>(k)];
    values.set(lambda, 1.0);
    G.col(k) = open - residuals();
    values.set(lambda, 0.0);
  }
  if (G.size() == 0) return;
  const Eigen::VectorXd found = G.completeOrthogonalDecomposition().solve(open);
  EXPECT_LT((G * found - open).norm(), 1e-8 * (largest + open.norm()));
}

/// Kinds of constraints, and how many rows are given functions of time.
struct Seen {
  std::map<std::string, int> kinds;
  int checked = 0, driven = 0;
};

void check(const Description& without_loads, std::uint64_t seed, Seen& seen) {
  const Description d = ::gyrostat::testing::with_loads(without_loads);
  const Loaded loaded = load_description(d);
  if (!loaded.model || loaded.model->system.constraints.empty()) return;
  ClosedCase c(d, seed, false);
  for (const Constraint& one : loaded.model->system.constraints) {
    for (std::size_t k = 0; k < one.equals.size(); ++k) c.forces->equals[one.first_equal + k].value = one.equals[k];
  }
  Random random(seed);
  if (make_compatible(c, random) > 1e-9) return;  // what is given contradicts itself
  ::gyrostat::testing::hold_locked(c.system(), *c.forces);
  const ClosedCase::Solution solution = c.dense();
  Eigen::VectorXd demanded(static_cast<Eigen::Index>(c.constraints.rows()));
  for (Eigen::Index r = 0; r < demanded.size(); ++r) demanded[r] = c.closures.demanded[static_cast<std::size_t>(r)];
  const double contradiction = (c.jacobian() * solution.udot - demanded).norm();  // of given motions with the rows
  if (contradiction > 1e-9 || solution.udot.norm() > 1e5) return;
  const Document document = derive_equations(*loaded.model);
  expect_closed(document, values_at(document, loaded.model->system, c.state, solution.udot, *c.forces));
  for (const Constraint& one : loaded.model->system.constraints) ++seen.kinds[one.type];
  for (const Definition& one : document.definitions) seen.driven += one.symbol.letter == "given" ? 1 : 0;
  ++seen.checked;
}

TEST(Loops, EquationsHoldWithTheAccelerationsOfTheClosedSystem) {
  Seen seen;
  for (std::uint64_t seed = 0; seed < 150 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    check(::gyrostat::testing::with_loops(seed, ::gyrostat::testing::random_description(
                                                    seed, {.most_bodies = 6, .massless = 0, .implicit_base = 0})),
          seed, seen);
  }
  EXPECT_GT(seen.checked, 60);
  EXPECT_GE(seen.kinds.size(), 6U);
}

/// Couplings, gears, distances, points and coordinates, constant and driven.
TEST(Loops, EquationsOfConstraintsThatAreNoJointsHoldToo) {
  Seen seen;
  for (std::uint64_t seed = 0; seed < 200 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Description d =
        ::gyrostat::testing::random_description(seed, {.most_bodies = 6, .massless = 0, .implicit_base = 0});
    if (seed % 4 == 0) d = ::gyrostat::testing::with_loops(seed, d);
    check(::gyrostat::testing::with_relations(seed, d), seed, seen);
  }
  EXPECT_GT(seen.checked, 60);
  EXPECT_GT(seen.driven, 60);
  for (const char* kind : {"coupling", "gear", "distance", "point", "coordinate"})
    EXPECT_GT(seen.kinds[kind], 10) << kind;
}

/// Only what changes with time has a second derivative; its formula is printed.
TEST(Loops, OnlyWhatChangesWithTimeStandsOnTheRight) {
  const Loaded loaded = ::gyrostat::testing::load(R"yaml(gyrostat: 1
parameters: {l: 2, w: 0.5}
signals: {stroke: "l + 0.1*sin(w*t)"}
bodies: {a: {mass: 1, inertia: [1, 1, 1]}, b: {mass: 1, inertia: [1, 1, 1]}, c: {mass: 1, inertia: [1, 1, 1]}}
joints:
  left: {type: free, parent: world, child: a}
  right: {type: free, parent: world, child: b, initial: {position: [2, 0, 0]}}
  turn: {type: revolute, parent: world, child: c, axis: [0, 0, 1]}
constraints:
  rod: {distance: {from: [a, com], to: [b, com]}, equals: l}
  ram: {distance: {from: [world, [0, 0, 0]], to: [b, com]}, equals: stroke}
  slot: {point: [a, com], of: c, directions: [[1, 0, 0], [0, 1, 0]], equals: [0, "0.3*step(2)"]}
  drive: {coordinate: turn.angle, equals: "0.2*sin(w*t)"}
)yaml");
  ASSERT_TRUE(loaded.model) << ::gyrostat::testing::problems_of(loaded);
  const Document document = derive_equations(*loaded.model);
  std::map<std::string, std::string> given;
  for (const Definition& one : document.definitions) {
    if (one.symbol.letter == "given") given[name_of(one.symbol)] = one.formula + " " + one.unit;
  }
  const std::map<std::string, std::string> expected = {
      {"given(ram)", "stroke m"}, {"given(slot,2)", "0.3*step(2) m"}, {"given(drive)", "0.2*sin(w*t) rad"}};
  EXPECT_EQ(given, expected);
  int right = 0;
  for (const Equation& e : document.equations) right += e.kind == EquationKind::loop && !e.right.empty() ? 1 : 0;
  EXPECT_EQ(right, 3);
}

}  // namespace loops_test
}  // namespace gyrostat::derive
