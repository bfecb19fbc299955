// A model text at the start of its run: the forces on everything, and what they do. Things are found by name.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gyrostat/plant/run.h"

#include "support/load.h"

namespace gyrostat::testing {

class AtStart {
 public:
  using Change = std::function<void(AtStart&)>;  // of the state

  explicit AtStart(const std::string& text, const Change& change = {}) : AtStart(load(text), change) {}
  explicit AtStart(Description description) : AtStart(load_description(std::move(description)), {}) {}
  AtStart(const AtStart&) = delete;
  AtStart& operator=(const AtStart&) = delete;

  Loaded loaded;
  Plant plant;
  PlantRun run;
  State state;
  Forces<double> forces;
  Eigen::VectorXd udot;
  Reactions reactions;
  Conserved<double> conserved;
  double potential = 0;

  /// All of it again, after the state was changed.
  void update() {
    Eigen::VectorXd y;
    run.start_as_given(y, state);
    run.evaluate(0, y.data(), Stage::acceleration);
    forces = run.forces();
    conserved = run.conserved();
    potential = run.potential_energy();
    udot = run.udot();
    reactions = run.reactions();
  }

  [[nodiscard]] const System& system() const { return loaded.model->system; }

  [[nodiscard]] std::uint32_t body(const std::string& name) const {
    for (std::uint32_t i = 0; i < system().bodies.size(); ++i) {
      if (system().bodies[i].name == name) return i;
    }
    throw std::runtime_error("no body " + name);
  }
  [[nodiscard]] std::uint32_t joint_number(const std::string& name) const {
    for (std::uint32_t i = 1; i < system().joints.size(); ++i) {
      if (system().joints[i].name == name) return i;
    }
    throw std::runtime_error("no joint " + name);
  }
  [[nodiscard]] const Joint& joint(const std::string& name) const { return system().joints[joint_number(name)]; }
  /// "body.wheel"
  [[nodiscard]] const Wheel& wheel(const std::string& name) const {
    for (const Wheel& w : system().wheels) {
      if (system().bodies[w.body].name + "." + w.name == name) return w;
    }
    throw std::runtime_error("no wheel " + name);
  }

  /// Derivatives of a joint's speeds.
  [[nodiscard]] std::vector<double> accelerations(const std::string& name) const {
    return part(udot.data(), joint(name));
  }
  /// Forces conjugate to a joint's speeds.
  [[nodiscard]] std::vector<double> tau(const std::string& name) const { return part(forces.tau.data(), joint(name)); }
  [[nodiscard]] std::vector<double> driving(const std::string& name) const {
    return part(reactions.driving.data(), joint(name));
  }
  [[nodiscard]] const Reaction& reaction(const std::string& name) const { return reactions.joints[joint_number(name)]; }
  [[nodiscard]] double wheel_acceleration(const std::string& name) const { return udot[wheel(name).u]; }

  /// On a body, world axes; the torque about the body's base point.
  [[nodiscard]] Vector3 force(const std::string& name) const { return to_eigen(forces.wrench[body(name)].force); }
  [[nodiscard]] Vector3 torque(const std::string& name) const { return to_eigen(forces.wrench[body(name)].torque); }

 private:
  AtStart(Loaded l, const Change& change)
      : loaded(valid(std::move(l))),
        plant(*loaded.model, "articulated_body"),
        run(plant),
        state(loaded.model->system.initial),
        forces(loaded.model->system),
        reactions(plant.mechanism()) {
    if (change) change(*this);
    update();
  }

  static Loaded valid(Loaded loaded) {
    if (!loaded.model) throw std::runtime_error(problems_of(loaded));
    return loaded;
  }
  static std::vector<double> part(const double* all, const Joint& joint) {
    return {all + joint.u, all + joint.u + joint.nu};
  }
};

/// Numbers close to those expected, relative to one.
inline void expect_numbers(const std::vector<double>& found, const std::vector<double>& expected,
                           double tolerance = 1e-12) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    EXPECT_NEAR(found[k], expected[k], tolerance * (1 + std::abs(expected[k]))) << "number " << k;
  }
}

inline void expect_vector(const Vector3& found, const Vector3& expected, double tolerance = 1e-12) {
  expect_numbers({found.x(), found.y(), found.z()}, {expected.x(), expected.y(), expected.z()}, tolerance);
}

}  // namespace gyrostat::testing
