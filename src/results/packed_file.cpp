#include "gyrostat/results/packed_file.h"

#include "gyrostat/results/creation.h"
#include "gyrostat/results/results_file.h"

namespace gyrostat::results {

void create_packed_file(RawFile& file, const Contents& contents, const ResultsReader& source,
                        const std::string& checkpoint) {
  const hdf5::Quiet quiet;
  Creation creation(file.shown_path(), contents, Storage::packed);
  const hdf5::Handle event_text = hdf5::string_type(event_text_bytes), status_text = hdf5::string_type(status_bytes);
  const hid_t number = H5T_NATIVE_DOUBLE;
  const auto write_count = [&](const std::string& path, std::uint64_t count) {
    creation.write(path, H5T_NATIVE_UINT64, nullptr, &count);
  };

  const std::uint64_t records = source.records(), events = source.events().size();
  creation.write("status", status_text.id(), nullptr, status_field(source.status()).c_str());
  write_count("records", records);
  creation.group("statistics");
  for (const auto& [name, value] : source.statistics()) creation.write("statistics/" + name, number, nullptr, &value);
  write_count("events/count", events);
  const EventFields fields = fields_of(source.events());
  creation.write("events/time", number, &events, fields.times.data());
  creation.write("events/name", event_text.id(), &events, fields.names.data());
  creation.write("events/what", event_text.id(), &events, fields.whats.data());
  const Column time = time_column();
  creation.write("time", number, &records, source.time().data(), &time);
  for (const Column& column : contents.columns) {
    creation.write(dataset_path(column.name), number, &records, source.column(column.name).data(), &column);
  }
  if (const std::uint64_t bytes = checkpoint.size(); bytes > 0) {
    creation.write("checkpoint", H5T_NATIVE_UINT8, &bytes, checkpoint.data());
  }
  creation.save(file);
}

}  // namespace gyrostat::results
