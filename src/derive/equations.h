// The equations of motion of a model in vector-dyadic form, after N-BOD (Frisch 1974, Eqs. 55-58, 88, 134-144), for
// trees and loops of rigid bodies, point masses and wheels with any joints. docs/theory/derive.md has the equations.
#pragma once

#include <string>

#include "gyrostat/derive/document.h"
#include "gyrostat/dynamics/forces.h"
#include "gyrostat/format/formulas.h"
#include "gyrostat/model/load.h"

namespace gyrostat::derive {

/// What keeps a model from being derived, naming it, or empty: a body that bends.
std::string outside_domain_of_derivation(const System& system);

/// Precondition: outside_domain_of_derivation is empty. With `formulas`, definitions of numbers say which parameters of
/// the model they are computed from.
Document derive_equations(const Model& model, const Formulas* formulas = nullptr);

/// The values of all symbols that are not made of others, at a state with accelerations `udot`, and the definitions of
/// the document. Hinge torques, external forces and torques are those of `forces`; constraint torques and multipliers
/// have no value.
Values values_at(const Document& document, const System& system, const State& state, const Eigen::VectorXd& udot,
                 const Forces<double>& forces);

}  // namespace gyrostat::derive
