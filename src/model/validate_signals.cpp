#include <fmt/format.h>

#include "gyrostat/format/ordering.h"
#include "gyrostat/model/expressions.h"
#include "gyrostat/model/kind_check.h"
#include "gyrostat/model/mode_paths.h"
#include "gyrostat/model/validate.h"

namespace gyrostat {

namespace {

/// Signals whose values at an instant depend on each other in a circle.
void check_algebraic_loops(const Description& description, const Names& names, Problems& problems) {
  std::vector<std::vector<std::uint32_t>> needs(description.signals.size());
  for (std::size_t i = 0; i < needs.size(); ++i) {
    const Block& block = description.signals[i].block;
    if (!feeds_through(block)) continue;
    for (const auto& [path, input] : inputs_of(block)) {
      for (const std::string& name : input->names) {
        const auto answer = names.resolve(name);
        const auto* reference = std::get_if<Reference>(&answer);
        if (reference != nullptr && reference->quantity == Quantity::signal) needs[i].push_back(reference->object);
      }
    }
  }
  for (const auto& cycle : order_by_need(needs).cycles) {
    const auto name = [&](std::uint32_t i) { return description.signals[i].name; };
    problems.error(description.signals[cycle.front()].path(),
                   fmt::format("algebraic loop: {}; break it with a state (integral, transfer_function), a "
                               "sample or a delay",
                               cycle_text(cycle, name)));
  }
}

/// "an expression", "a latch", "an integral"
std::string described(const Block& block) {
  return std::visit(
      []<class K>(const K&) -> std::string {
        if constexpr (IsKind<K>) {
          constexpr bool vowel = std::string_view("aeiou").find(K::kind.front()) != std::string_view::npos;
          return fmt::format("{} {}", vowel ? "an" : "a", K::kind);
        } else {
          return "an expression";
        }
      },
      block);
}

/// What entering a state sets; and states that are never entered.
void check_modes(const SignalDescription& signal, const ModesBlock& modes, const Description& description,
                 const Names& names, Problems& problems) {
  for (const ModeState& state : modes.states) {
    for (const ModeEntry& entry : state.entry) {
      const std::string path = path_of_entry(description, signal, state, entry);
      const auto target = names.signal(entry.signal);
      if (!target) {
        problems.error(path, names.no_signal(entry.signal));
        continue;
      }
      const Block& block = description.signals[*target].block;
      if (std::holds_alternative<IntegralBlock>(block) || std::holds_alternative<LatchBlock>(block)) continue;
      problems.error(path, fmt::format("'{}' is {}; entering a state sets an integral or a latch",
                                       written_name(description, entry.signal), described(block)));
    }
  }
  std::vector<bool> reached(modes.states.size());
  std::vector<std::size_t> open = {modes.first()};
  while (!open.empty()) {
    const std::size_t k = open.back();
    open.pop_back();
    if (k >= reached.size() || reached[k]) continue;
    reached[k] = true;
    for (const ModeTransition& t : modes.states[k].transitions) open.push_back(modes.find(t.to));
  }
  if (problems.errors() > 0) return;  // what is wrong may be a transition that was meant to lead there
  for (std::size_t k = 0; k < reached.size(); ++k) {
    if (!reached[k])
      problems.warning(
          fmt::format("{}.modes.states.{}", signal.path(), modes.states[k].name),
          fmt::format("no transitions lead to it from '{}', the state at t = 0", modes.states[modes.first()].name));
  }
}

}  // namespace

void validate_signals(const Description& description, const Names& names, Problems& problems) {
  for (const SignalDescription& signal : description.signals) {
    if (names.parameter(signal.name)) problems.error(signal.path(), "a parameter has the same name");
    const KindCheck check{signal.path(), description, names, problems};
    std::visit(
        [&]<class K>(const K& block) {
          if constexpr (IsKind<K>) check(block);
        },
        signal.block);
    if (const auto* modes = std::get_if<ModesBlock>(&signal.block))
      check_modes(signal, *modes, description, names, problems);
  }
  check_algebraic_loops(description, names, problems);
}

}  // namespace gyrostat
