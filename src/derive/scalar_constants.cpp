#include "gyrostat/derive/scalar_constants.h"

#include <fmt/format.h>

#include "gyrostat/derive/scalar_polynomial.h"

namespace gyrostat::scalar {

Symbolic Parameters::number(const std::string& name, const std::string& unit, double value, bool positive) {
  return value == 0 ? Symbolic() : symbol(name, unit, value, positive);
}

Symbolic Parameters::symbol(const std::string& name, const std::string& unit, double value, bool positive) {
  const auto [at, is_new] = known_.try_emplace(name, 0);
  if (is_new) {
    at->second = form_.graph.symbol(positive);
    form_.p.push_back({name, unit, value, at->second});
  }
  return Symbolic::of(at->second);
}

Symbolic Parameters::direction(const std::string& name, double value) {
  if (value == 1 || value == -1) return {value};
  return number(name, "", value);
}

Vec3<Symbolic> Parameters::vector(const std::string& name, const std::string& unit, const Vec3<double>& value) {
  return {number(name + "_x", unit, value.x), number(name + "_y", unit, value.y), number(name + "_z", unit, value.z)};
}

Vec3<Symbolic> Parameters::unit_vector(const std::string& name, const Vec3<double>& value) {
  return {direction(name + "_x", value.x), direction(name + "_y", value.y), direction(name + "_z", value.z)};
}

namespace {

Mat3<double> unit_matrix() { return cast<double>(Matrix3(Matrix3::Identity())); }

/// "axis" of a joint with one, else "axis1", "axis2", ...
std::string numbered(const std::string& name, std::size_t k, std::size_t count) {
  return count == 1 ? name : fmt::format("{}{}", name, k + 1);
}

MassNumbers<Symbolic> symbolic_mass(const Body& body, Parameters& parameters) {
  const MassProperties& mp = body.mass_properties;
  const auto inertia = [&](const char* which, int row, int column) {
    return parameters.number(fmt::format("{}.inertia_{}", body.name, which), "kg*m^2", mp.inertia(row, column));
  };
  return {parameters.number(body.name + ".mass", "kg", mp.mass, true),
          parameters.vector(body.name + ".com", "m", cast<double>(mp.com)),
          {inertia("xx", 0, 0), inertia("yy", 1, 1), inertia("zz", 2, 2), inertia("xy", 0, 1), inertia("xz", 0, 2),
           inertia("yz", 1, 2)}};
}

JointNumbers<Symbolic> symbolic_joint(const Joint& joint, Parameters& parameters) {
  JointNumbers<Symbolic> n;
  const std::string& name = joint.name;
  for (std::size_t k = 0; k < joint.translations; ++k) {
    const std::string axis = joint.rotations == 0 ? "axis" : "direction";
    n.d[k] = parameters.unit_vector(name + "." + numbered(axis, k, joint.translations), cast<double>(joint.d[k]));
  }
  for (std::size_t k = 0; k < joint.rotations; ++k) {
    n.a[k] = parameters.unit_vector(name + "." + numbered("axis", k, joint.rotations), cast<double>(joint.a[k]));
  }
  const Mat3<double> R = cast<double>(joint.R_0);
  n.R_0 = {parameters.unit_vector(name + ".orientation_x", R.x), parameters.unit_vector(name + ".orientation_y", R.y),
           parameters.unit_vector(name + ".orientation_z", R.z)};
  n.parent_point = parameters.vector(name + ".parent_point", "m", cast<double>(joint.parent_point));
  n.child_point = parameters.vector(name + ".child_point", "m", cast<double>(joint.child_point));
  return n;
}

/// As MechanismOf does it, for M = B. E are the second moments about the base point.
void set_link(const MassNumbers<Symbolic>& body, const Vec3<Symbolic>& base, LinkOf<Symbolic>& link) {
  const Vec3<Symbolic> c = body.com - base;
  const Sym3<Symbolic>& J = body.inertia;
  link.mass = body.mass;
  link.mc = body.mass * c;
  const Symbolic half = Symbolic(0.5) * (J.xx + J.yy + J.zz);
  const Symbolic xx = half - J.xx + link.mc.x * c.x, yy = half - J.yy + link.mc.y * c.y,
                 zz = half - J.zz + link.mc.z * c.z;
  link.e0 = yy;
  link.e1 = xx - yy;
  link.e = {link.mc.x * c.z - J.xz, link.mc.y * c.z - J.yz, Symbolic(0.5) * (zz - yy)};
  link.e_xy = link.mc.x * c.y - J.xy;
}

/// Its numbers as short expressions of the parameters.
void shorten(LinkOf<Symbolic>& link) {
  std::vector<Symbolic*> numbers;
  const auto add = [&](Symbolic& x) { numbers.push_back(&x); };
  for_vector(add, link.p_PF), for_vector(add, link.mc), for_vector(add, link.e);
  add(link.e0), add(link.e1), add(link.e_xy);
  std::vector<Id> ids;
  for (const Symbolic* x : numbers) ids.push_back(x->id);
  Simplifier simplifier(recorded(), 200, false);
  const std::vector<Id> shorter = simplifier.simplified(ids);
  const auto count = [](std::span<const Id> list) { return count_operations(recorded(), list).all(); };
  if (count(shorter) >= count(ids)) return;
  for (std::size_t k = 0; k < numbers.size(); ++k) *numbers[k] = Symbolic::of(shorter[k]);
}

}  // namespace

Mechanism mechanism_in_body_axes(const Model& model) {
  Mechanism plain(model.system, DynamicsSettings(model));
  for (BodyNumbers<double>& body : plain.bodies) body.R_BM = unit_matrix();
  return plain;
}

MechanismOf<Symbolic> symbolic_mechanism(const Model& model, const Mechanism& plain, Parameters& parameters) {
  const System& system = model.system;
  MechanismOf<Symbolic> m(plain);
  m.revolute.clear();
  const Mat3<Symbolic> one = cast<Symbolic>(unit_matrix());
  m.bodies[0].base = {};
  for (std::uint32_t i = 1; i < m.links.size(); ++i) {
    LinkOf<Symbolic>& link = m.links[i];
    JointOf<Symbolic>& joint = m.joints[i];
    BodyNumbers<Symbolic>& frames = m.bodies[i];
    if (link.motion != JointMotion::floating) link.motion = JointMotion::general;
    static_cast<JointNumbers<Symbolic>&>(joint) = symbolic_joint(system.joints[i], parameters);
    const MassNumbers<Symbolic> body = symbolic_mass(system.bodies[i], parameters);
    frames.mass_properties = body;
    frames.base = joint.reversed ? joint.parent_point : joint.child_point;
    frames.R_BM = one;
    frames.J = body.inertia;
    link.R_PF = one;
    link.p_PF = (joint.reversed ? joint.child_point : joint.parent_point) - m.bodies[link.parent].base;
    set_link(body, frames.base, link);
    shorten(link);
  }
  for (std::size_t k = 0; k < system.wheels.size(); ++k) {
    const Wheel& wheel = system.wheels[k];
    const std::string name = system.bodies[wheel.body].name + "." + wheel.name;
    m.wheels[k].axis = parameters.unit_vector(name + ".axis", cast<double>(wheel.axis));
    m.wheels[k].inertia = parameters.number(name + ".inertia", "kg*m^2", wheel.inertia, true);
  }
  return m;
}

// --- force elements --------------------------------------------------------------------------------------------------

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
      : system_(model.system), forces_(forces), parameters_(parameters) {}

  void set(JointForce<Symbolic>& to, const JointForce<double>& from) const {
    std::string which;
    bool rotational = true;
    const std::string owner = owner_of(forces_.sources[from.source]);
    for (std::size_t i = 1; i < system_.joints.size(); ++i) {
      const Joint& joint = system_.joints[i];
      if (joint.name != owner || from.u < joint.u || from.u >= joint.u + joint.nu) continue;
      const auto speeds = speed_names(joint.type, joint.translations, joint.rotations);
      rotational = speeds[from.u - joint.u].rotational;
      if (joint.nu > 1) which = fmt::format("{}", from.u - joint.u + 1);
    }
    to.stiffness = parameters_.number(owner + ".stiffness" + which, rotational ? "N*m/rad" : "N/m", from.stiffness);
    to.damping = parameters_.number(owner + ".damping" + which, rotational ? "N*m*s/rad" : "N*s/m", from.damping);
    to.rest = parameters_.number(owner + ".rest" + which, rotational ? "rad" : "m", from.rest);
  }
  void set(LineSpring<Symbolic>& to, const LineSpring<double>& from) const {
    const std::string owner = owner_of(forces_.sources[from.source]);
    to.stiffness = parameters_.number(owner + ".stiffness", "N/m", from.stiffness);
    to.damping = parameters_.number(owner + ".damping", "N*s/m", from.damping);
    to.length = parameters_.number(owner + ".length", "m", from.length);
  }
  void set(Thruster<Symbolic>& to, const Thruster<double>& from) const {
    to.direction = direction(from.source, "direction", from.direction);
  }
  void set(TorqueBetween<Symbolic>& to, const TorqueBetween<double>& from) const {
    to.axis = direction(from.source, "axis", from.axis);
  }
  void set(TorsionSpring<Symbolic>& to, const TorsionSpring<double>& from) const {
    const std::string owner = owner_of(forces_.sources[from.source]);
    to.axis = direction(from.source, "axis", from.axis);
    to.along = direction(from.source, "from_line", from.along);
    to.across = direction(from.source, "from_across", from.across);
    to.second = direction(from.source, "to_line", from.second);
    to.stiffness = parameters_.number(owner + ".stiffness", "N*m/rad", from.stiffness);
    to.rest = parameters_.number(owner + ".rest", "rad", from.rest);
  }
  void set(ModalDamping<Symbolic>& to, const ModalDamping<double>& from) const { to.damping = from.damping; }
  void set(UniformGravity<Symbolic>& to, const UniformGravity<double>& from) const {
    to.g = parameters_.vector("environment.gravity", "m/s^2", from.g);
  }
  void set(GravityGradientForce<Symbolic>& to, const GravityGradientForce<double>& from) const {
    to.orbit = from.orbit;
  }
  void set(CentralAttraction<Symbolic>& to, const CentralAttraction<double>& from) const {
    to.mu = parameters_.number("environment.orbit_mu", "m^3/s^2", from.mu, true);
  }
  template <class Element>
  void set(Element&, const auto&) const {}  // has no numbers

 private:
  [[nodiscard]] Vec3<Symbolic> direction(std::uint32_t source, const char* what, const Vec3<double>& value) const {
    return parameters_.unit_vector(owner_of(forces_.sources[source]) + "." + what, value);
  }

  const System& system_;
  const ForceModel& forces_;
  Parameters& parameters_;
};

}  // namespace

ForceElements<Symbolic> symbolic_elements(const Model& model, const ForceModel& forces, Parameters& parameters) {
  ForceElements<Symbolic> elements = with_structure_of<Symbolic>(forces.elements);
  const ElementNumbers numbers(model, forces, parameters);
  [&]<std::size_t... kind>(std::index_sequence<kind...>) {
    const auto of_kind = [&](auto& list, const auto& from) {
      for (std::size_t k = 0; k < list.size(); ++k) numbers.set(list[k], from[k]);
    };
    (of_kind(std::get<kind>(elements.lists), std::get<kind>(forces.elements.lists)), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<decltype(elements.lists)>>());
  return elements;
}

std::vector<NodeOf<Symbolic>> symbolic_nodes(const Model& model, const MechanismOf<Symbolic>& mechanism,
                                             Parameters& parameters) {
  const System& system = model.system;
  std::vector<NodeOf<Symbolic>> nodes;
  std::vector<bool> known(system.nodes.size());
  for (const gyrostat::Node& node : system.nodes) nodes.push_back({node.body, {}});
  const auto set = [&](std::uint32_t node, const Vec3<Symbolic>& p) {
    nodes[node].p = p - mechanism.bodies[nodes[node].body].base;
    known[node] = true;
  };
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    set(system.bodies[i].origin_node, {});
    if (i > 0) set(system.bodies[i].com_node, mechanism.bodies[i].mass_properties.com);
  }
  for (std::size_t i = 1; i < system.joints.size(); ++i) {
    set(system.joints[i].parent_node, mechanism.joints[i].parent_point);
    set(system.joints[i].child_node, mechanism.joints[i].child_point);
  }
  for (std::uint32_t k = 0; k < nodes.size(); ++k) {
    const gyrostat::Node& node = system.nodes[k];
    if (known[k]) continue;
    const std::string name = node.name.empty() ? fmt::format("{}", k) : node.name;
    set(k, parameters.vector(system.bodies[node.body].name + ".point_" + name, "m", cast<double>(node.p)));
  }
  return nodes;
}

std::vector<std::pair<Slot, Symbolic>> symbolic_program_numbers(const Model& model, const Mechanism& plain,
                                                                const SignalProgram& signals,
                                                                const AnalysisPoints& points, Parameters& parameters) {
  // Programs compiled from the same text with other values of the parameters differ in the values of their constants
  // only (expression/program.h). Compiled once more with values that no model has, a constant tells its parameter.
  const auto mark = [](std::size_t k) { return std::ldexp(static_cast<double>(k) + 1, -900); };
  Model marked = model;
  for (std::size_t k = 0; k < marked.description.parameters.size(); ++k) {
    marked.description.parameters[k].value.value = mark(k);
  }
  const Names names(marked.description);
  const SignalProgram same(marked, names, plain, {}, points);
  std::vector<std::pair<Slot, Symbolic>> numbers;
  for (std::size_t c = 0; c < signals.program.constants.size(); ++c) {
    const auto [slot, value] = signals.program.constants[c];
    const double found = std::ldexp(same.program.constants[c].second, 900);
    const bool is_mark = found >= 1 && found <= static_cast<double>(model.description.parameters.size());
    if (!is_mark) {
      numbers.emplace_back(slot, Symbolic(value));
      continue;
    }
    const ParameterDescription& parameter = model.description.parameters[static_cast<std::size_t>(found) - 1];
    const bool has_unit = parameter.value.dimension && *parameter.value.dimension != Dimension{};
    numbers.emplace_back(
        slot, parameters.symbol(parameter.name, has_unit ? unit_text(*parameter.value.dimension) : "", value));
  }
  return numbers;
}

}  // namespace gyrostat::scalar
