// The numbers of force elements as symbols of a form.
#include <algorithm>

#include <fmt/format.h>

#include "gyrostat/derive/scalar_constants.h"

namespace gyrostat::scalar {

namespace {

/// "pan" of "joints.pan", "bus.rw1" of "bodies.bus.wheels.rw1"; loads and others keep their names: "loads[0]".
std::string owner_of(const std::string& source) {
  if (source.starts_with("joints.")) return source.substr(7);
  if (source.starts_with("bodies.")) {
    std::string name = source.substr(7);
    if (const std::size_t at = name.find(".wheels."); at != std::string::npos) name.replace(at, 8, ".");
    return name;
  }
  return source;
}

class ElementNumbers {
 public:
  ElementNumbers(const Model& model, const ForceModel& forces, Parameters& parameters)
      : system_(model.system), description_(model.description), forces_(forces), parameters_(parameters) {}

  void set(JointForce<Symbolic>& to, const JointForce<double>& from) {
    std::string which;
    bool rotational = true;
    std::size_t local = 0;
    const std::string &place = forces_.sources[from.source], owner = owner_of(place);
    for (std::size_t i = 1; i < system_.joints.size(); ++i) {
      const Joint& joint = system_.joints[i];
      if (joint.name != owner || from.u < joint.u || from.u >= joint.u + joint.nu) continue;
      const auto speeds = speed_names(joint.type, joint.translations, joint.rotations);
      rotational = speeds[from.u - joint.u].rotational;
      if (joint.nu > 1) which = fmt::format("{}", from.u - joint.u + 1);
      local = from.u - joint.u;
    }
    const char *per_angle = rotational ? "N*m/rad" : "N/m", *per_rate = rotational ? "N*m*s/rad" : "N*s/m";
    // Friction has an element of its own, after that of the springs and motors, and stops and drag have one without
    // numbers.
    if (!springs_.insert(from.u).second || !has_springs(owner)) {
      to.damping = parameters_.number(owner + ".friction_viscous", per_rate, from.damping, place + ".friction.viscous");
      return;
    }
    const auto at = [&](const char* field) { return place_of_entry(parameters_, place + "." + field, local); };
    to.stiffness = parameters_.number(owner + ".stiffness" + which, per_angle, from.stiffness, at("stiffness"));
    to.damping = parameters_.number(owner + ".damping" + which, per_rate, from.damping, at("damping"));
    to.rest = parameters_.number(owner + ".rest" + which, rotational ? "rad" : "m", from.rest, at("rest"));
  }
  void set(LineSpring<Symbolic>& to, const LineSpring<double>& from) const {
    const std::string owner = owner_of(forces_.sources[from.source]), place = owner + ".spring.";
    to.stiffness = parameters_.number(owner + ".stiffness", "N/m", from.stiffness, place + "stiffness");
    to.damping = parameters_.number(owner + ".damping", "N*s/m", from.damping, place + "damping");
    to.length = parameters_.number(owner + ".length", "m", from.length, place + "length");
  }
  void set(Thruster<Symbolic>& to, const Thruster<double>& from) const {
    to.direction = direction(from.source, "thruster", "direction", from.direction);
  }
  void set(TorqueBetween<Symbolic>& to, const TorqueBetween<double>& from) const {
    to.axis = direction(from.source, "torque_between", "axis", from.axis);
  }
  void set(TorsionSpring<Symbolic>& to, const TorsionSpring<double>& from) const {
    const std::string owner = owner_of(forces_.sources[from.source]), place = owner + ".torsion_spring.";
    to.axis = direction(from.source, "torsion_spring", "axis", from.axis);
    if (parameters_.follows(place + "axis") || parameters_.follows(place + "from_line")) {
      const Vec3<Symbolic> line = parameters_.direction_as_written(place + "from_line");
      to.along = unit_length(line - dot(to.axis, line) * to.axis);
      to.across = cross(to.axis, to.along);
    } else {
      to.along = parameters_.unit_vector(owner + ".from_line", from.along);
      to.across = parameters_.unit_vector(owner + ".from_across", from.across);
    }
    to.second = direction(from.source, "torsion_spring", "to_line", from.second);
    to.stiffness = parameters_.number(owner + ".stiffness", "N*m/rad", from.stiffness, place + "stiffness");
    to.rest = parameters_.number(owner + ".rest", "rad", from.rest, place + "rest");
  }
  void set(ModalDamping<Symbolic>& to, const ModalDamping<double>& from) const { to.damping = from.damping; }
  void set(UniformGravity<Symbolic>& to, const UniformGravity<double>& from) const {
    to.g = parameters_.vector("environment.gravity", "m/s^2", from.g, "environment.gravity.uniform");
  }
  void set(GravityGradientForce<Symbolic>& to, const GravityGradientForce<double>& from) const {
    to.orbit = from.orbit;
  }
  void set(CentralAttraction<Symbolic>& to, const CentralAttraction<double>& from) const {
    to.mu = parameters_.number("environment.orbit_mu", "m^3/s^2", from.mu, "environment.orbit.center.mu", true);
  }
  template <class Element>
  void set(Element&, const auto&) const {}  // has no numbers

 private:
  [[nodiscard]] Vec3<Symbolic> direction(std::uint32_t source, const char* kind, const char* what,
                                         const Vec3<double>& value) const {
    const std::string& owner = forces_.sources[source];
    return parameters_.unit_vector(owner + "." + what, value, fmt::format("{}.{}.{}", owner, kind, what));
  }

  /// A joint has an element of springs and motors only where it has any; a wheel always.
  [[nodiscard]] bool has_springs(const std::string& owner) const {
    const auto joint = std::ranges::find(description_.joints, owner, &JointDescription::name);
    if (joint == description_.joints.end()) return true;
    return !joint->stiffness.empty() || !joint->damping.empty() || joint->thermal || !joint->torque.empty();
  }

  const System& system_;
  const Description& description_;
  const ForceModel& forces_;
  Parameters& parameters_;
  std::set<std::uint32_t> springs_;  // speeds whose first element was met
};

}  // namespace

ForceElements<Symbolic> symbolic_elements(const Model& model, const ForceModel& forces, Parameters& parameters) {
  ForceElements<Symbolic> elements = with_structure_of<Symbolic>(forces.elements);
  ElementNumbers numbers(model, forces, parameters);
  [&]<std::size_t... kind>(std::index_sequence<kind...>) {
    const auto of_kind = [&](auto& list, const auto& from) {
      for (std::size_t k = 0; k < list.size(); ++k) numbers.set(list[k], from[k]);
    };
    (of_kind(std::get<kind>(elements.lists), std::get<kind>(forces.elements.lists)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(elements.lists)>>());
  return elements;
}

}  // namespace gyrostat::scalar
