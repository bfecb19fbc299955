// All force elements of a system. A kind is a line in the list.
#pragma once

#include <tuple>
#include <vector>

#include "gyrostat/forces/axis_torque.h"
#include "gyrostat/forces/body_force.h"
#include "gyrostat/forces/central_attraction.h"
#include "gyrostat/forces/gravity_gradient.h"
#include "gyrostat/forces/joint_force.h"
#include "gyrostat/forces/line_spring.h"
#include "gyrostat/forces/modal_damping.h"
#include "gyrostat/forces/thruster.h"
#include "gyrostat/forces/torque_between.h"
#include "gyrostat/forces/torsion_spring.h"
#include "gyrostat/forces/uniform_gravity.h"

namespace gyrostat {

/// Only what is in here makes forces; the order is that of summation.
template <class C>
struct ForceElements {
  std::tuple<std::vector<JointForce<C>>,            //
             std::vector<AxisTorque<C>>,            //
             std::vector<BodyForce<C>>,             //
             std::vector<LineSpring<C>>,            //
             std::vector<Thruster<C>>,              //
             std::vector<TorqueBetween<C>>,         //
             std::vector<TorsionSpring<C>>,         //
             std::vector<ModalDamping<C>>,          //
             std::vector<UniformGravity<C>>,        //
             std::vector<GravityGradientForce<C>>,  //
             std::vector<CentralAttraction<C>>>
      lists;

  template <template <class> class Element>
  [[nodiscard]] std::vector<Element<C>>& of() {
    return std::get<std::vector<Element<C>>>(lists);
  }
  template <template <class> class Element>
  [[nodiscard]] const std::vector<Element<C>>& of() const {
    return std::get<std::vector<Element<C>>>(lists);
  }

  /// Calls `act` with every element.
  template <class Act>
  void for_each(Act act) const {
    std::apply([&](const auto&... list) { (for_list(list, act), ...); }, lists);
  }

  [[nodiscard]] bool empty() const {
    return std::apply([](const auto&... list) { return (list.empty() && ...); }, lists);
  }

 private:
  template <class List, class Act>
  static void for_list(const List& list, Act& act) {
    for (const auto& element : list) act(element);
  }
};

/// Forces of all elements; tau and wrench in `forces` are replaced.
template <class T, class C>
void apply(const ForceElements<C>& elements, const Instant<T, C>& instant, const Values<T>& values, Forces<T>& forces) {
  for (T& tau : forces.tau) tau = T(0.0);
  for (Wrench<T>& wrench : forces.wrench) wrench = {};
  elements.for_each([&](const auto& element) { element.apply(instant, values, forces); });
}

/// Potential energy of springs, uniform gravity, and of the centre of attraction where the orbit is integrated along
/// [J].
template <class T, class C>
T potential_energy(const ForceElements<C>& elements, const Instant<T, C>& instant, const Values<T>& values,
                   std::span<const Table> tables) {
  T energy(0.0);
  elements.for_each([&](const auto& element) {
    if constexpr (requires { element.potential(instant, values, tables); }) {
      energy = energy + element.potential(instant, values, tables);
    }
  });
  return energy;
}

/// Power that enters the system, added to the entry of each element's source [W]. What changes kinetic into potential
/// energy is left out.
template <class T, class C>
void add_powers(const ForceElements<C>& elements, const Instant<T, C>& instant, const Values<T>& values,
                std::span<T> powers) {
  elements.for_each(
      [&](const auto& element) { powers[element.source] = powers[element.source] + element.power(instant, values); });
}

/// Do they have the same elements, their numbers apart?
bool same_structure(const ForceElements<double>& a, const ForceElements<double>& b);

/// The same elements with numbers of another type, which are still to be set.
template <class C>
ForceElements<C> with_structure_of(const ForceElements<double>& from) {
  ForceElements<C> to;
  [&]<std::size_t... kind>(std::index_sequence<kind...>) {
    const auto copy = [](const auto& list, auto& copies) {
      using Structure = typename std::remove_cvref_t<decltype(list)>::value_type::Structure;
      copies.resize(list.size());
      for (std::size_t k = 0; k < list.size(); ++k) static_cast<Structure&>(copies[k]) = list[k];
    };
    (copy(std::get<kind>(from.lists), std::get<kind>(to.lists)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(to.lists)>>());
  return to;
}

/// Calls `act` with each number of all elements and those in the same place of others of the same structure.
template <class Act, class First, class... E>
void for_element_numbers(Act act, First& first, E&... e) {
  const auto of_lists = [&](auto& list, auto&... lists) {
    using Element = typename std::remove_cvref_t<decltype(list)>::value_type;
    for (std::size_t k = 0; k < list.size(); ++k) Element::for_numbers(act, list[k], lists[k]...);
  };
  const auto of_kind = [&]<std::size_t kind>(std::integral_constant<std::size_t, kind>) {
    of_lists(std::get<kind>(first.lists), std::get<kind>(e.lists)...);
  };
  [&]<std::size_t... kind>(std::index_sequence<kind...>) {
    (of_kind(std::integral_constant<std::size_t, kind>()), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<std::remove_cvref_t<decltype(first.lists)>>>());
}

}  // namespace gyrostat
