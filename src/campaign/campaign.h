// Flies a campaign into a results file, whose records are flights: what was drawn for each, what came of it, and its
// measures. While it goes on the records are in the order in which flights end, and the file is whole at any moment;
// when all have ended they are sorted. The numbers in the file are the same bits for any number of threads, and after
// any interruption.
#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>

#include "gyrostat/campaign/flight.h"
#include "gyrostat/campaign/read.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/run.h"

namespace gyrostat::campaign {

/// A campaign cannot be flown, resumed or read. Nothing has been written.
class CampaignError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Its model is not valid by itself.
class InvalidModel : public CampaignError {
 public:
  explicit InvalidModel(Loaded invalid);
  std::shared_ptr<const Loaded> loaded;
};

/// A plan for a campaign file that was read without errors. What is wrong with the campaign seen from the model is
/// added to its problems, as is a model that cannot be read; then there is no plan. Throws CampaignError where it
/// cannot be flown.
std::optional<FlightPlan> make_plan(ReadCampaign& read);
/// The same with the text of a model, whose file need not exist.
std::optional<FlightPlan> make_plan(ReadCampaign& read, const std::string& model_file, std::string model_text);
/// The same with the model that is stored in the file of the campaign. Throws CampaignError as well where data files
/// that it refers to were changed since.
std::optional<FlightPlan> stored_plan(const results::ResultsReader& reader, ReadCampaign& read);

struct Progress {
  std::uint64_t flights = 0;            // in all
  std::uint64_t ended = 0, failed = 0;  // so far; those that failed are among the ended ones
  std::uint64_t ended_before = 0;       // of these, in an earlier session
  double seconds = 0;                   // since this one began
  std::uint64_t histories = 0;          // when all have ended: of so many flights
  std::uint64_t recorded = 0;           // so many of them, so far
};

struct CampaignOptions {
  unsigned threads = 0;  // 0: as many as the machine has cores
  bool resume = false;   // go on with the file where there is one
  bool force = false;    // replace a file that Gyrostat did not write
  std::string command;   // stored in the file
  /// Several times a second, from the thread that called; false ends the campaign, which can be resumed.
  std::function<bool(const Progress&)> go_on = {};
  /// The computed measures of a flight that did not fail, in their order, from its history; nothing ends the campaign,
  /// which can be resumed. From the thread that called, in the order of the flights. Must not throw.
  std::function<std::optional<std::vector<double>>(const FlightResult&)> compute = {};
};

struct CampaignOutcome {
  Progress progress;
  bool finished = false;      // all flights of the campaign have ended, and their histories are there
  bool first_process = true;  // of those that fly it together: the one that has the file
  std::string failure;        // of writing, or empty
};

CampaignOutcome fly_campaign(const ReadCampaign& read, const FlightPlan& plan, const std::string& path,
                             const CampaignOptions& options = {});

/// Names of columns in the file.
inline constexpr const char* outcome_column = "outcome";  // 0 finished, 1 failed
std::string input_column(const std::string& parameter);   // "inputs/bus_mass"
std::string measure_column(const std::string& measure);   // "measures/peak_error"

/// Is it the file of a campaign?
bool is_campaign(const results::Header& header);
/// Why the flights were flown one by one, or empty.
std::string not_packed_because(const results::Header& header);
/// The campaign that a file is of, as it was read, with the samples of its tables. Throws CampaignError where it is not
/// of one.
ReadCampaign stored_campaign(const results::ResultsReader& reader);

/// One flight again, alone and recorded like any run, with the same bits.
results::RunResult replay(const FlightPlan& plan, std::uint64_t flight, const std::string& path,
                          results::RunOptions options, const results::RunCallbacks& callbacks = {});

}  // namespace gyrostat::campaign
