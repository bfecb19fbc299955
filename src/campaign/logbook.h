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

  std::optional<std::uint64_t> next();
  void add(const FlightResult& result);

  /// All that another process has written.
  void absorb(const results::ResultsReader& part);

  /// Into the file; false where that failed, now or before.
  bool flush();

  /// With the flights that this process has flown.
  void add_to(Progress& progress);

  void end(bool complete);
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
  std::uint64_t flown_ = 0, failed_ = 0;
  std::string failure_;
};

}  // namespace gyrostat::campaign
