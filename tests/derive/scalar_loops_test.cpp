// Scalar forms of systems with loops, against the plant.
#include <gmock/gmock.h>

#include "gyrostat/derive/scalar_print.h"

#include "derive/scalar_support.h"
#include "support/closed_case.h"

namespace gyrostat::testing {
namespace scalar_loops_test {

using scalar::Form;

/// Accelerations are those of the plant, rows hold with them, and multipliers balance the equations.
void expect_closed(const Form& form, const scalar::Evaluation& e, const std::vector<double>& udot, double limit) {
  const std::size_t n = form.nf(), m = form.loops->rows.size();
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
    expect_closed(form, evaluate_at(form, plant.point(form)), plant.udot(), 1e-9);
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

TEST(ScalarLoops, FollowParametersAndRefuseDerivativesByName) {
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
  expect_closed(form, evaluate_at(form, x), plant.udot(), 1e-10);
  for (const char* what : {"G[1,1]", "gamma[2]", "Row 1 of G: wrist", "lambda"}) {
    EXPECT_THAT(scalar::to_text(form, true), ::testing::HasSubstr(what));
  }
  try {
    scalar::derive_form(*loaded.model, {true, false, &formulas});
    ADD_FAILURE() << "derivatives of a system with loops were not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("closes a loop"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("gyrostat linearize"));
  }
}

}  // namespace scalar_loops_test
}  // namespace gyrostat::testing
