// y = the number of the present state. Held are that number and, for each state, 1 in it and 0 in the others.
//
// A transition is taken at the first instant at which its condition has been true in the state for its time without
// interruption, and the state has lasted for its minimum. Of several, the first in the file.
#pragma once

#include <algorithm>
#include <cmath>

#include "gyrostat/math/checksum.h"
#include "gyrostat/signals/blocks/context.h"

namespace gyrostat {

struct StateMachine {
  struct Transition {
    std::uint32_t to = 0;
    std::uint32_t input = 0;  // its condition
    bool always = false;      // it has none
    double hold = 0;          // [s]
    std::string text = {};    // "detumble -> acquire"
  };
  /// At the entry of a state.
  struct Action {
    std::string signal;
    std::uint32_t input = 0;   // the value
    std::uint32_t target = 0;  // an integral: its state; a latch: which held block
    bool latch = false;
  };
  struct State {
    std::string name;
    double minimum = 0;       // [s]
    std::uint32_t first = 0;  // of its transitions among all
    std::vector<Transition> transitions = {};
    std::vector<Action> entry = {};
  };

  std::vector<State> states;
  std::uint32_t initial = 0, transitions = 0;

  explicit StateMachine(const ModesBlock& b) : initial(static_cast<std::uint32_t>(b.first())) {
    std::uint32_t input = 0;  // in the order of ModesBlock::for_each_expression
    for (const ModeState& s : b.states) {
      State state{s.name, s.minimum, transitions};
      for (const ModeTransition& t : s.transitions) {
        state.transitions.push_back(
            {static_cast<std::uint32_t>(b.find(t.to)), input++, t.when.empty(), t.hold, s.name + " -> " + t.to});
      }
      for (const ModeEntry& e : s.entry) state.entry.push_back({e.signal, input++});
      transitions += static_cast<std::uint32_t>(state.transitions.size());
      states.push_back(std::move(state));
    }
  }

  [[nodiscard]] std::uint32_t value_count() const { return 1 + static_cast<std::uint32_t>(states.size()); }

  [[nodiscard]] std::vector<double> numbers() const {
    std::vector<double> list = {static_cast<double>(initial), static_cast<double>(states.size())};
    for (const State& state : states) {
      const auto name = static_cast<double>(static_cast<std::uint32_t>(checksum(state.name)));
      list.insert(list.end(), {name, state.minimum, static_cast<double>(state.transitions.size())});
      for (const Transition& t : state.transitions)
        list.insert(list.end(), {static_cast<double>(t.to), t.always ? 1.0 : 0.0, t.hold});
      for (const Action& a : state.entry) list.insert(list.end(), {static_cast<double>(a.target), a.latch ? 1.0 : 0.0});
    }
    return list;
  }

  void start(std::span<double> outputs) const { show(initial, outputs); }
  void start(HeldMemory& memory) const { memory.times.assign(transitions, never); }

  /// The first instant at which a transition is taken whose condition stays as it is.
  [[nodiscard]] double next_time(const HeldMemory& memory, double output) const {
    const State& state = present(output);
    double next = never;
    for (std::size_t k = 0; k < state.transitions.size(); ++k)
      next = std::min(next, memory.times[state.first + k] + state.transitions[k].hold);
    return std::max(next, entered(memory) + state.minimum);
  }

  /// Has the condition of a transition from the present state become true, or false?
  [[nodiscard]] bool crossed(double, const HeldMemory& memory, const HeldInputs& u, double output) const {
    const State& state = present(output);
    for (std::size_t k = 0; k < state.transitions.size(); ++k) {
      if (is_true(state.transitions[k], u) != was_true(memory, state, k)) return true;
    }
    return false;
  }

  /// One for each transition; those from other states are no events.
  void append_event_functions(const HeldMemory& memory, const HeldInputs& u, double output,
                              std::vector<double>& list) const {
    const std::size_t begin = list.size();
    list.resize(begin + transitions, never);
    const State& state = present(output);
    for (std::size_t k = 0; k < state.transitions.size(); ++k) {
      const Transition& t = state.transitions[k];
      if (!t.always) list[begin + state.first + k] = was_true(memory, state, k) ? u[t.input] : -u[t.input];
    }
  }

  std::optional<std::string_view> update(const HeldCall& call) const {
    const State& state = present(call.outputs[0]);
    bool noted = false;
    for (std::size_t k = 0; k < state.transitions.size(); ++k) {
      const bool now = is_true(state.transitions[k], call.inputs);
      if (now == was_true(call.memory, state, k)) continue;
      call.memory.times[state.first + k] = now ? call.t : never;
      noted = true;
    }
    if (is_due(entered(call.memory) + state.minimum, call.t)) {
      for (std::size_t k = 0; k < state.transitions.size(); ++k) {
        const Transition& t = state.transitions[k];
        if (is_due(call.memory.times[state.first + k] + t.hold, call.t)) return enter(t, call);
      }
    }
    return noted ? std::optional<std::string_view>("") : std::nullopt;
  }

  [[nodiscard]] const State& present(double output) const { return states[static_cast<std::size_t>(output)]; }

  /// Is it the number of a state?
  [[nodiscard]] bool is_possible(double output, std::size_t) const {
    return output >= 0 && output < static_cast<double>(states.size()) && output == std::floor(output);
  }

 private:
  static bool is_true(const Transition& t, const HeldInputs& u) { return t.always || u[t.input] > 0; }
  static bool was_true(const HeldMemory& memory, const State& state, std::size_t k) {
    return memory.times[state.first + k] < never;
  }
  static double entered(const HeldMemory& memory) { return std::max(memory.since, 0.0); }

  void show(std::uint32_t state, std::span<double> outputs) const {
    std::ranges::fill(outputs, 0.0);
    outputs[0] = static_cast<double>(state);
    outputs[1 + state] = 1;
  }

  /// All values are those just before.
  std::string_view enter(const Transition& t, const HeldCall& call) const {
    show(t.to, call.outputs);
    call.memory.since = call.t;
    std::ranges::fill(call.memory.times, never);
    for (const Action& action : states[t.to].entry) {
      const double value = call.inputs[action.input];
      if (action.latch) {
        call.assignments.latches.emplace_back(action.target, value > 0 ? 1 : 0);
      } else {
        call.assignments.states.emplace_back(action.target, value);
      }
    }
    return t.text;
  }
};

}  // namespace gyrostat
