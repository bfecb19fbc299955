// Loops: the rows hold with the accelerations that another solution gives, and multipliers balance the equations.
#include <Eigen/QR>

#include "derive/derive_case.h"
#include "support/closed_case.h"
#include "support/load.h"

namespace gyrostat::derive {
namespace loops_test {

using ::gyrostat::testing::ClosedCase;
using ::gyrostat::testing::Random;

/// Speeds that the constraints allow; those of locked joints are zero.
void make_compatible(ClosedCase& c) {
  const System& system = c.system();
  std::vector<Eigen::Index> movable;
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& j = system.joints[i];
    if (j.motion == Motion::locked) c.state.u.segment(j.u, j.nu).setZero();
    for (Eigen::Index k = j.u; k < j.u + j.nu && j.motion != Motion::locked; ++k) movable.push_back(k);
  }
  for (const Wheel& wheel : system.wheels) movable.push_back(wheel.u);
  update(*c.mechanism, c.state.q.data(), c.state.u.data(), *c.kinematics);
  const Eigen::MatrixXd J = c.jacobian();
  Eigen::MatrixXd part(J.rows(), static_cast<Eigen::Index>(movable.size()));
  for (Eigen::Index k = 0; k < part.cols(); ++k) part.col(k) = J.col(movable[static_cast<std::size_t>(k)]);
  if (part.size() > 0) {
    const Eigen::VectorXd change = part.completeOrthogonalDecomposition().solve(J * c.state.u);
    for (Eigen::Index k = 0; k < part.cols(); ++k) c.state.u[movable[static_cast<std::size_t>(k)]] -= change[k];
  }
  update(*c.mechanism, c.state.q.data(), c.state.u.data(), *c.kinematics);
  for (GivenValue<double>& given : c.forces->equals) given.rate = given.acceleration = 0;
  evaluate(c.constraints, *c.mechanism, *c.kinematics, c.state.q.data(), c.state.u.data(),
           static_cast<const double*>(nullptr), c.forces->equals.data(), c.closures.values.rows.data());
  for (std::size_t r = 0; r < c.constraints.rows(); ++r)
    c.closures.demanded[r] = -c.closures.values.rows[r].acceleration;
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

TEST(Loops, EquationsHoldWithTheAccelerationsOfTheClosedSystem) {
  int checked = 0;
  std::set<std::string> kinds;
  for (std::uint64_t seed = 0; seed < 150 && !::testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const Description d = ::gyrostat::testing::with_loads(::gyrostat::testing::with_loops(
        seed, ::gyrostat::testing::random_description(seed, {.most_bodies = 6, .massless = 0, .implicit_base = 0})));
    Loaded loaded = load_description(d);
    if (!loaded.model || loaded.model->system.constraints.empty()) continue;
    ClosedCase c(d, seed, false);
    make_compatible(c);
    ::gyrostat::testing::hold_locked(c.system(), *c.forces);
    const ClosedCase::Solution solution = c.dense();
    Eigen::VectorXd demanded(static_cast<Eigen::Index>(c.constraints.rows()));
    for (Eigen::Index r = 0; r < demanded.size(); ++r) demanded[r] = c.closures.demanded[static_cast<std::size_t>(r)];
    const double contradiction = (c.jacobian() * solution.udot - demanded).norm();  // of given motions with the rows
    if (contradiction > 1e-9 || solution.udot.norm() > 1e5) continue;
    const Document document = derive_equations(*loaded.model);
    expect_closed(document, values_at(document, loaded.model->system, c.state, solution.udot, *c.forces));
    for (const Constraint& one : loaded.model->system.constraints) kinds.insert(one.type);
    ++checked;
  }
  EXPECT_GT(checked, 60);
  EXPECT_GE(kinds.size(), 6U);
}

}  // namespace loops_test
}  // namespace gyrostat::derive
