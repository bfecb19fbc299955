// The constants of the program of signals and expressions: parameters of the model, and numbers of loads and joints
// that are computed with there.
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/derive/scalar_constants.h"

namespace gyrostat::scalar {

namespace {

/// A number of a description that its program has as a constant, with either sign, or its reciprocal.
struct ProgramNumber {
  double* number = nullptr;
  std::string name, unit, place;
};

/// Of a copy of the model. What is zero or infinite stays as it is: a program may leave it out.
class ProgramNumbers {
 public:
  explicit ProgramNumbers(Description& d) {
    for (JointDescription& joint : d.joints) add_joint(joint);
    for (BodyDescription& body : d.bodies) {
      for (WheelDescription& wheel : body.wheels) {
        begin(fmt::format("{}.{}", body.name, wheel.name), fmt::format("bodies.{}.wheels.{}", body.name, wheel.name));
        add(wheel.torque_limit, "torque_limit", "N*m");
        if (wheel.friction) add(wheel.friction->stribeck, "friction.stribeck", "rad/s");
      }
    }
    for (std::size_t k = 0; k < d.loads.size(); ++k) {
      begin(fmt::format("loads[{}]", k), fmt::format("loads[{}].", k));
      std::visit([this](auto& load) { add_load(load); }, d.loads[k]);
    }
  }

  std::vector<ProgramNumber> list;

 private:
  void begin(std::string owner, std::string place) { owner_ = std::move(owner), place_ = std::move(place); }
  void add(double& number, const std::string& field, const std::string& unit, const std::string& inside = ".") {
    if (number == 0 || !std::isfinite(number)) return;
    std::string name = owner_ + "." + field;
    for (char& c : name) c = c == '.' && &c > name.data() + owner_.size() ? '_' : c;
    list.push_back({&number, std::move(name), unit, place_ + inside + field});
  }
  void add_joint(JointDescription& joint) {
    if (joint.rotations.size() + joint.translations.size() != 1) return;
    const bool turns = !joint.rotations.empty();
    begin(joint.name, "joints." + joint.name);
    if (joint.friction) add(joint.friction->stribeck, "friction.stribeck", turns ? "rad/s" : "m/s");
    const bool table = (!joint.stiffness.empty() && !joint.stiffness[0].table.empty()) ||
                       (!joint.damping.empty() && !joint.damping[0].table.empty());
    if (table && !joint.rest.empty()) add(joint.rest[0], "rest", turns ? "rad" : "m");
    if (!joint.stops || !joint.stops->stiffness) return;
    add(joint.stops->low, "stops.low", turns ? "rad" : "m");
    add(joint.stops->high, "stops.high", turns ? "rad" : "m");
    add(*joint.stops->stiffness, "stops.stiffness", turns ? "N*m/rad" : "N/m");
    add(joint.stops->damping, "stops.damping", turns ? "N*m*s/rad" : "N*s/m");
  }
  void add_load(TorsionSpringLoad& load) {
    add(load.stiffness.value, "stiffness", "N*m/rad", "torsion_spring.");
    add(load.damping.value, "damping", "N*m*s/rad", "torsion_spring.");
    add(load.rest, "rest", "rad", "torsion_spring.");
  }
  void add_load(SpringLoad& load) { add(load.length, "length", "m", "spring."); }
  void add_load(auto& /*load*/) {}

  std::string owner_, place_;
};

}  // namespace

std::vector<std::pair<Slot, Symbolic>> symbolic_program_numbers(const Model& model, const Mechanism& plain,
                                                                const SignalProgram& signals,
                                                                const AnalysisPoints& points, Parameters& parameters) {
  // Programs compiled from the same text with other values of the parameters differ in the values of their constants
  // only (expression/program.h). Compiled once more with values that no model has, a constant tells its parameter.
  Model marked = model;
  const std::vector<ProgramNumber> numbers = ProgramNumbers(marked.description).list;
  const std::size_t own = model.description.parameters.size(), all = own + numbers.size();
  std::vector<double> values;
  for (const ProgramNumber& one : numbers) values.push_back(*one.number);
  const auto mark = [](std::size_t k) { return std::ldexp(static_cast<double>(k) + 1, -900); };
  for (std::size_t k = 0; k < own; ++k) marked.description.parameters[k].value.value = mark(k);
  for (std::size_t k = own; k < all; ++k) *numbers[k - own].number = mark(k);
  const Names names(marked.description);
  const SignalProgram same(marked, names, plain, {}, points);
  const auto meant = [&](double found) { return found >= 1 && found <= static_cast<double>(all); };
  const auto symbol = [&](double found) {
    const auto k = static_cast<std::size_t>(std::lround(found)) - 1;
    if (k < own) return parameters.parameter(model.description.parameters[k].name);
    const ProgramNumber& one = numbers[k - own];
    return parameters.number(one.name, one.unit, values[k - own], one.place);
  };
  std::vector<std::pair<Slot, Symbolic>> list;
  for (std::size_t c = 0; c < signals.program.constants.size(); ++c) {
    const auto [slot, value] = signals.program.constants[c];
    const double other = same.program.constants[c].second;
    const double found = std::ldexp(std::abs(other), 900), inverse = std::ldexp(1 / std::abs(other), 900);
    Symbolic x(value);
    if (meant(found)) x = other < 0 ? -symbol(found) : symbol(found);
    if (std::isfinite(other) && other != 0 && meant(inverse) && std::abs(other) > 1e200)
      x = Symbolic(other < 0 ? -1 : 1) / symbol(inverse);
    list.emplace_back(slot, x);
  }
  return list;
}

}  // namespace gyrostat::scalar
