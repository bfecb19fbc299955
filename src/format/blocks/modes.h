// A state machine: named states, and conditions that lead from one to another.
#pragma once

#include <algorithm>
#include <vector>

#include "gyrostat/expression/nearest.h"
#include "gyrostat/format/checks.h"
#include "gyrostat/format/limits.h"

namespace gyrostat {

struct ModeTransition {
  std::string to;
  Expression when;    // true where it is positive; empty: always
  double hold = 0;    // for how long it has to be true without interruption [s]
  bool brief = true;  // the condition stands by itself, not in a mapping
};

/// What is set when a state is entered: an integral or a latch.
struct ModeEntry {
  std::string signal;
  std::vector<Expression> value;  // one, or one for each component of a vector
};

struct ModeState {
  std::string name;
  double minimum = 0;                       // time in the state before it may be left [s]
  std::vector<ModeTransition> transitions;  // the first that is true is taken
  std::vector<ModeEntry> entry;
};

namespace format {

inline constexpr FieldFormat mode_transition_fields[] = {
    {"when", Form::dynamic, "condition: true where it is positive; default always"},
    {"for", Form::constant, "s; how long the condition must have been true without interruption; default 0",
     dimension::time},
};
inline constexpr ObjectFormat mode_transition{"mode_transition", mode_transition_fields};

inline constexpr FieldFormat mode_state_fields[] = {
    {"minimum", Form::constant, "s; time in the state before it may be left; default 0", dimension::time},
    {"to", Form::transition_map, "STATE: the condition that leads there, or {when, for}; the first true one is taken",
     dimension::none, false, &mode_transition},
    {"entry", Form::assignment_map, "SIGNAL: what the integral or latch is set to when the state is entered"},
};
inline constexpr ObjectFormat mode_state{"mode_state", mode_state_fields};

}  // namespace format

struct ModesBlock {
  std::string initial;  // empty: the first
  std::vector<ModeState> states;

  static constexpr std::string_view kind = "modes", note = "a state machine: which of several named states";
  static constexpr std::string_view format_name = "modes_block";
  static constexpr auto fields() {
    using B = ModesBlock;
    return std::tuple(optional_field(&B::initial, "initial", Form::text,
                                     "the state at t = 0; if it is not given, that which stands first"),
                      map_field(&B::states, "states", format::mode_state, "NAME: {minimum, to, entry}"));
  }
  [[nodiscard]] static bool feeds_through() { return false; }
  static expression::KnownDimension output_dimension() { return expression::bare_number; }

  [[nodiscard]] std::vector<std::string_view> names() const {
    std::vector<std::string_view> list;
    for (const ModeState& state : states) list.push_back(state.name);
    return list;
  }
  /// The number of a state, or that of states if there is none of that name.
  [[nodiscard]] std::size_t find(std::string_view name) const {
    return static_cast<std::size_t>(std::ranges::find(states, name, &ModeState::name) - states.begin());
  }
  [[nodiscard]] std::size_t first() const { return initial.empty() ? 0 : find(initial); }

  // Where expressions of a state stand within the signal.
  static std::string path_of(const ModeState& state, const ModeTransition& transition) {
    return "modes.states." + state.name + ".to." + transition.to + (transition.brief ? "" : ".when");
  }
  static std::string path_of(const ModeState& state, const ModeEntry& entry) {
    return "modes.states." + state.name + ".entry." + entry.signal;
  }

  /// Calls `act(path, expression)` for every expression, in a fixed order; those that are empty too.
  template <class Block, class Act>
  static void for_each_expression(Block& block, Act act) {
    for (auto& state : block.states) {
      for (auto& transition : state.transitions) act(path_of(state, transition), transition.when);
      for (auto& entry : state.entry) {
        const std::string path = path_of(state, entry);
        const bool one = entry.value.size() == 1;
        for (std::size_t k = 0; k < entry.value.size(); ++k)
          act(one ? path : path + "[" + std::to_string(k) + "]", entry.value[k]);
      }
    }
  }

  void check(const Wrong& wrong) const {
    if (states.empty()) return;  // reported as missing or unreadable
    if (first() == states.size()) wrong("initial", no_state(initial));
    for (const ModeState& state : states) {
      const std::string at = "states." + state.name;
      if (state.name.size() > limits::state_name_length)
        wrong(at, "the name of a state has at most " + std::to_string(limits::state_name_length) + " letters");
      not_negative(wrong, at + ".minimum", state.minimum);
      for (const ModeTransition& t : state.transitions) check(wrong, at, state, t);
    }
  }

 private:
  [[nodiscard]] std::string no_state(std::string_view name) const {
    return "no state '" + std::string(name) + "'" + did_you_mean(name, names());
  }
  void check(const Wrong& wrong, const std::string& at, const ModeState& state, const ModeTransition& t) const {
    const std::string path = at + ".to." + t.to;
    if (t.to == state.name) wrong(path, "leads to the state itself");
    if (find(t.to) == states.size()) wrong(path, no_state(t.to));
    not_negative(wrong, path + ".for", t.hold);
    if (!t.brief && t.when.empty() && t.hold == 0)
      wrong(path, "needs 'when' (a condition), 'for' (a time), or both: else it would be left as it is entered");
  }
};

}  // namespace gyrostat
