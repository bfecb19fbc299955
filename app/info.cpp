#include <algorithm>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "gyrostat/constraints/mobility.h"
#include "gyrostat/model/constraint_text.h"

#include "modes_text.h"
#include "output.h"

namespace gyrostat::app {

namespace {

constexpr std::size_t tree_lines = 200, tree_depth = 24, state_lines = 60;

std::string motion_of(const Joint& joint) {
  std::string text(type_name(joint.type));
  if (joint.nu > 1) text += fmt::format(", {} degrees of freedom", joint.nu);
  if (joint.motion == Motion::locked) text += ", locked";
  if (joint.motion == Motion::prescribed) text += ", prescribed";
  if (joint.may_lock) text += ", may be held";
  if (joint.reversed) text += ", reversed";
  return text;
}

/// Coordinates worth a glance: those of joints with axes, angles in degrees.
std::string coordinates_of(const Joint& joint, const State& state) {
  if (has_quaternion(joint.type)) return "";
  std::vector<std::string> values;
  const auto names = coordinate_names(joint.type, joint.translations, joint.rotations);
  bool all_zero = true;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const double value = state.q[static_cast<Eigen::Index>(joint.q + k)];
    all_zero = all_zero && value == 0;
    values.push_back(names[k].rotational ? fmt::format("{:.6g} deg", value * 180 / std::numbers::pi)
                                         : fmt::format("{:.6g} m", value));
  }
  return all_zero ? "" : fmt::format(" at {}", fmt::join(values, ", "));
}

std::string mass_of(const System& system, std::size_t i) {
  const double mass = system.bodies[i].mass_properties.mass;
  std::string text = mass == 0 ? "massless" : fmt::format("{:.6g} kg", mass);
  if (mass != 0 && system.bodies[i].mass_properties.inertia.isZero(0)) text += ", point mass";
  if (system.bodies[i].flexible != Body::none) {
    text += fmt::format(", {}", counted(system.flexible[system.bodies[i].flexible].data.modes(), "mode", "modes"));
  }
  std::vector<std::string_view> wheels;
  for (const Wheel& wheel : system.wheels) {
    if (wheel.body == i) wheels.push_back(wheel.name);
  }
  if (!wheels.empty()) text += fmt::format(", wheel{} {}", wheels.size() > 1 ? "s" : "", fmt::join(wheels, ", "));
  return text;
}

void print_tree(const System& system) {
  std::vector<std::uint32_t> last_child(system.bodies.size(), 0);
  std::vector<std::uint32_t> depth(system.bodies.size(), 0);
  for (std::uint32_t i = 1; i < system.bodies.size(); ++i) {
    last_child[system.parent[i]] = i;
    depth[i] = depth[system.parent[i]] + 1;
  }
  fmt::print("world\n");
  for (std::uint32_t i = 1; i < system.bodies.size(); ++i) {
    if (i > tree_lines) {
      fmt::print("... and {} more bodies (--json lists all)\n", system.bodies.size() - i);
      break;
    }
    std::string lines = last_child[system.parent[i]] == i ? "└─ " : "├─ ";
    if (depth[i] > tree_depth) {
      lines = fmt::format("{:>{}} ", fmt::format("... (depth {})", depth[i]), 3 * tree_depth);
    } else {
      for (std::uint32_t k = system.parent[i]; k > 0; k = system.parent[k]) {
        lines.insert(0, last_child[system.parent[k]] == k ? "   " : "│  ");
      }
    }
    const Joint& joint = system.joints[i];
    if (system.bodies[i].node != Body::none) {
      fmt::print("{}node {}\n", lines, system.bodies[i].name);
      continue;
    }
    fmt::print("{}{}: {}{} -> {} ({})\n", lines, joint.name, motion_of(joint), coordinates_of(joint, system.initial),
               system.bodies[i].name, mass_of(system, i));
  }
  for (const Constraint& constraint : system.constraints) {
    fmt::print("{}: {}{}\n", constraint.path, describe(system, constraint),
               constraint.why.empty() ? "" : fmt::format("; {}", constraint.why));
  }
}

/// A number in twelve columns; what is zero to rounding on the scale of its neighbours is printed as zero.
std::string aligned(double value, double scale) {
  return fmt::format("{:>12.6g}", std::abs(value) < 1e-13 * scale ? 0.0 : value);
}

void print_mass_properties(const MassProperties& m) {
  fmt::print("\nThe whole at its initial configuration, world axes:\n  mass     {:>12.6g} kg\n", m.mass);
  if (m.mass == 0) return;
  const double length = m.com.cwiseAbs().maxCoeff(), size = m.inertia.cwiseAbs().maxCoeff();
  fmt::print("  com      {} {} {} m\n", aligned(m.com.x(), length), aligned(m.com.y(), length),
             aligned(m.com.z(), length));
  for (Eigen::Index i = 0; i < 3; ++i) {
    fmt::print("  {} {} {} {}{}\n", i == 0 ? "inertia " : "        ", aligned(m.inertia(i, 0), size),
               aligned(m.inertia(i, 1), size), aligned(m.inertia(i, 2), size), i == 0 ? " kg m^2, about the com" : "");
  }
  const Vector3 moments = principal_moments(m.inertia);
  fmt::print("  principal{} {} {}\n", aligned(moments[0], size), aligned(moments[1], size), aligned(moments[2], size));
}

void print_mobility(const System& system) {
  if (system.constraints.empty()) return;
  const Mobility m = find_mobility(system);
  fmt::print("mobility {}: {} of the tree less {} of the constraints, of which {}\n", m.by_rank(), m.free,
             counted(m.rows, "row", "rows"),
             m.rank == m.rows ? "all are independent" : fmt::format("{} are independent", m.rank));
  if (m.rank != m.rows) {
    fmt::print("redundant: {} (by counting alone the mobility would be {})\n", text_of(m.redundant), m.counted());
  }
  if (!m.open.empty()) fmt::print("'{}' cannot be closed: {:.3g} m or rad is left\n", m.open, m.residual);
}

void print_degrees_of_freedom(const System& system) {
  const DegreesOfFreedom f = count_degrees_of_freedom(system);
  fmt::print("\n{}, {}: ", counted(count_bodies(system), "body", "bodies"),
             counted(f.all(), "degree of freedom", "degrees of freedom"));
  std::vector<std::string> parts = {fmt::format("{} of joints", f.free)};
  if (f.wheels > 0) parts.push_back(fmt::format("{} of wheels", f.wheels));
  if (f.modes > 0) parts.push_back(fmt::format("{} of modes", f.modes));
  if (f.locked > 0) parts.push_back(fmt::format("{} locked", f.locked));
  if (f.prescribed + f.wheels_prescribed > 0)
    parts.push_back(fmt::format("{} prescribed", f.prescribed + f.wheels_prescribed));
  fmt::print("{}\n", fmt::join(parts, ", "));
  print_mobility(system);
}

void print_state(std::string_view what, char symbol, const std::vector<StateEntry>& entries,
                 const Eigen::VectorXd& values) {
  fmt::print("\n{} {}:\n", entries.size(), what);
  std::size_t width = 0;
  for (std::size_t i = 0; i < std::min(entries.size(), state_lines); ++i)
    width = std::max(width, entries[i].name.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (i == state_lines) {
      fmt::print("  ... and {} more (--json lists all)\n", entries.size() - i);
      break;
    }
    const char* motion = entries[i].motion == Motion::free     ? ""
                         : entries[i].motion == Motion::locked ? "  locked"
                                                               : "  prescribed";
    fmt::print("  {}[{}]{:>{}} {:<{}} {:>14.8g}{}{}\n", symbol, i, "", i < 10 ? 1 : 0, entries[i].name, width,
               values[static_cast<Eigen::Index>(i)], entries[i].unit == "1" ? "" : fmt::format(" {}", entries[i].unit),
               motion);
  }
}

/// "mode: at first detumble", and a line for each state with the states that it leads to.
void print_state_machine(const std::string& name, const ModesBlock& modes) {
  fmt::print("\n{}: {}, at first {}\n", name, counted(modes.states.size(), "state", "states"),
             modes.states[modes.first()].name);
  std::size_t width = 0;
  for (const ModeState& state : modes.states) width = std::max(width, state.name.size());
  for (const ModeState& state : modes.states) {
    std::vector<std::string> to;
    for (const ModeTransition& t : state.transitions)
      to.push_back(t.hold > 0 ? fmt::format("{} after {:.6g} s", t.to, t.hold) : t.to);
    const std::string minimum = state.minimum > 0 ? fmt::format(" (at least {:.6g} s)", state.minimum) : "";
    fmt::print("  {:<{}} -> {}{}\n", state.name, width, to.empty() ? "stays" : fmt::format("{}", fmt::join(to, ", ")),
               minimum);
  }
}

Json state_machine_json(const std::string& name, const ModesBlock& modes) {
  Json states = Json::array();
  for (const ModeState& state : modes.states) {
    Json to = Json::array();
    for (const ModeTransition& t : state.transitions) to.push_back({{"state", t.to}, {"for", t.hold}});
    states.push_back({{"name", state.name}, {"minimum", state.minimum}, {"to", std::move(to)}});
  }
  return {{"name", name}, {"initial", modes.states[modes.first()].name}, {"states", std::move(states)}};
}

Json components_json(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

Json matrix_json(const Matrix3& m) {
  return {components_json(m.row(0)), components_json(m.row(1)), components_json(m.row(2))};
}

Json entries_json(const std::vector<StateEntry>& entries, const Eigen::VectorXd& values) {
  Json list = Json::array();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    list.push_back({{"name", entries[i].name},
                    {"unit", entries[i].unit},
                    {"initial", values[static_cast<Eigen::Index>(i)]},
                    {"motion", motion_name(entries[i].motion)}});
  }
  return list;
}

Json info_json(const Loaded& loaded) {
  const System& system = loaded.model->system;
  Json bodies = Json::array(), wheels = Json::array(), loops = Json::array();
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    const Joint& joint = system.joints[i];
    bodies.push_back({{"name", system.bodies[i].name},
                      {"parent", system.bodies[system.parent[i]].name},
                      {"mass", system.bodies[i].mass_properties.mass},
                      {"joint",
                       {{"name", joint.name},
                        {"type", type_name(joint.type)},
                        {"freedoms", joint.nu},
                        {"motion", motion_name(joint.motion)},
                        {"reversed", joint.reversed}}}});
  }
  for (const Wheel& wheel : system.wheels) {
    wheels.push_back({{"name", system.bodies[wheel.body].name + "." + wheel.name},
                      {"inertia", wheel.inertia},
                      {"motion", motion_name(wheel.speed_prescribed ? Motion::prescribed : Motion::free)}});
  }
  for (const Constraint& constraint : system.constraints)
    loops.push_back(
        {{"name", constraint.name}, {"type", constraint.type}, {"path", constraint.path}, {"why", constraint.why}});
  const DegreesOfFreedom f = count_degrees_of_freedom(system);
  const MassProperties total = total_mass_properties(system, system.initial.q);
  Json json = problems_as_json(loaded);
  json["name"] = system.name;
  json["freedoms"] = {{"joints", f.free},
                      {"wheels", f.wheels},
                      {"modes", f.modes},
                      {"locked", f.locked},
                      {"prescribed", f.prescribed + f.wheels_prescribed}};
  json["mass"] = total.mass;
  json["com"] = components_json(total.com);
  json["inertia"] = matrix_json(total.inertia);
  json["principal_moments"] = components_json(principal_moments(total.inertia));
  json["bodies"] = std::move(bodies);
  if (!system.flexible.empty()) {
    json["flexible"] = Json::array();
    for (const FlexibleBody& body : system.flexible) json["flexible"].push_back(modes_json(system, body));
  }
  json["wheels"] = std::move(wheels);
  json["loops"] = std::move(loops);
  if (!system.constraints.empty()) {
    const Mobility m = find_mobility(system);
    Json redundant = Json::object();
    for (const Redundant& one : m.redundant) redundant[one.constraint] = one.rows;
    json["mobility"] = {{"by_rank", m.by_rank()}, {"by_counting", m.counted()},        {"rows", m.rows},
                        {"rank", m.rank},         {"redundant", std::move(redundant)}, {"cannot_close", m.open}};
  }
  Json machines = Json::array();
  for (const SignalDescription& signal : loaded.model->description.signals) {
    if (const auto* modes = std::get_if<ModesBlock>(&signal.block))
      machines.push_back(state_machine_json(signal.name, *modes));
  }
  if (!machines.empty()) json["state_machines"] = std::move(machines);
  json["state"] = {{"coordinates", entries_json(coordinate_entries(system), system.initial.q)},
                   {"speeds", entries_json(speed_entries(system), system.initial.u)}};
  return json;
}

}  // namespace

int info(const ModelArguments& arguments) {
  const Loaded loaded = load(arguments);
  if (arguments.json) {
    print_json(loaded.model ? info_json(loaded) : problems_as_json(loaded));
    return loaded.model ? exit_code::done : exit_code::wrong_model;
  }
  print_problems(loaded);
  if (!loaded.model) return exit_code::wrong_model;
  const System& system = loaded.model->system;
  if (!system.name.empty()) fmt::print("{}\n\n", system.name);
  print_tree(system);
  print_degrees_of_freedom(system);
  print_mass_properties(total_mass_properties(system, system.initial.q));
  for (const FlexibleBody& body : system.flexible) print_modes(system, body);
  print_state("coordinates", 'q', coordinate_entries(system), system.initial.q);
  print_state("speeds", 'u', speed_entries(system), system.initial.u);
  for (const SignalDescription& signal : loaded.model->description.signals) {
    if (const auto* modes = std::get_if<ModesBlock>(&signal.block)) print_state_machine(signal.name, *modes);
  }
  return exit_code::done;
}

}  // namespace gyrostat::app
