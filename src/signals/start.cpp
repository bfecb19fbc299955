#include "gyrostat/signals/start.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gyrostat/model/expressions.h"
#include "gyrostat/model/ordering.h"

namespace gyrostat {

namespace {

std::size_t output_count(const Block& block) { return std::max<std::size_t>(1, output_names(block).size()); }

/// The outputs of a block that is no expression, from its inputs.
struct InitialOutput {
  const std::vector<double>& in;
  const Description& description;

  std::vector<double> operator()(const Expression&) const { return {in[0]}; }
  std::vector<double> operator()(const IntegralBlock& b) const { return {b.initial}; }
  std::vector<double> operator()(const TransferFunctionBlock& b) const {
    if (degree(b.denominator) > 0) return {b.initial};
    const auto last = [](const std::vector<double>& polynomial) { return polynomial.empty() ? 0 : polynomial.back(); };
    return {last(b.numerator) / last(b.denominator) * in[0]};  // a factor, which has no state
  }
  std::vector<double> operator()(const StateSpaceBlock& b) const {
    std::vector<double> out(std::max(b.c.size(), b.d.size()), 0.0);
    for (std::size_t i = 0; i < out.size(); ++i) {
      for (std::size_t k = 0; i < b.c.size() && k < b.c[i].size() && k < b.initial.size(); ++k) {
        out[i] += b.c[i][k] * b.initial[k];
      }
      for (std::size_t k = 0; i < b.d.size() && k < b.d[i].size(); ++k) out[i] += b.d[i][k] * in[k];
    }
    return out;
  }
  std::vector<double> operator()(const SwitchingAmplifierBlock& b) const {
    return {in[0] > b.deadband ? 1.0 : in[0] < -b.deadband ? -1.0 : 0.0};
  }
  std::vector<double> operator()(const SaturateBlock& b) const { return {std::min(std::max(in[0], b.low), b.high)}; }
  std::vector<double> operator()(const DelayBlock&) const { return {in[0]}; }
  std::vector<double> operator()(const SampleBlock&) const { return {in[0]}; }
  std::vector<double> operator()(const PidBlock& b) const {
    double out = b.kp * in[0] + b.ki * b.initial;
    if (b.low) out = std::max(out, *b.low);
    if (b.high) out = std::min(out, *b.high);
    return {out};
  }
  std::vector<double> operator()(const TableBlock& b) const {
    const auto found = std::ranges::find(description.tables, b.table, &TableDescription::name);
    return {Table(found->x, found->y, found->interpolation, found->outside).at(in[0]).value};
  }
  std::vector<double> operator()(const NoiseBlock&) const { return {0}; }
  std::vector<double> operator()(const PluginBlock& b) const {
    return std::vector<double>(std::max<std::size_t>(1, b.outputs.size()), 0.0);
  }
};

}  // namespace

std::string Start::obstacle(const Model& model) {
  if (model.description.environment.gravity_gradient != GravityGradient::none) {
    return "environment.gravity_gradient is not computed yet";
  }
  const Names names(model.description);
  for (const ExpressionAt& at : all_expressions(model.description)) {
    for (const std::string& name : at.expression->names) {
      const auto answer = names.resolve(name);
      const auto* reference = std::get_if<Reference>(&answer);
      if (reference == nullptr) continue;
      if (reference->quantity == Quantity::orbit_radius || reference->quantity == Quantity::orbit_true_anomaly ||
          reference->quantity == Quantity::orbit_nadir) {
        return at.path + " uses '" + name + "', and orbits are not computed yet";
      }
    }
  }
  return {};
}

Start::Start(const Model& model)
    : model_(model),
      names_(model.description),
      numbers_(model.system),
      prescribed_(model.description, names_, model.system) {
  // Inputs first: time, every name that is observed, every output of a block.
  const Description& description = model.description;
  inputs_["t"] = 0;
  observed_.push_back({});
  for (const ExpressionAt& at : all_expressions(description)) {
    for (const std::string& name : at.expression->names) {
      const auto answer = names_.resolve(name);
      const auto* reference = std::get_if<Reference>(&answer);
      if (reference == nullptr || reference->quantity == Quantity::parameter ||
          reference->quantity == Quantity::signal || inputs_.contains(name)) {
        continue;
      }
      inputs_[name] = static_cast<Slot>(observed_.size());
      observed_.push_back(observable(*reference, description, model.system, numbers_));
    }
  }
  std::size_t count = observed_.size();
  signal_slots_.assign(description.signals.size(), 0);
  for (std::size_t i = 0; i < description.signals.size(); ++i) {
    if (std::holds_alternative<Expression>(description.signals[i].block)) continue;
    signal_slots_[i] = static_cast<Slot>(count);
    count += output_count(description.signals[i].block);
  }
  builder_.emplace(count, 0);
  for (const TableDescription& t : description.tables) builder_->add_table(Table(t.x, t.y, t.interpolation, t.outside));
  add_signals();
  actions_.emplace(description, model.system, [this](const Expression& e) { return add(e); });
  program_ = builder_->finish();
  values_.resize(program_.slots);
  expression::prepare<double>(program_, values_);
}

Slot Start::slot_of(std::string_view name) {
  if (name == "pi") return builder_->constant(std::numbers::pi);
  const auto answer = names_.resolve(name);
  const Reference reference = std::get<Reference>(answer);
  if (reference.quantity == Quantity::parameter) {
    return builder_->constant(model_.description.parameters[reference.object].value.value);
  }
  if (reference.quantity == Quantity::signal) return signal_slots_[reference.object] + reference.part;
  return inputs_.at(std::string(name));
}

Slot Start::add(const Expression& expression) {
  return builder_->add(
      expression, [this](std::string_view name) { return slot_of(name); },
      [this](std::string_view name) { return *names_.table(name); });
}

/// Expressions in the order they need each other; what blocks give them is an input of the program.
void Start::add_signals() {
  const auto& signals = model_.description.signals;
  std::vector<std::vector<std::uint32_t>> needs(signals.size());
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const auto* e = std::get_if<Expression>(&signals[i].block);
    for (std::size_t k = 0; e != nullptr && k < e->names.size(); ++k) {
      const auto needed = names_.signal(e->names[k]);
      if (needed && std::holds_alternative<Expression>(signals[*needed].block)) needs[i].push_back(*needed);
    }
  }
  for (const std::uint32_t i : order_by_need(needs).order) {
    if (const auto* e = std::get_if<Expression>(&signals[i].block)) signal_slots_[i] = add(*e);
  }
  for (std::uint32_t i = 0; i < signals.size(); ++i) {
    if (std::holds_alternative<Expression>(signals[i].block)) continue;
    BlockAt block{i, signal_slots_[i], {}};
    for (const auto& [path, input] : inputs_of(signals[i].block)) block.inputs.push_back(add(*input));
    blocks_.push_back(std::move(block));
  }
}

/// Blocks that pass their input on may follow each other in any order: repeated until nothing changes.
void Start::evaluate(const Instant& instant) {
  for (std::size_t k = 0; k < observed_.size(); ++k) {
    values_[k] = observe(observed_[k], instant, model_.description, *actions_);
  }
  expression::evaluate<double>(program_, values_);
  bool changed = true;
  for (std::size_t pass = 0; changed && pass <= blocks_.size(); ++pass) {
    changed = false;
    for (const BlockAt& block : blocks_) {
      std::vector<double> in;
      for (const Slot slot : block.inputs) in.push_back(values_[slot]);
      const std::vector<double> out =
          std::visit(InitialOutput{in, model_.description}, model_.description.signals[block.signal].block);
      changed = changed || !std::equal(out.begin(), out.end(), values_.begin() + block.output);
      std::ranges::copy(out, values_.begin() + block.output);
    }
    if (changed) expression::evaluate<double>(program_, values_);
  }
}

void Start::forces(const Instant& instant, Forces<double>& forces) {
  evaluate(instant);
  apply(*actions_, instant, values_, forces);
  prescribed_.evaluate(0);
  for (const PrescribedMotion::Target& target : prescribed_.targets()) {
    const Jet& x = prescribed_.at(target);
    forces.udot[target.u] = target.speed ? x.rate : x.acceleration;
  }
}

}  // namespace gyrostat
