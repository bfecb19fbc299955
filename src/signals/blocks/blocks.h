// All kinds of blocks. A kind is a line here.
#pragma once

#include <variant>

#include "gyrostat/signals/blocks/counter.h"
#include "gyrostat/signals/blocks/dead_zone.h"
#include "gyrostat/signals/blocks/delay.h"
#include "gyrostat/signals/blocks/edge.h"
#include "gyrostat/signals/blocks/expression.h"
#include "gyrostat/signals/blocks/hold.h"
#include "gyrostat/signals/blocks/integral.h"
#include "gyrostat/signals/blocks/largest.h"
#include "gyrostat/signals/blocks/latch.h"
#include "gyrostat/signals/blocks/low_pass.h"
#include "gyrostat/signals/blocks/modes.h"
#include "gyrostat/signals/blocks/noise.h"
#include "gyrostat/signals/blocks/pid.h"
#include "gyrostat/signals/blocks/plugin.h"
#include "gyrostat/signals/blocks/quantize.h"
#include "gyrostat/signals/blocks/random_walk.h"
#include "gyrostat/signals/blocks/rate_limit.h"
#include "gyrostat/signals/blocks/relay.h"
#include "gyrostat/signals/blocks/sample.h"
#include "gyrostat/signals/blocks/saturate.h"
#include "gyrostat/signals/blocks/state_space.h"
#include "gyrostat/signals/blocks/switching_amplifier.h"
#include "gyrostat/signals/blocks/table.h"
#include "gyrostat/signals/blocks/transfer_function.h"
#include "gyrostat/signals/blocks/unwrap.h"

namespace gyrostat {

/// Those whose output is held between events.
using HeldKind = std::variant<SwitchingAmplifier, Delay, Sample, Noise, Plugin, Hold, Latch, Largest, Unwrap, Relay,
                              Counter, Edge, RandomWalk, StateMachine>;

/// The held kind that is made from a description, or nothing.
inline std::optional<HeldKind> held_kind(const Block& block) {
  return std::visit(
      []<class B>(const B& b) {
        std::optional<HeldKind> made;
        [&]<class... Kinds>(std::type_identity<std::variant<Kinds...>>) {
          const auto try_kind = [&]<class Kind>(std::type_identity<Kind>) {
            if constexpr (std::is_constructible_v<Kind, const B&>) made.emplace(Kind(b));
          };
          (try_kind(std::type_identity<Kinds>()), ...);
        }(std::type_identity<HeldKind>());
        return made;
      },
      block);
}

/// Calls `act` with the kind if it has event functions.
template <class Result, class Act>
Result if_watched(const HeldKind& kind, Result otherwise, Act act) {
  return std::visit(
      [&](const auto& k) -> Result {
        if constexpr (requires { k.crossed(0.0, HeldMemory{}, HeldInputs{nullptr, {}}, 0.0); }) return act(k);
        return otherwise;
      },
      kind);
}

inline bool is_watched(const HeldKind& kind) {
  return if_watched(kind, false, [](const auto&) { return true; });
}

}  // namespace gyrostat
