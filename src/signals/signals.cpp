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
      longest_step_ = std::min(longest_step_, delay->time);
    }
  }
  plugins_.resize(model.description.signals.size());
  held_values_.assign(outputs, 0.0);
  memory_.resize(program_.held.size());
  values_.assign(program_.program.slots, 0.0);
  expression::prepare<double>(program_.program, values_);
  const Actions& a = *program_.actions;
  const auto bends = [](const auto& action) { return action.stiffness.table >= 0 || action.damping.table >= 0; };
  watches_ = board_.watches() || !amplifiers_.empty() || std::ranges::any_of(a.speeds, bends) ||
             std::ranges::any_of(a.springs, bends);
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
  // A state or a delay that starts at the value of something may need another that does.
  const std::size_t passes = program_.starts_at.size() + delays_.size();
  for (std::size_t pass = 0; pass <= passes; ++pass) {
    forget();
    settle(instant, x, changes);
    for (const auto& [state, slot] : program_.starts_at) x[state] = values_[slot];
    for (const std::size_t h : delays_) memory_[h].history.begin(instant.t, value(program_.held[h].inputs[0]));
  }
  evaluate_again(instant, x);
}

double Signals::due(std::size_t held) const {
  return static_cast<double>(memory_[held].next) * period_of(block_of(program_.held[held]));
}

double Signals::next_time(double t) const {
  double next = board_.next_time(t);
  const auto consider = [&](double time) {
    if (time > t + same_instant(t)) next = std::min(next, time);
  };
  for (const std::size_t h : sampled_) consider(due(h));
  for (const std::size_t h : amplifiers_) {
    const auto& block = std::get<SwitchingAmplifierBlock>(block_of(program_.held[h]));
    const bool on = held_values_[program_.held[h].output - first_held_] != 0;
    consider(memory_[h].since + (on ? block.min_on_time : block.min_off_time));
  }
  for (const std::size_t h : delays_) {
    consider(memory_[h].history.next_piece() + std::get<DelayBlock>(block_of(program_.held[h])).time);
  }
  return next;
}

double Signals::wanted(const SwitchingAmplifierBlock& block, std::size_t held, double t) const {
  const HeldBlock& h = program_.held[held];
  const double input = values_[h.inputs[0]], now = held_values_[h.output - first_held_];
  const double waited = t - memory_[held].since + same_instant(t);
  if (now != 0) return waited >= block.min_on_time && now * input < block.deadband - block.hysteresis ? 0 : now;
  if (waited < block.min_off_time) return 0;
  return input > block.deadband ? 1 : input < -block.deadband ? -1 : 0;
}

bool Signals::any_misplaced(const Instant<double>& instant) {
  if (board_.any_misplaced([this](Slot slot) { return values_[slot]; })) return true;
  for (const std::size_t h : amplifiers_) {
    const auto& block = std::get<SwitchingAmplifierBlock>(block_of(program_.held[h]));
    if (wanted(block, h, instant.t) != output_of(program_.held[h])) return true;
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
    const double waited = instant.t - memory_[h].since + same_instant(instant.t);
    const bool may_change = waited >= (output != 0 ? block.min_on_time : block.min_off_time);
    margins.push_back(!may_change   ? never
                      : output != 0 ? output * input - (block.deadband - block.hysteresis)
                                    : block.deadband - std::abs(input));
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

bool Signals::settle_switches(double t, std::vector<Change>& changes) {
  bool any = false;
  for (std::uint32_t k = 0; k < board_.size(); ++k) {
    if (!board_.settle(k, t, [this](Slot slot) { return values_[slot]; })) continue;
    any = true;
    changes.push_back({program_.owners[k], std::string(program_.program.switches[k].cause)});
  }
  return any;
}

bool Signals::settle_amplifiers(double t, std::vector<Change>& changes) {
  bool any = false;
  for (const std::size_t h : amplifiers_) {
    const auto& block = std::get<SwitchingAmplifierBlock>(block_of(program_.held[h]));
    double& output = output_of(program_.held[h]);
    const double next = wanted(block, h, t);
    if (next == output) continue;
    any = true;
    output = next;
    memory_[h].since = t;
    changes.push_back({"signals." + name_of(program_.held[h]), std::string(amplifier_state(next))});
  }
  return any;
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
  if (plugin.function == nullptr) return;
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

/// Samples, noise and plugins whose instant has come, each after those it needs.
void Signals::update_due(const Instant<double>& instant, const double* x, std::vector<Change>& changes) {
  for (const std::size_t h : sampled_) {
    if (due(h) > instant.t + same_instant(instant.t)) continue;
    const HeldBlock& held = program_.held[h];
    const Block& block = block_of(held);
    if (std::holds_alternative<SampleBlock>(block)) {
      output_of(held) = values_[held.inputs[0]];
    } else if (const auto* noise = std::get_if<NoiseBlock>(&block)) {
      output_of(held) = noise->std * normal_number(static_cast<std::uint64_t>(noise->seed), memory_[h].next);
    } else {
      call_plugin(h, instant.t);
    }
    ++memory_[h].next;
    changes.push_back({"signals." + name_of(held), {}});
    evaluate_again(instant, x);
  }
}

bool Signals::settle(const Instant<double>& instant, const double* x, std::vector<Change>& changes) {
  for (const std::size_t h : delays_) {
    const double time = std::get<DelayBlock>(block_of(program_.held[h])).time;
    if (memory_[h].history.move_to(instant.t - time + same_instant(instant.t))) {
      changes.push_back({"signals." + name_of(program_.held[h]), {}});
    }
  }
  bool settled = false;
  constexpr int most_passes = 100;
  for (int pass = 0; pass < most_passes && !settled; ++pass) {
    evaluate_again(instant, x);
    settled = !settle_switches(instant.t, changes);
    if (!settled) continue;
    update_due(instant, x, changes);
    settled = !settle_amplifiers(instant.t, changes);
    if (settled) settled = !settle_switches(instant.t, changes);
  }
  settle_segments(instant, changes);
  if (!changes.empty()) {
    for (const std::size_t h : delays_) memory_[h].history.begin_piece(instant.t);
  }
  return settled;
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
