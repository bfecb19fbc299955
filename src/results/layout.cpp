#include "gyrostat/results/layout.h"

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "gyrostat/results/creation.h"

namespace gyrostat::results {

namespace {

constexpr std::array<std::string_view, 9> own_names = {"time",   "model",      "columns",    "records",  "events",
                                                       "status", "statistics", "checkpoint", "checksums"};
constexpr std::array<std::string_view, 5> groups_of_runs = {"motion", "reactions", "driving", "loads", "ledger"};

void mark_missing(RawFile& file, std::uint64_t place, std::uint64_t count) {
  const std::vector<double> missing(std::min<std::uint64_t>(count, 1U << 17U),
                                    std::numeric_limits<double>::quiet_NaN());
  for (std::uint64_t done = 0; done < count; done += missing.size()) {
    const std::size_t piece = std::min<std::uint64_t>(missing.size(), count - done);
    file.write(place + done * sizeof(double), missing.data(), piece * sizeof(double));
  }
}

}  // namespace

std::string dataset_path(std::string_view column_name) {
  const std::string_view first = column_name.substr(0, column_name.find('/'));
  const bool alone = first.size() == column_name.size();  // in no group
  const bool taken = std::ranges::find(own_names, first) != own_names.end() ||
                     (alone && std::ranges::find(groups_of_runs, first) != groups_of_runs.end());
  return fmt::format("{}{}{}", first, taken ? "_" : "", column_name.substr(first.size()));
}

Layout create_results_file(RawFile& file, const Contents& contents, Capacity capacity) {
  const hdf5::Quiet quiet;
  Creation creation(file.shown_path(), contents, Storage::in_place);
  const hdf5::Handle event_text = hdf5::string_type(contents.event_text_bytes()),
                     status_text = hdf5::string_type(status_bytes);
  const hid_t number = H5T_NATIVE_DOUBLE, count = H5T_NATIVE_UINT64;

  Layout layout;
  layout.capacity = capacity;
  layout.event_text_bytes = contents.event_text_bytes();
  layout.status = creation.reserve("status", status_text.id(), nullptr);
  layout.records = creation.reserve("records", count, nullptr);
  creation.group("statistics");
  for (const std::string& name : contents.statistics)
    layout.statistics.push_back(creation.reserve("statistics/" + name, number, nullptr));
  layout.event_count = creation.reserve("events/count", count, nullptr);
  layout.event_time = creation.reserve("events/time", number, &capacity.events);
  layout.event_name = creation.reserve("events/name", event_text.id(), &capacity.events);
  layout.event_what = creation.reserve("events/what", event_text.id(), &capacity.events);
  layout.checksums = creation.reserve("checksums", count, &capacity.records);
  const Column index = index_column(contents.header);
  layout.time = creation.reserve(index.name, number, &capacity.records, &index);
  layout.columns.reserve(contents.columns.size());
  for (const Column& column : contents.columns)
    layout.columns.push_back(creation.reserve(dataset_path(column.name), number, &capacity.records, &column));
  creation.save(file);
  mark_missing(file, layout.time, capacity.records);
  return layout;
}

}  // namespace gyrostat::results
