// The model file's format as data: which fields there are, what each holds and what it is for. The reader refuses what
// is not listed here, and the JSON Schema is made from the same tables, so the two cannot drift apart.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "gyrostat/expression/units.h"
#include "gyrostat/format/joint_types.h"

namespace gyrostat {

struct ObjectFormat;

enum class Form : std::uint8_t {
  constant,       // a number, "NUMBER UNIT", or an expression of parameters
  constants,      // one for all coordinates, or a list with one for each
  constant_list,  // a list of constants
  matrix,         // a list of equally long lists of constants
  coefficient,    // a constant or {table: NAME}
  coefficients,   // the same, or a list with one for each coordinate
  integer,
  whole_number,  // an integer, or a formula of parameters that is one
  boolean,
  text,
  choice,               // one of `choices`
  vector,               // three constants
  vectors,              // a list of vectors
  dynamic,              // a number, a quantity or an expression evaluated as the simulation runs
  dynamics,             // one for all coordinates, or a list with one for each
  dynamic_list,         // a list of dynamics
  dynamic_vector,       // three dynamics
  name,                 // of something declared elsewhere in the file
  body_name,            // of a body
  table_name,           // of a table
  names,                // a list of them
  point,                // a name, a position, or com
  attachment,           // [BODY, POINT]
  inertia,              // {xx, yy, zz, xy, xz, yz}, three moments, or a matrix
  orientation,          // {axis, angle} | {quaternion} | {euler} | {matrix}
  constant_map,         // NAME: constant
  constants_map,        // NAME: constants
  vector_map,           // NAME: vector
  coordinate_name,      // JOINT.angle, BODY.WHEEL.angle
  coordinate_map,       // COORDINATE: constant
  object,               // one `object`
  object_map,           // NAME: object
  object_list,          // a list of objects
  signal_map,           // NAME: expression or block
  truth_or_names,       // true, false, or a list of names
  center,               // earth or {mu, radius}
  modes,                // a list of numbers, or {count | below | effective_mass | numbers}
  modal_damping,        // a ratio, a list of them, or {rayleigh: [a, b]}
  flexible_data,        // what a JSON file of flexible data holds
  path,                 // of a file, relative to the file that names it
  paths,                // one, or a list of them
  node_name,            // of a node of a flexible body
  output_names,         // a list of names that are given here
  template_parameters,  // NAME: what it is, or its default
  value_map,            // NAME: any value
  value_maps,           // NAME: value_map
  transition_map,       // NAME: dynamic, or object
  assignment_map,       // SIGNAL: dynamic, or three of them
};

struct FieldFormat {
  std::string_view name;
  Form form;
  std::string_view note;  // what it is, for editors and readers
  Dimension dimension = dimension::none;
  bool required = false;
  const ObjectFormat* object = nullptr;
  std::span<const std::string_view> choices = {};
  bool filled = false;  // an empty list is an error
};

struct ObjectFormat {
  std::string_view name;
  std::span<const FieldFormat> fields;
  std::span<const std::string_view> one_of = {};  // exactly one of these fields must be there

  [[nodiscard]] const FieldFormat* find(std::string_view field) const;
};

namespace format {

extern const ObjectFormat model, template_, instance, table, body, flexible, beam, lump, modes, modal_damping, wheel,
    shape, joint, initial, prescribed, thermal, joint_latch, reaction_friction, friction, wheel_friction, stops, signal,
    load, constraint, environment, gravity, orbit, center, sun, simulation, integrator, stabilization, output,
    orientation, euler, inertia, coefficient;

/// What a parameter of a template may be, in the order of ParameterKind.
inline constexpr std::string_view parameter_kinds[] = {"number", "signal", "body", "joint", "table", "value"};
inline constexpr std::string_view flexible_terms[] = {"ruthless", "linear", "stiffened"};
inline constexpr std::string_view mode_kinds[] = {"component", "cantilever", "free_free"};
inline constexpr std::string_view interpolations[] = {"linear", "cubic"};
inline constexpr std::string_view outsides[] = {"error", "hold", "extend"};
inline constexpr std::string_view axes[] = {"body", "world"};
inline constexpr std::string_view gravity_gradients[] = {"perturbation", "full"};
/// In the order of dynamics' variant.
inline constexpr std::string_view formulations[] = {
    "articulated_body", "composite_body",     "kane",           "nested_body", "augmented_body",
    "linear_total",     "linear_total_fixed", "linear_partial", "absolute",    "mixed"};
/// `ida` is read and refused until it exists.
inline constexpr std::string_view methods[] = {"cvode_adams", "cvode_bdf", "dopri5", "rk4", "ida"};
inline constexpr std::string_view attitudes[] = {"quaternion", "direction_cosines"};
inline constexpr std::string_view stabilizations[] = {"projection", "baumgarte"};
inline constexpr std::string_view computing_frames[] = {"inertial", "body"};

}  // namespace format

/// Names that nothing in a model may have, because expressions use them.
bool is_reserved(std::string_view name);

}  // namespace gyrostat
