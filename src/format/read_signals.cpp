#include <fmt/format.h>

#include "gyrostat/format/limits.h"
#include "gyrostat/format/read_sections.h"

namespace gyrostat::reading {

namespace {

/// Names of the outputs of a block: identifiers, each once.
std::vector<std::string> read_outputs(const Fields& fields) {
  const auto value = fields.find("outputs");
  if (!value) return {};
  if (value->node.items.size() > limits::parts) {
    value->error(fmt::format("{} outputs; the limit is {}", value->node.items.size(), limits::parts));
    return {};
  }
  std::vector<std::string> names = read_names(*value);
  if (value->is_list() && names.empty()) value->error("at least one output is needed");
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!names[i].empty()) check_name(value->item(i), names[i]);
  }
  return names;
}

TransferFunctionBlock read_transfer_function(const Value& value) {
  const Fields f(value, format::transfer_function);
  return {f.dynamic("input"), f.filled_list("numerator"), f.filled_list("denominator"), f.measured("initial", 0)};
}

StateSpaceBlock read_state_space(const Value& value) {
  const Fields f(value, format::state_space);
  const auto matrix = [&](std::string_view name) {
    const auto field = f.find(name);
    if (!field) return std::vector<std::vector<double>>{};
    auto rows = read_matrix(*field);
    if (field->is_list() && field->node.items.empty()) field->error("the list is empty");
    return rows;
  };
  StateSpaceBlock block;
  block.inputs = f.dynamic_list("inputs");
  if (const auto inputs = f.find("inputs"); inputs && inputs->is_list() && block.inputs.empty())
    inputs->error("the list is empty");
  block.a = matrix("a");
  block.b = matrix("b");
  block.c = matrix("c");
  block.d = matrix("d");
  block.initial = f.constant_list("initial");
  block.outputs = read_outputs(f);
  return block;
}

// Deadbands, limits and gains have the dimensions of whatever the expressions around them mean: any unit will do.

SwitchingAmplifierBlock read_switching_amplifier(const Value& value) {
  const Fields f(value, format::switching_amplifier);
  return {f.dynamic("input"), f.measured("deadband", unreadable), f.measured("hysteresis", 0),
          f.constant("min_on_time"), f.constant("min_off_time")};
}

SaturateBlock read_saturate(const Value& value) {
  const Fields f(value, format::saturate);
  return {f.dynamic("input"), f.measured("low", unreadable), f.measured("high", unreadable)};
}

PidBlock read_pid(const Value& value) {
  const Fields f(value, format::pid);
  const auto limit = [&](std::string_view name) {
    return f.has(name) ? std::optional(f.measured(name, 0)) : std::nullopt;
  };
  return {f.dynamic("input"),   f.measured("kp", 0),      f.measured("ki", 0), f.measured("kd", 0),
          f.constant("filter"), f.measured("initial", 0), limit("low"),        limit("high")};
}

NoiseBlock read_noise(const Value& value) {
  const Fields f(value, format::noise);
  const auto seed = f.find("seed");
  return {seed ? read_integer(*seed) : 0, f.measured("std", unreadable), f.constant("period", unreadable)};
}

PluginBlock read_plugin(const Value& value) {
  const Fields f(value, format::plugin);
  return {f.text("library"), f.text("function"), f.dynamic_list("inputs"), read_outputs(f),
          f.constant("period", unreadable)};
}

Block read_block(const Value& value) {
  if (!value.is_mapping()) {
    if (value.is_scalar()) return read_dynamic(value, std::nullopt);
    value.expected("an expression or a block like {integral: ...}");
    return Expression{};
  }
  const Fields fields(value, format::signal);
  const auto kind = fields.kind();
  if (const auto initial = fields.find("initial"); initial && kind && *kind != "integral") {
    initial->error(fmt::format("'initial' stands beside 'integral' only; for {} it goes inside", *kind));
  }
  if (!kind) return Expression{};
  if (*kind == "integral") {
    return IntegralBlock{fields.dynamic("integral"), fields.measured("initial", 0)};
  }
  const Value inside = *fields.find(*kind);
  if (*kind == "transfer_function") return read_transfer_function(inside);
  if (*kind == "state_space") return read_state_space(inside);
  if (*kind == "switching_amplifier") return read_switching_amplifier(inside);
  if (*kind == "saturate") return read_saturate(inside);
  if (*kind == "pid") return read_pid(inside);
  if (*kind == "noise") return read_noise(inside);
  if (*kind == "plugin") return read_plugin(inside);
  if (*kind == "delay") {
    const Fields f(inside, format::delay);
    return DelayBlock{f.dynamic("input"), f.constant("time", unreadable)};
  }
  if (*kind == "sample") {
    const Fields f(inside, format::sample);
    return SampleBlock{f.dynamic("input"), f.constant("period", unreadable)};
  }
  const Fields f(inside, format::table_block);
  return TableBlock{f.dynamic("x"), f.text("table")};
}

}  // namespace

SignalDescription read_signal(const Value& value, std::string_view name) {
  if (expression::function_named(name)) value.error_at_name(fmt::format("'{}' is the name of a function", name));
  return {std::string(name), read_block(value)};
}

std::optional<LoadDescription> read_load(const Value& value) {
  const Fields fields(value, format::load);
  const auto kind = fields.kind();
  if (!kind) return std::nullopt;
  if (*kind == "body") {
    BodyLoad load;
    const auto point = fields.find("point");
    load.at = point ? read_point(*point, fields.text("body")) : PointReference{fields.text("body"), "", std::nullopt};
    if (const auto f = fields.find("force")) load.force = read_dynamic_vector(*f, dimension::force);
    if (const auto f = fields.find("torque")) load.torque = read_dynamic_vector(*f, dimension::torque);
    load.axes = fields.choice_as("axes", Axes::body);
    if (!fields.has("force") && !fields.has("torque")) value.error("needs a 'force' or a 'torque'");
    if (point && !fields.has("force")) point->error("only a force acts at a point");
    return load;
  }
  for (const std::string_view name : {"force", "torque", "point", "axes"}) {
    if (const auto field = fields.find(name)) field->error(fmt::format("does not go with '{}'", *kind));
  }
  const Value inside = *fields.find(*kind);
  if (*kind == "spring") {
    const Fields f(inside, format::spring);
    SpringLoad load;
    if (const auto from = f.find("from")) load.from = read_attachment(*from);
    if (const auto to = f.find("to")) load.to = read_attachment(*to);
    if (const auto k = f.find("stiffness")) load.stiffness = read_coefficient(*k, dimension::stiffness);
    if (const auto d = f.find("damping")) load.damping = read_coefficient(*d, dimension::damping);
    load.length = f.constant("length");
    load.force = f.dynamic("force");
    return load;
  }
  if (*kind == "thruster") {
    const Fields f(inside, format::thruster);
    ThrusterLoad load;
    const auto point = f.find("point");
    load.at = point ? read_point(*point, f.text("body")) : PointReference{f.text("body"), "", std::nullopt};
    load.direction = f.direction("direction");
    load.thrust = f.dynamic("thrust");
    load.command = f.dynamic("command");
    return load;
  }
  const Fields f(inside, format::torque_between);
  return TorqueBetweenLoad{f.text("from"), f.text("to"), f.direction("axis"), f.dynamic("torque")};
}

}  // namespace gyrostat::reading
