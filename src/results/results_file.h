// A results file that has its structure and takes numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gyrostat/math/checksum.h"
#include "gyrostat/results/layout.h"
#include "gyrostat/results/raw_file.h"

namespace gyrostat::results {

/// Events as the fields of datasets.
struct EventFields {
  std::vector<double> times;
  std::string names, whats;  // of the same number of bytes each
};
EventFields fields_of(std::span<const Event> events, std::size_t text_bytes);

/// The checksum of a record goes on with its next value: its time, then its columns in their order.
inline std::uint64_t checksum_with(std::uint64_t sum, double value) {
  return checksum({reinterpret_cast<const char*>(&value), sizeof value}, sum);  // NOLINT(*-reinterpret-cast)
}

/// Of many records, a column at a time.
class RecordChecksums {
 public:
  explicit RecordChecksums(std::size_t records) : sums_(records, empty_checksum) {}
  void add(std::span<const double> values) {
    for (std::size_t r = 0; r < sums_.size(); ++r) sums_[r] = checksum_with(sums_[r], values[r]);
  }
  [[nodiscard]] const std::vector<std::uint64_t>& sums() const { return sums_; }

 private:
  std::vector<std::uint64_t> sums_;
};

/// Of status_bytes, with three dots at its end if it is too long.
std::string status_field(std::string_view status);

class ResultsFile {
 public:
  ResultsFile() = default;
  /// Makes the file `path`; errors name `shown_path`.
  ResultsFile(const std::string& path, const std::string& shown_path, const Contents& contents, Capacity capacity)
      : raw_(path, shown_path), layout_(create_results_file(raw_, contents, capacity)) {}

  [[nodiscard]] bool is_open() const { return raw_.is_open(); }
  [[nodiscard]] Capacity capacity() const { return layout_.capacity; }
  void close() { raw_.close(); }

  /// Values of successive records, from the one with number `first`.
  void write_times(std::uint64_t first, std::span<const double> values) { write(layout_.time, first, values); }
  void write_column(std::size_t column, std::uint64_t first, std::span<const double> values) {
    write(layout_.columns[column], first, values);
  }
  void write_checksums(std::uint64_t first, std::span<const std::uint64_t> sums) {
    if (!sums.empty()) raw_.write(layout_.checksums + first * sizeof(std::uint64_t), sums.data(), sums.size_bytes());
  }
  void write_events(std::uint64_t first, std::span<const Event> events);

  /// To be called after what they count has been written, so that they never count more than is there.
  void write_counts(std::uint64_t records, std::uint64_t events);
  void write_statistics(std::span<const double> values);
  void write_status(std::string_view status);

 private:
  void write(std::uint64_t place, std::uint64_t first, std::span<const double> values) {
    if (!values.empty()) raw_.write(place + first * sizeof(double), values.data(), values.size_bytes());
  }

  RawFile raw_;
  Layout layout_;
};

}  // namespace gyrostat::results
