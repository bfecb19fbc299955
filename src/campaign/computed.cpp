#include "gyrostat/campaign/computed.h"

#include <stdexcept>

#include <fmt/format.h>

namespace gyrostat::campaign {

namespace {

constexpr std::size_t taken_by_thread = 64;
constexpr auto between_looks_for_room = std::chrono::milliseconds(50);

}  // namespace

ComputedFlights::ComputedFlights(const CampaignDescription& campaign, const Compute& compute, unsigned threads)
    : compute_(compute), most_(threads * taken_by_thread) {
  for (std::size_t k = 0; k < campaign.measures.size(); ++k) {
    if (campaign.measures[k].computed) places_.push_back(k);
  }
}

void ComputedFlights::fly(const FlightPlan& plan, const NextFlight& next, const std::atomic<bool>& stop) {
  // Where nothing may be taken for now, all that this thread flies comes to its end: nobody waits for a flight of his
  // own.
  do {
    fly_all(
        plan, [&] { return take(next); }, [&](FlightResult&& result) { ended(std::move(result)); }, stop);
  } while (wait_for_room(stop));
}

std::optional<std::uint64_t> ComputedFlights::take(const NextFlight& next) {
  const std::scoped_lock lock(mutex_);
  if (no_more_ || order_.size() >= most_) return std::nullopt;
  const std::optional<std::uint64_t> flight = next();
  no_more_ = !flight;
  if (flight) order_.push_back(*flight);
  return flight;
}

void ComputedFlights::ended(FlightResult&& result) {
  const std::scoped_lock lock(mutex_);
  const std::uint64_t number = result.number;
  flown_.emplace(number, std::move(result));
  if (number == order_.front()) ended_.notify_one();
}

bool ComputedFlights::wait_for_room(const std::atomic<bool>& stop) {
  std::unique_lock lock(mutex_);
  while (!stop && !no_more_ && order_.size() >= most_) room_.wait_for(lock, between_looks_for_room);
  return !stop && !no_more_;
}

bool ComputedFlights::waiting() {
  const std::scoped_lock lock(mutex_);
  return !order_.empty();
}

bool ComputedFlights::hand_on(std::chrono::milliseconds time, const std::function<void(const FlightResult&)>& add) {
  const auto end = std::chrono::steady_clock::now() + time;
  const auto next_has_ended = [this] { return !order_.empty() && flown_.contains(order_.front()); };
  do {
    std::unique_lock lock(mutex_);
    if (!ended_.wait_until(lock, end, next_has_ended)) return true;
    FlightResult result = std::move(flown_.extract(order_.front()).mapped());
    order_.pop_front();
    lock.unlock();
    room_.notify_all();
    if (!complete(result)) return false;
    add(result);
  } while (std::chrono::steady_clock::now() < end);
  return true;
}

bool ComputedFlights::complete(FlightResult& result) const {
  if (result.outcome != Outcome::Kind::finished) return true;
  const std::optional<std::vector<double>> values = compute_(result);
  if (!values) return false;
  if (values->size() != places_.size()) {
    throw std::invalid_argument(fmt::format("{} values for {} computed measures", values->size(), places_.size()));
  }
  for (std::size_t k = 0; k < places_.size(); ++k) result.measures[places_[k]] = (*values)[k];
  return true;
}

}  // namespace gyrostat::campaign
