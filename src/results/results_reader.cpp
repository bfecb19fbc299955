#include "gyrostat/results/results_reader.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <stdexcept>

#include <fmt/format.h>

#include "gyrostat/results/input_file.h"
#include "gyrostat/results/layout.h"
#include "gyrostat/results/lines.h"
#include "gyrostat/results/results_file.h"

namespace gyrostat::results {

namespace {

/// A file that asks for more memory than there is counts as a file that cannot be read.
template <class Read>
auto within_memory(const std::string& path, Read&& read) {
  const hdf5::Quiet quiet;
  try {
    return read();
  } catch (const std::bad_alloc&) {
    throw ResultsError(path + ": is too large for this machine's memory");
  } catch (const std::length_error&) {
    throw ResultsError(path + ": is too large for this machine's memory");
  }
}

}  // namespace

void skip_hdf5_cleanup() { static_cast<void>(H5dont_atexit()); }

struct ResultsReader::File : hdf5::InputFile {
  using InputFile::InputFile;
};

ResultsReader::ResultsReader(std::string path) : path_(std::move(path)) {
  within_memory(path_, [&] {
    file_ = std::make_unique<File>(path_);
    read_header();
    read_time();
    read_columns();
    read_events();
    read_statistics();
    check_records();
  });
}

ResultsReader::ResultsReader(ResultsReader&&) noexcept = default;
ResultsReader::~ResultsReader() = default;

void ResultsReader::read_header() {
  auto attributes = file_->attributes();
  const auto take = [&](std::string_view name) {
    const auto found = std::ranges::find(attributes, name, [](const auto& pair) { return pair.first; });
    if (found == attributes.end()) throw ResultsError(path_ + ": is not a Gyrostat results file");
    std::string value = std::move(found->second);
    attributes.erase(found);
    return value;
  };
  const std::string format = take("format");
  if (format != results_format) {
    throw ResultsError(format.starts_with("gyrostat results ")
                           ? fmt::format("{}: is of another version of Gyrostat ('{}')", path_, format)
                           : path_ + ": is not a Gyrostat results file");
  }
  header_.model_name = take("model_name");
  header_.model_file = take("model_file");
  header_.version = take("version");
  header_.command = take("command");
  header_.formulation = take("formulation");
  header_.integrator = take("integrator");
  if (std::ranges::any_of(attributes, [](const auto& pair) { return pair.first == "index"; })) {
    header_.index = take("index");
  }
  header_.more = std::move(attributes);
  header_.model_text = file_->text("model");
  if (header_.index == "time") return;  // a run may record quantities of any name
  if (file_->has("texts")) {
    for (const std::string& name : file_->names_in("texts")) {
      header_.texts.emplace_back(name, file_->text("texts/" + name));
    }
  }
  if (!file_->has("tables")) return;
  for (const std::string& name : file_->names_in("tables")) {
    const hdf5::Dataset values = file_->numbers("tables/" + name);
    header_.tables.push_back({name, values.attribute("unit"), values.numbers(values.length())});
  }
}

void ResultsReader::read_time() {
  const hdf5::Dataset time = file_->numbers(header_.index);
  time_ = time.numbers(std::min(file_->whole_number("records"), time.length()));
  const auto end = std::ranges::find_if(time_, [](double t) { return std::isnan(t); });
  time_.erase(end, time_.end());
}

void ResultsReader::read_columns() {
  const hdf5::Dataset names = file_->texts("columns");
  for (std::string& name : names.texts(names.length())) {
    const hdf5::Dataset values = file_->numbers(dataset_path(name));
    if (values.length() < time_.size()) file_->damaged(fmt::format("'{}' is too short", name));
    index_.emplace(name, columns_.size());
    columns_.push_back({std::move(name), values.attribute("unit"), values.attribute("description"),
                        lines_of(values.attribute_if_any("states")), values.attribute_if_any("note")});
  }
}

void ResultsReader::read_events() {
  const hdf5::Dataset time = file_->numbers("events/time");
  const std::uint64_t count = std::min(file_->whole_number("events/count"), time.length());
  const std::vector<double> times = time.numbers(count);
  std::vector<std::string> names = file_->texts("events/name").texts(count);
  std::vector<std::string> whats = file_->texts("events/what").texts(count);
  for (std::size_t i = 0; i < count; ++i) events_.push_back({times[i], std::move(names[i]), std::move(whats[i])});
}

void ResultsReader::read_statistics() {
  for (std::string& name : file_->names_in("statistics")) {
    const double value = file_->number("statistics/" + name);
    statistics_.emplace_back(std::move(name), value);
  }
  status_ = file_->text("status");
}

/// Of a file that is not packed: HDF5 sees to the checksums of one that is.
void ResultsReader::check_records() const {
  if (!file_->has("checksums")) return;
  const std::vector<std::uint64_t> expected = file_->whole_numbers("checksums").whole_numbers(time_.size());
  RecordChecksums found(time_.size());
  found.add(time_);
  for (const Column& column : columns_) found.add(file_->numbers(dataset_path(column.name)).numbers(time_.size()));
  const auto wrong = std::ranges::mismatch(found.sums(), expected).in1;
  if (wrong != found.sums().end()) {
    file_->damaged(
        fmt::format("record {} has another checksum than when it was written", wrong - found.sums().begin()));
  }
}

std::optional<std::size_t> ResultsReader::find(std::string_view name) const {
  const auto found = index_.find(std::string(name));
  return found == index_.end() ? std::nullopt : std::optional(found->second);
}

std::string ResultsReader::checkpoint() const {
  return within_memory(path_, [&] { return file_->bytes_of("checkpoint"); });
}

std::vector<double> ResultsReader::column(std::string_view name) const {
  if (!find(name)) throw ResultsError(fmt::format("{}: has no column '{}'", path_, name));
  return within_memory(path_, [&] { return file_->numbers(dataset_path(name)).numbers(time_.size()); });
}

}  // namespace gyrostat::results
