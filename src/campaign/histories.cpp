#include "gyrostat/campaign/histories.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "gyrostat/campaign/campaign.h"
#include "gyrostat/campaign/lanes.h"
#include "gyrostat/campaign/statistics.h"
#include "gyrostat/dynamics/kernels.h"
#include "gyrostat/expression/glob.h"
#include "gyrostat/math/checksum.h"
#include "gyrostat/model/names.h"
#include "gyrostat/results/version.h"

namespace gyrostat::campaign {

namespace {

constexpr auto between_histories = std::chrono::milliseconds(50);

/// Names that may be patterns or vectors, as numbers.
std::vector<std::string> numbers_named(const std::vector<std::string>& columns, const Names& names) {
  std::vector<std::string> all;
  for (const std::string& column : columns) {
    std::ranges::move(is_pattern(column) ? names.matching(column) : names.numbers_of(column), std::back_inserter(all));
  }
  return all;
}

/// The picture of a replay needs the one, and a flight keeps no other.
bool is_of_runs_alone(const std::string& column) {
  return column.starts_with("motion/") || column.starts_with("ledger/");
}

}  // namespace

HistoryPlan::HistoryPlan(const FlightPlan& plan) : interval_(plan.campaign().record->interval) {
  Model model = *plan.nominal().model;
  named_ = numbers_named(plan.campaign().record->columns, Names(model.description));
  RunSettings settings = plan.settings(0);
  ask_for(model, settings);
  const Simulation simulation(model, settings, plan.plugins());
  for (const OutputColumn& column : simulation.columns()) {
    const bool wanted =
        named_.empty() ? !is_of_runs_alone(column.name) : std::ranges::find(named_, column.name) != named_.end();
    if (wanted) columns_.push_back({column.name, column.unit, column.description, column.states});
  }
  const std::uint64_t count = settings.record_count();
  for (std::uint64_t k = 0; k + 1 < count; ++k) time_.push_back(static_cast<double>(k) * interval_);
  time_.push_back(settings.until);
}

void HistoryPlan::ask_for(Model& model, RunSettings& settings) const {
  settings.records = true;
  settings.interval = interval_;  // steps are no longer than watch_interval, as they were
  if (named_.empty()) return;
  model.description.output.record = named_;
  model.description.output.reactions.clear();
}

std::string error_of_histories(const FlightPlan& plan) {
  const Recording& record = *plan.campaign().record;
  RunSettings settings = plan.settings(0);
  const double records = settings.until / record.interval;
  const std::uint64_t flights = std::min(record.of + record.worst_count, plan.sampler().count());
  constexpr const char* remedy = "choose a longer interval, fewer quantities or fewer flights";
  const auto numbers = [&](double quantities) { return quantities * records * static_cast<double>(flights); };
  if (numbers(1) <= limits::history_numbers && records <= limits::history_records) {
    const std::size_t quantities = HistoryPlan(plan).columns().size();
    if (quantities == 0) return "the model records nothing itself; name quantities: columns: [bus.omega_x]";
    if (numbers(static_cast<double>(quantities)) <= limits::history_numbers) return {};
    return fmt::format("{} quantities at {:.0f} instants of {} flights are {:.3g} numbers; the limit is {:.3g}; {}",
                       quantities, records, flights, numbers(static_cast<double>(quantities)), limits::history_numbers,
                       remedy);
  }
  return fmt::format("{:.3g} instants of {} flights; the limit is {:.3g} instants and {:.3g} numbers in all; {}",
                     records, flights, limits::history_records, limits::history_numbers, remedy);
}

HistoryRecorder::HistoryRecorder(const HistoryPlan& plan, const Simulation& simulation, std::span<double> into)
    : into_(into), times_(plan.time().size()) {
  for (const results::Column& column : plan.columns()) {
    const auto found = std::ranges::find(simulation.columns(), column.name, &OutputColumn::name);
    places_.push_back(static_cast<std::size_t>(found - simulation.columns().begin()));
  }
}

void HistoryRecorder::record(std::span<const double> row) {
  if (next_ == times_) return;
  for (std::size_t c = 0; c < places_.size(); ++c) {
    if (places_[c] < row.size()) into_[c * times_ + next_] = row[places_[c]];
  }
  ++next_;
}

std::vector<std::uint64_t> recorded_flights(const CampaignDescription& campaign, const results::ResultsReader& reader) {
  const Recording& record = *campaign.record;
  const std::uint64_t count = reader.records();
  std::set<std::uint64_t> flights;
  for (std::uint64_t k = 0; k < std::min(record.of, count); ++k) flights.insert(k);
  if (record.worst_count > 0) {
    std::vector<double> values(count, not_a_number);
    const std::vector<double> stored = reader.column(measure_column(record.worst));
    for (std::size_t k = 0; k < stored.size(); ++k) values[static_cast<std::size_t>(reader.time()[k])] = stored[k];
    const auto worst = worst_flights(values, record.worst_count, campaign.more_is_worse(record.worst));
    flights.insert(worst.begin(), worst.end());
  }
  return {flights.begin(), flights.end()};
}

std::uint64_t sampled_histories(const CampaignDescription& campaign, std::span<const double> recorded) {
  const double of = campaign.record ? static_cast<double>(campaign.record->of) : 0;
  return static_cast<std::uint64_t>(std::ranges::lower_bound(recorded, of) - recorded.begin());
}

namespace {

/// Of what the histories follow from, beside the flights.
std::uint64_t origin_of(const FlightPlan& plan, std::string_view campaign_text) {
  std::uint64_t sum = empty_checksum;
  for (const std::string_view text :
       {version(), std::string_view(kernels().processor), campaign_text, std::string_view(plan.model_text())}) {
    sum = checksum(text, sum);
  }
  return sum;
}

HistoryFile open_file(const FlightPlan& plan, const HistoryPlan& history, std::string_view campaign_text,
                      const std::string& results, bool anew) {
  const std::string path = history_path_beside(results);
  const results::ResultsReader reader(results);
  HistoryFile file(path, origin_of(plan, campaign_text), recorded_flights(plan.campaign(), reader), history.size());
  if (anew) file.forget();
  return file;
}

}  // namespace

RecordedHistories::RecordedHistories(const FlightPlan& plan, std::string_view campaign_text, const std::string& results,
                                     bool anew)
    : plan_(plan), history_(plan), file_(open_file(plan, history_, campaign_text, results, anew)) {}

results::Histories RecordedHistories::written() {
  results::Histories all;
  all.records.assign(file_.flights().begin(), file_.flights().end());
  all.time = history_.time();
  all.columns = history_.columns();
  all.read = [this, times = all.time.size()](std::size_t column, std::uint64_t first, std::span<double> into) {
    for (std::size_t k = 0; k < into.size() / times; ++k) {
      file_.read(first + k, column * times, into.subspan(k * times, times));
    }
  };
  return all;
}

bool RecordedHistories::record(unsigned threads, const GoOn& go_on) {
  HistoryFile& file = file_;
  const std::vector<std::uint64_t>& flights = file.flights();
  std::mutex mutex;
  std::atomic<bool> stop = false;
  std::atomic<unsigned> busy = threads;
  std::exception_ptr failure;
  std::size_t next = 0;
  const NextFlight take = [&]() -> std::optional<std::uint64_t> {
    const std::scoped_lock lock(mutex);
    while (next < flights.size() && file.has(next)) ++next;
    return next < flights.size() ? std::optional(flights[next++]) : std::nullopt;
  };
  const FlightEnded keep = [&](FlightResult&& result) {
    if (result.outcome == Outcome::Kind::interrupted) return;
    const std::scoped_lock lock(mutex);
    try {
      if (!failure) {
        file.write(static_cast<std::size_t>(std::ranges::lower_bound(flights, result.number) - flights.begin()),
                   result.history);
      }
    } catch (const results::ResultsError&) {
      failure = std::current_exception();
      stop = true;
    }
  };
  {
    std::vector<std::jthread> workers;
    const StopAtEnd stop_at_end{stop};
    for (unsigned k = 0; k < threads; ++k) {
      workers.emplace_back([&] {
        fly_all(plan_, take, keep, stop, &history_);
        --busy;
      });
    }
    while (busy > 0) {
      std::this_thread::sleep_for(between_histories);
      const auto recorded = [&] {
        const std::scoped_lock lock(mutex);
        return file.recorded();
      };
      if (go_on && !go_on(recorded())) stop = true;
    }
  }
  if (failure) std::rethrow_exception(failure);
  return file.recorded() == flights.size();
}

}  // namespace gyrostat::campaign
