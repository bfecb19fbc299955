#include "gyrostat/signals/signals.h"

#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "gyrostat/signals/noise.h"

namespace gyrostat {

namespace {

/// Of blocks that act at whole multiples of a period; infinity for others.
double period_of(const Block& block) {
  if (const auto* b = std::get_if<SampleBlock>(&block)) return b->period;
  if (const auto* b = std::get_if<NoiseBlock>(&block)) return b->period;
  if (const auto* b = std::get_if<PluginBlock>(&block)) return b->period;
  return never;
}

std::string_view amplifier_state(double output) { return output > 0 ? "on +" : output < 0 ? "on -" : "off"; }

}  // namespace

Signals::Signals(const Model& model, const Names& names, std::vector<PluginFunction> plugins)
    : model_(model), program_(compile_signals(model, names)), board_(program_.program), plugins_(std::move(plugins)) {
  first_held_ = program_.states + static_cast<Slot>(program_.state_count());
  std::size_t outputs = 0;
  for (std::size_t h = 0; h < program_.held.size(); ++h) {
    const Block& block = block_of(program_.held[h]);
    outputs += program_.held[h].outputs;
    if (std::holds_alternative<SwitchingAmplifierBlock>(block)) amplifiers_.push_back(h);
    if (period_of(block) < never) sampled_.push_back(h);
    if (const auto* delay = std::get_if<DelayBlock>(&block)) {
      delays_.push_back(h);
      needs_.push_back(find_needs(program_, program_.held[h].inputs[0]));
      longest_step_ = std::min(longest_step_, delay->time);
    }
  }
  plugins_.resize(model.description.signals.size());
  held_values_.assign(outputs, 0.0);
  memory_.resize(program_.held.size());
  for (std::size_t h = 0; h < memory_.size(); ++h) {
    memory_[h].memory.assign(plugins_[program_.held[h].signal].memory, 0);
  }
  values_.assign(program_.program.slots, 0.0);
  expression::prepare<double>(program_.program, values_);
  const Actions& a = *program_.actions;
  const auto bends = [](const auto& action) { return action.stiffness.table >= 0 || action.damping.table >= 0; };
  watches_ = board_.watches() || !amplifiers_.empty() || std::ranges::any_of(a.speeds, bends) ||
             std::ranges::any_of(a.springs, bends);
}

Signals::Needs Signals::find_needs(const SignalProgram& program, Slot slot) {
  Needs needs;
  std::vector<bool> seen(program.program.slots);
  std::vector<Slot> open = {slot};
  const auto& instructions = program.program.instructions;  // in the order of their targets
  while (!open.empty()) {
    const Slot next = open.back();
    open.pop_back();
    if (seen[next]) continue;
    seen[next] = true;
    if (next > 0 && next < program.states) needs.motion = true;
    for (std::size_t h = 0; h < program.held.size(); ++h) {
      const HeldBlock& held = program.held[h];
      if (next >= held.output && next < held.output + held.outputs) needs.held.push_back(h);
    }
    const auto made = std::ranges::lower_bound(instructions, next, {}, &expression::Instruction::target);
    if (made == instructions.end() || made->target != next) continue;
    using expression::Code;
    if (made->code == Code::select || made->code == Code::table) needs.switches.push_back(made->which);
    if (made->code == Code::atan2 && made->which > 0) needs.switches.push_back(made->which - 1);
    open.push_back(made->a);
    if (made->code != Code::table) open.push_back(made->b);
  }
  return needs;
}

template <class T>
void Signals::evaluate(const Instant<T>& instant, const T* x, std::vector<T>& values, Shared<T>& shared) const {
  for (std::size_t k = 0; k < program_.state_count(); ++k) values[program_.states + k] = x[k];
  for (std::size_t k = 0; k < held_values_.size(); ++k) values[first_held_ + k] = T(held_values_[k]);
  for (const std::size_t h : delays_) {
    const double time = std::get<DelayBlock>(block_of(program_.held[h])).time;
    values[program_.held[h].output] = T(memory_[h].history.at(instant.t - time));
  }
  for (std::size_t k = 0; k < program_.observed.size(); ++k) {
    values[k] = observe<T>(program_.observed[k], instant, *program_.actions, values, shared);
  }
  expression::evaluate<T, std::uint32_t>(program_.program, values, board_.modes());
}
template void Signals::evaluate(const Instant<double>&, const double*, std::vector<double>&, Shared<double>&) const;
template void Signals::evaluate(const Instant<Dual<8>>&, const Dual<8>*, std::vector<Dual<8>>&, Shared<Dual<8>>&) const;

void Signals::evaluate_again(const Instant<double>& instant, const double* x) {
  Shared<double> shared;
  evaluate(instant, x, shared);
}

void Signals::forget() {
  std::ranges::fill(held_values_, 0.0);
  for (std::size_t h = 0; h < memory_.size(); ++h) {
    HeldMemory& memory = memory_[h];
    memory.since = -never;
    memory.next = 0;
    memory.memory.assign(plugins_[program_.held[h].signal].memory, 0);
  }
  segments_.clear();
  failure_.clear();
}

void Signals::start(const Instant<double>& instant, double* x) {
  std::ranges::copy(program_.initial, x);
  for (const std::size_t h : delays_) memory_[h].history.begin(instant.t, 0);
  std::vector<Change> changes;
  const auto start_there = [&] {
    for (const auto& [state, slot] : program_.starts_at) x[state] = values_[slot];
    for (const std::size_t h : delays_) memory_[h].history.begin(instant.t, value(program_.held[h].inputs[0]));
  };
  // A state or a delay that starts at the value of something may need another that does. Plugins are called once, last.
  const std::size_t passes = program_.starts_at.size() + delays_.size();
  for (std::size_t pass = 0; pass <= passes; ++pass) {
    calls_plugins_ = pass == passes;
    forget();
    settle(instant, x, changes);
    start_there();
  }
  evaluate_again(instant, x);
}

double Signals::due(std::size_t held) const {
  return static_cast<double>(memory_[held].next) * period_of(block_of(program_.held[held]));
}

double Signals::next_time(double t) const {
  double next = board_.next_time(t);
  const auto consider = [&](double time) {
    if (!is_due(time, t)) next = std::min(next, time);
  };
  for (const std::size_t h : sampled_) consider(due(h));
  for (const std::size_t h : amplifiers_) consider(may_change_at(h));
  for (const std::size_t h : delays_) consider(memory_[h].history.next_piece() + delay_of(h));
  return next;
}

double Signals::may_change_at(std::size_t amplifier) const {
  const HeldBlock& held = program_.held[amplifier];
  const auto& block = std::get<SwitchingAmplifierBlock>(block_of(held));
  const bool on = held_values_[held.output - first_held_] != 0;
  return memory_[amplifier].since + (on ? block.min_on_time : block.min_off_time);
}

/// The output that the input asks for, if it may change.
double Signals::wanted(std::size_t amplifier) const {
  const HeldBlock& held = program_.held[amplifier];
  const auto& block = std::get<SwitchingAmplifierBlock>(block_of(held));
  const double input = values_[held.inputs[0]], now = held_values_[held.output - first_held_];
  if (now != 0) return now * input < block.deadband - block.hysteresis ? 0 : now;
  return input > block.deadband ? 1 : input < -block.deadband ? -1 : 0;
}

bool Signals::any_misplaced(const Instant<double>& instant) {
  if (board_.any_misplaced([this](Slot slot) { return values_[slot]; })) return true;
  for (const std::size_t h : amplifiers_) {
    if (instant.t >= may_change_at(h) && wanted(h) != output_of(program_.held[h])) return true;
  }
  find_deflections(actions(), instant, values_, deflections_);
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    if (actions().tables[static_cast<std::size_t>(deflections_[k].table)].segment(deflections_[k].value) !=
        segments_[k])
      return true;
  }
  return false;
}

void Signals::append_margins(const Instant<double>& instant, std::vector<double>& margins) {
  board_.append_margins([this](Slot slot) { return values_[slot]; }, margins);
  for (const std::size_t h : amplifiers_) {
    const auto& block = std::get<SwitchingAmplifierBlock>(block_of(program_.held[h]));
    const double input = values_[program_.held[h].inputs[0]], output = output_of(program_.held[h]);
    if (instant.t < may_change_at(h)) {
      margins.push_back(never);
    } else {
      margins.push_back(output != 0 ? output * input - (block.deadband - block.hysteresis)
                                    : block.deadband - std::abs(input));
    }
  }
  find_deflections(actions(), instant, values_, deflections_);
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    const Table& table = actions().tables[static_cast<std::size_t>(deflections_[k].table)];
    margins.push_back(table.distance_from_knots(deflections_[k].value, segments_[k]));
  }
}

void Signals::follow() {
  board_.follow_smoothly([this](Slot slot) { return values_[slot]; });
}

/// Evaluates with every switch where it belongs. False if they do not come to rest.
bool Signals::settle_switches(const Instant<double>& instant, const double* x, std::vector<Change>& changes) {
  for (std::size_t pass = 0; pass <= board_.size() + 1; ++pass) {
    evaluate_again(instant, x);
    bool any = false;
    for (std::uint32_t k = 0; k < board_.size(); ++k) {
      if (!board_.settle(k, instant.t, [this](Slot slot) { return values_[slot]; })) continue;
      any = true;
      switched_[k] = true;
      changes.push_back({program_.owners[k], std::string(program_.program.switches[k].cause)});
    }
    if (!any) return true;
  }
  return false;
}

bool Signals::settle_segments(const Instant<double>& instant, std::vector<Change>& changes) {
  find_deflections(actions(), instant, values_, deflections_);
  const bool first = segments_.empty();
  segments_.resize(deflections_.size());
  bool any = false;
  for (std::size_t k = 0; k < deflections_.size(); ++k) {
    const Deflection& d = deflections_[k];
    const auto segment =
        static_cast<std::uint32_t>(actions().tables[static_cast<std::size_t>(d.table)].segment(d.value));
    if (segment == segments_[k]) continue;
    segments_[k] = segment;
    if (first) continue;
    any = true;
    changes.push_back({actions().sources[d.source], "table"});
  }
  return any;
}

void Signals::call_plugin(std::size_t held, double t) {
  const HeldBlock& h = program_.held[held];
  const PluginFunction& plugin = plugins_[h.signal];
  if (plugin.function == nullptr || !calls_plugins_) return;
  std::vector<double> inputs;
  for (const Slot slot : h.inputs) inputs.push_back(values_[slot]);
  std::vector<unsigned char>& memory = memory_[held].memory;
  const gyrostat_call call = {t,
                              inputs.data(),
                              inputs.size(),
                              &held_values_[h.output - first_held_],
                              h.outputs,
                              memory.empty() ? nullptr : memory.data()};
  const int answer = plugin.function(&call);
  if (answer != 0 && failure_.empty()) {
    failure_ = fmt::format("plugin '{}' returned {} and so stopped the run", name_of(h), answer);
  }
}

/// A block that is due, or an amplifier whose input has crossed: did it change?
bool Signals::update(std::size_t held, double t, std::vector<Change>& changes) {
  const HeldBlock& h = program_.held[held];
  const Block& block = block_of(h);
  if (std::holds_alternative<SwitchingAmplifierBlock>(block)) {
    const double next = wanted(held);
    if (next == output_of(h) || !is_due(may_change_at(held), t)) return false;
    output_of(h) = next;
    memory_[held].since = t;
    changes.push_back({"signals." + name_of(h), std::string(amplifier_state(next))});
    return updated_[held] = true;
  }
  if (period_of(block) == never || !is_due(due(held), t)) return false;
  if (std::holds_alternative<SampleBlock>(block)) {
    output_of(h) = values_[h.inputs[0]];
  } else if (const auto* noise = std::get_if<NoiseBlock>(&block)) {
    output_of(h) = noise->std * normal_number(static_cast<std::uint64_t>(noise->seed), memory_[held].next);
  } else {
    call_plugin(held, t);
  }
  ++memory_[held].next;
  changes.push_back({"signals." + name_of(h), {}});
  return updated_[held] = true;
}

void Signals::move_delays_on(double t, std::vector<Change>& changes) {
  for (const std::size_t h : delays_) {
    History& history = memory_[h].history;
    while (is_due(history.next_piece() + delay_of(h), t)) {
      history.move_on();
      updated_[h] = true;
    }
    history.forget_before(t - delay_of(h));
    if (updated_[h]) changes.push_back({"signals." + name_of(program_.held[h]), {}});
  }
}

/// Does the input of a delay jump or bend at the present event?
bool Signals::begins_piece(std::size_t delay, bool motion_jumped) const {
  const Needs& needs = needs_[delay];
  return (motion_jumped && needs.motion) ||
         std::ranges::any_of(needs.switches, [this](std::uint32_t k) { return switched_[k]; }) ||
         std::ranges::any_of(needs.held, [this](std::size_t h) { return updated_[h]; });
}

bool Signals::settle(const Instant<double>& instant, const double* x, std::vector<Change>& changes) {
  const bool motion_jumped = !changes.empty();  // what changed before is prescribed motion
  switched_.assign(board_.size(), false);
  updated_.assign(program_.held.size(), false);
  move_delays_on(instant.t, changes);
  bool settled = settle_switches(instant, x, changes), any = true;
  constexpr int most_passes = 100;
  for (int pass = 0; pass < most_passes && settled && any; ++pass) {
    any = false;
    for (std::size_t h = 0; h < program_.held.size(); ++h) {  // each after those it needs
      if (!update(h, instant.t, changes)) continue;
      any = true;
      settled = settled && settle_switches(instant, x, changes);
    }
  }
  settle_segments(instant, changes);
  for (std::size_t d = 0; d < delays_.size(); ++d) {
    if (begins_piece(d, motion_jumped)) memory_[delays_[d]].history.begin_piece(instant.t);
  }
  return settled && !any;
}

std::string Signals::find_lost_value() const {
  for (std::size_t i = 0; i < program_.outputs.size(); ++i) {
    for (const Slot slot : program_.outputs[i]) {
      if (!std::isfinite(values_[slot])) return model_.description.signals[i].name;
    }
  }
  return {};
}

}  // namespace gyrostat
