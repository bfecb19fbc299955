#include "gyrostat/campaign/logbook.h"

#include <fmt/format.h>

namespace gyrostat::campaign {

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
    const std::uint64_t flight = ranks_.take(1);
    if (flight >= ended_.size()) return std::nullopt;
    if (ended_[flight] == 0) return flight;
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
    writer_.append(number, row_);
    if (failed) writer_.add_event({number, fmt::format("failed at t = {:.9g} s", result.end), result.failure});
  });
  ++flown_;
  failed_ += failed ? 1U : 0U;
}

void Logbook::absorb(const results::ResultsReader& part) {
  std::vector<std::vector<double>> columns;
  for (const results::Column& column : part.columns()) columns.push_back(part.column(column.name));
  row_.resize(columns.size());
  for (std::size_t k = 0; k < part.records(); ++k) {
    for (std::size_t c = 0; c < columns.size(); ++c) row_[c] = columns[c][k];
    writer_.append(part.time()[k], row_);
  }
  for (const results::Event& event : part.events()) writer_.add_event(event);
}

bool Logbook::flush() {
  const std::scoped_lock lock(mutex_);
  note_failure([&] { writer_.flush(); });
  ranks_.help_others();
  return failure_.empty();
}

void Logbook::add_to(Progress& progress) {
  const std::scoped_lock lock(mutex_);
  progress.ended += flown_;
  progress.failed += failed_;
}

void Logbook::end(bool complete) {
  note_failure([&] {
    writer_.set_status(complete ? "finished" : "interrupted");
    if (complete) {
      writer_.finish();
    } else {
      writer_.flush();
    }
  });
}

}  // namespace gyrostat::campaign
