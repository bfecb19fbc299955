// Measures that the program which flies a campaign computes from the histories of flights. Flights end in any order, on
// any thread; the program sees them on one thread, in the order in which they were taken. So that histories do not pile
// up behind a long flight, no more than so many flights are taken ahead of it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>

#include "gyrostat/campaign/campaign.h"
#include "gyrostat/campaign/lanes.h"

namespace gyrostat::campaign {

class ComputedFlights {
 public:
  using Compute = decltype(CampaignOptions::compute);

  /// Keeps pointing at the function.
  ComputedFlights(const CampaignDescription& campaign, const Compute& compute, unsigned threads);

  /// On any thread: flies until there are no more flights, or `stop`.
  void fly(const FlightPlan& plan, const NextFlight& next, const std::atomic<bool>& stop);

  /// On one thread: for about that long, computes the measures of flights as they end, and hands them on. False where
  /// the program has enough.
  bool hand_on(std::chrono::milliseconds time, const std::function<void(const FlightResult&)>& add);

  /// Are there flights that are not handed on?
  [[nodiscard]] bool waiting();

 private:
  std::optional<std::uint64_t> take(const NextFlight& next);
  void ended(FlightResult&& result);
  bool wait_for_room(const std::atomic<bool>& stop);
  bool complete(FlightResult& result) const;

  std::vector<std::size_t> places_;  // of the computed measures
  const Compute& compute_;
  std::size_t most_;  // flights taken and not handed on

  std::mutex mutex_;
  std::condition_variable ended_, room_;
  std::deque<std::uint64_t> order_;              // of flights that are taken and not handed on
  std::map<std::uint64_t, FlightResult> flown_;  // those of them that have ended
  bool no_more_ = false;
};

}  // namespace gyrostat::campaign
