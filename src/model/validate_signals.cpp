#include <fmt/format.h>

#include "gyrostat/format/ordering.h"
#include "gyrostat/model/expressions.h"
#include "gyrostat/model/kind_check.h"
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
  }
  check_algebraic_loops(description, names, problems);
}

}  // namespace gyrostat
