#include "gyrostat/dynamics/formulation.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace gyrostat {

namespace {

/// Matrices that would not fit into memory are refused before they are asked for.
std::string too_large(const System& system, Eigen::Index most) {
  if (system.initial.u.size() <= most) return {};
  return fmt::format("{} speeds are more than the {} for which its matrices are kept; use articulated_body",
                     system.initial.u.size(), most);
}

std::string tree_only(const System& system) {
  if (system.constraints.empty()) return {};
  return fmt::format("joint '{}' closes a loop", system.constraints.front().name);
}

using Domain = std::string (*)(const System&, const DynamicsSettings&);
using Make = Formulation (*)(const Mechanism&, const DynamicsSettings&);

struct Entry {
  Domain outside;
  Make make;
};

std::string outside_composite_body(const System& system, const DynamicsSettings&) {
  const std::string loops = tree_only(system);
  return loops.empty() ? too_large(system, 10000) : loops;
}
std::string outside_kane(const System& system, const DynamicsSettings&) {
  const std::string loops = tree_only(system);
  return loops.empty() ? too_large(system, 2000) : loops;
}

template <class F>
Formulation of_mechanism(const Mechanism& mechanism, const DynamicsSettings&) {
  return F(mechanism);
}
template <class F>
Formulation of_system(const Mechanism& mechanism, const DynamicsSettings& settings) {
  return F(*mechanism.system, settings);
}

/// In the order of formulation_names.
constexpr std::array<Entry, formulation_names.size()> entries = {{
    {[](const System& system, const DynamicsSettings&) { return tree_only(system); },
     of_mechanism<ArticulatedBody<double>>},
    {outside_composite_body, of_mechanism<CompositeBody>},
    {outside_kane, of_mechanism<Kane>},
    {outside_domain_of_nested_body, of_system<NestedBody>},
    {outside_domain_of_augmented_body, of_system<AugmentedBody>},
    {outside_domain_of_linear_total, of_system<LinearTotal>},
    {outside_domain_of_linear_total, of_system<LinearTotalFixed>},
    {outside_domain_of_linear_partial, of_system<LinearPartial>},
}};

std::size_t number_of(std::string_view formulation) {
  return static_cast<std::size_t>(std::ranges::find(formulation_names, formulation) - formulation_names.begin());
}

}  // namespace

bool is_linearised(std::string_view formulation) { return formulation.starts_with("linear_"); }

std::string outside_domain(std::string_view formulation, const System& system, const DynamicsSettings& settings) {
  const std::size_t number = number_of(formulation);
  if (number == entries.size()) {
    return fmt::format("there is no such formulation; there are {}", fmt::join(formulation_names, ", "));
  }
  return entries[number].outside(system, settings);
}

Dynamics::Dynamics(const System& system, const DynamicsSettings& settings, std::string_view formulation)
    : mechanism_(system, settings),
      kinematics_(mechanism_),
      formulation_(entries[number_of(formulation)].make(mechanism_, settings)) {}

void Dynamics::update(const State& state) { gyrostat::update(mechanism_, state.q.data(), state.u.data(), kinematics_); }

void Dynamics::accelerations(const State& state, const Forces<double>& forces, Eigen::VectorXd& udot) {
  udot.resize(state.u.size());
  std::visit(
      [&](auto& workspace) {
        if constexpr (requires { gyrostat::accelerations(*mechanism_.system, state, forces, workspace, udot); }) {
          gyrostat::accelerations(*mechanism_.system, state, forces, workspace, udot);
        } else {
          gyrostat::accelerations(mechanism_, kinematics_, state.u.data(), forces, workspace, udot.data());
        }
      },
      formulation_);
}

}  // namespace gyrostat
