// What holds a joint or a wheel, and the words of events that say so.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gyrostat {

enum class Holding : std::uint8_t { nothing, latch, friction, low_stop, high_stop, speed_limit };

/// In the order of Holding.
inline constexpr std::array<std::string_view, 6> holding_names = {"free",        "latched",      "sticks",
                                                                  "on low stop", "on high stop", "at speed limit"};

/// Of an event at which something begins to hold, or lets go; in the order of Holding.
inline constexpr std::array<std::string_view, 6> holding_events = {
    "", "latched", "sticks", "rests on its low stop", "rests on its high stop", "at its speed limit"};
inline constexpr std::array<std::string_view, 6> freeing_events = {
    "released", "slides +", "slides -", "leaves its stop", "below its speed limit", "beyond its speed limit"};

/// What holds after an event of that name; nothing if the event does not tell.
constexpr std::optional<Holding> holding_after(std::string_view event) {
  for (const std::string_view freeing : freeing_events) {
    if (event == freeing) return Holding::nothing;
  }
  for (std::size_t k = 1; k < holding_events.size(); ++k) {
    if (event == holding_events[k]) return static_cast<Holding>(k);
  }
  return std::nullopt;
}

}  // namespace gyrostat
