// Scalar forms of systems with loops, against the plant.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "gyrostat/constraints/assemble.h"
#include "gyrostat/derive/scalar_print.h"

#include "derive/scalar_support.h"
#include "support/closed_case.h"

namespace gyrostat::testing {
namespace scalar_loops_test {

using scalar::Form;

using Matrix = Eigen::Matrix<double, -1, -1, Eigen::RowMajor>;

Matrix matrix_of(const std::vector<double>& entries, std::size_t rows) {
  const auto count = static_cast<Eigen::Index>(rows);
  const auto columns = count == 0 ? 0 : static_cast<Eigen::Index>(entries.size()) / count;
  return Eigen::Map<const Matrix>(entries.data(), count, columns);
}

std::size_t rows_of(const Form& form) { return form.loops ? form.loops->rows.size() : 0; }

/// [M -G^T; G 0]
Eigen::MatrixXd bordered(const Form& form, const scalar::Evaluation& e) {
  const auto n = static_cast<Eigen::Index>(form.nf()), m = static_cast<Eigen::Index>(rows_of(form));
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(n + m, n + m);
  K.topLeftCorner(n, n) = matrix_of(e.M, form.nf());
  if (m == 0) return K;
  K.bottomLeftCorner(m, n) = matrix_of(e.G, rows_of(form));
  K.topRightCorner(n, m) = -K.bottomLeftCorner(m, n).transpose();
  return K;
}

/// What rounding may come to: derivatives are solutions with this matrix whose right-hand sides contain another.
double expected_rounding(const Eigen::MatrixXd& K) {
  if (K.size() == 0) return 1;
  const Eigen::VectorXd sizes = K.jacobiSvd().singularValues();
  return std::max(1.0, 1e-3 * sizes[0] / sizes[sizes.size() - 1]);
}

/// Accelerations are those of the plant, rows hold with them, and multipliers balance the equations.
void expect_closed(const Form& form, const scalar::Evaluation& e, const std::vector<double>& udot,
                   double given_limit = 0) {
  const double limit = given_limit > 0 ? given_limit : 1e-12 * expected_rounding(bordered(form, e));
  const std::size_t n = form.nf(), m = rows_of(form);
  const double most = largest_of(udot);
  ASSERT_EQ(e.udot.size(), udot.size());
  for (std::size_t k = 0; k < udot.size(); ++k) ASSERT_NEAR(e.udot[k], udot[k], limit * most) << form.u[k].name;
  double size = 1;
  for (const double f : e.f) size = std::max(size, std::abs(f));
  for (std::size_t r = 0; r < m; ++r) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += e.G[r * n + k] * e.udot[form.free[k]];
    EXPECT_NEAR(sum, e.gamma[r], limit * most) << form.loops->rows[r];
  }
  for (std::size_t k = 0; k < n; ++k) {
    double sum = 0;
    for (std::size_t l = 0; l < n; ++l) sum += e.M[k * n + l] * e.udot[form.free[l]];
    for (std::size_t r = 0; r < m; ++r) sum -= e.G[r * n + k] * e.multipliers[r];
    EXPECT_NEAR(sum, e.f[k], 10 * limit * most * size);
  }
}

/// At the state where the model begins, in which its constraints hold.
TEST(ScalarLoops, OfExamplesAreThoseOfThePlant) {
  for (const char* file :
       {"four_bar/four_bar.yaml", "slider_crank/slider_crank.yaml", "scissor/scissor.yaml", "stewart/stewart.yaml"}) {
    SCOPED_TRACE(file);
    const Loaded loaded = load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/" + file);
    ASSERT_TRUE(loaded.model) << problems_of(loaded);
    const Formulas formulas = read_formulas(loaded.source);
    const Form form = scalar::derive_form(*loaded.model, {false, false, &formulas});
    ASSERT_TRUE(form.loops);
    PlantAt plant(*loaded.model);
    plant.set(loaded.model->system.initial);
    expect_closed(form, evaluate_at(form, plant.point(form)), plant.udot());
  }
}

/// Every kind of constraint, redundant rows among them, in trees of any kind.
TEST(ScalarLoops, OfRandomSystemsAreThoseOfThePlant) {
  int checked = 0;
  std::set<std::string> kinds;
  for (std::uint64_t seed = 0; seed < 60 && !::testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    const Description d =
        with_loops(seed, random_description(seed, {.most_bodies = 5, .massless = 0, .implicit_base = 0}));
    const Loaded loaded = load_description(d);
    if (!loaded.model || loaded.model->system.constraints.empty()) continue;
    PlantAt plant(*loaded.model);
    try {
      plant.set(loaded.model->system.initial);
    } catch (const std::exception&) {
      continue;  // it cannot be assembled
    }
    const Form form = scalar::derive_form(*loaded.model);
    const std::vector<double> udot = plant.udot();
    if (largest_of(udot) > 1e5) continue;
    expect_closed(form, evaluate_at(form, plant.point(form)), udot, 1e-7);
    for (const Constraint& one : loaded.model->system.constraints) kinds.insert(one.type);
    ++checked;
  }
  EXPECT_GT(checked, 25);
  EXPECT_GE(kinds.size(), 5U);
}

// --- derivatives -----------------------------------------------------------------------------------------------------

/// The derivatives of free accelerations out of A and B, columns in the order of q, u, s.
Eigen::MatrixXd free_rows(const Form& form, const scalar::Evaluation& e) {
  const std::size_t nq = form.q.size(), nx = nq + form.u.size();
  const Matrix A = matrix_of(e.A, nx), B = matrix_of(e.B, nx);
  Eigen::MatrixXd X(static_cast<Eigen::Index>(form.nf()), A.cols() + B.cols());
  for (std::size_t k = 0; k < form.nf(); ++k) {
    const auto row = static_cast<Eigen::Index>(nq + form.free[k]);
    X.row(static_cast<Eigen::Index>(k)) << A.row(row), B.row(row);
  }
  return X;
}

/// The same by a dense solution of the bordered system with R and S.
void expect_dense_solution(const Form& form, const scalar::Evaluation& e) {
  const Eigen::MatrixXd K = bordered(form, e);
  const auto n = static_cast<Eigen::Index>(form.nf()), columns = static_cast<Eigen::Index>(form.columns());
  Eigen::MatrixXd right(K.rows(), columns);
  right.topRows(n) = matrix_of(e.R, form.nf());
  if (K.rows() > n) right.bottomRows(K.rows() - n) = matrix_of(e.S, form.loops->rows.size());
  const Eigen::MatrixXd X = K.fullPivLu().solve(right).topRows(n), found = free_rows(form, e);
  EXPECT_LT((X - found).cwiseAbs().maxCoeff(), 1e-12 * expected_rounding(K) * (1 + X.cwiseAbs().maxCoeff()));
}

/// Central differences of the form's own accelerations, which exist where the loops are not closed too.
void expect_differences(const Form& form, ScalarPoint x, const scalar::Evaluation& e) {
  const Eigen::MatrixXd X = free_rows(form, e);
  Eigen::Index column = 0;
  for (auto* list : {&x.q, &x.u, &x.s}) {
    for (double& entry : *list) {
      const double before = entry, h = 1e-6;
      entry = before + h;
      const std::vector<double> above = evaluate_at(form, x).udot;
      entry = before - h;
      const std::vector<double> below = evaluate_at(form, x).udot;
      entry = before;
      for (std::size_t k = 0; k < form.nf(); ++k) {
        const double difference = (above[form.free[k]] - below[form.free[k]]) / (2 * h);
        ASSERT_NEAR(X(static_cast<Eigen::Index>(k), column), difference, 1e-5 * (1 + X.cwiseAbs().maxCoeff()))
            << form.u[form.free[k]].name << " by column " << column;
      }
      ++column;
    }
  }
}

TEST(ScalarLoops, DerivativesOfExamplesAreThoseOfThePlantAndDifferences) {
  for (const char* file : {"four_bar/four_bar.yaml", "slider_crank/slider_crank.yaml"}) {
    SCOPED_TRACE(file);
    const Loaded loaded = load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/" + file);
    ASSERT_TRUE(loaded.model) << problems_of(loaded);
    const Form form = scalar::derive_form(*loaded.model, {true, false});
    EXPECT_EQ(form.turned.first >= 0, std::string_view(file).starts_with("four_bar"));  // along the axes of the base
    PlantAt plant(*loaded.model);
    plant.set(loaded.model->system.initial);
    const scalar::Evaluation e = evaluate_at(form, plant.point(form));
    expect_dense_solution(form, e);
    expect_differences(form, plant.point(form), e);
    const JacobianError error = error_of_jacobian(loaded.model->system, e, plant);
    EXPECT_LT(error.accelerations, 1e-12 * expected_rounding(bordered(form, e)));
    EXPECT_LT(error.rates, 1e-12);
  }
}

/// Every kind of constraint; on the world and on free bases.
TEST(ScalarLoops, DerivativesOfRandomSystemsAreThoseOfThePlant) {
  int checked = 0;
  for (std::uint64_t seed = 0; seed < 60 && !::testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomModelOptions options{.most_bodies = 5, .massless = 0};
    if (seed % 2 == 0) options.implicit_base = 0;
    const Description d = with_loops(seed, random_description(seed, options));
    const Loaded loaded = load_description(d);
    if (!loaded.model || loaded.model->system.constraints.empty()) continue;
    const System& system = loaded.model->system;
    bool prescribed = false;  // the plant takes their coordinates from the time
    for (const Joint& joint : system.joints) prescribed = prescribed || joint.motion == Motion::prescribed;
    for (const Wheel& wheel : system.wheels) prescribed = prescribed || wheel.speed_prescribed;
    if (prescribed) continue;
    PlantAt plant(*loaded.model);
    try {
      plant.set(system.initial);
    } catch (const std::exception&) {
      continue;  // it cannot be assembled
    }
    if (largest_of(plant.udot()) > 1e5) continue;
    const Form form = scalar::derive_form(*loaded.model, {true, false});
    if (!form.loops || form.nf() == 0) continue;
    const scalar::Evaluation e = evaluate_at(form, plant.point(form));
    expect_dense_solution(form, e);
    const JacobianError error = error_of_jacobian(system, e, plant);
    const double limit = 1e-12 * expected_rounding(bordered(form, e));
    EXPECT_LT(error.accelerations, limit);
    EXPECT_LT(error.rates, 1e-12);
    ++checked;
  }
  EXPECT_GT(checked, 15);
}

/// Bricard's mechanism: in space, with one row too many where it is closed, and none where it is not quite. Which rows
/// are left out is decided where it is closed.
TEST(ScalarLoops, RedundantRowsAreThoseOfTheAssembledState) {
  for (const char* angle : {"0", "1e-4"}) {
    SCOPED_TRACE(angle);
    const Loaded loaded = load(fmt::format(R"yaml(gyrostat: 1
bodies:
  b1: {{mass: 1, com: [0.5, 0, 0], inertia: [1/600, 101/1200, 101/1200]}}
  b2: {{mass: 1, com: [0, -0.5, 0], inertia: [101/1200, 1/600, 101/1200]}}
  b3: {{mass: 1, com: [0, 0, 0.5], inertia: [101/1200, 101/1200, 1/600]}}
  b4: {{mass: 1, com: [-0.5, 0, 0], inertia: [1/600, 101/1200, 101/1200]}}
  b5: {{mass: 1, com: [0, 0.5, 0], inertia: [101/1200, 1/600, 101/1200]}}
joints:
  j0: {{type: revolute, parent: world, child: b1, axis: [0, 1, 0]}}
  j1: {{type: revolute, parent: b1, child: b2, parent_point: [1, 0, 0], axis: [0, 0, 1], initial: {{angle: {0}}}}}
  j2: {{type: revolute, parent: b2, child: b3, parent_point: [0, -1, 0], axis: [1, 0, 0], initial: {{angle: -{0}}}}}
  j3: {{type: revolute, parent: b3, child: b4, parent_point: [0, 0, 1], axis: [0, 1, 0], initial: {{angle: {0}}}}}
  j4: {{type: revolute, parent: b4, child: b5, parent_point: [-1, 0, 0], axis: [0, 0, 1]}}
  j5: {{type: revolute, parent: b5, child: world, parent_point: [0, 1, 0], child_point: [0, 0, 1], axis: [1, 0, 0], cut: true}}
environment: {{gravity: {{uniform: [0, -9.81, 0]}}}}
)yaml",
                                           angle));
    ASSERT_TRUE(loaded.model) << problems_of(loaded);
    const System& system = loaded.model->system;
    const Form form = scalar::derive_form(*loaded.model);
    EXPECT_EQ(form.loops->rows.size(), 4U);
    EXPECT_EQ(form.loops->left_out.size(), 1U);
    const Mechanism mechanism(system);
    const Forces<double> forces(system);
    Assembly assembly =
        gyrostat::assemble(mechanism, make_constraints(mechanism), system.initial, forces.free, forces.equals);
    ASSERT_TRUE(assembly.closed());
    PlantAt plant(*loaded.model);
    plant.set(assembly.state);
    expect_closed(form, evaluate_at(form, plant.point(form)), plant.udot());
  }
}

TEST(ScalarLoops, FollowParametersAndAreReadable) {
  constexpr const char* text = R"(gyrostat: 1
parameters: {r: 0.3 m, l: 0.9 m, m: 2}
bodies:
  crank: {mass: 1, inertia: [0.01, 0.02, 0.02], com: [r/2, 0, 0]}
  rod: {mass: m, inertia: [0.01, 0.1, 0.1], com: [l/2, 0, 0]}
  slider: {mass: 1.5, inertia: [0.01, 0.01, 0.01]}
joints:
  shaft: {type: revolute, parent: world, child: crank, axis: [0, 0, 1], initial: {rate: 2}}
  pin: {type: revolute, parent: crank, child: rod, parent_point: [r, 0, 0], axis: [0, 0, 1], initial: {rate: -2.6}}
  guide: {type: prismatic, parent: world, child: slider, axis: [1, 0, 0], initial: {displacement: 1.2}}
  wrist: {type: revolute, parent: rod, child: slider, parent_point: [l, 0, 0], axis: [0, 0, 1]}
environment: {gravity: {uniform: [0, -9.81, 0]}}
)";
  const Loaded loaded = load(text), other = load(text, {{"m", "3.5"}});
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Formulas formulas = read_formulas(loaded.source);
  const Form form = scalar::derive_form(*loaded.model, {false, false, &formulas});
  EXPECT_EQ(form.loops->rows.size(), 2U);
  EXPECT_EQ(form.loops->left_out.size(), 3U);
  PlantAt plant(*other.model);
  plant.set(other.model->system.initial);
  ScalarPoint x = plant.point(form);
  for (std::size_t k = 0; k < form.p.size(); ++k) {
    if (form.p[k].name == "m") x.p[k] = 3.5;
  }
  expect_closed(form, evaluate_at(form, x), plant.udot());
  for (const char* what : {"G[1,1]", "gamma[2]", "Row 1 of G: wrist", "lambda"}) {
    EXPECT_THAT(scalar::to_text(form, true), ::testing::HasSubstr(what));
  }
  const Form derivatives = scalar::derive_form(*loaded.model, {true, true, &formulas});
  const std::string printed = scalar::to_text(derivatives, false), latex = scalar::to_latex(derivatives);
  for (const char* what : {"M ∂u̇/∂x - G^T ∂λ/∂x = R,  G ∂u̇/∂x = S", "R[1,1] = ", "S[1,1] = ", "u̇_shaft", "λ_1",
                           "Columns of the derivatives, in their order: by q_shaft, q_pin, q_guide, u_shaft"}) {
    EXPECT_THAT(printed, ::testing::HasSubstr(what));
  }
  for (const char* what : {"\\lambda_{\\textrm{1}}", "\\dot{u}_{\\textrm{shaft}}"}) {
    EXPECT_THAT(latex, ::testing::HasSubstr(what));
  }
}

}  // namespace scalar_loops_test
}  // namespace gyrostat::testing
