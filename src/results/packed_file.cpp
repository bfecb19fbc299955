#include "gyrostat/results/packed_file.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "gyrostat/results/creation.h"
#include "gyrostat/results/results_file.h"

namespace gyrostat::results {

namespace {

/// Of records that are not numbered by time: ascending. Empty where they stay as they are.
std::vector<std::size_t> order_of(const Header& header, const std::vector<double>& index) {
  std::vector<std::size_t> order;
  if (header.index == "time") return order;
  order.resize(index.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t k) { return index[k]; });
  return order;
}

std::vector<double> in_order(const std::vector<double>& values, const std::vector<std::size_t>& order) {
  std::vector<double> sorted(values.size());
  for (std::size_t k = 0; k < values.size(); ++k) sorted[k] = values[order[k]];
  return sorted;
}

void write_histories(Creation& creation, const Histories& histories) {
  const std::uint64_t records = histories.records.size(), times = histories.time.size();
  const Column index{histories.index, "", "number of the " + histories.index}, time{"time", "s", "time of the values"};
  creation.write(fmt::format("histories/{}", index.name), H5T_NATIVE_DOUBLE, &records, histories.records.data(),
                 &index);
  creation.write("histories/time", H5T_NATIVE_DOUBLE, &times, histories.time.data(), &time);
  creation.names("histories/columns", histories.columns);
  for (std::size_t c = 0; c < histories.columns.size(); ++c) {
    const Column& column = histories.columns[c];
    creation.write_matrix(history_path(histories.index, column.name), records, times, column,
                          [&](std::uint64_t first, std::span<double> into) { histories.read(c, first, into); });
  }
}

}  // namespace

void create_packed_file(RawFile& file, const Contents& contents, const ResultsReader& source, const std::string& status,
                        const std::string& checkpoint, const Histories* histories) {
  const hdf5::Quiet quiet;
  Creation creation(file.shown_path(), contents, Storage::packed);
  const hdf5::Handle event_text = hdf5::string_type(contents.event_text_bytes()),
                     status_text = hdf5::string_type(status_bytes);
  const hid_t number = H5T_NATIVE_DOUBLE;
  const auto write_count = [&](const std::string& path, std::uint64_t count) {
    creation.write(path, H5T_NATIVE_UINT64, nullptr, &count);
  };

  const std::uint64_t records = source.records(), events = source.events().size();
  creation.write("status", status_text.id(), nullptr, status_field(status).c_str());
  write_count("records", records);
  creation.group("statistics");
  for (const auto& [name, value] : source.statistics()) creation.write("statistics/" + name, number, nullptr, &value);
  write_count("events/count", events);
  std::vector<Event> listed = source.events();
  if (contents.header.index != "time") std::ranges::stable_sort(listed, {}, &Event::t);
  const EventFields fields = fields_of(listed, contents.event_text_bytes());
  creation.write("events/time", number, &events, fields.times.data());
  creation.write("events/name", event_text.id(), &events, fields.names.data());
  creation.write("events/what", event_text.id(), &events, fields.whats.data());
  const std::vector<std::size_t> order = order_of(contents.header, source.time());
  const auto write_column = [&](const std::string& path, std::vector<double> values, const Column& column) {
    if (!order.empty()) values = in_order(values, order);
    creation.write(path, number, &records, values.data(), &column);
  };
  const Column index = index_column(contents.header);
  write_column(index.name, source.time(), index);
  for (const Column& column : contents.columns) {
    write_column(dataset_path(column.name), source.column(column.name), column);
  }
  if (const std::uint64_t bytes = checkpoint.size(); bytes > 0) {
    creation.write("checkpoint", H5T_NATIVE_UINT8, &bytes, checkpoint.data());
  }
  if (histories != nullptr) write_histories(creation, *histories);
  creation.save(file);
}

}  // namespace gyrostat::results
