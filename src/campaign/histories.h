// Histories of some flights: of the first, and of those that are worst by a measure. When all flights have ended these
// are flown once more and recorded; a flight is a function of its number alone, so they are the same flights.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/campaign/flight.h"
#include "gyrostat/campaign/history_file.h"
#include "gyrostat/results/results.h"
#include "gyrostat/results/results_reader.h"

namespace gyrostat::campaign {

/// What is recorded of a flight: which quantities, and when.
class HistoryPlan {
 public:
  /// As `record` of the campaign says, which must be there.
  explicit HistoryPlan(const FlightPlan& plan);

  [[nodiscard]] const std::vector<results::Column>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<double>& time() const { return time_; }  // [s]
  /// Numbers of a flight.
  [[nodiscard]] std::size_t size() const { return columns_.size() * time_.size(); }

  /// Before a flight is flown: the model and the settings are to record this.
  void ask_for(Model& model, RunSettings& settings) const;

 private:
  double interval_ = 0;             // [s]
  std::vector<std::string> named_;  // empty: what the model itself records
  std::vector<results::Column> columns_;
  std::vector<double> time_;
};

/// Why the histories that a campaign asks for cannot be kept, or empty.
std::string error_of_histories(const FlightPlan& plan);

/// Keeps what a flight records.
class HistoryRecorder {
 public:
  /// `into` has the size of the plan and outlives the recorder.
  HistoryRecorder(const HistoryPlan& plan, const Simulation& simulation, std::span<double> into);
  void record(std::span<const double> row);

 private:
  std::vector<std::size_t> places_;  // in a row, by column
  std::span<double> into_;
  std::size_t times_, next_ = 0;
};

/// The flights that are recorded, ascending; all flights of the file have ended.
std::vector<std::uint64_t> recorded_flights(const CampaignDescription& campaign, const results::ResultsReader& reader);

/// How many are among the first ones that `record` asks for: these are a sample of all flights, the others are not.
std::uint64_t sampled_histories(const CampaignDescription& campaign, std::span<const double> recorded);

/// The histories that a campaign asks for, in a file beside its results, from which they go into these in the end.
class RecordedHistories {
 public:
  /// Of the results of a campaign whose flights have all ended. What an earlier session recorded is taken, unless
  /// `anew`. Throws ResultsError.
  RecordedHistories(const FlightPlan& plan, std::string_view campaign_text, const std::string& results, bool anew);

  [[nodiscard]] std::uint64_t flights() const { return file_.flights().size(); }
  [[nodiscard]] std::uint64_t recorded() const { return file_.recorded(); }

  /// Called several times a second with how many are recorded; false ends it.
  using GoOn = std::function<bool(std::uint64_t recorded)>;
  /// Flies those that are not there yet. False: it was ended before. Throws ResultsError.
  bool record(unsigned threads, const GoOn& go_on);

  /// All of them, to be written; they point here.
  [[nodiscard]] results::Histories written();
  /// They are in the results now.
  void remove() { file_.remove(); }

 private:
  const FlightPlan& plan_;
  HistoryPlan history_;
  HistoryFile file_;
};

}  // namespace gyrostat::campaign
