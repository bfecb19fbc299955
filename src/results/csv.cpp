#include "gyrostat/results/csv.h"

#include <cerrno>
#include <cstring>
#include <iterator>

#include "gyrostat/results/results.h"

namespace gyrostat::results {

namespace {

constexpr std::size_t enough = 1U << 16U;

}  // namespace

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

CsvWriter::CsvWriter(std::string path, std::span<const std::string> columns)
    : path_(std::move(path)), stream_(std::fopen(path_.c_str(), "wb"), Close{true}) {
  if (!stream_) fail();
  add_names("time", columns);
}

CsvWriter::CsvWriter(std::FILE* stream, std::string name, std::span<const std::string> columns,
                     const std::string& index)
    : path_(std::move(name)), stream_(stream, Close{false}) {
  add_names(index, columns);
}

CsvWriter::~CsvWriter() {
  try {
    flush();
  } catch (...) {  // NOLINT(bugprone-empty-catch): a destructor cannot report it
  }
}

void CsvWriter::add_names(const std::string& index, std::span<const std::string> columns) {
  fmt::format_to(std::back_inserter(text_), "{}", index);
  for (const std::string& name : columns) fmt::format_to(std::back_inserter(text_), ",{}", csv_field(name));
  text_.push_back('\n');
}

void CsvWriter::append(double t, std::span<const double> row) {
  fmt::format_to(std::back_inserter(text_), "{}", t);
  for (const double value : row) fmt::format_to(std::back_inserter(text_), ",{}", value);
  text_.push_back('\n');
  if (text_.size() > enough) write();
}

void CsvWriter::write() {
  errno = 0;
  if (std::fwrite(text_.data(), 1, text_.size(), stream_.get()) != text_.size()) fail();
  text_.clear();
}

void CsvWriter::flush() {
  if (!stream_) return;
  write();
  if (std::fflush(stream_.get()) != 0) fail();
}

void CsvWriter::finish() {
  flush();
  const bool owned = stream_.get_deleter().owned;
  if (std::FILE* stream = stream_.release(); stream != nullptr && owned && std::fclose(stream) != 0) fail();
}

void CsvWriter::fail() const {
  throw ResultsError(
      fmt::format("{}: cannot be written: {}", path_, errno == 0 ? "unknown reason" : std::strerror(errno)));
}

}  // namespace gyrostat::results
