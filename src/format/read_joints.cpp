#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gyrostat/format/read_sections.h"
#include "gyrostat/format/structure.h"

namespace gyrostat::reading {

namespace {

/// The two axes in the plane with normal n: the coordinate axis that follows n's largest component (z after y after x,
/// x after z), projected onto the plane; and n x that. A normal along z gives x and y.
std::vector<Vector3> plane_axes(const Vector3& n) {
  Eigen::Index largest = 0;
  n.cwiseAbs().maxCoeff(&largest);
  const Vector3 along = Vector3::Unit((largest + 1) % 3);
  const Vector3 first = (along - n.dot(along) * n).normalized();
  return {first, n.cross(first)};
}

/// Reads the axes that the type asks for and refuses those it has no use for.
void read_axes(const Fields& fields, JointDescription& joint) {
  const std::string_view type = type_name(joint.type);
  const JointFields& wanted = joint_fields(type);
  const bool general = joint.type == JointType::general;
  for (const std::string_view name : {"axis", "axes", "normal", "translations", "rotations"}) {
    const auto field = fields.find(name);
    const bool applies = name == wanted.axes || (general && (name == "translations" || name == "rotations"));
    if (field && !applies) {
      const std::string use = general               ? "'translations' and 'rotations'"
                              : wanted.axes.empty() ? "no axes"
                                                    : fmt::format("'{}'", wanted.axes);
      field->error(fmt::format("a {} joint has {}", type, use));
    }
  }
  if (general) {
    const auto axes = [&](std::string_view name) {
      const auto field = fields.find(name);
      if (!field) return std::vector<Vector3>{};
      auto directions = read_directions(*field, 0, 3);
      joint.readable = joint.readable && field->is_list() && directions.size() == field->node.items.size();
      return directions;
    };
    joint.translations = axes("translations");
    joint.rotations = axes("rotations");
    return;
  }
  if (wanted.axes.empty()) return;
  const auto field = fields.find(wanted.axes);
  if (!field) {
    fields.missing(wanted.axes, fmt::format("a {} joint needs it", type));
  }
  std::vector<Vector3> axes;
  if (field)
    axes = wanted.axes == "axes" ? read_directions(*field, wanted.least, wanted.most)
                                 : std::vector{read_direction(*field)};
  if (axes.size() < wanted.least) axes.resize(wanted.least, Vector3::Constant(unreadable));  // reported
  switch (joint.type) {
    case JointType::prismatic:
    case JointType::translation: joint.translations = axes; break;
    case JointType::cylindrical: joint.translations = joint.rotations = axes; break;
    case JointType::planar:
      joint.translations = axes[0].hasNaN() ? std::vector<Vector3>(2, axes[0]) : plane_axes(axes[0]);
      joint.rotations = axes;
      break;
    default: joint.rotations = axes; break;
  }
}

/// One kind of initial value of a joint with axes: `angle` for a single one, `angles` for any number.
void read_initial_values(const Fields& initial, std::string_view one, std::string_view several, std::size_t count,
                         std::string_view axis_kind, std::vector<double>& into) {
  into.assign(count, 0);
  const auto single = initial.find(one), list = initial.find(several);
  if (single && list) list->error(fmt::format("'{}' is given too; only one can be", one));
  if (single && count != 1) {
    single->error(
        count == 0 ? fmt::format("the joint has no {}", axis_kind)
                   : fmt::format("the joint has {} {}s; use '{}' with a list of {}", count, axis_kind, several, count));
  } else if (single) {
    into[0] = initial.constant(one);
  } else if (list && count == 0) {
    list->error(fmt::format("the joint has no {}", axis_kind));
  } else if (list) {
    const std::vector<double> values = initial.constant_list(several);
    if (values.size() == count) {
      into = values;
    } else if (list->is_list()) {
      list->error(fmt::format("expected {} number{}, got {}", count, count == 1 ? "" : "s", values.size()));
    }
  }
}

void read_initial(const Fields& fields, JointDescription& joint) {
  const bool turns_freely = has_quaternion(joint.type), flies = joint.type == JointType::free;
  complete(joint);
  const auto value = fields.find("initial");
  if (!value) return;
  if (is_loop_constraint(joint.type) || joint.type == JointType::weld) {
    return value->error(fmt::format("a {} has no coordinates", type_name(joint.type)));
  }
  const Fields initial(*value, format::initial);

  for (const std::string_view name : {"orientation", "omega", "position", "velocity"}) {
    const bool applies = turns_freely && (flies || name == "orientation" || name == "omega");
    if (const auto field = initial.find(name); field && !applies) {
      field->error(fmt::format("a {} joint has no initial '{}'", type_name(joint.type), name));
    }
  }
  if (turns_freely) {
    for (const std::string_view name :
         {"angle", "angles", "rate", "rates", "displacement", "displacements", "speed", "speeds"}) {
      if (const auto field = initial.find(name)) {
        field->error(
            fmt::format("a {} joint has {} instead", type_name(joint.type),
                        flies ? "'orientation', 'omega', 'position', 'velocity'" : "'orientation' and 'omega'"));
      }
    }
    if (const auto field = initial.find("orientation")) {
      const Quaternion q = to_quaternion(read_orientation(*field));
      double* at = joint.position.data() + (flies ? 3 : 0);
      at[0] = q.w, at[1] = q.x, at[2] = q.y, at[3] = q.z;
    }
    const Vector3 omega = initial.vector("omega");
    std::copy(omega.begin(), omega.end(), joint.speed.begin());
    if (flies) {
      const Vector3 position = initial.vector("position"), velocity = initial.vector("velocity");
      std::copy(position.begin(), position.end(), joint.position.begin());
      std::copy(velocity.begin(), velocity.end(), joint.speed.begin() + 3);
    }
    return;
  }

  std::vector<double> angles, rates, displacements, speeds;
  read_initial_values(initial, "angle", "angles", joint.rotations.size(), "rotation", angles);
  read_initial_values(initial, "rate", "rates", joint.rotations.size(), "rotation", rates);
  read_initial_values(initial, "displacement", "displacements", joint.translations.size(), "translation",
                      displacements);
  read_initial_values(initial, "speed", "speeds", joint.translations.size(), "translation", speeds);
  const auto joined = [&](std::vector<double> rotations, std::vector<double> translations) {
    if (joint.type != JointType::cylindrical) std::swap(rotations, translations);
    rotations.insert(rotations.end(), translations.begin(), translations.end());
    return rotations;
  };
  joint.position = joined(angles, displacements);
  joint.speed = joined(rates, speeds);
}

/// Springs, dampers, torques and imposed motion, with one entry for each speed.
void read_actions(const Fields& fields, JointDescription& joint) {
  using namespace dimension;  // NOLINT(google-build-using-namespace)
  const auto speeds = speed_names(joint.type, joint.translations.size(), joint.rotations.size());
  const auto each = [&](const Dimension& rotational, const Dimension& translational) {
    std::vector<Dimension> list;
    for (const auto& s : speeds) list.push_back(s.rotational ? rotational : translational);
    return list;
  };
  for (const std::string_view name : {"stiffness", "rest", "damping", "torque", "axis_torque", "prescribed", "thermal",
                                      "locked", "latch", "friction", "stops"}) {
    const bool quaternion_only =
        has_quaternion(joint.type) && (name == "stiffness" || name == "rest" || name == "thermal");
    const bool no_axes = name == "axis_torque" && joint.rotations.empty();
    const auto field = fields.find(name);
    if (!field) continue;
    if (speeds.empty() && name != "locked")
      return field->error(fmt::format("a {} has no coordinates", type_name(joint.type)));
    if (quaternion_only)
      return field->error(
          fmt::format("a {} joint has no springs; put a spring between points instead (loads)", type_name(joint.type)));
    if (no_axes) return field->error(fmt::format("a {} joint has no rotation axes", type_name(joint.type)));
  }
  if (const auto f = fields.find("stiffness"))
    joint.stiffness = read_coefficients(*f, each(angular_stiffness, stiffness));
  if (const auto f = fields.find("damping")) {
    joint.damping = read_coefficients(*f, each(angular_damping, damping));
    const bool of_deflection =
        std::ranges::any_of(joint.damping, [](const Coefficient& c) { return !c.table.empty(); });
    if (of_deflection && has_quaternion(joint.type)) {
      return f->error(
          fmt::format("a {} joint has no deflection that a table could be of; give a number", type_name(joint.type)));
    }
  }
  if (const auto f = fields.find("rest")) joint.rest = read_constants(*f, each(angle, length));
  if (const auto f = fields.find("torque")) joint.torque = read_dynamics(*f, each(torque, force));
  if (const auto f = fields.find("axis_torque")) {
    joint.axis_torque = read_dynamics(*f, std::vector<Dimension>(joint.rotations.size(), torque));
  }
  joint.locked = fields.boolean("locked");
  if (const auto f = fields.find("prescribed")) {
    const Fields prescribed(*f, format::prescribed);
    const auto kind = prescribed.kind();
    if (kind) {
      const bool position = *kind == "position";
      joint.prescribed.kind = position ? Prescribed::Kind::position : Prescribed::Kind::acceleration;
      const auto motion = prescribed.find(*kind);
      if (position && has_quaternion(joint.type)) {
        motion->error(fmt::format("the position of a {} joint cannot be prescribed; prescribe its acceleration",
                                  type_name(joint.type)));
      } else {
        joint.prescribed.motion =
            read_dynamics(*motion, position ? each(angle, length) : each(angular_acceleration, acceleration));
      }
      if (const auto initial = fields.find("initial"); initial && position) {
        initial->error("the position is prescribed, so the initial values follow from it; remove this field");
      }
    }
    if (joint.locked) f->error("the joint is locked; it cannot be prescribed too");
  }
  if (const auto f = fields.find("thermal")) {
    const Fields thermal(*f, format::thermal);
    ThermalSpring spring;
    spring.time_constant = thermal.constant("time_constant", unreadable);
    if (const auto steady = thermal.find("steady")) spring.steady = read_constants(*steady, each(angle, length));
    spring.factor = thermal.dynamic("factor");
    joint.thermal = std::move(spring);
    if (!fields.has("stiffness")) f->error("a thermal spring needs a stiffness");
    if (const auto rest = fields.find("rest")) rest->error("the rest coordinate follows 'thermal'; remove this field");
  }
}

/// What may hold it in a run.
void read_restraints(const Fields& fields, JointDescription& joint) {
  const auto speeds = speed_names(joint.type, joint.translations.size(), joint.rotations.size());
  if (speeds.empty()) return;  // reported
  if (const auto f = fields.find("latch")) joint.latch = read_joint_latch(*f);
  if (const auto f = fields.find("friction")) {
    joint.friction = read_friction(*f, format::friction, speeds[0].rotational);
  }
  if (const auto f = fields.find("stops")) joint.stops = read_stops(*f, speeds[0].rotational);
}

void read_loop_constraint(const Fields& fields, JointDescription& joint) {
  const bool gear = joint.type == JointType::gear;
  for (const std::string_view name : {"joints", "ratio", "offset"}) {
    if (const auto field = fields.find(name); field && !gear) field->error("only a gear has this field");
  }
  if (const auto field = fields.find("length"); field && joint.type != JointType::distance) {
    field->error("only a distance constraint has this field");
  }
  if (gear) {
    const std::vector<std::string> names = fields.names("joints");
    if (names.size() == 2) {
      joint.geared = {names[0], names[1]};
    } else if (!fields.has("joints") || fields.find("joints")->is_list()) {
      fields.value().context.problems.error(Path{&fields.value().path, "joints", {}}.text(),
                                            "a gear couples two joints: [a, b]");
    }
    joint.ratio = fields.constant("ratio", 1);
    joint.offset = fields.measured("offset", 0);  // of whatever the second joint measures
    for (const std::string_view name :
         {"parent", "child", "parent_node", "child_node", "parent_point", "child_point", "orientation"}) {
      if (const auto field = fields.find(name)) field->error("a gear couples joints, not bodies");
    }
  }
  if (joint.type == JointType::distance) {
    joint.length = fields.constant("length", unreadable);
    if (!fields.has("length")) fields.missing("length", "a distance constraint needs it");
  }
}

}  // namespace

JointDescription read_joint(const Value& value, std::string_view name, std::string_view first_body) {
  const Fields fields(value, format::joint);
  JointDescription joint;
  joint.name = name;
  const bool base = name == "base";  // may leave out what the program would have chosen
  const auto require = [&](std::string_view field) {
    if (!fields.has(field) && !base) fields.missing(field, "it is required");
  };
  require("type");
  const std::size_t errors = value.context.problems.errors_found();
  joint.type = fields.choice_as("type", base ? JointType::free : JointType::weld);
  joint.readable = value.context.problems.errors_found() == errors && (fields.has("type") || base);
  joint.parent = fields.text("parent", base ? "world" : "");
  joint.child = fields.text("child", base ? first_body : "");
  if (const auto node = fields.find("parent_node")) joint.parent += "." + read_name(*node);
  if (const auto node = fields.find("child_node")) joint.child += "." + read_name(*node);
  if (joint.type != JointType::gear) require("parent");
  if (joint.type != JointType::gear) require("child");
  joint.parent_point = fields.vector("parent_point");
  joint.child_point = fields.vector("child_point");
  joint.cut = fields.boolean("cut");
  if (!joint.readable) return joint;
  if (const auto orientation = fields.find("orientation")) {
    if (has_quaternion(joint.type)) {
      orientation->error(fmt::format("a {} joint's orientation is a coordinate; give it as initial.orientation",
                                     type_name(joint.type)));
    } else {
      joint.orientation = read_orientation(*orientation);
    }
  }
  read_axes(fields, joint);
  if (!joint.readable) return joint;
  read_initial(fields, joint);
  read_actions(fields, joint);
  read_restraints(fields, joint);
  read_loop_constraint(fields, joint);
  if (is_loop_constraint(joint.type)) {
    for (const std::string_view field : {"locked", "cut"}) {
      if (const auto found = fields.find(field))
        found->error(fmt::format("a {} is always a loop constraint", type_name(joint.type)));
    }
  }
  return joint;
}

}  // namespace gyrostat::reading
