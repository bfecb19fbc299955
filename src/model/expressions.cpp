#include "gyrostat/model/expressions.h"

#include <algorithm>

#include <fmt/format.h>

namespace gyrostat {

namespace {

using Inputs = std::vector<std::pair<std::string, const Expression*>>;

Inputs list_inputs(std::string_view kind, const std::vector<Expression>& inputs) {
  Inputs list;
  for (std::size_t i = 0; i < inputs.size(); ++i) list.emplace_back(fmt::format("{}.inputs[{}]", kind, i), &inputs[i]);
  return list;
}

struct InputsOf {
  Inputs operator()(const Expression& e) const { return {{"", &e}}; }
  Inputs operator()(const IntegralBlock& b) const { return {{"integral", &b.input}}; }
  Inputs operator()(const TransferFunctionBlock& b) const { return {{"transfer_function.input", &b.input}}; }
  Inputs operator()(const StateSpaceBlock& b) const { return list_inputs("state_space", b.inputs); }
  Inputs operator()(const SwitchingAmplifierBlock& b) const { return {{"switching_amplifier.input", &b.input}}; }
  Inputs operator()(const SaturateBlock& b) const { return {{"saturate.input", &b.input}}; }
  Inputs operator()(const DelayBlock& b) const { return {{"delay.input", &b.input}}; }
  Inputs operator()(const SampleBlock& b) const { return {{"sample.input", &b.input}}; }
  Inputs operator()(const PidBlock& b) const { return {{"pid.input", &b.input}}; }
  Inputs operator()(const TableBlock& b) const { return {{"table.x", &b.x}}; }
  Inputs operator()(const NoiseBlock&) const { return {}; }
  Inputs operator()(const PluginBlock& b) const { return list_inputs("plugin", b.inputs); }
};

struct FeedsThrough {
  bool operator()(const Expression&) const { return true; }
  bool operator()(const IntegralBlock&) const { return false; }
  bool operator()(const TransferFunctionBlock& b) const { return degree(b.numerator) >= degree(b.denominator); }
  bool operator()(const StateSpaceBlock& b) const {
    return std::any_of(b.d.begin(), b.d.end(), [](const auto& row) {
      return std::any_of(row.begin(), row.end(), [](double x) { return x != 0; });
    });
  }
  bool operator()(const SwitchingAmplifierBlock&) const { return true; }
  bool operator()(const SaturateBlock&) const { return true; }
  bool operator()(const DelayBlock&) const { return false; }
  bool operator()(const SampleBlock&) const { return false; }
  bool operator()(const PidBlock& b) const { return b.kp != 0 || b.kd != 0; }
  bool operator()(const TableBlock&) const { return true; }
  bool operator()(const NoiseBlock&) const { return false; }
  bool operator()(const PluginBlock&) const { return false; }
};

class Collector {
 public:
  void add(std::string path, const Expression& expression, bool of_time_only = false) {
    if (!expression.empty()) list_.push_back({std::move(path), &expression, of_time_only});
  }
  void add(const std::string& path, const std::vector<Expression>& expressions, bool of_time_only = false) {
    if (expressions.size() == 1) return add(path, expressions[0], of_time_only);
    for (std::size_t i = 0; i < expressions.size(); ++i) {
      const bool repeated = i > 0 && expressions[i].text == expressions[0].text;  // one expression for all coordinates
      if (!repeated) add(fmt::format("{}[{}]", path, i), expressions[i], of_time_only);
    }
  }
  std::vector<ExpressionAt> take() { return std::move(list_); }

  void add_load(const std::string& path, const LoadDescription& load) {
    if (const auto* body = std::get_if<BodyLoad>(&load)) {
      add(path + ".force", body->force);
      add(path + ".torque", body->torque);
    } else if (const auto* spring = std::get_if<SpringLoad>(&load)) {
      add(path + ".spring.force", spring->force);
    } else if (const auto* thruster = std::get_if<ThrusterLoad>(&load)) {
      add(path + ".thruster.thrust", thruster->thrust);
      add(path + ".thruster.command", thruster->command);
    } else if (const auto* between = std::get_if<TorqueBetweenLoad>(&load)) {
      add(path + ".torque_between.torque", between->torque);
    }
  }

 private:
  std::vector<ExpressionAt> list_;
};

}  // namespace

Inputs inputs_of(const Block& block) { return std::visit(InputsOf{}, block); }

std::ptrdiff_t degree(const std::vector<double>& polynomial) {
  const auto leading = std::find_if(polynomial.begin(), polynomial.end(), [](double c) { return c != 0; });
  return polynomial.end() - leading - 1;
}

bool feeds_through(const Block& block) { return std::visit(FeedsThrough{}, block); }

std::vector<ExpressionAt> all_expressions(const Description& description) {
  Collector all;
  for (const BodyDescription& body : description.bodies) {
    for (const WheelDescription& wheel : body.wheels) {
      const std::string path = fmt::format("bodies.{}.wheels.{}", body.name, wheel.name);
      all.add(path + ".torque", wheel.torque);
      all.add(path + ".speed", wheel.speed, true);
    }
  }
  for (const JointDescription& joint : description.joints) {
    if (joint.torque.empty() && joint.axis_torque.empty() && joint.prescribed.motion.empty() && !joint.thermal)
      continue;
    const std::string path = "joints." + joint.name;
    const bool position = joint.prescribed.kind == Prescribed::Kind::position;
    all.add(path + ".torque", joint.torque);
    all.add(path + ".axis_torque", joint.axis_torque);
    all.add(path + (position ? ".prescribed.position" : ".prescribed.acceleration"), joint.prescribed.motion, position);
    if (joint.thermal) all.add(path + ".thermal.factor", joint.thermal->factor);
  }
  for (const SignalDescription& signal : description.signals) {
    for (const auto& [input, expression] : inputs_of(signal.block)) {
      all.add(input.empty() ? "signals." + signal.name : fmt::format("signals.{}.{}", signal.name, input), *expression);
    }
  }
  for (std::size_t i = 0; i < description.loads.size(); ++i)
    all.add_load(fmt::format("loads[{}]", i), description.loads[i]);
  return all.take();
}

}  // namespace gyrostat
