// Flights on one thread, one in each lane of a pack. Each is an ordinary simulation in a context of its own; where it
// asks for its rates it waits until all the others have asked, and all are evaluated at once. So every flight has its
// own time, steps and events, and a lane whose flight has ended takes the next.
#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "gyrostat/campaign/flight.h"

namespace gyrostat::campaign {

/// The next flight, or nothing where there are no more. Called by several threads.
using NextFlight = std::function<std::optional<std::uint64_t>()>;
/// Called by several threads, in any order of flights.
using FlightEnded = std::function<void(FlightResult&& result)>;

/// Until there are no more flights, or `stop`. In lanes, unless the plan says that they are flown alone.
/// With `recorded` the results have histories.
void fly_all(const FlightPlan& plan, const NextFlight& next, const FlightEnded& ended, const std::atomic<bool>& stop,
             const HistoryPlan* recorded = nullptr);

/// Ends the threads that look at `stop` when a scope is left, by an exception too. To be declared after the threads,
/// which are then joined.
struct StopAtEnd {
  std::atomic<bool>& stop;
  ~StopAtEnd() { stop = true; }
};

}  // namespace gyrostat::campaign
