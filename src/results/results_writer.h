// Writes a results file while a run goes on. The file is whole and readable at any moment, by any program that knows
// HDF5, and holds everything up to the last flush, even if this program is killed. (It is not forced to the disk: it
// may not survive a power failure.)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/results/histories.h"
#include "gyrostat/results/layout.h"
#include "gyrostat/results/results.h"
#include "gyrostat/results/results_file.h"

namespace gyrostat::results {

class ResultsReader;

class ResultsWriter {
 public:
  /// A new file, in the place of an older results file if there is one. `capacity` is the number of records to come; if
  /// more come, the file is rewritten with more room. All statistics are 0 and the status is "running" until set.
  /// `force` allows to replace any file.
  ResultsWriter(const std::string& path, Header header, std::vector<Column> columns, std::uint64_t capacity,
                std::vector<std::string> statistic_names = {}, bool force = false);

  /// Goes on with an existing file after its first `records` records and `events` events; what comes later in it is
  /// dropped. `capacity` counts all records, those kept included. `header` takes the place of the file's own, if given.
  static ResultsWriter reopen(const std::string& path, std::uint64_t records, std::uint64_t events,
                              std::uint64_t capacity, const Header* header = nullptr);

  ResultsWriter(ResultsWriter&& other) = default;
  ResultsWriter& operator=(ResultsWriter&&) = delete;
  /// Writes what is in memory if it can, and leaves the file as it is.
  ~ResultsWriter();

  /// Into memory; a flush follows by itself when much has gathered there. One value per column.
  void append(double t, std::span<const double> row);
  void add_event(const Event& event);
  void set_statistic(std::size_t index, double value) { statistics_.at(index) = value; }
  /// By name; a name that the file does not have is left out.
  void set_statistics(const Statistics& statistics);
  void set_status(std::string_view status) { status_ = status; }
  /// From what the run can go on after it has ended. Written by `finish`.
  void set_checkpoint(std::string bytes) { checkpoint_ = std::move(bytes); }

  /// Everything into the file. If this fails, what was to be written remains in memory for another attempt.
  void flush();

  /// Flushes, compresses the file, and closes. After this there is nothing to append to. Where there is no room for the
  /// compressed copy the file stays as it is; but with histories, which are in the compressed copy alone, this is an
  /// error.
  void finish(const Histories* histories = nullptr);

  /// For when `finish` failed: gives up what is in memory and notes the status in the file.
  void abandon();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::vector<Column>& columns() const { return contents_.columns; }
  [[nodiscard]] std::uint64_t records() const { return records_ + buffer_.size() / width(); }
  [[nodiscard]] std::uint64_t events() const { return events_ + new_events_.size(); }

 private:
  ResultsWriter(std::string path, Contents contents);

  /// A new file in the place of the old, with as much of `source` in it as counts as written.
  void rewrite(Capacity capacity, const ResultsReader* source);
  void write_all(std::string_view status);
  void pack(const ResultsReader& source, const Histories* histories);
  void write_rows();
  [[nodiscard]] std::size_t width() const { return 1 + contents_.columns.size(); }

  std::string path_;
  Contents contents_;
  ResultsFile file_;
  std::uint64_t records_ = 0, events_ = 0;  // in the file
  std::vector<double> buffer_;              // rows to come: time, then the columns
  std::vector<Event> new_events_;           // to come
  std::vector<double> statistics_;
  std::string status_ = "running";
  std::string checkpoint_;
};

}  // namespace gyrostat::results
