#include "gyrostat/results/results_writer.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "gyrostat/results/packed_file.h"
#include "gyrostat/results/results_reader.h"
#include "gyrostat/results/target.h"

namespace gyrostat::results {

namespace {

constexpr std::size_t buffer_values = (16U << 20U) / sizeof(double);
constexpr std::uint64_t first_event_capacity = 1024;

std::uint64_t grown(std::uint64_t capacity, std::uint64_t needed) {
  return needed <= capacity ? capacity : std::max(needed, 2 * capacity);
}

}  // namespace

ResultsWriter::ResultsWriter(std::string path, Contents contents)
    : path_(std::move(path)), contents_(std::move(contents)), statistics_(contents_.statistics.size()) {}

ResultsWriter::ResultsWriter(const std::string& path, Header header, std::vector<Column> columns,
                             std::uint64_t capacity, std::vector<std::string> statistic_names, bool force)
    : ResultsWriter(without_link(path), {std::move(header), std::move(columns), std::move(statistic_names)}) {
  check_target(path_, FileKind::results, force);
  rewrite({capacity, first_event_capacity}, nullptr);
  buffer_.reserve(std::min<std::uint64_t>(capacity, buffer_values / width() + 1) * width());
}

ResultsWriter ResultsWriter::reopen(const std::string& path, std::uint64_t records, std::uint64_t events,
                                    std::uint64_t capacity, const Header* header) {
  const ResultsReader source(path);
  if (records > source.records() || events > source.events().size()) {
    throw ResultsError(fmt::format("{}: has {} records and {} events; cannot go on after record {} and event {}", path,
                                   source.records(), source.events().size(), records, events));
  }
  Contents contents{header != nullptr ? *header : source.header(), source.columns(), {}};
  for (const auto& [name, value] : source.statistics()) contents.statistics.push_back(name);
  ResultsWriter writer(without_link(path), std::move(contents));
  check_target(writer.path_, FileKind::results);
  for (std::size_t i = 0; i < writer.statistics_.size(); ++i) writer.statistics_[i] = source.statistics()[i].second;
  writer.records_ = records;
  writer.events_ = events;
  writer.rewrite({std::max(capacity, records), grown(first_event_capacity, events)}, &source);
  return writer;
}

ResultsWriter::~ResultsWriter() {
  try {
    flush();
  } catch (...) {  // NOLINT(bugprone-empty-catch): a destructor cannot report it
  }
}

void ResultsWriter::append(double t, std::span<const double> row) {
  if (row.size() + 1 != width())
    throw ResultsError(fmt::format("{}: a record of {} values for {} columns", path_, row.size(), width() - 1));
  if (std::isnan(t)) throw ResultsError(fmt::format("{}: the time of record {} is not a number", path_, records()));
  buffer_.push_back(t);
  buffer_.insert(buffer_.end(), row.begin(), row.end());
  if (buffer_.size() >= buffer_values) flush();
}

void ResultsWriter::add_event(const Event& event) { new_events_.push_back(event); }

void ResultsWriter::set_statistics(const Statistics& statistics) {
  for (const auto& [name, value] : statistics) {
    const auto found = std::ranges::find(contents_.statistics, name);
    if (found != contents_.statistics.end()) {
      statistics_[static_cast<std::size_t>(found - contents_.statistics.begin())] = value;
    }
  }
}

void ResultsWriter::flush() { write_all(status_); }

void ResultsWriter::write_all(std::string_view status) {
  if (!file_.is_open()) return;
  const Capacity room = file_.capacity(), needed{grown(room.records, records()), grown(room.events, events())};
  if (needed.records > room.records || needed.events > room.events) {
    const ResultsReader source(path_);
    rewrite(needed, &source);
  }
  write_rows();
  file_.write_events(events_, new_events_);
  file_.write_counts(records(), events());
  records_ = records();
  events_ = events();
  buffer_.clear();
  new_events_.clear();
  file_.write_statistics(statistics_);
  file_.write_status(status);
}

void ResultsWriter::finish(const Histories* histories) {
  const bool sorts = contents_.header.index != "time";  // then they are not finished before they are sorted
  write_all(sorts ? "running" : status_);
  if (!file_.is_open()) return;
  const ResultsReader source(path_);
  try {
    pack(source, histories);
  } catch (const ResultsError&) {  // the file is whole as it is, but for histories
    if (histories != nullptr) throw;
    file_.write_status(status_);
  }
  file_.close();
}

void ResultsWriter::abandon() {
  buffer_.clear();
  new_events_.clear();
  if (!file_.is_open()) return;
  file_.write_statistics(statistics_);
  file_.write_status(status_);
  file_.close();
}

void ResultsWriter::pack(const ResultsReader& source, const Histories* histories) {
  Replacement replacement(path_);
  RawFile file(replacement.temporary(), path_);
  create_packed_file(file, contents_, source, status_, checkpoint_, histories);
  file.close();
  replacement.put_in_place();
}

void ResultsWriter::rewrite(Capacity capacity, const ResultsReader* source) {
  Replacement replacement(path_);
  ResultsFile file(replacement.temporary(), path_, contents_, capacity);
  if (source != nullptr) {
    if (source->records() < records_ || source->events().size() < events_)
      throw ResultsError(path_ + ": has been changed by another program");
    file.write_times(0, std::span(source->time()).first(records_));
    RecordChecksums checksums(records_);
    checksums.add(source->time());
    for (std::size_t c = 0; c < contents_.columns.size(); ++c) {
      const std::vector<double> values = source->column(contents_.columns[c].name);
      file.write_column(c, 0, std::span(values).first(records_));
      checksums.add(values);
    }
    file.write_checksums(0, checksums.sums());
    file.write_events(0, std::span(source->events()).first(events_));
  }
  file.write_counts(records_, events_);
  file.write_statistics(statistics_);
  file.write_status(status_);
  replacement.put_in_place();
  file_ = std::move(file);
}

/// Rows become columns, a few columns at a time, so that memory is read once and in order.
void ResultsWriter::write_rows() {
  constexpr std::size_t together = 8;
  const std::size_t rows = buffer_.size() / width();
  if (rows == 0) return;
  std::vector<std::uint64_t> sums(rows, empty_checksum);
  for (std::size_t i = 0; i < buffer_.size(); ++i) sums[i / width()] = checksum_with(sums[i / width()], buffer_[i]);
  file_.write_checksums(records_, sums);
  std::vector<double> columns(together * rows);
  // From the last to the first: the time comes after what it dates.
  for (std::size_t end = width(); end > 0;) {
    const std::size_t begin = end > together ? end - together : 0;
    for (std::size_t r = 0; r < rows; ++r) {
      for (std::size_t c = begin; c < end; ++c) columns[(c - begin) * rows + r] = buffer_[r * width() + c];
    }
    for (std::size_t c = end; c-- > begin;) {
      const std::span<const double> values(columns.data() + (c - begin) * rows, rows);
      if (c == 0) {
        file_.write_times(records_, values);
      } else {
        file_.write_column(c - 1, records_, values);
      }
    }
    end = begin;
  }
}

}  // namespace gyrostat::results
