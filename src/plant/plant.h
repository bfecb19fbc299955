// The plant: a spacecraft, what acts on it, its environment and its control, compiled into flat arrays. Built once,
// never changed, shared by threads. What one evaluation computes is a PlantData; what a run remembers is a
// DiscreteState.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "gyrostat/constraints/dynamics.h"
#include "gyrostat/forces/observe.h"
#include "gyrostat/plant/layout.h"
#include "gyrostat/signals/compile.h"

namespace gyrostat {

/// All numbers of a plant that the right-hand side reads. C is double, or a pack whose lanes are plants of one
/// structure.
template <class C>
struct PlantConstants {
  MechanismOf<C> mechanism;
  std::vector<NodeOf<C>> nodes;
  ConstraintsOf<C> constraints;
  ForceElements<C> elements;
  std::vector<ByLane<C, Orbit>> orbit;              // one, or none
  std::vector<std::pair<Slot, C>> program_numbers;  // constants of the program

  [[nodiscard]] Surroundings<C> surroundings(std::span<const Table> tables) const {
    return {elements, tables, orbit.empty() ? nullptr : orbit.data()};
  }
};

class Plant {
 public:
  /// Keeps pointing at the model. Throws std::invalid_argument, with the reason, where the formulation does not take
  /// it.
  Plant(const Model& model, std::string_view formulation, std::vector<PluginFunction> plugins = {},
        const AnalysisPoints& points = {});
  Plant(const Plant&) = delete;
  Plant& operator=(const Plant&) = delete;

  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] std::size_t size() const { return layout_.size; }
  [[nodiscard]] const PlantConstants<double>& constants() const { return constants_; }
  [[nodiscard]] const Mechanism& mechanism() const { return constants_.mechanism; }
  [[nodiscard]] const SignalProgram& signals() const { return signals_; }
  [[nodiscard]] std::span<const Table> tables() const { return signals_.program.tables; }
  [[nodiscard]] const Formulation& formulation() const { return formulation_; }
  [[nodiscard]] const std::string& formulation_name() const { return formulation_name_; }
  /// Of the constraints, in the order of ConstraintsOf::numbers.
  [[nodiscard]] const std::vector<double>& constraint_numbers() const { return constraint_numbers_; }
  [[nodiscard]] const Constraints& constraints() const { return constants_.constraints; }
  /// Of violated constraints, by the equations of motion; none where they are projected.
  [[nodiscard]] const Baumgarte& feedback() const { return feedback_; }
  [[nodiscard]] const DynamicsSettings& settings() const { return settings_; }
  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] const System& system() const { return model_.system; }
  [[nodiscard]] const Names& names() const { return names_; }

  /// Before a run: nothing remembered, constraints planned for at the model's initial configuration. Throws where
  /// plan_closures does.
  [[nodiscard]] DiscreteState initial_discrete_state() const;

  /// For the constraints at a configuration. Throws where plan_closures does.
  [[nodiscard]] ClosurePlan plan_at(const Eigen::VectorXd& q, const std::vector<Truth>& free) const;

  /// Over everything that decides how a run goes on: structure, numbers, signals, tables. Two plants with the same one
  /// compute the same.
  [[nodiscard]] std::uint64_t fingerprint() const;

 private:
  const Model& model_;
  std::string formulation_name_;
  Names names_;
  DynamicsSettings settings_;
  PlantConstants<double> constants_;
  SignalProgram signals_;
  Formulation formulation_;
  Layout layout_;
  Baumgarte feedback_;
  std::vector<double> constraint_numbers_;
};

/// What keeps plants from being lanes of one pack, naming what differs, or empty.
std::string structural_difference(const Plant& a, const Plant& b);

}  // namespace gyrostat
