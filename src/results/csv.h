// Tables as text, for spreadsheets and scripts: RFC 4180, numbers in the shortest form that reads back exactly.
#pragma once

#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace gyrostat::results {

class CsvWriter {
 public:
  /// A new file. It begins with a line of names: "time", then the columns'.
  CsvWriter(std::string path, std::span<const std::string> columns);
  /// The same to a stream that stays open; `name` is for errors, `index` what numbers the records.
  CsvWriter(std::FILE* stream, std::string name, std::span<const std::string> columns,
            const std::string& index = "time");
  CsvWriter(CsvWriter&&) = default;
  CsvWriter& operator=(CsvWriter&&) = delete;
  /// Writes what is in memory if it can.
  ~CsvWriter();

  void append(double t, std::span<const double> row);

  /// Everything to the system. Throws ResultsError if it does not take it; append may do so as well.
  void flush();

  /// Flushes and closes.
  void finish();

 private:
  struct Close {
    bool owned;
    void operator()(std::FILE* stream) const {
      if (owned) static_cast<void>(std::fclose(stream));
    }
  };
  void add_names(const std::string& index, std::span<const std::string> columns);
  void write();
  [[noreturn]] void fail() const;

  std::string path_;
  std::unique_ptr<std::FILE, Close> stream_;
  fmt::memory_buffer text_;
};

/// A name as a field: in quotes where it has to be.
std::string csv_field(std::string_view text);

}  // namespace gyrostat::results
