#include "gyrostat/model/compiler.h"

#include <cmath>
#include <numbers>

#include "gyrostat/format/ordering.h"
#include "gyrostat/model/expressions.h"

namespace gyrostat {

ExpressionCompiler::ExpressionCompiler(const Description& description, const Names& names)
    : outputs(description.signals.size()),
      description_(description),
      names_(names),
      parameters_(description.parameters.size()) {
  for (const ExpressionAt& at : all_expressions(description)) paths_[at.expression] = at.path;
  for (const TableDescription& t : description.tables) builder_.add_table(Table(t.x, t.y, t.interpolation, t.outside));
}

const std::string& ExpressionCompiler::path_of(const Expression& expression) const {
  const auto path = paths_.find(&expression);
  return path == paths_.end() ? expression.text : path->second;
}

Slot ExpressionCompiler::slot_of(std::string_view name) {
  if (name == "pi") return builder_.constant(std::numbers::pi);
  const auto answer = names_.resolve(name);
  const Reference reference = std::get<Reference>(answer);
  switch (reference.quantity) {
    case Quantity::time: return 0;
    case Quantity::parameter: {
      std::optional<Slot>& slot = parameters_[reference.object];
      if (!slot) slot = number(description_.parameters[reference.object].value.value);
      return *slot;
    }
    case Quantity::signal: return outputs[reference.object][reference.part];
    case Quantity::sun_direction: return number((*description_.environment.sun)[reference.component]);
    default: return observe(reference);
  }
}

Slot ExpressionCompiler::add(const Expression& expression) {
  const Slot slot = builder_.add(
      expression, [this](std::string_view name) { return slot_of(name); },
      [this](std::string_view name) { return table(name); });
  own(path_of(expression));
  return slot;
}

std::size_t ExpressionCompiler::add_state(double initial, std::string owner) {
  states.push_back({builder_.add_inputs(), 0, initial, std::move(owner)});
  return states.size() - 1;
}

void ExpressionCompiler::accumulate(std::optional<Slot>& total, double factor, Slot a) {
  if (factor == 0) return;
  total = total ? sum(*total, scaled(factor, a)) : scaled(factor, a);
}

expression::Program ExpressionCompiler::finish(std::vector<std::string>& owners) {
  owners_.resize(builder_.switch_count());
  owners = std::move(owners_);
  return builder_.finish();
}

std::vector<std::vector<std::uint32_t>> signals_needed(const Description& description, const Names& names,
                                                       bool at_once) {
  std::vector<std::vector<std::uint32_t>> list(description.signals.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Block& block = description.signals[i].block;
    if (at_once && !feeds_through(block)) continue;
    for (const auto& [path, input] : inputs_of(block)) {
      for (const std::string& name : input->names) {
        const auto answer = names.resolve(name);
        const auto* reference = std::get_if<Reference>(&answer);
        if (reference != nullptr && reference->quantity == Quantity::signal) list[i].push_back(reference->object);
      }
    }
  }
  return list;
}

std::vector<bool> signals_of_time(const Description& description, const Names& names) {
  std::vector<bool> of_time(description.signals.size());
  const auto is_of_time = [&](const std::string& name) {
    const auto answer = names.resolve(name);
    const auto* reference = std::get_if<Reference>(&answer);
    if (reference == nullptr) return true;  // pi, or a table
    return reference->quantity == Quantity::time || reference->quantity == Quantity::parameter ||
           (reference->quantity == Quantity::signal && of_time[reference->object]);
  };
  for (const std::uint32_t i : order_by_need(signals_needed(description, names, false)).order) {
    const auto* expression = std::get_if<Expression>(&description.signals[i].block);
    of_time[i] = expression != nullptr && std::ranges::all_of(expression->names, is_of_time);
  }
  return of_time;
}

}  // namespace gyrostat
