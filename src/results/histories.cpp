#include "gyrostat/results/histories.h"

#include <new>

#include <fmt/format.h>

#include "gyrostat/results/input_file.h"
#include "gyrostat/results/layout.h"
#include "gyrostat/results/lines.h"

namespace gyrostat::results {

namespace {

const char* const group = "histories";

std::string own_path(std::string_view name) { return fmt::format("{}/{}", group, name); }

}  // namespace

std::string history_path(std::string_view index, std::string_view column) {
  return fmt::format("{}/{}{}", group, dataset_path(column), column == index ? "_" : "");
}

struct StoredHistories::File : hdf5::InputFile {
  using InputFile::InputFile;
};

StoredHistories::StoredHistories(const std::string& path, std::string index)
    : path_(path), index_(std::move(index)), file_(std::make_unique<File>(path)) {
  const hdf5::Quiet quiet;
  if (!file_->has(group)) return;
  const hdf5::Dataset records = file_->numbers(own_path(index_)), time = file_->numbers(own_path("time")),
                      names = file_->texts(own_path("columns"));
  records_ = records.numbers(records.length());
  time_ = time.numbers(time.length());
  for (std::string& name : names.texts(names.length())) {
    const hdf5::Dataset values = file_->matrix(history_path(index_, name));
    if (values.columns() != time_.size() || values.length() != records_.size() * time_.size()) {
      file_->damaged(fmt::format("'{}' has not a number for each of {} records and {} times", name, records_.size(),
                                 time_.size()));
    }
    columns_.push_back({std::move(name), values.attribute("unit"), values.attribute("description"),
                        lines_of(values.attribute_if_any("states")), values.attribute_if_any("note")});
  }
}

StoredHistories::StoredHistories(StoredHistories&&) noexcept = default;
StoredHistories::~StoredHistories() = default;

std::vector<double> StoredHistories::values(std::size_t column) const {
  const hdf5::Quiet quiet;
  try {
    return file_->matrix(history_path(index_, columns_.at(column).name)).numbers(records_.size() * time_.size());
  } catch (const std::bad_alloc&) {
    throw ResultsError(path_ + ": is too large for this machine's memory");
  }
}

}  // namespace gyrostat::results
