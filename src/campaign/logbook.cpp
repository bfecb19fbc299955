#include "gyrostat/campaign/logbook.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace gyrostat::campaign {

namespace {

/// Several flights are taken by one message while many are left, fewer and fewer towards the end, so that processes end
/// at about the same time.
constexpr std::uint64_t most_reserved = 64;
std::uint64_t shares(const Ranks& ranks) { return 1000 * static_cast<std::uint64_t>(ranks.size()); }

}  // namespace

template <class Act>
void Logbook::note_failure(const Act& act) {
  try {
    act();
  } catch (const results::ResultsError& error) {
    failure_ = error.what();
  }
}

std::optional<std::uint64_t> Logbook::next() {
  const std::scoped_lock lock(mutex_);
  for (;;) {
    if (reserved_ == reserved_end_) {
      const std::uint64_t left = ended_.size() - std::min<std::uint64_t>(reserved_end_, ended_.size());
      const std::uint64_t count = ranks_.size() == 1 ? 1 : std::min(most_reserved, 1 + left / shares(ranks_));
      reserved_ = ranks_.take(count);
      reserved_end_ = reserved_ + count;
    }
    if (reserved_ >= ended_.size()) return std::nullopt;
    if (const std::uint64_t flight = reserved_++; ended_[flight] == 0) return flight;
  }
}

void Logbook::add(const FlightResult& result) {
  if (result.outcome == Outcome::Kind::interrupted) return;
  const bool failed = result.outcome == Outcome::Kind::failed;
  const std::scoped_lock lock(mutex_);
  row_ = result.inputs;
  row_.insert(row_.end(), {failed ? 1.0 : 0.0, result.end, static_cast<double>(result.steps)});
  row_.insert(row_.end(), result.measures.begin(), result.measures.end());
  const auto number = static_cast<double>(result.number);
  note_failure([&] {
    // The event first: `append` may flush, and no record is without its event.
    if (failed) writer_.add_event({number, fmt::format("failed at t = {:.9g} s", result.end), result.failure});
    writer_.append(number, row_);
  });
  ++flown_.ended;
  flown_.failed += failed ? 1U : 0U;
}

Progress Logbook::absorb(const results::ResultsReader& part, std::vector<std::uint8_t>& ended) {
  Progress sum;
  std::vector<std::vector<double>> columns;
  for (const results::Column& column : part.columns()) columns.push_back(part.column(column.name));
  std::map<double, const results::Event*> events;
  for (const results::Event& event : part.events()) events.emplace(event.t, &event);
  row_.resize(columns.size());
  for (std::size_t k = 0; k < part.records(); ++k) {
    const double number = part.time()[k];
    std::uint8_t& known = ended[static_cast<std::size_t>(number)];
    if (known != 0) continue;
    known = 1;
    ++sum.ended;
    if (const auto event = events.find(number); event != events.end()) {
      writer_.add_event(*event->second);
      ++sum.failed;
    }
    for (std::size_t c = 0; c < columns.size(); ++c) row_[c] = columns[c][k];
    writer_.append(number, row_);
  }
  return sum;
}

bool Logbook::flush() {
  const std::scoped_lock lock(mutex_);
  note_failure([&] { writer_.flush(); });
  ranks_.report({flown_.ended - told_.ended, flown_.failed - told_.failed});
  told_ = flown_;
  return failure_.empty();
}

void Logbook::help_others() {
  const std::scoped_lock lock(mutex_);
  ranks_.help_others();
}

void Logbook::add_to(Progress& progress) {
  const std::scoped_lock lock(mutex_);
  const Ranks::Report others = ranks_.reported();
  progress.ended += flown_.ended + others.ended;
  progress.failed += flown_.failed + others.failed;
}

void Logbook::end(bool complete, const results::Histories* histories) {
  note_failure([&] {
    writer_.set_status(complete ? "finished" : "interrupted");
    if (complete) {
      writer_.finish(histories);
    } else {
      writer_.flush();
    }
  });
  if (histories == nullptr || failure_.empty()) return;
  note_failure([&] {  // they are not in the file
    writer_.set_status("interrupted");
    writer_.flush();
  });
}

}  // namespace gyrostat::campaign
