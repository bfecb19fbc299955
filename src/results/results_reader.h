// Reads a results file, also one that is still being written or was left by a run that was killed. The file may come
// from anywhere: whatever is wrong with it is a ResultsError.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gyrostat/results/results.h"

namespace gyrostat::results {

/// For a program to call before anything else of this folder: HDF5 then does not clean up when the program ends, where
/// after reading a damaged file it would print many errors without consequence. The library does not call it, because
/// other code in a program may rely on the cleaning up.
void skip_hdf5_cleanup();

class ResultsReader {
 public:
  /// Reads everything but the columns' values; those of a run that has not ended are compared with their checksums.
  explicit ResultsReader(std::string path);
  ResultsReader(ResultsReader&&) noexcept;
  ~ResultsReader();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const Header& header() const { return header_; }
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }
  [[nodiscard]] const std::vector<Event>& events() const { return events_; }
  [[nodiscard]] const Statistics& statistics() const { return statistics_; }
  [[nodiscard]] const std::string& status() const { return status_; }

  /// How many records are written; each has a time.
  [[nodiscard]] std::uint64_t records() const { return time_.size(); }
  [[nodiscard]] const std::vector<double>& time() const { return time_; }

  /// The values of a column, one per record.
  [[nodiscard]] std::vector<double> column(std::string_view name) const;

  /// From what the run can go on, as checkpoint_file.h writes it, or empty.
  [[nodiscard]] std::string checkpoint() const;

  /// The number of a column, if there is one of that name.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;

 private:
  struct File;

  void read_header();
  void read_time();
  void read_columns();
  void read_events();
  void read_statistics();
  void check_records() const;

  std::string path_;
  std::unique_ptr<File> file_;
  Header header_;
  std::vector<Column> columns_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<Event> events_;
  Statistics statistics_;
  std::string status_;
  std::vector<double> time_;
};

}  // namespace gyrostat::results
