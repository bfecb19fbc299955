// The numbers of a model as symbols of a form.
#pragma once

#include "gyrostat/derive/scalar_form.h"
#include "gyrostat/dynamics/mechanism.h"
#include "gyrostat/dynamics/nodes.h"
#include "gyrostat/forces/elements.h"
#include "gyrostat/signals/compile.h"

namespace gyrostat::scalar {

/// Makes the parameters of a form. Those that no output needs are left out in the end.
class Parameters {
 public:
  explicit Parameters(Form& form) : form_(form) {}

  /// A symbol; zero stays a constant.
  Symbolic number(const std::string& name, const std::string& unit, double value, bool positive = false);
  /// A symbol, whatever its value.
  Symbolic symbol(const std::string& name, const std::string& unit, double value, bool positive = false);
  /// As number, but 1 and -1 stay constants too: a component of a direction.
  Symbolic direction(const std::string& name, double value);
  Vec3<Symbolic> vector(const std::string& name, const std::string& unit, const Vec3<double>& value);
  Vec3<Symbolic> unit_vector(const std::string& name, const Vec3<double>& value);

 private:
  Form& form_;
  std::unordered_map<std::string, Id> known_;
};

/// The mechanism with the user's body axes for the axes of its recursions (M = B), as numbers and as symbols.
Mechanism mechanism_in_body_axes(const Model& model);
MechanismOf<Symbolic> symbolic_mechanism(const Model& model, const Mechanism& plain, Parameters& parameters);

/// `elements` were made with mechanism_in_body_axes.
ForceElements<Symbolic> symbolic_elements(const Model& model, const ForceModel& forces, Parameters& parameters);

/// Points of bodies from their base points.
std::vector<NodeOf<Symbolic>> symbolic_nodes(const Model& model, const MechanismOf<Symbolic>& mechanism,
                                             Parameters& parameters);

/// The program's constants: parameters of the model by their names, other numbers as they are.
std::vector<std::pair<Slot, Symbolic>> symbolic_program_numbers(const Model& model, const Mechanism& plain,
                                                                const SignalProgram& signals,
                                                                const AnalysisPoints& points, Parameters& parameters);

}  // namespace gyrostat::scalar
