#include "gyrostat/analysis/points.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "gyrostat/expression/nearest.h"
#include "gyrostat/model/dimensions.h"
#include "gyrostat/simulate/outputs.h"

namespace gyrostat {

namespace {

constexpr std::array<std::string_view, 3> axis_names = {"x", "y", "z"};

/// All forces and torques that may be inputs.
std::vector<NamedInput> loads_of(const System& system) {
  std::vector<NamedInput> list;
  const auto speeds = speed_entries(system);
  const auto on_speed = [&](std::uint32_t u, std::string name, bool torque, std::string description) {
    list.push_back({SpeedInput{u}, {std::move(name), torque ? "N*m" : "N", std::move(description)}});
  };
  for (std::uint32_t i = 1; i < system.joints.size(); ++i) {
    const Joint& joint = system.joints[i];
    if (joint.motion != Motion::free) continue;
    for (std::uint32_t k = 0; k < joint.nu; ++k) {
      const StateEntry& entry = speeds[joint.u + k];
      const bool torque = entry.unit == "rad/s";
      const std::string_view speed = std::string_view(entry.name).substr(joint.name.size() + 1);
      const std::size_t digit = speed.find_first_of("0123456789");
      std::string suffix = digit == std::string_view::npos ? "" : std::string(speed.substr(digit));
      if (const std::size_t axis = speed.rfind('_'); axis != std::string_view::npos) suffix = speed.substr(axis);
      on_speed(joint.u + k, fmt::format("{}.{}{}", joint.name, torque ? "torque" : "force", suffix), torque,
               fmt::format("{} conjugate to {}", torque ? "torque" : "force", entry.name));
    }
  }
  for (const Wheel& wheel : system.wheels) {
    if (wheel.speed_prescribed) continue;
    const std::string name = system.bodies[wheel.body].name + "." + wheel.name;
    on_speed(wheel.u, name + ".torque", true, "motor torque on the wheel");
  }
  const auto at_node = [&](const std::string& name, std::uint32_t node, bool torque) {
    for (std::uint32_t k = 0; k < 3; ++k) {
      list.push_back({NodeInput{node, k, torque, Axes::body},
                      {fmt::format("{}.{}_{}", name, torque ? "torque" : "force", axis_names[k]), torque ? "N*m" : "N",
                       fmt::format("{} on {}, body axes", torque ? "torque" : "force", name)}});
    }
  };
  for (std::size_t i = 1; i < system.bodies.size(); ++i) {
    const Body& body = system.bodies[i];
    at_node(body.name, body.com_node, true);
    at_node(body.name, body.com_node, false);
    for (const NamedPoint& point : body.points) {
      at_node(body.name + "." + point.name, system.node(body.name + "." + point.name), false);
    }
  }
  return list;
}

/// Is a signal among what a prescribed motion is computed from? Its derivatives by time would be inputs too.
bool drives_prescribed(const Plant& plant, std::uint32_t signal) {
  const SignalProgram& signals = plant.signals();
  return std::ranges::any_of(signals.outputs[signal], [&](Slot slot) {
    return std::ranges::any_of(signals.prescribed, [&](const PrescribedMotion& m) { return m.slot == slot; }) ||
           std::ranges::any_of(signals.prescribed_instructions,
                               [&](const expression::Instruction& i) { return i.target == slot; });
  });
}

}  // namespace

NamedInput find_input(const Plant& plant, const std::string& name) {
  const Names& names = plant.names();
  const auto answer = names.resolve(name);
  if (const auto* reference = std::get_if<Reference>(&answer);
      reference != nullptr && reference->quantity == Quantity::signal) {
    if (drives_prescribed(plant, reference->object)) {
      throw AnalysisError(fmt::format(
          "the signal '{}' cannot be an input: a prescribed motion follows it, and would need its derivatives", name));
    }
    const Description& description = plant.model().description;
    return {SignalInput{reference->object, reference->part, false},
            {name, units_of_signals(description, names)[reference->object], "added to the signal"}};
  }
  std::vector<NamedInput> loads = loads_of(plant.system());
  const auto found = std::ranges::find(loads, name, [](const NamedInput& i) { return i.variable.name; });
  if (found != loads.end()) return *found;
  std::vector<std::string> all;
  for (const SignalDescription& signal : plant.model().description.signals) all.push_back(signal.name);
  for (const NamedInput& load : loads) all.push_back(load.variable.name);
  const bool quantity = std::holds_alternative<Reference>(answer);
  throw AnalysisError(fmt::format("no input '{}'{}{}; inputs are signals, and forces and torques like {}", name,
                                  quantity ? ", which is a result of the motion" : "", did_you_mean(name, all),
                                  loads.empty() ? "bus.torque_x" : loads.front().variable.name));
}

NamedOutput find_output(const Plant& plant, const std::string& text) {
  const auto parsed = expression::parse(text);
  if (parsed.complaint) {
    throw AnalysisError(
        fmt::format("output '{}': {} (column {})", text, parsed.complaint->message, parsed.complaint->offset + 1));
  }
  for (const expression::Node& node : parsed.expression.nodes) {
    const bool table = node.operation == expression::Operation::table;
    if (node.operation != expression::Operation::name && !table) continue;
    const std::string& name = parsed.expression.names[node.name];
    if (table) {
      if (!plant.names().table(name))
        throw AnalysisError(fmt::format("output '{}': {}", text, plant.names().no_table(name)));
      continue;
    }
    if (name == "pi") continue;
    const auto answer = plant.names().resolve(name);
    if (const auto* why = std::get_if<std::string>(&answer)) {
      throw AnalysisError(fmt::format("output '{}': {}", text, *why));
    }
  }
  NamedOutput output{parsed.expression, {text, "", ""}};
  if (parsed.expression.nodes.size() == 1 && parsed.expression.nodes[0].operation == expression::Operation::name &&
      text != "pi") {
    const OutputColumn column = column_of(plant, text, units_of_signals(plant.model().description, plant.names()));
    output.variable.unit = column.unit;
    output.variable.description = column.description;
  }
  return output;
}

}  // namespace gyrostat
