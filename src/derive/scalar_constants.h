// The numbers of a model as symbols of a form, or as expressions of the model's parameters where its file says so.
#pragma once

#include <set>

#include "gyrostat/derive/scalar_form.h"
#include "gyrostat/dynamics/mechanism.h"
#include "gyrostat/dynamics/nodes.h"
#include "gyrostat/forces/elements.h"
#include "gyrostat/signals/compile.h"

namespace gyrostat::scalar {

/// Makes the parameters of a form. Those that no output needs are left out in the end.
///
/// `place` is where a number stands in the model file ("bodies.hub.mass", "" for nowhere); what the file computes it
/// from decides where that is parameters.
class Parameters {
 public:
  Parameters(Form& form, const Model& model, const Formulas* formulas)
      : form_(form), model_(model), formulas_(formulas) {}

  /// What the file computes it from, or a symbol; zero stays a constant.
  Symbolic number(const std::string& name, const std::string& unit, double value, const std::string& place = {},
                  bool positive = false);
  Vec3<Symbolic> vector(const std::string& name, const std::string& unit, const Vec3<double>& value,
                        const std::string& place = {});
  /// Of unit length. Components that are 0, 1 or -1 stay constants.
  Vec3<Symbolic> unit_vector(const std::string& name, const Vec3<double>& value, const std::string& place = {});

  /// A parameter of the model: a symbol, whatever its value, or an expression of others.
  Symbolic parameter(const std::string& name, bool positive = false);

  /// Is the number, or one inside it, computed from parameters? (A vector, a mapping.)
  [[nodiscard]] bool follows(const std::string& place) const;
  /// As the file computes it; counts as followed. Precondition: the file has a number there.
  Symbolic as_written(const std::string& place, bool positive = false);
  /// A direction as it is written, made of unit length.
  Vec3<Symbolic> direction_as_written(const std::string& place);

  /// Numbers of the plant that the file computes from parameters, and that were not asked for: "joints.pan.rest: r0".
  [[nodiscard]] std::vector<std::string> not_followed() const;

 private:
  Symbolic symbol(const std::string& name, const std::string& unit, double value, bool positive);
  Symbolic direction(const std::string& name, double value);
  Symbolic value_of(const expression::Expression& formula);

  Form& form_;
  const Model& model_;
  const Formulas* formulas_;
  std::unordered_map<std::string, Id> known_;
  std::set<std::string> followed_;
};

/// The place of entry k of a list that one value may stand for.
std::string place_of_entry(const Parameters& parameters, const std::string& list, std::size_t k);

/// Of unit length.
Vec3<Symbolic> unit_length(const Vec3<Symbolic>& v);

/// The mechanism with the user's body axes for the axes of its recursions (M = B), as numbers and as symbols.
Mechanism mechanism_in_body_axes(const Model& model);
MechanismOf<Symbolic> symbolic_mechanism(const Model& model, const Mechanism& plain, Parameters& parameters);

/// The numbers of a joint, in the tree or cut.
JointNumbers<Symbolic> symbolic_joint(const Joint& joint, Parameters& parameters);

/// `elements` were made with mechanism_in_body_axes. Defined in scalar_elements.cpp.
ForceElements<Symbolic> symbolic_elements(const Model& model, const ForceModel& forces, Parameters& parameters);

/// Points of bodies from their base points.
std::vector<NodeOf<Symbolic>> symbolic_nodes(const Model& model, const MechanismOf<Symbolic>& mechanism,
                                             Parameters& parameters);

/// The program's constants: parameters of the model by their names, other numbers as they are.
std::vector<std::pair<Slot, Symbolic>> symbolic_program_numbers(const Model& model, const Mechanism& plain,
                                                                const SignalProgram& signals,
                                                                const AnalysisPoints& points, Parameters& parameters);

}  // namespace gyrostat::scalar
