#include "gyrostat/signals/compile.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gyrostat/format/ordering.h"
#include "gyrostat/model/expressions.h"

namespace gyrostat {

namespace {

using expression::Code;

bool is_held(const Block& block) {
  return std::holds_alternative<SwitchingAmplifierBlock>(block) || std::holds_alternative<DelayBlock>(block) ||
         std::holds_alternative<SampleBlock>(block) || std::holds_alternative<NoiseBlock>(block) ||
         std::holds_alternative<PluginBlock>(block);
}

/// b(s)/a(s) with a monic: the coefficients of powers n, n - 1, ... 0 of both.
struct Fraction {
  std::vector<double> b, a;
};
Fraction normalised(const TransferFunctionBlock& block) {
  const auto n = static_cast<std::size_t>(degree(block.denominator));
  Fraction f{std::vector<double>(n + 1, 0.0), std::vector<double>(n + 1, 0.0)};
  const double lead = block.denominator[block.denominator.size() - 1 - n];
  for (std::size_t k = 0; k <= n; ++k) {
    f.a[n - k] = block.denominator[block.denominator.size() - 1 - k] / lead;
    if (k < block.numerator.size()) f.b[n - k] = block.numerator[block.numerator.size() - 1 - k] / lead;
  }
  return f;
}

std::vector<double> initial_states(const TransferFunctionBlock& b) {
  const Fraction f = normalised(b);
  std::vector<double> x(f.a.size() - 1, b.initial);  // so that the output is at rest there without an input
  for (std::size_t k = 1; k < x.size(); ++k) x[k] = f.a[k] * b.initial;
  return x;
}
std::vector<double> initial_states(const StateSpaceBlock& b) {
  std::vector<double> x = b.initial;
  x.resize(b.a.size(), 0.0);
  return x;
}
std::vector<double> initial_states(const Block& block) {
  if (const auto* b = std::get_if<IntegralBlock>(&block)) return {b->initial};
  if (const auto* b = std::get_if<TransferFunctionBlock>(&block)) return initial_states(*b);
  if (const auto* b = std::get_if<StateSpaceBlock>(&block)) return initial_states(*b);
  if (const auto* b = std::get_if<PidBlock>(&block)) return {b->initial, 0};  // the integral, and the filtered input
  return {};
}

class Compiler {
 public:
  Compiler(const Model& model, const Names& names)
      : model_(model), description_(model.description), names_(names), numbers_(model.system) {
    for (const ExpressionAt& at : all_expressions(description_)) paths_[at.expression] = at.path;
  }

  SignalProgram compile() {
    place_inputs();
    compile_outputs();
    compile_rates();
    const Slot thermal_place = result_.states + static_cast<Slot>(result_.thermal);
    result_.actions.emplace(
        description_, model_.system, [this](const Expression& e) { return add(e); }, thermal_place);
    compile_thermal(thermal_place);
    result_.program = builder_->finish();
    result_.owners.resize(result_.program.switches.size());
    return std::move(result_);
  }

 private:
  void observe_name(const std::string& name) {
    const auto answer = names_.resolve(name);
    const auto* reference = std::get_if<Reference>(&answer);
    if (reference == nullptr || reference->quantity == Quantity::parameter || reference->quantity == Quantity::signal ||
        inputs_.contains(name)) {
      return;
    }
    inputs_[name] = static_cast<Slot>(result_.observed.size());
    result_.observed.push_back(observable(*reference, description_, model_.system, numbers_));
  }

  void place_inputs() {
    inputs_["t"] = 0;
    result_.observed.push_back({});
    for (const ExpressionAt& at : all_expressions(description_)) {
      if (at.of_time_only) continue;
      for (const std::string& name : at.expression->names) observe_name(name);
    }

    result_.states = static_cast<Slot>(result_.observed.size());
    for (const SignalDescription& signal : description_.signals) {
      first_state_.push_back(static_cast<std::uint32_t>(result_.initial.size()));
      const std::vector<double> initial = initial_states(signal.block);
      result_.initial.insert(result_.initial.end(), initial.begin(), initial.end());
    }
    result_.thermal = result_.initial.size();
    result_.initial.resize(result_.initial.size() + thermal_rest_count(description_, model_.system));

    std::size_t count = result_.states + result_.initial.size();
    result_.outputs.resize(description_.signals.size());
    for (const std::uint32_t i : order_of_updates()) {
      const Block& block = description_.signals[i].block;
      if (!is_held(block)) continue;
      const auto outputs = static_cast<std::uint32_t>(std::max<std::size_t>(1, output_names(block).size()));
      result_.held.push_back({i, static_cast<Slot>(count), outputs, {}});
      for (std::uint32_t k = 0; k < outputs; ++k) result_.outputs[i].push_back(static_cast<Slot>(count + k));
      count += outputs;
    }
    builder_.emplace(count, 0);
    for (const TableDescription& t : description_.tables)
      builder_->add_table(Table(t.x, t.y, t.interpolation, t.outside));
  }

  std::vector<std::vector<std::uint32_t>> needs(bool only_at_once) const {
    std::vector<std::vector<std::uint32_t>> list(description_.signals.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Block& block = description_.signals[i].block;
      if (only_at_once && (is_held(block) || !feeds_through(block))) continue;
      for (const auto& [path, input] : inputs_of(block)) {
        for (const std::string& name : input->names) {
          const auto answer = names_.resolve(name);
          const auto* reference = std::get_if<Reference>(&answer);
          if (reference != nullptr && reference->quantity == Quantity::signal) list[i].push_back(reference->object);
        }
      }
    }
    return list;
  }
  /// In a circle, which only held blocks and states can close, the first in the file comes last.
  std::vector<std::uint32_t> order_of_updates() const { return order_by_need(needs(false)).order; }

  Slot slot_of(std::string_view name) {
    if (name == "pi") return builder_->constant(std::numbers::pi);
    const auto answer = names_.resolve(name);
    const Reference reference = std::get<Reference>(answer);
    if (reference.quantity == Quantity::parameter) {
      return builder_->constant(description_.parameters[reference.object].value.value);
    }
    if (reference.quantity == Quantity::signal) return result_.outputs[reference.object][reference.part];
    return inputs_.at(std::string(name));
  }

  Slot add(const Expression& expression) {
    const Slot slot = builder_->add(
        expression, [this](std::string_view name) { return slot_of(name); },
        [this](std::string_view name) { return *names_.table(name); });
    const auto path = paths_.find(&expression);
    own(path == paths_.end() ? expression.text : path->second);
    return slot;
  }
  void own(const std::string& path) { result_.owners.resize(builder_->switch_count(), path); }

  Slot number(double value) { return builder_->constant(value); }
  Slot sum(Slot a, Slot b) { return builder_->emit(Code::add, a, b); }
  Slot difference(Slot a, Slot b) { return builder_->emit(Code::subtract, a, b); }
  Slot scaled(double factor, Slot a) { return factor == 1 ? a : builder_->emit(Code::multiply, number(factor), a); }
  /// Adds factor * a to a sum that may still be empty.
  void accumulate(std::optional<Slot>& total, double factor, Slot a) {
    if (factor == 0) return;
    total = total ? sum(*total, scaled(factor, a)) : scaled(factor, a);
  }
  Slot state(std::size_t signal, std::size_t k) const {
    return result_.states + first_state_[signal] + static_cast<Slot>(k);
  }

  /// The output of a signal in slots: each after those it needs at the same instant.
  void compile_outputs() {
    for (const std::uint32_t i : order_by_need(needs(true)).order) {
      const Block& block = description_.signals[i].block;
      if (is_held(block)) continue;
      std::vector<Slot>& out = result_.outputs[i];
      if (const auto* e = std::get_if<Expression>(&block)) {
        out = {add(*e)};
      } else if (std::holds_alternative<IntegralBlock>(block)) {
        out = {state(i, 0)};
      } else if (const auto* transfer = std::get_if<TransferFunctionBlock>(&block)) {
        out = {output_of(*transfer, i)};
      } else if (const auto* space = std::get_if<StateSpaceBlock>(&block)) {
        out = outputs_of(*space, i);
      } else if (const auto* limits = std::get_if<SaturateBlock>(&block)) {
        out = {builder_->clamp(add(limits->input), number(limits->low), number(limits->high), "saturate")};
      } else if (const auto* pid = std::get_if<PidBlock>(&block)) {
        out = {output_of(*pid, i)};
      } else if (const auto* table = std::get_if<TableBlock>(&block)) {
        out = {builder_->look_up(*names_.table(table->table), add(table->x))};
      }
      own("signals." + description_.signals[i].name);
    }
  }

  Slot output_of(const TransferFunctionBlock& b, std::size_t i) {
    const Fraction f = normalised(b);
    std::optional<Slot> total;
    if (f.a.size() > 1) total = state(i, 0);
    if (f.b[0] != 0) accumulate(total, f.b[0], add(b.input));
    return total.value_or(number(0));
  }
  std::vector<Slot> outputs_of(const StateSpaceBlock& b, std::size_t i) {
    std::vector<Slot> in;
    if (feeds_through(b)) {
      for (const Expression& input : b.inputs) in.push_back(add(input));
    }
    std::vector<Slot> out;
    for (std::size_t row = 0; row < std::max(b.c.size(), b.d.size()); ++row) {
      std::optional<Slot> total;
      for (std::size_t k = 0; row < b.c.size() && k < b.c[row].size(); ++k) accumulate(total, b.c[row][k], state(i, k));
      for (std::size_t k = 0; !in.empty() && row < b.d.size() && k < b.d[row].size(); ++k) {
        accumulate(total, b.d[row][k], in[k]);
      }
      out.push_back(total.value_or(number(0)));
    }
    return out;
  }
  /// kp e + ki integral + kd (e - filtered e)/filter, before limits.
  Slot unlimited(const PidBlock& b, std::size_t i) {
    std::optional<Slot> total;
    if (feeds_through(b)) {
      const Slot e = add(b.input);
      accumulate(total, b.kp, e);
      if (b.kd != 0) accumulate(total, b.kd / b.filter, difference(e, state(i, 1)));
    }
    accumulate(total, b.ki, state(i, 0));
    return total.value_or(number(0));
  }
  Slot output_of(const PidBlock& b, std::size_t i) {
    const Slot raw = unlimited(b, i);
    if (!b.low && !b.high) return raw;
    constexpr double far = 1e300;
    return builder_->clamp(raw, number(b.low.value_or(-far)), number(b.high.value_or(far)), "pid");
  }

  void compile_rates() {
    for (std::size_t i = 0; i < description_.signals.size(); ++i) {
      const Block& block = description_.signals[i].block;
      if (const auto* integral = std::get_if<IntegralBlock>(&block)) {
        result_.rates.push_back(add(integral->input));
      } else if (const auto* transfer = std::get_if<TransferFunctionBlock>(&block)) {
        add_rates(*transfer, i);
      } else if (const auto* space = std::get_if<StateSpaceBlock>(&block)) {
        add_rates(*space, i);
      } else if (const auto* pid = std::get_if<PidBlock>(&block)) {
        add_rates(*pid, i);
      }
      own("signals." + description_.signals[i].name);
    }
    for (HeldBlock& held : result_.held) {
      for (const auto& [path, input] : inputs_of(description_.signals[held.signal].block)) {
        held.inputs.push_back(add(*input));
      }
    }
  }
  /// Observer form: x_k' = x_{k+1} - a_k y + b_k u.
  void add_rates(const TransferFunctionBlock& b, std::size_t i) {
    const Fraction f = normalised(b);
    const Slot u = add(b.input), y = result_.outputs[i][0];
    for (std::size_t k = 1; k < f.a.size(); ++k) {
      std::optional<Slot> total;
      if (k + 1 < f.a.size()) total = state(i, k);
      accumulate(total, -f.a[k], y);
      accumulate(total, f.b[k], u);
      result_.rates.push_back(total.value_or(number(0)));
    }
  }
  void add_rates(const StateSpaceBlock& b, std::size_t i) {
    std::vector<Slot> in;
    for (const Expression& input : b.inputs) in.push_back(add(input));
    for (std::size_t row = 0; row < b.a.size(); ++row) {
      std::optional<Slot> total;
      for (std::size_t k = 0; k < b.a[row].size(); ++k) accumulate(total, b.a[row][k], state(i, k));
      for (std::size_t k = 0; row < b.b.size() && k < b.b[row].size(); ++k) accumulate(total, b.b[row][k], in[k]);
      result_.rates.push_back(total.value_or(number(0)));
    }
  }
  /// At a limit the integral is led back (Astrom and Hagglund's tracking, with the time constant kp/ki), so that it
  /// tends to the value which reaches the limit alone; a mere integral stops there.
  void add_rates(const PidBlock& b, std::size_t i) {
    const Slot e = add(b.input), raw = unlimited(b, i), zero = number(0);
    Slot rate = e;
    const bool limited = b.ki != 0 && (b.low || b.high);
    if (limited && b.kp != 0) {
      const double per_excess = (b.ki > 0 ? 1 : -1) / std::abs(b.kp);
      rate = sum(e, scaled(per_excess, difference(result_.outputs[i][0], raw)));
    } else if (limited) {
      const auto stop = [&](Slot beyond, Slot outward, Slot otherwise) {
        return builder_->where_positive(beyond, builder_->where_positive(outward, zero, e, "pid"), otherwise, "pid");
      };
      if (b.high) rate = stop(difference(raw, number(*b.high)), scaled(b.ki, e), rate);
      if (b.low) rate = stop(difference(number(*b.low), raw), scaled(-b.ki, e), rate);
    }
    result_.rates.push_back(rate);
    if (b.kd == 0) {
      result_.rates.push_back(zero);
      return;
    }
    result_.rates.push_back(scaled(1 / b.filter, difference(e, state(i, 1))));
    result_.starts_at.emplace_back(first_state_[i] + 1, e);  // no derivative before there was a change
  }

  void compile_thermal(Slot place) {
    for (std::size_t k = 0; k < result_.actions->thermal.size(); ++k) {
      const ThermalRest& rest = result_.actions->thermal[k];
      result_.initial[result_.thermal + k] = rest.initial;
      const Slot goal = rest.factor == nothing ? number(rest.steady) : scaled(rest.steady, rest.factor);
      result_.rates.push_back(scaled(1 / rest.time_constant, difference(goal, place + static_cast<Slot>(k))));
    }
  }

  const Model& model_;
  const Description& description_;
  const Names& names_;
  Numbers numbers_;
  std::unordered_map<const Expression*, std::string> paths_;
  std::unordered_map<std::string, Slot> inputs_;  // observed, by name
  std::vector<std::uint32_t> first_state_;        // by signal
  std::optional<expression::ProgramBuilder> builder_;
  SignalProgram result_;
};

}  // namespace

SignalProgram compile_signals(const Model& model, const Names& names) { return Compiler(model, names).compile(); }

}  // namespace gyrostat
