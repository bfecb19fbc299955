// A system with its formulation, its constraints and everything they compute with.
#pragma once

#include "gyrostat/constraints/closed_system.h"
#include "gyrostat/dynamics/formulation.h"

namespace gyrostat {

/// The object to build once and to ask often. One for each thread; the System may be shared.
class Dynamics {
 public:
  /// Throws std::invalid_argument where make_formulation does.
  Dynamics(const System& system, const DynamicsSettings& settings, std::string_view formulation = "articulated_body");

  Dynamics(const Dynamics&) = delete;
  Dynamics& operator=(const Dynamics&) = delete;

  /// Where everything is and how it moves, at a state: first, because forces depend on it.
  void update(const State& state);

  /// Derivatives of all speeds. Precondition: `update` was called with this state. Throws where plan_closures does.
  void accelerations(const State& state, const Forces<double>& forces, Eigen::VectorXd& udot);

  /// Of the accelerations last asked for, by row of the constraints; of rows that are redundant, zero.
  [[nodiscard]] const std::vector<double>& multipliers() const { return closures_.multipliers; }

  [[nodiscard]] const Mechanism& mechanism() const { return mechanism_; }
  [[nodiscard]] const Kinematics<double>& kinematics() const { return kinematics_; }
  [[nodiscard]] const Formulation& formulation() const { return formulation_; }
  [[nodiscard]] const FormulationData& data() const { return data_; }
  [[nodiscard]] const Constraints& constraints() const { return constraints_; }
  [[nodiscard]] const Closures<double>& closures() const { return closures_; }

 private:
  Mechanism mechanism_;
  Kinematics<double> kinematics_;
  Formulation formulation_;
  FormulationData data_;
  Constraints constraints_;
  ClosurePlan plan_;
  std::vector<Truth> planned_for_;  // speeds that were free
  Closures<double> closures_;
};

}  // namespace gyrostat
