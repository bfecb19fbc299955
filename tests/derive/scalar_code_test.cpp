// The functions that a form is printed as: compiled or run with nothing of ours, and compared.
#include <array>
#include <fstream>

#include <dlfcn.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "gyrostat/analysis/linearize.h"
#include "gyrostat/derive/scalar_print.h"

#include "derive/scalar_support.h"
#include "support/program.h"

namespace gyrostat::testing {
namespace scalar_code_test {

using scalar::Form;

std::string function_name_of(const Form& form, const std::string& which) {
  const std::string text = scalar::to_c(form);
  const std::size_t at = text.find("_mass_matrix(");
  const std::size_t begin = text.rfind(' ', at) + 1;
  return text.substr(begin, at - begin) + "_" + which;
}

/// The printed C, compiled as a library of its own and loaded.
class CompiledC {
 public:
  explicit CompiledC(const Form& form) : form_(form) {
    const std::string source = scratch_.write("equations.c", scalar::to_c(form));
    const std::string library = (scratch_.path() / "equations.so").string();
    const std::string log = (scratch_.path() / "log").string();
    const std::string command = fmt::format(
        "cc -std=c99 -O0 -Wall -Wextra -Wpedantic -Wshadow -Werror -shared -fPIC '{}' -o '{}' -lm >'{}' 2>&1", source,
        library, log);
    EXPECT_EQ(std::system(command.c_str()), 0) << slurp(log).substr(0, 2000);
    handle_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    EXPECT_NE(handle_, nullptr) << dlerror();
  }
  ~CompiledC() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  CompiledC(const CompiledC&) = delete;
  CompiledC& operator=(const CompiledC&) = delete;

  template <class Function>
  [[nodiscard]] Function* function(const std::string& which) const {
    return reinterpret_cast<Function*>(dlsym(handle_, function_name_of(form_, which).c_str()));
  }

  [[nodiscard]] scalar::Evaluation evaluate(const ScalarPoint& x) const {
    using Numbers = const double*;
    const std::size_t n = form_.nf(), nx = x.q.size() + x.u.size();
    scalar::Evaluation e;
    e.M.resize(n * n), e.f.resize(n), e.udot.resize(x.u.size()), e.qdot.resize(x.q.size());
    function<void(Numbers, Numbers, double*)>("mass_matrix")(x.p.data(), x.q.data(), e.M.data());
    using Full = void(Numbers, Numbers, Numbers, double, Numbers, double*);
    function<Full>("forces")(x.p.data(), x.q.data(), x.u.data(), x.t, x.s.data(), e.f.data());
    function<Full>("accelerations")(x.p.data(), x.q.data(), x.u.data(), x.t, x.s.data(), e.udot.data());
    function<void(Numbers, Numbers, double*)>("rates")(x.q.data(), x.u.data(), e.qdot.data());
    if (form_.loops) {
      const std::size_t m = form_.loops->rows.size();
      e.G.resize(m * n), e.gamma.resize(m), e.multipliers.resize(m);
      function<void(Numbers, Numbers, double*)>("constraint_jacobian")(x.p.data(), x.q.data(), e.G.data());
      function<Full>("constraint_bias")(x.p.data(), x.q.data(), x.u.data(), x.t, x.s.data(), e.gamma.data());
      function<Full>("multipliers")(x.p.data(), x.q.data(), x.u.data(), x.t, x.s.data(), e.multipliers.data());
    }
    if (!form_.jacobian) return e;
    e.A.resize(nx * nx), e.B.resize(nx * x.s.size());
    using Derivatives = void(Numbers, Numbers, Numbers, double, Numbers, double*, double*);
    function<Derivatives>("jacobian")(x.p.data(), x.q.data(), x.u.data(), x.t, x.s.data(), e.A.data(), e.B.data());
    return e;
  }

 private:
  const Form& form_;
  Scratch scratch_;
  void* handle_ = nullptr;
};

/// The same by the printed Python.
scalar::Evaluation evaluate_by_python(const Form& form, const ScalarPoint& x) {
  const Scratch scratch;
  scratch.write("equations.py", scalar::to_python(form));
  scratch.write("input.json", nlohmann::json{{"p", x.p}, {"q", x.q}, {"u", x.u}, {"t", x.t}, {"s", x.s}}.dump());
  scratch.write("main.py", R"(import json
import equations as e
with open('input.json') as f:
    x = json.load(f)
p, q, u, t, s = (x[k] for k in 'pquts')
out = {'M': [v for row in e.mass_matrix(p, q) for v in row], 'f': e.forces(p, q, u, t, s),
       'udot': e.accelerations(p, q, u, t, s), 'qdot': e.rates(q, u), 'A': [], 'B': []}
assert len(e.parameters) == len(p)
if hasattr(e, 'multipliers'):
    out['G'] = [v for row in e.constraint_jacobian(p, q) for v in row]
    out['gamma'] = e.constraint_bias(p, q, u, t, s)
    out['lambda'] = e.multipliers(p, q, u, t, s)
if hasattr(e, 'jacobian'):
    A, B = e.jacobian(p, q, u, t, s)
    out['A'] = [v for row in A for v in row]
    out['B'] = [v for row in B for v in row]
with open('output.json', 'w') as f:
    json.dump(out, f)
)");
  const std::string command = fmt::format(
      "cd '{}' && python3 -I -c \"import sys; sys.path.insert(0, '.'); exec(open('main.py').read())\" >log 2>&1",
      scratch.path().string());
  EXPECT_EQ(std::system(command.c_str()), 0) << slurp(scratch.path() / "log");
  const nlohmann::json out = nlohmann::json::parse(slurp(scratch.path() / "output.json"), nullptr, false);
  scalar::Evaluation e;
  if (out.is_discarded()) return e;
  out["M"].get_to(e.M), out["f"].get_to(e.f), out["udot"].get_to(e.udot), out["qdot"].get_to(e.qdot);
  out["A"].get_to(e.A), out["B"].get_to(e.B);
  if (form.loops) out["G"].get_to(e.G), out["gamma"].get_to(e.gamma), out["lambda"].get_to(e.multipliers);
  return e;
}

void expect_same(const std::vector<double>& a, const std::vector<double>& b, const char* what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  const double most = largest_of(b);
  for (std::size_t k = 0; k < a.size(); ++k) ASSERT_NEAR(a[k], b[k], 1e-12 * most) << what << " " << k;
}

void expect_same(const scalar::Evaluation& a, const scalar::Evaluation& b) {
  expect_same(a.M, b.M, "M");
  expect_same(a.f, b.f, "f");
  expect_same(a.udot, b.udot, "udot");
  expect_same(a.qdot, b.qdot, "qdot");
  expect_same(a.G, b.G, "G");
  expect_same(a.gamma, b.gamma, "gamma");
  expect_same(a.multipliers, b.multipliers, "multipliers");
  expect_same(a.A, b.A, "A");
  expect_same(a.B, b.B, "B");
}

const char* const example_files[] = {"five_body/five_body.yaml", "five_body/case1_prescribed.yaml",
                                     "dumbbell/dumbbell.yaml",   "dumbbell/tether.yaml",
                                     "ten_body/ten_body.yaml",   "gravity_gradient/full.yaml"};

/// With derivatives where they are not too long.
Form form_of(const Model& model) { return scalar::derive_form(model, {model.system.body_count() < 10, false}); }

TEST(ScalarCode, InCEqualsTheKernelsForExamples) {
  for (const char* file : example_files) {
    SCOPED_TRACE(file);
    const Loaded loaded = load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/" + file);
    ASSERT_TRUE(loaded.model);
    const Form form = form_of(*loaded.model);
    const CompiledC compiled(form);
    PlantAt plant(*loaded.model);
    Random random(4);
    State state = random_state(loaded.model->system, random);
    place_on_orbit(loaded.model->description, loaded.model->system, state);
    plant.set(state);
    const ScalarPoint x = plant.point(form);
    const scalar::Evaluation e = compiled.evaluate(x);
    expect_same_accelerations(form, e.udot, plant);
    expect_same(e, evaluate_at(form, x));
  }
}

TEST(ScalarCode, InPythonEqualsTheKernelsForExamples) {
  for (const char* file : example_files) {
    SCOPED_TRACE(file);
    const Loaded loaded = load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/" + file);
    ASSERT_TRUE(loaded.model);
    const Form form = form_of(*loaded.model);
    PlantAt plant(*loaded.model);
    Random random(5);
    State state = random_state(loaded.model->system, random);
    place_on_orbit(loaded.model->description, loaded.model->system, state);
    plant.set(state);
    const ScalarPoint x = plant.point(form);
    const scalar::Evaluation e = evaluate_by_python(form, x);
    expect_same_accelerations(form, e.udot, plant);
    expect_same(e, evaluate_at(form, x));
  }
}

TEST(ScalarCode, EqualsTheKernelsWithEveryKindOfLoad) {
  const Loaded loaded = load(many_loads);
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Form form = scalar::derive_form(*loaded.model, {true, false});
  const CompiledC compiled(form);
  PlantAt plant(*loaded.model);
  Random random(6);
  for (int k = 0; k < 5; ++k) {
    plant.set(random_state(loaded.model->system, random));
    const ScalarPoint x = plant.point(form);
    const scalar::Evaluation e = compiled.evaluate(x);
    expect_same_accelerations(form, e.udot, plant);
    expect_same(e, evaluate_at(form, x));
    if (k == 0) expect_same(evaluate_by_python(form, x), evaluate_at(form, x));
  }
}

/// Of a rotation and of vectors, taken apart; signals are inputs.
TEST(ScalarCode, EqualsTheKernelsWithLawsThatAreVectors) {
  const Loaded loaded = load(vector_laws());
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Formulas formulas = read_formulas(loaded.source);
  const Form form = scalar::derive_form(*loaded.model, {true, false, &formulas});
  EXPECT_EQ(form.s.size(), 6U);
  const CompiledC compiled(form);
  PlantAt plant(*loaded.model);
  Random random(16);
  for (int k = 0; k < 3; ++k) {
    plant.set(random_state(loaded.model->system, random));
    const ScalarPoint x = plant.point(form);
    const scalar::Evaluation e = compiled.evaluate(x);
    expect_same_accelerations(form, e.udot, plant);
    expect_same(e, evaluate_at(form, x));
    expect_same(evaluate_by_python(form, x), e);
  }
}

TEST(ScalarCode, OfLoopsEqualsTheForm) {
  for (const char* file : {"four_bar/four_bar.yaml", "slider_crank/slider_crank.yaml"}) {
    SCOPED_TRACE(file);
    const Loaded loaded = load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/" + file);
    ASSERT_TRUE(loaded.model);
    const Form form = scalar::derive_form(*loaded.model, {true, false});
    PlantAt plant(*loaded.model);
    plant.set(loaded.model->system.initial);
    const ScalarPoint x = plant.point(form);
    const scalar::Evaluation expected = evaluate_at(form, x);
    EXPECT_FALSE(expected.A.empty());
    expect_same(CompiledC(form).evaluate(x), expected);
    expect_same(evaluate_by_python(form, x), expected);
  }
}

TEST(ScalarCode, OfRandomSystemsEqualsTheKernels) {
  for (std::uint64_t seed = 200; seed < 208 && !::testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomModelOptions options;
    options.most_bodies = 5;
    const Loaded loaded = load_description(random_description(seed, options));
    ASSERT_TRUE(loaded.model);
    const Form form = scalar::derive_form(*loaded.model, {seed % 2 == 0, false});
    PlantAt plant(*loaded.model);
    plant.set(loaded.model->system.initial);
    const ScalarPoint x = plant.point(form);
    const scalar::Evaluation expected = evaluate_at(form, x);
    const scalar::Evaluation e = CompiledC(form).evaluate(x);
    expect_same_accelerations(form, e.udot, plant);
    expect_same(e, expected);
    if (seed % 4 == 0) expect_same(evaluate_by_python(form, x), expected);
  }
}

/// Both branches of a choice are computed, and that not taken may divide by zero: at the start the ends of the spring
/// coincide.
TEST(ScalarCode, ChoosesWithoutFailing) {
  const Loaded loaded = load(R"(gyrostat: 1
bodies:
  a: {mass: 1, inertia: [1, 1, 1]}
  b: {mass: 1, inertia: [1, 1, 1]}
joints:
  slide: {type: prismatic, parent: a, child: b, axis: [1, 0, 0]}
loads:
  - {spring: {from: [a, com], to: [b, com], stiffness: 3, damping: 1, length: 0.5}}
)");
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Form form = scalar::derive_form(*loaded.model);
  PlantAt plant(*loaded.model);
  plant.set(loaded.model->system.initial);
  const ScalarPoint x = plant.point(form);
  const scalar::Evaluation c = CompiledC(form).evaluate(x), python = evaluate_by_python(form, x);
  expect_same_accelerations(form, c.udot, plant);
  expect_same(python, c);
  for (const double a : c.udot) EXPECT_TRUE(std::isfinite(a));
}

// --- derivatives -----------------------------------------------------------------------------------------------------

/// The exact Jacobian of the plant is that of the form, but for quaternions, which the plant gives unit length first.
TEST(ScalarCode, DerivativesAreThoseOfThePlant) {
  std::size_t with_quaternions = 0, without = 0;
  for (std::uint64_t seed = 0; seed < 60 && !::testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomModelOptions options;
    options.most_bodies = 5;
    const Loaded loaded = load_description(random_description(seed, options));
    ASSERT_TRUE(loaded.model);
    const System& system = loaded.model->system;
    const Form form = scalar::derive_form(*loaded.model, {true, false});
    PlantAt plant(*loaded.model);
    bool prescribed = false;
    for (const Joint& joint : system.joints) prescribed = prescribed || joint.motion == Motion::prescribed;
    for (const Wheel& wheel : system.wheels) prescribed = prescribed || wheel.speed_prescribed;
    if (prescribed) continue;  // the plant takes their coordinates from the time
    plant.set(system.initial);
    const ScalarPoint x = plant.point(form);
    const scalar::Evaluation e = evaluate_at(form, x);
    const bool quaternion = std::ranges::any_of(
        system.joints, [](const Joint& joint) { return joint.nq > 0 && has_quaternion(joint.type); });
    ++(quaternion ? with_quaternions : without);
    const JacobianError error = error_of_jacobian(system, e, plant);
    ASSERT_LT(error.accelerations, 1e-9);
    ASSERT_LT(error.rates, 1e-12);
  }
  EXPECT_GT(with_quaternions, 5U);
  EXPECT_GT(without, 5U);
}

TEST(ScalarCode, DerivativesAreThoseOfTheLinearModel) {
  const Loaded loaded = load(R"yaml(gyrostat: 1
bodies:
  upper: {mass: 2, inertia: [0.1, 0.1, 0.02], com: [0, 0, -0.4]}
  lower: {mass: 1, inertia: [0.05, 0.05, 0.01], com: [0, 0, -0.3]}
joints:
  shoulder: {type: revolute, parent: world, child: upper, axis: [0, 1, 0], initial: {angle: 0.3, rate: 0.2}, torque: drive}
  elbow: {type: revolute, parent: upper, child: lower, parent_point: [0, 0, -0.8], axis: [0, 1, 0], initial: {angle: -0.5}, damping: 0.3, torque: "2*brake"}
signals: {drive: "0.7*sin(t)", brake: "-elbow.rate"}
environment: {gravity: {uniform: [0, 0, -9.81]}}
)yaml");
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  LinearizeSettings settings;
  settings.open = {"drive", "brake"};
  const LinearModel linear = linearize(*loaded.model, initial_point(*loaded.model), settings);
  const Form form = scalar::derive_form(*loaded.model, {true, false});
  PlantAt plant(*loaded.model);
  plant.set(loaded.model->system.initial);
  const scalar::Evaluation e = CompiledC(form).evaluate(plant.point(form));
  ASSERT_EQ(linear.A.rows(), 4);
  for (Eigen::Index r = 0; r < 4; ++r) {
    for (Eigen::Index c = 0; c < 4; ++c) EXPECT_NEAR(e.A[static_cast<std::size_t>(4 * r + c)], linear.A(r, c), 1e-12);
    for (Eigen::Index c = 0; c < 2; ++c) EXPECT_NEAR(e.B[static_cast<std::size_t>(2 * r + c)], linear.B(r, c), 1e-12);
  }
}

TEST(ScalarCode, DerivativesByInputsAndStateAreDifferences) {
  const Loaded loaded = load(many_loads);
  const Form form = scalar::derive_form(*loaded.model, {true, false});
  PlantAt plant(*loaded.model);
  Random random(9);
  plant.set(random_state(loaded.model->system, random));
  ScalarPoint x = plant.point(form);
  x.t = 0.7;
  const scalar::Evaluation e = evaluate_at(form, x);
  const std::size_t nq = x.q.size(), nx = nq + x.u.size(), ns = x.s.size();
  const auto vary = [&](double& entry, std::size_t column, const std::vector<double>& matrix, std::size_t columns) {
    const double before = entry, h = 1e-6;
    entry = before + h;
    const scalar::Evaluation above = evaluate_at(form, x);
    entry = before - h;
    const scalar::Evaluation below = evaluate_at(form, x);
    entry = before;
    for (std::size_t k = 0; k < x.u.size(); ++k) {
      const double difference = (above.udot[k] - below.udot[k]) / (2 * h);
      ASSERT_NEAR(matrix[(nq + k) * columns + column], difference, 1e-5 * (1 + std::abs(difference)))
          << form.u[k].name << " by column " << column;
    }
  };
  // a quaternion is moved along directions that keep its length, to first order
  for (std::size_t k = 0; k < ns; ++k) vary(x.s[k], k, e.B, ns);
  for (std::size_t k = 0; k < x.u.size(); ++k) vary(x.u[k], nq + k, e.A, nx);
  for (std::size_t k = 0; k < nq; ++k) {
    if (form.q[k].name.find("quaternion") == std::string::npos) vary(x.q[k], k, e.A, nx);
  }
}

}  // namespace scalar_code_test
}  // namespace gyrostat::testing
