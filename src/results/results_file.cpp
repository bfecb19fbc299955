#include "gyrostat/results/results_file.h"

#include <vector>

namespace gyrostat::results {

namespace {

/// At most `bytes` of a text, whole characters only.
std::string_view cut(std::string_view text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0U) == 0x80U) --bytes;
  return text.substr(0, bytes);
}

void add_field(std::string& fields, std::string_view text, std::size_t bytes) {
  const std::string_view shown = cut(text, bytes);
  fields.append(shown).append(bytes - shown.size(), '\0');
}

}  // namespace

EventFields fields_of(std::span<const Event> events, std::size_t text_bytes) {
  EventFields fields;
  for (const Event& event : events) {
    fields.times.push_back(event.t);
    add_field(fields.names, event.name, text_bytes);
    add_field(fields.whats, event.what, text_bytes);
  }
  return fields;
}

std::string status_field(std::string_view status) {
  std::string field;
  if (status.size() <= status_bytes) {
    add_field(field, status, status_bytes);
  } else {
    add_field(field, std::string(cut(status, status_bytes - 3)) + "...", status_bytes);
  }
  return field;
}

void ResultsFile::write_events(std::uint64_t first, std::span<const Event> events) {
  if (events.empty()) return;
  const std::size_t bytes = layout_.event_text_bytes;
  const EventFields fields = fields_of(events, bytes);
  write(layout_.event_time, first, fields.times);
  raw_.write(layout_.event_name + first * bytes, fields.names.data(), fields.names.size());
  raw_.write(layout_.event_what + first * bytes, fields.whats.data(), fields.whats.size());
}

void ResultsFile::write_counts(std::uint64_t records, std::uint64_t events) {
  // A process that is killed between the two leaves an event too many, not one too few.
  raw_.write(layout_.event_count, &events, sizeof events);
  raw_.write(layout_.records, &records, sizeof records);
}

void ResultsFile::write_statistics(std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) write(layout_.statistics[i], 0, values.subspan(i, 1));
}

void ResultsFile::write_status(std::string_view status) {
  const std::string field = status_field(status);
  raw_.write(layout_.status, field.data(), field.size());
}

}  // namespace gyrostat::results
