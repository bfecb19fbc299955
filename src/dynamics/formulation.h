// All formulations behind one question: what are the derivatives of the speeds?
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "gyrostat/dynamics/absolute.h"
#include "gyrostat/dynamics/articulated_body.h"
#include "gyrostat/dynamics/augmented_body.h"
#include "gyrostat/dynamics/composite_body.h"
#include "gyrostat/dynamics/kane.h"
#include "gyrostat/dynamics/linear_partial.h"
#include "gyrostat/dynamics/linear_total.h"
#include "gyrostat/dynamics/linear_total_fixed.h"
#include "gyrostat/dynamics/mixed.h"
#include "gyrostat/dynamics/nested_body.h"
#include "gyrostat/format/format.h"

namespace gyrostat {

/// The constants of a formulation for a system: built once, never changed, shared by threads.
using Formulation = std::variant<ArticulatedBody, CompositeBody, Kane, NestedBody, AugmentedBody, LinearTotal,
                                 LinearTotalFixed, LinearPartial, Absolute, Mixed>;

/// What one evaluation computes with, in the same order.
using FormulationData =
    std::variant<ArticulatedBodyData<double>, CompositeBodyData, KaneData, NestedBodyData, AugmentedBodyData,
                 LinearTotalData, LinearTotalFixedData, LinearPartialData, AbsoluteData, MixedData>;

/// In the order of the variants.
inline constexpr std::span<const std::string_view, std::variant_size_v<Formulation>> formulation_names(
    format::formulations, std::variant_size_v<Formulation>);

/// Exact formulations agree to rounding; linearised ones only near the configuration they are small about.
bool is_linearised(std::string_view formulation);

/// What keeps a formulation from taking a system, naming it, or empty. So too for a name that is no formulation.
std::string outside_domain(std::string_view formulation, const System& system, const DynamicsSettings& settings);

/// Throws std::invalid_argument with what outside_domain says of the mechanism's system.
Formulation make_formulation(const Mechanism& mechanism, const DynamicsSettings& settings, std::string_view name);

/// `formulation` was made of `mechanism`.
FormulationData make_data(const Formulation& formulation, const Mechanism& mechanism);

/// Does it compute with the Kinematics of its caller? The others derive their own.
bool uses_kinematics(const Formulation& formulation);

/// Derivatives of all speeds. `kinematics` holds the outward pass at this state without given derivatives; `closures`
/// its constraints there (empty: a tree), and gets the multipliers; `data` was made of `formulation`. A formulation
/// with kinematics of its own has constraints of its own too, and leaves `closures` as they are.
void accelerations(const Mechanism& mechanism, const Formulation& formulation, const Kinematics<double>& kinematics,
                   const double* q, const double* u, const Forces<double>& forces, Closures<double>& closures,
                   FormulationData& data, double* udot);

}  // namespace gyrostat
