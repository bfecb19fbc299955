// A random system at a random instant, with random forces on everything that forces can act on.
#pragma once

#include <memory>

#include <gtest/gtest.h>

#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/coordinate_rates.h"
#include "gyrostat/dynamics/kinematics.h"
#include "gyrostat/model/load.h"

#include "support/random_model.h"

namespace gyrostat::testing {

inline Vec3<double> small_vector(const Vector3& a) { return cast<double>(a); }

/// Locked joints have no acceleration.
inline void hold_locked(const System& system, Forces<double>& forces) {
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (joint.motion != Motion::locked) continue;
    for (std::size_t k = joint.u; k < joint.u + joint.nu; ++k) forces.udot[k] = 0;
  }
}

inline Forces<double> random_forces(const System& system, Random& random, double size = 5) {
  Forces<double> forces(system);
  for (double& tau : forces.tau) tau = random.uniform(-size, size);
  for (double& udot : forces.udot) udot = random.uniform(-size, size);
  hold_locked(system, forces);
  for (std::size_t i = 1; i < forces.wrench.size(); ++i) {
    forces.wrench[i] = {small_vector(random.vector(size)), small_vector(random.vector(size))};
  }
  return forces;
}

struct RandomCase {
  Loaded loaded;
  std::unique_ptr<Mechanism> mechanism;
  State state;
  Forces<double> forces;
  Kinematics<double> kinematics;

  static RandomCase make(std::uint64_t seed, const RandomModelOptions& options = {}) {
    return from(load_description(random_description(seed, options)), seed);
  }

  static RandomCase from(Loaded loaded, std::uint64_t seed) {
    for (const auto& problem : loaded.problems.all()) {
      EXPECT_TRUE(loaded.model) << "seed " << seed << ": " << problem.message;
    }
    auto mechanism = std::make_unique<Mechanism>(loaded.model->system);
    Random random(seed ^ 0x5eed);
    State state = loaded.model->system.initial;
    Forces<double> forces = random_forces(loaded.model->system, random);
    Kinematics<double> kinematics(*mechanism);
    update(*mechanism, state.q.data(), state.u.data(), kinematics);
    return {std::move(loaded), std::move(mechanism), std::move(state), std::move(forces), std::move(kinematics)};
  }

  [[nodiscard]] const System& system() const { return loaded.model->system; }

  [[nodiscard]] Eigen::VectorXd accelerations() const {
    ArticulatedBodyData<double> workspace(*mechanism);
    Eigen::VectorXd udot(state.u.size());
    gyrostat::accelerations(*mechanism, kinematics, state.u.data(), forces, workspace, udot.data());
    return udot;
  }

 private:
  RandomCase(Loaded l, std::unique_ptr<Mechanism> m, State s, Forces<double> f, Kinematics<double> k)
      : loaded(std::move(l)),
        mechanism(std::move(m)),
        state(std::move(s)),
        forces(std::move(f)),
        kinematics(std::move(k)) {
    mechanism->system = &loaded.model->system;  // moved along with it
  }
};

}  // namespace gyrostat::testing
