// Histories of some records of a results file: for each quantity a matrix of records by times. Of campaigns: of some
// flights.
//
//   histories/flight         the records that have one, ascending
//   histories/time           [s]
//   histories/columns        the names of the quantities
//   histories/<columns>      matrices, a row for each of the records; attributes as those of columns. NaN where a
//   record
//                            has ended earlier
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/results/results.h"

namespace gyrostat::results {

/// As they are written.
struct Histories {
  std::string index = "flight";  // what numbers the records, as in the header
  std::vector<double> records;   // their numbers, ascending
  std::vector<double> time;      // [s]
  std::vector<Column> columns;
  /// Rows of a column from the one with number `first` on, as many as there is room for.
  std::function<void(std::size_t column, std::uint64_t first, std::span<double> into)> read;
};

/// The dataset of a quantity: as dataset_path has it, in the group of histories.
std::string history_path(std::string_view index, std::string_view column);

/// As they are read back. Nothing but the numbers of records and the times is kept in memory.
class StoredHistories {
 public:
  /// Throws ResultsError.
  explicit StoredHistories(const std::string& path, std::string index = "flight");
  StoredHistories(StoredHistories&&) noexcept;
  ~StoredHistories();

  /// A file without histories has no records, times and columns.
  [[nodiscard]] const std::vector<double>& records() const { return records_; }
  [[nodiscard]] const std::vector<double>& time() const { return time_; }
  [[nodiscard]] const std::vector<Column>& columns() const { return columns_; }

  /// All values of a quantity, by record.
  [[nodiscard]] std::vector<double> values(std::size_t column) const;

 private:
  struct File;

  std::string path_, index_;
  std::unique_ptr<File> file_;
  std::vector<double> records_, time_;
  std::vector<Column> columns_;
};

}  // namespace gyrostat::results
