#include "gyrostat/dynamics/formulation.h"

#include <algorithm>
#include <stdexcept>
#include <type_traits>
#include <utility>

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

using Domain = std::string (*)(const System&, const DynamicsSettings&);
using Make = Formulation (*)(const System&, const DynamicsSettings&);

struct Entry {
  Domain outside;
  Make make;
  bool flexible = false;  // takes bodies that bend
};

std::string outside_composite_body(const System& system, const DynamicsSettings&) { return too_large(system, 10000); }
std::string outside_kane(const System& system, const DynamicsSettings&) { return too_large(system, 2000); }

template <class F>
Formulation make(const System& system, const DynamicsSettings& settings) {
  if constexpr (std::is_empty_v<F>)
    return F{};
  else
    return F(system, settings);
}

/// In the order of formulation_names.
constexpr std::array<Entry, formulation_names.size()> entries = {{
    {[](const System&, const DynamicsSettings&) { return std::string(); }, make<ArticulatedBody>, true},
    {outside_composite_body, make<CompositeBody>, true},
    {outside_kane, make<Kane>, true},
    {outside_domain_of_nested_body, make<NestedBody>},
    {outside_domain_of_augmented_body, make<AugmentedBody>},
    {outside_domain_of_linear_total, make<LinearTotal>},
    {outside_domain_of_linear_total, make<LinearTotalFixed>},
    {outside_domain_of_linear_partial, make<LinearPartial>},
    {outside_domain_of_absolute, make<Absolute>, true},
    {outside_domain_of_mixed, make<Mixed>},
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
  if (!system.flexible.empty() && !entries[number].flexible) {
    return fmt::format(
        "it has no flexible bodies, and '{}' is one; use articulated_body, composite_body, kane or absolute",
        system.bodies[system.flexible.front().body].name);
  }
  return entries[number].outside(system, settings);
}

Formulation make_formulation(const Mechanism& mechanism, const DynamicsSettings& settings, std::string_view name) {
  const std::string reason = outside_domain(name, *mechanism.system, settings);
  if (!reason.empty()) throw std::invalid_argument(fmt::format("formulation '{}': {}", name, reason));
  return entries[number_of(name)].make(*mechanism.system, settings);
}

namespace {

template <class F>
concept OnMechanism = std::is_empty_v<F>;  // its constants are the mechanism's, and so are its kinematics

template <std::size_t... i>
FormulationData make_data(std::index_sequence<i...>, const Formulation& formulation, const Mechanism& mechanism) {
  using MakeData = FormulationData (*)(const Formulation&, const Mechanism&);
  constexpr MakeData makers[] = {[](const Formulation& f, const Mechanism& m) -> FormulationData {
    using Data = std::variant_alternative_t<i, FormulationData>;
    if constexpr (OnMechanism<std::variant_alternative_t<i, Formulation>>)
      return Data(m);
    else
      return Data(std::get<i>(f));
  }...};
  return makers[formulation.index()](formulation, mechanism);
}

}  // namespace

FormulationData make_data(const Formulation& formulation, const Mechanism& mechanism) {
  return make_data(std::make_index_sequence<std::variant_size_v<Formulation>>{}, formulation, mechanism);
}

bool uses_kinematics(const Formulation& formulation) {
  return std::visit([]<class F>(const F&) { return OnMechanism<F>; }, formulation);
}

void accelerations(const Mechanism& mechanism, const Formulation& formulation, const Kinematics<double>& kinematics,
                   const double* q, const double* u, const Forces<double>& forces, Closures<double>& closures,
                   FormulationData& data, double* udot) {
  if (auto* articulated = std::get_if<ArticulatedBodyData<double>>(&data); articulated && !closures.empty()) {
    articulated->closures.resize(*closures.plan);
  }
  std::visit(
      [&]<class F, class Data>(const F& constants, Data& workspace) {
        if constexpr (requires { accelerations(constants, q, u, forces, workspace, udot); }) {
          accelerations(constants, q, u, forces, workspace, udot);
        } else if constexpr (requires { accelerations(mechanism, kinematics, u, forces, workspace, udot); }) {
          if constexpr (OnMechanism<F>) {
            if (closures.empty()) {
              accelerations(mechanism, kinematics, u, forces, workspace, udot);
            } else {
              accelerations(mechanism, kinematics, u, forces, closures, workspace, udot);
            }
          }
        }  // else the two are not of one formulation, which make_data rules out
      },
      formulation, data);
}

}  // namespace gyrostat
