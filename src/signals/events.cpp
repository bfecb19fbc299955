#include "gyrostat/signals/events.h"

#include <cmath>

#include <fmt/format.h>

namespace gyrostat {

namespace {

double next_time_of(const HeldBlock& block, const DiscreteState& discrete, std::size_t number) {
  return std::visit(
      [&](const auto& kind) { return kind.next_time(discrete.memory[number], discrete.held[block.first]); },
      block.kind);
}

void forget(const SignalProgram& signals, DiscreteState& discrete) {
  std::ranges::fill(discrete.held, 0.0);
  for (std::size_t h = 0; h < signals.held.size(); ++h) {
    HeldMemory& memory = discrete.memory[h];
    memory.since = -never;
    memory.next = 0;
    const auto* plugin = std::get_if<Plugin>(&signals.held[h].kind);
    memory.memory.assign(plugin == nullptr ? 0 : plugin->function.memory, 0);
    const auto outputs = std::span(discrete.held).subspan(signals.held[h].first, signals.held[h].outputs);
    std::visit(
        [&](const auto& kind) {
          if constexpr (requires { kind.start(outputs); }) kind.start(outputs);
          if constexpr (requires { kind.start(memory); }) kind.start(memory);
        },
        signals.held[h].kind);
  }
  discrete.failure.clear();
}

/// States of blocks that entering a state of a state machine sets.
std::vector<std::uint32_t> assigned_states(const SignalProgram& signals) {
  std::vector<std::uint32_t> list;
  for (const HeldBlock& block : signals.held) {
    const auto* modes = std::get_if<StateMachine>(&block.kind);
    if (modes == nullptr) continue;
    for (const StateMachine::State& state : modes->states) {
      for (const StateMachine::Action& action : state.entry) {
        if (!action.latch) list.push_back(action.target);
      }
    }
  }
  return list;
}

/// The present event.
struct Event {
  const SignalProgram& signals;
  DiscreteState& discrete;
  double t;
  const double* values;
  const Reevaluate& reevaluate;
  std::span<double> x;  // states of blocks
  std::vector<Change>& changes;
  std::vector<bool> switched = std::vector<bool>(signals.switches.size());
  std::vector<bool> updated = std::vector<bool>(signals.held.size());
  std::vector<bool> assigned = std::vector<bool>(x.size());  // by state of a block
  std::vector<double> before = {};  // inputs of unwraps; none at the start, where nothing jumps

  /// The inputs of unwraps at this instant, with everything still where it was.
  void note_before() {
    if (signals.unwraps.empty()) return;
    reevaluate();
    for (const std::uint32_t h : signals.unwraps) before.push_back(values[signals.held[h].inputs[0]]);
  }

  /// Unwraps add the periods that their inputs jumped by; did any?
  bool make_up_for_jumps() {
    bool any = false;
    for (std::uint32_t n = 0; n < before.size(); ++n) {
      const HeldBlock& block = signals.held[signals.unwraps[n]];
      const double now = values[block.inputs[0]], jump = signals.unwrap(n).jump(before[n], now);
      before[n] = now;
      if (jump == 0) continue;
      discrete.held[block.first] += jump;
      changes.push_back({"signals." + block.name, {}});
      any = true;
    }
    return any;
  }

  /// Evaluates with every switch where it belongs. False if that does not end.
  bool iterate_switches() {
    for (std::size_t pass = 0; pass <= signals.switches.size() + before.size() + 1; ++pass) {
      reevaluate();
      bool any = make_up_for_jumps();
      for (std::uint32_t k = 0; k < signals.switches.size(); ++k) {
        const std::uint32_t position = signals.switches.position_after(k, t, values, discrete.end);
        if (position == discrete.positions[k]) continue;
        discrete.positions[k] = position;
        any = switched[k] = true;
        if (!signals.switches.matters(k) || signals.switches.is_smooth(k, values)) continue;
        const std::string_view cause = signals.program.switches[k].cause;
        changes.push_back({signals.owners[k], signals.unlisted[k] ? std::string() : std::string(cause)});
      }
      if (!any) return true;
    }
    return false;
  }

  bool update(std::uint32_t h, bool calls_plugins) {
    const HeldBlock& block = signals.held[h];
    Assignments assignments;
    const HeldCall call{t,
                        discrete.memory[h],
                        block.name,
                        {values, block.inputs},
                        std::span(discrete.held).subspan(block.first, block.outputs),
                        calls_plugins,
                        discrete.noise_stream,
                        discrete.failure,
                        assignments};
    const std::optional<std::string_view> what = std::visit(
        [&](const auto& kind) -> std::optional<std::string_view> {
          if constexpr (requires { kind.update(call); }) return kind.update(call);
          return std::nullopt;
        },
        block.kind);
    if (!what) return false;
    changes.push_back({"signals." + block.name, std::string(*what)});
    assign(assignments);
    return updated[h] = true;
  }

  void assign(const Assignments& assignments) {
    for (const auto& [state, value] : assignments.states) {
      x[state] = value;
      assigned[state] = true;
    }
    for (const auto& [h, value] : assignments.latches) {
      double& output = discrete.held[signals.held[h].first];
      if (output == value) continue;
      output = value;
      updated[h] = true;
      changes.push_back({"signals." + signals.held[h].name, value != 0 ? "set" : "reset"});
    }
  }

  void move_delays_on() {
    for (std::uint32_t d = 0; d < signals.delays.size(); ++d) {
      const std::uint32_t h = signals.delays[d];
      updated[h] = signals.delay(d).move_on(discrete.memory[h], t);
      if (updated[h]) changes.push_back({"signals." + signals.held[h].name, {}});
    }
  }

  /// Does the input of a delay jump or bend at this event?
  [[nodiscard]] bool begins_piece(const Dependence& on, bool motion_jumped) const {
    return (motion_jumped && on.motion) ||
           std::ranges::any_of(on.switches, [this](std::uint32_t k) { return switched[k]; }) ||
           std::ranges::any_of(on.held, [this](std::uint32_t h) { return updated[h]; }) ||
           std::ranges::any_of(on.states, [this](std::uint32_t k) { return assigned[k]; });
  }
};

/// At the start, nothing has been before; of its passes, all but the last are rehearsals, in which plugins do not run.
enum class Occasion { run, start, rehearsal };

/// As iterate_events says.
bool iterate(const SignalProgram& signals, DiscreteState& discrete, double t, const double* values,
             const Reevaluate& reevaluate, std::span<double> x, std::vector<Change>& changes, Occasion occasion) {
  const bool motion_jumped = !changes.empty();
  Event event{signals, discrete, t, values, reevaluate, x, changes};
  if (occasion == Occasion::run) event.note_before();
  event.move_delays_on();
  bool ended = event.iterate_switches(), any = true;
  constexpr int most_passes = 100;
  for (int pass = 0; pass < most_passes && ended && any; ++pass) {
    any = false;
    for (std::uint32_t h = 0; h < signals.held.size(); ++h) {  // each after those it needs
      if (!event.update(h, occasion != Occasion::rehearsal)) continue;
      any = true;
      ended = ended && event.iterate_switches();
    }
  }
  for (std::size_t d = 0; d < signals.delays.size(); ++d) {
    if (event.begins_piece(signals.delayed[d], motion_jumped)) {
      discrete.memory[signals.delays[d]].history.begin_piece(t);
    }
  }
  return ended && !any;
}

}  // namespace

DiscreteState initial_discrete_state(const SignalProgram& signals, std::vector<Truth> free) {
  DiscreteState discrete;
  discrete.positions.assign(signals.switches.size(), 0);
  discrete.held.assign(signals.held_outputs, 0.0);
  discrete.memory.resize(signals.held.size());
  discrete.free = std::move(free);
  discrete.latched.assign(signals.forces.latches.size(), false);
  discrete.sliding.assign(signals.forces.restraints.size(), 0);
  discrete.stopped.assign(signals.forces.restraints.size(), 0);
  for (const std::uint32_t h : signals.delays) discrete.memory[h].history.begin(0, 0);
  forget(signals, discrete);
  return discrete;
}

void start_signals(const SignalProgram& signals, DiscreteState& discrete, const double* values,
                   const Reevaluate& reevaluate, std::span<double> x) {
  for (std::size_t k = 0; k < x.size(); ++k) x[k] = signals.states[k].initial;
  for (const std::uint32_t h : signals.delays) discrete.memory[h].history.begin(0, 0);
  // A state or a delay that starts at the value of something may need another that does. Plugins are called once, last.
  const std::size_t passes = signals.starts_at.size() + signals.delays.size();
  const std::vector<std::uint32_t> assigned = assigned_states(signals);
  for (std::size_t pass = 0; pass <= passes; ++pass) {
    forget(signals, discrete);
    for (const std::uint32_t k : assigned) x[k] = signals.states[k].initial;
    std::vector<Change> changes;
    const bool ended = iterate(signals, discrete, 0, values, reevaluate, x, changes,
                               pass == passes ? Occasion::start : Occasion::rehearsal);
    if (!ended) discrete.failure = endless_changes(signals, changes);
    for (const auto& [state, slot] : signals.starts_at) x[state] = values[slot];
    for (const std::uint32_t h : signals.delays) {
      discrete.memory[h].history.begin(0, values[signals.held[h].inputs[0]]);
    }
  }
  reevaluate();
}

double next_time(const SignalProgram& signals, const DiscreteState& discrete, double t) {
  double next = signals.switches.next_time(t);
  for (std::size_t h = 0; h < signals.held.size(); ++h) {
    const double time = next_time_of(signals.held[h], discrete, h);
    if (!is_due(time, t)) next = std::min(next, time);
  }
  return next;
}

bool watches(const SignalProgram& signals) { return signals.switches.watches() || !signals.watched.empty(); }

bool any_crossed(const SignalProgram& signals, const DiscreteState& discrete, double t, const double* values) {
  return signals.switches.any_crossed(values, discrete.positions) ||
         std::ranges::any_of(signals.watched, [&](std::uint32_t h) {
           const HeldBlock& block = signals.held[h];
           return if_watched(block.kind, false, [&](const auto& kind) {
             return kind.crossed(t, discrete.memory[h], {values, block.inputs}, discrete.held[block.first]);
           });
         });
}

void append_event_functions(const SignalProgram& signals, const DiscreteState& discrete, double t, const double* values,
                            std::vector<double>& list) {
  signals.switches.append_event_functions(values, discrete.positions, list);
  for (const std::uint32_t h : signals.watched) {
    const HeldBlock& block = signals.held[h];
    const HeldInputs inputs{values, block.inputs};
    const double output = discrete.held[block.first];
    if_watched(block.kind, 0, [&](const auto& kind) {
      if constexpr (requires { kind.append_event_functions(discrete.memory[h], inputs, output, list); }) {
        kind.append_event_functions(discrete.memory[h], inputs, output, list);
      } else {
        list.push_back(kind.event_function(t, discrete.memory[h], inputs, output));
      }
      return 0;
    });
  }
}

bool iterate_prescribed(const SignalProgram& signals, DiscreteState& discrete, double t, const double* values,
                        std::vector<Change>& changes) {
  bool any = false;
  for (const std::uint32_t k : signals.prescribed_switches) {
    const std::uint32_t position = signals.switches.position_after(k, t, values, discrete.end);
    if (position == discrete.positions[k]) continue;
    discrete.positions[k] = position;
    any = true;
    changes.push_back({signals.owners[k], std::string(signals.program.switches[k].cause)});
  }
  return any;
}

bool iterate_events(const SignalProgram& signals, DiscreteState& discrete, double t, const double* values,
                    const Reevaluate& reevaluate, std::span<double> x, std::vector<Change>& changes) {
  return iterate(signals, discrete, t, values, reevaluate, x, changes, Occasion::run);
}

/// Of a state machine, the circle that it goes through: the states since the last one was there before.
std::string endless_changes(const SignalProgram& signals, const std::vector<Change>& changes) {
  for (auto last = changes.rbegin(); last != changes.rend(); ++last) {
    const auto block = std::ranges::find_if(signals.held, [&](const HeldBlock& b) {
      return std::holds_alternative<StateMachine>(b.kind) && last->name == "signals." + b.name;
    });
    if (block == signals.held.end() || last->what.empty()) continue;
    constexpr std::string_view arrow = " -> ";
    const std::string end = last->what.substr(last->what.find(arrow) + arrow.size());
    std::string circle = end;
    for (auto change = last; change != changes.rend(); ++change) {
      if (change->name != last->name || change->what.empty()) continue;
      const std::string from = change->what.substr(0, change->what.find(arrow));
      circle.insert(0, from + std::string(arrow));
      if (from == end) break;
    }
    return fmt::format(
        "{} goes from state to state without end at one instant: {}; give one of the states a 'minimum' or a "
        "transition a 'for', or conditions of which one is false",
        last->name, circle);
  }
  return fmt::format("the event iteration does not end: {} and others change each other at one instant",
                     changes.empty() ? "signals" : changes.back().name);
}

std::vector<Change> states_at_start(const SignalProgram& signals, const DiscreteState& discrete) {
  std::vector<Change> list;
  for (const HeldBlock& block : signals.held) {
    const auto* modes = std::get_if<StateMachine>(&block.kind);
    if (modes == nullptr) continue;
    list.push_back({"signals." + block.name, "starts in " + modes->present(discrete.held[block.first]).name});
  }
  return list;
}

void follow_smoothly(const SignalProgram& signals, DiscreteState& discrete, const double* values) {
  signals.switches.follow_smoothly(values, discrete.positions);
}

void remember(const SignalProgram& signals, DiscreteState& discrete, double from, double to, const double* values,
              const std::function<void(double)>& evaluate_at, int halvings) {
  const std::size_t count = signals.delays.size();
  if (count == 0) return;
  const auto input = [&](std::size_t d) { return values[signals.held[signals.delays[d]].inputs[0]]; };
  std::vector<std::array<double, 5>> nodes(count);
  for (std::size_t k = 0; k < history_nodes.size(); ++k) {
    evaluate_at(from + history_nodes[k] * (to - from));
    for (std::size_t d = 0; d < count; ++d) nodes[d][k] = input(d);
  }
  bool good = true;  // halfway between the outer nodes, where a polynomial is worst
  for (const double x : {0.125, 0.875}) {
    evaluate_at(from + x * (to - from));
    for (std::size_t d = 0; d < count; ++d) {
      const double scale = std::abs(*std::ranges::max_element(nodes[d], {}, [](double v) { return std::abs(v); }));
      good = good && std::abs(through_nodes(nodes[d], x) - input(d)) <= 1e-10 * scale + 1e-14;
    }
  }
  constexpr int most_halvings = 10;
  if (!good && halvings < most_halvings) {
    const double middle = from + (to - from) / 2;
    remember(signals, discrete, from, middle, values, evaluate_at, halvings + 1);
    remember(signals, discrete, middle, to, values, evaluate_at, halvings + 1);
    return;
  }
  for (std::size_t d = 0; d < count; ++d) {
    discrete.memory[signals.delays[d]].history.add_step(from, to, nodes[d]);
  }
}

std::string find_non_finite(const SignalProgram& signals, const double* values) {
  for (std::size_t i = 0; i < signals.outputs.size(); ++i) {
    for (const Slot slot : signals.outputs[i]) {
      if (!std::isfinite(values[slot])) return signals.names[i];
    }
  }
  return {};
}

}  // namespace gyrostat
