// The scalar form evaluated, against the kernels at random states of random systems, and against closed forms.
#include "gyrostat/derive/scalar_form.h"

#include <gmock/gmock.h>

#include "gyrostat/plant/run.h"

#include "support/load.h"
#include "support/random_dynamics.h"

namespace gyrostat::testing {
namespace scalar_form_test {

using scalar::Form;

double largest_of(const std::vector<double>& list) {
  double most = 1;
  for (const double x : list) most = std::max(most, std::abs(x));
  return most;
}

/// The mass matrix of all speeds, by the kernels.
Eigen::MatrixXd kernel_mass_matrix(const Mechanism& mechanism, const Kinematics<double>& kinematics) {
  CompositeBodyData w(mechanism);
  mass_matrix(mechanism, kinematics, w);
  const auto n = static_cast<Eigen::Index>(mechanism.nu);
  Eigen::MatrixXd M(n, n);
  for (Eigen::Index k = 0; k < n; ++k) {
    for (Eigen::Index l = 0; l <= k; ++l) M(k, l) = M(l, k) = w.mass_matrix.row(static_cast<std::size_t>(k))[l];
  }
  return M;
}

std::vector<double> list_of(const Eigen::VectorXd& v) { return {v.begin(), v.end()}; }

TEST(ScalarForm, EqualsTheKernelsAtRandomStatesOfRandomSystems) {
  for (std::uint64_t seed = 0; seed < 150 && !::testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomModelOptions options;
    options.most_bodies = 8;
    options.special = seed % 3 == 0;
    const Loaded loaded = load_description(random_description(seed, options));
    if (!loaded.model) continue;  // of special ones, not all can be solved
    const System& system = loaded.model->system;
    const Form form = scalar::derive_form(*loaded.model);
    const Plant plant(*loaded.model, "articulated_body");
    PlantRun run(plant);
    Eigen::VectorXd y(static_cast<Eigen::Index>(plant.size()));
    run.start_as_given(y, system.initial);
    run.evaluate(0, y.data(), Stage::acceleration);
    const scalar::Evaluation e =
        scalar::evaluate(form, scalar::values_of(form.p), list_of(system.initial.q), list_of(system.initial.u), 0, {});

    const Eigen::MatrixXd M = kernel_mass_matrix(plant.mechanism(), run.data().kinematics);
    const double scale = M.cwiseAbs().maxCoeff();
    for (std::size_t k = 0; k < form.nf(); ++k) {
      for (std::size_t l = 0; l < form.nf(); ++l) {
        ASSERT_NEAR(e.M[k * form.nf() + l], M(form.free[k], form.free[l]), 1e-12 * scale) << k << ", " << l;
        ASSERT_EQ(form.M[k * form.nf() + l] == form.M[l * form.nf() + k] || e.M[k * form.nf() + l] == e.M[l * form.nf() + k], true);
      }
    }
    const double most = largest_of(e.udot);
    for (std::size_t k = 0; k < e.udot.size(); ++k) {
      ASSERT_NEAR(e.udot[k], run.udot()[static_cast<Eigen::Index>(k)], 1e-10 * most) << form.u[k].name;
    }
  }
}

}  // namespace scalar_form_test
}  // namespace gyrostat::testing
