// The scalar form evaluated: against the kernels at random states of random systems, against closed forms, and against
// the laws of mechanics.
#include "gyrostat/derive/scalar_form.h"

#include <cmath>

#include <gmock/gmock.h>

#include "derive/scalar_support.h"

namespace gyrostat::testing {
namespace scalar_form_test {

using scalar::Form;

void expect_equal_to_kernels(const Form& form, PlantAt& plant, const State& state) {
  plant.set(state);
  const scalar::Evaluation e = evaluate_at(form, plant.point(form));
  const Eigen::MatrixXd M = plant.mass_matrix();
  const double scale = M.cwiseAbs().maxCoeff();
  const std::size_t n = form.nf();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t l = 0; l < n; ++l) {
      ASSERT_NEAR(e.M[k * n + l], M(form.free[k], form.free[l]), 1e-12 * scale) << k << ", " << l;
      ASSERT_EQ(form.M[k * n + l], form.M[l * n + k]) << "M is not symmetric";
    }
  }
  expect_same_accelerations(form, e.udot, plant);
  // M udot = f of the free speeds, whatever M and f are
  for (std::size_t k = 0; k < n; ++k) {
    double left = 0, size = 1;
    for (std::size_t l = 0; l < n; ++l) {
      left += e.M[k * n + l] * e.udot[form.free[l]];
      size += std::abs(e.M[k * n + l] * e.udot[form.free[l]]);
    }
    ASSERT_NEAR(left, e.f[k], 1e-11 * size);
  }
}

TEST(ScalarForm, EqualsTheKernelsAtRandomStatesOfRandomSystems) {
  std::size_t seen = 0;
  for (std::uint64_t seed = 0; seed < 80 && !::testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomModelOptions options;
    options.most_bodies = 8;
    options.special = seed % 3 == 0;
    const Loaded loaded = load_description(random_description(seed, options));
    if (!loaded.model) continue;  // of special ones, not all can be solved
    const Form form = scalar::derive_form(*loaded.model, {false, seed % 2 == 0});
    PlantAt plant(*loaded.model);
    expect_equal_to_kernels(form, plant, loaded.model->system.initial);
    ++seen;
  }
  EXPECT_GT(seen, 40U);
}

TEST(ScalarForm, EqualsTheKernelsWithEveryKindOfLoad) {
  const Loaded loaded = load(many_loads);
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Form form = scalar::derive_form(*loaded.model);
  std::vector<std::string> inputs;
  for (const auto& s : form.s) inputs.push_back(s.name);
  EXPECT_THAT(inputs, ::testing::ElementsAre("command", "jet_on"));
  PlantAt plant(*loaded.model);
  Random random(3);
  for (int k = 0; k < 10 && !::testing::Test::HasFatalFailure(); ++k) {
    expect_equal_to_kernels(form, plant, random_state(loaded.model->system, random));
  }
}

TEST(ScalarForm, EqualsTheKernelsForExamples) {
  for (const char* file :
       {"five_body/five_body.yaml", "five_body/case1_prescribed.yaml", "dumbbell/dumbbell.yaml", "dumbbell/tether.yaml",
        "gravity_gradient/gravity_gradient.yaml", "gravity_gradient/full.yaml", "thermal_flutter/thermal_flutter.yaml",
        "cat/cat.yaml", "dual_spin/damped_rotor.yaml", "ten_body/ten_body.yaml"}) {
    SCOPED_TRACE(file);
    const Loaded loaded = load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/" + file);
    ASSERT_TRUE(loaded.model);
    const Form form = scalar::derive_form(*loaded.model);
    PlantAt plant(*loaded.model);
    State state = loaded.model->system.initial;
    place_on_orbit(loaded.model->description, loaded.model->system, state);
    expect_equal_to_kernels(form, plant, state);
  }
}

/// p are symbols indeed: the form of one model, with the numbers of another, is the form of the other.
TEST(ScalarForm, TakesOtherValuesOfItsParameters) {
  for (std::uint64_t seed = 0; seed < 40 && !::testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomModelOptions options;
    options.most_bodies = 5;
    const Description one = random_description(seed, options);
    Description other = one;
    Random random(seed + 1000);
    for (BodyDescription& body : other.bodies) {
      if (body.mass > 0) body.mass *= random.uniform(0.5, 2);
      if (body.com != Vector3::Zero()) body.com += random.vector(0.2);
      body.inertia *= random.uniform(1, 2);
    }
    for (JointDescription& joint : other.joints) {
      joint.parent_point += random.vector(0.2);
      joint.child_point += random.vector(0.2);
      // what is zero in one model is zero in the other
      const auto has_zero = [](const Vector3& axis) { return axis.cwiseAbs().minCoeff() == 0; };
      const bool aligned =
          std::ranges::any_of(joint.rotations, has_zero) || std::ranges::any_of(joint.translations, has_zero);
      const Matrix3 R = aligned ? Matrix3(Matrix3::Identity()) : random.rotation();
      for (Vector3& axis : joint.rotations) axis = R * axis;
      for (Vector3& axis : joint.translations) axis = R * axis;
      for (Coefficient& k : joint.stiffness) k.value += 1;
    }
    const Loaded a = load_description(one), b = load_description(other);
    ASSERT_TRUE(a.model && b.model);
    const Form form = scalar::derive_form(*a.model), other_form = scalar::derive_form(*b.model);
    ASSERT_EQ(form.p.size(), other_form.p.size());
    PlantAt plant(*b.model);
    plant.set(b.model->system.initial);
    ScalarPoint x = plant.point(form);
    for (std::size_t k = 0; k < form.p.size(); ++k) {
      ASSERT_EQ(form.p[k].name, other_form.p[k].name);
      x.p[k] = other_form.p[k].value;
    }
    expect_same_accelerations(form, evaluate_at(form, x).udot, plant);
  }
}

TEST(ScalarForm, OfAPendulumIsThatOfTheTextbook) {
  const Loaded loaded = load(R"(gyrostat: 1
bodies:
  bob: {mass: 2, inertia: [0.1, 0.1, 0.02], com: [0, 0, -0.7]}
joints:
  pin: {type: revolute, parent: world, child: bob, axis: [0, 1, 0], damping: 0.2}
environment: {gravity: {uniform: [0, 0, -9.81]}}
)");
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  const Form form = scalar::derive_form(*loaded.model);
  for (const double angle : {0.0, 0.3, -2.0}) {
    const scalar::Evaluation e = evaluate_at(form, {scalar::values_of(form.p), {angle}, {1.5}, {}, 0});
    EXPECT_NEAR(e.M[0], 0.1 + 2 * 0.7 * 0.7, 1e-15);
    EXPECT_NEAR(e.f[0], -2 * 9.81 * 0.7 * std::sin(angle) - 0.2 * 1.5, 1e-14);
  }
  EXPECT_LE(scalar::count_operations(form.graph, form.M).all(), 3U);  // I + m l^2
}

TEST(ScalarForm, OfADoublePendulumIsThatOfTheTextbook) {
  const Loaded loaded = load(double_pendulum);
  ASSERT_TRUE(loaded.model);
  for (const bool readable : {false, true}) {
    const Form form = scalar::derive_form(*loaded.model, {false, readable});
    const double m1 = 2, m2 = 1, I1 = 0.1, I2 = 0.05, c1 = 0.4, c2 = 0.3, l = 0.8, g = 9.81;
    Random random(1);
    for (int k = 0; k < 20; ++k) {
      const double a = random.uniform(-3, 3), b = random.uniform(-3, 3), va = random.uniform(-2, 2),
                   vb = random.uniform(-2, 2);
      const scalar::Evaluation e = evaluate_at(form, {scalar::values_of(form.p), {a, b}, {va, vb}, {}, 0});
      // Siciliano et al., Robotics (2009), eq. (7.82) ff., angles from the vertical
      const double h = m2 * l * c2;
      EXPECT_NEAR(e.M[0], I1 + m1 * c1 * c1 + I2 + m2 * (l * l + c2 * c2) + 2 * h * std::cos(b), 1e-14);
      EXPECT_NEAR(e.M[1], I2 + m2 * c2 * c2 + h * std::cos(b), 1e-14);
      EXPECT_NEAR(e.M[3], I2 + m2 * c2 * c2, 1e-14);
      const double g2 = m2 * g * c2 * std::sin(a + b);
      EXPECT_NEAR(e.f[0], h * std::sin(b) * (2 * va * vb + vb * vb) - (m1 * c1 + m2 * l) * g * std::sin(a) - g2, 1e-13);
      EXPECT_NEAR(e.f[1], -h * std::sin(b) * va * va - g2, 1e-13);
    }
    EXPECT_LE(scalar::count_operations(form.graph, form.M).all(), 25U);
  }
}

/// Integrated by what the form computes alone, the double pendulum keeps its energy.
TEST(ScalarForm, KeepsTheEnergyOfADoublePendulum) {
  const Loaded loaded = load(double_pendulum);
  const Form form = scalar::derive_form(*loaded.model);
  const std::vector<double> p = scalar::values_of(form.p);
  Eigen::Vector4d y(1.2, 0.5, 0, 0);
  const auto rate = [&](const Eigen::Vector4d& at) {
    const scalar::Evaluation e = evaluate_at(form, {p, {at[0], at[1]}, {at[2], at[3]}, {}, 0});
    return Eigen::Vector4d(e.qdot[0], e.qdot[1], e.udot[0], e.udot[1]);
  };
  const auto energy = [&](const Eigen::Vector4d& at) {
    const scalar::Evaluation e = evaluate_at(form, {p, {at[0], at[1]}, {at[2], at[3]}, {}, 0});
    const double kinetic = 0.5 * (e.M[0] * at[2] * at[2] + 2 * e.M[1] * at[2] * at[3] + e.M[3] * at[3] * at[3]);
    return kinetic - 9.81 * (2 * 0.4 * std::cos(at[0]) + 0.8 * std::cos(at[0]) + 0.3 * std::cos(at[0] + at[1]));
  };
  const double before = energy(y), h = 1e-3;
  for (int k = 0; k < 2000; ++k) {
    const Eigen::Vector4d k1 = rate(y), k2 = rate(y + h / 2 * k1), k3 = rate(y + h / 2 * k2), k4 = rate(y + h * k3);
    y += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  EXPECT_NEAR(energy(y), before, 1e-8);
  EXPECT_GT(std::abs(y[2]) + std::abs(y[3]), 0.1);
}

TEST(ScalarForm, RefusesWhatItCannotWriteByName) {
  const auto why = [](const std::string& file) -> std::string {
    const Loaded loaded = load_file(std::string(GYROSTAT_SOURCE_DIR) + "/examples/" + file);
    try {
      scalar::derive_form(*loaded.model);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(why("solar_arrays/solar_arrays.yaml"), ::testing::HasSubstr("is flexible"));
  const Loaded loaded = load(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1], com: [1, 0, 0]}}
tables: {k: {x: [-1, 1], y: [1, 2], outside: extend}}
joints:
  hinge: {type: revolute, parent: world, child: a, axis: [0, 0, 1], stiffness: {table: k}, torque: "-0.1*system.energy"}
)");
  ASSERT_TRUE(loaded.model) << problems_of(loaded);
  EXPECT_THROW(scalar::derive_form(*loaded.model), std::invalid_argument);
  const Loaded slides = load(R"(gyrostat: 1
bodies: {a: {mass: 1, inertia: [1, 1, 1]}}
joints: {rail: {type: prismatic, parent: world, child: a, axis: [0, 0, 1], friction: {reaction: {coefficient: 0.2}}}}
)");
  ASSERT_TRUE(slides.model) << problems_of(slides);
  try {
    scalar::derive_form(*slides.model);
    ADD_FAILURE() << "friction by reaction was not refused";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("joints.rail.friction.reaction: the scalar form has no friction"));
  }
}

}  // namespace scalar_form_test
}  // namespace gyrostat::testing
