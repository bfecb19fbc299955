#include "gyrostat/format/format.h"

#include <algorithm>
#include <array>

#include "gyrostat/format/blocks/blocks.h"
#include "gyrostat/format/constraints/constraints.h"
#include "gyrostat/format/loads/loads.h"

namespace gyrostat {

const FieldFormat* ObjectFormat::find(std::string_view field) const {
  const auto found = std::find_if(fields.begin(), fields.end(), [&](const FieldFormat& f) { return f.name == field; });
  return found == fields.end() ? nullptr : &*found;
}

namespace format {

namespace {

using namespace dimension;  // NOLINT(google-build-using-namespace): the tables below read better so

constexpr FieldFormat required(std::string_view name, Form form, std::string_view note, Dimension d = none) {
  return {name, form, note, d, true};
}
constexpr FieldFormat optional(std::string_view name, Form form, std::string_view note, Dimension d = none) {
  return {name, form, note, d};
}
constexpr FieldFormat choice(std::string_view name, std::span<const std::string_view> choices, std::string_view note) {
  return {name, Form::choice, note, none, false, nullptr, choices};
}
constexpr FieldFormat nested(std::string_view name, Form form, const ObjectFormat& object, std::string_view note) {
  return {name, form, note, none, false, &object};
}

constexpr FieldFormat model_fields[] = {
    required("gyrostat", Form::integer, "format version: 1"),
    optional("name", Form::text, "free text"),
    optional("include", Form::paths, "further files, relative to this one, whose sections are added to those here"),
    nested("templates", Form::object_map, template_, "parts of a model that are used several times, by name"),
    nested("instances", Form::object_map, instance, "uses of templates, by name"),
    optional("parameters", Form::constant_map, "named constants, overridden by --set NAME=VALUE"),
    nested("tables", Form::object_map, table, "tables for table(NAME, x), stiffness and damping"),
    {"bodies", Form::object_map, "the bodies by name", none, true, &body},
    nested("joints", Form::object_map, joint, "how bodies are connected, by name"),
    nested("constraints", Form::object_map, constraint, "relations that are no joints, by name"),
    nested("signals", Form::signal_map, signal, "sensors, commands and control laws: expressions or blocks"),
    nested("loads", Form::object_list, load, "forces and torques"),
    nested("environment", Form::object, environment, "gravity, orbit, sun"),
    nested("simulation", Form::object, simulation, "how the motion is computed"),
    nested("output", Form::object, output, "what is recorded"),
};

/// What may stand in a template: the sections that are not settings of the whole.
constexpr FieldFormat template_fields[] = {
    optional("parameters", Form::template_parameters,
             "NAME: a default, or what is to be given: number, signal, body, joint, table or value"),
    nested("tables", Form::object_map, table, "as in a model"),
    nested("bodies", Form::object_map, body, "as in a model; a parameter that is a body gets points, wheels and shape"),
    nested("joints", Form::object_map, joint, "as in a model"),
    nested("constraints", Form::object_map, constraint, "as in a model"),
    nested("signals", Form::signal_map, signal, "as in a model"),
    nested("loads", Form::object_list, load, "as in a model"),
    nested("instances", Form::object_map, instance, "of other templates"),
};
constexpr FieldFormat instance_fields[] = {
    required("template", Form::name, "which template"),
    optional("with", Form::value_map, "values of its parameters; with 'for', those that all have"),
    optional("for", Form::value_maps, "NAME: values; an instance for each name, called INSTANCE.NAME"),
};

constexpr FieldFormat table_fields[] = {
    required("x", Form::constant_list, "strictly increasing"),
    required("y", Form::constant_list, "as many as x"),
    choice("interpolation", interpolations, "linear (default) or a cubic spline"),
    choice("outside", outsides, "beyond the ends: error (default), hold the end value, or extend the end segment"),
};

constexpr FieldFormat body_fields[] = {
    optional("mass", Form::constant, "kg; of a flexible body it follows from its nodes", dimension::mass),
    optional("com", Form::vector, "mass centre from the body's origin, body axes, m; default the origin", length),
    optional("inertia", Form::inertia, "about the com, body axes, kg m^2; matrix elements, despun wheels included",
             dimension::inertia),
    optional("accept_unphysical", Form::boolean, "true: a violated triangle inequality is a warning, not an error"),
    optional("point_mass", Form::boolean, "true: mass without extension"),
    optional("points", Form::vector_map, "named points for loads, springs, sensors and output, m", length),
    nested("wheels", Form::object_map, wheel, "rotors, symmetric about an axis fixed in the body"),
    nested("flexible", Form::object, flexible, "how the body bends"),
    nested("shape", Form::object_list, shape, "for pictures only"),
};

constexpr Dimension bending = force * length * length;
constexpr std::string_view flexible_kinds[] = {"beam", "file", "data"};
constexpr FieldFormat flexible_fields[] = {
    nested("beam", Form::object, beam, "a straight beam, by finite elements"),
    optional("file", Form::path, "flexible data: JSON, HDF5, or a directory of 42's Flex and Nodes files"),
    optional("data", Form::flexible_data, "the same in the model file: what a JSON file holds"),
    {"modes", Form::modes, "which modes; default {count: 6} of a beam, all of a file", none, false, &modes},
    {"damping", Form::modal_damping, "ratio for all modes, a list, or {rayleigh: [a, b]}; default none", none, false,
     &modal_damping},
    choice("terms", flexible_terms, "what the equations keep of the deformation; default stiffened"),
    optional("initial", Form::constant_list, "modal coordinates at t = 0, sqrt(kg) m; default zero"),
    optional("initial_rates", Form::constant_list, "their rates, sqrt(kg) m/s; default zero"),
};
constexpr FieldFormat beam_fields[] = {
    optional("from", Form::vector, "its root in the body's frame, m; default the origin", length),
    required("to", Form::vector, "its tip in the body's frame, m", length),
    optional("up", Form::vector, "direction of the section's z; default the body's z, or x for a beam along z"),
    optional("elements", Form::whole_number, "how many; default 1"),
    required("mass_per_length", Form::constant, "kg/m", dimension::mass / length),
    required("EI", Form::constants, "bending stiffness about y and about z of the section, or one for both, N m^2",
             bending),
    optional("GJ", Form::constant, "torsional stiffness, N m^2; without it the beam does not twist", bending),
    optional("EA", Form::constant, "axial stiffness, N; without it the beam does not stretch", force),
    optional("shear", Form::constants, "shear stiffness kGA along y and along z, N; without it there is no shear",
             force),
    optional("rotary_inertia", Form::constants, "of the section about y and about z, kg m; default none",
             dimension::mass* length),
    optional("tip_mass", Form::constant, "kg", dimension::mass),
    nested("masses", Form::object_list, lump, "further masses"),
    optional("nodes", Form::constant_map, "named nodes by their distance from the root, m", length),
};
constexpr FieldFormat lump_fields[] = {
    optional("at", Form::constant, "distance from the root, m; default the tip", length),
    optional("mass", Form::constant, "kg", dimension::mass),
    optional("inertia", Form::inertia, "about that point of the beam, body axes, kg m^2", dimension::inertia),
    optional("name", Form::text, "of the node"),
};
constexpr std::string_view mode_selections[] = {"count", "below", "effective_mass", "numbers"};
constexpr FieldFormat modes_fields[] = {
    optional("count", Form::whole_number, "those of lowest frequency"),
    optional("below", Form::constant, "all of lower frequency, Hz", none / time),
    optional("effective_mass", Form::constant, "so many that this part of the mass takes part"),
    optional("numbers", Form::constant_list, "1 is the one of lowest frequency"),
    choice("kind", mode_kinds, "component (default): with static modes where joints attach"),
};
constexpr FieldFormat modal_damping_fields[] = {
    required("rayleigh", Form::constant_list, "[a, b] of the damping a M + b K, 1/s and s"),
};

constexpr FieldFormat wheel_fields[] = {
    required("axis", Form::vector, "spin axis, body axes"),
    required("inertia", Form::constant, "about the axis, kg m^2; the body's inertia includes it", dimension::inertia),
    optional("rate", Form::constant, "initial rate relative to the body, rad/s", angular_rate),
    optional("torque", Form::dynamic, "motor torque on the wheel, N m; the body gets the opposite", torque),
    optional("speed", Form::dynamic, "instead of torque: prescribed relative rate as a function of t, rad/s",
             angular_rate),
    optional("stiffness", Form::constant, "N m/rad, relative to the body", angular_stiffness),
    optional("damping", Form::constant, "N m s/rad, relative to the body", angular_damping),
    nested("friction", Form::object, wheel_friction, "dry friction of the bearing, with sticking"),
    optional("torque_limit", Form::constant, "of the motor torque, either way, N m", torque),
    optional("speed_limit", Form::constant, "rate relative to the body up to which the motor drives it, rad/s",
             angular_rate),
    optional("drag", Form::table_name, "table of the drag torque, N m, over the rate, rad/s"),
    optional("static_imbalance", Form::constant, "mass times distance from the axis, kg m", dimension::mass* length),
    optional("dynamic_imbalance", Form::constant, "product of inertia, kg m^2", dimension::inertia),
    optional("node", Form::node_name, "of a flexible body: where the wheel is mounted"),
    optional("at", Form::vector, "its centre in the body frame, m; for pictures only", length),
    optional("radius", Form::constant, "of the rim, m; for pictures only", length),
};

constexpr std::string_view shape_kinds[] = {"box", "cylinder", "sphere", "mesh"};
constexpr FieldFormat shape_fields[] = {
    optional("box", Form::vector, "edges, m", length),
    optional("cylinder", Form::constant_list, "[radius, height], m; its axis is z", length),
    optional("sphere", Form::constant, "radius, m", length),
    optional("mesh", Form::path, "a file"),
    optional("at", Form::vector, "its centre in the body frame, m; default the origin", length),
    optional("orientation", Form::orientation, "relative to the body's axes"),
    optional("color", Form::text, "#rgb or #rrggbb"),
};

constexpr FieldFormat joint_fields_[] = {
    {"type", Form::choice, "what the joint lets move", none, false, nullptr, joint_types},
    optional("parent", Form::name, "the inner body, or world"),
    optional("child", Form::name, "the outer body"),
    optional("parent_node", Form::node_name, "where it attaches to a flexible parent; the same as parent: BODY.NODE"),
    optional("child_node", Form::node_name, "where it attaches to a flexible child; the same as child: BODY.NODE"),
    optional("parent_point", Form::vector, "joint point in the parent's frame, m; default the origin", length),
    optional("child_point", Form::vector, "joint point in the child's frame, m; default the origin", length),
    optional("axis", Form::vector, "of revolute, prismatic, cylindrical: parent axes, at zero coordinates"),
    optional("axes", Form::vectors, "of universal, gimbal, translation: parent axes, at zero coordinates"),
    optional("normal", Form::vector, "of planar: normal of the plane, parent axes"),
    optional("translations", Form::vectors, "of general: up to three translation axes"),
    optional("rotations", Form::vectors, "of general: up to three rotation axes"),
    optional("orientation", Form::orientation,
             "child's axes relative to the parent's at zero coordinates; default aligned"),
    nested("initial", Form::object, initial, "coordinates and speeds at t = 0; default zero"),
    optional("stiffness", Form::coefficients, "force on the child -k (q - rest): N m/rad or N/m"),
    optional("rest", Form::constants, "coordinate without spring force: rad or m"),
    optional("damping", Form::coefficients, "force on the child -d qdot: N m s/rad or N s/m"),
    optional("torque", Form::dynamics, "on the child, conjugate to the speed; the parent gets the opposite: N m or N"),
    optional("axis_torque", Form::dynamics, "N-BOD's hinge torque: a sum of torques along the rotation axes, N m"),
    optional("locked", Form::boolean, "keeps its coordinates; the reaction is reported"),
    nested("prescribed", Form::object, prescribed, "motion imposed; the driving torque is reported"),
    nested("thermal", Form::object, thermal, "the spring's rest coordinate follows a thermal lag"),
    nested("latch", Form::object, joint_latch, "locks the joint in the run, and frees it"),
    nested("friction", Form::object, friction, "dry friction, with sticking; of a joint with one coordinate"),
    nested("stops", Form::object, stops, "ends of the range of a joint with one coordinate"),
    optional("cut", Form::boolean, "true: this joint, of its loop, is made a constraint"),
    optional("joints", Form::names, "of gear: the two joints it couples"),
    optional("ratio", Form::constant, "of gear: q2 = ratio q1 + offset"),
    optional("offset", Form::constant, "of gear: rad or m"),
    optional("length", Form::constant, "of distance: m", length),
};

constexpr FieldFormat initial_fields[] = {
    optional("angle", Form::constant, "rad", angle),
    optional("rate", Form::constant, "rad/s", angular_rate),
    optional("displacement", Form::constant, "m", length),
    optional("speed", Form::constant, "m/s", velocity),
    optional("angles", Form::constant_list, "one for each rotation axis, rad", angle),
    optional("rates", Form::constant_list, "rad/s", angular_rate),
    optional("displacements", Form::constant_list, "one for each translation axis, m", length),
    optional("speeds", Form::constant_list, "m/s", velocity),
    optional("orientation", Form::orientation, "of spherical, free: child's axes relative to the parent's"),
    optional("omega", Form::vector, "of spherical, free: relative angular velocity, child axes, rad/s", angular_rate),
    optional("position", Form::vector, "of free: child's joint point from parent_point, parent axes, m", length),
    optional("velocity", Form::vector, "of free: of the child's joint point, parent axes, m/s", velocity),
};

constexpr std::string_view prescribed_kinds[] = {"position", "acceleration"};
constexpr FieldFormat prescribed_fields[] = {
    optional("position", Form::dynamics, "coordinates as functions of t: rad or m"),
    optional("acceleration", Form::dynamics, "rad/s^2 or m/s^2"),
};

constexpr FieldFormat thermal_fields[] = {
    required("time_constant", Form::constant, "s", time),
    required("steady", Form::constants, "rest coordinate in steady heating: rad or m"),
    optional("factor", Form::dynamic, "of the steady value, 0 in shadow; default 1"),
};

constexpr FieldFormat joint_latch_fields[] = {
    required("when", Form::dynamic, "locks the joint when it becomes positive; a comparison is 1 where true"),
    optional("release", Form::dynamic, "frees it, and goes before `when`; default never"),
};

constexpr FieldFormat reaction_friction_fields[] = {
    required("coefficient", Form::constant, "of friction, while it slides"),
    optional("static", Form::constant, "coefficient at rest; default the same"),
    optional("radius", Form::constant, "where the force of friction acts on a joint that turns, m", length),
};

constexpr FieldFormat friction_fields[] = {
    optional("coulomb", Form::dynamic, "level while it slides: N m or N; required unless there is `reaction`"),
    optional("static", Form::dynamic, "the most that it holds with at rest: N m or N; default that of coulomb"),
    optional("viscous", Form::constant, "N m s/rad or N s/m"),
    optional("stribeck", Form::constant,
             "speed over which the level falls from static to coulomb: rad/s or m/s; default at once"),
    nested("reaction", Form::object, reaction_friction,
           "adds a level proportional to the force that the joint transmits across its axis"),
};

constexpr FieldFormat wheel_friction_fields[] = {
    required("coulomb", Form::dynamic, "level while it slides, N m", torque),
    optional("static", Form::dynamic, "the most that it holds with at rest, N m; default that of coulomb", torque),
    optional("viscous", Form::constant, "N m s/rad", angular_damping),
    optional("stribeck", Form::constant,
             "rate over which the level falls from static to coulomb, rad/s; default at once", angular_rate),
};

constexpr FieldFormat stops_fields[] = {
    optional("low", Form::constant, "least coordinate: rad or m; default none"),
    optional("high", Form::constant, "greatest coordinate: rad or m; default none"),
    optional("restitution", Form::constant, "of rigid stops: speed after over speed before, 0 (default) to below 1"),
    optional("stiffness", Form::constant, "of compliant stops: N m/rad or N/m"),
    optional("damping", Form::constant, "of compliant stops: N m s/rad or N s/m"),
};

/// The fields of an object that is one of several kinds: the fields of a flat kind, one for each other kind.
template <class Kind>
constexpr auto fields_beside() {
  if constexpr (!IsKind<Kind>) {
    return std::array<FieldFormat, 0>{};
  } else if constexpr (is_flat<Kind>()) {
    return field_formats<Kind>;
  } else {
    return std::array{nested(Kind::kind, Form::object, object_format<Kind>, Kind::note)};
  }
}

template <class T, std::size_t... sizes>
constexpr auto joined(const std::array<T, sizes>&... lists) {
  std::array<T, (sizes + ...)> all{};
  std::size_t next = 0;
  const auto add = [&](const auto& list) {
    for (const T& entry : list) all[next++] = entry;
  };
  (add(lists), ...);
  return all;
}

template <class Kind>
constexpr auto name_of() {
  if constexpr (IsKind<Kind>) {
    return std::array<std::string_view, 1>{Kind::kind};
  } else {
    return std::array<std::string_view, 0>{};
  }
}

template <class Variant>
struct Kinds;
template <class... Kind>
struct Kinds<std::variant<Kind...>> {
  static constexpr auto fields = joined<FieldFormat>(fields_beside<Kind>()...);
  static constexpr auto names = joined<std::string_view>(name_of<Kind>()...);
};

constexpr FieldFormat own_signal_fields[] = {
    optional("expression", Form::dynamic, "an expression, where it has a unit beside it"),
    optional("unit", Form::text, "of the signal, if it does not follow from what it is made of"),
};
constexpr std::string_view own_signal_kinds[] = {"expression"};
constexpr auto signal_fields = joined<FieldFormat>(std::to_array(own_signal_fields), Kinds<Block>::fields);
constexpr auto signal_kinds = joined<std::string_view>(std::to_array(own_signal_kinds), Kinds<Block>::names);

constexpr FieldFormat own_constraint_fields[] = {
    optional("equals", Form::dynamics, "what it is to be, m or rad: a constant, or an expression of t; default 0"),
};
constexpr auto constraint_fields = joined<FieldFormat>(Kinds<Relation>::fields, std::to_array(own_constraint_fields));

constexpr FieldFormat environment_fields[] = {
    nested("gravity", Form::object, gravity, "uniform gravity"),
    nested("orbit", Form::object, orbit, "Keplerian orbit of the system's mass centre"),
    choice("gravity_gradient", gravity_gradients,
           "perturbation: about the com, on the given orbit; full: the orbit is integrated with the rest"),
    nested("sun", Form::object, sun, "direction of the sun"),
};
constexpr FieldFormat gravity_fields[] = {
    required("uniform", Form::vector, "world axes, m/s^2", acceleration),
};
constexpr FieldFormat orbit_fields[] = {
    required("semi_major_axis", Form::constant, "m", length),
    optional("eccentricity", Form::constant, "0 to below 1; default 0"),
    optional("inclination", Form::constant, "rad; default 0", angle),
    optional("raan", Form::constant, "right ascension of the ascending node, rad; default 0", angle),
    optional("argument_of_periapsis", Form::constant, "rad; default 0", angle),
    optional("time_of_periapsis", Form::constant, "s; default 0", time),
    optional("center", Form::center, "earth (default) or {mu, radius}"),
};
constexpr FieldFormat center_fields[] = {
    required("mu", Form::constant, "m^3/s^2", gravity_parameter),
    optional("radius", Form::constant, "m", length),
};
constexpr FieldFormat sun_fields[] = {
    required("direction", Form::vector, "towards the sun, world axes"),
};

constexpr FieldFormat simulation_fields[] = {
    optional("duration", Form::constant, "s", time),
    choice("formulation", formulations, "equations of motion; default articulated_body"),
    nested("integrator", Form::object, integrator, "default {method: cvode_adams, tolerance: 1e-9}"),
    nested("stabilization", Form::object, stabilization, "how constraints are kept; default {method: projection}"),
    optional("gyroscopic", Form::truth_or_names, "false, or the bodies whose gyroscopic terms are dropped"),
    choice("attitude", attitudes, "how free and spherical joints are integrated; default quaternion"),
    choice("computing_frame", computing_frames, "whose axes nested_body computes in; default inertial"),
    optional("about", Form::constants_map,
             "JOINT: coordinates a linearised formulation is about; default the initial ones"),
    optional("linearized", Form::names, "joints held small, for linear_partial"),
};
constexpr FieldFormat integrator_fields[] = {
    {"method", Form::choice, "cvode_adams, cvode_bdf, dopri5, rk4 or ida", none, true, nullptr, methods},
    optional("tolerance", Form::constant, "relative error of a step; default 1e-9"),
    optional("step", Form::constant, "of rk4, s", time),
};
constexpr FieldFormat stabilization_fields[] = {
    {"method", Form::choice, "projection after every step, or feedback of the violation (baumgarte)", none, true,
     nullptr, stabilizations},
    optional("alpha", Form::constant, "of baumgarte: of the rates, 1/s", none / time),
    optional("beta", Form::constant, "of baumgarte: of the residuals, 1/s", none / time),
};
constexpr FieldFormat output_fields[] = {
    optional("interval", Form::constant, "s between records", time),
    optional("record", Form::names, "quantities; default coordinates, rates, signals, momentum and energy"),
    optional("reactions", Form::names, "joints whose reactions are recorded"),
};

constexpr FieldFormat orientation_fields[] = {
    optional("axis", Form::vector, "with angle"),
    optional("angle", Form::constant, "rad", angle),
    optional("quaternion", Form::constant_list, "[w, x, y, z]"),
    nested("euler", Form::object, euler, "angles about moving axes"),
    optional("matrix", Form::matrix, "3 by 3, rows"),
};
constexpr std::string_view orientation_kinds[] = {"axis", "quaternion", "euler", "matrix"};
constexpr FieldFormat euler_fields[] = {
    required("sequence", Form::text, "zyx, zxz ..., bryant (xyz) or classic (zxz)"),
    required("angles", Form::constant_list, "three, rad", angle),
};
constexpr FieldFormat inertia_fields[] = {
    required("xx", Form::constant, "kg m^2", dimension::inertia),
    required("yy", Form::constant, "kg m^2", dimension::inertia),
    required("zz", Form::constant, "kg m^2", dimension::inertia),
    optional("xy", Form::constant, "matrix element, minus the integral of x*y; default 0", dimension::inertia),
    optional("xz", Form::constant, "matrix element; default 0", dimension::inertia),
    optional("yz", Form::constant, "matrix element; default 0", dimension::inertia),
};
constexpr FieldFormat coefficient_fields[] = {
    required("table", Form::name, "a table of the deflection"),
};

}  // namespace

const ObjectFormat model{"model", model_fields};
const ObjectFormat template_{"template", template_fields};
const ObjectFormat instance{"instance", instance_fields};
const ObjectFormat table{"table", table_fields};
const ObjectFormat body{"body", body_fields};
const ObjectFormat flexible{"flexible", flexible_fields, flexible_kinds};
const ObjectFormat beam{"beam", beam_fields};
const ObjectFormat lump{"lump", lump_fields};
const ObjectFormat modes{"modes", modes_fields, mode_selections};
const ObjectFormat modal_damping{"modal_damping", modal_damping_fields};
const ObjectFormat wheel{"wheel", wheel_fields};
const ObjectFormat shape{"shape", shape_fields, shape_kinds};
const ObjectFormat joint{"joint", joint_fields_};
const ObjectFormat initial{"initial", initial_fields};
const ObjectFormat prescribed{"prescribed", prescribed_fields, prescribed_kinds};
const ObjectFormat thermal{"thermal", thermal_fields};
const ObjectFormat joint_latch{"joint_latch", joint_latch_fields};
const ObjectFormat reaction_friction{"reaction_friction", reaction_friction_fields};
const ObjectFormat friction{"friction", friction_fields};
const ObjectFormat wheel_friction{"wheel_friction", wheel_friction_fields};
const ObjectFormat stops{"stops", stops_fields};
const ObjectFormat signal{"signal", signal_fields, signal_kinds};
const ObjectFormat load{"load", Kinds<LoadDescription>::fields, Kinds<LoadDescription>::names};
const ObjectFormat constraint{"constraint", constraint_fields, Kinds<Relation>::names};
const ObjectFormat environment{"environment", environment_fields};
const ObjectFormat gravity{"gravity", gravity_fields};
const ObjectFormat orbit{"orbit", orbit_fields};
const ObjectFormat center{"center", center_fields};
const ObjectFormat sun{"sun", sun_fields};
const ObjectFormat simulation{"simulation", simulation_fields};
const ObjectFormat integrator{"integrator", integrator_fields};
const ObjectFormat stabilization{"stabilization", stabilization_fields};
const ObjectFormat output{"output", output_fields};
const ObjectFormat orientation{"orientation", orientation_fields, orientation_kinds};
const ObjectFormat euler{"euler", euler_fields};
const ObjectFormat inertia{"inertia", inertia_fields};
const ObjectFormat coefficient{"coefficient", coefficient_fields};

}  // namespace format

bool is_reserved(std::string_view name) {
  static constexpr std::array<std::string_view, 6> reserved = {"world", "t", "pi", "system", "orbit", "sun"};
  return std::find(reserved.begin(), reserved.end(), name) != reserved.end();
}

}  // namespace gyrostat
