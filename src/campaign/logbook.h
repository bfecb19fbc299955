// Where the results of a process go, and which flights have ended. Used by several threads.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "gyrostat/campaign/campaign.h"
#include "gyrostat/campaign/ranks.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/results_writer.h"

namespace gyrostat::campaign {

class Logbook {
 public:
  /// Keeps pointing at what has ended before, by flight, and at the ranks.
  Logbook(results::ResultsWriter writer, const std::vector<std::uint8_t>& ended, Ranks& ranks)
      : writer_(std::move(writer)), ended_(ended), ranks_(ranks) {}

  /// The next flight that has not ended, or nothing.
  std::optional<std::uint64_t> next();
  void add(const FlightResult& result);

  /// Of what another process has written, the flights that have not ended yet; they are noted as ended.
  Progress absorb(const results::ResultsReader& part, std::vector<std::uint8_t>& ended);

  /// Into the file; false where that failed, now or before. The first process learns how far this one is.
  bool flush();
  void help_others();

  /// With the flights that this process has flown, and in the first one those that others say they have.
  void add_to(Progress& progress);

  /// By this process, once all its threads have ended.
  [[nodiscard]] const Ranks::Report& flown() const { return flown_; }

  /// With histories of some of the flights, where the campaign has them.
  void end(bool complete, const results::Histories* histories = nullptr);
  /// Why nothing more could be written, or empty.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  template <class Act>
  void note_failure(const Act& act);

  std::mutex mutex_;
  results::ResultsWriter writer_;
  const std::vector<std::uint8_t>& ended_;
  Ranks& ranks_;
  std::vector<double> row_;
  Ranks::Report flown_, told_;                     // by this process; of these, told to the first one
  std::uint64_t reserved_ = 0, reserved_end_ = 0;  // taken from the ranks, not given out yet
  std::string failure_;
};

}  // namespace gyrostat::campaign
