// What one evaluation of the right-hand side computes: a workspace over any scalar. Two of them on one plant are two
// simulations.
#pragma once

#include <array>
#include <cassert>

#include "gyrostat/dynamics/derivatives.h"
#include "gyrostat/math/jet.h"
#include "gyrostat/plant/plant.h"
#include "gyrostat/plant/reaction_friction.h"
#include "gyrostat/plant/stage.h"

namespace gyrostat {

template <class T>
inline constexpr std::size_t lanes_of = 1;
template <std::size_t N>
inline constexpr std::size_t lanes_of<Pack<N>> = N;

/// What a lane is: a plant, and what its run remembers.
struct Lane {
  const Plant* plant = nullptr;
  const DiscreteState* discrete = nullptr;
};

template <class T>
struct FormulationDataOf {
  using type = ArticulatedBodyData<T>;
};
template <>
struct FormulationDataOf<double> {
  using type = FormulationData;
};
/// Accelerations that vary along eight directions, from those at a point.
struct DirectionalData {
  DerivativesData derivatives;
  std::optional<Differentiated> at;
};
template <>
struct FormulationDataOf<Directional> {
  using type = DirectionalData;
};

template <class T>
struct PlantData {
  Stage stage = Stage::none;
  T t{};
  std::vector<T> q, u, udot;
  Kinematics<T> kinematics;
  std::vector<BasePoint<T>> base_points;
  std::vector<T> values;                           // of the program's slots
  std::vector<expression::Position<T>> positions;  // of its switches
  std::vector<T> held;                             // outputs of held blocks
  std::vector<T> sliding, beyond;                  // by restraint: -1, 0 or 1
  std::vector<Jet> jets;                           // of prescribed motions: slots of each lane
  Shared<T> shared;
  Forces<T> forces;
  Closures<T> closures;
  ReactionFriction<T> friction;                                 // of ForceModel::by_reaction
  const ReactionFriction<double>* friction_at = nullptr;        // of derivatives: that at the point
  bool solved_by_recursion = false, multipliers_known = false;  // at this state; see PlantRun
  typename FormulationDataOf<T>::type formulation;
  std::array<Lane, lanes_of<T>> lanes;
  bool as_given = false;  // coordinates and speeds of prescribed motions are those of y, not those of the time
  bool values_alone =
      false;  // at stage signals: nothing of the motion was evaluated; see PlantRun::values_from_elsewhere

  /// `plants` are those of the lanes; of a scalar without lanes, the plant itself.
  template <class C>
  PlantData(const Plant& plant, const PlantConstants<C>& constants, std::span<const Plant* const, lanes_of<T>> plants)
      : q(plant.layout().nq),
        u(plant.layout().nu),
        udot(u.size()),
        kinematics(constants.mechanism),
        base_points(constants.mechanism.links.size()),
        values(plant.signals().program.slots),
        positions(plant.signals().switches.size()),
        held(plant.signals().held_outputs),
        sliding(plant.signals().forces.restraints.size()),
        beyond(sliding.size()),
        forces(plant.system()),
        closures(make_closures<T>(constants.constraints)),
        friction(plant.signals().forces.by_reaction.size(), constants.mechanism),
        formulation(make_formulation_data(plant, constants)) {
    const std::size_t slots = values.size();
    if (!plant.signals().prescribed.empty()) jets.resize(plants.size() * slots);
    for (std::size_t lane = 0; lane < plants.size(); ++lane) {
      lanes[lane].plant = plants[lane];
      if (jets.empty()) continue;
      expression::prepare<Jet>(plants[lane]->signals().program, {jets.data() + lane * slots, slots});
    }
    for (const auto& [slot, value] : constants.program_numbers) values[slot] = T(value);
    expression::evaluate<T>(plant.signals().program, plant.signals().program.prologue, values);
  }

  template <class C>
  PlantData(const Plant& plant, const PlantConstants<C>& constants) requires(lanes_of<T> == 1)
      : PlantData(plant, constants, std::array<const Plant*, 1>{&plant}) {}

  /// Was all computed up to a stage?
  [[nodiscard]] bool has(Stage wanted) const { return stage >= wanted && !(values_alone && wanted > Stage::none); }

  /// Asking for more than was computed is an error of the program.
  void require([[maybe_unused]] Stage wanted) const { assert(has(wanted)); }
  /// Of the values of the program's slots, which may have been computed elsewhere.
  void require_values() const { assert(stage >= Stage::signals); }

 private:
  template <class C>
  static auto make_formulation_data(const Plant& plant, const PlantConstants<C>& constants) {
    if constexpr (std::is_same_v<T, double>) {
      return make_data(plant.formulation(), constants.mechanism);
    } else if constexpr (std::is_same_v<T, Directional>) {
      return DirectionalData{DerivativesData(constants.mechanism), std::nullopt};
    } else {
      return ArticulatedBodyData<T>(constants.mechanism);
    }
  }
};

}  // namespace gyrostat
