#include "gyrostat/derive/scalar_constants.h"

#include <algorithm>
#include <array>
#include <numbers>

#include <fmt/format.h>

#include "gyrostat/derive/scalar_polynomial.h"
#include "gyrostat/derive/scalar_surroundings.h"

namespace gyrostat::scalar {

namespace {

constexpr std::array<const char*, 3> suffixes = {"_x", "_y", "_z"};

std::string entry_of(const std::string& place, std::size_t k) { return fmt::format("{}[{}]", place, k); }

/// Places of numbers that the equations do not have: initial values, pictures, settings; and those of signals, which
/// are inputs.
bool is_outside(const std::string& place) {
  const auto begins = [&](std::string_view part) { return place.starts_with(part); };
  const auto has = [&](std::string_view part) { return place.find(part) != std::string::npos; };
  if (begins("bodies.")) return has(".shape[") || place.ends_with(".rate") || place.ends_with(".radius");
  if (begins("joints.")) return has(".initial.") || has(".thermal.");
  if (begins("environment.orbit.")) return !place.ends_with(".mu");
  return !begins("loads[") && !begins("constraints.") && !begins("environment.") && !begins("tables.");
}

bool names_parameters(const expression::Expression& formula) {
  return std::ranges::any_of(formula.names, [](const std::string& name) { return name != "pi"; });
}

}  // namespace

// --- parameters ------------------------------------------------------------------------------------------------------

Symbolic Parameters::number(const std::string& name, const std::string& unit, double value, const std::string& place,
                            bool positive) {
  if (follows(place)) return as_written(place, positive);
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
  return value == 0 ? Symbolic() : symbol(name, "", value, false);
}

Vec3<Symbolic> Parameters::vector(const std::string& name, const std::string& unit, const Vec3<double>& value,
                                  const std::string& place) {
  const auto one = [&](std::size_t k, double v) {
    return number(name + suffixes[k], unit, v, place.empty() ? place : entry_of(place, k));
  };
  return {one(0, value.x), one(1, value.y), one(2, value.z)};
}

Vec3<Symbolic> Parameters::unit_vector(const std::string& name, const Vec3<double>& value, const std::string& place) {
  if (follows(place)) return direction_as_written(place);
  return {direction(name + "_x", value.x), direction(name + "_y", value.y), direction(name + "_z", value.z)};
}

Symbolic Parameters::parameter(const std::string& name, bool positive) {
  // "parameters.m2", "parameters.offset[1]" of offset.y; or what the command line says instead
  const std::string own = "parameters." + name, given = "--set " + name;
  const std::size_t dot = name.find('.');
  const std::string component =
      dot == std::string::npos ? own : entry_of(own.substr(0, 11 + dot), static_cast<std::size_t>(name.back() - 'x'));
  for (const std::string& place : {given, own, component}) {
    if (follows(place)) return as_written(place, positive);
    if (formulas_ != nullptr && formulas_->contains(place)) break;
  }
  const auto& all = model_.description.parameters;
  const auto found = std::ranges::find(all, name, &ParameterDescription::name);
  const auto& [value, dimension] = found->value;
  return symbol(name, dimension && *dimension != Dimension{} ? unit_text(*dimension) : "", value, positive);
}

bool Parameters::follows(const std::string& place) const {
  if (formulas_ == nullptr || place.empty()) return false;
  if (const auto whole = formulas_->find(place); whole != formulas_->end()) return names_parameters(whole->second);
  for (auto part = formulas_->lower_bound(place); part != formulas_->end() && part->first.starts_with(place); ++part) {
    const char next = part->first[place.size()];
    if ((next == '[' || next == '.') && names_parameters(part->second)) return true;
  }
  return false;
}

Symbolic Parameters::as_written(const std::string& place, bool positive) {
  followed_.insert(place);
  const expression::Expression& formula = formulas_->at(place);
  const bool alone = formula.nodes.size() == 1 && formula.nodes[0].operation == expression::Operation::name;
  if (alone && formula.names[0] != "pi") return parameter(formula.names[0], positive);
  return value_of(formula);
}

Vec3<Symbolic> Parameters::direction_as_written(const std::string& place) {
  return unit_length({as_written(entry_of(place, 0)), as_written(entry_of(place, 1)), as_written(entry_of(place, 2))});
}

Symbolic Parameters::value_of(const expression::Expression& formula) {
  // Its names are the inputs of a program, after the time, which no constant depends on.
  expression::ProgramBuilder builder(1 + formula.names.size(), 0);
  const Slot result = builder.add(formula, [&](std::string_view name) {
    return static_cast<Slot>(1 + (std::ranges::find(formula.names, name) - formula.names.begin()));
  });
  const expression::Program program = builder.finish();
  std::vector<Symbolic> slots(program.slots);
  for (std::size_t k = 0; k < formula.names.size(); ++k) {
    slots[1 + k] = formula.names[k] == "pi" ? Symbolic(std::numbers::pi) : parameter(formula.names[k]);
  }
  for (const auto& [slot, value] : program.constants) slots[slot] = Symbolic(value);
  expression::evaluate<Symbolic>(program, program.prologue, slots);
  expression::evaluate<Symbolic>(program, slots);
  return slots[result];
}

std::vector<std::string> Parameters::not_followed() const {
  std::vector<std::string> list;
  if (formulas_ == nullptr) return list;
  for (const auto& [place, formula] : *formulas_) {
    if (!names_parameters(formula) || followed_.contains(place) || is_outside(place)) continue;
    list.push_back(fmt::format("{}: {}", place, formula.text));
  }
  return list;
}

std::string place_of_entry(const Parameters& parameters, const std::string& list, std::size_t k) {
  const std::string entry = entry_of(list, k);
  return parameters.follows(entry) ? entry : list;
}

Vec3<Symbolic> unit_length(const Vec3<Symbolic>& v) { return (Symbolic(1) / sqrt(dot(v, v))) * v; }

// --- the mechanism ---------------------------------------------------------------------------------------------------

namespace {

Mat3<double> unit_matrix() { return cast<double>(Matrix3(Matrix3::Identity())); }

/// "axis" of a joint with one, else "axis1", "axis2", ...
std::string numbered(const std::string& name, std::size_t k, std::size_t count) {
  return count == 1 ? name : fmt::format("{}{}", name, k + 1);
}

MassNumbers<Symbolic> symbolic_mass(const Body& body, Parameters& parameters) {
  const MassProperties& mp = body.mass_properties;
  const std::string place = "bodies." + body.name;
  const auto inertia = [&](const char* which, std::size_t row, std::size_t column) {
    // {xx, ..}, three principal moments, or a matrix
    const std::string matrix = entry_of(entry_of(place + ".inertia", row), column);
    std::string at = place + ".inertia." + which;
    if (parameters.follows(matrix)) at = matrix;
    if (row == column && parameters.follows(entry_of(place + ".inertia", row)) && !parameters.follows(matrix))
      at = entry_of(place + ".inertia", row);
    // of a matrix the other element is the same
    if (parameters.follows(entry_of(entry_of(place + ".inertia", column), row)))
      parameters.as_written(entry_of(entry_of(place + ".inertia", column), row));
    return parameters.number(fmt::format("{}.inertia_{}", body.name, which), "kg*m^2",
                             mp.inertia(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)), at);
  };
  return {parameters.number(body.name + ".mass", "kg", mp.mass, place + ".mass", true),
          parameters.vector(body.name + ".com", "m", cast<double>(mp.com), place + ".com"),
          {inertia("xx", 0, 0), inertia("yy", 1, 1), inertia("zz", 2, 2), inertia("xy", 0, 1), inertia("xz", 0, 2),
           inertia("yz", 1, 2)}};
}

/// R_0 of an orientation {axis, angle}; others are not followed.
Mat3<Symbolic> symbolic_orientation(const Joint& joint, Parameters& parameters) {
  const std::string place = "joints." + joint.name + ".orientation";
  if (parameters.follows(place + ".angle") || parameters.follows(place + ".axis")) {
    const Vec3<Symbolic> e = parameters.direction_as_written(place + ".axis");
    const auto [s, c] = sincos(parameters.as_written(place + ".angle"));
    const auto turned = [&, s = s, c = c](const Vec3<Symbolic>& v) {  // Rodrigues
      return c * v + s * cross(e, v) + ((Symbolic(1) - c) * dot(e, v)) * e;
    };
    const Mat3<Symbolic> one = cast<Symbolic>(unit_matrix());
    return {turned(one.x), turned(one.y), turned(one.z)};
  }
  const Mat3<double> R = cast<double>(joint.R_0);
  const std::string name = joint.name + ".orientation";
  return {parameters.unit_vector(name + "_x", R.x), parameters.unit_vector(name + "_y", R.y),
          parameters.unit_vector(name + "_z", R.z)};
}

/// The axes in the plane of a normal, as the reader finds them.
void set_plane_axes(const Joint& joint, const Vec3<Symbolic>& n, JointNumbers<Symbolic>& numbers) {
  Eigen::Index largest = 0;
  joint.a[0].cwiseAbs().maxCoeff(&largest);
  const Vec3<Symbolic> along = cast<Symbolic>(cast<double>(Vector3(Vector3::Unit((largest + 1) % 3))));
  numbers.d[0] = unit_length(along - dot(n, along) * n);
  numbers.d[1] = cross(n, numbers.d[0]);
}

}  // namespace

JointNumbers<Symbolic> symbolic_joint(const Joint& joint, Parameters& parameters) {
  JointNumbers<Symbolic> n;
  const std::string &name = joint.name, place = "joints." + name;
  const std::string_view field = joint_fields(joint.type).axes;
  const auto place_of_axis = [&](const char* of_general, std::size_t k) {
    if (joint.type == JointType::general) return entry_of(place + "." + of_general, k);
    const std::string whole = fmt::format("{}.{}", place, field);
    return field == "axes" ? entry_of(whole, k) : whole;
  };
  const bool planar = joint.type == JointType::planar && parameters.follows(place + ".normal");
  for (std::size_t k = 0; k < joint.rotations; ++k) {
    n.a[k] = parameters.unit_vector(name + "." + numbered("axis", k, joint.rotations), cast<double>(joint.a[k]),
                                    place_of_axis("rotations", k));
  }
  for (std::size_t k = 0; k < joint.translations && !planar; ++k) {
    const std::string axis = joint.rotations == 0 ? "axis" : "direction";
    n.d[k] = parameters.unit_vector(name + "." + numbered(axis, k, joint.translations), cast<double>(joint.d[k]),
                                    joint.type == JointType::planar ? std::string() : place_of_axis("translations", k));
  }
  if (planar) set_plane_axes(joint, n.a[0], n);
  n.R_0 = symbolic_orientation(joint, parameters);
  n.parent_point =
      parameters.vector(name + ".parent_point", "m", cast<double>(joint.parent_point), place + ".parent_point");
  n.child_point =
      parameters.vector(name + ".child_point", "m", cast<double>(joint.child_point), place + ".child_point");
  return n;
}

namespace {

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
    const std::string place = fmt::format("bodies.{}.wheels.{}", system.bodies[wheel.body].name, wheel.name);
    m.wheels[k].axis = parameters.unit_vector(name + ".axis", cast<double>(wheel.axis), place + ".axis");
    m.wheels[k].inertia = parameters.number(name + ".inertia", "kg*m^2", wheel.inertia, place + ".inertia", true);
  }
  return m;
}

namespace {

/// Where a load or constraint gives the position of a node; empty where several do, and one could move alone.
std::string place_of_position(const Model& model, std::uint32_t node) {
  std::string place;
  std::size_t count = 0;
  const auto look_in = [&](const auto& kinds, const std::string& outer) {
    const auto of_kind = [&]<class Kind>(const Kind& one) {
      for_each_field(one, [&](const FieldFormat& format, const auto& member) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(member)>, PointReference>) {
          if (format.form == gyrostat::Form::body_name || !member.position || node_of(model.system, member) != node)
            return;
          place = fmt::format("{}.{}{}", outer, path_in<Kind>(format.name),
                              format.form == gyrostat::Form::attachment ? "[1]" : "");
          ++count;
        }
      });
    };
    std::visit(of_kind, kinds);
  };
  const Description& d = model.description;
  for (std::size_t k = 0; k < d.loads.size(); ++k) look_in(d.loads[k], fmt::format("loads[{}]", k));
  for (const ConstraintDescription& one : d.constraints) look_in(one.relation, "constraints." + one.name);
  return count == 1 ? place : std::string();
}

}  // namespace

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
  for (const Constraint& one : system.constraints) {
    if (!one.path.starts_with("joints.") || one.type == "gear") continue;
    const auto* cut = std::get_if<CutJoint>(&one.kind);
    const auto at = [&](const char* field, std::uint32_t node) {
      set(node,
          parameters.vector(one.name + "." + field, "m", cast<double>(system.nodes[node].p), one.path + "." + field));
    };
    at("parent_point", cut != nullptr ? cut->joint.parent_node : std::get<Distance>(one.kind).parent_node);
    at("child_point", cut != nullptr ? cut->joint.child_node : std::get<Distance>(one.kind).child_node);
  }
  for (std::uint32_t k = 0; k < nodes.size(); ++k) {
    const gyrostat::Node& node = system.nodes[k];
    if (known[k]) continue;
    const std::string& body = system.bodies[node.body].name;
    const std::string name = node.name.empty() ? fmt::format("{}", k) : node.name;
    const std::string place =
        node.name.empty() ? place_of_position(model, k) : fmt::format("bodies.{}.points.{}", body, node.name);
    set(k, parameters.vector(fmt::format("{}.point_{}", body, name), "m", cast<double>(node.p), place));
  }
  return nodes;
}

}  // namespace gyrostat::scalar
